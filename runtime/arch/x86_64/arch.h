/* SPDX-License-Identifier: MIT */
/* Everything that the library must know about x86-64, under names that all processors share. */
#ifndef BBP_ARCH_H
#define BBP_ARCH_H

#include <asm/perf_regs.h>
#include <asm/prctl.h>
#include <cpuid.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

#include "decode.h"

#define BBP_ARCH_AUDIT AUDIT_ARCH_X86_64 /* the processor's name in seccomp */

/* The program counter in CONTEXT.  Context: signal. */
static inline uintptr_t
bbp_arch_pc (const void *context)
{
  return ((const ucontext_t *) context)->uc_mcontext.gregs[REG_RIP];
}

/* The flags in CONTEXT.  Context: signal. */
static inline uint32_t
bbp_arch_flags (const void *context)
{
  return (uint32_t) ((const ucontext_t *) context)->uc_mcontext.gregs[REG_EFL];
}

/* A handler that interrupted code with alignment checks (AC) starts with the flag set: clear it.
   On return the flag is restored.  Context: signal. */
static inline void
bbp_arch_begin_handler (const void *context)
{
  enum { CHECKS_ALIGNMENT = 0x40000 };
  if (bbp_arch_flags (context) & CHECKS_ALIGNMENT)
    __asm__ volatile(
        "leaq -128(%%rsp), %%rsp\n\tpushfq\n\tandq %0, (%%rsp)\n\tpopfq\n\tleaq 128(%%rsp), %%rsp"
        :
        : "i"(~CHECKS_ALIGNMENT)
        : "cc", "memory");
}

static inline void
bbp_arch_set_pc (void *context, uintptr_t pc)
{
  ((ucontext_t *) context)->uc_mcontext.gregs[REG_RIP] = (greg_t) pc;
}

/* How the processor names itself, in NAME with room for SIZE bytes, 48 at least; empty: it does
   not. */
static inline void
bbp_arch_processor (char *name, size_t size)
{
  enum { BRAND = 0x80000002, BRAND_END = 0x80000004 };
  unsigned words[12], most, unused;
  name[0] = '\0';
  __cpuid (0x80000000, most, unused, unused, unused);
  if (most < BRAND_END || size < sizeof words)
    return;
  for (unsigned leaf = BRAND, i = 0; leaf <= BRAND_END; leaf++, i += 4)
    __cpuid (leaf, words[i], words[i + 1], words[i + 2], words[i + 3]);
  const char *text = (const char *) words;
  size_t n = 0;
  for (size_t i = 0; i < sizeof words && text[i]; i++)
    if (text[i] != ' ' || (n > 0 && name[n - 1] != ' '))
      name[n++] = text[i];
  name[n - (n > 0 && (n == sizeof words || name[n - 1] == ' '))] = '\0';
}

/* Registers by DWARF numbers: those that calls preserve, in order, then stack pointer and return
   address. */
#define BBP_ARCH_REGISTERS 17
enum { BBP_ARCH_FRAME_POINTER = 6, BBP_ARCH_STACK_POINTER = 7, BBP_ARCH_RETURN = 16 };
/* The register in which a call leaves its return address; here there is none. */
#define BBP_ARCH_LINK BBP_ARCH_RETURN
#define BBP_ARCH_KEPT 6
#define BBP_ARCH_KEPT_REGISTERS                                   \
  {                                                               \
    3, 6, 12, 13, 14, 15, BBP_ARCH_STACK_POINTER, BBP_ARCH_RETURN \
  }
#define BBP_ARCH_KEPT_BITS (1UL << 3 | 1UL << 6 | 0xfUL << 12)
#define BBP_ARCH_WORD 8
/* Bytes from a valid frame pointer to the caller's frame pointer and, behind it, the return
   address. */
#define BBP_ARCH_FRAME_RECORD 0
#define BBP_ARCH_RED_ZONE 128 /* bytes below the stack pointer that may be in use */

/* Finds what the next instruction does to the frame, where compilers describe that wrongly.  BYTES:
   the code, N of them readable.  SAVES: the instruction is of a routine that saves registers for a
   prologue.  On x86-64 call frame information describes all instructions. */
