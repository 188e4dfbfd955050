/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the distribution's packages of installed files. */
#ifndef BBPROF_PACKAGE_H
#define BBPROF_PACKAGE_H

#include <stdbool.h>
#include <stddef.h>

/* A file, and the name of its package in new memory; null: no package is known. */
struct package_file {
  const char *path; /* absolute */
  char *package;
};

/* Finds the packages of N files in dpkg's lists.  False: out of memory. */
bool packages_find (struct package_file *, size_t n);

#endif
