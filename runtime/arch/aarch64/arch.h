/* SPDX-License-Identifier: MIT */
/* Everything that the library must know about aarch64, under names that all processors share
   (x86_64/arch.h explains them). */
#ifndef BBP_ARCH_H
#define BBP_ARCH_H

#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

#include "decode.h"

#define BBP_ARCH_AUDIT AUDIT_ARCH_AARCH64 /* the processor's name in seccomp */

/* The program counter in CONTEXT.  Context: signal. */
static inline uintptr_t
bbp_arch_pc (const void *context)
{
  return ((const ucontext_t *) context)->uc_mcontext.pc;
}

static inline uint32_t
bbp_arch_flags (const void *context)
{
  return (uint32_t) ((const ucontext_t *) context)->uc_mcontext.pstate;
}

/* A handler starts with the state that C expects. */
static inline void
bbp_arch_begin_handler (const void *context)
{
  (void) context;
}

/* Programs have no way to ask for a name. */
static inline void
bbp_arch_processor (char *name, size_t size)
{
  (void) size;
  name[0] = '\0';
}

/* Registers by DWARF numbers; behind them the program counter.  Calls preserve x19 to x29; the code
   at a function's entry keeps its return address in x9 while it calls a hook, which preserves that
   as well (mcount.S). */
#define BBP_ARCH_REGISTERS 33
enum { BBP_ARCH_FRAME_POINTER = 29, BBP_ARCH_STACK_POINTER = 31, BBP_ARCH_RETURN = 32 };
#define BBP_ARCH_LINK 30
#define BBP_ARCH_KEPT 12
#define BBP_ARCH_KEPT_REGISTERS                                                          \
  {                                                                                      \
    9, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, BBP_ARCH_STACK_POINTER, BBP_ARCH_LINK \
  }
#define BBP_ARCH_KEPT_BITS (1UL << 9 | 0x7ffUL << 19)
#define BBP_ARCH_WORD 8
#define BBP_ARCH_FRAME_RECORD 0
#define BBP_ARCH_RED_ZONE 0

/* Call frame information describes all instructions rightly. */
enum bbp_next { BBP_NEXT_AS_DESCRIBED, BBP_NEXT_INSIDE, BBP_NEXT_RETURNS, BBP_NEXT_CALLER };
static inline enum bbp_next
bbp_arch_next (uint64_t *values, const unsigned char *bytes, size_t n, bool saves)
{
  (void) values;
  (void) bytes;
  (void) n;
  (void) saves;
  return BBP_NEXT_AS_DESCRIBED;
}
#define BBP_ARCH_CALL_PUSHES false

/* A register, as instructions number them; 31: the stack pointer.  Context: signal. */
static inline long
bbp_arch_register (const void *context, long number)
{
  const mcontext_t *m = &((const ucontext_t *) context)->uc_mcontext;
  return (long) (number == BBP_ARCH_STACK_POINTER ? m->sp : m->regs[number & 31]);
}

static inline void
bbp_arch_registers (const void *context, uint64_t *values)
{
  for (long i = 0; i <= BBP_ARCH_STACK_POINTER; i++)
    values[i] = (uint64_t) bbp_arch_register (context, i);
  values[BBP_ARCH_RETURN] = bbp_arch_pc (context);
}

/* x0 to x30, the stack pointer, the program counter. */
#define BBP_ARCH_PERF_REGISTERS 0x1ffffffffUL
static inline void
bbp_arch_take_perf_register (void *context, unsigned bit, uint64_t value)
{
  mcontext_t *m = &((ucontext_t *) context)->uc_mcontext;
  *(bit < BBP_ARCH_STACK_POINTER ? &m->regs[bit]
    : bit == BBP_ARCH_RETURN     ? &m->pc
                                 : &m->sp)
      = value;
}

static inline void
bbp_arch_put_asleep (void *context, uintptr_t sp, uintptr_t pc)
{
  mcontext_t *m = &((ucontext_t *) context)->uc_mcontext;
  m->sp = sp;
  m->pc = pc;
}

#define BBP_ARCH_CONTEXT_BYTES offsetof (ucontext_t, uc_mcontext.__reserved)

/* The code may have signed it: the upper bits are then a code (xpaclri removes it, and does nothing
   on processors that cannot sign). */
static inline uint64_t
bbp_arch_code_address (uint64_t stored)
{
  register uint64_t address __asm__("x30") = stored;
  __asm__("hint #7" : "+r"(address));
  return address;
}

