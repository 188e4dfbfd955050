/* SPDX-License-Identifier: MIT */
/* The sampler for Windows.  A thread of the library (sampling_thread.c) waits for a timer, suspends
   each thread of a process in turn, copies its registers and its stack, and resumes it
   (stack_copy.c).  Frames are found in the copies (unwind_tables.c, images.c).  The process is the
   library's own, or that of bbprof-record.exe's program.  In its own nothing that happens while a
   thread is suspended takes a lock, allocates, or asks the loader.

   Context of every function, unless a line says otherwise: cold, that is, the sampler's thread, or
   a thread that holds the lock of sampling_thread.c.  No thread of its own process is suspended
   meanwhile. */
#ifndef BBP_WIN32_H
#define BBP_WIN32_H

#define WIN32_LEAN_AND_MEAN
#include <windows.h>
/* Behind it. */
#include <psapi.h>

#include "runtime/base/base.h"
#include "runtime/dump/dump.h"
#include "runtime/objects/objects.h"
#include "runtime/sample/context_nodes.h"

/* subject.c: the process that is sampled. */
extern HANDLE bbp_subject;
void bbp_subject_set (HANDLE process, uint32_t pid, uint32_t parent);
bool bbp_subject_is_own (void);
bool bbp_subject_read (uintptr_t address, void *to, size_t n); /* false: not all is readable */
/* Any thread may be suspended; of a stack that stays as it is meanwhile. */
bool bbp_subject_copy_stack (uintptr_t address, void *to, size_t n);
bool bbp_subject_is_code (uintptr_t address); /* memory there is executable, in an image or not */
/* The executable's run-time address. */
uintptr_t bbp_subject_executable (void);
uint64_t bbp_clock_wall (void); /* nanoseconds since some moment */
void bbp_run_describe (struct bbx_run *);
void bbp_run_clocks_of (HANDLE process_or_thread, bool thread, uint64_t *begun, uint64_t *ended,
                        uint64_t *cpu); /* nanoseconds since 1970, and of CPU time; 0: unknown */
/* UTF-8, in BUFFER. */
void bbp_narrow (char *buffer, size_t size, const wchar_t *wide);

/* images.c: the images of executable and DLLs in memory, and copies of what is needed of them. */
struct bbp_function {
  uint32_t begin, end, unwind; /* relative to the image, as in .pdata */
};
struct bbp_image {
  struct bbp_object *object;
  uint32_t mapping;  /* number in bbp_mappings */
  uintptr_t low;     /* run-time address */
  uint32_t size;     /* bytes of the image */
  uint32_t stamp[3]; /* time stamp, size, checksum: tell whether another image is there by now */
  uint32_t checked;  /* the round in which that was compared */
  bool is_loaded;
  bool lacks_functions;           /* there are none, and nobody has complained of that */
  struct bbp_function *functions; /* by address; null: none were found */
  size_t nfunctions;
  unsigned char **pages; /* copies, one for each page of the image; null: not needed so far */
};
/* The image at ADDRESS, also a new one; null: none.  ROUND: number of the round of samples, in
   which each image is compared once with what is in memory; 0: it is not. */
struct bbp_image *bbp_image_at (uintptr_t address, uint32_t round);
void bbp_image_unload (struct bbp_image *);
void bbp_images_complain (void);      /* once of each that stacks end in, for want of unwind data */
const char *bbp_image_program (void); /* the executable's name, without folders */
/* N bytes at RVA of the image, from the copies. */
bool bbp_image_bytes (struct bbp_image *, uint32_t rva, void *to, size_t n);
/* The function with the instruction at RVA; null: none, or one without a stack frame. */
const struct bbp_function *bbp_image_function (const struct bbp_image *, uint32_t rva);
/* The beginning of the function that the one at RVA is a part of. */
uint32_t bbp_image_function_begin (struct bbp_image *, uint32_t rva);

/* unwind_tables.c: frames in copies. */
enum { BBP_GPRS = 16, BBP_RSP = 4, BBP_RBP = 5 };
struct bbp_registers {
  uint64_t rip, gpr[BBP_GPRS]; /* as numbered by the processor: rax, rcx, rdx, rbx, rsp ... */
};
struct bbp_stack {
  const unsigned char *bytes; /* copy of the stack from rsp on */
  uintptr_t low, high;        /* run-time addresses that it is of */
  bool reaches_end;           /* HIGH is the end of the stack */
};
/* Frames, innermost first, at most MOST; returns their number.  *WHOLE: the last one is the
   thread's outermost. */
