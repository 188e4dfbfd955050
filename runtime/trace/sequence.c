/* SPDX-License-Identifier: MIT */
/* historic=1: bbtrace.gz, written by the program itself, where there is no bbprof-writer: which
   blocks a thread executes, in order, of code that calls at every block (trace_historic.c), byte
   for byte as `bbprof historic' makes it of the trace.  Each thread fills a buffer of its own,
   which is packed and appended to a temporary file when it is full, under the lock; the end of
   the process gives these their names.  No descriptor is kept meanwhile, because programs close
   and reuse those that they do not know.  Context: said on each function. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "runtime/base/base.h"
#include "runtime/base/options.h"
#include "runtime/base/sys.h"
#include "runtime/historic/gzip.h"
#include "runtime/objects/objects.h"
#include "runtime/trace/sequence.h"
#include "runtime/trace/stream.h"

/* Addresses from LOW to below HIGH are moved by DELTA to become virtual ones. */
struct range {
  uintptr_t low, high, delta;
};
#define RANGES 8

/* Memory of a thread that runs. */
struct work {
  struct bbh_gzip gzip;       /* lock; its words: the thread, up to the count in STATE */
  struct range range[RANGES]; /* writer: the thread, signals blocked */
  unsigned next_range, changes;
  size_t used;     /* of out; lock */
  char out[65536]; /* packed, and not in the file yet */
};

/* One thread's sequence of blocks, kept until the files are written.  Writer: lock, unless said
   otherwise. */
struct bbp_sequence {
  struct bbp_sequence *before; /* by KEY */
  struct work *work;           /* null: it is all in the file */
  /* How many words wait, and above STATE_SHIFT how often they were packed; writer: the thread. */
  uint64_t state;
  unsigned key;    /* their order: by the trace's streams, if there is one */
  unsigned number; /* of the temporary file */
  int error;       /* first one, as errno */
  bool begun;      /* the file is there */
};
#define STATE_SHIFT 16
#define STATE_WORDS ((1U << STATE_SHIFT) - 1)
_Static_assert(BBH_GZIP_WORDS < STATE_WORDS, "the number of words that wait");

static struct {
  bool wanted, sealed;       /* writer: lock */
  struct bbp_sequence *last; /* lock */
  unsigned made;             /* lock */
  unsigned changes;          /* of objects; writer: lock */
} all;

static __thread struct bbp_sequence *own __attribute__ ((tls_model ("initial-exec")));

/* Of the file with NUMBER, from 1; a forked child's have its pid.  False: too long. */
static bool
make_name (char *path, unsigned number)
{
  char name[64];
  struct bbp_text text = { .buffer = name, .size = sizeof name };
  bbp_text_string (&text, "bbtrace");
  if (number > 1)
    {
      bbp_text_string (&text, "-");
      bbp_text_number (&text, number);
    }
  if (bbp.forked)
    {
      bbp_text_string (&text, ".");
      bbp_text_number (&text, (uint64_t) bbp.pid);
    }
  bbp_text_string (&text, ".gz");
  return bbp_path_of_start (path, BBP_PATH_SIZE, name);
}

/* Lock. */
static char final[BBP_PATH_SIZE], temporary[BBP_PATH_SIZE + 64];

static bool
make_temporary_name (const struct bbp_sequence *s)
{
  struct bbp_text text = { .buffer = temporary, .size = sizeof temporary };
  bool fits = make_name (final, s->number);
  bbp_temporary_name (&text, final);
  return fits && !text.cut;
}

/* Lock held. */
static long
open_file (const struct bbp_sequence *s)
{
  if (!make_temporary_name (s))
    return -ENAMETOOLONG;
  const int flags = O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC;
  if (s->begun)
    return bbp_open_high (temporary, flags);
  long fd = bbp_open_high (temporary, flags | O_CREAT | O_EXCL);
  /* Left behind by a process of the same number. */
  if (fd == -EEXIST && bbp_sys_unlink (temporary) == 0)
    fd = bbp_open_high (temporary, flags | O_CREAT | O_EXCL);
  return fd;
}

