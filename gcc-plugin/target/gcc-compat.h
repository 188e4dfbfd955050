/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The only file that includes headers of GCC, in the order that they need, and that may test
   GCC's version. GCC 11 to 15. */
#ifndef BBPROF_GCC_COMPAT_H
#define BBPROF_GCC_COMPAT_H

#include "gcc-plugin.h"
#include "plugin-version.h"
#include "backend.h"
#include "tree.h"
#include "rtl.h"
#include "stringpool.h"
#include "attribs.h"
#include "cgraph.h"
#include "tree-pass.h"
#include "context.h"
#include "df.h"
#include "memmodel.h"
#include "tm_p.h"
#include "emit-rtl.h"
#include "output.h"
#include "predict.h"
#include "regs.h"
#include "function-abi.h"
#include "cfgrtl.h"
#include "cfghooks.h"
#include "cfganal.h"
#include "cfgloop.h"
#include "rtl-iter.h"
#include "target.h"
#include "toplev.h"
#include "debug.h"
#include "except.h"
#include "file-prefix-map.h"
#include "langhooks.h"
#include "diagnostic-core.h"
#include "intl.h"

/* Part of every compiler, but libiberty's demangle.h is not among the headers for plugins. */
extern "C" char *cplus_demangle (const char *mangled, int options);
#define DMGL_PARAMS (1 << 0)   /* with the types of the arguments */
#define DMGL_ANSI (1 << 1)     /* with const, volatile and so on */
#define DMGL_RET_DROP (1 << 6) /* without the type of the result */
#define DMGL_AUTO (1 << 8)     /* of any language that the name shows */

#if GCCPLUGIN_VERSION_MAJOR < 11 || GCCPLUGIN_VERSION_MAJOR > 15
#error "bbprof's plugin is written for GCC 11 to 15"
#endif

/* In struct machine_function of the i386 back end: must the function preserve all registers?  A
   flag until GCC 13; then one of several kinds. */
#if GCCPLUGIN_VERSION_MAJOR < 14
#define BBP_KEEPS_ALL_REGISTERS(machine) ((machine)->no_caller_saved_registers)
#else
#define BBP_KEEPS_ALL_REGISTERS(machine) \
  ((machine)->call_saved_registers == TYPE_NO_CALLER_SAVED_REGISTERS)
#endif

#endif
