/* SPDX-License-Identifier: MIT */
/* All messages of the library: one line on stderr.  Silent if descriptor 2 is not what it was at
   the start: a daemon may have closed it, and a data file may have got its number.  Context: cold,
   lock held or before there are threads. */
#include "runtime/base/base.h"
#include "runtime/base/sys.h"

static dev_t stderr_device;
static ino_t stderr_inode;

void
bbp_message_start (void)
{
  struct stat st;
  if (bbp_sys_fstat (2, &st) == 0)
    stderr_device = st.st_dev, stderr_inode = st.st_ino;
}

/* For a write to a pipe without reader, or beyond a file's size limit, the kernel also raises a
   signal that would end the program.  It is consumed, unless the same signal was pending before. */
static void
write_line (const char *line, size_t n)
{
  bbp_sigset old = bbp_signals_block (), before = 0;
  bbp_sys_pending (&before);
  long result = bbp_sys_write (2, line, n);
  bbp_sigset answer = result == -EPIPE   ? 1UL << (SIGPIPE - 1)
                      : result == -EFBIG ? 1UL << (SIGXFSZ - 1)
                                         : 0;
  siginfo_t info;
  if (answer & ~before)
    bbp_sys_take_pending (&answer, &info);
  bbp_signals_restore (old);
}

static void
print (const char *prefix, const char *subject, const char *separator, const char *what)
{
  struct stat st;
  if (bbp_sys_fstat (2, &st) != 0 || st.st_dev != stderr_device || st.st_ino != stderr_inode)
    return;
  /* Too large for the small stacks that handlers of fatal signals may run on. */
  static char buffer[4096 + 128];
  struct bbp_text text = { .buffer = buffer, .size = sizeof buffer - 1 };
  bbp_text_string (&text, prefix);
  bbp_text_string (&text, subject);
  bbp_text_string (&text, separator);
  bbp_text_string (&text, what);
  buffer[text.used++] = '\n';
  write_line (buffer, text.used);
}

void
bbp_message (const char *subject, const char *what)
{
  print ("bbprof: ", subject, ": ", what);
}

void
bbp_message_line (const char *text)
{
  print ("", "", "", text);
}

/* At exit the dump runs twice and would report the same problem twice. */
static bool complained;

void
bbp_message_once (const char *subject, const char *text)
{
  if (!complained)
    bbp_message (subject, text);
  complained = true;
}

void
bbp_message_unwritten (const char *path, const char *reason)
{
  if (!complained)
    print ("bbprof: cannot write ", path, ": ", reason);
  complained = true;
}