enum bbp_next {
  BBP_NEXT_AS_DESCRIBED, /* or as well as it is known */
  BBP_NEXT_INSIDE,       /* leads to other code with the same frame; VALUES are those there */
  BBP_NEXT_RETURNS,      /* all registers have been restored */
  BBP_NEXT_CALLER        /* likewise, of a routine that saves; VALUES are those of its caller */
};
static inline enum bbp_next
bbp_arch_next (uint64_t *values, const unsigned char *bytes, size_t n, bool saves)
{
  (void) values;
  (void) bytes;
  (void) n;
  (void) saves;
  return BBP_NEXT_AS_DESCRIBED;
}
/* A call leaves its return address at the stack pointer, where it stays until the return. */
#define BBP_ARCH_CALL_PUSHES true

/* Their VALUES in CONTEXT.  Context: signal. */
static inline void
bbp_arch_registers (const void *context, uint64_t *values)
{
  static const uint8_t place[BBP_ARCH_REGISTERS]
      = { REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8,
          REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP };
  for (size_t i = 0; i < BBP_ARCH_REGISTERS; i++)
    values[i] = (uint64_t) ((const ucontext_t *) context)->uc_mcontext.gregs[place[i]];
}

/* The registers that the kernel is asked for with a sample of perf's: bits of PERF_REG_...; and
   where CONTEXT has the one of BIT. */
#define BBP_ARCH_PERF_REGISTERS \
  (0x1ffUL << PERF_REG_X86_AX | 1UL << PERF_REG_X86_FLAGS | 0xffUL << PERF_REG_X86_R8)
static inline void
bbp_arch_take_perf_register (void *context, unsigned bit, uint64_t value)
{
  static const uint8_t place[] = {
    [PERF_REG_X86_AX] = REG_RAX,    [PERF_REG_X86_BX] = REG_RBX,  [PERF_REG_X86_CX] = REG_RCX,
    [PERF_REG_X86_DX] = REG_RDX,    [PERF_REG_X86_SI] = REG_RSI,  [PERF_REG_X86_DI] = REG_RDI,
    [PERF_REG_X86_BP] = REG_RBP,    [PERF_REG_X86_SP] = REG_RSP,  [PERF_REG_X86_IP] = REG_RIP,
    [PERF_REG_X86_FLAGS] = REG_EFL, [PERF_REG_X86_R8] = REG_R8,   [PERF_REG_X86_R9] = REG_R9,
    [PERF_REG_X86_R10] = REG_R10,   [PERF_REG_X86_R11] = REG_R11, [PERF_REG_X86_R12] = REG_R12,
    [PERF_REG_X86_R13] = REG_R13,   [PERF_REG_X86_R14] = REG_R14, [PERF_REG_X86_R15] = REG_R15,
  };
  ((ucontext_t *) context)->uc_mcontext.gregs[place[bit]] = (greg_t) value;
}

/* Makes CONTEXT that of a thread that is in the kernel, of which only this is known. */
static inline void
bbp_arch_put_asleep (void *context, uintptr_t sp, uintptr_t pc)
{
  greg_t *registers = ((ucontext_t *) context)->uc_mcontext.gregs;
  registers[REG_RSP] = (greg_t) sp;
  registers[REG_RIP] = registers[REG_RCX] = (greg_t) pc;
}

/* The part of a context that bbp_arch_registers reads. */
#define BBP_ARCH_CONTEXT_BYTES offsetof (ucontext_t, uc_sigmask)

/* A return address as the program's code has stored it: the address itself. */
static inline uint64_t
bbp_arch_code_address (uint64_t stored)
{
  return stored;
}

/* The use that the instruction at BYTES makes of the link register.  4 bytes are readable; sets
   SIZE to the length of the instruction.  This processor has no such register. */
enum bbp_link_use { BBP_LINK_NOT_USED, BBP_LINK_LOADED, BBP_LINK_RETURNS };
static inline enum bbp_link_use
bbp_arch_link_use (const unsigned char *bytes, size_t *size)
{
  (void) bytes;
  *size = 1;
  return BBP_LINK_NOT_USED;
}

/* True if the code at BYTES returns from a signal, so that the context of the interrupted code is
   BBP_ARCH_RESUME_CONTEXT above the stack pointer.  BBP_ARCH_RESUME_BYTES are readable on both
   sides.  The code is movq $SYS_rt_sigreturn, %rax; syscall; BYTES is at either instruction. */
#define BBP_ARCH_RESUME_CONTEXT 0
#define BBP_ARCH_RESUME_BYTES 9
static inline bool
bbp_arch_resumes (const unsigned char *bytes)
{
  static const unsigned char code[BBP_ARCH_RESUME_BYTES]
      = { 0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05 };
  const size_t to_second = 7;
  bool first = true, second = true;
  for (size_t i = 0; i < sizeof code; i++)
    {
      first = first && bytes[i] == code[i];
      second = second && bytes[i - to_second] == code[i];
    }
  return first || second;
}

