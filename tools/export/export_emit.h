/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The formats of `bbprof export': one file and one function for each. */
#ifndef BBPROF_EXPORT_EMIT_H
#define BBPROF_EXPORT_EMIT_H

#include <stdbool.h>
#include <stdio.h>

#include "common/error.h"
#include "tools/export/export_view.h"

/* False: ERR says why. */
typedef bool export_emitter (FILE *out, const struct export_view *, struct error *err);
export_emitter export_bolt, export_call_graph, export_callgrind, export_firefox, export_folded,
    export_json, export_lcov, export_order, export_order_gold, export_pprof, export_speedscope;

#endif
