/* SPDX-License-Identifier: MIT */
/* bbprof-record.exe: starts a program as it is, and samples it from outside; or a process that runs
   already.  Ends with the program's exit status. */
#include <string.h>

#include "runtime/os/win32/win32.h"

enum { USAGE = 2, CANNOT_RUN = 126, NOT_FOUND = 127 }; /* exit statuses, as of a shell */
enum { SECOND_MS = 1000 };

struct request {
  uint32_t pid;     /* 0: start the program */
  uint32_t seconds; /* for a process that runs: 0: until it ends */
  int program;      /* its number among the arguments */
};

static const char help[]
    = "Usage: bbprof-record.exe [OPTION]... PROGRAM [ARGUMENT]...\r\n"
      "       bbprof-record.exe [OPTION]... -p PID [-t SECONDS]\r\n"
      "Samples where the threads of a program spend their time; writes gmon.out and "
      "gmon.out.bbx,\r\n"
      "which bbprof report, annotate, html, and gprof read.  The exit status is the program's.\r\n"
      "  -o NAME          name of the profile; %p: pid, %e: program\r\n"
      "  -F RATE          samples a second, 1 to 10000 (100)\r\n"
      "  --sampler NAME   timer: waitable, queue, sleep (waitable)\r\n"
      "  --periodic       sample at equal intervals, even if a sample takes long\r\n"
      "  -p PID           sample a process that runs\r\n"
      "  -t SECONDS       end after this time; the process goes on\r\n";

static int
usage (const char *text)
{
  bbp_complain (text);
  bbp_complain ("bbprof-record.exe --help shows the options");
  return USAGE;
}

static bool
parse_number (const char *text, uint32_t *number)
{
  uint64_t n = 0;
  for (*number = 0; *text >= '0' && *text <= '9' && n < UINT32_MAX; text++)
    n = 10 * n + (unsigned) (*text - '0');
  *number = (uint32_t) n;
  return !*text && n && n < UINT32_MAX;
}

static bool
set (const char *key, const char *name, const char *value)
{
  const char *wrong = bbp_settings_set (key, strlen (key), value, strlen (value));
  if (wrong)
    bbp_message (name, wrong);
  return !wrong;
}

static const struct {
  const char *name, *key;
} settings[] = { { "-o", "output" }, { "-F", "rate" }, { "--sampler", "sampler" } };

/* An option with a value; false: it has been complained of. */
static bool
parse_pair (struct request *r, const char *name, const char *value)
{
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
    if (strcmp (settings[i].name, name) == 0)
      return set (settings[i].key, name, value);
  uint32_t *number = strcmp (name, "-p") == 0   ? &r->pid
                     : strcmp (name, "-t") == 0 ? &r->seconds
                                                : NULL;
  if (!number)
    bbp_message (name, "not an option (--help lists them)");
  else if (!parse_number (value, number))
    bbp_message (name, "needs a number, not 0");
  else
    return true;
  return false;
}

/* The exit status, or -1: go on. */
static int
parse (struct request *r, int argc, char **argv)
{
  int i = 1;
  for (; i < argc && argv[i][0] == '-'; i++)
    if (strcmp (argv[i], "--help") == 0)
      {
        DWORD written;
        WriteFile (GetStdHandle (STD_OUTPUT_HANDLE), help, sizeof help - 1, &written, NULL);
        return 0;
      }
    else if (strcmp (argv[i], "--periodic") == 0)
      bbp_settings.periodic = true;
    else if (strcmp (argv[i], "--") == 0)
      {
        i++;
        break;
      }
    else if (i + 1 == argc)
      return usage ("the last option needs a value, or is none");
    else if (!parse_pair (r, argv[i], argv[i + 1]))
      return USAGE;
    else
      i++;
  r->program = i;
  if ((i < argc) == (r->pid != 0))
    return usage (r->pid ? "a program and -p exclude each other" : "names no program");
  return -1;
}