/* If CONTEXT interrupted the first instructions of the handler wrapper, which has not recorded it
   yet: the context that the wrapper will record; else null.  Context: signal. */
void bbp_wrapper (int, siginfo_t *, void *) __attribute__ ((visibility ("hidden")));
extern const char bbp_wrapper_call[] __attribute__ ((visibility ("hidden")));
static inline const void *
bbp_arch_wrapped_context (const void *context)
{
  bool begins = bbp_arch_pc (context) - (uintptr_t) bbp_wrapper
                <= (uintptr_t) bbp_wrapper_call - (uintptr_t) bbp_wrapper;
  return begins ? (const void *) ((const ucontext_t *) context)->uc_mcontext.gregs[REG_RDX] : NULL;
}

/* If CONTEXT interrupted a hook that was called in the middle of the caller's code, not only at its
   entry: where the caller continues; else 0.  1 less in a function that pushes a bit, or puts a
   full word of them away, if that is not done yet.  Valid while the return address is at the stack
   pointer.  The slow path of indirect calls, once for each arc, is not recognised.
   Context: signal. */
extern const char bbp_indirect[] __attribute__ ((visibility ("hidden")));
extern const char bbp_indirect_slow[] __attribute__ ((visibility ("hidden")));
extern const char bbp_points[] __attribute__ ((visibility ("hidden")));
extern const char bbp_zero[] __attribute__ ((visibility ("hidden")));
extern const char bbp_zero_pushed[] __attribute__ ((visibility ("hidden")));
extern const char bbp_one[] __attribute__ ((visibility ("hidden")));
extern const char bbp_one_pushed[] __attribute__ ((visibility ("hidden")));
extern const char bbp_last[] __attribute__ ((visibility ("hidden")));
extern const char bbp_last_counted[] __attribute__ ((visibility ("hidden")));
extern const char bbp_last_done[] __attribute__ ((visibility ("hidden")));
extern const char bbp_full[] __attribute__ ((visibility ("hidden")));
extern const char bbp_full_counted[] __attribute__ ((visibility ("hidden")));
extern const char bbp_full_done[] __attribute__ ((visibility ("hidden")));
extern const char bbp_points_end[] __attribute__ ((visibility ("hidden")));
static inline bool
bbp_arch_is_between (uintptr_t pc, const char *start, const char *stop)
{
  return pc - (uintptr_t) start < (uintptr_t) (stop - start);
}

static inline uintptr_t
bbp_arch_hook_caller (const void *context)
{
  const ucontext_t *interrupted = context;
  uintptr_t pc = bbp_arch_pc (context);
  if (!bbp_arch_is_between (pc, bbp_indirect, bbp_indirect_slow)
      && !bbp_arch_is_between (pc, bbp_points, bbp_points_end))
    return 0;
  uintptr_t caller = *(const uintptr_t *) interrupted->uc_mcontext.gregs[REG_RSP];
  bool before = bbp_arch_is_between (pc, bbp_zero, bbp_zero_pushed)
                || bbp_arch_is_between (pc, bbp_one, bbp_one_pushed)
                || bbp_arch_is_between (pc, bbp_last, bbp_last_counted)
                || bbp_arch_is_between (pc, bbp_full, bbp_full_counted);
  return before ? caller - 1 : caller;
}

/* Has the interrupted code of CONTEXT continue behind the one instruction at which the trace cannot
   tell what it has done.  Either it has counted a full word of bits in the piece, and not cleared
   the bits; then returns true, and the caller has to.  Or compiled code has filled a word, and is
   at the jnc over the call that puts it away; MAPPED: such code may be there.  Context: signal. */
static inline bool
bbp_arch_roll_forward (void *context, bool mapped)
{
  enum { CARRY = 1, JNC = 0x73, JNC_BYTES = 2 };
  greg_t *registers = ((ucontext_t *) context)->uc_mcontext.gregs;
  uintptr_t pc = bbp_arch_pc (context);
  if (mapped && *(const unsigned char *) pc == JNC && (registers[REG_EFL] & CARRY))
    registers[REG_RIP] += JNC_BYTES;
  if (pc == (uintptr_t) bbp_last_counted)
    registers[REG_RIP] = (greg_t) bbp_last_done;
  if (pc == (uintptr_t) bbp_full_counted)
    registers[REG_RIP] = (greg_t) bbp_full_done;
  return pc == (uintptr_t) bbp_last_counted || pc == (uintptr_t) bbp_full_counted;
}

