/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small Scheme: a compiler to code for a stack machine, the machine, and a garbage collector.  It
   tells bbprof which functions it executes, as a model for other interpreters.

     scheme PROGRAM handler|late|rubbish

   handler: the frames are read in the signal's handler; late: they are told at the next safe point;
   rubbish: they are none of the program's.  The primitive (tick N) takes N samples and notes the
   stack.  At the end all are printed: "TICKS main:3;f:7", the outermost first. */
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BBPROF_OPTIONAL
#include "include/bbprof.h"
#include "self_tick.h"
#include "tick.h"

/* Numbers are odd; a pair is twice its index in the heap; 0 is the empty list. */
typedef int64_t value;
enum { HEAP = 128, STACK = 1 << 16, FRAMES = 1 << 14, FUNCTIONS = 64, CODE = 4096, NAME = 16 };
#define NUMBER(n) ((value) ((uint64_t) (n) << 1 | 1))
#define INT(v) ((v) >> 1)

enum op { CONSTANT, ARGUMENT, CALL, PRIMITIVE, BRANCH, GOTO, DROP, RETURN };
static struct instruction {
  enum op op;
  int a, n, line; /* operand; number of arguments */
} code[CODE];
static int ncode;

static struct function {
  char name[NAME];
  char arguments[8][NAME];
  int narguments, line, start;
} functions[FUNCTIONS];
static int nfunctions;

/* The machine.  A frame is complete before DEPTH includes it, so a handler may read it. */
static value stack[STACK];
static int top;
static struct frame {
  const struct function *function;
  int pc, base;
  const void *native; /* of the C function that executes it */
} frames[FRAMES];
static volatile int depth;
static volatile sig_atomic_t collects, told_late;
static const char *file, *mode;

static void
fail (const char *what)
{
  fprintf (stderr, "scheme: %s\n", what);
  exit (1);
}

/* The interface to bbprof. */

static struct bbprof_frame told[FRAMES];

static void
read_frame (struct bbprof_frame *to, const struct frame *frame)
{
  *to = (struct bbprof_frame) { (unsigned long) (frame->function - functions) + 1,
                                (unsigned) code[frame->pc].line, frame->native };
}

static void
in_handler (struct bbprof_stack *asked)
{
  int now = depth;
  asked->collects = collects;
  if (strcmp (mode, "late") == 0)
    asked->late = told_late = 1;
  else if (strcmp (mode, "rubbish") == 0)
    for (; asked->n < 9; asked->n++)
      asked->frames[asked->n] = (struct bbprof_frame) {
        (unsigned long[]) { 0, ~0UL, 1UL << 56, 5000, 1, 2, 3, 6000, 0 }[asked->n], 1, &asked
      };
  else
    for (; asked->n < now && asked->n < asked->room; asked->n++)
      read_frame (&asked->frames[asked->n], &frames[now - 1 - asked->n]);
  if (strcmp (mode, "rubbish") != 0)
    asked->n = now;
}

static int
describe (unsigned long function, unsigned position, struct bbprof_function *to)
{
  if (function > (unsigned long) nfunctions)
    return 0;
  const struct function *f = &functions[function - 1];
  *to = (struct bbprof_function) { f->name, file, (unsigned) f->line, position };
  return 1;
}

static struct bbprof_language scheme
    = { .name = "scheme", .frames = in_handler, .describe = describe };

static void
safe_point (void)
{
  if (!told_late)
    return;
  told_late = 0;
  for (int i = 0; i < depth; i++)
    read_frame (&told[i], &frames[depth - 1 - i]);
  bbprof_language_late (&scheme, told, depth);
}

/* The expected samples. */

static struct {
  char *text;
  int ticks;
} truth[256];
static int ntruth;

static void
note (int ticks)
{
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream (&text, &size);
  int i = 0;
  for (int k = 0; k < depth; k++)
    fprintf (out, "%s%s:%d", k ? ";" : "", frames[k].function->name, code[frames[k].pc].line);
  fputs (collects ? ";[garbage collection]:0" : "", out);
  fclose (out);
  while (i < ntruth && strcmp (truth[i].text, text) != 0)
    i++;
  if (i == ntruth)
    truth[ntruth++].text = text;
  truth[i].ticks += ticks;
  tick (ticks);
}

/* Pairs. */

static struct {
  value car, cdr;
  bool marked, used;
} heap[HEAP];

static void
mark (value v)
{
  for (; v && !(v & 1) && !heap[v / 2].marked; v = heap[v / 2].cdr)
    {
      heap[v / 2].marked = true;
      mark (heap[v / 2].car);
    }
}

__attribute__ ((noinline)) static void
collect (void)
{
  collects = 1;
  for (int i = 0; i < top; i++)
    mark (stack[i]);
  note (1);
  for (int i = 1; i < HEAP; i++)
    {
      heap[i].used = heap[i].marked;
      heap[i].marked = false;
    }
  collects = 0;
}

__attribute__ ((noinline)) static value
cons (value car, value cdr)
{
  for (int try = 0; try < 2; try++, collect ())
    for (int i = 1; i < HEAP; i++)
      if (!heap[i].used)
        {
          heap[i].used = true;
          heap[i].car = car;
          heap[i].cdr = cdr;
          return 2 * i;
        }
  fail ("the heap is full");
  return 0;
}

/* Execution. */

static value run (const struct function *);
static int find_function (const char *name);

static const char *const primitives[]
    = { "+", "-", "*", "<", "cons", "car", "cdr", "null?", "tick", "native" };

