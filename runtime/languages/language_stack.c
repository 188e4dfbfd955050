/* SPDX-License-Identifier: MIT */
/* Asks the languages for their frames of a sampled stack.  Context: signal. */
#include "runtime/languages/languages.h"

/* Where frames without a stack address belong, among N native ones. */
static uintptr_t
place_in (const struct bbprof_language *provider, const struct bbprof_native *native, size_t n)
{
  for (size_t i = n; i-- > 0;)
    if (native[i].address - (uintptr_t) provider->code < provider->code_bytes)
      return native[i].stack;
  return n ? native[0].stack : 0;
}

/* Frames without a stack address get PLACE.  0 is the number of no function. */
static void
complete (struct bbprof_frame *frames, size_t n, uintptr_t place)
{
  for (size_t i = 0; i < n; i++)
    {
      if (!frames[i].stack)
        frames[i].stack = (const void *) place;
      if (frames[i].function == BBP_FUNCTION_COLLECTS)
        frames[i].function = BBP_FUNCTION_NONE;
    }
}

/* Asks the language for its frames; they come behind USED others.  Returns their number. */
static size_t
ask (struct bbp_language_frames *all, struct bbp_language *language, const void *context, size_t n,
     size_t used)
{
  const struct bbprof_language *provider = __atomic_load_n (&language->provider, __ATOMIC_ACQUIRE);
  struct bbprof_frame *frames = all->frames + used; /* the first one is for the collector */
  struct bbprof_stack stack = { .context = context,
                                .native = all->native,
                                .n_native = (int) n,
                                .frames = frames + 1,
                                .room = (int) (BBP_LANGUAGE_DEPTH - used) };
  const int room = stack.room;
  provider->frames (&stack);
  const uintptr_t place = place_in (provider, all->native, n);
  if (stack.late)
    {
      all->late = language;
      all->late_stack = place;
      all->late_collects = stack.collects;
      return 0;
    }
  const bool cut = stack.n > room, collects = stack.collects;
  const size_t found = stack.n < 0 ? 0 : (size_t) (cut ? room : stack.n);
  complete (frames + 1, found, place);
  if (collects)
    *frames = (struct bbprof_frame) { .function = BBP_FUNCTION_COLLECTS,
                                      .stack = found ? frames[1].stack : (const void *) place };
  if (found || collects)
    all->spoken[all->nspoken++] = (struct bbp_spoken) { .language = language,
                                                        .frames = frames + !collects,
                                                        .n = found + collects,
                                                        .left = found + collects,
                                                        .cut = cut,
                                                        .collects = collects };
  return found + 1;
}

void
bbp_languages_ask (struct bbp_language_frames *all, const void *context, size_t n)
{
  size_t used = 0;
  all->nspoken = 0;
  all->late = NULL;
  for (unsigned i = 0; i < bbp_languages_number () && used < BBP_LANGUAGE_DEPTH; i++)
    used += ask (all, &bbp_languages[i], context, n, used);
}

static void
add (uint64_t *counter, uint64_t n)
{
  __atomic_fetch_add (counter, n, __ATOMIC_RELAXED);
}

void
bbp_language_count (struct bbp_language *language, unsigned ticks, bool cut, bool collects)
{
  add (&language->facts.ticks, ticks);
  add (&language->facts.cut, cut ? ticks : 0);
  add (&language->facts.collecting, collects ? ticks : 0);
}

void
bbp_language_count_alone (struct bbp_language *language, unsigned ticks)
{
  bbp_language_count (language, ticks, true, true);
  add (&language->alone, ticks);
}
