/* SPDX-License-Identifier: MIT */
/* Everything that the library must know about riscv64, under names that all processors share
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

#define BBP_ARCH_AUDIT AUDIT_ARCH_RISCV64 /* the processor's name in seccomp */

/* The program counter in CONTEXT.  Context: signal. */
static inline uintptr_t
bbp_arch_pc (const void *context)
{
  return ((const ucontext_t *) context)->uc_mcontext.__gregs[REG_PC];
}

/* There are no flags. */
static inline uint32_t
bbp_arch_flags (const void *context)
{
  (void) context;
  return 0;
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

/* Registers by DWARF numbers, of which 0 is the constant; behind them the program counter.  Calls
   preserve x8, x9, x18 to x27; the code at a function's entry keeps its return address in t0 while
   it calls a hook, which preserves that as well (mcount.S). */
#define BBP_ARCH_REGISTERS 33
enum { BBP_ARCH_FRAME_POINTER = 8, BBP_ARCH_STACK_POINTER = 2, BBP_ARCH_RETURN = 32 };
#define BBP_ARCH_LINK 1
#define BBP_ARCH_KEPT 13
#define BBP_ARCH_KEPT_REGISTERS                                                            \
  {                                                                                        \
    5, 8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, BBP_ARCH_STACK_POINTER, BBP_ARCH_LINK \
  }
#define BBP_ARCH_KEPT_BITS (1UL << 5 | 3UL << 8 | 0x3ffUL << 18)
#define BBP_ARCH_WORD 8
#define BBP_ARCH_FRAME_RECORD -16
#define BBP_ARCH_RED_ZONE 0

/* With -msave-restore, GCC 12 describes as they are not: the jump to a routine that restores
   registers, and its return, as if these still had to be restored; the first instruction and the
   return of routines that save registers (SAVES).  What each of them does is known. */
enum bbp_next { BBP_NEXT_AS_DESCRIBED, BBP_NEXT_INSIDE, BBP_NEXT_RETURNS, BBP_NEXT_CALLER };
static inline enum bbp_next
bbp_arch_next (uint64_t *values, const unsigned char *bytes, size_t n, bool saves)
{
  enum { T0 = 5, LOWER = 0x7159 /* add sp,sp,-112 */ };
  uint16_t half = 0;
  if (n >= sizeof half)
    __builtin_memcpy (&half, bytes, sizeof half);
  if (saves && half == LOWER)
    {
      values[BBP_ARCH_STACK_POINTER] -= 112;
      values[BBP_ARCH_RETURN] += 2;
      return BBP_NEXT_INSIDE;
    }
  if (saves && half == 0x8282) /* jr t0 */
    {
      values[BBP_ARCH_RETURN] = values[T0];
      return BBP_NEXT_CALLER;
    }
  if (half == 0x8082) /* ret */
    return BBP_NEXT_RETURNS;
  if ((half & 0xe003) != 0xa001 && (half & 0xfff) != 0x06f) /* c.j, jal zero */
    return BBP_NEXT_AS_DESCRIBED;
  values[BBP_ARCH_RETURN] = bbp_arch_jump (bytes, n, values[BBP_ARCH_RETURN]).address;
  return BBP_NEXT_INSIDE;
}
#define BBP_ARCH_CALL_PUSHES false

/* A register, as instructions number them.  Context: signal. */
static inline long
bbp_arch_register (const void *context, long number)
{
  const mcontext_t *m = &((const ucontext_t *) context)->uc_mcontext;
  return number ? (long) m->__gregs[number & 31] : 0;
}

static inline void
bbp_arch_registers (const void *context, uint64_t *values)
{
  for (long i = 0; i < BBP_ARCH_RETURN; i++)
    values[i] = (uint64_t) bbp_arch_register (context, i);
  values[BBP_ARCH_RETURN] = bbp_arch_pc (context);
}

/* The program counter and x1 to x31, as a context has them. */
#define BBP_ARCH_PERF_REGISTERS 0xffffffffUL
static inline void
bbp_arch_take_perf_register (void *context, unsigned bit, uint64_t value)
{
  ((ucontext_t *) context)->uc_mcontext.__gregs[bit] = value;
}

static inline void
bbp_arch_put_asleep (void *context, uintptr_t sp, uintptr_t pc)
{
  mcontext_t *m = &((ucontext_t *) context)->uc_mcontext;
  m->__gregs[BBP_ARCH_STACK_POINTER] = sp;
  m->__gregs[REG_PC] = pc;
}

#define BBP_ARCH_CONTEXT_BYTES offsetof (ucontext_t, uc_mcontext.__fpregs)

static inline uint64_t
bbp_arch_code_address (uint64_t stored)
{
  return stored;
}

/* ld ra, offset(sp), also compressed; ret, likewise. */
enum bbp_link_use { BBP_LINK_NOT_USED, BBP_LINK_LOADED, BBP_LINK_RETURNS };
static inline enum bbp_link_use
bbp_arch_link_use (const unsigned char *bytes, size_t *size)
{
  uint32_t code;
  __builtin_memcpy (&code, bytes, sizeof code);
  *size = (code & 3) == 3 ? 4 : 2;
  if (*size == 2)
    code &= 0xffff;
  if ((code & 0xfffff) == 0x13083 || (*size == 2 && (code & 0xef83) == 0x6082))
    return BBP_LINK_LOADED;
  return code == 0x8067 || code == 0x8082 ? BBP_LINK_RETURNS : BBP_LINK_NOT_USED;
}

/* li a7, SYS_rt_sigreturn; ecall.  The kernel's frame begins with the signal's information. */
#define BBP_ARCH_RESUME_CONTEXT sizeof (siginfo_t)
#define BBP_ARCH_RESUME_BYTES 8
static inline bool
bbp_arch_resumes (const unsigned char *bytes)
{
  uint32_t code[3];
  __builtin_memcpy (code, bytes - sizeof *code, sizeof code);
  const uint32_t number = 0x08b00893, call = 0x00000073;
  return (code[1] == number && code[2] == call) || (code[0] == number && code[1] == call);
}

void bbp_wrapper (int, siginfo_t *, void *) __attribute__ ((visibility ("hidden")));
extern const char bbp_wrapper_call[] __attribute__ ((visibility ("hidden")));
static inline const void *
bbp_arch_wrapped_context (const void *context)
{
  bool begins = bbp_arch_pc (context) - (uintptr_t) bbp_wrapper
                <= (uintptr_t) bbp_wrapper_call - (uintptr_t) bbp_wrapper;
  return begins ? (const void *) bbp_arch_register (context, 12) : NULL;
}

#define BBP_ARCH_BIT_LEFT 28 /* t3 */
#define BBP_ARCH_BITS 6      /* t1 */
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
  __asm__("mv %0, tp" : "=r"(tp));
  return tp;
}

