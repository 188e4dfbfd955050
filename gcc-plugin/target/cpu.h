/* SPDX-License-Identifier: GPL-3.0-or-later */
/* target/<cpu>.cc: facts about the compiler's back end that not every target provides. */
#ifndef BBPROF_CPU_H
#define BBPROF_CPU_H

#include "gcc-plugin/target/gcc-compat.h"

/* Sizes that select the macro set. */
int bbp_target_pointer_bits (void);
int bbp_target_word_bits (void);
/* The option that explains to users why there is no macro set: "-m32". */
const char *bbp_target_variant (void);
bool bbp_target_large (void);
/* May the code add to a word in memory by one instruction? */
bool bbp_target_adds_to_memory (void);
/* Words in the text of an asm that may not return; ends with null. */
extern const char *const bbp_target_leaving_words[];
/* Must __fentry__ be called, before the prologue: by a compiler option, or as the only way? */
bool bbp_target_fentry (void);
/* The name of the function that counts arcs, before or after the prologue of FN. */
const char *bbp_target_mcount (function *fn, bool before);
/* A naked function or an interrupt handler: it owns no register, and makes no frame. */
bool bbp_target_untouchable (function *fn);
/* May FN use the area below the stack pointer? */
bool bbp_target_uses_red_zone (function *fn);
/* Must FN preserve all registers?  A call to mcount would change one. */
bool bbp_target_keeps_all_registers (function *fn);
/* The registers in the order in which a counter should take them, below FIRST_PSEUDO_REGISTER. */
unsigned bbp_target_register (int i);
/* May a general register be parked in vector register REGNO? */
bool bbp_target_parking_place (unsigned regno);
/* Moves the stack pointer by OFFSET bytes, without changing the flags. */
rtx bbp_target_move_stack (HOST_WIDE_INT offset);
/* The area below the stack pointer that a function may use without reserving it, at most. */
#define BBP_TARGET_RED_ZONE 128
/* Size of the widest vector registers that may hold arguments of the current function; 0: none. */
int bbp_target_vector_bytes (void);
/* Register REGNO in assembler text. */
const char *bbp_target_vector_name (unsigned regno);
/* The word I, below BBP_MAX_REGISTERS, at the stack pointer, in assembler text. */
const char *bbp_target_slot (int i);
/* Put around assembler text so that it is read as the macro sets write it; or empty strings. */
const char *bbp_target_syntax_begin (void);
const char *bbp_target_syntax_end (void);

#endif
