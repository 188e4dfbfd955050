/* SPDX-License-Identifier: MIT */
/* Starts and ends bbprof-writer, the process that writes the trace, or the times of samples.  It
   is a process of its own, because it must outlive this one.

   It has its own process group, no descriptor except that of the shared memory, and blocks all
   signals.  So the program's group, descriptors and signals behave as they would without it.  It
   stays in the session: where the kernel shares processors out by session (autogroup), a session
   of its own would get its turn too late.

   No wait of the program finds the writer, and it leaves no zombie, because its parent waits for
   it.  If bbprof record started the program, that command is the parent of the program and so of
   the writer (CLONE_PARENT).  Otherwise the parent is the *keeper*: a child that sends no signal
   when it ends, starts the writer, waits for it and ends.  This process reaps the keeper at its
   own end.  execve would make the keeper an ordinary child, so the keeper is a copy of this
   process.  It shares no memory with the program, which may give up rights that the keeper has;
   of its copy it keeps only the library's object.

   An emulator that makes no children but those of fork (qemu) has neither.  There the writer is
   left to the first process.

   These processes run only code of this file, on stacks of their own.  Context: cold, lock held. */
#include <linux/futex.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "arch.h"
#include "runtime/base/base.h"
#include "runtime/base/options.h"
#include "runtime/base/sys.h"
#include "runtime/objects/objects.h"
#include "runtime/writer/writer.h"

#define STACK_BYTES 4096
#define MOST_DESCRIPTORS 65536
#define MEMORY "3" /* the descriptor of the memory in the writer */
#define MEMORY_FD 3
#define POLL_INTERVAL 100000000UL /* nanoseconds */
#define END_PATIENCE 1000000000UL /* nanoseconds: longer than a process takes to end */
#define FIRST_PAUSE 50000UL       /* nanoseconds */
#define END_OF_MEMORY ((1UL << 47) - BBP_PAGE_BYTES)

/* Path of the writer; in a build folder not the installed one. */
static char program[BBP_PATH_SIZE];

void
bbp_writer_find (void)
{
  struct bbp_text text = { .buffer = program, .size = sizeof program };
  const char *path = secure_getenv ("BBPROF_WRITER");
  if (!path)
    path = bbp_options.writer[0] ? bbp_options.writer : BBP_WRITER;
  bbp_text_string (&text, path);
}

void
bbp_writer_complain (const char *what, int error)
{
  static char subject[BBP_PATH_SIZE + 64];
  struct bbp_text text = { .buffer = subject, .size = sizeof subject };
  bbp_text_string (&text, what);
  bbp_text_string (&text, " without ");
  bbp_text_string (&text, program);
  bbp_message (subject, strerrordesc_np (error));
}

int
bbp_writer_memory (const char *name, size_t bytes, void **memory)
{
  long fd = bbp_sys_memory_file (name);
  if (fd < 0)
    return (int) fd;
  long address = bbp_sys_truncate ((int) fd, bytes);
  if (address == 0)
    address = bbp_sys_mmap_file (NULL, bytes, (int) fd, 0);
  if (address < 0 && address > -4096)
    {
      bbp_sys_close ((int) fd);
      return (int) address;
    }
  *memory = (void *) address;
  return (int) fd;
}

/* The keeper's report, in memory that it shares with this process until then. */
struct report {
  int done;   /* futex: 1: reported */
  int writer; /* pid of the writer, or -errno */
};

/* State of the start in progress.  A child that has not called exec yet shares it with its
   parent. */
static struct {
  int fd;
  int error;  /* errno of the exec of the writer's program; 0: none */
  int keeper; /* pid of the keeper, or -errno; 0: none */
  struct report *report;
} request;

static char stacks[3][STACK_BYTES] __attribute__ ((aligned (16)));
enum { STACK_OF_MAKER, STACK_OF_KEEPER, STACK_OF_WRITER };

static long
clone_onto (int stack, unsigned long flags, int (*function) (void *))
{
  return bbp_arch_clone (flags, stacks[stack] + STACK_BYTES, function, NULL);
}

