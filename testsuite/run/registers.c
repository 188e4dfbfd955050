/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every register survives every hook, at any alignment of the stack, on the fast path and on the
   slow one: general registers, x87, SSE, AVX, AVX-512 with its masks, control words, as far as this
   processor has them.  The flags are free, and r11 but for __bb_indirect_func, which gets the
   callee's address there, and __bb_site_func, which also returns something in r10; the three of
   mode 2 change neither.  Trace points' functions are called
   when jumps are recorded, and when a trace is (argument: traced). */
#include <bbprof-abi.h>
#include <cpuid.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

extern void mcount (void), _mcount (void), __fentry__ (void), __bb_indirect_func (void),
    __bb_site_func (void), __bb_thread_func (void);
extern void __bb_init_trace_func (void), __bb_trace_func (void), __bb_trace_ret (void);
extern void __bb_enter_func (void), __bb_land_func (void), __bb_return_func (void),
    __bb_token_func (void), __bb_jump_func (void), __bb_zero_func (void), __bb_one_func (void),
    __bb_full_func (void);
extern __thread struct bbp_here __bb;
extern uint64_t probe_r11[2], probe_flags[2], probe_in[14], probe_out[14], probe_xmask;
extern unsigned char probe_xin[16384], probe_xout[16384];
void probe (void (*hook) (void), long misalignment);

static const struct {
  const char *name;
  void (*hook) (void);
  int keeps_r11, keeps_flags;
  int records; /* it is called only while something is recorded */
} hooks[] = {
  /* and from then on something is recorded */
  { "__bb_init_trace_func", __bb_init_trace_func, 1, 1, 0 },
  { "__bb_trace_func", __bb_trace_func, 1, 1, 0 },
  { "__bb_trace_ret", __bb_trace_ret, 1, 1, 0 },
  { "mcount", mcount, 0, 0, 0 },
  { "_mcount", _mcount, 0, 0, 0 },
  { "__fentry__", __fentry__, 0, 0, 0 },
  { "__bb_indirect_func", __bb_indirect_func, 1, 0, 0 },
  { "__bb_site_func", __bb_site_func, 1, 0, 0 },
  { "__bb_thread_func", __bb_thread_func, 0, 0, 0 },
  { "__bb_enter_func", __bb_enter_func, 0, 0, 1 },
  { "__bb_land_func", __bb_land_func, 1, 0, 1 },
  { "__bb_return_func", __bb_return_func, 1, 0, 1 },
  { "__bb_jump_func", __bb_jump_func, 1, 0, 1 },
  { "__bb_token_func", __bb_token_func, 1, 0, 1 },
  { "__bb_zero_func", __bb_zero_func, 1, 0, 1 },
  { "__bb_one_func", __bb_one_func, 1, 0, 1 },
  { "__bb_full_func", __bb_full_func, 1, 0, 1 },
};
#define HOOKS (sizeof hooks / sizeof *hooks)
#define FLAGS 0x8d5UL /* all that computing sets */
#define DIRECTION 0x400UL

/* A unit of mode 2, with one block. */
static long counts[1];
static const unsigned long addresses[1] = { 4096 };
static struct bb unit = { .filename = "unit",
                          .counts = counts,
                          .ncounts = 1,
                          .addresses = addresses,
                          .nwords = BBP_BB_SIZE_HISTORIC };

static struct bbp_site_words words;

static const char *const names[14] = { "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r8",
                                       "r9",  "r10", "r12", "r13", "r14", "r15", "rbp" };
enum { RAX = 0, R10 = 8 };
#define X87_SSE_AVX_AVX512 0xe7
#define LEGACY_END 416 /* of the xsave area: behind xmm15; up to the header nothing is defined */
#define HEADER 512 /* of the xsave area: behind the legacy part, 64 bytes */

static size_t xsize;
static unsigned char is_kept[16384]; /* of the xsave area: 1 where a register is */
static int failures;

/* Between components are holes, where processors lack one (MPX). */
static void
find_components (void)
{
  memset (is_kept, 1, 28); /* mxcsr's mask follows */
  memset (is_kept + 32, 1, LEGACY_END - 32);
  memset (is_kept + HEADER, 1, 64);
  for (unsigned n = 2; n < 8; n++)
    {
      unsigned size, offset, c, d;
      __cpuid_count (13, n, size, offset, c, d);
      if (X87_SSE_AVX_AVX512 & probe_xmask & 1U << n)
        memset (is_kept + offset, 1, size);
    }
}

