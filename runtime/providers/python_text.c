/* SPDX-License-Identifier: MIT */
/* CPython's strings.  Context: signal. */
#include "runtime/providers/python.h"
#include "runtime/providers/python_layout.h"

enum { MOST_CHARACTERS = 1024, MOST_BYTES = 4 };

/* The start of a string. */
struct head {
  const void *type;
  uint64_t length, hash;
  uint32_t state;
};

static bool
read_head (struct provider_pages *pages, const char *text, struct head *head)
{
  return provider_read (pages, text + PYTHON_OBJECT_TYPE, head, sizeof *head)
         && head->type == python_types.text && PYTHON_TEXT_IS_COMPACT (head->state);
}

static const char *
start_of (const char *text, const struct head *head)
{
  return text + (PYTHON_TEXT_IS_ASCII (head->state) ? PYTHON_TEXT_ASCII : PYTHON_TEXT_DATA);
}

static size_t
characters_of (const struct head *head)
{
  return head->length < MOST_CHARACTERS ? head->length : MOST_CHARACTERS;
}

bool
python_text_find (struct provider_pages *pages, const char *text, struct python_part *part)
{
  struct head head;
  if (!read_head (pages, text, &head))
    return false;
  *part = (struct python_part) { start_of (text, &head),
                                 characters_of (&head) * PYTHON_TEXT_KIND (head.state) };
  return true;
}

/* Writes a character as UTF-8; returns the end. */
static char *
put (char *to, uint32_t c)
{
  if (c < 0x80)
    {
      *to++ = (char) c;
      return to;
    }
  const int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  *to++ = (char) (0xff00 >> (more + 1) | c >> 6 * more);
  for (int i = more; i-- > 0;)
    *to++ = (char) (0x80 | (c >> 6 * i & 0x3f));
  return to;
}

const char *
python_text_keep (struct provider_pages *pages, const char *text)
{
  struct head head;
  if (!read_head (pages, text, &head))
    return NULL;
  const size_t bytes = PYTHON_TEXT_KIND (head.state), n = characters_of (&head);
  const char *next = start_of (text, &head);
  char *kept = provider_keep (n * (PYTHON_TEXT_IS_ASCII (head.state) ? 1 : MOST_BYTES) + 1),
       *to = kept;
  for (size_t i = 0; kept && i < n; i++, next += bytes)
    {
      uint32_t c = 0;
      if (!provider_read (pages, next, &c, bytes > sizeof c ? sizeof c : bytes))
        return NULL;
      to = put (to, c);
    }
  return kept;
}
