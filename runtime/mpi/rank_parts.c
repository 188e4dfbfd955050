/* SPDX-License-Identifier: MIT */
/* Context: MPI_Finalize, in one thread.  Errors are texts in parts->why, of which the first one
   counts. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/mpi/rank_parts.h"

static const char *const suffixes[2] = { "", ".bbx" };

void
part_free (struct part *part)
{
  for (int i = 0; i < 2; i++)
    {
      free (part->content[i]);
      part->content[i] = NULL;
      part->bytes[i] = 0;
    }
}

static void __attribute__ ((format (printf, 2, 3)))
complain (struct parts *p, const char *format, ...)
{
  va_list arguments;
  if (p->why[0])
    return;
  va_start (arguments, format);
  vsnprintf (p->why, sizeof p->why, format, arguments);
  va_end (arguments);
}

void
parts_fail (struct parts *p, const char *why)
{
  complain (p, "%s", why);
}

/* FOLDER/rankN and the suffix. */
static void
name_file (const struct parts *p, char *path, size_t size, int rank, int i)
{
  snprintf (path, size, "%s/rank%d%s", p->folder, rank, suffixes[i]);
}

/* Reads FD to its end, as content I of PART.  False: errno says why not. */
static bool
read_all (int fd, struct part *part, int i)
{
  struct stat st;
  if (fstat (fd, &st) != 0 || !(part->content[i] = malloc ((size_t) st.st_size + 1)))
    return false;
  for (ssize_t n; part->bytes[i] < (uint64_t) st.st_size; part->bytes[i] += (uint64_t) n)
    {
      n = read (fd, part->content[i] + part->bytes[i], (size_t) st.st_size - part->bytes[i]);
      if (n == 0)
        errno = EIO; /* it ends early */
      if (n <= 0)
        return false;
    }
  return true;
}

static void
read_file (struct parts *p, const char *name, struct part *part, int i)
{
  int fd = open (name, O_RDONLY | O_CLOEXEC);
  if (fd < 0 || !read_all (fd, part, i))
    complain (p, "%s: cannot read: %s", name, strerror (errno));
  if (fd >= 0)
    close (fd);
}

