/* SPDX-License-Identifier: GPL-3.0-or-later */
/* barred: takes the right to read this process from all.  barred PROGRAM: creates a process of the
   program, which never runs.  Prints the pid of the process, waits until there is a file "end", and
   ends with status 4. */
#include <stdio.h>
#include <windows.h>

static BOOL
bar_this (void)
{
  SECURITY_DESCRIPTOR security;
  ACL nobody;
  return InitializeSecurityDescriptor (&security, SECURITY_DESCRIPTOR_REVISION)
         && InitializeAcl (&nobody, sizeof nobody, ACL_REVISION)
         && SetSecurityDescriptorDacl (&security, TRUE, &nobody, FALSE)
         && SetKernelObjectSecurity (GetCurrentProcess (), DACL_SECURITY_INFORMATION, &security);
}

int
main (int argc, char **argv)
{
  STARTUPINFOA startup = { .cb = sizeof startup };
  PROCESS_INFORMATION made = { .dwProcessId = GetCurrentProcessId () };
  if (argc > 1 ? !CreateProcessA (argv[1], NULL, NULL, NULL, FALSE, CREATE_SUSPENDED, NULL, NULL,
                                  &startup, &made)
               : !bar_this ())
    {
      printf ("error %lu\n", GetLastError ());
      return 99;
    }
  printf ("%lu\n", made.dwProcessId);
  fflush (stdout);
  for (int i = 0; i < 1200 && GetFileAttributesA ("end") == INVALID_FILE_ATTRIBUTES; i++)
    Sleep (50);
  if (made.hProcess)
    TerminateProcess (made.hProcess, 1);
  return 4;
}