/* The command line from argument N on, as it was written: programs divide it in their own ways. */
static wchar_t *
rest_of_command_line (int n)
{
  wchar_t *at = GetCommandLineW ();
  for (; n; n--)
    {
      for (bool quoted = false; *at && (quoted || (*at != L' ' && *at != L'\t')); at++)
        quoted ^= *at == L'"';
      while (*at == L' ' || *at == L'\t')
        at++;
    }
  return at;
}

/* Interrupts from the console are for the program, which ends by them or not. */
static BOOL WINAPI
ignore_interrupt (DWORD event)
{
  return event == CTRL_C_EVENT || event == CTRL_BREAK_EVENT;
}

static bool
has_64_bits (HANDLE process)
{
  BOOL other = FALSE;
  return !IsWow64Process (process, &other) || !other;
}

/* Samples until the process ends, or the time is over. */
static void
sample (HANDLE process, HANDLE first_thread, uint32_t seconds)
{
  bool runs
      = bbp_sampler_begin (bbp_settings.timer, bbp_settings.rate, bbp_settings.periodic, true);
  if (!runs)
    bbp_complain_error ("cannot start", "the sampler", GetLastError ());
  if (first_thread)
    ResumeThread (first_thread);
  WaitForSingleObject (process, seconds ? seconds * SECOND_MS : INFINITE);
  if (!runs)
    return;
  bbp_sampler_end ();
  bbp_profile_write ();
}

static int
start (const struct request *r, const char *name)
{
  STARTUPINFOW startup = { .cb = sizeof startup };
  PROCESS_INFORMATION made;
  DWORD status = CANNOT_RUN;
  GetStartupInfoW (&startup);
  SetConsoleCtrlHandler (ignore_interrupt, TRUE);
  if (!CreateProcessW (NULL, rest_of_command_line (r->program), NULL, NULL, TRUE, CREATE_SUSPENDED,
                       NULL, NULL, &startup, &made))
    {
      DWORD error = GetLastError ();
      bbp_complain_error ("cannot start", name, error);
      return error == ERROR_FILE_NOT_FOUND || error == ERROR_PATH_NOT_FOUND ? NOT_FOUND
                                                                            : CANNOT_RUN;
    }
  bbp_subject_set (made.hProcess, made.dwProcessId, GetCurrentProcessId ());
  if (!has_64_bits (made.hProcess) || !bbp_image_at (bbp_subject_executable (), 0))
    {
      bbp_message (name,
                   "no program of 64 bits for x86-64, so it cannot be sampled and was not run");
      TerminateProcess (made.hProcess, CANNOT_RUN);
      return CANNOT_RUN;
    }
  sample (made.hProcess, made.hThread, 0);
  GetExitCodeProcess (made.hProcess, &status);
  return (int) status;
}

static int
attach (const struct request *r)
{
  char name[16];
  struct bbp_text text = { .buffer = name, .size = sizeof name };
  bbp_text_number (&text, r->pid);
  HANDLE process
      = OpenProcess (PROCESS_VM_READ | PROCESS_QUERY_INFORMATION | SYNCHRONIZE, FALSE, r->pid);
  if (!process)
    {
      DWORD error = GetLastError ();
      if (error == ERROR_INVALID_PARAMETER)
        bbp_message (name, "not the number of a process that runs");
      else
        bbp_complain_error ("cannot read process", name, error);
      return CANNOT_RUN;
    }
  bbp_subject_set (process, r->pid, 0);
  if (!has_64_bits (process) || !bbp_image_at (bbp_subject_executable (), 0))
    {
      bbp_message (name, "runs no program of 64 bits for x86-64, so it cannot be sampled");
      return CANNOT_RUN;
    }
  sample (process, NULL, r->seconds);
  return 0;
}

int
main (int argc, char **argv)
{
  struct request r = { 0 };
  int status = parse (&r, argc, argv);
  if (status >= 0)
    return status;
  bbp_settings_fix_output ();
  return r.pid ? attach (&r) : start (&r, argv[r.program]);
}
