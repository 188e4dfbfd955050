/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands to the run-time library in a running process (include/bbprof-control.h). */
#ifndef BBPROF_CONTROL_REQUEST_H
#define BBPROF_CONTROL_REQUEST_H

#include <stdbool.h>
#include <sys/types.h>

#include "common/error.h"
#include "include/bbprof-control.h"

enum { CONTROL_ANSWER = BBC_MOST_ANSWER + 1 };

/* Sends COMMAND to process PID, and waits for some seconds until it is done.  ANSWER, of
   CONTROL_ANSWER bytes: the line that the process answered.  False: ERR says why it was not
   done. */
bool control_request (pid_t pid, enum bbc_command command, char *answer, struct error *err);

#endif
