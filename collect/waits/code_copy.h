/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A copy of the code of a library that another process has mapped, with the same layout, and with
   the wait reasons of its functions. */
#ifndef BBPROF_CODE_H
#define BBPROF_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The code of a function that waits, or of one that only such functions call. */
struct code_range {
  const unsigned char *start, *end; /* in the copy */
  /* Enum bbs_why; BBS_WHY_NOT_KNOWN: its callers wait for different things. */
  uint8_t why;
  /* Number of calls from a function with a name; 0: it has a name itself. */
  uint8_t depth;
};

struct code {
  uint64_t low, high;  /* the mapping's addresses in the process */
  unsigned char *copy; /* of the file's segments, from START on; null: the code is unknown */
  uint64_t start;      /* address in the process */
  size_t bytes;
  const unsigned char *text, *text_end; /* the executable part of the copy */
  bool glibc;                           /* it is glibc, or a program that glibc was linked into */
  struct code_range *ranges;            /* by start */
  size_t nranges, room;
};

/* Copies the object with the code at PC in process PID.  An object that cannot be read, or has none
   of these functions, gets no copy. */
void code_open (struct code *, pid_t pid, uint64_t pc);
void code_close (struct code *);

/* The place of ADDRESS in the copy; null: it is not in this object. */
static inline const unsigned char *
code_at (const struct code *c, uint64_t address)
{
  return c->copy && address - c->start < c->bytes ? c->copy + (address - c->start) : NULL;
}

/* code_names.c: finds the ranges by the symbols in the file FD.  False: there are none, or out of
   memory. */
bool code_name (struct code *, int fd);

/* The wait reason of the function at AT, an address in the copy; or BBS_WHY_NOT_KNOWN. */
uint8_t code_why (const struct code *, const unsigned char *at);

#endif
