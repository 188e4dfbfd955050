/* SPDX-License-Identifier: MIT */
/* The user's options: BBPROF_OPTIONS="key=value:key=value".  A program with more rights than its
   caller (set-uid) uses the defaults.  Context: cold, once. */
#include <stdlib.h>
#include <string.h>

#include "include/bbprof-samples.h"
#include "runtime/base/base.h"
#include "runtime/base/options.h"

struct bbp_options bbp_options = {
  .fatal_signals = true,
  .start = true,
  .control = true,
  .trace_memory = 64UL << 20,
};

static bool help;

enum kind { SWITCH, SAID, NUMBER, RATE, SIZE, OVERFLOW, CLOCK, TIMELINE, TEXT };

/* The options; each has a line in help=1 and in the manual. */
static const struct option {
  const char *key;
  enum kind kind;
  /* The field: a bool, enum bbp_said, unsigned, unsigned, uint64_t, bool, bool, unsigned,
     char[BBP_OPTION_TEXT]. */
  void *value;
  const char *usage, *help;
} table[] = {
  { "output", TEXT, bbp_options.output, "output=NAME        ",
    "name of the profile; %p: pid, %h: host, %e: program, %b: build id, %n: dump number, %r: MPI "
    "rank, %t: start, %%: percent" },
  { "live", SWITCH, &bbp_options.live, "live=1             ",
    "count in a file that survives kill -9; bbprof recover makes the profile of it" },
  { "checkpoint", NUMBER, &bbp_options.checkpoint, "checkpoint=SECONDS ",
    "write the profile at this interval; 0: only at the end" },
  { "keep", NUMBER, &bbp_options.keep, "keep=N             ",
    "with %n in the name: keep the last N dumps, and remove older ones; 0: keep all" },
  { "min-cpu", NUMBER, &bbp_options.min_cpu, "min-cpu=MS         ",
    "milliseconds; write no profile of a process that used less CPU time, such as configure's "
    "tests" },
  { "signals", SWITCH, &bbp_options.fatal_signals, "signals=0          ",
    "write no profile when a signal ends the program" },
  { "start", SWITCH, &bbp_options.start, "start=0            ",
    "count nothing until bbprof_start () or bbprof control PID start" },
  { "scope", SWITCH, &bbp_options.scope, "scope=1            ",
    "count only inside BBPROF_SCOPE (), and after bbprof_thread (1)" },
  { "control", SWITCH, &bbp_options.control, "control=0          ",
    "do not answer bbprof control" },
  { "select", TEXT, bbp_options.select, "select=WORDS       ",
    "functions to profile, in the syntax of bb.in, with -fplugin-arg-bbprof-ax; select=@FILE: read "
    "them from FILE" },
  { "jumps", SAID, &bbp_options.jumps, "jumps=1            ",
    "count jumps between blocks, with -fplugin-arg-bbprof-ax; the default unless trace=1 or bb.in "
    "is used" },
  { "hidecall", SAID, &bbp_options.hidecall, "hidecall=1         ",
    "jumps: a called function is entered from outside" },
  { "showret", SAID, &bbp_options.showret, "showret=1          ",
    "jumps: also from a function back to its caller" },
  { "trace", SAID, &bbp_options.trace, "trace=1            ",
    "record the order in which blocks are executed, with -fplugin-arg-bbprof-ax" },
  { "window", SIZE, &bbp_options.window, "window=N           ",
    "trace: keep only the last N blocks of each thread; N: 1000, 20k, 5M" },
  { "overflow", OVERFLOW, &bbp_options.overflow_drop, "overflow=drop      ",
    "trace: drop records that cannot be written in time; overflow=wait: slow the program down" },
  { "trace-memory", SIZE, &bbp_options.trace_memory, "trace-memory=BYTES ",
    "trace: size of the buffer for the writer; BYTES: 64M" },
  { "historic", SWITCH, &bbp_options.historic, "historic=1         ",
    "also write bb.out and bbtrace.gz, as bbprof historic does, for units with historic tables" },
  { "record", SWITCH, &bbp_options.record, "record=1           ",
    "sample a program without instrumented code (bbprof record sets it)" },
  { "children", SWITCH, &bbp_options.children, "children=1         ",
    "record: also the programs that it starts" },
  { "recorder", NUMBER, &bbp_options.recorder, "recorder=PID       ",
    "record: pid of bbprof record, which waits for the writer" },
  { "process", NUMBER, &bbp_options.process, "process=PID        ",
    "record: pid of the process that image=N describes" },
  { "image", NUMBER, &bbp_options.image, "image=N            ",
    "record: number of programs that it executed before this one" },
  { "writer", TEXT, bbp_options.writer, "writer=FILE        ",
    "the program that writes traces and the times of samples" },
  { "sum", TEXT, bbp_options.sum, "sum=NAME           ",
    "MPI: name of the sum of all ranks' profiles; none: each rank keeps its own" },
  { "keep-ranks", SWITCH, &bbp_options.keep_ranks, "keep-ranks=1       ",
    "MPI: keep the ranks' own profiles beside the sum" },
  { "command", TEXT, bbp_options.command, "command=FILE       ",
    "MPI: the program bbprof, which adds them up" },
  { "sampler", TEXT, bbp_options.sampler, "sampler=NAME       ",
    "what decides when samples are taken: itimer, thread, ticker, perf, auto" },
  { "clock", CLOCK, &bbp_options.wall, "clock=wall         ",
    "sample by elapsed time; clock=cpu: by CPU time" },
  { "rate", RATE, &bbp_options.rate, "rate=HZ            ", "samples a second" },
  { "stacks", SWITCH, &bbp_options.stacks, "stacks=1           ",
    "record the call stack of each sample" },
  { "times", SWITCH, &bbp_options.times, "times=1            ",
    "record the time of each sample, in gmon.out.bbs" },
  { "raw", TEXT, bbp_options.raw, "raw=FILE           ",
    "write the address of each sample, as a word, to FILE, like old profilers (prof.out)" },
  { "timeline", TIMELINE, &bbp_options.timeline, "timeline=1         ",
    "record which thread ran when (bbprof timeline); timeline=polls: by /proc only" },
  { "periodic", SWITCH, &bbp_options.periodic, "periodic=1         ",
    "ticker: ticks at fixed times, instead of a fixed pause between them" },
  { "weighted", SWITCH, &bbp_options.weighted, "weighted=1         ",
    "ticker: weight each sample by the CPU time since the last one, with clock=cpu" },
  { "signal", NUMBER, &bbp_options.signal, "signal=N           ",
    "number of the signal for samples; 0: an unused one" },
  { "threads", TEXT, bbp_options.threads, "threads=LIST       ",
    "sample only these threads: tids, names, patterns; separated by commas" },
  { "help", SWITCH, &help, "help=1             ", "print this list" },
};
enum { NOPTIONS = sizeof table / sizeof *table };