__attribute__ ((noinline)) static value
primitive (int which, const value *a)
{
  switch (which)
    {
    case 0: return NUMBER (INT (a[0]) + INT (a[1]));
    case 1: return NUMBER (INT (a[0]) - INT (a[1]));
    case 2: return NUMBER (INT (a[0]) * INT (a[1]));
    case 3: return NUMBER (INT (a[0]) < INT (a[1]));
    case 4: return cons (a[0], a[1]);
    case 5: return heap[a[0] / 2].car;
    case 6: return heap[a[0] / 2].cdr;
    case 7: return NUMBER (!a[0]);
    case 8: note ((int) INT (a[0])); return a[0];
    default: /* (native F X): a native function calls F, by a machine of its own */
      stack[top++] = a[1];
      return run (&functions[INT (a[0])]);
    }
}

static void
enter (const struct function *f, const void *native)
{
  if (depth == FRAMES)
    fail ("too deep");
  frames[depth] = (struct frame) { f, f->start, top - f->narguments, native };
  __atomic_signal_fence (__ATOMIC_SEQ_CST);
  depth++;
}

/* Its arguments are on the stack. */
__attribute__ ((noinline)) static value
run (const struct function *f)
{
  volatile int first = depth;
  for (enter (f, (const void *) &first);; safe_point ())
    {
      struct frame *frame = &frames[depth - 1];
      const struct instruction *i = &code[frame->pc];
      value result;
      switch (i->op)
        {
        case CONSTANT: stack[top++] = i->a; break;
        case ARGUMENT: stack[top++] = stack[frame->base + i->a]; break;
        case CALL: enter (&functions[i->a], (const void *) &first); continue;
        case PRIMITIVE:
          result = primitive (i->a, &stack[top - i->n]);
          safe_point (); /* while the frame says where the samples were taken */
          top -= i->n;
          stack[top++] = result;
          break;
        case BRANCH: frame->pc = INT (stack[--top]) ? frame->pc : i->a - 1; break;
        case GOTO: frame->pc = i->a - 1; break;
        case DROP: top--; break;
        case RETURN:
          result = stack[top - 1];
          top = frame->base;
          if (--depth == first)
            return result;
          stack[top++] = result;
          frame--;
          frame->pc++;
          continue;
        }
      frame->pc++;
    }
}

/* The compiler. */

static const char *text;
static int line = 1;

static char
peek (void)
{
  for (; *text == ' ' || *text == '\n'; text++)
    line += *text == '\n';
  return *text;
}

static void
word (char to[NAME])
{
  int n = 0;
  for (peek (); !strchr (" \n()", *text) && n < NAME - 1; text++)
    to[n++] = *text;
  to[n] = '\0';
}

static int
emit (enum op op, int a, int n, int at)
{
  code[ncode] = (struct instruction) { op, a, n, at };
  return ncode++;
}

static int
find_function (const char *name)
{
  int i = 0;
  while (i < nfunctions && strcmp (functions[i].name, name) != 0)
    i++;
  if (i == nfunctions)
    strcpy (functions[nfunctions++].name, name);
  return i;
}

static int
find_primitive (const char *name)
{
  int i = 0;
  while (i < 10 && strcmp (primitives[i], name) != 0)
    i++;
  return i < 10 ? i : -1;
}

static void
atom (const struct function *f)
{
  char name[NAME];
  word (name);
  for (int i = 0; i < f->narguments; i++)
    if (strcmp (f->arguments[i], name) == 0)
      {
        emit (ARGUMENT, i, 0, line);
        return;
      }
  char *end;
  long number = strtol (name, &end, 10);
  emit (CONSTANT,
        strcmp (name, "nil") == 0 ? 0 : (int) NUMBER (*end ? find_function (name) : number), 0,
        line);
}

static void
expression (const struct function *f)
{
  char name[NAME];
  int at = line, n = 0;
  if (peek () != '(')
    {
      atom (f);
      return;
    }
  text++;
  at = line;
  word (name);
  if (strcmp (name, "if") == 0)
    {
      expression (f);
      int branch = emit (BRANCH, 0, 0, at);
      expression (f);
      int out = emit (GOTO, 0, 0, at);
      code[branch].a = ncode;
      expression (f);
      code[out].a = ncode;
    }
  else
    {
      for (; peek () != ')'; n++)
        expression (f);
      int which = find_primitive (name);
      emit (which < 0 ? CALL : PRIMITIVE, which < 0 ? find_function (name) : which, n, at);
    }
  if (peek () != ')')
    fail ("a ) is missing");
  text++;
}

/* (define (NAME ARGUMENT...) EXPRESSION...) */
static void
definition (void)
{
  char name[NAME];
  text += strlen ("(define (");
  word (name);
  struct function *f = &functions[find_function (name)];
  f->line = line;
  f->start = ncode;
  while (peek () != ')')
    word (f->arguments[f->narguments++]);
  for (text++; peek () != ')'; emit (DROP, 0, 0, line))
    expression (f);
  text++;
  code[ncode - 1].op = RETURN;
}

int
main (int argc, char **argv)
{
  static char source[65536];
  FILE *in = argc == 3 ? fopen (argv[1], "r") : NULL;
  if (!in || fread (source, 1, sizeof source - 1, in) == 0)
    fail ("PROGRAM handler|late|rubbish");
  fclose (in);
  file = argv[1];
  mode = argv[2];
  for (text = source; peek ();)
    definition ();
  if (bbprof_language && bbprof_language (&scheme) != 0)
    fail ("bbprof refuses the language");
  stop_timer ();
  value result = run (&functions[find_function ("main")]);
  for (int i = 0; i < ntruth; i++)
    printf ("%d %s\n", truth[i].ticks, truth[i].text);
  fprintf (stderr, "%ld\n", (long) INT (result));
  return 0;
}
