/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program without libc: its own start, raw system calls.  Writes a gmon.out to descriptor 3, if
   that is open: work (10) and work (1000), step () once for each i that is not 0 modulo 3, by a
   pointer for the even ones; the unit of freestanding-old.S if there is one.  With an argument of
   two letters the writer takes only a part; with three there is too little memory. */
#include "bbprof-freestanding.h"

#define OUTSIDE __attribute__ ((no_instrument_function))
#define NEVER_INLINE __attribute__ ((noipa))

OUTSIDE static long
system_call (long number, long a, long b, long c)
{
  long result;
  asm volatile ("syscall"
               : "=a"(result)
               : "a"(number), "D"(a), "S"(b), "d"(c)
               : "rcx", "r11", "memory");
  return result;
}

volatile long sum;

NEVER_INLINE void
step (long i)
{
  sum += i;
}

NEVER_INLINE void
(*by_pointer (void)) (long)
{
  return step;
}

NEVER_INLINE long
work (long n)
{
  for (long i = 0; i < n; i++)
    if (i % 3)
      {
        if (i % 2)
          step (i);
        else
          by_pointer () (i);
      }
  return n;
}

long old_work (long n) __attribute__ ((weak));

/* Instrumented on purpose: what it counts comes too late. */
NEVER_INLINE static long
write_all (void *context, const void *bytes, size_t n)
{
  if (context)
    return (long) n / 2;
  for (size_t done = 0; done < n;)
    {
      long written = system_call (1, 3, (long) bytes + (long) done, (long) (n - done));
      if (written <= 0)
        return (long) done;
      done += (size_t) written;
    }
  return (long) n;
}

static long memory[8192];

OUTSIDE static int
length (const char *text)
{
  int n = 0;
  while (text[n])
    n++;
  return n;
}

/* In the place of the loader, for a position-independent program; compiled so that it needs nothing
   of what it does. */
#ifdef MOVES
#include <elf.h>
extern const Elf64_Ehdr __ehdr_start __attribute__ ((visibility ("hidden")));
extern const Elf64_Dyn _DYNAMIC[] __attribute__ ((visibility ("hidden")));

OUTSIDE static void
relocate (void)
{
  char *base = (char *) &__ehdr_start;
  const Elf64_Rela *relocation = 0;
  unsigned long bytes = 0;
  for (const Elf64_Dyn *entry = _DYNAMIC; entry->d_tag != DT_NULL; entry++)
    if (entry->d_tag == DT_RELA)
      relocation = (const Elf64_Rela *) (base + entry->d_un.d_ptr);
    else if (entry->d_tag == DT_RELASZ)
      bytes = entry->d_un.d_val;
  for (; bytes; bytes -= sizeof *relocation, relocation++)
    *(char **) (base + relocation->r_offset) = base + relocation->r_addend;
}
#endif

#ifdef CONSTRUCTORS
extern void (*const __init_array_start[]) (void) __attribute__ ((visibility ("hidden")));
extern void (*const __init_array_end[]) (void) __attribute__ ((visibility ("hidden")));
#endif

__attribute__ ((used)) OUTSIDE static void
begin (long *stack)
{
#ifdef MOVES
  relocate ();
#endif
  int argument = stack[0] > 1 ? length ((const char *) stack[2]) : 0;
#ifdef CONSTRUCTORS
  for (void (*const *constructor) (void) = __init_array_start; constructor < __init_array_end;
       constructor++)
    (*constructor) ();
#endif
  work (10);
  work (1000);
  if (old_work)
    old_work (10);
  size_t size = bbprof_counts_memory ();
  int result = size > sizeof memory ? 99
                                    : bbprof_write_counts (write_all, argument == 2 ? memory : 0,
                                                           memory, argument == 3 ? size - 8 : size);
  system_call (60, -result, 0, 0);
}

asm (".globl _start\n_start:\n\txorl\t%ebp, %ebp\n\tmovq\t%rsp, %rdi\n"
    "\tandq\t$-16, %rsp\n\tcall\tbegin\n");
