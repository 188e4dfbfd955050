// SPDX-License-Identifier: GPL-3.0-or-later
#include "places.h"
#include "ends.h"
#include <signal.h>
#include <sys/syscall.h>

APART void
deep (int n)
{
  FROM (between);
  if (n)
    {
      AT (deep_end);
      switch (way)
        {
        case 'e':
          AT (deep_exit);
          exit (4);
        case '_':
          AT (deep__exit);
          _exit (4);
        case 'q':
          AT (deep_quick_exit);
          quick_exit (4);
        case 'a':
          AT (deep_abort);
          abort ();
        case 's':
          AT (deep_fault);
          if (zero == 0)
            *(volatile int *)0 = 1;
          AT (deep_fault_behind);
          break;
        case 'd':
          AT (deep_divide);
          if (way / zero)
            AT (deep_divided);
          else
            AT (deep_not_divided);
          break;
        case 'i':
          AT (deep_trap);
          __builtin_trap ();
        case 't':
          AT (deep_term);
          raise (SIGTERM);
          AT (deep_term_behind);
          break;
        case 'k':
          AT (deep_kill);
          kill (getpid (), SIGKILL);
          AT (deep_kill_behind);
          break;
        case 'K':
          AT (deep_bare_kill);
          syscall (SYS_tgkill, getpid (), getpid (), SIGKILL);
          AT (deep_bare_kill_behind);
          break;
        case 'p':
          AT (deep_pthread_exit);
          pthread_exit (0);
        default:
          AT (deep_no_end);
        }
    }
  AT (deep_return);
  note (n);
}
