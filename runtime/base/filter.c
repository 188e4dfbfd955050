/* SPDX-License-Identifier: MIT */
/* Evaluates a seccomp filter (classic BPF) for a system call with unknown arguments.  All paths
   that some arguments can take are followed; the call is allowed if all of them allow it.  Jumps
   only go forward, so one pass over the instructions is enough.  Context: cold. */
#include <linux/audit.h>
#include <linux/bpf_common.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

#include "arch.h"
#include "runtime/base/base.h"
#include "runtime/base/sys.h"

/* The accumulator before an instruction, as far as it is known. */
struct bbp_filter_state {
  bool reached, known;
  uint32_t accumulator;
};

size_t
bbp_filter_room (size_t length)
{
  return length * sizeof (struct bbp_filter_state);
}

/* The word at OFFSET of seccomp_data.  The library maps memory only for reading and writing. */
static struct bbp_filter_state
load (uint32_t offset, long number)
{
  struct bbp_filter_state loaded = { .reached = true, .known = true };
  size_t protection = offsetof (struct seccomp_data, args[2]);
  if (offset == offsetof (struct seccomp_data, nr))
    loaded.accumulator = (uint32_t) number;
  else if (offset == offsetof (struct seccomp_data, arch))
    loaded.accumulator = BBP_ARCH_AUDIT;
  else if (number == SYS_mmap && offset == protection)
    loaded.accumulator = PROT_READ | PROT_WRITE;
  else if (!(number == SYS_mmap && offset == protection + 4)) /* the upper half: 0 */
    loaded.known = false;
  return loaded;
}

/* A path with STATE reaches instruction AIM. */
static void
reach (struct bbp_filter_state *aim, struct bbp_filter_state state)
{
  if (aim->reached && !(aim->known && state.known && aim->accumulator == state.accumulator))
    state.known = false;
  *aim = state;
}

static bool
compare (int operation, uint32_t a, uint32_t b)
{
  switch (operation)
    {
    case BPF_JEQ: return a == b;
    case BPF_JGT: return a > b;
    case BPF_JGE: return a >= b;
    default: /* BPF_JSET */ return (a & b) != 0;
    }
}

static void
jump (const struct sock_filter *instruction, struct bbp_filter_state *state)
{
  struct bbp_filter_state *next = state + 1;
  int operation = BPF_OP (instruction->code);
  if (operation == BPF_JA)
    reach (next + instruction->k, *state);
  else if (state->known && BPF_SRC (instruction->code) == BPF_K)
    reach (next
               + (compare (operation, state->accumulator, instruction->k) ? instruction->jt
                                                                          : instruction->jf),
           *state);
  else
    {
      reach (next + instruction->jt, *state);
      reach (next + instruction->jf, *state);
    }
}

/* True if all paths end inside the program.  The kernel checks that as well, but later. */
bool
bbp_filter_is_closed (const struct sock_filter *code, size_t length)
{
  for (size_t i = 0; i < length; i++)
    {
      size_t farthest = 0;
      if (BPF_CLASS (code[i].code) == BPF_RET)
        continue;
      if (BPF_CLASS (code[i].code) == BPF_JMP)
        farthest = BPF_OP (code[i].code) == BPF_JA ? code[i].k
                   : code[i].jt > code[i].jf       ? code[i].jt
                                                   : code[i].jf;
      if (i + 1 + farthest >= length)
        return false;
    }
  return length > 0;
}

/* CODE must be closed; STATES: bbp_filter_room (LENGTH) bytes. */
bool
bbp_filter_allows (const struct sock_filter *code, size_t length, long number,
                   struct bbp_filter_state *states)
{
  for (size_t i = 0; i < length; i++)
    states[i].reached = i == 0, states[i].known = false;
  for (size_t i = 0; i < length; i++)
    {
      struct bbp_filter_state state = states[i];
      if (!state.reached)
        continue;
      uint32_t verdict = code[i].k & SECCOMP_RET_ACTION_FULL;
      switch (BPF_CLASS (code[i].code))
        {
        case BPF_RET:
          if (BPF_RVAL (code[i].code) != BPF_K
              || (verdict != SECCOMP_RET_ALLOW && verdict != SECCOMP_RET_LOG))
            return false;
          break;
        case BPF_JMP: jump (&code[i], &states[i]); break;
        case BPF_LD:
          reach (&states[i + 1], BPF_MODE (code[i].code) == BPF_ABS
                                     ? load (code[i].k, number)
                                     : (struct bbp_filter_state) { .reached = true });
          break;
        case BPF_LDX:
        case BPF_ST:
        case BPF_STX: reach (&states[i + 1], state); break;
        default: /* arithmetic; from the index register */
          reach (&states[i + 1], (struct bbp_filter_state) { .reached = true });
        }
    }
  return true;
}