static void
write_file (struct parts *p, const char *name, const char *bytes, size_t size)
{
  int fd = open (name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  bool ok = fd >= 0;
  for (size_t done = 0; ok && done < size;)
    {
      ssize_t n = write (fd, bytes + done, size - done);
      ok = n > 0 || (n < 0 && errno == EINTR);
      done += n > 0 ? (size_t) n : 0;
    }
  if (!ok)
    complain (p, "%s: cannot write: %s", name, strerror (errno));
  if (fd >= 0)
    close (fd);
}

/* Where the user wants it, else in memory; the sum needs as much as the parts, for a moment. */
static void
make_folder (struct parts *p)
{
  const char *const places[] = { secure_getenv ("TMPDIR"), "/dev/shm", "/tmp" };
  for (size_t i = 0; i < sizeof places / sizeof *places && !p->folder[0]; i++)
    if (places[i]
        && (snprintf (p->folder, sizeof p->folder, "%s/bbprof.XXXXXX", places[i])
                >= (int) sizeof p->folder
            || !mkdtemp (p->folder)))
      p->folder[0] = '\0';
  if (!p->folder[0])
    complain (p, "TMPDIR, /dev/shm and /tmp: no folder can be made for the ranks' profiles: %s",
              strerror (errno));
}

/* The rank's own profile has a name in the folder, too, so that messages say which rank's it is. */
static void
link_own (struct parts *p)
{
  for (int i = 0; i < 2 && p->folder[0]; i++)
    {
      char own[sizeof p->files->part + 8], path[PATH_MAX];
      snprintf (own, sizeof own, "%s%s", p->files->part, suffixes[i]);
      name_file (p, path, sizeof path, p->rank, i);
      if (symlink (own, path) != 0)
        complain (p, "%s: cannot be made: %s", path, strerror (errno));
    }
}

void
parts_begin (struct parts *p, const struct bbm_files *files, int rank)
{
  memset (p, 0, sizeof *p);
  p->files = files;
  p->rank = rank;
}

void
parts_add (struct parts *p, int rank, const struct part *part)
{
  if (p->why[0])
    return;
  if (!p->folder[0])
    {
      make_folder (p);
      link_own (p);
    }
  p->ranks[p->n++] = rank;
  for (int i = 0; i < 2 && !p->why[0]; i++)
    {
      char path[PATH_MAX];
      name_file (p, path, sizeof path, rank, i);
      write_file (p, path, part->content[i], part->bytes[i]);
    }
}

/* The merge. */

struct command {
  char *const *argv;
  const char *folder, *messages; /* its working folder; the file for what it prints */
  sigset_t mask;
  int error, status;
};

/* Runs in the memory of the program, which waits until this process ends.  It is the parent of the
   command, and no wait of the program's sees it: it sends no signal when it ends.  The command
   itself would, because exec takes that back. */
static int
keep (void *argument)
{
  struct command *c = argument;
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  pid_t pid;
  posix_spawnattr_init (&attributes);
  posix_spawnattr_setflags (&attributes, POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setsigmask (&attributes, &c->mask);
  posix_spawn_file_actions_init (&actions);
  posix_spawn_file_actions_addchdir_np (&actions, c->folder);
  posix_spawn_file_actions_addopen (&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen (&actions, STDOUT_FILENO, c->messages,
                                    O_WRONLY | O_CREAT | O_APPEND, 0600);
  posix_spawn_file_actions_adddup2 (&actions, STDOUT_FILENO, STDERR_FILENO);
  c->error = posix_spawn (&pid, c->argv[0], &actions, &attributes, c->argv, environ);
  posix_spawnattr_destroy (&attributes);
  posix_spawn_file_actions_destroy (&actions);
  while (!c->error && waitpid (pid, &c->status, 0) < 0)
    if (errno != EINTR)
      c->error = errno;
  _exit (0);
}

static void
run (struct command *c)
{
  enum { STACK = 1 << 17 };
  char *stack = malloc (STACK);
  sigset_t all;
  if (!stack)
    {
      c->error = ENOMEM;
      return;
    }
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &c->mask);
  pid_t pid = clone (keep, (char *) (((uintptr_t) stack + STACK) & -(uintptr_t) 16),
                     CLONE_VM | CLONE_VFORK, c);
  if (pid < 0)
    c->error = errno;
  else
    waitpid (pid, NULL, __WCLONE);
  pthread_sigmask (SIG_SETMASK, &c->mask, NULL);
  free (stack);
}

/* The first line that the command printed, without its name. */
static void
repeat_message (struct parts *p, const char *messages)
{
  char line[PARTS_WHY] = "";
  FILE *in = fopen (messages, "re");
  if (in && !fgets (line, sizeof line, in))
    line[0] = '\0';
  if (in)
    fclose (in);
  line[strcspn (line, "\n")] = '\0';
  static const char name[] = "bbprof merge: ";
  complain (p, "%s", strncmp (line, name, sizeof name - 1) == 0 ? line + sizeof name - 1 : line);
}

static const char *
find_command (const struct bbm_files *files)
{
  const char *command = secure_getenv ("BBPROF_COMMAND");
  return command ? command : files->command[0] ? files->command : BBP_COMMAND;
}

/* bbprof merge -o OUTPUT rank0 rank1 ... */
static void
merge (struct parts *p, const char *output)
{
  enum { NAME = 32, WORDS = 5 };
  const char *command = find_command (p->files);
  char messages[PATH_MAX], names[NAME * (1 + sizeof p->ranks / sizeof *p->ranks)];
  const char *argv[WORDS + sizeof p->ranks / sizeof *p->ranks] = { command, "merge", "-o", output };
  for (int i = 0; i <= p->n; i++)
    {
      char *name = &names[NAME * i];
      snprintf (name, NAME, "rank%d", i == 0 ? p->rank : p->ranks[i - 1]);
      argv[4 + i] = name;
    }
  snprintf (messages, sizeof messages, "%s/messages", p->folder);
  struct command c = { .argv = (char *const *) argv, .folder = p->folder, .messages = messages };
  run (&c);
  if (c.error)
    complain (p, "%s: cannot be run: %s", command, strerror (c.error));
  else if (WIFSIGNALED (c.status))
    complain (p, "%s: ended by signal %d", command, WTERMSIG (c.status));
  else if (WEXITSTATUS (c.status))
    repeat_message (p, messages);
  unlink (messages);
}

void
parts_sum (struct parts *p, struct part *sum)
{
  char path[PATH_MAX];
  memset (sum, 0, sizeof *sum);
  snprintf (path, sizeof path, "%s/sum", p->folder);
  if (p->n > 0 && !p->why[0])
    merge (p, path);
  for (int i = 0; i < 2; i++)
    {
      char name[PATH_MAX + 8];
      snprintf (name, sizeof name, "%s%s", p->n > 0 ? path : p->files->part, suffixes[i]);
      if (!p->why[0])
        read_file (p, name, sum, i);
      if (p->n > 0)
        unlink (name);
    }
  if (p->why[0])
    part_free (sum);
}

void
parts_write (struct parts *p)
{
  if (!p->files->sum[0])
    complain (p, "the name of the sum is too long");
  if (!p->folder[0] && !p->why[0])
    {
      make_folder (p);
      link_own (p);
    }
  if (!p->why[0])
    merge (p, p->files->sum);
}

void
parts_end (struct parts *p)
{
  if (!p->folder[0])
    return;
  for (int k = 0; k <= p->n; k++)
    for (int i = 0; i < 2; i++)
      {
        char path[PATH_MAX];
        name_file (p, path, sizeof path, k == 0 ? p->rank : p->ranks[k - 1], i);
        unlink (path);
      }
  rmdir (p->folder);
}

void
parts_remove_own (const struct bbm_files *files)
{
  for (int i = 1; i >= 0; i--)
    {
      char name[sizeof files->part + 8];
      snprintf (name, sizeof name, "%s%s", files->part, suffixes[i]);
      unlink (name);
    }
}
