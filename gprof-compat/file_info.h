/* SPDX-License-Identifier: GPL-3.0-or-later */
/* -i: the records of the profiles, by kind. */
#ifndef BBPROF_FILE_INFO_H
#define BBPROF_FILE_INFO_H

#include <stdio.h>

#include "model/model.h"

/* Includes the readable profiles, even if the next one is damaged. */
void file_info_print (FILE *, const struct model *);

#endif
