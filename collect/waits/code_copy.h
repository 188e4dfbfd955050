/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A copy of the code of a library that another process has loaded, laid out as it is there; and
   what its functions wait for. */
#ifndef BBPROF_CODE_H
#define BBPROF_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Code of a function that waits, or of one that only such functions call. */
struct code_range {
  const unsigned char *start, *end; /* in the copy */
  /* Enum bbs_why; BBS_WHY_NOT_KNOWN: functions call it that wait for different things. */
  uint8_t why;
  /* Calls from a function that has a name; 0: it has one itself. */
  uint8_t depth;
};

struct code {
  uint64_t low, high;  /* addresses in the process that this is about */
  unsigned char *copy; /* of what is loaded from START on; null: nothing is known of the code */
  uint64_t start;      /* address in the process */
  size_t bytes;
  const unsigned char *text, *text_end; /* what of it is executed */
  bool glibc;                           /* it is glibc, or a program with glibc inside */
  struct code_range *ranges;            /* by start */
  size_t nranges, room;
};

/* The object whose code is at PC in process PID.  What cannot be read, or names none of these
   functions, is one without a copy. */
void code_open (struct code *, pid_t pid, uint64_t pc);
void code_close (struct code *);

/* Its place in the copy; null: it is not of this object. */
static inline const unsigned char *
code_at (const struct code *c, uint64_t address)
{
  return c->copy && address - c->start < c->bytes ? c->copy + (address - c->start) : NULL;
}

/* code_names.c: finds the ranges, by the symbols in the file FD.  False: there are none, or no
   memory. */
bool code_name (struct code *, int fd);

/* What the function at AT, in the copy, waits for; BBS_WHY_NOT_KNOWN. */
uint8_t code_why (const struct code *, const unsigned char *at);

#endif
