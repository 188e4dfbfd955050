/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of bbprof-writer; this program stands for the traced process.  It fills pieces by hand,
   so it knows what must be in the file. */
#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collect/streams/pieces_read.h"
#include "include/bbprof-pieces.h"
#include "testsuite/unit/collect/start_writer.h"
#include "testsuite/unit/unit.h"

enum { POOL = 8, RUN = 77, PATIENCE = 600 /* tenths of a second */ };

/* The process and its writer. */
static struct {
  struct bbq_head *head;
  size_t bytes;
  int memory;
  pid_t writer;
} here;

static char path[4096];

static struct bbq_piece *
piece_at (uint32_t i)
{
  return (struct bbq_piece *) (void *) ((char *) here.head + here.head->bytes_of_head
                                        + i * (size_t) here.head->bytes_of_piece);
}

/* Memory of PIECES pieces, and what the process says of itself. */
static void
set_up (uint32_t pieces, uint64_t window)
{
  size_t of_head = (sizeof *here.head + 4095) & -4096UL,
         of_piece = (sizeof (struct bbq_piece) + 4095) & -4096UL;
  here.bytes = of_head + pieces * of_piece;
  here.memory = memfd_create ("pieces", 0);
  ck_assert_int_eq (ftruncate (here.memory, (off_t) here.bytes), 0);
  here.head = mmap (NULL, here.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, here.memory, 0);
  ck_assert (here.head != MAP_FAILED);
  *here.head = (struct bbq_head) { .magic = BBQ_MAGIC,
                                   .version = BBQ_VERSION,
                                   .bytes_of_head = (uint32_t) of_head,
                                   .bytes_of_piece = (uint32_t) of_piece,
                                   .pieces = pieces,
                                   .pid = (uint32_t) getpid (),
                                   .run = RUN,
                                   .started = 5,
                                   .window = window,
                                   .program = "/a/program" };
  strcpy (here.head->path, path);
}

/* LIMIT: of the file's size, 0: none. */
static void
start_writer (rlim_t limit)
{
  here.writer = start_writer_of (here.memory, limit);
}

