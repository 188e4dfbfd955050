/* SPDX-License-Identifier: MIT */
/* The only way the library speaks: one line on stderr.  Silent when descriptor 2 is no longer
   what it was at the start (a daemon may have closed it, and a data file may have got its
   number).  Context: cold, lock held or before the threads. */
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

/* To a pipe that nobody reads, and to a file that must not grow, the kernel answers with a
   signal as well, which would end the program.  It is taken away, unless one like it was pending
   before. */
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
say (const char *prefix, const char *subject, const char *separator, const char *what)
{
  struct stat st;
  if (bbp_sys_fstat (2, &st) != 0 || st.st_dev != stderr_device || st.st_ino != stderr_inode)
    return;
  /* Too large for the small stacks that fatal signals may come on. */
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
  say ("bbprof: ", subject, ": ", what);
}

void
bbp_message_line (const char *text)
{
  say ("", "", "", text);
}

/* At exit the dump comes twice: what is wrong with the first is wrong with the second. */
void
bbp_complain (const char *subject, const char *text)
{
  static bool complained;
  if (!complained)
    bbp_message (subject, text);
  complained = true;
}
