/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program or library that another process has mapped: its identity, and a copy of its segments
   with their layout in memory, for the unwinder. */
#ifndef BBPROF_OBJECT_FILE_H
#define BBPROF_OBJECT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/build_id.h"
#include "runtime/unwind/unwinding.h"

enum { OBJECT_SEGMENTS = 32 };

struct object_file {
  struct object_file *next; /* all objects of the session */
  char *path;               /* as the process sees it, or a name in brackets */
  uint64_t device, inode;   /* of the file; of "[vdso]" 0 */
  struct build_id build_id;
  uint64_t start, end;           /* link-time addresses of all segments, end exclusive */
  uint64_t text_start, text_end; /* of the executable ones */
  bool is_loader;                /* the dynamic loader */
  /* The segments from the link-time address LOW on; null: the file could not be read. */
  unsigned char *copy;
  size_t bytes, mapped; /* of the segments; also of an index */
  uint64_t low;
  /* The program headers of the file; perhaps two more, for an index of call frame information
     that the file does not have. */
  ElfW (Phdr) segments[OBJECT_SEGMENTS + 2];
  size_t nsegments;
};

/* A mapping of the file, as the kernel reports it. */
struct object_mapping {
  uint64_t low, high, offset; /* addresses in the process; position in the file */
  uint64_t device, inode;
  const char *path;
};

/* The object in ALL of the mapping in process PID, made if there is none.  One that cannot be read
   has no copy.  Null: the mapping is of no object (generated code), or out of memory. */
struct object_file *object_file_of (struct object_file **all, pid_t pid,
                                    const struct object_mapping *);
void object_files_free (struct object_file *all);

/* The build id of the file PATH.  False: it has none, or cannot be read. */
bool object_file_build_id (const char *path, struct build_id *);

/* The run-time address - link-time address of the object where it has this mapping.  False: no
   segment of the file is there. */
bool object_file_bias (const struct object_file *, const struct object_mapping *, uint64_t *bias);

/* Call frame information of a link-time address, without a shift; false: there is none. */
bool object_file_cfi (const struct object_file *, uint64_t address, struct bbp_cfi *);

/* The link-time addresses around ADDRESS whose content cannot change in memory; SHIFT: to where
   they are in the copy.  False: there are none. */
bool object_file_readable (const struct object_file *, uint64_t address, struct bbp_readable *);

#endif
