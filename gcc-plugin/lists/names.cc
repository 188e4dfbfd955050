/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the names of a function for users, and its file.  Names come from the demangler instead
   of the front end, because it gives the same names in every unit, with LTO, and in the reports.
   A function has

   - its assembler name: _ZN2ns1fEi.constprop.0; without the suffix of the compiler's copies and
     parts: _ZN2ns1fEi;
   - of that, if it is mangled: ns::f, ns::f(int), and with the result type if that is part of
     the name (an instance of a template);
   - else the name in the source: of a nested function, of a Fortran subroutine. */
#include "gcc-plugin/lists/lists.h"

/* False if MANGLED is not a mangled name. */
static bool
add_demangled (struct bbp_names *names, const char *mangled)
{
  static const int forms[]
      = { 0, DMGL_PARAMS | DMGL_ANSI | DMGL_RET_DROP, DMGL_PARAMS | DMGL_ANSI };
  char *name = NULL;
  for (int form : forms)
    if ((name = cplus_demangle (mangled, DMGL_AUTO | form)))
      {
        if (char *addition = strstr (name, " [clone ."))
          *addition = '\0';
        names->functions.safe_push (name);
        if (form & DMGL_RET_DROP)
          names->shown = name;
      }
  return name;
}

void
bbp_names_find (tree decl, struct bbp_names *names)
{
  const char *name = IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (decl));
  bool as_is = *name == '*'; /* the user's own: asm ("name") */
  char *whole = xstrdup (name + as_is);
  names->functions.safe_push (whole);
  names->shown = whole;
  if (!as_is)
    names->functions.safe_push (xstrndup (whole, strcspn (whole, ".")));
  tree origin = DECL_ORIGIN (decl);
  if (!add_demangled (names, whole) && DECL_NAME (origin))
    {
      names->functions.safe_push (xstrdup (IDENTIFIER_POINTER (DECL_NAME (origin))));
      names->shown = names->functions.last ();
    }
  names->file = DECL_SOURCE_FILE (origin);
}

void
bbp_names_free (struct bbp_names *names)
{
  for (char *name : names->functions)
    free (name);
  names->functions.release ();
}
