// SPDX-License-Identifier: GPL-3.0-or-later
// The program of lib.sh in D.
import core.stdc.stdio;
import core.thread;

shared int sum;

extern (C):

void caught () { sum = 1; }
int others (int n) { return n + 1; }

int fourth (int n)
{
  if (n % 20 == 0)
    throw new Exception ("twentieth");
  return n;
}

int choose (int n)
{
  if (n % 4 == 0)
    return fourth (n) + 1;
  return others (n) - 1;
}

void work_ ()
{
  int s = 0;
  for (int n = 0; n < 1000; n++)
    try
      s += choose (n);
    catch (Exception)
      caught ();
  sum = s;
}

extern (D):

void main ()
{
  Thread[4] threads;
  foreach (ref thread; threads)
    thread = new Thread ({ work_ (); }).start ();
  foreach (thread; threads)
    thread.join ();
  printf ("%d\n", sum);
}
