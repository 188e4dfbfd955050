/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdarg.h>
#include <stdlib.h>

#include "tools/doctor/doctor.h"

struct doctor_fact *
doctor_add (struct doctor_facts *facts, enum doctor_state state, const char *key, const char *label,
            const char *value, ...)
{
  if (facts->count == DOCTOR_FACTS)
    abort ();
  struct doctor_fact *f = &facts->list[facts->count++];
  *f = (struct doctor_fact) { .key = key, .label = label, .state = state };
  va_list arguments;
  va_start (arguments, value);
  vsnprintf (f->value, sizeof f->value, value, arguments);
  va_end (arguments);
  return f;
}
