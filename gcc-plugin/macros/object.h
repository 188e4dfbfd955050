/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A user's own macro set from an object that bbprof-macros.h made. */
#ifndef BBPROF_OBJECT_H
#define BBPROF_OBJECT_H

#include "gcc-plugin/macros/template.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Does FILE's name mean an object? */
bool bbp_object_is_named (const char *file);

/* As bbp_template_read ().  Only one such set can be loaded. */
bool bbp_object_read (struct bbp_template_set *set, const char *file,
                      struct bbp_template_error *error);

#ifdef __cplusplus
}
#endif

#endif
