/* SPDX-License-Identifier: MIT */
/* The name of the profile: output= if set, else GMON_OUT_PREFIX as in glibc, else gmon.out; in the
   folder in which the program was started, even if it changes its working directory.  Context:
   cold. */
#include <errno.h> /* program_invocation_short_name */
#include <link.h>
#include <stdlib.h>

#include "runtime/base/base.h"
#include "runtime/base/options.h"
#include "runtime/base/sys.h"

static char start_folder[BBP_PATH_SIZE]; /* empty: not known */

/* GMON_OUT_PREFIX when it was last read; empty: not set.  Lock. */
static char prefix[4096];

/* The program may set it for itself.  A dump in a handler uses the last value, because it may have
   interrupted code that changes the environment.  Not getenv: the program may define its own. */
static void
find_prefix (void)
{
  struct bbp_text text = { .buffer = prefix, .size = sizeof prefix };
  const char *value = secure_getenv ("GMON_OUT_PREFIX");
  bbp_text_string (&text, value ? value : "");
  if (text.cut)
    prefix[0] = '\0';
}

/* Facts that are constant during the run.  The others are read when a name is made. */
static struct {
  char host[sizeof ((struct utsname *) 0)->nodename];
  char program[256];
  char rank[16];
  char build[2 * BBP_BUILD_ID_SIZE + 1]; /* "none": it has none; empty: no name has it */
  uint64_t start;
} facts;

/* Copy TEXT as a part of a file name: slashes become underscores. */
static void
copy_part (char *to, size_t size, const char *text)
{
  struct bbp_text part = { .buffer = to, .size = size };
  bbp_text_string (&part, text);
  for (char *p = to; *p; p++)
    if (*p == '/')
      *p = '_';
}

/* NAME relative to the current working directory, into PATH of BBP_PATH_SIZE bytes. */
const char *
bbp_path_absolute (char *path, const char *name)
{
  struct bbp_text text = { .buffer = path, .size = BBP_PATH_SIZE };
  if (name[0] != '/')
    {
      if (bbp_sys_getcwd (path, BBP_PATH_SIZE) <= 0 || path[0] != '/')
        path[0] = '\0';
      while (path[text.used])
        text.used++;
      bbp_text_string (&text, "/");
    }
  bbp_text_string (&text, name);
  return path;
}

static bool
is_number (const char *text)
{
  const char *p = text;
  while (*p >= '0' && *p <= '9')
    p++;
  return p > text && !*p;
}

/* The rank of this process in an MPI job; each launcher has its own variable for it. */
static const char *
rank (void)
{
  static const char *const names[]
      = { "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK", "SLURM_PROCID" };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    {
      const char *value = secure_getenv (names[i]);
      if (value && is_number (value))
        return value;
    }
  return "0";
}

static const char *
expand (struct bbp_text *name, const char *pattern, const char *rank)
{
  struct bbp_name_facts now = { .host = facts.host,
                                .program = facts.program,
                                .rank = rank,
                                .build = facts.build[0] ? facts.build : NULL,
                                .start = facts.start,
                                .pid = (unsigned) bbp_sys_getpid (),
                                .dump = bbp.dumps };
  return bbp_name_expand (name, pattern, &now);
}

/* The build id of the executable, which the loader's list has first. */
static int
note_build (struct dl_phdr_info *info, size_t size, void *unused)
{
  static const char digits[] = "0123456789abcdef";
  size_t bytes;
  const unsigned char *id = bbp_identity_build_id (info, &bytes);
  (void) size, (void) unused;
  for (size_t i = 0; id && i < bytes; i++)
    {
      facts.build[2 * i] = digits[id[i] >> 4];
      facts.build[2 * i + 1] = digits[id[i] & 15];
    }
  if (!facts.build[0])
    bbp_copy_bytes (facts.build, "none", sizeof "none");
  return 1;
}

static void
complain_about_pattern (void)
{
  char name[BBP_OPTION_TEXT], line[BBP_OPTION_TEXT + 64];
  struct bbp_text text = { .buffer = name, .size = sizeof name },
                  message = { .buffer = line, .size = sizeof line };
  const char *unknown = expand (&text, bbp_options.output, facts.rank);
  if (!unknown)
    return;
  bbp_text_string (&message, "output: '");
  bbp_text_bytes (&message, unknown, unknown[1] ? 2 : 1);
  bbp_text_string (&message, "' is kept as it is; use one of %p %h %e %b %n %r %t %%");
  bbp_message ("BBPROF_OPTIONS", line);
}

