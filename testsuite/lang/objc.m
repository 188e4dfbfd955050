// SPDX-License-Identifier: GPL-3.0-or-later
// The program of lib.sh in Objective-C: messages and exceptions.
#include <objc/Object.h>
#include <objc/runtime.h>
#include <pthread.h>
#include <stdio.h>

static volatile int sum;

@interface Worker : Object
- (int) others: (int) n;
- (int) fourth: (int) n;
- (int) choose: (int) n;
- (void) caught;
- (void) work;
@end

@implementation Worker
- (void) caught
{
  sum = 1;
}

- (int) others: (int) n
{
  return n + 1;
}

- (int) fourth: (int) n
{
  if (n % 20 == 0)
    @throw self;
  return n;
}

- (int) choose: (int) n
{
  if (n % 4 == 0)
    return [self fourth: n] + 1;
  return [self others: n] - 1;
}

- (void) work
{
  int s = 0;
  for (int n = 0; n < 1000; n++)
    @try
      {
        s += [self choose: n];
      }
    @catch (id thrown)
      {
        [thrown caught];
      }
  sum = s;
}
@end

static void *
begin (void *worker)
{
  [(Worker *) worker work];
  return NULL;
}

int
main (void)
{
  pthread_t threads[4];
  for (int i = 0; i < 4; i++)
    if (pthread_create (&threads[i], NULL, begin,
                        class_createInstance (objc_getClass ("Worker"), 0)))
      return 1;
  for (int i = 0; i < 4; i++)
    pthread_join (threads[i], NULL);
  printf ("%d\n", sum);
  return 0;
}