static inline long
bbp_arch_move_thread_pointer (uintptr_t pointer)
{
  __asm__ volatile("mv tp, %0" : : "r"(pointer) : "memory");
  return 0;
}
#define BBP_ARCH_SET_THREAD_POINTER(pointer) bbp_arch_move_thread_pointer (pointer)

/* All code counts by one instruction.  Context: signal. */
static inline void
bbp_arch_roll_back (void *context)
{
  (void) context;
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

static inline void
bbp_arch_increment (uint64_t *counter)
{
  __asm__("amoadd.d zero, %1, %0" : "+A"(*counter) : "r"(1UL));
}

/* Compilers call libatomic for less than a word.  The other half of the word stays as it is. */
static inline void
bbp_arch_add_16 (uint16_t *counter, uint16_t n)
{
  uint32_t *word = (uint32_t *) ((uintptr_t) counter & -sizeof (uint32_t));
  const unsigned shift = 8 * ((uintptr_t) counter & 2);
  uint32_t old = __atomic_load_n (word, __ATOMIC_RELAXED), next;
  do
    next = (old & ~(UINT16_MAX << shift)) | (uint32_t) (uint16_t) ((old >> shift) + n) << shift;
  while (!__atomic_compare_exchange_n (word, &old, next, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

static inline bool
bbp_arch_claim (uintptr_t *word, uintptr_t value)
{
  uintptr_t old, lost;
  __asm__("1: lr.d %0, %2\n\tbnez %0, 2f\n\tsc.d %1, %3, %2\n\tbnez %1, 1b\n2:"
          : "=&r"(old), "=&r"(lost), "+A"(*word)
          : "r"(value)
          : "memory");
  return old == 0;
}

static inline bool
bbp_arch_push_bit (uint64_t *bits, bool bit)
{
  uint64_t old, next;
  __asm__ volatile("1: lr.d %0, %2\n\tslli %1, %0, 1\n\tor %1, %1, %3\n\tsc.d %1, %1, %2\n\t"
                   "bnez %1, 1b"
                   : "=&r"(old), "=&r"(next), "+A"(*bits)
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
  __asm__ volatile(".insn i 0x0f, 0, x0, x0, 0x010"); /* pause */
}

static inline uint64_t
bbp_arch_ticks (void)
{
  uint64_t ticks;
  __asm__ volatile("rdtime %0" : "=r"(ticks));
  return ticks;
}

#define BBP_ARCH_VECTORS_BYTES 272 /* 32 registers of 8 bytes, control and status */
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

/* BYTES: ecall. */
static inline bool
bbp_arch_is_syscall (const unsigned char *bytes)
{
  uint32_t code;
  __builtin_memcpy (&code, bytes, sizeof code);
  return code == 0x00000073;
}

/* The kernel leaves no trace of a call in the registers, only the code tells.  Code at the
   instruction is taken for a call that is made again, code behind it for one that has been
   interrupted. */
#define BBP_ARCH_NUMBER 17
#define BBP_ARCH_STACK 2
#define BBP_ARCH_FIRST 10
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
typedef unsigned long bbp_arch_value;

static inline bbp_arch_value *
bbp_arch_call_argument (void *context, int i)
{
  return &((ucontext_t *) context)->uc_mcontext.__gregs[BBP_ARCH_FIRST + i];
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
  mcontext_t *m = &((ucontext_t *) context)->uc_mcontext;
  m->__gregs[REG_PC] -= 4;
  m->__gregs[BBP_ARCH_NUMBER] = (bbp_arch_value) number;
}

static inline void
bbp_arch_call_over (void *context, long result)
{
  ((ucontext_t *) context)->uc_mcontext.__gregs[REG_PC] += 4;
  *bbp_arch_call_result (context) = (bbp_arch_value) result;
}

/* There is no valgrind. */
static inline bool
bbp_arch_is_emulated (void)
{
  return false;
}

static inline long
bbp_arch_syscall (long number, long a, long b, long c, long d, long e, long f)
{
  register long a7 __asm__("a7") = number;
  register long a0 __asm__("a0") = a;
  register long a1 __asm__("a1") = b;
  register long a2 __asm__("a2") = c;
  register long a3 __asm__("a3") = d;
  register long a4 __asm__("a4") = e;
  register long a5 __asm__("a5") = f;
  __asm__ volatile("ecall"
                   : "+r"(a0)
                   : "r"(a7), "r"(a1), "r"(a2), "r"(a3), "r"(a4), "r"(a5)
                   : "memory");
  return a0;
}

#endif
