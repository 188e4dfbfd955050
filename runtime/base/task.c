/* SPDX-License-Identifier: MIT */
/* Context: any. */
#include "runtime/base/base.h"
#include "runtime/base/sys.h"
#include "runtime/base/task.h"

static const char folder[] = "/proc/self/task";

long
bbp_task_open (int tid, const char *name)
{
  char path[64];
  struct bbp_text text = { .buffer = path, .size = sizeof path };
  bbp_text_string (&text, folder);
  bbp_text_string (&text, "/");
  bbp_text_number (&text, (unsigned) tid);
  bbp_text_string (&text, name);
  return bbp_sys_openat (AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
}

long
bbp_task_read (int tid, const char *name, char *text, size_t size)
{
  long fd = bbp_task_open (tid, name);
  long n = fd < 0 ? fd : bbp_sys_read ((int) fd, text, size - 1);
  if (fd >= 0)
    bbp_sys_close ((int) fd);
  text[n > 0 ? n : 0] = '\0';
  return n;
}

void
bbp_task_end (int tid, const char *name, char *text, size_t size, size_t keep)
{
  long fd = bbp_task_open (tid, name), n;
  size_t used = 0;
  while (fd >= 0 && (n = bbp_sys_read ((int) fd, text + used, size - used - 1)) > 0)
    {
      used += (size_t) n;
      if (used > keep && used + 1 == size)
        {
          bbp_copy_bytes (text, text + used - keep, keep);
          used = keep;
        }
    }
  if (fd >= 0)
    bbp_sys_close ((int) fd);
  text[used] = '\0';
}

uint64_t
bbp_task_number (const char *text)
{
  uint64_t n = 0;
  if (text[0] == '0' && text[1] == 'x')
    for (text += 2; *text >= '0'; text++)
      n = n << 4 | (unsigned) (*text <= '9' ? *text - '0' : *text - 'a' + 10);
  else
    for (; *text >= '0' && *text <= '9'; text++)
      n = n * 10 + (unsigned) (*text - '0');
  return n;
}

const char *
bbp_task_behind (const char *text, const char *key)
{
  for (; *text; text++)
    {
      size_t n = 0;
      while (key[n] && text[n] == key[n])
        n++;
      if (!key[n])
        return text + n;
    }
  return text;
}

/* 0: NAME is not a number. */
static int
parse_tid (const char *name)
{
  int tid = 0;
  for (; *name >= '0' && *name <= '9'; name++)
    tid = tid * 10 + (*name - '0');
  return *name ? 0 : tid;
}

struct record { /* as returned by getdents64 */
  uint64_t inode, offset;
  unsigned short bytes;
  unsigned char type;
  char name[];
};

static void
meet_some (void (*meet) (int tid, void *argument), void *argument, const char *records, long n)
{
  const struct record *record;
  for (long i = 0; i < n; i += record->bytes)
    {
      record = (const struct record *) (records + i);
      int tid = parse_tid (record->name);
      if (tid)
        meet (tid, argument);
    }
}

long
bbp_task_all (void (*meet) (int tid, void *argument), void *argument, void *room, size_t bytes)
{
  long fd = bbp_sys_openat (AT_FDCWD, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0), n;
  if (fd < 0)
    return fd;
  while ((n = bbp_sys_entries ((int) fd, room, bytes)) > 0)
    meet_some (meet, argument, room, n);
  bbp_sys_close ((int) fd);
  return n;
}
