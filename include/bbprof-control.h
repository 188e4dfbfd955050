/* SPDX-License-Identifier: MIT */
/* How `bbprof control' and the run-time library in another process speak with each other.  Valid
   C11 and C++11.

   The command comes as a queued signal (rt_sigqueueinfo) with a value, so the kernel decides who
   may send it: the owner.
   The signal is one whose default is to do nothing: it harms no process, whatever may be in
   there by the time that it arrives.  The answer goes as one datagram to a socket of the asker's
   in the abstract namespace, which the kernel has named (unix(7), autobind): five hexadecimal
   digits, whose number fits into the signal's value.  It needs neither file system nor /proc,
   and the kernel tells the asker who has sent it.

   A program may handle that signal itself, and is not to get it then.  So the asker looks first:
   as long as the library takes commands a page of its memory is read-only, in /proc/PID/maps,
   and a note in its file says which one. */
#ifndef BBPROF_CONTROL_H
#define BBPROF_CONTROL_H

#include <signal.h>
#include <stdint.h>

#define BBC_SIGNAL SIGURG /* si_code: SI_QUEUE; another one, or without the magic, means nothing */

enum bbc_command { BBC_START, BBC_STOP, BBC_RESET, BBC_DUMP, BBC_STATUS };

/* The value: magic, command, socket. */
#define BBC_MAGIC 0x6262706cU
#define BBC_VALUE(command, socket) \
  ((uint64_t) BBC_MAGIC << 32 | (uint64_t) (command) << 20 | (socket))
#define BBC_HAS_MAGIC(value) ((value) >> 32 == BBC_MAGIC)
#define BBC_COMMAND(value) ((unsigned) ((value) >> 20 & 0xfff))
#define BBC_SOCKET(value) ((unsigned) ((value) &0xfffff))
#define BBC_SOCKET_DIGITS 5

/* The answer: one of these, then a line for people, without its end. */
#define BBC_DONE '+'
#define BBC_FAILED '-' /* the line says why */
#define BBC_BUSY '?'   /* nothing was done: the library is at work just now; ask again */
#define BBC_MOST_ANSWER 8192

/* The note: this name and type; it contains an int32_t: how far behind that the page is. */
#define BBC_NOTE_NAME "bbprof"
#define BBC_NOTE_TYPE 2
#define BBC_PAGE_BYTES 4096

#endif