/* ldp xN, x30 in all forms, and ldr x30, from the stack; ret. */
enum bbp_link_use { BBP_LINK_NOT_USED, BBP_LINK_LOADED, BBP_LINK_RETURNS };
static inline enum bbp_link_use
bbp_arch_link_use (const unsigned char *bytes, size_t *size)
{
  uint32_t code;
  __builtin_memcpy (&code, bytes, sizeof code);
  *size = sizeof code;
  bool pair = (code & 0xfe407fe0) == 0xa8407be0,
       single = (code & 0xffc003ff) == 0xf94003fe || (code & 0xffe00fff) == 0xf84007fe;
  if (pair || single)
    return BBP_LINK_LOADED;
  return (code & 0xfffffbff) == 0xd65f03c0 || (code & 0xfffffbff) == 0xd65f0bff ? BBP_LINK_RETURNS
                                                                                : BBP_LINK_NOT_USED;
}

/* mov x8, #SYS_rt_sigreturn; svc #0.  The kernel's frame begins with the signal's information. */
#define BBP_ARCH_RESUME_CONTEXT sizeof (siginfo_t)
#define BBP_ARCH_RESUME_BYTES 8
static inline bool
bbp_arch_resumes (const unsigned char *bytes)
{
  uint32_t code[3];
  __builtin_memcpy (code, bytes - sizeof *code, sizeof code);
  const uint32_t number = 0xd2801168, call = 0xd4000001;
  return (code[1] == number && code[2] == call) || (code[0] == number && code[1] == call);
}

void bbp_wrapper (int, siginfo_t *, void *) __attribute__ ((visibility ("hidden")));
extern const char bbp_wrapper_call[] __attribute__ ((visibility ("hidden")));
static inline const void *
bbp_arch_wrapped_context (const void *context)
{
  bool begins = bbp_arch_pc (context) - (uintptr_t) bbp_wrapper
                <= (uintptr_t) bbp_wrapper_call - (uintptr_t) bbp_wrapper;
  return begins ? (const void *) bbp_arch_register (context, 2) : NULL;
}

#define BBP_ARCH_BIT_LEFT 12 /* w12 */
#define BBP_ARCH_BITS 10     /* x10 */
#include "runtime/machine/link_hooks.h"

static inline uintptr_t
bbp_arch_other_stack (const void *context)
{
  const stack_t *stack = &((const ucontext_t *) context)->uc_stack;
  return (uintptr_t) context - (uintptr_t) stack->ss_sp < stack->ss_size ? (uintptr_t) stack->ss_sp
                                                                         : 0;
}

/* GCC has no -fsplit-stack here. */
static inline bool
bbp_arch_splits_stack (void)
{
  return false;
}

static inline uintptr_t
bbp_arch_thread_pointer (void)
{
  uintptr_t tp;
  __asm__("mrs %0, tpidr_el0" : "=r"(tp));
  return tp;
}

static inline long
bbp_arch_move_thread_pointer (uintptr_t pointer)
{
  __asm__ volatile("msr tpidr_el0, %0" : : "r"(pointer) : "memory");
  return 0;
}
#define BBP_ARCH_SET_THREAD_POINTER(pointer) bbp_arch_move_thread_pointer (pointer)

/* The interrupted code may have read a counter and not written it yet.  What a handler counts would
   be lost, so the code begins that increment again.  To read the value twice changes nothing else.
   Context: signal. */
static inline void
bbp_arch_roll_back (void *context)
{
  mcontext_t *m = &((ucontext_t *) context)->uc_mcontext;
  const uint32_t *code = (const uint32_t *) (uintptr_t) m->pc;
  for (int done = 1; done <= 2; done++)
    if (bbp_arch_is_increment (code - done))
      m->pc -= sizeof *code * (unsigned) done;
}

/* Likewise forward, where the trace cannot tell what the code has done; true: the caller has to
   clear the bits.  Here bbp_arch_hook_caller tells.  Context: signal. */
static inline bool
bbp_arch_roll_forward (void *context, bool mapped)
{
  (void) context;
  (void) mapped;
  return false;
}

/* Exact for signal handlers of this thread, because their return ends the reservation. */
static inline void
bbp_arch_increment (uint64_t *counter)
{
  uint64_t value;
  uint32_t lost;
  __asm__("1: ldxr %0, %2\n\tadd %0, %0, #1\n\tstxr %w1, %0, %2\n\tcbnz %w1, 1b"
          : "=&r"(value), "=&r"(lost), "+Q"(*counter));
}

static inline void
bbp_arch_add_16 (uint16_t *counter, uint16_t n)
{
  __atomic_fetch_add (counter, n, __ATOMIC_RELAXED);
}

static inline bool
bbp_arch_claim (uintptr_t *word, uintptr_t value)
{
  uintptr_t old;
  uint32_t lost;
  __asm__("1: ldxr %0, %2\n\tcbnz %0, 2f\n\tstxr %w1, %3, %2\n\tcbnz %w1, 1b\n2:"
          : "=&r"(old), "=&r"(lost), "+Q"(*word)
          : "r"(value)
          : "memory");
  return old == 0;
}

