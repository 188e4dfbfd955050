/* SPDX-License-Identifier: MIT */
/* The profile: gmon.out, the sidecar, and what the code that writes them asks of higher rooms. */
#include <intrin.h>

#include "runtime/os/win32/counting.h"
#include "runtime/os/win32/file.h"

/* Numbers of the dump. */

static void
describe_sampling (struct bbp_sampling_facts *facts)
{
  const struct bbp_collect_numbers *n = &bbp_collect_numbers;
  const uint64_t running = bbp_sampler_running ();
  *facts = (struct bbp_sampling_facts) { .taken = n->ticks, .missed = n->refused, .wall = running };
  /* Each round has a sample of each thread, so it stands for the mean time between rounds. */
  if (n->rounds)
    facts->due = (uint64_t) ((double) n->ticks / (double) n->rounds * (double) running / 1e9
                                 * bbp_sampler_asked ()
                             + 0.5);
}

static int
rate (void)
{
  return (int) bbp_sampler_asked ();
}

static void
none (void)
{
}

static void
write_nothing (struct bbp_out *out)
{
  (void) out;
}

static void
reset_samples (void)
{
  bbp_tree_reset ();
  bbp_collect_reset ();
  bbp_sampler_reset ();
}

static uint64_t
no_address (uintptr_t key)
{
  return key;
}

static uintptr_t
function_begin (uintptr_t address)
{
  struct bbp_image *image = bbp_image_at (address, 0);
  return image ? image->low + bbp_image_function_begin (image, (uint32_t) (address - image->low))
               : 0;
}

static void
processor_name (char *name, size_t size)
{
  int words[12];
  struct bbp_text text = { .buffer = name, .size = size };
  for (int i = 0; i < 3; i++)
    __cpuid (words + 4 * i, (int) (0x80000002U + (unsigned) i));
  const char *begin = (const char *) words, *end = begin + sizeof words;
  while (begin < end && *begin == ' ')
    begin++;
  size_t n = 0;
  while (begin + n < end && begin[n])
    n++;
  bbp_text_bytes (&text, begin, n);
}

/* The version that the system has, not the one that it shows to programs without a manifest. */
static bool
describe_machine (struct bbx_machine *machine)
{
  typedef LONG NTAPI version (OSVERSIONINFOW *);
  version *get = (version *) (void (*) (void)) GetProcAddress (GetModuleHandleW (L"ntdll.dll"),
                                                               "RtlGetVersion");
  OSVERSIONINFOW about = { .dwOSVersionInfoSize = sizeof about };
  SYSTEM_INFO system;
  *machine = (struct bbx_machine) { .processes = 1 };
  struct bbp_text text = { .buffer = machine->system, .size = sizeof machine->system };
  bbp_text_string (&text, "Windows ");
  if (get && get (&about) == 0)
    {
      bbp_text_number (&text, about.dwMajorVersion);
      bbp_text_string (&text, ".");
      bbp_text_number (&text, about.dwMinorVersion);
      bbp_text_string (&text, ".");
      bbp_text_number (&text, about.dwBuildNumber);
      bbp_text_string (&text, " ");
    }
  bbp_text_string (&text, "x86_64");
  processor_name (machine->processor, sizeof machine->processor);
  GetNativeSystemInfo (&system);
  machine->processors = system.dwNumberOfProcessors;
  return true;
}

static bool
is_one_function (uintptr_t a, uintptr_t b)
{
  return function_begin (a) == function_begin (b);
}

/* Up to the end of the image's code. */
static const unsigned char *
code_at (uintptr_t address, size_t *n)
{
  struct bbp_image *image = bbp_image_at (address, 0);
  uintptr_t end = image ? image->object->text_end + image->object->bias : 0;
  *n = address < end ? end - address : 0;
  return *n ? (const unsigned char *) address : NULL;
}

static bool
code_slot (uintptr_t address, uintptr_t *content)
{
  return bbp_subject_read (address, content, sizeof *content);
}

static bool
hides_none (uintptr_t block)
{
  (void) block;
  return false;
}

static bool
always (void)
{
  return true;
}

const struct bbp_dump_above bbp_dump_above = { .pause_begin = none,
                                               .pause_more = bbp_threads_pause,
                                               .pause_is_complete = always,
                                               .totals_taken = none,
                                               .pause_end = bbp_threads_continue,
                                               .hides = hides_none,
                                               .write_selection = write_nothing,
                                               .describe_run = bbp_run_describe,
                                               .describe_machine = describe_machine,
                                               .rate = rate,
                                               .describe_sampling = describe_sampling,
                                               .describe_thread = bbp_threads_describe,
                                               .settle_samples = none,
                                               .language_address = no_address,
                                               .write_languages = write_nothing,
                                               .write_rank = write_nothing,
                                               .reset_samples = reset_samples,
                                               .changed = none,
                                               .code_at = code_at,
                                               .code_slot = code_slot,
                                               .function_begin = function_begin,
                                               .is_one_function = is_one_function };

