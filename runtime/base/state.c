/* SPDX-License-Identifier: MIT */
/* The words that all of the library looks at; who writes each is said where it is declared. */
#include "runtime/base/state.h"

struct bbp_runtime bbp;
struct bbp_sampling bbp_sampling = { .signal = SIGPROF };

__thread struct bbp_thread *__bb_thread;
__thread struct bbp_here __bb = { .bits = 1 };
__thread uintptr_t bbp_point_caller;
