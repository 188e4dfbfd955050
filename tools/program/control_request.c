/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "tools/program/control_request.h"
#include "tools/program/library_note.h"

enum { PATIENCE_MS = 2000, TURN_MS = 10000, PAUSE_MS = 10 };

struct request {
  long pid;
  long thread; /* tid that received the signal; 0: the kernel chose one */
  bool open;   /* at least one thread does not block the signal */
  int command;
  int socket;
  unsigned socket_number;
};

/* The state of a thread, from /proc/PID/task/TID/status. */
struct thread_status {
  char state;    /* R running; T, t stopped; Z ended; ... */
  int threads;   /* in the process; an ended first thread counts, others do not */
  unsigned user; /* real uid */
  bool blocks;   /* SIGURG is blocked */
};

static bool
read_status (long pid, long thread, struct thread_status *status)
{
  char path[64], line[256];
  unsigned long long blocked = 0;
  snprintf (path, sizeof path, "/proc/%ld/task/%ld/status", pid, thread);
  FILE *file = fopen (path, "r");
  if (!file)
    return false;
  while (fgets (line, sizeof line, file))
    {
      sscanf (line, "State: %c", &status->state);
      sscanf (line, "Threads: %d", &status->threads);
      sscanf (line, "Uid: %u", &status->user);
      sscanf (line, "SigBlk: %llx", &blocked);
    }
  fclose (file);
  status->blocks = blocked >> (BBC_SIGNAL - 1) & 1;
  return true;
}

/* The tid of a thread that has not ended: the memory of an ended one, as the first may be, cannot
   be read. */
static long
living_thread (long pid)
{
  char path[64];
  long found = 0;
  snprintf (path, sizeof path, "/proc/%ld/task", pid);
  DIR *threads = opendir (path);
  for (struct dirent *entry; threads && !found && (entry = readdir (threads));)
    {
      struct thread_status status = { 0 };
      long thread = strtol (entry->d_name, NULL, 10);
      if (thread > 0 && read_status (pid, thread, &status) && status.state != 'Z')
        found = thread;
    }
  if (threads)
    closedir (threads);
  return found ? found : pid;
}

/* True if the library handles the signal: the program may handle it itself (out-of-band data). */
static bool
check_library (const struct request *request, unsigned user, struct error *err)
{
  switch (library_in_process ((pid_t) request->pid, (pid_t) living_thread (request->pid)))
    {
    case LIBRARY_LISTENS: return true;
    case LIBRARY_DEAF:
      return error_set (err, NULL, ERROR_NO_OFFSET,
                        "process %ld takes no commands: it handles or ignores SIGURG itself, has "
                        "control=0, or is not profiled",
                        request->pid);
    case LIBRARY_ABSENT:
      return error_set (err, NULL, ERROR_NO_OFFSET,
                        "process %ld has no bbprof run-time library: start it with bbprof record, "
                        "or compile it with the plugin",
                        request->pid);
    default:
      if (user != getuid ())
        return error_set (err, NULL, ERROR_NO_OFFSET, "process %ld is not yours", request->pid);
      return error_set (err, NULL, ERROR_NO_OFFSET,
                        "cannot see whether bbprof is in process %ld: %s", request->pid,
                        strerror (errno));
    }
}

static bool
check_process (const struct request *request, struct error *err)
{
  struct thread_status status = { 0 };
  if (!read_status (request->pid, request->pid, &status))
    return error_set (err, NULL, ERROR_NO_OFFSET, "there is no process %ld", request->pid);
  if (status.state == 'Z' && status.threads <= 1)
    return error_set (err, NULL, ERROR_NO_OFFSET, "process %ld has ended", request->pid);
  if (!check_library (request, status.user, err))
    return false;
  if (status.state == 'T' || status.state == 't')
    return error_set (err, NULL, ERROR_NO_OFFSET,
                      "process %ld is stopped (by a signal, or a debugger)", request->pid);
  return true;
}

/* Chooses a running thread, so that the signal interrupts no wait of the program.  If all threads
   block the signal, it must not be sent: it would stay pending, and take effect later or end a
   sigwait of the program. */
static void
choose_thread (struct request *request)
{
  char path[64];
  snprintf (path, sizeof path, "/proc/%ld/task", request->pid);
  DIR *threads = opendir (path);
  request->thread = 0;
  request->open = false;
  for (struct dirent *entry; threads && !request->thread && (entry = readdir (threads));)
    {
      struct thread_status status = { 0 };
      long thread = strtol (entry->d_name, NULL, 10);
      if (thread <= 0 || !read_status (request->pid, thread, &status) || status.blocks)
        continue;
      request->open = true;
      if (status.state == 'R')
        request->thread = thread;
    }
  if (threads)
    closedir (threads);
}

/* A socket for the answer; the kernel chooses its name. */
static bool
open_socket (struct request *request, struct error *err)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  socklen_t size = sizeof address.sun_family;
  const int on = 1;
  request->socket = socket (AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  bool ok = request->socket >= 0
            && setsockopt (request->socket, SOL_SOCKET, SO_PASSCRED, &on, sizeof on) == 0
            && bind (request->socket, (struct sockaddr *) &address, size) == 0;
  size = sizeof address;
  ok = ok && getsockname (request->socket, (struct sockaddr *) &address, &size) == 0;
  if (!ok)
    return error_set (err, NULL, ERROR_NO_OFFSET, "no socket for the answer: %s", strerror (errno));
  request->socket_number = (unsigned) strtoul (address.sun_path + 1, NULL, 16);
  return true;
}

