/* SPDX-License-Identifier: MIT */
/* The description of the run in a profile.  Context: cold, lock held. */
#include "runtime/base/base.h"
#include "runtime/base/options.h"
#include "runtime/base/sys.h"
#include "runtime/process/process.h"
#include "runtime/sample/sample.h"

void
bbp_run_describe (struct bbx_run *content)
{
  *content = (struct bbx_run) {
    .started = bbp_run_started (),
    .pid = (uint32_t) bbp_sys_getpid (),
    .parent = (uint32_t) bbp_sys_getppid (),
    .rate = bbp.samples ? (uint32_t) bbp_sampler_rate () : 0,
    .dump = bbp.dumps,
    .samples = bbp_samples_taken () - (*bbp_options.threads ? bbp_samples_left_out () : 0),
  };
  bbp_run_clocks (&content->wall, &content->cpu);
  bbp.described = bbp_run_started () + content->wall;
  for (const struct bbp_thread *thread = bbp.threads; thread; thread = thread->next)
    content->threads++;
}
