/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is in the profiles, by kind of record (gprof's -i). */
#ifndef BBPROF_FILE_INFO_H
#define BBPROF_FILE_INFO_H

#include <stdio.h>

#include "model/model.h"

/* Of those that could be read, also if the next one could not. */
void file_info_print (FILE *, const struct model *);

#endif
