/* SPDX-License-Identifier: MIT */
/* Tells bbprof the Ruby methods and blocks that a thread executes: for Ruby 3.1, preloaded by
   bbprof record.  In another program, or another version, it does nothing.

   Ruby's frames must not be read in a signal handler.  The handler asks for a postponed job, which
   Ruby runs at its next safe point, and the job tells the frames of its thread: those of the safe
   point, not of the sample.  Names are copied when a frame is first seen; the interpreter keeps it
   from then on, so that its address stays its own. */
#include <dlfcn.h>
#include <link.h>
#include <string.h>

#define BBPROF_OPTIONAL
#include "include/bbprof.h"
#include "runtime/providers/memory.h"

typedef unsigned long value; /* VALUE */
#define NIL 8UL

/* The interpreter's functions. */
static struct {
  int (*is_ruby_thread) (void);
  int (*collects) (void);
  int (*has_lock) (void);
  int (*register_job) (unsigned flags, void (*job) (void *), void *);
  int (*frames) (int start, int most, value *, int *lines);
  value (*label) (value), (*path) (value), (*first_line) (value);
  char *(*text) (volatile value *);
  value (*protect) (value (*) (value), value, int *state);
  void (*set_error) (value);
  void (*keep) (value);
  void (*at_end) (void (*) (value), value);
} vm;
static const struct {
  const char *name;
  void *function;
} names[] = { { "ruby_native_thread_p", &vm.is_ruby_thread },
              { "rb_during_gc", &vm.collects },
              { "ruby_thread_has_gvl_p", &vm.has_lock },
              { "rb_postponed_job_register_one", &vm.register_job },
              { "rb_profile_frames", &vm.frames },
              { "rb_profile_frame_full_label", &vm.label },
              { "rb_profile_frame_path", &vm.path },
              { "rb_profile_frame_first_lineno", &vm.first_line },
              { "rb_string_value_cstr", &vm.text },
              { "rb_protect", &vm.protect },
              { "rb_set_errinfo", &vm.set_error },
              { "rb_gc_register_mark_object", &vm.keep },
              { "rb_set_end_proc", &vm.at_end } };

static bool runs; /* the interpreter can be asked; atomic */

/* Methods and blocks: a hash by their addresses, open addressing.  Writer: the thread that has the
   interpreter's lock. */
struct method {
  value frame;
  const char *name, *file;
  unsigned first_line;
};
enum { SLOTS = 1 << 15, MOST_METHODS = SLOTS / 4 * 3, MOST_FRAMES = 1024, MOST_TEXT = 1024 };
static struct method *methods[SLOTS];
static unsigned used;

static const char *
copy (const char *text)
{
  const size_t n = strnlen (text, MOST_TEXT);
  char *kept = provider_keep (n + 1);
  return kept ? memcpy (kept, text, n) : NULL;
}

/* METHOD gets its name; the interpreter may raise an exception. */
static value
name (value method)
{
  struct method *m = (struct method *) method; /* NOLINT: the caller's own */
  volatile value label = vm.label (m->frame), path = vm.path (m->frame);
  const value line = vm.first_line (m->frame);
  m->name = label == NIL ? NULL : copy (vm.text (&label));
  m->file = path == NIL ? "" : copy (vm.text (&path));
  m->first_line = line & 1 ? (unsigned) (line >> 1) : 0;
  vm.keep (m->frame);
  return NIL;
}

static struct method *
add (value frame)
{
  struct method *new = used < MOST_METHODS ? provider_keep (sizeof *new) : NULL;
  int error = 0;
  if (!new)
    return NULL;
  new->frame = frame;
  vm.protect (name, (value) new, &error);
  if (error)
    vm.set_error (NIL);
  used++;
  return new;
}

static unsigned long
number_of (value frame)
{
  unsigned i = (unsigned) (frame / 8 * 0x9e3779b1U) % SLOTS;
  while (methods[i] && methods[i]->frame != frame)
    i = (i + 1) % SLOTS;
  if (!methods[i])
    methods[i] = add (frame);
  return methods[i] ? provider_number (methods[i]) : ~0UL;
}

static int
describe (unsigned long number, unsigned position, struct bbprof_function *to)
{
  const struct method *m = provider_at (number);
  if (!m || !m->name || !m->file)
    return 0;
  *to = (struct bbprof_function) { m->name, m->file, m->first_line, position };
  return 1;
}

static void in_handler (struct bbprof_stack *);
static struct bbprof_language ruby = { .name = "ruby", .frames = in_handler, .describe = describe };

/* Context: a thread that has the interpreter's lock, at a safe point. */
static void
tell (void *unused)
{
  static value frames[MOST_FRAMES + 1];
  static int lines[MOST_FRAMES + 1];
  static struct bbprof_frame told[MOST_FRAMES + 1];
  static bool busy;
  (void) unused;
  if (busy)
    return;
  busy = true;
  const int n = vm.frames (0, MOST_FRAMES + 1, frames, lines);
  for (int i = 0; i < n; i++)
    told[i] = (struct bbprof_frame) { .function = number_of (frames[i]),
                                      .position = lines[i] > 0 ? (unsigned) lines[i] : 0 };
  bbprof_language_late (&ruby, told, n);
  busy = false;
}

/* Context: signal. */
static void
in_handler (struct bbprof_stack *stack)
{
  if (!__atomic_load_n (&runs, __ATOMIC_ACQUIRE) || !vm.is_ruby_thread ())
    return;
  stack->collects = vm.collects () != 0 && vm.has_lock (); /* it, and no other thread */
  stack->late = vm.register_job (0, tell, NULL) != 0;
}

/* Called before the interpreter is freed. */
static void
end (value unused)
{
  (void) unused;
  __atomic_store_n (&runs, false, __ATOMIC_RELEASE);
}

/* In place of the interpreter's function, which the program calls when it has made the interpreter,
   and in which the first Ruby code runs. */
__attribute__ ((visibility ("default"))) void *ruby_options (int, char **);
void *
ruby_options (int argc, char **argv)
{
  void *(*next) (int, char **);
  *(void **) &next = dlsym (RTLD_NEXT, "ruby_options");
  if (vm.at_end)
    {
      vm.at_end (end, NIL);
      __atomic_store_n (&runs, true, __ATOMIC_RELEASE);
    }
  return next (argc, argv);
}

/* Finds the code of the interpreter: the segment that has its functions. */
static int
find_segment (struct dl_phdr_info *object, size_t size, void *function)
{
  (void) size;
  for (int i = 0; i < object->dlpi_phnum; i++)
    {
      const ElfW (Phdr) *segment = &object->dlpi_phdr[i];
      const unsigned long start = object->dlpi_addr + segment->p_vaddr;
      if (segment->p_type != PT_LOAD || (unsigned long) function - start >= segment->p_memsz)
        continue;
      ruby.code = (const void *) start; /* NOLINT: an address, not read */
      ruby.code_bytes = segment->p_memsz;
      return 1;
    }
  return 0;
}

static bool
find_functions (void)
{
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!(*(void **) names[i].function = dlsym (RTLD_DEFAULT, names[i].name)))
      return false;
  return true;
}

static void __attribute__ ((constructor)) begin (void)
{
  const int *version = dlsym (RTLD_DEFAULT, "ruby_api_version");
  if (!bbprof_language || !version || version[0] != 3 || version[1] != 1 || !find_functions ()
      || !dl_iterate_phdr (find_segment, *(void **) &vm.frames) || !provider_area_make ()
      || bbprof_language (&ruby) != 0)
    vm.at_end = NULL;
}
