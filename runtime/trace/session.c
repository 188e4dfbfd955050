/* SPDX-License-Identifier: MIT */
/* The trace of the process: the memory that it shares with the writer, the facts that the writer
   needs, the start and the end.  Context: cold, lock held. */
#include <errno.h>
#include <linux/futex.h>
#include <string.h>

#include "runtime/base/base.h"
#include "runtime/base/options.h"
#include "runtime/base/sys.h"
#include "runtime/count/count.h"
#include "runtime/dump/dump.h"
#include "runtime/objects/objects.h"
#include "runtime/trace/sequence.h"
#include "runtime/trace/stream.h"
#include "runtime/trace/trace.h"
#include "runtime/writer/writer.h"

#define LEAST_PIECES 4

static void
set_object (struct bbq_object *to, const struct bbp_object *object, uint64_t now)
{
  struct bbp_text path = { .buffer = to->path, .size = sizeof to->path };
  to->bias = object->bias;
  to->start = object->start;
  to->end = object->end;
  to->loaded = now;
  to->build_id_bytes
      = object->build_id_bytes <= sizeof to->build_id ? (uint32_t) object->build_id_bytes : 0;
  bbp_copy_bytes (to->build_id, object->build_id, to->build_id_bytes);
  bbp_text_string (&path, object->path);
}

/* The table's entry of OBJECT, which is loaded now; null: none. */
static struct bbq_object *
find_object (const struct bbp_object *object)
{
  for (uint32_t i = atomic_load (&bbp_trace.head->objects); i-- > 0;)
    {
      struct bbq_object *entry = &bbp_trace.head->object[i];
      if (!entry->unloaded && entry->bias == object->bias && entry->start == object->start)
        return entry;
    }
  return NULL;
}

/* Cold, lock held: OBJECT has functions with trace points. */
static void
add_object (const struct bbp_object *object)
{
  uint32_t n = atomic_load (&bbp_trace.head->objects);
  if (object->base == 0)
    bbp_trace_know_code (object->text_start + object->bias, object->text_end - object->text_start);
  if (n >= BBQ_OBJECTS || find_object (object))
    return;
  set_object (&bbp_trace.head->object[n], object, bbp_sys_nanoseconds (CLOCK_REALTIME));
  atomic_store_explicit (&bbp_trace.head->objects, n + 1, memory_order_release);
}

static void
add_objects (void)
{
  for (const struct bbp_module *module = bbp.modules; module; module = module->next)
    {
      const struct bbp_object *object = bbp_object_at ((uintptr_t) module->counts_start);
      if (object && module->named)
        add_object (object);
    }
  FOR_EACH_HISTORIC (unit)
  {
    const struct bbp_object *object = bbp_object_at ((uintptr_t) unit);
    if (object)
      add_object (object);
  }
}

void
bbp_trace_object_unloads (const struct bbp_object *object)
{
  struct bbq_object *entry = bbp_trace.head ? find_object (object) : NULL;
  if (entry)
    entry->unloaded = bbp_sys_nanoseconds (CLOCK_REALTIME);
  bbp_trace_forget_code ();
  bbp_sequence_object_leaves ();
}

/* The number of pieces; fewer where the file size limit is low, because exceeding it would raise
   a signal. */
static uint32_t
number_of_pieces (size_t head, size_t piece)
{
  struct rlimit limit;
  uint64_t n = bbp_options.trace_memory / piece;
  if (n < LEAST_PIECES)
    n = LEAST_PIECES;
  if (n > UINT16_MAX)
    n = UINT16_MAX;
  if (bbp_sys_limit (RLIMIT_FSIZE, &limit) == 0 && head + n * piece > limit.rlim_cur)
    n = limit.rlim_cur > head ? (limit.rlim_cur - head) / piece : 0;
  return (uint32_t) n;
}

