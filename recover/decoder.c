/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The run-time library's decoder of one processor, compiled for the tools' own: once for each, with
   -DCPU=<cpu> and the folder runtime/arch/<cpu>.  Its functions get names of their own, because the
   tools also have those of their processor. */
#define JOIN(a, b, c) a##b##c
#define NAMED(cpu, name) JOIN (decoder_, cpu, name)
#define bbp_arch_call_before NAMED (CPU, _call_before)
#define bbp_arch_counting_end NAMED (CPU, _counting_end)
#define bbp_arch_counts NAMED (CPU, _counts)
#define bbp_arch_is_behind_call NAMED (CPU, _is_behind_call)
#define bbp_arch_is_point NAMED (CPU, _is_point)
#define bbp_arch_jump NAMED (CPU, _jump)
#define bbp_arch_pushes NAMED (CPU, _pushes)
#define bbp_arch_stub NAMED (CPU, _stub)
#include "decode.c"

#include "recover/decoders.h"

const struct bbp_decoder NAMED (CPU, ) = BBP_ARCH_DECODER;
