/* SPDX-License-Identifier: MIT */
/* The writer of the trace, or of the times of samples, a process of its own, because it has to outlive this one: it is
   nobody's child here that wait could find, has a process group of its own, no descriptor but that of the shared memory, and blocks
   all signals.  So what happens to the program's group, descriptors and children is what would happen without it.  It stays in
   the session: where the kernel shares processors out by session (autogroup), one of its own would get its turn too late.

   A child of no signal makes it, and ends at once: neither of them runs before the other program does, nor anything but what
   stands here, on a stack of its own, in the memory of the process.  Context: cold, lock held. */
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "arch.h"
#include "recording.h"
#include "writer.h"
#include "sys.h"

#define STACK_BYTES 8192
#define MOST_DESCRIPTORS 65536
#define MEMORY "3" /* the number that the writer finds it by */
#define MEMORY_FD 3

/* In a build folder the writer is not where it will be installed. */
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

/* Read and written by the two children, before this process goes on. */
static struct {
  int fd;
  int pid;
  int error;
} request;

static char stacks[2][STACK_BYTES] __attribute__ ((aligned (16)));

/* Where the kernel does not close them all, those that may be open. */
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

static int
make_writer (void *unused)
{
  (void) unused;
  request.pid = (int) bbp_arch_clone (CLONE_VM | CLONE_VFORK, stacks[1] + STACK_BYTES, become_writer, NULL);
  return 0;
}

int
bbp_writer_start (int fd)
{
  bbp_sigset old = bbp_signals_block ();
  request.fd = fd;
  request.error = 0;
  long child = bbp_arch_clone (CLONE_VM | CLONE_VFORK, stacks[0] + STACK_BYTES, make_writer, NULL);
  if (child > 0)
    bbp_sys_reap ((int) child);
  bbp_signals_restore (old);
  if (child < 0)
    return (int) child;
  if (request.error)
    return request.error;
  return request.pid ? request.pid : -ENOSYS; /* valgrind: its children have no memory of this process's */
}

bool
bbp_writer_is_gone (int writer)
{
  return writer && bbp_sys_kill (writer, 0) == -ESRCH;
}