void
bbp_path_start (void)
{
  struct utsname system;
  long n = bbp_sys_getcwd (start_folder, sizeof start_folder);
  if (n <= 0 || start_folder[0] != '/') /* "(unreachable)/..." */
    start_folder[0] = '\0';
  copy_part (facts.host, sizeof facts.host,
             bbp_sys_uname (&system) == 0 ? system.nodename : "localhost");
  copy_part (facts.program, sizeof facts.program, program_invocation_short_name);
  copy_part (facts.rank, sizeof facts.rank, rank ());
  facts.start = bbp_sys_nanoseconds (CLOCK_REALTIME) / 1000000000;
  find_prefix ();
  if (bbp_name_has (bbp_options.output, 'b') || bbp_name_has (bbp_options.sum, 'b'))
    dl_iterate_phdr (note_build, NULL);
  complain_about_pattern ();
}

/* Begin a path with the start folder, if NAME is relative. */
static void
begin (struct bbp_text *path, const char *name)
{
  if (name[0] != '/' && start_folder[0])
    {
      bbp_text_string (path, start_folder);
      bbp_text_string (path, "/");
    }
}

static void
add_pid (struct bbp_text *path)
{
  bbp_text_string (path, ".");
  bbp_text_number (path, bbp_sys_getpid ());
}

/* A process made by bare clone has its parent's counts, but must not overwrite its file. */
static bool
is_child (void)
{
  return bbp.forked || bbp_sys_getpid () != bbp.pid;
}

unsigned
bbp_image (void)
{
  return bbp_options.process == (unsigned) bbp.pid ? bbp_options.image : 1;
}

/* The program that bbprof record starts gets the name as given; programs after it, if they are
   recorded, get one of their own. */
static void
add_image (struct bbp_text *path)
{
  if (!bbp_options.children || bbp_image () == 0)
    return;
  add_pid (path);
  if (bbp_image () > 1)
    {
      bbp_text_string (path, ".");
      bbp_text_number (path, bbp_image ());
    }
}

/* Not if the program has more rights than its caller. */
bool
bbp_path_prefixed (char *path, size_t size)
{
  struct bbp_text text = { .buffer = path, .size = size };
  if (!bbp.in_handler)
    find_prefix ();
  if (bbp_options.output[0] || !prefix[0])
    return false;
  begin (&text, prefix);
  bbp_text_string (&text, prefix);
  add_pid (&text);
  return !text.cut;
}

bool
bbp_path_of_start (char *path, size_t size, const char *name)
{
  struct bbp_text text = { .buffer = path, .size = size };
  begin (&text, name);
  bbp_text_string (&text, name);
  return !text.cut;
}

bool
bbp_path_named (char *path, size_t size, const char *output)
{
  struct bbp_text text = { .buffer = path, .size = size };
  begin (&text, output);
  expand (&text, output, facts.rank);
  if (is_child () && !bbp_name_has (output, 'p'))
    add_pid (&text);
  else if (bbp_options.record && !is_child ())
    add_image (&text);
  return !text.cut;
}

bool
bbp_path_plain (char *path, size_t size)
{
  return bbp_path_named (path, size, bbp_options.output[0] ? bbp_options.output : "gmon.out");
}

bool
bbp_path_next (char *path, size_t size)
{
  bbp.dumps++;
  bool found = bbp_path_prefixed (path, size) || bbp_path_plain (path, size);
  bbp.dumps--;
  return found;
}

/* The name of one rank's profile must say which rank; the sum gets the name without. */
void
bbp_path_of_rank (unsigned rank)
{
  struct bbp_text number = { .buffer = facts.rank, .size = sizeof facts.rank };
  bbp_text_number (&number, rank);
  if (bbp_name_has (bbp_options.output, 'r'))
    return;
  struct bbp_text output = { .buffer = bbp_options.output, .size = sizeof bbp_options.output },
                  sum = { .buffer = bbp_options.sum, .size = sizeof bbp_options.sum };
  if (!bbp_options.output[0])
    bbp_text_string (&output, "gmon.out");
  output.used = bbp_string_bytes (bbp_options.output) - 1;
  if (!bbp_options.sum[0])
    bbp_text_string (&sum, bbp_options.output);
  bbp_text_string (&output, ".rank%r");
}

bool
bbp_path_of_sum (char *path, size_t size)
{
  struct bbp_text text = { .buffer = path, .size = size };
  const char *name = bbp_options.sum[0] ? bbp_options.sum : bbp_options.output;
  begin (&text, name);
  expand (&text, name, "all");
  return !text.cut;
}

/* The name of the dump before the last KEPT ones; false: each dump has the same name, or there were
   not so many. */
bool
bbp_path_outdated (char *path, size_t size, unsigned kept)
{
  unsigned now = bbp.dumps;
  if (!kept || now <= kept || !bbp_name_has (bbp_options.output, 'n'))
    return false;
  bbp.dumps = now - kept;
  bool found = bbp_path_plain (path, size);
  bbp.dumps = now;
  return found;
}