/* Lock held: what is packed, to the file. */
static void
append (struct bbp_sequence *s)
{
  struct work *w = s->work;
  uint64_t done;
  long result = s->error ? -s->error : open_file (s);
  if (result >= 0)
    {
      int fd = (int) result;
      s->begun = true;
      result = bbp_out_append (fd, w->out, w->used, &done);
      bbp_sys_close (fd);
    }
  if (!s->error)
    s->error = (int) -result;
  w->used = 0;
}

/* Receiver of the bytes of a gzip file.  Lock held. */
static void
put_bytes (void *context, const void *bytes, size_t n)
{
  struct bbp_sequence *s = context;
  struct work *w = s->work;
  if (w->used + n > sizeof w->out)
    append (s);
  bbp_copy_bytes (w->out + w->used, bytes, n);
  w->used += n;
}

/* The thread's first stream, if it has one. */
static unsigned
stream_of_thread (void)
{
  const struct bbp_stream *stream = &bbp_stream;
  while (stream->below)
    stream = &stream->below->stream;
  return stream->number;
}

/* Lock held. */
static void
insert (struct bbp_sequence *s)
{
  struct bbp_sequence **link = &all.last;
  while (*link && (*link)->key > s->key)
    link = &(*link)->before;
  s->before = *link;
  *link = s;
}

/* Lock held: they stay to the end of the process, many to a page.  Null: no memory. */
static struct bbp_sequence *
make (void)
{
  static struct bbp_sequence *room, *end;
  if (room == end)
    {
      const size_t n = BBP_PAGE_BYTES / sizeof *room;
      room = bbp_pages_map (BBP_PAGE_BYTES);
      end = room ? room + n : NULL;
    }
  struct work *work = room ? bbp_pages_map (sizeof *work) : NULL;
  if (!work)
    return NULL;
  struct bbp_sequence *s = room++;
  unsigned stream = stream_of_thread ();
  *s = (struct bbp_sequence) { .work = work, .number = ++all.made };
  s->key = stream ? stream : s->number;
  bbh_gzip_begin (&work->gzip, (struct bbh_receiver) { put_bytes, s });
  insert (s);
  return s;
}

/* Hot: the calling thread's, which has none, or one that has been closed.  Null: nothing is to
   be recorded, or there is no memory. */
static struct bbp_sequence *
begin (void)
{
  bbp_sigset old = bbp_lock ();
  bool none = !own || !own->work;
  if (none)
    own = all.wanted && !all.sealed && bbp_profiled_memory () ? make () : NULL;
  bbp_unlock (old);
  return own;
}

/* Hot: the words that wait are packed, if there are as many as there is room for. */
static void
pack (struct bbp_sequence *s)
{
  bbp_sigset old = bbp_lock ();
  struct work *w = s->work;
  if (w && (s->state & STATE_WORDS) == BBH_GZIP_WORDS)
    {
      w->gzip.n = BBH_GZIP_WORDS;
      if (!all.sealed && bbp_profiled_memory ())
        bbh_gzip_pack (&w->gzip);
      w->gzip.n = 0;
      s->state = ((s->state >> STATE_SHIFT) + 1) << STATE_SHIFT;
    }
  bbp_unlock (old);
}

/* Hot: the range of an object that holds ADDRESS; of one that is not known nothing is recorded. */
static void
learn (struct work *w, uintptr_t address)
{
  bbp_sigset old = bbp_lock ();
  const struct bbp_object *object = bbp_object_at (address);
  if (w->changes != all.changes)
    for (int i = 0; i < RANGES; i++)
      w->range[i] = (struct range) { 0 };
  w->changes = all.changes;
  w->range[w->next_range++ % RANGES]
      = object ? (struct range) { object->start + object->bias, object->end + object->bias,
                                  bbp_object_virtual (object, address) - address }
               : (struct range) { address, address + 1, -address };
  bbp_unlock (old);
}

/* Hot: ADDRESS as a virtual one, or 0. */
static uint64_t virtual(struct work *w, uintptr_t address)
{
  for (;; learn (w, address))
    for (int i = 0; i < RANGES && w->changes == __atomic_load_n (&all.changes, __ATOMIC_RELAXED);
         i++)
      if (address - w->range[i].low < w->range[i].high - w->range[i].low)
        return address + w->range[i].delta;
}

