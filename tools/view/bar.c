/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "tools/view/bar.h"

enum { WIDTH = 10, EIGHTHS = 8 };

static const char *const parts[EIGHTHS + 1] = { "", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█" };

/* TEXT has room for WIDTH characters of three bytes each. */
static void
draw (char *text, int eighths)
{
  for (*text = '\0'; eighths >= EIGHTHS; eighths -= EIGHTHS)
    strcat (text, parts[EIGHTHS]);
  strcat (text, parts[eighths]);
}

void
bar_add (struct columns *c, const struct style *style, double share)
{
  char text[WIDTH * 3 + 1] = "";
  double part = share < 0 ? 0 : share > 1 ? 1 : share;
  if (style->bars && style->utf8)
    draw (text, (int) (part * WIDTH * EIGHTHS + 0.5));
  else if (style->bars)
    memset (text, '#', (size_t) (part * WIDTH + 0.5));
  columns_add (c, "%s", style->bars ? text : COLUMNS_NOTHING);
}
