/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which packages of the system have installed files. */
#ifndef BBPROF_PACKAGE_H
#define BBPROF_PACKAGE_H

#include <stdbool.h>
#include <stddef.h>

/* A file, and the name of its package in fresh memory; null: no package, or none that is known
   here. */
struct package_file {
  const char *path; /* absolute */
  char *package;
};

/* Finds the packages of N files in dpkg's lists.  False if memory is short. */
bool packages_find (struct package_file *, size_t n);

#endif
