/* SPDX-License-Identifier: MIT */
/* Copies of CPython's strings.  Context: signal. */
#include "runtime/providers/python.h"
#include "runtime/providers/python_layout.h"

enum { MOST_CHARACTERS = 1024, MOST_BYTES = 4 };

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
  struct {
    const void *type;
    uint64_t length, hash;
    uint32_t state;
  } head;
  if (!provider_read (pages, text + PYTHON_OBJECT_TYPE, &head, sizeof head)
      || head.type != python_types.text || !PYTHON_TEXT_IS_COMPACT (head.state))
    return NULL;
  const size_t bytes = PYTHON_TEXT_KIND (head.state),
               n = head.length < MOST_CHARACTERS ? head.length : MOST_CHARACTERS;
  const bool ascii = PYTHON_TEXT_IS_ASCII (head.state);
  const char *next = text + (ascii ? PYTHON_TEXT_ASCII : PYTHON_TEXT_DATA);
  char *kept = provider_keep (n * (ascii ? 1 : MOST_BYTES) + 1), *to = kept;
  for (size_t i = 0; kept && i < n; i++)
    {
      uint32_t c = 0;
      if (!provider_read (pages, next + i * bytes, &c, bytes > sizeof c ? sizeof c : bytes))
        return NULL;
      to = put (to, c);
    }
  return kept;
}