/* Merging. */

/* Samples by virtual address, for the histograms; *NOWHERE: those in no image. */
static bool
gather_samples (struct bbp_profile *profile, uint64_t *nowhere)
{
  *nowhere = 0;
  for (size_t i = 0; i < profile->tree.n; i++)
    {
      const struct bbp_tree_node *node = &profile->tree.node[i];
      if (node->kind != BBX_FRAME_CODE)
        *nowhere += node->ticks;
      else if (node->ticks && !bbp_counts_put (&profile->samples, 0, node->address, node->ticks))
        return false;
    }
  bbp_counts_unite (&profile->samples);
  bbp_samples_scale (&profile->samples);
  return true;
}

static bool
merge (struct bbp_profile *profile)
{
  bbp_count_lock ();
  const int error = bbp_merge (profile);
  bbp_count_unlock ();
  return !error && gather_samples (profile, &profile->lost_nowhere);
}

/* Writing. */

/* The sidecar first, so that gmon.out can say whether there is one.  Both or neither. */
static DWORD
write_files (const wchar_t *path, const wchar_t *sidecar_path, const struct bbp_profile *profile)
{
  static struct bbp_file gmon, sidecar;
  bbp_file_open (&sidecar, sidecar_path);
  const uint32_t moment = bbp_bbx_write (&sidecar.out, profile);
  DWORD error = bbp_file_finish (&sidecar);
  if (!error)
    {
      bbp_file_open (&gmon, path);
      bbp_gmon_write (&gmon.out, profile, bbp.run, moment);
      error = bbp_file_finish (&gmon);
    }
  if (!error)
    error = bbp_file_rename (&sidecar);
  if (!error)
    error = bbp_file_rename (&gmon);
  if (error)
    {
      bbp_file_drop (&sidecar);
      bbp_file_drop (&gmon);
    }
  return error;
}

/* The name with its %-letters expanded. */
static void
choose_path (wchar_t *path, wchar_t *sidecar_path)
{
  static char name[BBP_PATH_SIZE];
  struct bbp_text text = { .buffer = name, .size = sizeof name };
  struct bbx_run about;
  bbp_run_describe (&about);
  bbp_name_expand (&text, bbp_settings.output,
                   &(struct bbp_name_facts) { .host = "",
                                              .program = bbp_image_program (),
                                              .rank = "",
                                              .start = about.started / 1000000000,
                                              .pid = about.pid,
                                              .dump = bbp.dumps });
  MultiByteToWideChar (CP_UTF8, 0, name, -1, path, BBP_PATH_SIZE);
  lstrcpynW (sidecar_path, path, BBP_PATH_SIZE);
  lstrcpynW (sidecar_path + lstrlenW (path), L"" BBX_SUFFIX, sizeof BBX_SUFFIX);
}

DWORD
bbp_profile_write (void)
{
  static wchar_t path[BBP_PATH_SIZE], sidecar_path[BBP_PATH_SIZE + sizeof BBX_SUFFIX];
  static struct bbp_profile profile;
  static struct {
    struct bbp_sample_table table;
    struct bbp_sample slot;
  } none;
  if (!bbp_object_executable () && !bbp_image_at (bbp_subject_executable (), 0))
    {
      bbp_message ("cannot write the profile", "the image of the program cannot be read");
      return ERROR_BAD_EXE_FORMAT;
    }
  bbp.dumps++;
  bbp.samples
      = &none.table; /* so that gmon.out has the histogram of the executable, also an empty one */
  choose_path (path, sidecar_path);
  DWORD error = merge (&profile) ? write_files (path, sidecar_path, &profile)
                                 : ERROR_NOT_ENOUGH_MEMORY;
  bbp_merge_free (&profile);
  if (error)
    bbp_complain_error ("cannot write the profile", bbp_settings.output, error);
  else
    bbp_images_complain ();
  return error;
}

int
bbp_profile_reset (void)
{
  bbp_count_lock ();
  const int error = bbp_merge_reset ();
  bbp_count_unlock ();
  return error;
}

void
bbp_profile_stop (bool stop)
{
  bbp_count_lock ();
  if (stop != bbp.stopped)
    {
      bbp_threads_pause ();
      bbp_threads_stop (stop);
      bbp_totals_stop (stop); /* ends the pause: calls and blocks stop at one moment */
    }
  bbp_count_unlock ();
}
