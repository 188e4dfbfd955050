/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Primes.  Owned by prime.c; main.c calls it.  */
#ifndef PRIME_H
#define PRIME_H

#include <stdbool.h>

bool is_prime (unsigned number);

#endif