/* The start of the alternate stack that contains CONTEXT, which the kernel has made; 0: it is on
   the interrupted stack.  Context: signal. */
static inline uintptr_t
bbp_arch_other_stack (const void *context)
{
  const stack_t *stack = &((const ucontext_t *) context)->uc_stack;
  return (uintptr_t) context - (uintptr_t) stack->ss_sp < stack->ss_size ? (uintptr_t) stack->ss_sp
                                                                         : 0;
}

/* True if the calling thread uses a split stack (-fsplit-stack): libgcc keeps the end of the
   current piece in the thread's control block. */
static inline bool
bbp_arch_splits_stack (void)
{
  uintptr_t end;
  __asm__("movq %%fs:0x70, %0" : "=r"(end));
  return end;
}

/* The base address of thread-local offsets. */
static inline uintptr_t
bbp_arch_thread_pointer (void)
{
  uintptr_t tp;
  __asm__("movq %%fs:0, %0" : "=r"(tp));
  return tp;
}

/* Moves the base of thread-local offsets; 0, or -errno.  A system call of the library's (sys.h). */
#define BBP_ARCH_SET_THREAD_POINTER(pointer) \
  BBP_SYSCALL (SYS_arch_prctl, ARCH_SET_FS, pointer, 0, 0, 0, 0)

/* The base of GS: what is added to an address with %gs.  By an instruction only if the kernel
   allows it in programs, which a bit of AT_HWCAP2 says. */
#define BBP_ARCH_HWCAP2_GS 2
static inline uintptr_t
bbp_arch_get_gs (void)
{
  uintptr_t base;
  __asm__ volatile("rdgsbase %0" : "=r"(base));
  return base;
}

static inline void
bbp_arch_set_gs (uintptr_t base)
{
  __asm__ volatile("wrgsbase %0" : : "r"(base) : "memory");
}

/* True if the signal of CONTEXT, SIGSEGV, was caused by ADDRESS: nothing is mapped there, or it is
   not a valid address.  The kernel gives this information with or without SA_SIGINFO. */
static inline bool
bbp_arch_is_fault_at (const void *context, uintptr_t address)
{
  const greg_t *registers = ((const ucontext_t *) context)->uc_mcontext.gregs;
  const greg_t general_protection = 13, page_fault = 14;
  if (registers[REG_TRAPNO] == page_fault)
    return (uintptr_t) registers[REG_CR2] == address;
  return registers[REG_TRAPNO] == general_protection
         && (uintptr_t) ((intptr_t) (address << 16) >> 16) != address;
}

/* The interrupted code may have read a counter and not written it yet: then it begins that
   increment again, because otherwise what a handler counts would be lost.  Here an increment is
   one instruction.  Context: signal. */
static inline void
bbp_arch_roll_back (void *context)
{
  (void) context;
}

/* Increment in one instruction, so it is atomic for signal handlers of this thread. */
static inline void
bbp_arch_increment (uint64_t *counter)
{
  __asm__("incq %0" : "+m"(*counter) : : "cc");
}

/* Atomic for all threads. */
static inline void
bbp_arch_add_16 (uint16_t *counter, uint16_t n)
{
  __atomic_fetch_add (counter, n, __ATOMIC_RELAXED);
}

/* If *WORD is 0, set it to VALUE; in one instruction, so it is atomic for signal handlers of this
   thread.  Other threads never write it, so there is no lock prefix. */
static inline bool
bbp_arch_claim (uintptr_t *word, uintptr_t value)
{
  uintptr_t old = 0;
  __asm__("cmpxchgq %2, %1" : "+a"(old), "+m"(*word) : "r"(value) : "cc", "memory");
  return old == 0;
}

/* Shift BIT into *BITS from below, in one instruction; returns the bit that is shifted out. */
static inline bool
bbp_arch_push_bit (uint64_t *bits, bool bit)
{
  bool out;
  if (bit)
    __asm__ volatile("stc; rclq %0" : "+m"(*bits), "=@ccc"(out));
  else
    __asm__ volatile("shlq %0" : "+m"(*bits), "=@ccc"(out));
  return out;
}

/* The current processor's number, which the kernel keeps in the limit of a segment; UINT_MAX: it
   does not.  The thread may be on another one at the next instruction. */