static void
count_up (_Atomic uint32_t *word)
{
  atomic_fetch_add (word, 1);
  syscall (SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static void
pause_a_little (void)
{
  usleep (1000);
}

/* One that is free, as a thread claims it. */
static struct bbq_piece *
claim (void)
{
  for (int i = 0; i < PATIENCE * 100; i++, pause_a_little ())
    for (uint32_t n = 0; n < here.head->pieces; n++)
      {
        uint32_t free_one = BBQ_FREE;
        if (atomic_compare_exchange_strong (&piece_at (n)->state, &free_one, BBQ_USED))
          return piece_at (n);
      }
  ck_abort_msg ("the writer empties nothing");
  return NULL;
}

static void
wait_until_empty (void)
{
  for (uint32_t i = 0; i < here.head->pieces; i++)
    while (atomic_load (&piece_at (i)->state) != BBQ_FREE)
      pause_a_little ();
}

/* The word or token of a piece, by stream, sequence and place. */
static uint64_t
truth (uint32_t stream, uint32_t sequence, uint32_t i)
{
  uint64_t x = (uint64_t) stream << 40 ^ (uint64_t) sequence << 20 ^ (i / 16 + 1);
  return x * 0x9e3779b97f4a7c15;
}

static void
fill_up_to (struct bbq_piece *p, uint32_t words, uint32_t tokens)
{
  for (; p->words < words; p->words++)
    p->bits[p->words] = truth (p->stream, p->sequence, p->words);
  for (; p->tokens < tokens; p->tokens++)
    p->token[p->tokens] = truth (p->stream, p->sequence, p->tokens);
}

static struct bbq_piece *
fill (uint32_t stream, uint32_t sequence, uint32_t words, uint32_t tokens)
{
  struct bbq_piece *p = claim ();
  p->sequence = sequence;
  p->start = sequence ? BBQ_START_EVENT : BBQ_START_STREAM;
  p->end = BBQ_END_NOT;
  p->words = p->tokens = p->marks = p->rest = 0;
  p->tid = stream + 1000;
  p->stream = stream;
  strcpy (p->name, "thread");
  fill_up_to (p, words, tokens);
  return p;
}

static void
complete (struct bbq_piece *p, enum bbq_end end)
{
  p->end_words = p->words;
  p->end_tokens = p->tokens;
  p->end_bits = p->bits[p->words];
  p->end = end;
}

static void
submit (struct bbq_piece *p, enum bbq_end end)
{
  complete (p, end);
  atomic_store (&p->state, BBQ_FULL);
  count_up (&here.head->submitted);
}

static void
add_piece (uint32_t stream, uint32_t sequence, enum bbq_end end)
{
  submit (fill (stream, sequence, 100 + sequence, 200), end);
}

static void
ask_for_ending (uint32_t kind)
{
  uint32_t before = atomic_load (&here.head->ended);
  atomic_store (&here.head->ending, kind);
  count_up (&here.head->submitted);
  for (int i = 0; i < PATIENCE * 100 && atomic_load (&here.head->ended) == before; i++)
    pause_a_little ();
  ck_assert_uint_eq (atomic_load (&here.head->ended), before + 1);
}

static void
wait_for_writer (void)
{
  int status;
  ck_assert_int_eq (waitpid (here.writer, &status, 0), here.writer);
  ck_assert (WIFEXITED (status) && WEXITSTATUS (status) == 0);
}

static void
tear_down (void)
{
  munmap (here.head, here.bytes);
  close (here.memory);
}

static void
end (void)
{
  ask_for_ending (1);
  wait_for_writer ();
}

/* The file.  */

static struct pieces_loader *loader;

static void
open_file (struct pieces *p)
{
  struct error err;
  ck_assert_msg (pieces_open (p, path, &err), "%s", err.text);
  ck_assert_uint_eq (p->run, RUN);
  loader = pieces_loader_new (p);
}

static void
close_file (struct pieces *p)
{
  pieces_loader_free (loader);
  pieces_close (p);
}

static const struct pieces_stream *
find_stream (const struct pieces *p, uint32_t number)
{
  for (size_t i = 0; i < p->nstreams; i++)
    if (p->streams[i].number == number)
      return &p->streams[i];
  ck_abort_msg ("no stream %u", number);
  return NULL;
}

static bool
is_true (const uint64_t *values, uint32_t n, uint32_t stream, uint32_t sequence)
{
  for (uint32_t i = 0; i < n; i++)
    if (values[i] != truth (stream, sequence, i))
      return false;
  return true;
}

/* Entry I of STREAM holds so many words and tokens, all right. */
static void
check_entry (const struct pieces *p, uint32_t stream, uint32_t i, uint32_t words, uint32_t tokens,
             enum bbt_end end_of_it)
{
  const struct pieces_stream *s = find_stream (p, stream);
  struct piece piece;
  struct error err;
  ck_assert_uint_lt (i, s->nentries);
  ck_assert_msg (pieces_load (loader, &s->entries[i], &piece, &err), "%s", err.text);
  ck_assert_uint_eq (piece.head->end, end_of_it);
  ck_assert_uint_eq (piece.head->tid, stream + 1000);
  ck_assert_str_eq (piece.head->name, "thread");
  ck_assert_uint_eq (piece.nbits, 64 * words);
  ck_assert_uint_eq (piece.ntokens, tokens);
  ck_assert (is_true (piece.words, words, stream, piece.head->sequence));
  ck_assert (is_true (piece.tokens, tokens, stream, piece.head->sequence));
}

/* Streams 1 to STREAMS have N pieces of add_piece each; the last ones end with LAST. */
static void
check_streams (const struct pieces *p, uint32_t streams, uint32_t n, enum bbt_end last)
{
  ck_assert_uint_eq (p->nstreams, streams);
  for (uint32_t stream = 1; stream <= streams; stream++)
    {
      ck_assert_uint_eq (find_stream (p, stream)->nentries, n);
      for (uint32_t i = 0; i < n; i++)
        check_entry (p, stream, i, 100 + i, 200, i + 1 < n ? BBT_END_NEXT : last);
    }
}

static uint64_t
loss (const struct pieces *p, const char *cause)
{
  for (size_t i = 0; i < p->nlosses; i++)
    if (strcmp (p->losses[i].cause, cause) == 0)
      return p->losses[i].count;
  return 0;
}

/* More streams than the writer has groups, through fewer pieces than there are to write; some
   are done with one piece. */
START_TEST (many_streams)
{
  struct pieces p;
  set_up (POOL, 0);
  start_writer (0);
  for (uint32_t i = 0; i < 5; i++)
    for (uint32_t stream = 1; stream <= 40; stream++)
      add_piece (stream, i, i < 4 ? BBQ_END_NEXT : BBQ_END_STREAM);
  for (uint32_t stream = 41; stream <= 60; stream++)
    add_piece (stream, 0, BBQ_END_STREAM);
  end ();
  open_file (&p);
  ck_assert_msg (p.whole, "%s", p.why.text);
  ck_assert_str_eq (p.program, "/a/program");
  ck_assert_uint_eq (p.nstreams, 60);
  ck_assert_uint_eq (loss (&p, BBT_LOST_FILE), 0);
  for (uint32_t stream = 1; stream <= 40; stream++)
    for (uint32_t i = 0; i < 5; i++)
      check_entry (&p, stream, i, 100 + i, 200, i < 4 ? BBT_END_NEXT : BBT_END_STREAM);
  for (uint32_t stream = 41; stream <= 60; stream++)
    check_entry (&p, stream, 0, 100, 200, BBT_END_STREAM);
  close_file (&p);
  tear_down ();
}
END_TEST

/* Full pieces, as large as they are. */
START_TEST (full_pieces)
{
  struct pieces p;
  set_up (POOL, 0);
  start_writer (0);
  for (uint32_t i = 0; i < 100; i++)
    submit (fill (1, i, BBQ_BITS, BBQ_TOKENS), BBQ_END_NEXT);
  end ();
  open_file (&p);
  ck_assert_msg (p.whole, "%s", p.why.text);
  for (uint32_t i = 0; i < 100; i++)
    check_entry (&p, 1, i, BBQ_BITS, BBQ_TOKENS, BBT_END_NEXT);
  close_file (&p);
  tear_down ();
}
END_TEST

/* What a thread adds to a piece that another one has completed is ignored. */
START_TEST (added_late)
{
  struct pieces p;
  set_up (POOL, 0);
  struct bbq_piece *piece = fill (1, 0, 100, 200);
  complete (piece, BBQ_END_PC);
  fill_up_to (piece, 101, 201);
  atomic_store (&piece->state, BBQ_FULL);
  start_writer (0);
  end ();
  open_file (&p);
  check_entry (&p, 1, 0, 100, 200, BBT_END_PC);
  close_file (&p);
  tear_down ();
}
END_TEST

/* Killed with pieces that the writer has not seen, and in the middle of one: all is there. */
START_TEST (killed)
{
  struct pieces p;
  int status;
  set_up (POOL, 0);
  pid_t process = fork ();
  if (process == 0)
    {
      here.head->pid = (uint32_t) getpid ();
      start_writer (0);
      for (uint32_t i = 0; i < 20; i++)
        add_piece (1, i, BBQ_END_NEXT);
      wait_until_empty ();
      kill (here.writer, SIGSTOP);
      for (uint32_t i = 20; i < 23; i++)
        add_piece (1, i, BBQ_END_NEXT);
      fill (1, 23, 7, 9);
      /* For the other process: the writer has no use for it. */
      here.head->ended = (uint32_t) here.writer;
      kill (getpid (), SIGKILL);
    }
  ck_assert_int_eq (waitpid (process, &status, 0), process);
  ck_assert (WIFSIGNALED (status));
  pid_t writer = (pid_t) here.head->ended;
  kill (writer, SIGCONT);
  for (int i = 0; i < PATIENCE * 100 && kill (writer, 0) == 0; i++)
    pause_a_little ();
  open_file (&p);
  ck_assert_msg (p.whole, "%s", p.why.text);
  for (uint32_t i = 0; i < 23; i++)
    check_entry (&p, 1, i, 100 + i, 200, BBT_END_NEXT);
  check_entry (&p, 1, 23, 7, 9, BBT_END_NOT);
  close_file (&p);
  tear_down ();
}
END_TEST

/* A dump: what there is now, unfinished pieces too; what has been added to them is in the file
   at the end. */
START_TEST (dump)
{
  struct pieces p;
  set_up (POOL, 0);
  start_writer (0);
  add_piece (1, 0, BBQ_END_NEXT);
  struct bbq_piece *piece = fill (1, 1, 10, 20);
  ask_for_ending (2);
  open_file (&p);
  ck_assert (!p.whole);
  check_entry (&p, 1, 0, 100, 200, BBT_END_NEXT);
  check_entry (&p, 1, 1, 10, 20, BBT_END_NOT);
  close_file (&p);
  fill_up_to (piece, 101, 200);
  submit (piece, BBQ_END_STREAM);
  end ();
  open_file (&p);
  ck_assert (p.whole);
  check_streams (&p, 1, 2, BBT_END_STREAM);
  close_file (&p);
  tear_down ();
}
END_TEST

/* With a window full pieces stay the process's own up to the end. */
START_TEST (window)
{
  struct pieces p;
  set_up (POOL, 1000);
  start_writer (0);
  add_piece (1, 3, BBQ_END_NEXT);
  add_piece (1, 4, BBQ_END_STREAM);
  usleep (300000);
  for (uint32_t i = 0; i < 2; i++)
    ck_assert_uint_eq (atomic_load (&piece_at (i)->state), BBQ_FULL);
  end ();
  open_file (&p);
  ck_assert (p.whole);
  ck_assert_uint_eq (p.about.window, 1000);
  check_entry (&p, 1, 0, 103, 200, BBT_END_NEXT);
  check_entry (&p, 1, 1, 104, 200, BBT_END_STREAM);
  close_file (&p);
  tear_down ();
}
END_TEST

START_TEST (objects)
{
  struct pieces p;
  set_up (POOL, 0);
  here.head->object[0] = (struct bbq_object) { .bias = 1,
                                               .start = 2,
                                               .end = 3,
                                               .loaded = 4,
                                               .build_id_bytes = 2,
                                               .build_id = "ab",
                                               .path = "/a/program" };
  here.head->object[1] = (struct bbq_object) { .bias = 5, .end = 6, .path = "/a/library.so" };
  atomic_store (&here.head->objects, 2);
  start_writer (0);
  add_piece (1, 0, BBQ_END_NEXT);
  ask_for_ending (2);
  here.head->object[1].unloaded = 7;
  end ();
  open_file (&p);
  ck_assert_uint_eq (p.nobjects, 2);
  ck_assert_str_eq (p.objects[0].path, "/a/program");
  ck_assert_uint_eq (p.objects[0].build_id.size, 2);
  ck_assert_uint_eq (p.objects[0].fixed.unloaded, 0);
  ck_assert_str_eq (p.objects[1].path, "/a/library.so");
  ck_assert_uint_eq (p.objects[1].fixed.unloaded, 7);
  close_file (&p);
  tear_down ();
}
END_TEST

/* Fills until the writer says that it cannot go on, and then some more: it empties all of them. */
static void
overfill (int expected)
{
  uint32_t i = 0;
  while (i < 10000 && !atomic_load (&here.head->failed))
    submit (fill (1, i++, BBQ_BITS, BBQ_TOKENS), BBQ_END_NEXT);
  ck_assert_int_eq ((int) atomic_load (&here.head->failed), expected);
  for (uint32_t k = 0; k < 3 * POOL; k++)
    submit (fill (1, i++, 10, 10), BBQ_END_NEXT);
  end ();
  struct pieces p;
  open_file (&p);
  const struct pieces_stream *s = find_stream (&p, 1);
  ck_assert_uint_gt (s->nentries, 0);
  for (uint32_t k = 0; k < s->nentries; k++)
    check_entry (&p, 1, k, BBQ_BITS, BBQ_TOKENS, BBT_END_NEXT);
  ck_assert_msg (p.whole, "%s", p.why.text);
  ck_assert_uint_eq (loss (&p, BBT_LOST_FILE), i - s->nentries);
  close_file (&p);
}

START_TEST (file_limit)
{
  set_up (POOL, 0);
  start_writer (1000000);
  overfill (EFBIG);
  tear_down ();
}
END_TEST

static void
say_in (const char *file, const char *words)
{
  FILE *f = fopen (file, "w");
  if (f && (fputs (words, f) == EOF || fclose (f) != 0))
    perror (file);
}

/* A process without root's rights may still be in a namespace of its own. */
static bool
leave_namespace (void)
{
  char map[64];
  snprintf (map, sizeof map, "0 %d 1", (int) getuid ());
  if (unshare (CLONE_NEWNS) == 0)
    return true;
  if (unshare (CLONE_NEWUSER | CLONE_NEWNS) != 0)
    return false;
  say_in ("/proc/self/uid_map", map);
  return true;
}

static bool
make_small_disk (void)
{
  if (mkdir ("writer_test.disk", 0777) != 0 && errno != EEXIST)
    return false;
  return leave_namespace () && mount ("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0
         && mount ("none", "writer_test.disk", "tmpfs", 0, "size=1000k") == 0;
}

/* Passes untested where mounting is not allowed. */
START_TEST (disk_full)
{
  if (!make_small_disk ())
    return;
  strcpy (path, "writer_test.disk/trace.bbt");
  set_up (POOL, 0);
  start_writer (0);
  overfill (ENOSPC);
  tear_down ();
}
END_TEST

/* Not even for the header: then there is nothing in it. */
START_TEST (no_room)
{
  struct stat st;
  set_up (POOL, 0);
  start_writer (8);
  add_piece (1, 0, BBQ_END_STREAM);
  end ();
  ck_assert_int_eq ((int) atomic_load (&here.head->failed), EFBIG);
  ck_assert_int_eq (stat (path, &st), 0);
  ck_assert_int_eq ((int) st.st_size, 0);
  tear_down ();
}
END_TEST

/* No file at all: pieces are emptied, the process is told, the end comes. */
START_TEST (no_file)
{
  strcpy (path, "/dev/full");
  set_up (POOL, 0);
  start_writer (0);
  for (uint32_t i = 0; i < 3 * POOL; i++)
    add_piece (1, i, BBQ_END_NEXT);
  end ();
  ck_assert_int_eq ((int) atomic_load (&here.head->failed), EACCES);
  tear_down ();
}
END_TEST

/* Signals to the process group are not meant for it. */
START_TEST (signals)
{
  static const int numbers[]
      = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGXFSZ, SIGUSR1, SIGALRM };
  struct pieces p;
  set_up (POOL, 0);
  start_writer (0);
  add_piece (1, 0, BBQ_END_NEXT);
  ask_for_ending (2);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    kill (here.writer, numbers[i]);
  add_piece (1, 1, BBQ_END_STREAM);
  end ();
  open_file (&p);
  check_streams (&p, 1, 2, BBT_END_STREAM);
  close_file (&p);
  tear_down ();
}
END_TEST

/* Memory that is not shared memory of the library is refused. */
START_TEST (foreign_memory)
{
  int status;
  set_up (POOL, 0);
  here.head->version++;
  start_writer (0);
  waitpid (here.writer, &status, 0);
  ck_assert (WIFEXITED (status) && WEXITSTATUS (status) == 1);
  tear_down ();
}
END_TEST

static void
choose_path (void)
{
  strcpy (path, "writer_test.bbt");
}

static void
clean (void)
{
  unlink ("writer_test.bbt");
  rmdir ("writer_test.disk");
}

int
main (void)
{
  const struct unit_test tests[]
      = { { many_streams }, { full_pieces }, { added_late },    { killed },    { dump },
          { window },       { objects },     { file_limit },    { disk_full }, { no_room },
          { no_file },      { signals },     { foreign_memory } };
  int status = unit_run (UNIT_SUITE ("writer", UNIT_CASE (tests, .set_up = choose_path)));
  clean ();
  return status;
}
