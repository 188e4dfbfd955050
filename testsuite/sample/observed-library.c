/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A library with one function that ticks itself. */
#include "self_tick.h"

PLACE (NAME, "")
