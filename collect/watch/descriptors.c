/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <sys/resource.h>

#include "collect/watch/descriptors.h"

enum { LEFT = 16 };

void
descriptors_allow (void)
{
  struct rlimit limit;
  if (getrlimit (RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max)
    {
      limit.rlim_cur = limit.rlim_max;
      setrlimit (RLIMIT_NOFILE, &limit);
    }
}

bool
descriptors_left (int fd)
{
  struct rlimit limit;
  return getrlimit (RLIMIT_NOFILE, &limit) != 0 || (rlim_t) fd + LEFT < limit.rlim_cur;
}