size_t bbp_unwind_stack (struct bbp_registers *, const struct bbp_stack *, uint32_t round,
                         struct bbp_frame *frames, size_t most, bool *whole);

/* process_threads.c: the threads of the process. */
void bbp_threads_make (void); /* once, before the first round; takes the loader's lock */
struct bbp_known_thread {
  uint32_t tid;
  HANDLE handle;
  uintptr_t block;         /* its TEB; 0: none yet */
  uint32_t node;           /* in the tree of contexts; 0: no sample yet */
  uint32_t seen;           /* the last round in which it was found */
  struct bbx_thread about; /* complete once it has ended */
};
/* Calls EACH for each thread, new ones included, but for that of the sampler. */
void bbp_threads_each (uint32_t round, void (*each) (struct bbp_known_thread *));
void bbp_threads_spare (uint32_t tid);                            /* the sampler's own */
bool bbp_threads_describe (uint32_t number, struct bbx_thread *); /* as in bbp_dump_above */

/* stack_copy.c */
/* One sample of each thread. */
void bbp_collect_round (void);
bool bbp_collect_make (void); /* false: no memory */
void bbp_collect_reset (void);
/* Numbers for the profile, since the last reset. */
struct bbp_collect_numbers {
  uint64_t rounds, ticks, refused; /* REFUSED: threads that could not be read */
  uint64_t most_stopped;           /* nanoseconds: the longest that a thread was suspended */
};
extern struct bbp_collect_numbers bbp_collect_numbers;

/* Timers: when the next round begins.  A file each. */
struct bbp_timer {
  const char *name;
  /* The first expiry is at once.  PERIODIC: at equal intervals, else after the interval from
     `again'. */
  bool (*start) (unsigned interval_us, bool periodic);
  /* Waits for the expiry, or until WAKE is signalled; false: waiting has failed. */
  bool (*wait) (HANDLE wake);
  bool (*again) (void); /* a round is over; false: failed */
  void (*end) (void);
};
extern const struct bbp_timer bbp_timer_waitable, bbp_timer_queue, bbp_timer_sleep;

/* sampling_thread.c: the thread and its two flags. */
bool bbp_sampler_begin (const struct bbp_timer *, unsigned rate, bool periodic, bool enabled);
void bbp_sampler_enable (bool); /* any thread; after it returns, no sample is taken while false */
/* Any thread: ends the thread of the sampler, and waits for that. */
void bbp_sampler_end (void);
bool bbp_sampler_has_ended (void); /* any: a wait failed, or it was told to */
/* Nothing while the process ends: the system has ended all other threads, which own locks still. */
void bbp_sampler_lock (void);
void bbp_sampler_unlock (void);
unsigned bbp_sampler_asked (void); /* samples a second */
const char *bbp_sampler_timer (void);
uint64_t bbp_sampler_running (void); /* nanoseconds while enabled, since the last reset */
void bbp_sampler_reset (void);

/* settings.c: BBPROF_OPTIONS, or the command line of bbprof-record.exe. */
struct bbp_settings {
  char output[BBP_PATH_SIZE];
  unsigned rate;
  const struct bbp_timer *timer;
  bool periodic, start;
};
extern struct bbp_settings bbp_settings;
/* Sets KEY, of N bytes; null, or what is wrong. */
const char *bbp_settings_set (const char *key, size_t n, const char *value, size_t length);
void bbp_settings_read (void); /* from the environment; complains on stderr */
/* The name of the profile, or gmon.out, in the current folder. */
void bbp_settings_fix_output (void);

/* write_profile.c: the files. */
/* 0, or the system's error, which it has printed.  Sampler locked, or ended. */
DWORD bbp_profile_write (void);
int bbp_profile_reset (void);      /* 0 or -errno */
void bbp_profile_stop (bool stop); /* calls and blocks are not counted, or again */

/* complain.c, with bbp_message: on stderr, without stdio. */
void bbp_complain (const char *text); /* "bbprof: TEXT" */
/* "bbprof: DOING SUBJECT: " and what the system says of ERROR */
void bbp_complain_error (const char *doing, const char *subject, DWORD error);

#endif