/* A pattern in every vector and x87 register. */
static void
fill (unsigned seed)
{
  unsigned a, b, c, d;
  for (int i = 0; i < 14; i++)
    probe_in[i] = 0x0123456789abcdefULL * (i + seed + 1);
  __cpuid_count (13, 0, a, b, c, d);
  probe_xmask = a & X87_SSE_AVX_AVX512;
  xsize = b;
  find_components ();
  memset (probe_xin, 0, sizeof probe_xin);
  for (size_t i = 32; i < xsize; i++)
    if ((i < LEGACY_END || i >= HEADER + 64) && !(i < 160 && i % 16 >= 10))
      probe_xin[i] = (unsigned char) (i * 7 + seed);
  uint16_t control = 0x77f;  /* rounds down */
  uint32_t mxcsr = 0xff80;   /* rounds to zero, and flushes to it */
  memcpy (probe_xin, &control, sizeof control);
  probe_xin[4] = 0xff; /* all x87 registers are in use */
  memcpy (probe_xin + 24, &mxcsr, sizeof mxcsr);
  memcpy (probe_xin + HEADER, &probe_xmask, sizeof probe_xmask);
}

static void
check (size_t which, long misalignment)
{
  const char *hook = hooks[which].name;
  for (int i = 0; i < 13; i++)
    if (probe_in[i] != probe_out[i] && (i != R10 || hooks[which].hook != __bb_site_func))
      failures++, printf ("%s, stack off by %ld: %s changed\n", hook, misalignment, names[i]);
  if (probe_out[13])
    failures++, printf ("%s, stack off by %ld: rbp changed\n", hook, misalignment);
  for (size_t i = 0; i < xsize; i++)
    if (is_kept[i] && probe_xin[i] != probe_xout[i])
      {
        failures++, printf ("%s, stack off by %ld: byte %zu of the xsave area changed\n", hook,
                            misalignment, i);
        break;
      }
}

/* Let the thread be known, and have a place to record to. */
static void
prepare (void)
{
  static unsigned char choice;
  __bb_thread_func ();
  __bb.blockno = (unsigned long) &choice;
  probe_flags[0] = 0;
  probe_r11[0] = (uintptr_t) prepare;
  probe (__bb_land_func, 0);
}

static void
try_once (size_t which, unsigned seed, long misalignment)
{
  fill (seed + (unsigned) misalignment);
  probe_r11[0] = (uintptr_t) prepare + seed;
  probe_flags[0] = !hooks[which].keeps_flags ? 0 : seed % 2 ? DIRECTION : DIRECTION | FLAGS;
  if (hooks[which].hook == __bb_init_trace_func)
    {
      probe_in[4] = 0;
      probe_in[5] = (uintptr_t) &unit;
    }
  if (hooks[which].hook == __bb_site_func)
    probe_in[RAX] = (uintptr_t) &words;
  probe (hooks[which].hook, misalignment);
  check (which, misalignment);
  if (hooks[which].keeps_r11 && probe_r11[0] != probe_r11[1])
    failures++, printf ("%s, stack off by %ld: r11 changed\n", hooks[which].name, misalignment);
  if (hooks[which].keeps_flags && (probe_flags[0] ^ probe_flags[1]) & (FLAGS | DIRECTION))
    failures++, printf ("%s, stack off by %ld: flags changed\n", hooks[which].name, misalignment);
}

/* A new thread each time: the first call attaches it (slow), the second finds the arc (fast). */
static void *
run (void *argument)
{
  size_t which = (size_t) argument;
  __bb.blocks = &unit;
  fill (0);
  if (hooks[which].records)
    prepare ();
  for (unsigned round = 0; round < 3; round++)
    for (long misalignment = 0; misalignment < 64; misalignment += 8)
      try_once (which, round, misalignment);
  return NULL;
}

int
main (void)
{
  for (size_t which = 0; which < HOOKS; which++)
    {
      pthread_t thread;
      if (pthread_create (&thread, NULL, run, (void *) which))
        return 99;
      pthread_join (thread, NULL);
    }
  if (counts[0] != 24)
    failures++, printf ("%ld blocks instead of 24\n", counts[0]);
  printf ("%d failures, xsave components %#lx\n", failures, (unsigned long) probe_xmask);
  return failures != 0;
}
