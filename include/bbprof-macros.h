/* SPDX-License-Identifier: MIT */
/* Profiling macros as the target header of a GCC 2.95 port defined them, for the plugin of
   today.  A C or C++ file of the port contains

     #define FUNCTION_BLOCK_PROFILER(FILE, LABELNO) do { fprintf (FILE, "...", LABELNO); } while (0)
     #define FUNCTION_BLOCK_PROFILER_CLOBBERS "cc"
     #define BLOCK_PROFILER(FILE, BLOCKNO) \
       do { fprintf (FILE, "\tincq\t.LPBX2+%d(%%rip)\n", 8 * (BLOCKNO)); } while (0)
     #define BLOCK_PROFILER_CLOBBERS "cc"
     #include <bbprof-macros.h>

   and is compiled to an object that the plugin loads (doc/howto/vendor-port.md builds an example):

     gcc -shared -fPIC port.c -o port.so
     gcc -O2 -fplugin=bbprof -fplugin-arg-bbprof-macros=port.so -c prog.c

   The macros have the same arguments as in GCC 2.95.  doc/reference/macros.md says where each
   one's text is placed and what it must do:

     FUNCTION_PROFILER (FILE, LABELNO)         with -pg
     FUNCTION_BLOCK_PROFILER (FILE, LABELNO)   these two only together
     BLOCK_PROFILER (FILE, BLOCKNO)
     FUNCTION_BLOCK_PROFILER_EXIT (FILE)       where profile_block_flag is 2
     PROFILE_BEFORE_PROLOGUE                   if defined, FUNCTION_PROFILER stands before the
                                               prologue
     NO_PROFILE_COUNTERS                       if defined, there are no variables .LP<labelno>

   Additions, because code is optimised further than in 1999 when the macros' text is inserted:

     <macro>_CLOBBERS                          for each of the first four that is defined: the
                                               registers that its text changes, a string of names
                                               separated by blanks, with cc for the flags; "" if it
                                               changes none
     BBPROF_STATE_SAVE (FILE, ID)              texts around one of the others where a register or
     BBPROF_STATE_RESTORE (FILE, ID)           flag that it changes is in use; ID is the same
                                               number in both, and differs at each place

   (MACHINE_STATE_SAVE and MACHINE_STATE_RESTORE are statements of the run-time library, as ever,
   and are not used here.)

   Each macro is expanded once, in a function of its own, so its static variables count what is
   compiled.  It may read the variables below.  Code before the macros, or in another file of the
   object, may include this header for these variables: where no macro is defined, the header
   defines nothing.

   Valid C90 and C++98. */
#ifndef BBPROF_MACROS_H
#define BBPROF_MACROS_H

#include <stdio.h>

#define BBPROF_HIDDEN __attribute__ ((visibility ("hidden")))

/* The kind of code that is being compiled.  The plugin sets these variables before each text.
   Names and meanings are those of GCC 2.95; flag_pie came later. */
extern BBPROF_HIDDEN int profile_block_flag; /* 1: -a, 2: -ax (ax=calls) */
/* 0; 1: -fpic; 2: -fPIC, or position independent executables, the default of many compilers. */
extern BBPROF_HIDDEN int flag_pic;
extern BBPROF_HIDDEN int flag_pie; /* not 0: for executables only */
extern BBPROF_HIDDEN int optimize; /* the level of -O for this function */
extern BBPROF_HIDDEN int bbprof_pointer_size;
#ifndef POINTER_SIZE
#define POINTER_SIZE bbprof_pointer_size /* in bits */
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The rest is the interface between this header and the plugin. */

/* Increased when something below changes its meaning or is removed.  Additions come at the end. */
#define BBPROF_MACROS_VERSION 1

struct bbprof_compilation {
  int profile_block_flag, flag_pic, flag_pie, optimize, pointer_size;
};

struct bbprof_macro {
  void (*write) (FILE *file, int number); /* null: the macro is not defined */
  const char *clobbers;
};

struct bbprof_macros {
  unsigned version;          /* BBPROF_MACROS_VERSION */
  unsigned size;             /* of this struct */
  unsigned compilation_size; /* of struct bbprof_compilation; the plugin sets that many bytes */
  unsigned profile_before_prologue, no_profile_counters;
  void (*set) (const struct bbprof_compilation *compilation);
  struct bbprof_macro function_profiler, function_block_profiler, block_profiler,
      function_block_profiler_exit;
  struct bbprof_macro state_save, state_restore;
};

/* The one name that the plugin looks up. */
extern __attribute__ ((visibility ("default"))) const struct bbprof_macros bbprof_macros;

#ifdef __cplusplus
}
#endif

#endif

#if !defined BBPROF_MACROS_MADE \
    && (defined FUNCTION_PROFILER || defined FUNCTION_BLOCK_PROFILER || defined BLOCK_PROFILER)
#define BBPROF_MACROS_MADE

#if defined FUNCTION_BLOCK_PROFILER != defined BLOCK_PROFILER
#error "one of FUNCTION_BLOCK_PROFILER and BLOCK_PROFILER without the other"
#endif
#if defined FUNCTION_BLOCK_PROFILER_EXIT && !defined BLOCK_PROFILER
#error "FUNCTION_BLOCK_PROFILER_EXIT without BLOCK_PROFILER"
#endif
#if defined BBPROF_STATE_SAVE != defined BBPROF_STATE_RESTORE
#error "one of BBPROF_STATE_SAVE and BBPROF_STATE_RESTORE without the other"
#endif