static inline unsigned
bbp_arch_cpu (void)
{
  const unsigned segment = 0x7b;
  unsigned limit;
  bool known;
  __asm__("lsl %2, %0" : "=r"(limit), "=@ccz"(known) : "r"(segment));
  return known ? limit & 0xfff : UINT_MAX;
}

/* For loops that wait for another processor. */
static inline void
bbp_arch_pause (void)
{
  __asm__ volatile("pause");
}

/* The processor's clock: steady, of unknown rate. */
static inline uint64_t
bbp_arch_ticks (void)
{
  uint32_t low, high;
  __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
  return (uint64_t) high << 32 | low;
}

/* Call FUNCTION (ARGUMENT), which may use vector registers, and restore those; AREA, zeroed, holds
   them meanwhile.  For libc's functions in hooks.  Context: hot, but takes microseconds. */
#define BBP_ARCH_VECTORS_BYTES 4096 /* AVX-512 ends at 2688 of the xsave area */
void bbp_arch_keep_vectors (void (*function) (void *), void *argument, void *area)
    __attribute__ ((visibility ("hidden")));

/* Call FUNCTION (ARGUMENT) on the stack that ends at TOP, a multiple of 16. */
void bbp_arch_call_on (void *top, void (*function) (void *), void *argument)
    __attribute__ ((visibility ("hidden")));

/* straight.c: pure.  The value that the straight-line code ending behind N BYTES has put into
   register REG (as instructions number them, below 8).  16 readable bytes must follow. */
struct bbp_loaded {
  enum { BBP_LOADED_NOT, BBP_LOADED_NUMBER, BBP_LOADED_REGISTER, BBP_LOADED_CHANGED } by;
  /* The number; or the register that it was copied from, which has the same value or has been
     changed since. */
  long value;
};
struct bbp_loaded bbp_arch_loaded (const unsigned char *bytes, size_t n, unsigned reg)
    __attribute__ ((visibility ("hidden")));

/* The address of the system-call instruction by which the interrupted thread is in the kernel; 0:
   it is not.  Only valid if bbp_arch_is_syscall.  The kernel has put the address behind the
   instruction into RCX, and may have set RIP back to the instruction, to restart it (AGAIN).
   Context: signal. */
#define BBP_ARCH_NUMBER 0 /* register of the number, as instructions number registers */
#define BBP_ARCH_STACK 4  /* the stack pointer */
#define BBP_ARCH_FIRST 7  /* the first argument of functions */
static inline uintptr_t
bbp_arch_entry (const void *context, bool *again)
{
  const greg_t *reg = ((const ucontext_t *) context)->uc_mcontext.gregs;
  *again = reg[REG_RCX] == reg[REG_RIP] + 2;
  return *again || reg[REG_RCX] == reg[REG_RIP] ? (uintptr_t) reg[REG_RCX] - 2 : 0;
}

/* BYTES: the code at that address, BBP_CALL_BEHIND bytes (unwind.h). */
static inline bool
bbp_arch_is_syscall (const unsigned char *bytes)
{
  return bytes[0] == 0x0f && bytes[1] == 0x05;
}

/* A register, as instructions number them.  Context: signal. */
static inline long
bbp_arch_register (const void *context, long number)
{
  static const signed char order[] = { REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                                       REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                       REG_R12, REG_R13, REG_R14, REG_R15 };
  return ((const ucontext_t *) context)->uc_mcontext.gregs[order[number & 15]];
}

/* The address of the counter that the instruction at the context's pc increments by GS:
   incq %gs:counter(%rip), or incq %gs:distance(%reg); sets BYTES to its length.  Else 0.  Reading
   stops at the first byte that does not match.  Context: signal. */
static inline uintptr_t
bbp_arch_counter_by_base (const void *context, size_t *bytes)
{
  const unsigned char *code = (const unsigned char *) bbp_arch_pc (context);
  if (code[0] != 0x65 || (code[1] & 0xfe) != 0x48 || code[2] != 0xff || (code[3] & 0x38) != 0)
    return 0;
  unsigned mode = code[3] >> 6, low = code[3] & 7;
  bool by_pc = mode == 0 && low == 5 && code[1] == 0x48;
  if (!by_pc && (mode == 0 || mode == 3 || low == 4))
    return 0;
  *bytes = mode == 1 ? 5 : 8;
  int32_t distance = (signed char) code[4];
  if (mode != 1)
    __builtin_memcpy (&distance, code + 4, sizeof distance);
  uintptr_t from = by_pc ? (uintptr_t) code + *bytes
                         : (uintptr_t) bbp_arch_register (context, low | (code[1] & 1) << 3);
  return from + (uintptr_t) (intptr_t) distance;
}

