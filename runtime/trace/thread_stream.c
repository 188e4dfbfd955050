/* SPDX-License-Identifier: MIT */
/* What the calling thread has of the trace. */
#include "runtime/trace/stream.h"

__thread struct bbp_stream bbp_stream;
