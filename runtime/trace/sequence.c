/* SPDX-License-Identifier: MIT */
/* historic=1: the program itself writes bbtrace.gz, where there is no bbprof-writer.  It has the
   blocks that each thread executes, in order, for code that calls at each block
   (trace_historic.c).  It is byte for byte what `bbprof historic' makes of the trace.

   Each thread fills its own buffer.  When it is full, it is packed and appended to a temporary
   file, under the lock.  The end of the process gives these files their names.  No descriptor
   stays open, because programs close and reuse descriptors that they do not know.  Context: see
   each function. */
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

/* DELTA is added to addresses from LOW to below HIGH to make them virtual. */
struct range {
  uintptr_t low, high, delta;
};
#define RANGES 8

/* Memory of a running thread. */
struct work {
  struct bbh_gzip gzip;       /* lock; its words: the thread, up to the count in STATE */
  struct range range[RANGES]; /* writer: the thread, signals blocked */
  unsigned next_range, changes;
  size_t used;     /* bytes used in OUT; lock */
  char out[65536]; /* packed, not in the file yet */
};

/* One thread's sequence of blocks, kept until the files are written.  Writer: lock, unless a
   line says otherwise. */
struct bbp_sequence {
  struct bbp_sequence *before; /* next lower KEY */
  struct work *work;           /* null: all of it is in the file */
  /* Number of waiting words, and above STATE_SHIFT how often words were packed; writer: the
     thread. */
  uint64_t state;
  unsigned key;    /* sorts the files: number of the trace's stream, if there is one */
  unsigned number; /* number of the temporary file */
  int error;       /* first error, as errno */
  bool begun;      /* the file exists */
};
#define STATE_SHIFT 16
#define STATE_WORDS ((1U << STATE_SHIFT) - 1)
_Static_assert(BBH_GZIP_WORDS < STATE_WORDS, "the number of words that wait");

static struct {
  bool wanted, sealed;       /* writer: lock */
  struct bbp_sequence *last; /* lock */
  unsigned made;             /* lock */
  unsigned changes;          /* number of changes to the list of objects; writer: lock */
} all;

static __thread struct bbp_sequence *own __attribute__ ((tls_model ("initial-exec")));

/* The name of the file with NUMBER, from 1; in a forked child it contains the pid.  False: too
   long. */
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
  /* left behind by an earlier process with the same pid */
  if (fd == -EEXIST && bbp_sys_unlink (temporary) == 0)
    fd = bbp_open_high (temporary, flags | O_CREAT | O_EXCL);
  return fd;
}

/* Lock held: appends the packed bytes to the file. */
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

/* Lock held: the structs stay to the end of the process, many to a page.  Null: no memory. */
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

/* Hot: for the calling thread, which has no sequence, or a closed one.  Null: nothing has to be
   recorded, or there is no memory. */
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

/* Hot: packs the waiting words if the buffer is full. */
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

/* Hot: learns the range of the object that contains ADDRESS; addresses in unknown objects are
   not recorded. */
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

/* Hot: ADDRESS as a virtual address, or 0. */
static uint64_t virtual(struct work *w, uintptr_t address)
{
  for (;; learn (w, address))
    for (int i = 0; i < RANGES && w->changes == __atomic_load_n (&all.changes, __ATOMIC_RELAXED);
         i++)
      if (address - w->range[i].low < w->range[i].high - w->range[i].low)
        return address + w->range[i].delta;
}

/* Hot.  False: try again.  Either a handler interrupted this and put its own blocks first; it
   may have packed words, which changes the state, or learned other ranges.  Or there was no
   room. */
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

/* At the end of the process other threads close this thread's file, and leave its memory. */
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

/* Lock held: writes the rest of S to its file. */
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

/* Called when the calling thread ends.  Blocks that it executes afterwards are another sequence, as
   in the trace. */
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

/* Lock held: gives the file its name, or removes it. */
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

/* Threads may still run, and be storing a word: so their memory stays. */
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

/* exec has failed: the threads begin anew. */
void
bbp_sequence_resume (void)
{
  all.sealed = false;
}

/* In a forked child: forgets all sequences of the parent. */
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
