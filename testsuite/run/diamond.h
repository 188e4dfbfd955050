/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For running.c and windows/running.c: code with branches, which running.py judges. */
#ifndef DIAMOND_H
#define DIAMOND_H

volatile int never;

/* Each way of a branch calls a function of its own, so that it has a name. */
#define FUNCTION(name)                          \
  __attribute__ ((noipa)) void name (void);     \
  void name (void) { __asm__ volatile ("nop"); }
FUNCTION (head)
FUNCTION (odd)
FUNCTION (even)
FUNCTION (tail)
FUNCTION (not_executed)
FUNCTION (through_pointer)

__attribute__ ((noipa)) static void
diamond (unsigned n)
{
  void (*volatile pointer) (void) = through_pointer;
  head ();
  if (n & 1)
    odd ();
  else
    even ();
  if (never)
    not_executed ();
  pointer ();
  tail ();
}

/* The same without calls: the truth says which count belongs to what. */
__attribute__ ((noipa)) static unsigned
plain (unsigned n)
{
  __asm__ volatile ("nop");
  if (n & 1)
    __asm__ volatile ("nop; nop" : "+r"(n));
  else
    __asm__ volatile ("nop; nop; nop" : "+r"(n));
  if (never)
    __asm__ volatile ("nop; nop; nop; nop" : "+r"(n));
  return n;
}

#endif