/* "'ITEM' TEXT", then "; did you mean NEAR=?", which may be null. */
static void
complain (const char *item, size_t length, const char *text, const char *near)
{
  char buffer[BBP_OPTION_TEXT + 192];
  struct bbp_text message = { .buffer = buffer, .size = sizeof buffer };
  bbp_text_string (&message, "'");
  bbp_text_bytes (&message, item, length);
  bbp_text_string (&message, "' ");
  bbp_text_string (&message, text);
  if (near)
    {
      bbp_text_string (&message, "; did you mean ");
      bbp_text_string (&message, near);
      bbp_text_string (&message, "=?");
    }
  bbp_message ("BBPROF_OPTIONS", buffer);
}

/* Accepts only digits, and not more than fit. */
static bool
parse_number (const char *text, size_t length, unsigned *number)
{
  unsigned n = 0;
  if (length == 0 || length > 9)
    return false;
  for (size_t i = 0; i < length; i++)
    {
      if (text[i] < '0' || text[i] > '9')
        return false;
      n = n * 10 + (unsigned) (text[i] - '0');
    }
  *number = n;
  return true;
}

/* Likewise, with an optional suffix k, M or G. */
static bool
parse_size (const char *text, size_t length, uint64_t *size)
{
  static const char units[] = "kMG";
  unsigned number, shift = 0;
  const char *unit = length ? memchr (units, text[length - 1], sizeof units - 1) : NULL;
  if (unit)
    shift = 10 * (unsigned) (unit - units + 1);
  if (!parse_number (text, length - !!unit, &number))
    return false;
  *size = (uint64_t) number << shift;
  return true;
}