static bool
send_request (struct request *request, struct error *err)
{
  siginfo_t info = { .si_signo = BBC_SIGNAL, .si_code = SI_QUEUE };
  info.si_pid = getpid ();
  info.si_uid = getuid ();
  info.si_value.sival_ptr
      = (void *) (uintptr_t) BBC_VALUE (request->command, request->socket_number);
  if (request->thread
      && syscall (SYS_rt_tgsigqueueinfo, request->pid, request->thread, BBC_SIGNAL, &info) == 0)
    return true;
  request->thread = 0;
  if (syscall (SYS_rt_sigqueueinfo, request->pid, BBC_SIGNAL, &info) == 0)
    return true;
  if (errno == EPERM)
    return error_set (err, NULL, ERROR_NO_OFFSET, "process %ld is not yours", request->pid);
  return error_set (err, NULL, ERROR_NO_OFFSET, "process %ld: %s", request->pid, strerror (errno));
}

static long
now_ms (void)
{
  struct timespec now;
  clock_gettime (CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* One datagram of the process as a string; false: none within MS milliseconds.  Datagrams of other
   processes are dropped: any process can send to the socket. */
static bool
receive (const struct request *request, char *text, size_t size, int ms)
{
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE (sizeof (struct ucred))];
  } control;
  struct iovec part = { text, size - 1 };
  struct msghdr message = {
    .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control
  };
  struct pollfd wait = { .fd = request->socket, .events = POLLIN };
  if (poll (&wait, 1, ms) <= 0)
    return false;
  ssize_t n = recvmsg (request->socket, &message, MSG_DONTWAIT);
  struct cmsghdr *header = n > 0 ? CMSG_FIRSTHDR (&message) : NULL;
  if (!header || header->cmsg_type != SCM_CREDENTIALS)
    return false;
  struct ucred credentials;
  memcpy (&credentials, CMSG_DATA (header), sizeof credentials);
  text[n] = '\0';
  return credentials.pid == request->pid;
}

/* The signal is lost if its thread ended before it handled it. */
static bool
is_lost (const struct request *request)
{
  struct thread_status status;
  return request->thread && !read_status (request->pid, request->thread, &status);
}

static bool
has_ended (const struct request *request)
{
  struct thread_status status = { 0 };
  return !read_status (request->pid, request->pid, &status)
         || (status.state == 'Z' && status.threads <= 1);
}

/* The kernel keeps only one pending signal of a number, so two commands at a time would be one.
   Therefore each sender locks the folder of the process in /proc.  Returns the descriptor, or
   -1 with ERR. */
static int
wait_for_turn (const struct request *request, struct error *err)
{
  char path[64];
  long deadline = now_ms () + TURN_MS;
  snprintf (path, sizeof path, "/proc/%ld", request->pid);
  int fd = open (path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0)
    {
      error_set (err, NULL, ERROR_NO_OFFSET, "process %ld has ended", request->pid);
      return -1;
    }
  while (flock (fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    {
      if (now_ms () >= deadline)
        {
          error_set (err, NULL, ERROR_NO_OFFSET,
                     "process %ld has answered other commands for %d s: try again", request->pid,
                     TURN_MS / 1000);
          close (fd);
          return -1;
        }
      poll (NULL, 0, PAUSE_MS);
    }
  return fd;
}

static bool
ask (struct request *request, char *answer, size_t size, struct error *err)
{
  long deadline = now_ms () + PATIENCE_MS;
  bool sent = false;
  while (now_ms () < deadline)
    {
      if (!sent)
        choose_thread (request);
      if (!sent && request->open && !send_request (request, err))
        return false;
      bool ended = has_ended (request), lost = is_lost (request);
      bool answered = receive (request, answer, size, PAUSE_MS);
      if (answered && answer[0] != BBC_BUSY)
        return true;
      if (ended)
        return error_set (err, NULL, ERROR_NO_OFFSET, "process %ld has ended", request->pid);
      if (answered)
        poll (NULL, 0, PAUSE_MS);
      sent = request->open && !answered && !lost;
    }
  return error_set (
      err, NULL, ERROR_NO_OFFSET,
      "process %ld has not answered within %d s: it blocks SIGURG, or waits for a disk",
      request->pid, PATIENCE_MS / 1000);
}

static bool
ask_in_turn (struct request *request, char *answer, size_t size, struct error *err)
{
  int turn = wait_for_turn (request, err);
  bool ok = turn >= 0 && ask (request, answer, size, err);
  if (turn >= 0)
    close (turn);
  return ok;
}

bool
control_request (pid_t pid, enum bbc_command command, char *answer, struct error *err)
{
  struct request request = { .pid = pid, .command = command, .socket = -1 };
  bool ok = check_process (&request, err) && open_socket (&request, err)
            && ask_in_turn (&request, answer, CONTROL_ANSWER, err);
  if (request.socket >= 0)
    close (request.socket);
  if (ok && answer[0] != BBC_DONE)
    return error_set (err, NULL, ERROR_NO_OFFSET, "process %ld: %s", request.pid, answer + 1);
  if (ok)
    memmove (answer, answer + 1, strlen (answer));
  return ok;
}
