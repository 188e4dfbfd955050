/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads gmon.out, record by record, into the profile.  Memory is allocated for data that the file
   really has, never for a size that a damaged header claims.  So pipes and endless files need no
   special care. */
#ifndef BBPROF_GMON_READ_H
#define BBPROF_GMON_READ_H

#include <endian.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "common/error.h"
#include "model/elf/image.h"
#include "model/files/profile.h"

/* The assumed format of the files. */
enum gmon_format {
  GMON_AUTO,  /* what the file looks like */
  GMON_MAGIC, /* with records and the letters gmon */
  GMON_BSD,   /* one histogram and calls */
  GMON_44BSD, /* the same, with version and rate */
};

/* The shape of the file.  It depends on the program's machine. */
struct gmon_shape {
  enum gmon_format format; /* requested */
  int pointer_bytes;       /* 4 or 8 */
  bool big_endian;
  /* In BSD's formats the count of a call has the size of a pointer.  The library of mingw-w64 sets
     only its first 4 bytes. */
  bool counts_of_4_bytes;
  /* The program's code.  A file without an address in it is probably of another program. */
  uint64_t code_low, code_high;
  uint64_t segment_high; /* profiles of whole segments end here */
  bool has_default;      /* the program defines the extent of a whole profile: */
  uint64_t default_low, default_high;
};

struct gmon_shape gmon_shape_of (const struct image *);

/* For a file of an unknown program, as bbprof writes it. */
struct gmon_shape gmon_shape_unknown (void);

/* The number in N bytes. */
static inline uint64_t
gmon_number (const struct gmon_shape *shape, const unsigned char *bytes, int n)
{
  uint64_t v = 0;
  if (n == 8)
    {
      memcpy (&v, bytes, 8);
      return shape->big_endian ? be64toh (v) : le64toh (v);
    }
  for (int i = 0; i < n; i++)
    v = v << 8 | bytes[shape->big_endian ? i : n - 1 - i];
  return v;
}

/* Addresses of the file from START to END (exclusive) are higher in the model by DISTANCE. */
struct gmon_move {
  uint64_t start, end, distance;
};
struct gmon_moves {
  struct gmon_move *moves; /* by start, without overlap */
  size_t count;
};

/* The first move that overlaps FIRST to END (exclusive), or null. */
const struct gmon_move *gmon_find_move (const struct gmon_moves *, uint64_t first, uint64_t end);

/* ADDRESS of the file as the model has it. */
uint64_t gmon_moved (const struct gmon_moves *, uint64_t address);

/* Numbers of records by kind. */
struct gmon_counts {
  uint64_t histograms, calls, blocks;
};

/* A profile after its header was read. */
struct gmon_file {
  FILE *file;
  const char *name; /* borrowed */
  unsigned version;
  uint64_t run;           /* run id; 0: it has no sidecar */
  uint32_t moment;        /* number of the dump (GMON_MOMENT); 0: unknown */
  bool exact_callers;     /* the caller's address in all its calls is the return address */
  bool is_bsd;            /* it begins without the letters gmon, ... */
  unsigned char head[20]; /* ... but with these, */
  size_t nhead;           /* so many */
  /* After gmon_read: */
  struct gmon_counts records;
  uint64_t outside;   /* counts neither in the program's code nor in moved code */
  bool doubtful;      /* it is probably of another program, or of another build */
  struct error doubt; /* why */
};

/* Opens the file NAME (-: standard input).  Call gmon_close in both cases. */
bool gmon_open (struct gmon_file *, const char *name, const struct gmon_shape *, struct error *);
void gmon_close (struct gmon_file *);

/* Adds its records.  False: the profile has some of them, and can only be freed. */
bool gmon_read (struct profile *, struct gmon_file *, const struct gmon_shape *,
                const struct gmon_moves *, struct error *);

#endif
