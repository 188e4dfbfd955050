/* SPDX-License-Identifier: MIT */
/* Writes the user's selection to the sidecar: the selectors, and the functions that each one
   matches.  Context: cold, lock held. */
#include <errno.h>

#include "runtime/base/base.h"
#include "runtime/dump/dump.h"
#include "runtime/select/select.h"

/* Selector number I. */
static void
write_word (struct bbp_out *out, size_t i)
{
  const struct bbp_selector *word = &bbp_selectors.list[i];
  size_t n = bbp_choose_functions (i, NULL), name = bbp_string_bytes (word->name),
         file = bbp_string_bytes (word->file);
  size_t room = sizeof (struct bbx_select) + n * sizeof (uint64_t);
  struct bbx_select *content = bbp_pages_map (room);
  if (!content)
    {
      out->error = ENOMEM;
      return;
    }
  content->flags = word->hides ? BBX_SELECT_HIDES : 0;
  content->functions = (uint32_t) bbp_choose_functions (i, content->function);
  bbp_bbx_chunk (out, BBX_TYPE_SELECT,
                 (const struct bbp_part[BBP_PARTS]) {
                     { content, room }, { word->name, name }, { word->file, file } });
  bbp_pages_unmap (content, room);
}

void
bbp_choose_write (struct bbp_out *out)
{
  for (size_t i = 0; i < bbp_selectors.n; i++)
    write_word (out, i);
}