/* Closes the descriptors that may be open, where the kernel cannot close all at once. */
static void
close_from (int first)
{
  struct rlimit limit;
  if (bbp_sys_close_from (first) == 0)
    return;
  int stop = MOST_DESCRIPTORS;
  if (bbp_sys_limit (RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < MOST_DESCRIPTORS)
    stop = (int) limit.rlim_cur;
  for (int fd = first; fd < stop; fd++)
    bbp_sys_close (fd);
}

static void
arrange_descriptors (void)
{
  int memory = (int) bbp_sys_duplicate (request.fd, MEMORY_FD + 1);
  bbp_sys_copy_descriptor (memory, MEMORY_FD);
  close_from (MEMORY_FD + 1);
  for (int fd = 0; fd < MEMORY_FD; fd++)
    bbp_sys_close (fd);
  for (int fd = 0; fd < MEMORY_FD; fd++)
    bbp_sys_openat (AT_FDCWD, "/dev/null", O_RDWR, 0);
}

static int
become_writer (void *unused)
{
  (void) unused;
  static char memory[] = MEMORY;
  char *argv[] = { program, memory, NULL }, *envp[] = { NULL };
  arrange_descriptors ();
  bbp_sys_own_group ();
  request.error = (int) bbp_sys_execve (program, argv, envp);
  return 1;
}

/* The pid of the new process, or -errno. */
static int
make_writer (unsigned long flags)
{
  request.error = 0;
  long pid = clone_onto (STACK_OF_WRITER, flags | CLONE_VM | CLONE_VFORK, become_writer);
  if (pid > 0 && request.error)
    bbp_sys_reap ((int) pid, __WALL);
  return request.error && pid > 0 ? request.error : (int) pid;
}

/* Unmaps all memory except the library's object, which contains the keeper's code and stack. */
static void
unmap_memory (void)
{
  const struct bbp_object *object = bbp_object_at ((uintptr_t) &request);
  if (!object)
    return;
  uintptr_t start = (object->start + object->bias) & -(uintptr_t) BBP_PAGE_BYTES;
  uintptr_t end = bbp_whole_pages (object->end + object->bias);
  bbp_sys_munmap (NULL, start);
  bbp_sys_munmap ((void *) end, END_OF_MEMORY - end);
}

static int
keep_writer (void *unused)
{
  (void) unused;
  struct report *report = request.report;
  int writer = make_writer (0);
  close_from (0);
  bbp_sys_own_group ();
  bbp_sys_set_thread_name ("bbprof-keeper");
  __atomic_store_n (&report->writer, writer, __ATOMIC_RELAXED);
  __atomic_store_n (&report->done, 1, __ATOMIC_RELEASE);
  bbp_sys_futex (&report->done, FUTEX_WAKE, 1);
  unmap_memory ();
  if (writer > 0)
    bbp_sys_reap (writer, __WALL);
  return writer < 0;
}

/* The keeper is created by a process in between, but becomes a child of this one.  The reason:
   the kernel writes into memory of a thread (rseq), and does so in a copy of the process, too.
   It forgets that address for a process that shares its creator's memory, and for a copy of such
   a process. */
static int
make_keeper (void *unused)
{
  (void) unused;
  request.keeper = (int) clone_onto (STACK_OF_KEEPER, CLONE_PARENT | CLONE_UNTRACED, keep_writer);
  return 0;
}

/* The pid of the writer, or -errno.  The keeper may be killed before it has reported. */
static int
receive_report (struct report *report, int keeper)
{
  while (!__atomic_load_n (&report->done, __ATOMIC_ACQUIRE))
    {
      bbp_sys_futex_for (&report->done, FUTEX_WAIT, 0, POLL_INTERVAL);
      if (!__atomic_load_n (&report->done, __ATOMIC_ACQUIRE)
          && bbp_sys_reap (keeper, __WCLONE | WNOHANG) != 0)
        return -ECHILD;
    }
  return report->writer;
}

/* 0 or -errno. */
static int
start_keeper (struct bbp_writer *writer)
{
  long report = bbp_sys_mmap_shared (sizeof *request.report);
  if (report < 0 && report > -4096)
    return (int) report;
  request.report = (struct report *) report;
  request.keeper = 0;
  long maker = clone_onto (STACK_OF_MAKER, CLONE_VM | CLONE_VFORK, make_keeper);
  if (maker > 0)
    bbp_sys_reap ((int) maker, __WCLONE);
  int keeper = maker < 0 ? (int) maker : request.keeper;
  int pid = keeper > 0 ? receive_report (request.report, keeper) : keeper;
  bbp_sys_munmap (request.report, sizeof *request.report);
  if (pid > 0)
    *writer = (struct bbp_writer) { .pid = pid, .keeper = keeper };
  else if (keeper > 0)
    bbp_sys_reap (keeper, __WCLONE);
  /* 0: valgrind: its children share no memory with this process. */
  return pid > 0 ? 0 : pid ? pid : -ENOSYS;
}

/* True if this is a child of bbprof record, which reaps its own children. */
static bool
is_recorded (void)
{
  return bbp_options.recorder && bbp_options.process == (unsigned) bbp.pid
         && bbp_options.recorder == (unsigned) bbp_sys_getppid ();
}

/* 0 or -errno. */
static int
start_beside (struct bbp_writer *writer)
{
  int pid = make_writer (CLONE_PARENT);
  if (pid > 0)
    *writer = (struct bbp_writer) { .pid = pid };
  return pid > 0 ? 0 : pid;
}

static int
make_orphan (void *unused)
{
  (void) unused;
  request.report->writer = (int) clone_onto (STACK_OF_WRITER, SIGCHLD, become_writer);
  return 0;
}

/* Reaps the child PID of fork's, whose end the program is not to see: the signal is pending then,
   once for all children that have ended. */
static void
reap_unseen (int pid)
{
  const unsigned long ends = 1UL << (SIGCHLD - 1);
  unsigned long pending = 0;
  siginfo_t info;
  bbp_sys_reap (pid, 0);
  if (bbp_sys_pending (&pending) == 0 && (pending & ends) && bbp_sys_take_pending (&ends, &info) > 0
      && info.si_pid != pid)
    bbp_sys_queue_to_process (SIGCHLD, &info);
}

/* 0 or -errno.  That the writer's program cannot be executed shows only when the writer is gone. */
static int
start_orphan (struct bbp_writer *writer)
{
  long report = bbp_sys_mmap_shared (sizeof *request.report);
  if (report < 0 && report > -4096)
    return (int) report;
  request.report = (struct report *) report;
  long maker = clone_onto (STACK_OF_MAKER, SIGCHLD, make_orphan);
  if (maker > 0)
    reap_unseen ((int) maker);
  int pid = maker < 0 ? (int) maker : request.report->writer;
  bbp_sys_munmap (request.report, sizeof *request.report);
  if (pid > 0)
    *writer = (struct bbp_writer) { .pid = pid };
  return pid > 0 ? 0 : pid;
}

int
bbp_writer_start (struct bbp_writer *writer, int fd)
{
  if (!BBP_IS_ALLOWED (SYS_clone) || !BBP_IS_ALLOWED (SYS_execve))
    return -EPERM;
  bbp_sigset old = bbp_signals_block ();
  request.fd = fd;
  int error = is_recorded () ? start_beside (writer) : start_keeper (writer);
  if (error == -EINVAL)
    error = start_orphan (writer);
  bbp_signals_restore (old);
  return error;
}

bool
bbp_writer_is_gone (const struct bbp_writer *writer)
{
  return writer->pid && bbp_sys_kill (writer->pid, 0) == -ESRCH;
}

void
bbp_writer_end (struct bbp_writer *writer)
{
  static int never;
  uint64_t until = bbp_sys_nanoseconds (CLOCK_MONOTONIC) + END_PATIENCE;
  for (uint64_t pause = FIRST_PAUSE; writer->keeper; pause *= 2)
    {
      if (bbp_sys_reap (writer->keeper, __WCLONE | WNOHANG) != 0
          || bbp_sys_nanoseconds (CLOCK_MONOTONIC) > until
          || bbp_sys_futex_for (&never, FUTEX_WAIT_PRIVATE, 0, pause) == -EPERM)
        writer->keeper = 0;
    }
}
