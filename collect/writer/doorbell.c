/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <pthread.h>
#include <signal.h>

#include "collect/writer/doorbell.h"

enum { PATIENCE_MS = 10000 }; /* limit of one wait; the caller's loop waits again */

static pthread_t writer;
static unsigned heard; /* last value of the doorbell; used by the listener once that runs */

/* Interrupts the writer's system call; nothing else. */
static void
wake (int signal_number)
{
  (void) signal_number;
}

static void *
listen (void *rings)
{
  struct rings *r = rings;
  for (;;)
    {
      rings_wait (r, heard, PATIENCE_MS);
      const unsigned now = atomic_load (&r->head->doorbell);
      if (now != heard)
        pthread_kill (writer, SIGUSR1);
      heard = now;
    }
  return NULL;
}

/* The process started the writer with all signals blocked, so SIGUSR1 is unblocked here. */
bool
doorbell_listen (struct rings *r)
{
  const struct sigaction action = { .sa_handler = wake };
  pthread_t listener;
  sigset_t ours;
  sigemptyset (&ours);
  sigaddset (&ours, SIGUSR1);
  writer = pthread_self ();
  heard = atomic_load (&r->head->doorbell);
  return sigaction (SIGUSR1, &action, NULL) == 0 && pthread_sigmask (SIG_UNBLOCK, &ours, NULL) == 0
         && pthread_create (&listener, NULL, listen, r) == 0;
}