static inline bool
bbp_arch_push_bit (uint64_t *bits, bool bit)
{
  uint64_t old, next;
  uint32_t lost;
  __asm__ volatile("1: ldxr %0, %3\n\torr %1, %4, %0, lsl #1\n\tstxr %w2, %1, %3\n\tcbnz %w2, 1b"
                   : "=&r"(old), "=&r"(next), "=&r"(lost), "+Q"(*bits)
                   : "r"((uint64_t) bit));
  return old >> 63;
}

/* Not known without a system call. */
static inline unsigned
bbp_arch_cpu (void)
{
  return UINT_MAX;
}

static inline void
bbp_arch_pause (void)
{
  __asm__ volatile("yield");
}

static inline uint64_t
bbp_arch_ticks (void)
{
  uint64_t ticks;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
}

#define BBP_ARCH_VECTORS_BYTES 544 /* 32 registers of 16 bytes, control, status, alignment */
void bbp_arch_keep_vectors (void (*function) (void *), void *argument, void *area)
    __attribute__ ((visibility ("hidden")));

void bbp_arch_call_on (void *top, void (*function) (void *), void *argument)
    __attribute__ ((visibility ("hidden")));

/* The system call's number is still in its register, so no code need be read. */
struct bbp_loaded {
  enum { BBP_LOADED_NOT, BBP_LOADED_NUMBER, BBP_LOADED_REGISTER, BBP_LOADED_CHANGED } by;
  long value;
};
static inline struct bbp_loaded
bbp_arch_loaded (const unsigned char *bytes, size_t n, unsigned reg)
{
  (void) bytes;
  (void) n;
  return (struct bbp_loaded) { BBP_LOADED_REGISTER, (long) reg };
}

/* BYTES: svc #0. */
static inline bool
bbp_arch_is_syscall (const unsigned char *bytes)
{
  uint32_t code;
  __builtin_memcpy (&code, bytes, sizeof code);
  return code == 0xd4000001;
}

/* The kernel leaves no trace of a call in the registers, only the code tells.  Code at the
   instruction is taken for a call that is made again, code behind it for one that has been
   interrupted. */
#define BBP_ARCH_NUMBER 8
#define BBP_ARCH_STACK 31
#define BBP_ARCH_FIRST 0
static inline uintptr_t
bbp_arch_entry (const void *context, bool *again)
{
  const uintptr_t pc = bbp_arch_pc (context), page = 4096;
  *again = bbp_arch_is_syscall ((const unsigned char *) pc);
  if (*again)
    return pc;
  return pc % page && bbp_arch_is_syscall ((const unsigned char *) pc - 4) ? pc - 4 : 0;
}

long bbp_arch_clone (unsigned long flags, void *top, int (*function) (void *), void *argument)
    __attribute__ ((visibility ("hidden")));

/* The kernel writes the result in the place of the first argument, so a call that has failed cannot
   be made again. */
#define BBP_ARCH_RESTARTS false
typedef unsigned long long bbp_arch_value;

static inline bbp_arch_value *
bbp_arch_call_argument (void *context, int i)
{
  return &((ucontext_t *) context)->uc_mcontext.regs[i];
}

static inline bbp_arch_value *
bbp_arch_call_result (void *context)
{
  return bbp_arch_call_argument (context, 0);
}

static inline long
bbp_arch_call_number (void *context)
{
  return bbp_arch_register (context, BBP_ARCH_NUMBER);
}

static inline void
bbp_arch_call_forget (void *context)
{
  (void) context;
}

static inline void
bbp_arch_call_again (void *context, long number)
{
  ((ucontext_t *) context)->uc_mcontext.pc -= 4;
  *bbp_arch_call_argument (context, BBP_ARCH_NUMBER) = (bbp_arch_value) number;
}

static inline void
bbp_arch_call_over (void *context, long result)
{
  ((ucontext_t *) context)->uc_mcontext.pc += 4;
  *bbp_arch_call_result (context) = (bbp_arch_value) result;
}

/* valgrind answers in x3 the request that x4 points to. */
static inline bool
bbp_arch_is_emulated (void)
{
  const unsigned long running_on_valgrind = 0x1001;
  const unsigned long request[6] = { running_on_valgrind };
  register unsigned long answer __asm__("x3") = 0;
  register const unsigned long *asked __asm__("x4") = request;
  __asm__ volatile("ror x12, x12, #3\n\tror x12, x12, #13\n\tror x12, x12, #51\n\t"
                   "ror x12, x12, #61\n\torr x10, x10, x10"
                   : "+r"(answer)
                   : "r"(asked)
                   : "memory");
  return answer != 0;
}

static inline long
bbp_arch_syscall (long number, long a, long b, long c, long d, long e, long f)
{
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  register long x4 __asm__("x4") = e;
  register long x5 __asm__("x5") = f;
  __asm__ volatile("svc #0"
                   : "+r"(x0)
                   : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                   : "memory");
  return x0;
}

#endif
