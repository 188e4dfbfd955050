/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Does a word of a user's match the name of a function? */
#ifndef BBPROF_PATTERN_H
#define BBPROF_PATTERN_H

/* How well; a greater one is better. */
enum pattern_match {
  PATTERN_NOT,
  PATTERN_LAST,  /* only the last component of the name: `split', or `spl*', of text::split */
  PATTERN_GLOB,  /* as a pattern of the shell's */
  PATTERN_EXACT, /* character by character */
};

/* How well PATTERN matches one of the names of a function: SYMBOL, as the linker knows it, also
   without what GCC adds to copies and parts of it (.part.0); NAME, demangled, or null, also
   without its parameters, and without arguments of templates and the type that it returns.  A
   stub of the linkage table, f(int)@plt, is meant only by a PATTERN with an @. */
enum pattern_match pattern_match (const char *pattern, const char *symbol, const char *name);

/* The same for a function of a language: its NAME, or that with file and line, as it is SHOWN.  The
   last component is behind a dot or a number sign. */
enum pattern_match pattern_match_spoken (const char *pattern, const char *shown, const char *name);

/* A demangled NAME without parameters, arguments of templates, and the type that it returns, in
   fresh memory; null: no memory. */
char *pattern_bare_name (const char *name);

/* The part of such a name behind its scopes. */
const char *pattern_last_component (const char *bare);

#endif
