/* SPDX-License-Identifier: MIT */
/* The calling thread's part of the trace. */
#include "runtime/trace/stream.h"

__thread struct bbp_stream bbp_stream;
