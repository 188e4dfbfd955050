/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "tools/doctor/doctor_file.h"

bool
doctor_read_file (const char *path, char *text, size_t room)
{
  FILE *file = fopen (path, "re");
  text[0] = '\0';
  if (!file)
    return false;
  text[fread (text, 1, room - 1, file)] = '\0';
  bool good = !ferror (file);
  fclose (file);
  return good;
}

static void
cut_to_word (char *text)
{
  size_t blank = strspn (text, " \t");
  memmove (text, text + blank, strlen (text + blank) + 1);
  text[strcspn (text, " \t\n")] = '\0';
}

bool
doctor_read_word (const char *path, char *word, size_t room)
{
  bool good = doctor_read_file (path, word, room);
  cut_to_word (word);
  return good && *word;
}

bool
doctor_read_field (const char *path, const char *label, char *word, size_t room)
{
  char line[512];
  bool found = false;
  FILE *file = fopen (path, "re");
  while (file && !found && fgets (line, sizeof line, file))
    found = strncmp (line, label, strlen (label)) == 0;
  if (file)
    fclose (file);
  if (!found)
    return false;
  char *rest = line + strlen (label);
  cut_to_word (rest);
  snprintf (word, room, "%s", rest);
  return *word;
}
