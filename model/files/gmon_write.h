/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes gmon.out, record by record, so that any gprof can read it (doc/reference/files/gmon.md).
   Fields of a record have 16 or 32 bits; larger counts are written in several records, which add
   up. */
#ifndef BBPROF_GMON_WRITE_H
#define BBPROF_GMON_WRITE_H

#include <stddef.h>
#include <stdint.h>

#include "common/output.h"
#include "model/files/gmon_read.h"
#include "model/files/profile.h"

struct gmon_writer {
  struct output *output;
  const struct gmon_shape *shape;
};

/* EXACT_CALLERS: the caller's address in all calls that follow is the return address. */
void gmon_write_header (const struct gmon_writer *, uint64_t run, bool exact_callers);
void gmon_write_histogram (const struct gmon_writer *, const struct profile *,
                           const struct histogram *);
void gmon_write_call (const struct gmon_writer *, uint64_t from, uint64_t self, uint64_t count);
void gmon_write_executions (const struct gmon_writer *, const struct execution *, size_t n);

/* The format of BSD's systems (gmon_bsd.h): header and counters, which have only 16 bits; then
   calls. */
void gmon_write_bsd (const struct gmon_writer *, const struct profile *, bool has_version);
void gmon_write_bsd_call (const struct gmon_writer *, uint64_t from, uint64_t self, uint64_t count);

#endif
