/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts the primes up to a limit: the program of the how-to pages on build systems.

     primes [LIMIT]  */
#include <stdio.h>
#include <stdlib.h>

#include "prime.h"

int
main (int argc, char **argv)
{
  unsigned limit = argc > 1 ? (unsigned) atoi (argv[1]) : 10000;
  unsigned primes = 0;
  for (unsigned number = 1; number <= limit; number++)
    primes += is_prime (number);
  printf ("%u primes\n", primes);
  return 0;
}
