/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"

enum { DEFAULT_MOST = 20, DEFAULT_CALLERS = 5, DEFAULT_DEPTH = 40, DEPTH_MOST = 1000 };

static const struct option all[] = { { "number", required_argument, NULL, 'n' },
                                     { "output", required_argument, NULL, 'o' },
                                     { "json", no_argument, NULL, 'j' },
                                     { "edges", no_argument, NULL, 'e' },
                                     { "cost", required_argument, NULL, 'c' },
                                     { "exclude-above", required_argument, NULL, 'x' },
                                     { "function", required_argument, NULL, 'f' },
                                     { "sort", required_argument, NULL, 's' },
                                     { "trace", required_argument, NULL, 't' },
                                     { "counts", no_argument, NULL, 'C' },
                                     { "jumps", no_argument, NULL, 'J' },
                                     { "trace", no_argument, NULL, 'T' },
                                     { "plain", no_argument, NULL, 'P' },
                                     { "filter", required_argument, NULL, 'F' },
                                     { "object", required_argument, NULL, 'O' },
                                     { "callers", required_argument, NULL, 'W' },
                                     { "no-callers", no_argument, NULL, 'N' },
                                     { "color", required_argument, NULL, 'K' },
                                     { "full-names", no_argument, NULL, 'U' },
                                     { "no-pager", no_argument, NULL, 'G' },
                                     { "threads", required_argument, NULL, 'R' },
                                     { "tree", no_argument, NULL, 'E' },
                                     { "depth", required_argument, NULL, 'D' },
                                     { "words", required_argument, NULL, 'Z' },
                                     { "help", no_argument, NULL, 'h' } };
enum { NALL = sizeof all / sizeof *all };
static const char nameless[] = "jecxfstCJTPFOWNKUGREDZ"; /* have no letter on the command line */

/* getopt's tables of the options that TAKES has. */
static void
make_tables (const char *takes, char *letters, struct option *names)
{
  for (int i = 0; i < NALL; i++)
    {
      int letter = all[i].val;
      if (letter != 'h' && !strchr (takes, letter))
        continue;
      *names++ = all[i];
      if (strchr (nameless, letter))
        continue;
      *letters++ = (char) letter;
      if (all[i].has_arg == required_argument)
        *letters++ = ':';
    }
  *names = (struct option) { 0 };
  *letters = '\0';
}

static bool
parse_number (const char *text, size_t *number)
{
  char *end;
  errno = 0;
  unsigned long long value = strtoull (text, &end, 10);
  if (*text < '0' || *text > '9' || *end != '\0' || errno != 0 || value > SIZE_MAX)
    return false;
  *number = value == 0 ? SIZE_MAX : (size_t) value;
  return true;
}

/* Not negative. */
static bool
parse_percent (const char *text, double *percent)
{
  char *end;
  *percent = strtod (text, &end);
  if (*end == '%')
    end++;
  return end != text && *end == '\0' && *percent >= 0;
}

/* PROGRAM and profiles, which --counts of raw addresses has a name for. */
static bool
take_files (struct arguments *a, const char *takes, int argc, char **argv)
{
  static char *raw_profiles[] = { "prof.out", NULL };
  if (a->counts && strchr (takes, 'Z'))
    {
      a->program = "a.out";
      a->profiles = raw_profiles;
    }
  if (optind < argc)
    a->program = argv[optind++];
  if (!a->program)
    {
      fprintf (stderr, "%s: which program?\n", argv[0]);
      return false;
    }
  if (optind < argc)
    {
      a->profiles = argv + optind;
      a->nprofiles = argc - optind;
    }
  return true;
}

bool
arguments_parse (struct arguments *a, const char *takes, int argc, char **argv)
{
  static char *default_profiles[] = { "gmon.out", NULL };
  char letters[2 * NALL + 1];
  struct option names[NALL + 1];
  int c;
  make_tables (takes, letters, names);
  *a = (struct arguments) { .profiles = default_profiles, .nprofiles = 1, .most = DEFAULT_MOST, .callers = DEFAULT_CALLERS,
                            .depth = DEFAULT_DEPTH };
  while ((c = getopt_long (argc, argv, letters, names, NULL)) != -1)
    switch (c)
      {
      case 'n':
        if (!parse_number (optarg, &a->most))
          {
            fprintf (stderr, "%s: -n wants a number, not '%s'\n", argv[0], optarg);
            return false;
          }
        break;
      case 'W':
        if (!parse_number (optarg, &a->callers))
          {
            fprintf (stderr, "%s: --callers wants a number, not '%s'\n", argv[0], optarg);
            return false;
          }
        break;
      case 'R':
        a->threads = optarg;
        break;
      case 'Z':
        a->words = optarg;
        break;
      case 'E':
        a->tree = true;
        break;
      case 'D':
        if (!parse_number (optarg, &a->depth))
          {
            fprintf (stderr, "%s: --depth wants a number, not '%s'\n", argv[0], optarg);
            return false;
          }
        a->depth = a->depth < DEPTH_MOST ? a->depth : DEPTH_MOST;
        break;
      case 'N':
        a->callers = 0;
        break;
      case 'F':
        a->filter = optarg;
        break;
      case 'O':
        a->object = optarg;
        break;
      case 'K':
        a->color = optarg;
        break;
      case 'U':
        a->full_names = true;
        break;
      case 'G':
        a->no_pager = true;
        break;
      case 'o':
        a->output = optarg;
        break;
      case 'j':
        a->json = true;
        break;
      case 'e':
        a->edges = true;
        break;
      case 'c':
        a->cost = optarg;
        break;
      case 'f':
        a->function = optarg;
        break;
      case 's':
        a->sort = optarg;
        break;
      case 'C':
        a->counts = true;
        break;
      case 'J':
        a->jumps = true;
        break;
      case 'T':
        a->sequence = true;
        break;
      case 'P':
        a->plain = true;
        break;
      case 't':
        a->trace = optarg;
        break;
      case 'x':
        if (!parse_percent (optarg, &a->exclude_above))
          {
            fprintf (stderr, "%s: --exclude-above wants a percentage, not '%s'\n", argv[0], optarg);
            return false;
          }
        a->excludes = true;
        break;
      case 'h':
        a->help = true;
        return true;
      default:
        return false;
      }
  return take_files (a, takes, argc, argv);
}
