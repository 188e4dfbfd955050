/* SPDX-License-Identifier: MIT */
/* Detects a second copy of this library in the process: the program was linked with it, and bbprof
   record also preloads it.  The first copy in the loader's order is active, because its definitions
   win: the executable's.  The other copy is never set up, so its replacements of libc functions
   only pass calls on.

   Each copy carries an ELF note, and so does libbbprof-record.so.  Context: cold. */
#include <link.h>
#include <stdlib.h>
#include <sys/auxv.h>

#include "runtime/base/base.h"
#include "runtime/base/elf_note.h"

static const struct bbp_note note BBP_IN_NOTES = BBP_NOTE (BBP_NOTE_LIBRARY);

/* For the first object that has the note: 1 if the note is this copy's own, else 2. */
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

/* The ELF header of the object that this copy is in; defined by the linker. */
extern const ElfW (Ehdr) __ehdr_start __attribute__ ((weak, visibility ("hidden")));

/* The executable is always the first object.  This avoids dl_iterate_phdr, because a program's own
   definition of it may not work yet. */
static bool
is_in_executable (void)
{
  const ElfW (Ehdr) *head = &__ehdr_start;
  return head && (uintptr_t) head + head->e_phoff == getauxval (AT_PHDR);
}

/* Called repeatedly, by constructors and by units that register themselves inside dlopen, so the
   result is cached. */
bool
bbp_is_second_copy (void)
{
  static int known; /* the result of is_first; 0: not yet known */
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

/* The list is searched only if LD_PRELOAD is set; that of a set-uid program is ignored. */
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
