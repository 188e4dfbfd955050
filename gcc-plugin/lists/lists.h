/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The user's lists of functions and files, and the names by which they find a function. */
#ifndef BBPROF_LISTS_H
#define BBPROF_LISTS_H

#include "gcc-plugin/target/gcc-compat.h"

/* names.cc: the names of a function. */
struct bbp_names {
  auto_vec<char *> functions; /* all its names, for assembler, linker and users */
  const char *shown;          /* one of them, for users */
  const char *file;           /* of its definition; or null */
};

void bbp_names_find (tree decl, struct bbp_names *names);
void bbp_names_free (struct bbp_names *names);

/* patterns.cc: the user's lists of functions and files. */
enum bbp_list { BBP_LIST_INCLUDE, BBP_LIST_EXCLUDE };

/* Adds the items of TEXT.  False, with one error, if they are not all valid. */
bool bbp_patterns_add (enum bbp_list list, const char *text);
bool bbp_patterns_given (enum bbp_list list);
/* The last pattern of LIST that matches one of NAMES, as the user wrote it, or null. */
const char *bbp_patterns_match (enum bbp_list list, const struct bbp_names *names);
/* Call after the last function. */
void bbp_patterns_note_unused (void);

#endif
