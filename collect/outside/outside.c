/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives each record of the kernel's to the process that it is about. */
#include "config.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "collect/outside/count_sample.h"
#include "collect/outside/session.h"
#include "collect/outside/stack_walk.h"
#include "collect/outside/switch_times.h"
#include "common/clock.h"

/* Of each buffer, 4 KB each: a sample has some 8.5 KB. */
enum { PAGES = 2048 };

/* Lists of processes. */

static void
begin (struct outside *o, struct process *p)
{
  *o->end = p;
  o->end = &p->next;
  p->next_living = o->living;
  o->living = p;
}

/* It does not live any more. */
static void
leave_living (struct outside *o, const struct process *p)
{
  struct process **link = &o->living;
  while (*link != p)
    link = &(*link)->next_living;
  *link = p->next_living;
}

/* P is replaced by NEXT, and freed. */
static void
replace (struct outside *o, struct process *p, struct process *next)
{
  struct process **link = &o->all;
  while (*link != p)
    link = &(*link)->next;
  *link = next;
  next->next = p->next;
  if (o->end == &p->next)
    o->end = &next->next;
  leave_living (o, p);
  next->next_living = o->living;
  o->living = next;
  process_free (p);
}

static struct process *
find (const struct outside *o, uint32_t pid)
{
  struct process *p = o->living;
  while (p && p->pid != (pid_t) pid)
    p = p->next_living;
  return p;
}

const struct process *
outside_next (const struct outside *o, const struct process *p)
{
  return p ? p->next : o->all;
}

pid_t
outside_pid (const struct process *p)
{
  return p->pid;
}

bool
outside_runs (const struct process *p)
{
  return p->ended == 0;
}

uint64_t
outside_samples (const struct process *p)
{
  return p->samples;
}

const char *
outside_program (const struct process *p)
{
  return p->nobjects > 0 ? p->objects[0].file->path : NULL;
}

static void
end (struct outside *o, struct process *p, uint64_t now)
{
  while (p->living)
    process_thread_ends (p, p->living, now);
  switch_times_take (p, true);
  p->ended = now;
  leave_living (o, p);
}

/* Attaching. */

/* False: errno says why. */
static bool
attach_to (struct outside *o, pid_t pid)
{
  struct threads threads = { .tids = NULL };
  bool good = feed_attach (o->feed, pid, o->events, o->nevents, PAGES, &threads);
  struct process *p = good ? process_attach (pid, &o->files) : NULL;
  if (p)
    {
      p->starting = o->options.starting;
      begin (o, p);
    }
  for (size_t i = 0; p && i < threads.n; i++)
    {
      struct process_thread *t = process_thread (p, threads.tids[i], p->began, NULL);
      good = good && t;
      if (t && o->options.wall)
        sample_sleeps (o, p, t);
    }
  const int error = errno;
  threads_free (&threads);
  return errno = error, good && p;
}

/* With samples in the kernel, if these are wanted and allowed. */
static bool
attach_first (struct outside *o, pid_t pid)
{
  struct event_options options = { .rate = o->options.rate,
                                   .children = o->options.children,
                                   .kernel = true,
                                   .switches = o->options.wall };
  if (o->options.kernel != OUTSIDE_KERNEL_NO)
    {
      o->nevents = events_describe (o->events, &options);
      o->kernel = attach_to (o, pid);
      if (o->kernel || o->options.kernel == OUTSIDE_KERNEL_YES
          || (errno != EACCES && errno != EPERM))
        return o->kernel;
    }
  options.kernel = false;
  o->nevents = events_describe (o->events, &options);
  return attach_to (o, pid);
}

static bool
attach_all (struct outside *o, struct error *err)
{
  for (size_t i = 0; i < o->options.npids; i++)
    {
      const pid_t pid = o->options.pids[i];
      if (!refusal_check (pid, err))
        return false;
      if (!(i == 0 ? attach_first (o, pid) : attach_to (o, pid)))
        return refusal_explain (pid, errno, o->options.kernel, err);
      if (o->options.timeline && !o->options.starting
          && !switch_times_begin (find (o, (uint32_t) pid), err))
        return false;
    }
  return true;
}

struct outside *
outside_open (const struct outside_options *options, struct error *err)
{
  struct outside *o = calloc (1, sizeof *o);
  if (!o || !(o->feed = feed_new ()))
    return free (o), error_no_memory (err), NULL;
  o->options = *options;
  o->end = &o->all;
  if (options->wall)
    o->options.kernel = OUTSIDE_KERNEL_YES;
  o->period = 1000000000 / options->rate;
  stack_walk_start ();
  if (o->options.kernel != OUTSIDE_KERNEL_NO)
    kernel_names_read (&o->names); /* takes long, so before samples come */
  if (attach_all (o, err))
    return o;
  outside_close (o);
  return NULL;
}

void
outside_close (struct outside *o)
{
  if (!o)
    return;
  feed_free (o->feed);
  for (struct process *p = o->all, *next; p; p = next)
    {
      next = p->next;
      process_free (p);
    }
  object_files_free (o->files);
  kernel_names_free (&o->names);
  free (o);
}

/* Records. */

static void
go_on (struct process_thread *t, uint64_t now)
{
  if (t->state != THREAD_ON)
    t->since = now;
  t->state = THREAD_ON;
}

