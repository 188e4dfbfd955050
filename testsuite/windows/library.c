/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A DLL with one function, called NAME. */
#define EXPORT __declspec (dllexport)

static volatile unsigned long work;

EXPORT void NAME (long units);

EXPORT void
NAME (long units)
{
  for (long i = 0; i < units * 1000; i++)
    work += (unsigned long) i;
}
