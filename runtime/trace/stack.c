/* SPDX-License-Identifier: MIT */
/* Finds the calling thread's own stack: all of it stays mapped as long as the thread lives,
   unlike stacks to which programs switch.  Read from /proc, once a thread, for levels.c.
   Context: hot, but rare. */
#include <fcntl.h>

#include "arch.h"
#include "runtime/base/sys.h"
#include "runtime/trace/trace.h"

#define MOST_MAIN \
  ((uintptr_t) 64 \
   << 20) /* the kernel maps nothing else in this part of the main thread's growing stack */

struct reader {
  int fd;
  size_t next, bytes;
  char buffer[1024];
};

/* The next character of the file; 0: the end. */
static char
take (struct reader *reader)
{
  if (reader->next == reader->bytes)
    {
      long n = bbp_sys_read (reader->fd, reader->buffer, sizeof reader->buffer);
      if (n <= 0)
        return 0;
      reader->bytes = (size_t) n;
      reader->next = 0;
    }
  return reader->buffer[reader->next++];
}

/* A hexadecimal number, and the character behind it. */
static uintptr_t
take_number (struct reader *reader)
{
  uintptr_t value = 0;
  char c;
  while ((c = take (reader)) && ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f')))
    value = value << 4 | (uintptr_t) (c <= '9' ? c - '0' : c - 'a' + 10);
  return value;
}

/* Skips to the end of the line; true: the line had a bracket and an s, as in [stack]. */
static bool
skip_line (struct reader *reader)
{
  bool found = false;
  for (char c, before = 0; (c = take (reader)) && c != '\n'; before = c)
    found |= before == '[' && c == 's';
  return found;
}

/* The main thread's stack has a name.  The stacks of other threads contain the address in the
   thread pointer (glibc). */
static struct bbp_stack
find (struct reader *reader)
{
  uintptr_t tp = bbp_arch_thread_pointer ();
  bool is_main = bbp_sys_gettid () == bbp_sys_getpid ();
  struct bbp_stack stack;
  do
    {
      stack.low = take_number (reader);
      stack.high = take_number (reader);
      bool grows = skip_line (reader);
      if (is_main && grows)
        return (struct bbp_stack) { stack.high - MOST_MAIN, stack.high };
      if (!is_main && tp - stack.low < stack.high - stack.low)
        return stack;
  } while (stack.high);
  return (struct bbp_stack) { 0, 0 };
}

/* Zeros if it cannot be found. */
struct bbp_stack
bbp_stack_find (void)
{
  struct reader reader
      = { .fd = (int) bbp_sys_openat (AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC, 0) };
  if (reader.fd < 0)
    return (struct bbp_stack) { 0, 0 };
  struct bbp_stack stack = find (&reader);
  bbp_sys_close (reader.fd);
  return stack;
}
