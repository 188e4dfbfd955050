/* SPDX-License-Identifier: MIT */
/* Answers `bbprof control' (bbprof-control.h).  Context: signal.  All signals are blocked
   meanwhile.  The lock is only tried, because its holder may need something that the interrupted
   thread has; for the same reason the loader's list is not read (see checkpoint.c). */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "include/bbprof-control.h"
#include "runtime/base/base.h"
#include "runtime/base/sys.h"
#include "runtime/count/count.h"
#include "runtime/dump/dump.h"
#include "runtime/process/process.h"

/* Its protection tells whether commands are answered (bbprof-control.h); the content is unused. */
char bbp_commands_page[BBC_PAGE_BYTES] __attribute__ ((aligned (BBC_PAGE_BYTES)));

#define TEXT(word) TEXT_OF (word)
#define TEXT_OF(word) #word
__asm__(".pushsection .note.bbprof, \"a\", @note\n"
        "\t.balign 4\n"
        "\t.long 2f - 1f, 4, " TEXT (BBC_NOTE_TYPE) "\n"
                                                    "1:\t.asciz \"" BBC_NOTE_NAME "\"\n"
                                                    "2:\t.balign 4\n"
                                                    "\t.long bbp_commands_page - .\n"
                                                    "\t.popsection");

void
bbp_commands_publish (bool taken)
{
  bbp_sys_protect (bbp_commands_page, sizeof bbp_commands_page,
                   taken ? PROT_READ : PROT_READ | PROT_WRITE);
}

/* Lock. */
static char answer[BBC_MOST_ANSWER], name[4096];

static void
put_number (struct bbp_text *text, const char *what, uint64_t n)
{
  bbp_text_string (text, what);
  bbp_text_number (text, n);
}

static uint64_t
threads_now (void)
{
  uint64_t n = 0;
  for (struct bbp_thread *thread = bbp.threads; thread; thread = thread->next)
    n += !thread->leaving;
  return n;
}

/* The name of the next profile. */
static const char *
next_name (void)
{
  bbp.dumps++;
  if (!bbp_path_prefixed (name, sizeof name))
    bbp_path_plain (name, sizeof name);
  bbp.dumps--;
  return name;
}

static int
put_status (struct bbp_text *text)
{
  struct bbp_profile profile;
  int error = bbp_merge (&profile);
  if (error)
    return error;
  bbp_merge_free (&profile);
  bbp_text_string (text, bbp.stopped ? "stopped" : "running");
  put_number (text, "; threads ", threads_now ());
  put_number (text, "; calls ", profile.calls);
  put_number (text, ", blocks ", profile.executions);
  put_number (text, ", samples ", profile.sampled);
  bbp_text_string (text, " since ");
  bbp_text_time (text, bbp.since);
  bbp_text_string (text, " UTC; profile ");
  bbp_text_string (text, next_name ());
  return 0;
}

static int
dump (struct bbp_text *text)
{
  int error = bbp_dump_locked (true);
  bbp_text_string (text, error ? "" : "written: ");
  bbp_text_string (text, bbp_dump_name ());
  bbp_text_string (text, error ? ": " : "");
  return error;
}

static int
reset (struct bbp_text *text)
{
  int error = bbp_reset_locked ();
  bbp_text_string (text, error ? "" : "counts from zero");
  return error;
}

static int
stop (bool stop, struct bbp_text *text)
{
  bbp_stop_locked (stop);
  bbp_text_string (text, bbp.stopped ? "stopped" : "running");
  return 0;
}

struct order {
  unsigned command;
  struct bbp_text *text;
  int error;
};

static int
run (unsigned command, struct bbp_text *text)
{
  switch (command)
    {
    case BBC_START:
    case BBC_STOP: return stop (command == BBC_STOP, text);
    case BBC_RESET: return reset (text);
    case BBC_DUMP: return dump (text);
    case BBC_STATUS: return put_status (text);
    default: return -ENOSYS;
    }
}

static void
execute (void *data)
{
  struct order *order = data;
  order->error = bbp.started ? run (order->command, order->text) : -ESRCH;
}

static void
send_answer (unsigned number, const char *text, size_t length)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  for (int i = 0; i < BBC_SOCKET_DIGITS; i++)
    address.sun_path[1 + i] = "0123456789abcdef"[number >> 4 * (BBC_SOCKET_DIGITS - 1 - i) & 0xf];
  long fd = bbp_sys_socket (AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (fd < 0)
    return;
  bbp_sys_sendto ((int) fd, text, length, MSG_NOSIGNAL, (struct sockaddr *) &address,
                  offsetof (struct sockaddr_un, sun_path) + 1 + BBC_SOCKET_DIGITS);
  bbp_sys_close ((int) fd);
}

/* A child of vfork, or of a bare clone, has its parent's counts in memory and ignores commands. */
void
bbp_on_command (int number, siginfo_t *info, void *context)
{
  (void) number;
  uint64_t value = (uintptr_t) info->si_value.sival_ptr;
  bbp_sigset old;
  if (info->si_code != SI_QUEUE || !BBC_HAS_MAGIC (value) || !bbp_own_process ())
    return;
  if (!bbp_lock_try (&old))
    {
      const char busy = BBC_BUSY;
      send_answer (BBC_SOCKET (value), &busy, sizeof busy);
      return;
    }
  struct bbp_text text = { .buffer = answer, .size = sizeof answer, .used = 1 };
  struct order order = { .command = BBC_COMMAND (value), .text = &text };
  bbp_thread_interrupt (context);
  bbp_on_handler_stack (execute, &order);
  bbp_thread_interrupt (NULL);
  answer[0] = order.error ? BBC_FAILED : BBC_DONE;
  if (order.error)
    bbp_text_string (&text, order.error == -ESRCH ? "no profile is running (after _mcleanup)"
                                                  : strerrordesc_np (-order.error));
  send_answer (BBC_SOCKET (value), answer, text.used);
  bbp_unlock (old);
}
