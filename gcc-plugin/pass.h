/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BBPROF_PASS_H
#define BBPROF_PASS_H

#include "gcc-plugin/gcc-compat.h"

opt_pass *bbp_pass_make (void);

#endif
