/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts what `qemu -singlestep -d exec,nochain' writes about each executed instruction: reads the
   log from stdin, prints a line "ADDRESS TIMES" for each address below the limit that argv[1]
   says.  Lines of the log:

     Trace 0: 0x7f00 [0000/00000000004010a0/00/00] name
     Stopped execution of TB chain before 0x7f00 [00000000004010a0] name

   The first is written before the instruction is executed, the second if a signal came first. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The number behind the first MARK in LINE, which begins with WORDS; 0: it does not. */
static uint64_t
number_in (const char *line, const char *words, char mark)
{
  const char *place = strncmp (line, words, strlen (words)) == 0 ? strchr (line, mark) : NULL;
  return place ? strtoull (place + 1, NULL, 16) : 0;
}

int
main (int count, char **words)
{
  static char line[4096];
  const uint64_t limit = count > 1 ? strtoull (words[1], NULL, 16) : 0;
  uint64_t *times = calloc (limit / 2 + 1, sizeof *times);
  if (!times)
    return 1;
  while (fgets (line, sizeof line, stdin))
    {
      const uint64_t begun = number_in (line, "Trace ", '/'),
                     stopped = number_in (line, "Stopped execution", '[');
      if (begun < limit)
        times[begun / 2]++;
      if (stopped < limit)
        times[stopped / 2]--;
    }
  for (uint64_t i = 1; i <= limit / 2; i++)
    if (times[i])
      printf ("%" PRIx64 " %" PRIu64 "\n", 2 * i, times[i]);
  return ferror (stdin) || fflush (stdout) != 0;
}