/* If the instruction at the context's pc reads the word of a call site by GS,
   movq %gs:24(%rax,%r10), %r10: the word's address among the module's own; else 0.  Context:
   signal. */
enum { BBP_ARCH_SITE_BYTES = 6 };
static inline uintptr_t
bbp_arch_site_by_base (const void *context)
{
  static const unsigned char move[BBP_ARCH_SITE_BYTES] = { 0x65, 0x4e, 0x8b, 0x54, 0x10, 24 };
  const greg_t *registers = ((const ucontext_t *) context)->uc_mcontext.gregs;
  const unsigned char *code = (const unsigned char *) bbp_arch_pc (context);
  for (size_t i = 0; i < sizeof move; i++)
    if (code[i] != move[i])
      return 0;
  return (uintptr_t) (registers[REG_RAX] + registers[REG_R10] + move[5]);
}

/* Has CONTEXT continue as if that instruction had read WORD.  Context: signal. */
static inline void
bbp_arch_pass_site (void *context, uintptr_t word)
{
  greg_t *registers = ((ucontext_t *) context)->uc_mcontext.gregs;
  registers[REG_R10] = (greg_t) word;
  registers[REG_RIP] += BBP_ARCH_SITE_BYTES;
}

/* Create a child that calls FUNCTION (ARGUMENT) on the stack that ends at TOP, a multiple of 16,
   and exits with its result.  FLAGS: of clone.  Returns its pid, or -errno. */
long bbp_arch_clone (unsigned long flags, void *top, int (*function) (void *), void *argument)
    __attribute__ ((visibility ("hidden")));

/* True: a handler can tell a system call that is made again from one that has not been made yet,
   and can make one again that has failed. */
#define BBP_ARCH_RESTARTS true

/* In CONTEXT, which the kernel made on the way back from a system call: argument I of the call,
   from 0; its result; its number, if it is made again.  Context: signal. */
typedef greg_t bbp_arch_value;
static inline bbp_arch_value *
bbp_arch_call_argument (void *context, int i)
{
  static const unsigned char place[] = { REG_RDI, REG_RSI, REG_RDX, REG_R10, REG_R8, REG_R9 };
  return &((ucontext_t *) context)->uc_mcontext.gregs[place[i]];
}

static inline bbp_arch_value *
bbp_arch_call_result (void *context)
{
  return &((ucontext_t *) context)->uc_mcontext.gregs[REG_RAX];
}

static inline long
bbp_arch_call_number (void *context)
{
  return *bbp_arch_call_result (context);
}

/* Make bbp_arch_entry ignore the call from now on.  The register is free: no code expects a value
   in it after a system call.  Context: signal. */
static inline void
bbp_arch_call_forget (void *context)
{
  ((ucontext_t *) context)->uc_mcontext.gregs[REG_RCX] = 0;
}

/* Make the call again, with NUMBER; or end it with RESULT.  Context: signal. */
static inline void
bbp_arch_call_again (void *context, long number)
{
  ((ucontext_t *) context)->uc_mcontext.gregs[REG_RIP] -= 2;
  *bbp_arch_call_result (context) = number;
}

static inline void
bbp_arch_call_over (void *context, long result)
{
  ((ucontext_t *) context)->uc_mcontext.gregs[REG_RIP] += 2;
  *bbp_arch_call_result (context) = result;
}

/* True if valgrind emulates the processor.  It recognises these instructions, which do nothing on a
   processor, and answers in RDX the request that RAX points to. */
static inline bool
bbp_arch_is_emulated (void)
{
  const unsigned long running_on_valgrind = 0x1001;
  const unsigned long request[6] = { running_on_valgrind };
  unsigned long answer = 0;
  __asm__ volatile(
      "rolq $3, %%rdi; rolq $13, %%rdi; rolq $61, %%rdi; rolq $51, %%rdi; xchgq %%rbx, %%rbx"
      : "+d"(answer)
      : "a"(request)
      : "cc", "memory");
  return answer != 0;
}

/* System call; returns its result, or -errno.  Not by libc's syscall, which sets errno, may be
   replaced by the program's own (instrumented) function, and is a cancellation point. */
static inline long
bbp_arch_syscall (long number, long a, long b, long c, long d, long e, long f)
{
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

#endif
