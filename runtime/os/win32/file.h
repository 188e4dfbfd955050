/* SPDX-License-Identifier: MIT */
/* file.c: output files.  Context: cold. */
#ifndef BBP_FILE_H
#define BBP_FILE_H

#include "runtime/os/win32/win32.h"

struct bbp_file {
  struct bbp_out out;
  HANDLE handle;
  DWORD failed;        /* the first error; 0: none */
  const wchar_t *path; /* borrowed */
  wchar_t temporary[BBP_PATH_SIZE + 8];
};

/* Creates the file under a temporary name.  A failure is kept for bbp_file_finish. */
void bbp_file_open (struct bbp_file *, const wchar_t *path);
DWORD bbp_file_finish (struct bbp_file *); /* closes; 0, or the error */
/* Gives it its name, replacing an older file; 0, or the error. */
DWORD bbp_file_rename (struct bbp_file *);
/* Deletes what there is under the temporary name: after an error, of this file or of another that
   belongs to it. */
void bbp_file_drop (struct bbp_file *);

#endif
