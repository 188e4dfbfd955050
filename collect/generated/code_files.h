/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the files in which a process describes the code that it generates, and reads them while it
   runs. */
#ifndef BBPROF_CODE_FILES_H
#define BBPROF_CODE_FILES_H

#include <sys/types.h>

#include "collect/generated/jitdump.h"
#include "common/error.h"

enum code_form { CODE_PERF_MAP, CODE_JITDUMP, CODE_FORMS };

struct code_file {
  char path[4096]; /* empty: not found yet */
  bool open;
  const char *refused;    /* why it is not read; null: it is */
  struct jitdump jitdump; /* of a perf map: its text only */
};

struct code_files {
  pid_t pid;
  uint64_t started; /* clock_now, when the process began: an older file is not its own */
  uint64_t looked;  /* when it was looked at last */
  uint64_t scan;    /* when the mappings of the process are to be read next */
  uint64_t pause;   /* until the one after that: nanoseconds */
  struct code_file files[CODE_FORMS];
};

void code_files_begin (struct code_files *, pid_t pid, uint64_t started);

/* Reads what the process has added since the last call into SINK, if NOW (clock_now) is late enough
   for that, or if it is the LAST call.  False: SINK has no room. */
bool code_files_read (struct code_files *, uint64_t now, bool last, const struct code_sink *sink);
void code_files_end (struct code_files *);

#endif
