/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A process that is sampled from outside, as the kernel's records describe it: its mappings and
   objects, its threads, and the tree of their stacks. */
#ifndef BBPROF_OUTSIDE_PROCESS_H
#define BBPROF_OUTSIDE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <uthash.h>

#include "collect/outside/object_file.h"
#include "common/contexts.h"
#include "model/files/bbx_stacks.h"

/* An object of the process: a file, and its place among the virtual addresses. */
struct process_object {
  struct object_file *file;
  uint64_t base, bias; /* as in struct bbx_object */
  uint32_t loads;
};

/* An executable mapping. */
struct process_map {
  uint64_t low, high;
  uint32_t object; /* index in OBJECTS; PROCESS_NO_OBJECT: generated code */
  uint64_t bias;   /* of the object here */
  uint32_t number; /* of this mapping: never used again, from 1 */
};
#define PROCESS_NO_OBJECT UINT32_MAX

struct process_thread {
  uint32_t tid, number; /* number: as in struct bbx_thread */
  uint32_t node;        /* its root in the tree */
  bool left_out;        /* not chosen */
  char name[16];
  uint64_t begun, ended; /* clock_now; 0: it lives */
  /* Whether it is on a processor, since when (clock_now), and for how long it was before. */
  enum { THREAD_UNKNOWN, THREAD_ON, THREAD_OFF } state;
  uint64_t since, cpu;
  uint64_t accounted; /* nanoseconds that its ticks stand for */
  /* Of wall time: the node of its stack when it left the processor, 0: unknown; nanoseconds since
     then that no tick stands for yet. */
  uint32_t asleep;
  uint64_t waited;
  struct bbs_sample *times; /* of its samples, in their order */
  size_t ntimes, room_times;
  UT_hash_handle hh;
};

struct process {
  struct process *next, *next_living;
  pid_t pid, parent;
  uint64_t began;                 /* clock_now: the zero of its times */
  uint64_t began_at;              /* the same, in nanoseconds since 1970 */
  uint64_t run;                   /* run id */
  uint64_t gone;                  /* clock_now; 0: its end was not noticed */
  uint64_t ended;                 /* clock_now; 0: it lives */
  unsigned replaced;              /* programs that it ran before */
  bool starting;                  /* it has not called exec yet: it is not the program */
  bool closed;                    /* its memory may not be read */
  uint32_t processors;            /* that it may use; 0: unknown */
  struct process_object *objects; /* the executable first */
  size_t nobjects, room_objects;
  struct process_map *maps; /* by address, without overlap */
  size_t nmaps, room_maps;
  struct process_thread *living; /* hash table by tid */
  struct process_thread **all;   /* by number, from 1 */
  size_t nthreads, room_threads, most_threads;
  struct bbx_kernel kernel; /* its functions in the tree */
  struct contexts tree;     /* nodes: enum bbx_frame; addresses of code are virtual */
  uint64_t samples, cut, nowhere;
  uint64_t lost_memory;          /* samples */
  struct switch_times *switches; /* null: not recorded */
  size_t ntimes;                 /* samples with a time, of all threads */
  uint64_t lost_times;           /* samples without */
};

/* A process that lives, with its present mappings.  Null: ERRNO says why. */
struct process *process_attach (pid_t pid, struct object_file **files);
/* A process without mappings or threads.  Null: out of memory. */
struct process *process_new (pid_t pid, pid_t parent);
/* The child PID of P, which begins with the mappings of P.  Null: out of memory. */
struct process *process_fork (const struct process *p, pid_t pid);
void process_free (struct process *);

/* Adds a mapping; what was in its place is gone.  False: out of memory. */
bool process_map (struct process *, struct object_file **files, const struct object_mapping *);

/* The mapping of ADDRESS, or null. */
const struct process_map *process_map_at (const struct process *, uint64_t address);

/* The object of the virtual ADDRESS, or null. */
const struct process_object *process_object_at (const struct process *, uint64_t address);

/* The thread TID, made if there is none; NAME: null: as /proc says.  Null: out of memory. */
struct process_thread *process_thread (struct process *, uint32_t tid, uint64_t now,
                                       const char *name);
struct process_thread *process_find_thread (const struct process *, uint32_t tid);
void process_thread_ends (struct process *, struct process_thread *, uint64_t now);

/* Processor time of the thread up to NOW. */
uint64_t process_thread_cpu (const struct process_thread *, uint64_t now);

#endif
