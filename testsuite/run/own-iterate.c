/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program with a dl_iterate_phdr of its own, as those that cache the list have.  The loader calls
   it with its lock, and it makes calls that are new at each pass. */
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>

#define NOIPA __attribute__ ((noipa))

struct pass {
  int (*each) (struct dl_phdr_info *, size_t, void *);
  void *data;
};

static int passes, objects;

#define SEEN(n) \
  static NOIPA void seen##n (void) { objects++; }
SEEN (0) SEEN (1) SEEN (2) SEEN (3) SEEN (4) SEEN (5) SEEN (6) SEEN (7)
static void (*volatile seen[]) (void)
    = { seen0, seen1, seen2, seen3, seen4, seen5, seen6, seen7 };

static int
pass_on (struct dl_phdr_info *info, size_t size, void *data)
{
  const struct pass *pass = data;
  int result = pass->each (info, size, pass->data);
  seen[passes & 7]();
  return result;
}

int
dl_iterate_phdr (int (*each) (struct dl_phdr_info *, size_t, void *), void *data)
{
  static int (*real) (int (*) (struct dl_phdr_info *, size_t, void *), void *);
  if (!real)
    real = dlsym (RTLD_NEXT, "dl_iterate_phdr");
  passes++;
  struct pass pass = { each, data };
  return real (pass_on, &pass);
}

int
main (void)
{
  for (int i = 0; i < 5; i++)
    {
      void *library = dlopen ("./library.so", RTLD_NOW);
      void (*f) (void) = library ? dlsym (library, "f") : NULL;
      if (!f)
        return puts (dlerror ()) >= 0;
      f ();
      dlclose (library);
    }
  puts (passes > 5 && objects > 20 ? "right" : "it was not called");
  return 0;
}
