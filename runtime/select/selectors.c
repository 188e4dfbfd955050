/* SPDX-License-Identifier: MIT */
/* Reads the selectors of functions: from select= in BBPROF_OPTIONS, from the file that it names,
   or from bb.in in the folder of the start, as in GCC 2.95.

     name  file:name     profiling begins when such a function is called, and ends when it is left
     -name  -file:name   its blocks are not recorded
     __bb_jumps__  __bb_trace__  __bb_hidecall__  __bb_showret__    switch that on
     "..."               blanks and number signs belong to the selector
     # ...               comment, up to the end of the line

   Context: cold, lock held; once. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "runtime/base/base.h"
#include "runtime/base/options.h"
#include "runtime/base/sys.h"
#include "runtime/select/select.h"

#define FILE_NAME "bb.in"
#define MOST_BYTES (1L << 24)

struct bbp_selectors bbp_selectors;

static const struct special {
  const char *name;
  enum bbp_said *option;
} specials[] = {
  { "__bb_jumps__", &bbp_options.jumps },
  { "__bb_trace__", &bbp_options.trace },
  { "__bb_hidecall__", &bbp_options.hidecall },
  { "__bb_showret__", &bbp_options.showret },
};

static void
complain (const char *word, const char *text)
{
  char buffer[BBP_OPTION_TEXT + 128];
  struct bbp_text message = { .buffer = buffer, .size = sizeof buffer };
  bbp_text_string (&message, "'");
  bbp_text_string (&message, word);
  bbp_text_string (&message, "' ");
  bbp_text_string (&message, text);
  bbp_message (bbp_selectors.source, buffer);
}

static const struct special *
find_special (const char *word)
{
  for (size_t i = 0; i < sizeof specials / sizeof *specials; i++)
    if (strcmp (specials[i].name, word) == 0)
      return &specials[i];
  return NULL;
}

/* The last colon of WORD without a colon beside it (C++ has double ones); null: there is none. */
static char *
find_colon (char *word)
{
  char *found = NULL;
  for (char *p = word; *p; p++)
    if (p[0] == ':' && p[1] != ':' && (p == word || p[-1] != ':'))
      found = p;
  return found;
}

/* BBPROF_OPTIONS has priority over a special name. */
static void
take_word (char *word)
{
  const struct special *special = find_special (word);
  bool minus = *word == '-';
  if (special && *special->option == BBP_UNSAID)
    *special->option = BBP_YES;
  if (special)
    return;
  if (minus && find_special (word + 1))
    {
      complain (word, "is ignored: only functions can be left out");
      return;
    }
  char *file = word + minus, *colon = find_colon (file), *name = colon ? colon + 1 : file;
  if (!*name || colon == file)
    {
      complain (word, "is not the name of a function");
      return;
    }
  if (colon)
    *colon = '\0';
  bbp_selectors.list[bbp_selectors.n++]
      = (struct bbp_selector) { .name = name, .file = colon ? file : "", .hides = minus };
  bbp_selectors.opening |= !minus;
}

static bool
is_blank (char c)
{
  return c == ' ' || (c >= '\t' && c <= '\r');
}

static char *
skip_blanks (char *p)
{
  while (is_blank (*p))
    p++;
  return p;
}

/* Ends the word at P with a zero, without its quotation marks; returns the address behind it. */
static char *
end_word (char *p)
{
  bool quoted = false;
  char *to = p;
  for (; *p && (quoted || !is_blank (*p)); p++)
    if (*p == '"')
      quoted = !quoted;
    else
      *to++ = *p;
  char *next = *p ? p + 1 : p;
  *to = '\0';
  return next;
}

static void
take_text (char *text)
{
  for (char *p = skip_blanks (text); *p; p = skip_blanks (p))
    if (*p == '#')
      p += strcspn (p, "\n");
    else
      {
        char *word = p;
        p = end_word (p);
        take_word (word);
      }
}

/* Memory for a text of BYTES and its selectors, never freed; false: none. */
static bool
make_room (char **text, size_t bytes)
{
  *text = bbp_pages_map (bytes + 1);
  bbp_selectors.list = *text ? bbp_pages_map ((bytes / 2 + 1) * sizeof *bbp_selectors.list) : NULL;
  return bbp_selectors.list;
}

static int
read_all (int fd, char *text, size_t bytes)
{
  while (bytes)
    {
      long n = bbp_sys_read (fd, text, bytes);
      if (n == 0)
        break;
      if (n < 0 && n != -EINTR)
        return (int) n;
      text += n > 0 ? n : 0;
      bytes -= n > 0 ? (size_t) n : 0;
    }
  return 0;
}

static int
take_open_file (int fd)
{
  struct stat st = { 0 };
  char *text;
  if (bbp_sys_fstat (fd, &st) != 0 || !S_ISREG (st.st_mode))
    return S_ISDIR (st.st_mode) ? -EISDIR : -EINVAL;
  if (st.st_size > MOST_BYTES)
    return -EFBIG;
  if (!make_room (&text, (size_t) st.st_size))
    return -ENOMEM;
  int error = read_all (fd, text, (size_t) st.st_size);
  if (!error)
    take_text (text);
  return error;
}

/* 0 or -errno. */
static int
take_file (const char *name)
{
  static char path[BBP_PATH_SIZE];
  if (!bbp_path_of_start (path, sizeof path, name))
    return -ENAMETOOLONG;
  if (!bbp_rights_lower ())
    return -EPERM;
  long fd = bbp_sys_openat (AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
  int error = fd < 0 ? (int) fd : take_open_file ((int) fd);
  if (fd >= 0)
    bbp_sys_close ((int) fd);
  bbp_rights_restore ();
  return error;
}

static void
take_select (void)
{
  const char *select = bbp_options.select;
  char *text;
  size_t bytes = bbp_string_bytes (select);
  if (!make_room (&text, bytes))
    return;
  bbp_copy_bytes (text, select, bytes);
  take_text (text);
}

static const char *
describe (int error)
{
  return error == -EISDIR   ? "is a directory; expected a file of function names"
         : error == -EINVAL ? "is not a regular file; expected a file of function names"
                            : strerrordesc_np (-error);
}

/* Without bb.in and without a selection, everything is profiled. */
void
bbp_selectors_read (void)
{
  const char *select = bbp_options.select, *file = select[0] == '@' ? select + 1
                                                   : select[0]      ? NULL
                                                                    : FILE_NAME;
  bbp_selectors.source = file ? file : "BBPROF_OPTIONS: select";
  int error = 0;
  if (file)
    error = take_file (file);
  else
    take_select ();
  bbp_selectors.from_file = file && !error;
  if (error && (error != -ENOENT || select[0]))
    bbp_message (file, describe (error));
}