static void
describe (struct bbq_head *head, uint32_t pieces, const char *path)
{
  struct bbp_text name = { .buffer = head->path, .size = sizeof head->path };
  struct bbp_text program = { .buffer = head->program, .size = sizeof head->program };
  head->magic = BBQ_MAGIC;
  head->version = BBQ_VERSION;
  head->bytes_of_head = (uint32_t) bbp_whole_pages (sizeof *head);
  head->bytes_of_piece = (uint32_t) bbp_whole_pages (sizeof (struct bbq_piece));
  head->pieces = pieces;
  head->pid = (uint32_t) bbp.pid;
  head->run = bbp.run;
  head->started = bbp_sys_nanoseconds (CLOCK_REALTIME);
  head->window = bbp_options.window;
  bbp_text_string (&name, path);
  bbp_text_string (&name, ".bbt");
  bbp_text_string (&program, bbp_object_executable ()->path);
}

/* 0 or -errno. */
static int
make_memory (const char *path, int *memory)
{
  size_t head = bbp_whole_pages (sizeof (struct bbq_head)),
         piece = bbp_whole_pages (sizeof (struct bbq_piece));
  uint32_t pieces = number_of_pieces (head, piece);
  if (bbp_options.window && !bbp_recent_make (pieces))
    return -ENOMEM;
  if (pieces < LEAST_PIECES)
    return -EFBIG;
  void *start;
  bbp_trace.bytes = head + pieces * piece;
  int fd = bbp_writer_memory ("bbprof trace", bbp_trace.bytes, &start);
  if (fd < 0)
    return fd;
  *memory = fd;
  bbp_trace.head = start;
  describe (bbp_trace.head, pieces, path);
  return 0;
}

static void
say (const char *subject, int error)
{
  bbp_message (subject, strerrordesc_np (error));
}

static void
release_memory (void)
{
  if (bbp_trace.head)
    bbp_sys_munmap (bbp_trace.head, bbp_trace.bytes);
  bbp_trace.head = NULL;
}

static bool
start_writer (int fd)
{
  add_objects ();
  int error = bbp_writer_start (&bbp_trace.writer, fd);
  bbp_sys_close (fd);
  if (!error)
    return true;
  release_memory ();
  if (error != -ENOENT || !bbp_sequence_is_wanted ())
    bbp_writer_complain ("no trace", -error);
  return false;
}

/* Makes the memory and starts the writer, which alone keeps a descriptor of the memory.  Without
   them the program runs as if no trace had been requested.  In a forked child this may happen at
   any point, so the environment is not read. */
void
bbp_trace_start (void)
{
  static char path[BBP_PATH_SIZE];
  bool handler = bbp.in_handler;
  int fd = -1;
  if (bbp_trace.dead)
    return;
  bbp.in_handler |= bbp.forked;
  int error = bbp_path_next (path, sizeof path) ? make_memory (path, &fd) : -ENAMETOOLONG;
  bbp.in_handler = handler;
  if (error)
    say ("no trace", -error);
  else if (start_writer (fd))
    return;
  __atomic_store_n (&bbp_trace.dead, true, __ATOMIC_RELAXED);
}

void
bbp_trace_choose (void)
{
  if (bbp_options.window && bbp_options.trace == BBP_UNSAID)
    bbp_options.trace = BBP_YES;
  bbp_trace.wanted = bbp_options.trace == BBP_YES;
  bbp_sequence_choose ();
  if (bbp_options.historic && bbp_trace.wanted && !bbp_sequence_is_wanted ())
    bbp_message ("historic=1", "no bbtrace.gz with window=N: that file must have all blocks");
}

void
bbp_trace_add_module (void)
{
  if (bbp_trace.head)
    add_objects ();
  else if (bbp_trace_is_wanted ())
    bbp_trace_start ();
}

/* The writer has ended; reports that, once. */
static void
complain (void)
{
  static bool complained;
  uint32_t failed = atomic_load (&bbp_trace.head->failed);
  if (complained || !(failed || bbp_trace.dead))
    return;
  complained = true;
  if (failed)
    say (bbp_trace.head->path, (int) failed);
  else
    bbp_message (bbp_trace.head->path, "incomplete: bbprof-writer has ended or does not respond");
}

