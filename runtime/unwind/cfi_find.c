/* SPDX-License-Identifier: MIT */
/* Finds the call frame information of an address in this process.  Asks the loader, without locks,
   for the object at the address; cfi_image.c reads the object.  Context: signal, unless stated
   otherwise. */
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/auxv.h>

#include "runtime/base/base.h"
#include "runtime/objects/objects.h"
#include "runtime/unwind/unwinding.h"

/* Missing before glibc 2.35 and in static programs. */
extern int _dl_find_object (void *, struct dl_find_object *) __attribute__ ((weak));
static int (*find_object) (void *, struct dl_find_object *);

/* Known without the loader, as in a static program: the executable and the vdso.  Writer: the
   start. */
static struct bbp_image executable, vdso;
static uintptr_t loader_base;

void
bbp_cfi_start (void)
{
  find_object = _dl_find_object;
  executable
      = (struct bbp_image) { (const ElfW (Phdr) *) getauxval (AT_PHDR), getauxval (AT_PHNUM), 0 };
  executable.bias = bbp_object_executable ()->bias;
  for (size_t i = 0; i < executable.n; i++)
    if (executable.segment[i].p_type == PT_PHDR)
      executable.bias = (uintptr_t) executable.segment - executable.segment[i].p_vaddr;
  const void *kernels = (const void *) getauxval (AT_SYSINFO_EHDR);
  if (kernels)
    vdso = bbp_image_at (kernels);
  loader_base = getauxval (AT_BASE);
}

static bool
holds (const struct bbp_image *image, uintptr_t address)
{
  const unsigned char *low, *high;
  return bbp_image_segment (image, address, &low, &high);
}

/* The object at ADDRESS; false: none. */
static bool
find_image (uintptr_t address, struct bbp_image *image)
{
  struct dl_find_object at;
  if (!find_object || find_object ((void *) address, &at) != 0)
    {
      *image = holds (&vdso, address) ? vdso : executable;
      return holds (image, address);
    }
  *image = bbp_image_at (at.dlfo_map_start);
  if (image->n == 0 && holds (&executable, address))
    *image = executable;
  return true;
}

bool
bbp_cfi_is_loader (uintptr_t address)
{
  struct dl_find_object at;
  return find_object && loader_base && find_object ((void *) address, &at) == 0
         && (uintptr_t) at.dlfo_map_start == loader_base;
}

enum bbp_cfi_found
bbp_cfi_find (uintptr_t address, struct bbp_cfi *cfi)
{
  struct bbp_image image;
  if (!find_image (address, &image))
    return BBP_CFI_NOBODYS;
  return bbp_image_cfi (&image, address, cfi) ? BBP_CFI_THERE : BBP_CFI_NONE;
}
