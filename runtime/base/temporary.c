/* SPDX-License-Identifier: MIT */
/* Names of temporary files (out.c), and removal of those of processes that were killed while they
   wrote a profile: the next process that writes the same profile removes them.  A name holds the
   pid and the *pid scope*, in which that pid means the same process: one boot of one machine, one
   PID namespace.  Files of other scopes, which share the folder, are left alone.  Context: cold,
   lock held. */
#include <dirent.h>
#include <string.h>

#include "runtime/base/base.h"
#include "runtime/base/sys.h"

#define SUFFIX ".tmp"
#define ENTRIES_BYTES 32768
/* of ENTRIES_BYTES each, so that a huge folder does not delay the end of the program */
#define MOST_READS 64

static uint32_t
mix (uint32_t hash, const void *bytes, size_t n)
{
  for (const unsigned char *p = bytes; n--; p++)
    hash = (hash ^ *p) * 16777619;
  return hash;
}

/* 0: not known. */
static uint32_t
find_pid_scope (void)
{
  char boot[64];
  struct stat st;
  long fd = bbp_open_high ("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
  long n = fd < 0 ? fd : bbp_sys_read ((int) fd, boot, sizeof boot);
  if (fd >= 0)
    bbp_sys_close ((int) fd);
  if (n <= 0 || bbp_sys_stat ("/proc/self/ns/pid", &st) != 0)
    return 0;
  uint32_t hash = mix (mix (2166136261, boot, (size_t) n), &st.st_ino, sizeof st.st_ino);
  return hash ? hash : 1;
}

/* Cached: later the program may have another root folder, or have given up system calls. */
static uint32_t
pid_scope (void)
{
  static uint32_t known;
  static bool looked;
  if (!looked)
    known = find_pid_scope ();
  looked = true;
  return known;
}

void
bbp_temporary_name (struct bbp_text *name, const char *path)
{
  bbp_text_string (name, path);
  bbp_text_string (name, ".");
  bbp_text_number (name, (uint64_t) bbp_sys_getpid ());
  bbp_text_string (name, "-");
  bbp_text_number (name, pid_scope ());
  bbp_text_string (name, SUFFIX);
}

/* The number at the start of *TEXT, which is advanced behind it; 0: none. */
static uint64_t
take_number (const char **text)
{
  uint64_t n = 0;
  for (; **text >= '0' && **text <= '9' && n <= UINT32_MAX; ++*text)
    n = n * 10 + (uint64_t) (**text - '0');
  return n;
}

static bool
take_word (const char **text, const char *word)
{
  size_t n = strlen (word);
  if (strncmp (*text, word, n) != 0)
    return false;
  *text += n;
  return true;
}

/* True if file NAME is a temporary file for BASE, or for its sidecar, of an ended process of this
   pid scope. */
static bool
is_stale (const char *name, const char *base)
{
  if (!take_word (&name, base))
    return false;
  take_word (&name, BBX_SUFFIX);
  if (!take_word (&name, "."))
    return false;
  uint64_t pid = take_number (&name);
  bool here = take_word (&name, "-") && take_number (&name) == pid_scope ();
  return here && strcmp (name, SUFFIX) == 0 && pid > 0 && pid <= INT32_MAX
         && bbp_sys_kill ((int) pid, 0) == -ESRCH;
}

static void
remove_from (const char *folder, size_t bytes, const char *name)
{
  static char path[BBP_PATH_SIZE];
  struct bbp_text text = { .buffer = path, .size = sizeof path };
  bbp_text_bytes (&text, folder, bytes);
  bbp_text_string (&text, name);
  if (!text.cut)
    bbp_sys_unlink (path);
}

/* FD: the folder of PATH; its name is the first BYTES of PATH. */
static void
remove_all (int fd, const char *path, size_t bytes)
{
  char *entries = bbp_pages_map (ENTRIES_BYTES);
  long n;
  for (int i = 0;
       entries && i < MOST_READS && (n = bbp_sys_entries (fd, entries, ENTRIES_BYTES)) > 0; i++)
    for (const struct dirent64 *entry = (void *) entries; (const char *) entry < entries + n;
         entry = (const void *) ((const char *) entry + entry->d_reclen))
      if ((entry->d_type == DT_REG || entry->d_type == DT_UNKNOWN)
          && is_stale (entry->d_name, path + bytes))
        remove_from (path, bytes, entry->d_name);
  bbp_pages_unmap (entries, ENTRIES_BYTES);
}

void
bbp_temporary_remove_stale (const char *path)
{
  static char folder[BBP_PATH_SIZE];
  static bool removed;
  if (removed || pid_scope () == 0)
    return;
  removed = true;
  const char *slash = strrchr (path, '/');
  size_t bytes = slash ? (size_t) (slash + 1 - path) : 0;
  struct bbp_text text = { .buffer = folder, .size = sizeof folder };
  bbp_text_bytes (&text, path, bytes);
  bbp_text_string (&text, ".");
  long fd = bbp_rights_lower () ? bbp_open_high (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
                                : -EPERM;
  if (fd >= 0)
    {
      remove_all ((int) fd, path, bytes);
      bbp_sys_close ((int) fd);
    }
  bbp_rights_restore ();
}
