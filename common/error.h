/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An error: what is wrong, and where.  All code below main.c returns bool and fills in one of
   these; only main prints and exits. */
#ifndef BBPROF_ERROR_H
#define BBPROF_ERROR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct error {
  const char *file; /* borrowed; as on the command line; null: no file */
  /* Offset of the damage in the file: bytes; or ERROR_NO_OFFSET. */
  uint64_t offset;
  char text[400]; /* one line without its end */
};

#define ERROR_NO_OFFSET UINT64_MAX

/* Fills in ERR.  Always false, so a reader can write `return error_set (...)'. */
bool error_set (struct error *err, const char *file, uint64_t offset, const char *format, ...)
    __attribute__ ((format (printf, 4, 5)));

/* Appends ADVICE, which says what to do, to the text. */
void error_advise (struct error *err, const char *advice);

/* For an error that outlives its file's name: puts the name into the text, unless it is KEPT. */
void error_detach (struct error *err, const char *kept);

/* For a failed allocation.  Always false. */
bool error_no_memory (struct error *err);

/* Reasons why a report is incomplete or doubtful, for users. */
struct warnings {
  struct error *list;
  size_t count, room;
};

/* Adds a copy of WARNING; its file name must stay valid.  False: out of memory. */
bool warnings_add (struct warnings *, const struct error *warning);
void warnings_print (const char *program, const struct warnings *);
/* Like warnings_print.  If the PAGE on standard output shows the warnings, too, prints them only
   if standard output is neither a terminal nor the same file as stderr. */
void warnings_print_beside (const char *program, const struct warnings *, bool page);
/* Prints the warnings at the beginning of a page. */
void warnings_show (FILE *out, const struct warnings *);
void warnings_free (struct warnings *);

/* Checks that the report was written to OUT completely.  False: ERR says why not (a full disk,
   for example). */
bool error_if_unwritten (FILE *out, struct error *err);

/* Prints one line on stderr: PROGRAM: file: byte 123: text. */
void error_print (const char *program, const struct error *err);

#endif