static const char *
parse_overflow (const char *text, size_t length, bool *drop)
{
  *drop = length == 4 && strncmp (text, "drop", 4) == 0;
  return *drop || (length == 4 && strncmp (text, "wait", 4) == 0) ? NULL
                                                                  : "must end with drop or wait";
}

static const char *
parse_clock (const char *text, size_t length, bool *wall)
{
  *wall = length == 4 && strncmp (text, "wall", 4) == 0;
  return *wall || (length == 3 && strncmp (text, "cpu", 3) == 0) ? NULL
                                                                 : "must end with cpu or wall";
}

static const char *
parse_timeline (const char *text, size_t length, unsigned *timeline)
{
  unsigned number;
  bool polls = length == 5 && strncmp (text, "polls", 5) == 0;
  if (!polls && (!parse_number (text, length, &number) || number > 1))
    return "must end with 0, 1 or polls";
  *timeline = polls ? BBS_TIMELINE_POLLS : number ? BBS_TIMELINE_AUTO : BBS_TIMELINE_NONE;
  return NULL;
}

/* Set OPTION to VALUE (LENGTH bytes); returns null, or what is wrong with the value. */
static const char *
set (const struct option *option, const char *value, size_t length)
{
  unsigned number;
  switch (option->kind)
    {
    case SWITCH:
      if (!parse_number (value, length, &number) || number > 1)
        return "must end with 0 or 1; options are separated by ':'";
      *(bool *) option->value = number;
      return NULL;
    case SAID:
      if (!parse_number (value, length, &number) || number > 1)
        return "must end with 0 or 1; options are separated by ':'";
      *(enum bbp_said *) option->value = number ? BBP_YES : BBP_NO;
      return NULL;
    case NUMBER:
      return parse_number (value, length, option->value) ? NULL
                                                         : "needs a number of at most 9 digits";
    case RATE:
      if (!parse_number (value, length, &number) || number == 0)
        return "needs a number of samples a second, from 1 on";
      *(unsigned *) option->value = number;
      return NULL;
    case SIZE:
      return parse_size (value, length, option->value)
                 ? NULL
                 : "needs a number, such as 1000, 20k, 5M or 1G";
    case OVERFLOW: return parse_overflow (value, length, option->value);
    case CLOCK: return parse_clock (value, length, option->value);
    case TIMELINE: return parse_timeline (value, length, option->value);
    case TEXT: break;
    }
  if (length == 0 || length >= BBP_OPTION_TEXT)
    return length ? "is too long (at most 1023 bytes)" : "is empty";
  bbp_copy_bytes (option->value, value, length);
  ((char *) option->value)[length] = '\0';
  return NULL;
}

static const struct option *
find (const char *key, size_t length)
{
  for (int i = 0; i < NOPTIONS; i++)
    if (strlen (table[i].key) == length && strncmp (table[i].key, key, length) == 0)
      return &table[i];
  return NULL;
}

/* Do two keys differ by one letter more, fewer or other, or by two that are exchanged? */
static bool
is_near (const char *a, size_t na, const char *b, size_t nb)
{
  size_t longer = na > nb ? na : nb, shorter = na + nb - longer, head = 0, tail = 0;
  while (head < shorter && a[head] == b[head])
    head++;
  while (tail < shorter - head && a[na - 1 - tail] == b[nb - 1 - tail])
    tail++;
  size_t rest = longer - head - tail;
  return longer > 2
         && (rest <= 1
             || (rest == 2 && na == nb && a[head] == b[head + 1] && a[head + 1] == b[head]));
}

