/* SPDX-License-Identifier: MIT */
/* The protocol between `bbprof control' and the run-time library in another process.  Valid C11
   and C++11.

   A command is a queued signal (rt_sigqueueinfo) with a value, so the kernel decides which
   processes may send it: those of the same user.  The signal is one that is ignored by default:
   it harms no process, whichever program runs there when it arrives.  The answer is one datagram
   to a socket of the sender in the abstract namespace.  The kernel has named that socket
   (unix(7), autobind): five hexadecimal digits, which fit into the signal's value.  This needs
   neither file system nor /proc, and the kernel tells the receiver which process sent the
   answer.

   A program may handle that signal itself, and must not get it then.  So the sender checks
   first: while the library accepts commands, a page of its memory is read-only in
   /proc/PID/maps.  A note in the library's file gives the position of that page. */
#ifndef BBPROF_CONTROL_H
#define BBPROF_CONTROL_H

#include <signal.h>
#include <stdint.h>

/* A command has si_code SI_QUEUE and the magic number; other signals are ignored. */
#define BBC_SIGNAL SIGURG

enum bbc_command { BBC_START, BBC_STOP, BBC_RESET, BBC_DUMP, BBC_STATUS };

/* The signal's value: magic number, command, socket. */
#define BBC_MAGIC 0x6262706cU
#define BBC_VALUE(command, socket) \
  ((uint64_t) BBC_MAGIC << 32 | (uint64_t) (command) << 20 | (socket))
#define BBC_HAS_MAGIC(value) ((value) >> 32 == BBC_MAGIC)
#define BBC_COMMAND(value) ((unsigned) ((value) >> 20 & 0xfff))
#define BBC_SOCKET(value) ((unsigned) ((value) &0xfffff))
#define BBC_SOCKET_DIGITS 5

/* The answer: one of these characters, then one line of text without newline. */
#define BBC_DONE '+'
#define BBC_FAILED '-' /* the line gives the reason */
#define BBC_BUSY '?'   /* nothing was done: the library is busy; try again */
#define BBC_MOST_ANSWER 8192

/* The note has this name and type.  It contains an int32_t: the distance from itself to the
   page. */
#define BBC_NOTE_NAME "bbprof"
#define BBC_NOTE_TYPE 2
#define BBC_PAGE_BYTES 4096

#endif
