/* SPDX-License-Identifier: MIT */
/* Two of this library in one process: the program was linked with it, and bbprof record has it
   preloaded as well.  The first in the loader's order is the one whose names all others see: the
   executable's.  The other one stays asleep: it is never set up, and then all that it has in the
   place of libc's functions only passes on.

   Each carries a note, and so does libbbprof-record.so.  Context: cold. */
#include <link.h>
#include <stdlib.h>
#include <sys/auxv.h>

#include "runtime/base/base.h"
#include "runtime/base/elf_note.h"

static const struct bbp_note note BBP_IN_NOTES = BBP_NOTE (BBP_NOTE_LIBRARY);

/* Of the first object that has one: 1 if it is this library's own, else 2. */
static int
is_first (struct dl_phdr_info *info, size_t size, void *data)
{
  size_t bytes;
  (void) size, (void) data;
  const unsigned char *content = bbp_identity_note (info, BBP_NOTE_NAME, BBP_NOTE_LIBRARY, &bytes);
  if (!content)
    return 0;
  return content == (const unsigned char *) &note.content ? 1 : 2;
}

/* Of the object that this copy is in; made by the linker. */
extern const ElfW (Ehdr) __ehdr_start __attribute__ ((weak, visibility ("hidden")));

/* The executable is the first of all.  Nobody is asked for that: a program's own dl_iterate_phdr
   may not work yet. */
static bool
is_in_executable (void)
{
  const ElfW (Ehdr) *head = &__ehdr_start;
  return head && (uintptr_t) head + head->e_phoff == getauxval (AT_PHDR);
}

/* Asked again and again, by constructors and by units that register themselves inside of dlopen:
   so the list is looked at once. */
bool
bbp_is_second_copy (void)
{
  static int known; /* as above; 0: not yet */
  int answer = __atomic_load_n (&known, __ATOMIC_RELAXED);
  if (!answer)
    answer = is_in_executable () ? 1 : dl_iterate_phdr (is_first, NULL);
  __atomic_store_n (&known, answer, __ATOMIC_RELAXED);
  return answer == 2;
}

static int
wants_record (struct dl_phdr_info *info, size_t size, void *unused)
{
  size_t bytes;
  (void) size, (void) unused;
  return bbp_identity_note (info, BBP_NOTE_NAME, BBP_NOTE_RECORD, &bytes) != NULL;
}

/* Nobody is asked where nothing was preloaded; that of a set-uid program is not trusted. */
bool
bbp_record_is_preloaded (void)
{
  static int known; /* 1: no, 2: yes; 0: not yet */
  int answer = __atomic_load_n (&known, __ATOMIC_RELAXED);
  if (!answer)
    answer = secure_getenv ("LD_PRELOAD") && dl_iterate_phdr (wants_record, NULL) ? 2 : 1;
  __atomic_store_n (&known, answer, __ATOMIC_RELAXED);
  return answer == 2;
}
