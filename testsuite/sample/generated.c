/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small compiler at run time, which describes its code in a perf map, a jitdump, or both, as its
   first argument says: map, jitdump, both; damaged: a map with two lines that are none.  The
   second: how long each phase takes, in milliseconds.  With a third one it kills itself at the
   end.

   Prints how long each function ran: alpha, then at its address beta; gamma, which moved; lined,
   whose loops are in lines 11 and 22. */
#include "clocks.h"

#include <elf.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* push %rbp; mov %rsp,%rbp; a loop of %rdi rounds; a loop of %rsi rounds; pop %rbp; ret */
static const unsigned char loops[] = { 0x55, 0x48, 0x89, 0xe5, 0x48, 0xff, 0xcf, 0x75, 0xfb,
                                       0x48, 0xff, 0xce, 0x75, 0xfb, 0x5d, 0xc3 };
enum { FIRST_LOOP = 4, SECOND_LOOP = 9, CODE = sizeof loops, PLACE = 256 };

/* push %rbp; mov %rsp,%rbp; call *%rdx; pop %rbp; ret */
static const unsigned char calls[] = { 0x55, 0x48, 0x89, 0xe5, 0xff, 0xd2, 0x5d, 0xc3 };

/* As interpreters call:
   push %rbp; mov %rsp,%rbp; lea 3(%rip),%rax; push %rax; jmp *%rdx; pop %rbp; ret */
static const unsigned char pushes[] = { 0x55, 0x48, 0x89, 0xe5, 0x48, 0x8d, 0x05, 0x03,
                                        0x00, 0x00, 0x00, 0x50, 0xff, 0xe2, 0x5d, 0xc3 };

static unsigned char *memory;
static FILE *map, *jitdump;

static void
put (uint64_t value, size_t bytes)
{
  fwrite (&value, 1, bytes, jitdump);
}

static void
put_head (uint32_t kind, size_t bytes)
{
  put (kind, 4);
  put (16 + bytes, 4);
  put ((uint64_t) now (WALL), 8);
}

static void
begin_jitdump (void)
{
  char name[40];
  const uint32_t head[] = { 0x4a695444, 1, 40, EM_X86_64, 0, (uint32_t) getpid () };
  snprintf (name, sizeof name, "jit-%d.dump", (int) getpid ());
  jitdump = fopen (name, "w+");
  fwrite (head, sizeof head, 1, jitdump);
  put ((uint64_t) now (WALL), 8);
  put (0, 8);
  fflush (jitdump);
  /* This is how profilers find it. */
  if (mmap (NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fileno (jitdump), 0) == MAP_FAILED)
    exit (3);
}

static void
begin_map (void)
{
  char name[40];
  snprintf (name, sizeof name, "/tmp/perf-%d.map", (int) getpid ());
  map = fopen (name, "w");
}

static void
describe (const unsigned char *code, const char *name)
{
  if (map)
    fprintf (map, "%lx %x %s\n", (unsigned long) code, CODE, name);
  if (jitdump)
    {
      put_head (0, 40 + strlen (name) + 1 + CODE);
      put ((uint64_t) getpid () << 32 | (uint64_t) getpid (), 8);
      put ((uint64_t) code, 8);
      put ((uint64_t) code, 8);
      put (CODE, 8);
      put (1, 8);
      fwrite (name, 1, strlen (name) + 1, jitdump);
      fwrite (code, 1, CODE, jitdump);
    }
}

static void
describe_lines (const unsigned char *code)
{
  static const char file[] = "/src/lined.lang";
  static const struct {
    unsigned offset, line;
  } lines[] = { { 0, 10 }, { FIRST_LOOP, 11 }, { SECOND_LOOP, 22 } };
  if (!jitdump)
    return;
  put_head (2, 16 + 3 * (16 + sizeof file));
  put ((uint64_t) code, 8);
  put (3, 8);
  for (int i = 0; i < 3; i++)
    {
      put ((uint64_t) code + lines[i].offset, 8);
      put (lines[i].line, 4);
      put (0, 4);
      fwrite (file, 1, sizeof file, jitdump);
    }
}

static void
describe_move (const unsigned char *from, const unsigned char *to, const char *name)
{
  if (map)
    fprintf (map, "%lx %x %s\n", (unsigned long) to, CODE, name);
  if (jitdump)
    {
      put_head (1, 48);
      put ((uint64_t) getpid () << 32 | (uint64_t) getpid (), 8);
      put ((uint64_t) to, 8);
      put ((uint64_t) from, 8);
      put ((uint64_t) to, 8);
      put (CODE, 8);
      put (1, 8);
    }
}

static void
flush (void)
{
  if (map)
    fflush (map);
  if (jitdump)
    fflush (jitdump);
}

/* Runs CODE for a while, below the code at FROM; returns for how long: nanoseconds. */
static long
run (const unsigned char *from, const unsigned char *code, long milliseconds)
{
  void (*caller) (long, long, const void *)
      = (void (*) (long, long, const void *)) (uintptr_t) from;
  long took = 0;
  flush ();
  while (took < milliseconds * 1000000)
    TIMED (CPU, took, caller (200000, 400000, code));
  return took;
}

int
main (int argc, char **argv)
{
  const char *form = argc > 1 ? argv[1] : "both";
  const long phase = argc > 2 ? atol (argv[2]) : 500;
  memory = mmap (NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                 0);
  if (memory == MAP_FAILED)
    return 3;
  if (strcmp (form, "jitdump") != 0)
    begin_map ();
  if (strcmp (form, "jitdump") == 0 || strcmp (form, "both") == 0)
    begin_jitdump ();
  for (int i = 0; i < 4; i++)
    memcpy (memory + i * PLACE, loops, sizeof loops);
  const unsigned char *caller = memcpy (memory + 8 * PLACE, calls, sizeof calls),
                      *interpreter = memcpy (memory + 9 * PLACE, pushes, sizeof pushes);
  if (strcmp (form, "damaged") == 0)
    fputs ("this is no line of a map\n", map);
  describe (caller, "caller");
  describe (interpreter, "interpreter");
  describe (memory, "alpha");
  printf ("alpha %ld\n", run (caller, memory, phase));
  describe (memory, "beta");
  printf ("beta %ld\n", run (caller, memory, phase));
  describe (memory + PLACE, "gamma");
  long gamma = run (caller, memory + PLACE, phase);
  describe_move (memory + PLACE, memory + 2 * PLACE, "gamma");
  gamma += run (caller, memory + 2 * PLACE, phase);
  printf ("gamma %ld\n", gamma);
  describe_lines (memory + 3 * PLACE);
  describe (memory + 3 * PLACE, "lined");
  printf ("lined %ld\n", run (interpreter, memory + 3 * PLACE, phase));
  if (strcmp (form, "damaged") == 0)
    fputs ("7f00", map);
  flush ();
  if (argc > 3)
    raise (SIGKILL);
  return 0;
}
