/* SPDX-License-Identifier: MIT */
/* Connects the rooms: fills in the tables of functions by which a room calls higher rooms
   (struct bbp_..._above), with their order.  The only file that knows all rooms. */
#include "runtime/count/count.h"
#include "runtime/dump/dump.h"
#include "runtime/languages/languages.h"
#include "runtime/live/live.h"
#include "runtime/objects/objects.h"
#include "runtime/observe/observe.h"
#include "runtime/observe/sample_queue.h"
#include "runtime/process/process.h"
#include "runtime/ranks/rank.h"
#include "runtime/sample/sample.h"
#include "runtime/samplers/samplers.h"
#include "runtime/select/select.h"
#include "runtime/signals/signals.h"
#include "runtime/trace/trace.h"
#include "runtime/unwind/unwinding.h"

/* The table of objects. */

static void
object_unloads (struct bbp_object *object)
{
  bbp_blocks_retire (object);
  bbp_retire (object, true);
  bbp_trace_object_unloads (object);
  bbp_unwind_forget ();
}

const struct bbp_objects_above bbp_objects_above = {
  .unloads = object_unloads,
  .delisted = bbp_retire,
  .modules_unload = bbp_modules_unload,
  .each_counted = bbp_gather_addresses,
  .changed = bbp_live_save,
};

/* The dump. */

static void
describe_sampling (struct bbp_sampling_facts *facts)
{
  *facts = (struct bbp_sampling_facts) {
    .taken = bbp_samples_taken (),
    .due = bbp_samples_due (),
    .missed = bbp_samples_missed (),
  };
  bbp_samples_clocks (&facts->wall, &facts->cpu);
}

static bool
describe_thread (uint32_t number, struct bbx_thread *thread)
{
  if (number == 1)
    bbp_sampled_update ();
  return bbp_sampled_facts (number, thread);
}

static void
reset_samples (void)
{
  bbp_late_settle_all ();
  bbp_samples_reset ();
  bbp_collector_reset ();
  bbp_languages_reset ();
  bbp_ranks_reset ();
}

static bool
describe_machine (struct bbx_machine *machine)
{
  bbp_run_machine (machine);
  return true;
}

const struct bbp_dump_above bbp_dump_above = {
  .pause_begin = bbp_pause_begin,
  .pause_more = bbp_pause_more,
  .pause_is_complete = bbp_pause_is_complete,
  .totals_taken = bbp_trace_at_totals,
  .pause_end = bbp_pause_end,
  .hides = bbp_choose_hides,
  .write_selection = bbp_choose_write,
  .describe_run = bbp_run_describe,
  .describe_machine = describe_machine,
  .rate = bbp_sampler_rate,
  .describe_sampling = describe_sampling,
  .describe_thread = describe_thread,
  .reset_samples = reset_samples,
  .settle_samples = bbp_late_settle_all,
  .language_address = bbp_function_address,
  .write_languages = bbp_languages_write,
  .write_rank = bbp_ranks_write,
  .changed = bbp_live_save,
  .code_at = bbp_code_at,
  .code_slot = bbp_code_slot,
  .function_begin = bbp_extent_begin,
  .is_one_function = bbp_extent_is_one,
};

const struct bbp_live_above bbp_live_above = {
  .alone = bbp_threads_alone,
  .leave_place = bbp_threads_leave_place,
  .due = bbp_samples_due,
  .left_out = bbp_samples_left_out,
  .rate = bbp_sampler_rate,
};

const struct bbp_signals_above bbp_signals_above = {
  .on_command = bbp_on_command,
  .on_tick = bbp_on_tick,
  .on_fatal = bbp_on_fatal,
  .commands_answered = bbp_commands_publish,
  .ticks_stand_in = bbp_sampler_stands_in,
  .ticks_share = bbp_sampler_shares_signal,
  .ticks_come = bbp_sampler_runs,
  .timer_is_ours = bbp_sampler_has_timer,
  .take_tick_signal = bbp_sampler_take_signal,
  .take_timer = bbp_sampler_take_timer,
  .counted = bbp_gs_base_count_fault,
  .handler_begins = bbp_handler_begins,
  .handler_returns = bbp_named_put_back,
  .handler_ends = bbp_handler_ends,
  .aborts = bbp_dump_before_abort,
};

/* Sampling. */

const struct bbp_unwind_above bbp_unwind_above = {
  .readable_more = bbp_readable_more,
  .cfi_find = bbp_cfi_find,
  .is_loader = bbp_cfi_is_loader,
  .mapping_of = bbp_mapping_of,
};

static void
tick_ends (const void *context)
{
  bbp_raw_tick ();
  bbp_checkpoint_tick (context);
}

const struct bbp_sampler *const bbp_samplers[BBP_SAMPLERS] = {
  [BBP_ITIMER] = &bbp_sampler_itimer,
  [BBP_THREAD] = &bbp_sampler_thread,
  [BBP_TICKER] = &bbp_sampler_ticker,
  [BBP_PERF] = &bbp_sampler_perf,
};

const struct bbp_sample_above bbp_sample_above = {
  .counts = bbp_arcs_count,
  .pause_requested = bbp_pause_requested,
  .tick_begins = bbp_rings_tick,
  .profil = bbp_profil_sample,
  .tick_ends = tick_ends,
  .checkpoint_due = bbp_checkpoint_due,
  .observe = bbp_observe,
  .observe_asleep = bbp_observe_asleep,
  .put = bbp_ring_put,
  .now = bbp_ring_now,
  .thread_begins = bbp_ring_begin,
  .thread_ends = bbp_ring_end,
};

/* Counting. */

static void
thread_begins (struct bbp_thread *thread)
{
  bbp_frames_keep (thread);
  bbp_stream_inherit (thread);
  bbp_window_begin ();
}

static void
thread_ends (void)
{
  bbp_jump_settle ();
  bbp_stream_end ();
}

const struct bbp_count_above bbp_count_above = {
  .start = bbp_start_by_unit,
  .end = bbp_exit_dump,
  .selected = bbp_window_start,
  .has_points = bbp_trace_add_module,
  .thread_begins = thread_begins,
  .thread_ends = thread_ends,
  .thread_chooses = bbp_window_begin,
  .stopped = bbp_streams_stop,
};
