/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gmon.out, record by record, into the profile.  Memory follows what is really in the file,
   never what a damaged header claims, so pipes and files without end need no special care. */
#ifndef BBPROF_GMON_READ_H
#define BBPROF_GMON_READ_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/error.h"
#include "model/elf/image.h"
#include "model/files/profile.h"

/* What the files are taken for. */
enum gmon_format {
  GMON_AUTO,  /* what they look like */
  GMON_MAGIC, /* with records and the letters gmon */
  GMON_BSD,   /* one histogram and calls */
  GMON_44BSD, /* likewise, with version and rate */
};

/* The shape of the file is that of the program's machine. */
struct gmon_shape {
  enum gmon_format format; /* asked for */
  int pointer_bytes;       /* 4 or 8 */
  bool big_endian;
  /* Where the program's code is; a file with nothing in there seems to be of another program. */
  uint64_t code_low, code_high;
  bool has_default; /* the program says what a profile of all of it covers: */
  uint64_t default_low, default_high;
};

struct gmon_shape gmon_shape_of (const struct image *);

/* Of a file whose program nobody names, as bbprof writes it. */
struct gmon_shape gmon_shape_unknown (void);

/* The number of N bytes. */
static inline uint64_t
gmon_number (const struct gmon_shape *shape, const unsigned char *bytes, int n)
{
  uint64_t v = 0;
  for (int i = 0; i < n; i++)
    v = v << 8 | bytes[shape->big_endian ? i : n - 1 - i];
  return v;
}

/* The file's addresses from START to END (exclusive) have another place in the model, further by
   DISTANCE. */
struct gmon_move {
  uint64_t start, end, distance;
};
struct gmon_moves {
  struct gmon_move *moves; /* by start, none overlaps another */
  size_t count;
};

/* The first move that something from FIRST to END (exclusive) belongs to, or null. */
const struct gmon_move *gmon_find_move (const struct gmon_moves *, uint64_t first, uint64_t end);

/* ADDRESS of the file as the model has it. */
uint64_t gmon_moved (const struct gmon_moves *, uint64_t address);

/* How many records of which kind there were. */
struct gmon_counts {
  uint64_t histograms, calls, blocks;
};

/* A profile whose header has been read. */
struct gmon_file {
  FILE *file;
  const char *name; /* borrowed */
  unsigned version;
  uint64_t run;           /* which run wrote it; 0: one without a sidecar */
  uint32_t moment;        /* which of its dumps it is (GMON_MOMENT); 0: not known */
  bool exact_callers;     /* of all its calls the caller's address is the return address */
  bool is_bsd;            /* there are no letters gmon, ... */
  unsigned char head[20]; /* ... but these, */
  size_t nhead;           /* so many */
  /* After gmon_read: */
  struct gmon_counts records;
  uint64_t outside;   /* counts neither in the program's code nor in what has been moved */
  bool doubtful;      /* it seems to be of another program, or of another build */
  struct error doubt; /* why */
};

/* Opens the file NAME (- is standard input).  gmon_close is right in both cases. */
bool gmon_open (struct gmon_file *, const char *name, const struct gmon_shape *, struct error *);
void gmon_close (struct gmon_file *);

/* Adds its records.  On false the profile holds some of it: good for profile_free only. */
bool gmon_read (struct profile *, struct gmon_file *, const struct gmon_shape *,
                const struct gmon_moves *, struct error *);

#endif
