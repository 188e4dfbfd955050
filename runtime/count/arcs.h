/* SPDX-License-Identifier: MIT */
/* For assembler: the layout of arc tables (struct bbp_arc_table, struct bbp_arc). */

#define TABLE_MASK 0 /* offsetof (struct bbp_arc_table, mask) */
#define TABLE_SITES 32
#define TABLE_SLOTS 64
#define ARC_FROM 0
#define ARC_SELF 8
#define ARC_COUNT 16
#define ARC_SITE 24
#define ARC_BYTES 32
/* Hashes call site and callee; the same formula as slot_of in arc.c. */
#define HASH_FACTOR -0x61c8864f
#define HASH_SHIFT 15
