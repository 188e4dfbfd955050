/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What went wrong, where.  Everything below main.c returns bool and fills one of these; only
   main prints and exits. */
#ifndef BBPROF_ERROR_H
#define BBPROF_ERROR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct error {
  const char *file; /* borrowed: a name of the command line; null: none to blame */
  /* Byte in the file where the damaged thing begins; ERROR_NO_OFFSET: no such place. */
  uint64_t offset;
  char text[400]; /* one line, without the end of line */
};

#define ERROR_NO_OFFSET UINT64_MAX

/* Fills ERR; always false, so that readers can say `return error_set (...)'. */
bool error_set (struct error *err, const char *file, uint64_t offset, const char *format, ...)
    __attribute__ ((format (printf, 4, 5)));

/* False, for an allocation that failed. */
bool error_no_memory (struct error *err);

/* What a reader of the report has to know, though there is a report. */
struct warnings {
  struct error *list;
  size_t count, room;
};

/* Adds a copy of WARNING; its file name must live as long.  False if memory is short. */
bool warnings_add (struct warnings *, const struct error *warning);
void warnings_print (const char *program, const struct warnings *);
/* The same; where a PAGE on standard output shows them as well, only if that does not go to a
   terminal or to the same file. */
void warnings_print_beside (const char *program, const struct warnings *, bool page);
/* As the beginning of a page. */
void warnings_show (FILE *out, const struct warnings *);
void warnings_free (struct warnings *);

/* The report on OUT is complete: false, with ERR's text, if some of it could not be written.  A
   full disk must not pass for a report. */
bool error_if_unwritten (FILE *out, struct error *err);

/* One line on stderr: PROGRAM: file: byte 123: text. */
void error_print (const char *program, const struct error *err);

#endif
