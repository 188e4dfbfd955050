/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --threads: chooses threads by a list of the user's. */
#ifndef BBPROF_THREAD_CHOICE_H
#define BBPROF_THREAD_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

/* Is LIST words with commas between, none of them empty? */
bool thread_choice_is_list (const char *list);

/* Does LIST choose this thread: is one of its words the thread's NUMBER in reports, its TID, or a
   pattern of its NAME?  All of LIST may be one pattern, of a name with a comma.  NUMBER negative,
   TID 0: it has none. */
bool thread_choice_is (const char *list, const char *name, int64_t number, int64_t tid);

#endif