/* Hot.  False: it is to be tried again, because a handler came in between and put its own blocks
   in front of this one, perhaps had words packed, which the state tells, or learned other
   ranges; or because there was no room. */
static bool
put (struct bbp_sequence *s, struct work *w, uintptr_t address)
{
  unsigned ranges = __atomic_load_n (&w->next_range, __ATOMIC_RELAXED);
  uint64_t state = __atomic_load_n (&s->state, __ATOMIC_RELAXED), word = virtual(w, address);
  if (ranges != __atomic_load_n (&w->next_range, __ATOMIC_RELAXED))
    return false;
  if (!word)
    return true;
  if ((state & STATE_WORDS) == BBH_GZIP_WORDS)
    {
      pack (s);
      return false;
    }
  w->gzip.words[state & STATE_WORDS] = word;
  return __atomic_compare_exchange_n (&s->state, &state, state + 1, false, __ATOMIC_RELEASE,
                                      __ATOMIC_RELAXED);
}

/* At the end of the process others close what this thread has, and leave the memory. */
void
bbp_sequence_put (uintptr_t address)
{
  for (bool done = !address; !done && !__atomic_load_n (&all.sealed, __ATOMIC_RELAXED);)
    {
      struct bbp_sequence *s = own;
      struct work *w = s ? __atomic_load_n (&s->work, __ATOMIC_RELAXED) : NULL;
      done = w ? put (s, w, address) : !begin ();
    }
}

bool
bbp_sequence_is_wanted (void)
{
  return all.wanted;
}

void
bbp_sequence_choose (void)
{
  if (!bbp_options.historic || bbp_options.trace != BBP_YES)
    return;
  all.wanted = !bbp_options.window;
}

void
bbp_sequence_object_leaves (void)
{
  __atomic_add_fetch (&all.changes, 1, __ATOMIC_RELAXED);
}

void
bbp_sequence_seal (void)
{
  __atomic_store_n (&all.sealed, true, __ATOMIC_RELAXED);
}

/* Lock held: all of S is in its file. */
static void
close_file (struct bbp_sequence *s)
{
  struct work *work = s->work;
  if (!work)
    return;
  work->gzip.n = s->state & STATE_WORDS;
  bbh_gzip_end (&work->gzip);
  append (s);
  __atomic_store_n (&s->work, NULL, __ATOMIC_RELAXED);
}

/* The calling thread ends.  What it executes afterwards is another sequence, as in the trace. */
void
bbp_sequence_end_of_thread (void)
{
  struct work *work = own ? own->work : NULL;
  if (work && !all.sealed && bbp_profiled_memory ())
    {
      close_file (own);
      bbp_pages_unmap (work, sizeof *work);
      own = NULL;
    }
}

/* Lock held: the file gets its name, or nothing is left of it. */
static int
rename_file (struct bbp_sequence *s, unsigned number)
{
  if (!s->error && !make_temporary_name (s))
    s->error = ENAMETOOLONG;
  if (!s->error && make_name (final, number))
    s->error = (int) -bbp_sys_rename (temporary, final);
  if (s->error && s->begun && make_temporary_name (s))
    bbp_sys_unlink (temporary);
  return s->error;
}

/* Threads may still run, and have a word in the place of their last one: so their memory stays. */
int
bbp_sequence_end (void)
{
  unsigned n = 0;
  int error = 0;
  bbp_sequence_seal ();
  for (struct bbp_sequence *s = all.last; s; s = s->before)
    n++;
  for (struct bbp_sequence *s = all.last; s; s = s->before, n--)
    {
      close_file (s);
      int failed = rename_file (s, n);
      error = error ? error : failed;
    }
  all.last = NULL;
  return -error;
}

const char *
bbp_sequence_name (void)
{
  return make_name (final, 1) ? final : "bbtrace.gz";
}

/* The process has not become another program: its threads begin anew. */
void
bbp_sequence_resume (void)
{
  all.sealed = false;
}

/* In a forked child: nothing of its parent's is its own. */
void
bbp_sequence_forked (void)
{
  for (struct bbp_sequence *s = all.last; s; s = s->before)
    if (s->work)
      bbp_pages_unmap (s->work, sizeof *s->work);
  own = NULL;
  all.last = NULL;
  all.made = 0;
  all.sealed = false;
}
