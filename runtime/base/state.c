/* SPDX-License-Identifier: MIT */
/* The data that all rooms share; state.h says which code writes each. */
#include "runtime/base/state.h"

struct bbp_runtime bbp;
BBP_PUBLIC_WEAK struct bb *__bb_head;
struct bbp_sampling bbp_sampling = { .signal = SIGPROF };

__thread struct bbp_thread *__bb_thread;
__thread struct bbp_here __bb = { .bits = 1 };
__thread uintptr_t bbp_point_caller;