int profile_block_flag, flag_pic, flag_pie, optimize, bbprof_pointer_size;

static void
bbprof_set (const struct bbprof_compilation *compilation)
{
  profile_block_flag = compilation->profile_block_flag;
  flag_pic = compilation->flag_pic;
  flag_pie = compilation->flag_pie;
  optimize = compilation->optimize;
  bbprof_pointer_size = compilation->pointer_size;
}

#ifdef FUNCTION_PROFILER
#ifndef FUNCTION_PROFILER_CLOBBERS
#error "FUNCTION_PROFILER_CLOBBERS is not defined: which registers its text changes"
#endif
static void
bbprof_function_profiler (FILE *file, int labelno)
{
  (void) labelno;
  FUNCTION_PROFILER (file, labelno);
}
#define BBPROF_FUNCTION_PROFILER                         \
  {                                                      \
    bbprof_function_profiler, FUNCTION_PROFILER_CLOBBERS \
  }
#else
#define BBPROF_FUNCTION_PROFILER \
  {                              \
    0, 0                         \
  }
#endif

#ifdef FUNCTION_BLOCK_PROFILER
#ifndef FUNCTION_BLOCK_PROFILER_CLOBBERS
#error "FUNCTION_BLOCK_PROFILER_CLOBBERS is not defined: which registers its text changes"
#endif
static void
bbprof_function_block_profiler (FILE *file, int labelno)
{
  (void) labelno;
  FUNCTION_BLOCK_PROFILER (file, labelno);
}
#define BBPROF_FUNCTION_BLOCK_PROFILER                               \
  {                                                                  \
    bbprof_function_block_profiler, FUNCTION_BLOCK_PROFILER_CLOBBERS \
  }
#else
#define BBPROF_FUNCTION_BLOCK_PROFILER \
  {                                    \
    0, 0                               \
  }
#endif

#ifdef BLOCK_PROFILER
#ifndef BLOCK_PROFILER_CLOBBERS
#error "BLOCK_PROFILER_CLOBBERS is not defined: which registers its text changes"
#endif
static void
bbprof_block_profiler (FILE *file, int blockno)
{
  (void) blockno;
  BLOCK_PROFILER (file, blockno);
}
#define BBPROF_BLOCK_PROFILER                      \
  {                                                \
    bbprof_block_profiler, BLOCK_PROFILER_CLOBBERS \
  }
#else
#define BBPROF_BLOCK_PROFILER \
  {                           \
    0, 0                      \
  }
#endif

#ifdef FUNCTION_BLOCK_PROFILER_EXIT
#ifndef FUNCTION_BLOCK_PROFILER_EXIT_CLOBBERS
#error "FUNCTION_BLOCK_PROFILER_EXIT_CLOBBERS is not defined: which registers its text changes"
#endif
static void
bbprof_function_block_profiler_exit (FILE *file, int number)
{
  (void) number;
  FUNCTION_BLOCK_PROFILER_EXIT (file);
}
#define BBPROF_FUNCTION_BLOCK_PROFILER_EXIT                                    \
  {                                                                            \
    bbprof_function_block_profiler_exit, FUNCTION_BLOCK_PROFILER_EXIT_CLOBBERS \
  }
#else
#define BBPROF_FUNCTION_BLOCK_PROFILER_EXIT \
  {                                         \
    0, 0                                    \
  }
#endif

#ifdef BBPROF_STATE_SAVE
static void
bbprof_state_save (FILE *file, int id)
{
  (void) id;
  BBPROF_STATE_SAVE (file, id);
}
#define BBPROF_SAVE      \
  {                      \
    bbprof_state_save, 0 \
  }
#else
#define BBPROF_SAVE \
  {                 \
    0, 0            \
  }
#endif

#ifdef BBPROF_STATE_RESTORE
static void
bbprof_state_restore (FILE *file, int id)
{
  (void) id;
  BBPROF_STATE_RESTORE (file, id);
}
#define BBPROF_RESTORE      \
  {                         \
    bbprof_state_restore, 0 \
  }
#else
#define BBPROF_RESTORE \
  {                    \
    0, 0               \
  }
#endif

#ifdef PROFILE_BEFORE_PROLOGUE
#define BBPROF_BEFORE_PROLOGUE 1
#else
#define BBPROF_BEFORE_PROLOGUE 0
#endif
#ifdef NO_PROFILE_COUNTERS
#define BBPROF_NO_COUNTERS 1
#else
#define BBPROF_NO_COUNTERS 0
#endif

#ifdef __cplusplus
extern "C" {
#endif
const struct bbprof_macros bbprof_macros = { BBPROF_MACROS_VERSION,
                                             sizeof (struct bbprof_macros),
                                             sizeof (struct bbprof_compilation),
                                             BBPROF_BEFORE_PROLOGUE,
                                             BBPROF_NO_COUNTERS,
                                             bbprof_set,
                                             BBPROF_FUNCTION_PROFILER,
                                             BBPROF_FUNCTION_BLOCK_PROFILER,
                                             BBPROF_BLOCK_PROFILER,
                                             BBPROF_FUNCTION_BLOCK_PROFILER_EXIT,
                                             BBPROF_SAVE,
                                             BBPROF_RESTORE };
#ifdef __cplusplus
}
#endif

#endif
