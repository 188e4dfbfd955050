// SPDX-License-Identifier: GPL-3.0-or-later
#include "places.h"
#include "ends.h"

static ALONE void
between (int n)
{
  FROM (middle);
  for (int i = 0; i < 4; i++)
    {
      AT (between_loop);
      deep (n && i == 2);
      AT (between_behind);
      note (i);
    }
  AT (between_out);
}

APART void
middle (int n)
{
  AT (middle);
  if (n)
    {
      AT (middle_last);
      between (n);
      AT (middle_last_behind);
    }
  else
    {
      AT (middle_other);
      between (n);
    }
  AT (middle_behind);
  note (n);
}
