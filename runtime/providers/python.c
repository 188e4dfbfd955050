/* SPDX-License-Identifier: MIT */
/* Tells bbprof the Python functions that a thread executes: for CPython 3.11, preloaded by bbprof
   record.  In another program, or another version, it does nothing.

   In the handler the frames of the thread are read, as the interpreter has linked them.  It may
   have been interrupted anywhere: a frame that it is about to leave may have been freed.  So all
   reads survive what is not there, and all objects are recognised by their types. */
#include <dlfcn.h>

#define BBPROF_OPTIONAL
#include "runtime/providers/python.h"
#include "runtime/providers/python_layout.h"

struct python_types python_types;

/* The interpreter's functions; both only read. */
static struct {
  const char *(*own_thread) (void);     /* of the calling thread, or null */
  const char *(*current_thread) (void); /* that executes Python code, or null */
} vm;

/* Of a frame: what lies between its code and its end. */
struct frame {
  const char *code;
  const char *unused;
  const char *previous;
  const char *instruction;
};
_Static_assert(PYTHON_FRAME_PREVIOUS - PYTHON_FRAME_CODE == 16
                   && PYTHON_FRAME_INSTRUCTION - PYTHON_FRAME_CODE == 24,
               "as struct frame has it");

static bool
read_pointer (struct provider_pages *pages, const char *address, const char **to)
{
  return provider_read (pages, address, to, sizeof *to);
}

/* Byte offset of the instruction in the code; 0 if it has not begun. */
static unsigned
offset_of (const struct frame *frame)
{
  const char *code = frame->code + PYTHON_CODE_CODE;
  return frame->instruction > code ? (unsigned) (frame->instruction - code) : 0;
}

/* Adds the frame, of which there may be no room left.  The innermost one may be one that has just
   been left. */
static void
add (struct bbprof_stack *stack, struct provider_pages *pages, struct python_seen *seen,
     const struct frame *frame, const char *cframe)
{
  const unsigned long number
      = stack->n < stack->room ? python_code_number (pages, seen, frame->code) : 0;
  if (!number && stack->n == 0)
    return;
  if (stack->n < stack->room)
    stack->frames[stack->n] = (struct bbprof_frame) { number, offset_of (frame), cframe };
  stack->n++;
}

/* CFRAME is in the native frame that executes the frames up to the next one that is an entry. */
static void
walk (struct bbprof_stack *stack, struct provider_pages *pages, const char *cframe)
{
  const char *address;
  struct frame frame;
  struct python_seen seen = { 0 };
  bool entry = false;
  if (!read_pointer (pages, cframe + PYTHON_CFRAME_FRAME, &address))
    return;
  while (address && stack->n <= stack->room
         && provider_read (pages, address + PYTHON_FRAME_CODE, &frame, sizeof frame)
         && provider_read (pages, address + PYTHON_FRAME_IS_ENTRY, &entry, sizeof entry))
    {
      add (stack, pages, &seen, &frame, cframe);
      if (entry && !read_pointer (pages, cframe + PYTHON_CFRAME_PREVIOUS, &cframe))
        return;
      address = frame.previous;
    }
}

/* Context: signal. */
static void
frames (struct bbprof_stack *stack)
{
  struct provider_pages pages = { 0 };
  const char *thread = vm.own_thread (), *cframe, *interpreter;
  int collecting = 0;
  if (!thread || !read_pointer (&pages, thread + PYTHON_THREAD_CFRAME, &cframe) || !cframe)
    return;
  walk (stack, &pages, cframe);
  stack->collects = vm.current_thread () == thread
                    && read_pointer (&pages, thread + PYTHON_THREAD_INTERPRETER, &interpreter)
                    && provider_read (&pages, interpreter + PYTHON_INTERPRETER_COLLECTING,
                                      &collecting, sizeof collecting)
                    && collecting == 1;
}

static const struct bbprof_language python
    = { .name = "python", .frames = frames, .describe = python_code_describe };

static void __attribute__ ((constructor)) begin (void)
{
  const unsigned long *version = dlsym (RTLD_DEFAULT, "Py_Version");
  if (!bbprof_language || !version || *version >> 16 != PYTHON_VERSION)
    return;
  *(void **) &vm.own_thread = dlsym (RTLD_DEFAULT, "PyGILState_GetThisThreadState");
  *(void **) &vm.current_thread = dlsym (RTLD_DEFAULT, "_PyThreadState_UncheckedGet");
  python_types = (struct python_types) { dlsym (RTLD_DEFAULT, "PyCode_Type"),
                                         dlsym (RTLD_DEFAULT, "PyUnicode_Type"),
                                         dlsym (RTLD_DEFAULT, "PyBytes_Type") };
  if (vm.own_thread && vm.current_thread && python_types.code && python_types.text
      && python_types.bytes && provider_area_make ())
    bbprof_language (&python);
}
