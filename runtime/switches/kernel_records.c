/* SPDX-License-Identifier: MIT */
/* Context: cold; no function calls libc. */
#include <time.h>

#include "runtime/base/base.h"
#include "runtime/switches/kernel_records.h"

/* The end of each record, as sample_type and sample_id_all ask for it. */
struct sample_id {
  uint32_t pid, tid;
  uint64_t time;
};

struct lost {
  struct perf_event_header header;
  uint64_t id, lost;
};

struct task { /* PERF_RECORD_FORK and PERF_RECORD_EXIT */
  struct perf_event_header header;
  uint32_t pid, parent_pid, tid, parent_tid;
  uint64_t time;
};

struct comm {
  struct perf_event_header header;
  uint32_t pid, tid;
  char name[16];
};

struct perf_event_attr
bbp_switch_event (void)
{
  return (struct perf_event_attr) {
    .type = PERF_TYPE_SOFTWARE,
    .size = sizeof (struct perf_event_attr),
    .config = PERF_COUNT_SW_DUMMY,
    .sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
    .read_format = PERF_FORMAT_LOST,
    .inherit = 1,
    .inherit_thread = 1,
    .exclude_kernel = 1,
    .exclude_hv = 1,
    .comm = 1,
    .comm_exec = 1,
    .task = 1,
    .sample_id_all = 1,
    .context_switch = 1,
    .use_clockid = 1,
    .clockid = CLOCK_MONOTONIC,
    .watermark = 1,
  };
}

void
bbp_event_reduce (struct perf_event_attr *event, enum bbp_event_form form)
{
  if (form >= BBP_EVENT_NO_LOST)
    event->read_format &= ~(uint64_t) PERF_FORMAT_LOST;
  if (form >= BBP_EVENT_NO_THREAD)
    event->inherit_thread = 0;
}

static bool
decode_switch (struct bbp_record *r, const struct perf_event_header *header,
               const struct sample_id *id)
{
  r->tid = id->tid;
  r->kind = !(header->misc & PERF_RECORD_MISC_SWITCH_OUT)        ? BBS_IN
            : header->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT ? BBS_OUT_READY
                                                                 : BBS_OUT_SLEEPS;
  return true;
}

/* A process that fork made is not watched. */
static bool
decode_task (struct bbp_record *r, const struct task *task, pid_t pid)
{
  r->tid = task->tid;
  r->parent = task->parent_tid;
  r->kind = task->header.type == PERF_RECORD_FORK ? BBS_BORN : BBS_DIED;
  return task->pid == (uint32_t) pid && (r->kind == BBS_DIED || task->parent_pid == (uint32_t) pid);
}

static bool
decode_comm (struct bbp_record *r, const struct comm *comm, pid_t pid)
{
  r->tid = comm->tid;
  r->kind = comm->header.misc & PERF_RECORD_MISC_COMM_EXEC ? BBP_RECORD_EXEC : BBP_RECORD_NAME;
  bbp_copy_bytes (r->name, comm->name, sizeof comm->name);
  return comm->pid == (uint32_t) pid;
}

static bool
decode_lost (struct bbp_record *r, const struct lost *lost)
{
  r->tid = lost->lost < UINT32_MAX ? (uint32_t) lost->lost : UINT32_MAX;
  r->kind = BBS_GAP;
  return true;
}

bool
bbp_record_decode (struct bbp_record *r, const void *bytes, pid_t pid, uint16_t cpu)
{
  const struct perf_event_header *header = bytes;
  if (header->size < sizeof *header + sizeof (struct sample_id) || header->size > BBP_RECORD_BYTES)
    return false;
  struct sample_id id;
  bbp_copy_bytes (&id, (const char *) bytes + header->size - sizeof id, sizeof id);
  *r = (struct bbp_record) { .time = id.time, .cpu = cpu };
  switch (header->type)
    {
    case PERF_RECORD_SWITCH: return id.pid == (uint32_t) pid && decode_switch (r, header, &id);
    case PERF_RECORD_FORK:
    case PERF_RECORD_EXIT: return decode_task (r, bytes, pid);
    case PERF_RECORD_COMM: return decode_comm (r, bytes, pid);
    case PERF_RECORD_LOST: return decode_lost (r, bytes);
    default: return false;
    }
}

/* The most by which clocks were seen to differ is a few microseconds. */
enum { DIFFERENCE_NS = 100000 };

static bool
is_end (const struct bbp_record *r, uint32_t tid, uint16_t cpu)
{
  return r->tid == tid && r->cpu == cpu && (r->kind == BBS_OUT_SLEEPS || r->kind == BBS_OUT_READY);
}

void
bbp_records_uncross (struct bbp_record *records, size_t n, uint16_t cpu)
{
  const struct bbp_record in = records[0];
  if (in.kind != BBS_IN || in.cpu == cpu)
    return;
  for (size_t i = 1; i < n && records[i].time - in.time < DIFFERENCE_NS; i++)
    if (is_end (&records[i], in.tid, cpu))
      {
        const struct bbp_record out = records[i];
        for (; i > 0; i--)
          records[i] = records[i - 1];
        records[0] = out;
        return;
      }
    else if (records[i].tid == in.tid)
      return;
}