/* A thread of which nothing was known has been on the processor since it was attached to. */
static void
go_off (struct process_thread *t, uint64_t now)
{
  if (t->state != THREAD_OFF && now > t->since)
    t->cpu += now - t->since;
  t->state = THREAD_OFF;
  t->since = now;
}

/* A process that fork made begins with one thread.  A thread has its maker's name. */
static bool
take_fork (struct outside *o, const struct outside_record *r)
{
  struct process *p = find (o, r->pid), *parent = find (o, r->parent_pid);
  if (!p && parent && o->options.children && r->pid != r->parent_pid)
    {
      p = process_fork (parent, (pid_t) r->pid);
      if (!p)
        return false;
      p->began = r->time;
      if (o->options.timeline)
        switch_times_begin_new (p);
      begin (o, p);
    }
  if (!p || process_find_thread (p, r->tid))
    return true;
  const struct process_thread *maker = parent ? process_find_thread (parent, r->parent_tid) : NULL,
                              *t = process_thread (p, r->tid, r->time, maker ? maker->name : NULL);
  if (t)
    switch_times_add (p, t, r);
  return t;
}

static void
take_exit (struct outside *o, struct process *p, const struct outside_record *r)
{
  struct process_thread *t = process_find_thread (p, r->tid);
  if (t)
    {
      sample_wakes (o, p, t, r->time);
      switch_times_add (p, t, r);
      process_thread_ends (p, t, r->time);
    }
  if (!p->living)
    end (o, p, r->time);
}

/* The process runs another program: it begins anew.  With CHILDREN each program has a profile. */
static bool
take_exec (struct outside *o, struct process *p, const struct outside_record *r)
{
  struct process *next = process_new (p->pid, p->parent);
  if (!next)
    return false;
  next->began = r->time;
  next->replaced = o->options.children ? 0 : p->replaced + !p->starting;
  if (o->options.children && !p->starting)
    {
      end (o, p, r->time);
      begin (o, next);
    }
  else
    replace (o, p, next);
  if (o->options.timeline)
    switch_times_begin_new (next);
  const struct process_thread *t = process_thread (next, r->tid, r->time, r->name);
  if (t)
    switch_times_add (next, t, r);
  return t;
}

static bool
take_name (struct process *p, const struct outside_record *r)
{
  struct process_thread *t = process_thread (p, r->tid, r->time, r->name);
  if (t)
    memcpy (t->name, r->name, sizeof t->name);
  return t;
}

static bool
take_of_thread (struct outside *o, struct process *p, const struct outside_record *r)
{
  struct process_thread *t = process_thread (p, r->tid, r->time, NULL);
  if (!t)
    return false;
  switch (r->kind)
    {
    case OUTSIDE_IN:
      switch_times_add (p, t, r);
      sample_wakes (o, p, t, r->time);
      go_on (t, r->time);
      return true;
    case OUTSIDE_OUT:
      switch_times_add (p, t, r);
      go_off (t, r->time);
      return true;
    default: return sample_take (o, p, t, r);
    }
}

/* It is not known which process's records were lost. */
static void
take_loss (struct outside *o, const struct outside_record *r)
{
  o->lost += r->lost;
  for (struct process *p = o->living; p; p = p->next_living)
    switch_times_add (p, NULL, r);
}

/* False: out of memory. */
static bool
take (struct outside *o, const struct outside_record *r)
{
  struct process *p = find (o, r->pid);
  o->now = r->time;
  if (r->kind == OUTSIDE_FORK)
    return take_fork (o, r);
  if (r->kind == OUTSIDE_LOST)
    take_loss (o, r);
  if (!p)
    return true;
  switch (r->kind)
    {
    case OUTSIDE_EXIT: take_exit (o, p, r); return true;
    case OUTSIDE_NAME: return take_name (p, r);
    case OUTSIDE_EXEC: return take_exec (o, p, r);
    case OUTSIDE_MAP: return process_map (p, &o->files, &r->mapping);
    case OUTSIDE_SAMPLE:
    case OUTSIDE_SWITCHED:
    case OUTSIDE_IN:
    case OUTSIDE_OUT: return take_of_thread (o, p, r);
    default: return true;
    }
}

/* The record of a process's end may be among those that were lost.  A process that is gone has
   ended when all records from before that was noticed are taken.  NOTICE: looks for such
   processes. */
static void
end_the_dead (struct outside *o, bool notice)
{
  for (struct process *p = o->living, *next; p; p = next)
    {
      next = p->next_living;
      if (notice && !p->gone && kill (p->pid, 0) != 0 && errno == ESRCH)
        p->gone = clock_now ();
      if (p->gone && p->gone <= feed_until (o->feed))
        end (o, p, p->gone);
    }
}

void
outside_wait (struct outside *o, unsigned milliseconds)
{
  feed_wait (o->feed, milliseconds);
}

bool
outside_take (struct outside *o, bool last)
{
  struct outside_record r;
  bool any = false;
  feed_begin (o->feed, last);
  for (; feed_next (o->feed, &r); any = true)
    if (!take (o, &r))
      o->lost_memory++;
  for (struct process *p = o->living; p; p = p->next_living)
    switch_times_take (p, last);
  end_the_dead (o, !any);
  if (last)
    {
      o->lost += feed_dropped (o->feed);
      o->now = clock_now ();
      for (struct process *p = o->living; p; p = p->next_living)
        for (struct process_thread *t = p->living; t; t = t->hh.next)
          sample_wakes (o, p, t, o->now);
    }
  return o->living != NULL;
}
