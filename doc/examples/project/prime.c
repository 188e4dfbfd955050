/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells primes by trial division.  */
#include "prime.h"

bool
is_prime (unsigned number)
{
  if (number < 2)
    return false;
  for (unsigned divisor = 2; divisor * divisor <= number; divisor++)
    if (number % divisor == 0)
      return false;
  return true;
}