/* The key that was probably meant; null: none. */
static const char *
find_near (const char *key, size_t length)
{
  for (int i = 0; i < NOPTIONS; i++)
    if (is_near (key, length, table[i].key, strlen (table[i].key)))
      return table[i].key;
  return NULL;
}

static void
parse_item (const char *item, size_t length)
{
  const char *equals = memchr (item, '=', length);
  size_t key = equals ? (size_t) (equals - item) : length;
  const struct option *option = find (item, key);
  if (!option || !equals)
    {
      complain (item, length,
                equals ? "is not an option (help=1 lists them)" : "is not of the form key=value",
                option ? option->key : find_near (item, key));
      return;
    }
  const char *wrong = set (option, equals + 1, length - (size_t) (equals + 1 - item));
  if (wrong)
    complain (item, length, wrong, NULL);
}

static void
print_help (void)
{
  bbp_message_line (
      "bbprof: BBPROF_OPTIONS=KEY=VALUE:KEY=VALUE... sets options of a profiled program:");
  for (int i = 0; i < NOPTIONS; i++)
    {
      char buffer[256];
      struct bbp_text line = { .buffer = buffer, .size = sizeof buffer };
      bbp_text_string (&line, "  ");
      bbp_text_string (&line, table[i].usage);
      bbp_text_string (&line, table[i].help);
      bbp_message_line (buffer);
    }
}

/* The length up to the next colon outside of quotation marks, which select= may contain. */
static size_t
length_of_item (const char *item)
{
  bool quoted = false;
  size_t n = 0;
  for (; item[n] && (quoted || item[n] != ':'); n++)
    quoted ^= item[n] == '"';
  return n;
}

/* Parse the items up to END. */
static void
parse (const char *item, const char *end)
{
  while (item < end)
    {
      size_t length = length_of_item (item);
      if (length)
        parse_item (item, length);
      item += length;
      item += *item == ':';
    }
}

/* The options of bbprof record end with an empty item. */
size_t
bbp_options_of_record (const char *value)
{
  static const char wanted[] = "record=1";
  const char *item = value;
  bool found = false;
  for (size_t length; *item; item += *item == ':')
    {
      length = length_of_item (item);
      if (length == 0 && item > value)
        return found ? (size_t) (item - 1 - value) : 0;
      found |= length == sizeof wanted - 1 && strncmp (item, wanted, length) == 0;
      item += length;
    }
  return found ? (size_t) (item - value) : 0;
}

/* Once, so that each mistake is reported once. bbprof record's options override the user's. */
void
bbp_options_read (void)
{
  static bool read;
  if (read)
    return;
  read = true;
  /* Not getenv: the program may define its own. */
  const char *value = secure_getenv ("BBPROF_OPTIONS");
  size_t ours = value ? bbp_options_of_record (value) : 0;
  if (ours || bbp_record_is_preloaded ())
    {
      bbp_options.record = bbp_options.stacks = bbp_options.times = true;
      bbp_copy_bytes (bbp_options.sampler, "auto", sizeof "auto");
    }
  if (value)
    {
      parse (value + ours, value + strlen (value));
      parse (value, value + ours);
    }
  bbp_options.times |= bbp_options.timeline != BBS_TIMELINE_NONE; /* both go into one file */
  if (help)
    print_help ();
}

/* Exact counts remain, and the process timer that the histogram of gmon.out needs. */
void
bbp_options_forgo_samples (void)
{
  bool asked = bbp_options.stacks || bbp_options.times || *bbp_options.sampler || bbp_options.wall
               || bbp_options.rate;
  if (asked && !bbp_options.record)
    bbp_message ("BBPROF_OPTIONS",
                 "valgrind emulates the processor: neither stacks nor times are sampled");
  bbp_options.stacks = bbp_options.times = bbp_options.wall = false;
  bbp_options.timeline = BBS_TIMELINE_NONE;
  bbp_copy_bytes (bbp_options.sampler, "itimer", sizeof "itimer");
  bbp_options.rate = bbp_options.signal = 0;
}