/* Waits as long as the writer makes progress.  Where the process cannot wait (sandbox.c), the
   writer completes its work without that. */
static void
wait_for_ending (void)
{
  uint32_t freed = 0, ended;
  uint64_t until = 0;
  while (!bbp_trace.dead && (ended = atomic_load (&bbp_trace.head->ended)) < bbp_trace.endings)
    {
      uint32_t seen = atomic_load (&bbp_trace.head->freed);
      uint64_t now = bbp_sys_nanoseconds (CLOCK_MONOTONIC);
      if (seen != freed || !until)
        until = now + BBP_WRITER_PATIENCE;
      freed = seen;
      if (now > until || bbp_writer_is_gone (&bbp_trace.writer))
        bbp_trace.dead = atomic_load (&bbp_trace.head->ended) < bbp_trace.endings;
      else if (bbp_pieces_wait (&bbp_trace.head->ended, ended) == -EPERM)
        return;
    }
}

static void
ask_for_ending (uint32_t kind)
{
  if (bbp_trace.dead)
    {
      complain ();
      return;
    }
  bbp_trace.endings++;
  atomic_store (&bbp_trace.head->ending, kind);
  bbp_pieces_wake (&bbp_trace.head->submitted, &bbp_trace.head->waiting_writer);
  wait_for_ending ();
  complain ();
}

static void
while_threads_wait (void (*action) (void))
{
  bbp_pause_begin ();
  bbp_pause_more ();
  action ();
  bbp_pause_end ();
}

/* Everything recorded so far must get into the file. */
void
bbp_trace_dump (void)
{
  if (!bbp_trace.head || bbp_trace.dead)
    return;
  while_threads_wait (bbp_streams_show);
  ask_for_ending (2);
}

/* All threads pause: recording ends. */
static void
seal (void)
{
  bbp_trace.sealed = true;
  bbp_streams_seal ();
}

/* A forked child ends before it needed shared memory, and everything must get into the file.
   The thread that gives the last piece away holds the lock, which starting takes. */
static void
start_late (void)
{
  if (bbp_trace.first && !bbp_trace.head)
    bbp_trace_start ();
}

void
bbp_trace_end_with_totals (void)
{
  start_late ();
  bbp_trace.ends_with_totals = true;
}

void
bbp_trace_at_totals (void)
{
  if (bbp_trace.ends_with_totals)
    {
      bbp_sequence_seal ();
      seal ();
    }
}

/* Called when the process ends, or calls exec.  A forked child that has recorded little writes
   nothing. */
void
bbp_trace_end (bool by_exec)
{
  int error = bbp_sequence_end ();
  if (error)
    bbp_message_once (bbp_sequence_name (), strerrordesc_np (-error));
  if (!bbp_trace.wanted || (by_exec && !bbp_trace.head))
    return;
  start_late ();
  while_threads_wait (seal);
  bbp_trace.wanted = false;
  if (bbp_trace.head)
    {
      ask_for_ending (1);
      bbp_writer_end (&bbp_trace.writer);
    }
}

/* Called when exec has failed.  The old memory is not freed, because some thread may still use
   it. */
void
bbp_trace_resume (void)
{
  bbp_sequence_resume ();
  if (!bbp_trace.head || bbp_trace.wanted)
    return;
  bbp_trace.head = NULL;
  bbp_trace.endings = 0;
  bbp_trace.wanted = true;
  bbp_trace.sealed = bbp_trace.ends_with_totals = false;
  bbp_trace_start ();
  bbp_streams_stop ();
}

/* In a forked child: nothing is shared yet. */
void
bbp_trace_forked (void)
{
  bbp_sequence_forked ();
  release_memory ();
  if (bbp_trace.first)
    bbp_pages_unmap (bbp_trace.first, bbp_whole_pages (sizeof *bbp_trace.first));
  bbp_trace.first = NULL;
  bbp_trace.writer = (struct bbp_writer) { 0 };
  bbp_trace.endings = 0;
  bbp_trace.sealed = bbp_trace.ends_with_totals = false;
  bbp_recent_forked ();
  bbp_stream_forked ();
}
