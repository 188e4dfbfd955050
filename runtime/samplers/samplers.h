/* SPDX-License-Identifier: MIT */
/* The samplers: each has its own way to decide when a thread takes a sample. */
#ifndef BBP_SAMPLERS_H
#define BBP_SAMPLERS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/sample/sample.h"

#pragma GCC visibility push(hidden)

extern const struct bbp_sampler bbp_sampler_itimer, bbp_sampler_thread, bbp_sampler_perf,
    bbp_sampler_ticker;

#pragma GCC visibility pop

#endif
