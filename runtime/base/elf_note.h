/* SPDX-License-Identifier: MIT */
/* ELF notes that mark the library and objects linked with it.  They can be read before any of the
   object's code has run, because the linker puts them into a segment. */
#ifndef BBP_ELF_NOTE_H
#define BBP_ELF_NOTE_H

#include <link.h>
#include <stdint.h>

#include "include/bbprof-control.h"

#define BBP_NOTE_NAME BBC_NOTE_NAME
enum bbp_note_type {
  BBP_NOTE_LIBRARY = 1, /* the object contains a copy of the library */
  /* Preloading the object means that the process is to be recorded: libbbprof-record.so. */
  BBP_NOTE_RECORD = BBC_NOTE_TYPE + 1
};

struct bbp_note {
  ElfW (Nhdr) head;
  char name[8];
  uint32_t content;
};
#define BBP_NOTE(type)                                                  \
  {                                                                     \
    { sizeof BBP_NOTE_NAME, sizeof (uint32_t), type }, BBP_NOTE_NAME, 1 \
  }
#define BBP_IN_NOTES __attribute__ ((section (".note.bbprof"), aligned (4), used))

#endif
