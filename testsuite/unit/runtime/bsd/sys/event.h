/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of BSD's <sys/event.h> that the run-time library uses, for a test on systems without
   it (kqueue_test.c).  Names and meanings are those of kqueue(2); the values do not matter. */
#ifndef BSD_SYS_EVENT_H
#define BSD_SYS_EVENT_H

#include <stdint.h>
#include <time.h>

struct kevent {
  uintptr_t ident;
  short filter;
  unsigned short flags;
  unsigned int fflags;
  int64_t data;
  void *udata;
};

enum { EVFILT_TIMER = -7, EVFILT_USER = -11 };
enum { EV_ADD = 0x1, EV_ONESHOT = 0x10, EV_CLEAR = 0x20, EV_ERROR = 0x4000 };
#define NOTE_NSECONDS 0x8U
#define NOTE_TRIGGER 0x1000000U

#define EV_SET(event, ident_, filter_, flags_, fflags_, data_, udata_) \
  (*(event) = (struct kevent) { (ident_), (filter_), (flags_), (fflags_), (data_), (udata_) })

int kqueue (void);
int kevent (int queue, const struct kevent *changes, int nchanges, struct kevent *events,
            int nevents, const struct timespec *limit);

#endif
