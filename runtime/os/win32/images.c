/* SPDX-License-Identifier: MIT */
/* The images of the executable and of DLLs.  They are found by the addresses of samples.  What the
   unwinder needs of them is copied when it is needed first, so that a DLL may be unloaded at any
   time. */
#include <stdlib.h>
#include <wchar.h>

#include "runtime/os/win32/win32.h"

enum { PAGE = 4096, MOST_IMAGES = 4096, MOST_SECTIONS = 96 };

static struct bbp_image *images[MOST_IMAGES]; /* in the order of discovery, never removed */
static size_t nimages;
static struct bbp_image *recent; /* the last one that was found */
static struct bbp_object *first, **last = &first;

struct bbp_object *
bbp_object_executable (void)
{
  return first;
}

struct bbp_object *
bbp_object_at (uintptr_t address)
{
  for (size_t i = 0; i < nimages; i++)
    if (images[i]->is_loaded && address - images[i]->low < images[i]->size)
      return images[i]->object;
  return NULL;
}

const char *
bbp_image_program (void)
{
  const char *name = first ? first->path : "";
  for (const char *at = name; *at; at++)
    name = *at == '\\' ? at + 1 : name;
  return name;
}

/* Copies. */

bool
bbp_image_bytes (struct bbp_image *image, uint32_t rva, void *to, size_t n)
{
  unsigned char *bytes = to;
  while (n)
    {
      uint32_t number = rva / PAGE, offset = rva % PAGE;
      size_t part = n < PAGE - offset ? n : PAGE - offset;
      if (rva >= image->size)
        return false;
      if (!image->pages[number])
        {
          unsigned char *page = bbp_pages_map (PAGE);
          if (!page || !bbp_subject_read (image->low + number * (uintptr_t) PAGE, page, PAGE))
            {
              bbp_pages_unmap (page, PAGE);
              return false;
            }
          image->pages[number] = page;
        }
      bbp_copy_bytes (bytes, image->pages[number] + offset, part);
      bytes += part;
      rva += (uint32_t) part;
      n -= part;
    }
  return true;
}

/* Headers. */

struct headers {
  uint32_t at; /* offset of the file header's signature */
  IMAGE_NT_HEADERS64 nt;
};

/* False: not an image of the processor. */
static bool
read_headers (uintptr_t low, struct headers *headers)
{
  IMAGE_DOS_HEADER dos;
  if (!bbp_subject_read (low, &dos, sizeof dos) || dos.e_magic != IMAGE_DOS_SIGNATURE
      || !bbp_subject_read (low + (uint32_t) dos.e_lfanew, &headers->nt, sizeof headers->nt))
    return false;
  headers->at = (uint32_t) dos.e_lfanew;
  return headers->nt.Signature == IMAGE_NT_SIGNATURE
         && headers->nt.FileHeader.Machine == IMAGE_FILE_MACHINE_AMD64
         && headers->nt.OptionalHeader.SizeOfImage >= PAGE;
}

static void
take_stamp (uint32_t stamp[3], const struct headers *headers)
{
  stamp[0] = headers->nt.FileHeader.TimeDateStamp;
  stamp[1] = headers->nt.OptionalHeader.SizeOfImage;
  stamp[2] = headers->nt.OptionalHeader.CheckSum;
}

/* Images of a process that has ended stay what they were. */
static bool
is_still_there (const struct bbp_image *image)
{
  struct headers headers;
  uint32_t stamp[3];
  if (!read_headers (image->low, &headers))
    return WaitForSingleObject (bbp_subject, 0) == WAIT_OBJECT_0;
  take_stamp (stamp, &headers);
  return stamp[0] == image->stamp[0] && stamp[1] == image->stamp[1] && stamp[2] == image->stamp[2];
}

/* The address for which the file was linked.  In memory the loader has replaced it by that where
   the image is.  False: the file is another one, so PATH is wrong: the image was unloaded before
   the system was asked for its path. */
static bool
find_linked_base (const wchar_t *path, const struct bbp_image *image, const struct headers *headers,
                  uint64_t *base)
{
  struct headers of_file = { .at = headers->at };
  uint32_t stamp[3];
  DWORD got = 0;
  HANDLE file = CreateFileW (path, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_DELETE, NULL,
                             OPEN_EXISTING, 0, NULL);
  *base = headers->nt.OptionalHeader.ImageBase;
  if (file == INVALID_HANDLE_VALUE) /* the image is in memory, and its file is gone */
    return *path != L'\0';
  bool read = SetFilePointer (file, (LONG) headers->at, NULL, FILE_BEGIN) == headers->at
              && ReadFile (file, &of_file.nt, sizeof of_file.nt, &got, NULL)
              && got == sizeof of_file.nt;
  CloseHandle (file);
  take_stamp (stamp, &of_file);
  if (!read || stamp[0] != image->stamp[0] || stamp[1] != image->stamp[1]
      || stamp[2] != image->stamp[2])
    return false;
  *base = of_file.nt.OptionalHeader.ImageBase;
  return true;
}

/* The addresses of the sections with code, relative to the image. */
static void
find_text (const struct bbp_image *image, const struct headers *headers, uint32_t *low,
           uint32_t *high)
{
  IMAGE_SECTION_HEADER section;
  uintptr_t at = image->low + headers->at + offsetof (IMAGE_NT_HEADERS64, OptionalHeader)
                 + headers->nt.FileHeader.SizeOfOptionalHeader;
  *low = image->size;
  *high = 0;
  for (int i = 0; i < headers->nt.FileHeader.NumberOfSections && i < MOST_SECTIONS; i++)
    if (bbp_subject_read (at + (size_t) i * sizeof section, &section, sizeof section)
        && (section.Characteristics & (IMAGE_SCN_CNT_CODE | IMAGE_SCN_MEM_EXECUTE))
        && section.Misc.VirtualSize <= image->size
        && section.VirtualAddress <= image->size - section.Misc.VirtualSize)
      {
        uint32_t end = section.VirtualAddress + section.Misc.VirtualSize;
        *low = section.VirtualAddress < *low ? section.VirtualAddress : *low;
        *high = end > *high ? end : *high;
      }
}

/* The build id of the linker's, 16 bytes in the order that its text has; else the stamp, by which
   Microsoft's servers find a file as well.  Returns the number of bytes. */
static size_t
find_build_id (struct bbp_image *image, const struct headers *headers, unsigned char *id)
{
  static const unsigned char order[] = { 3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15 };
  const IMAGE_DATA_DIRECTORY *directory
      = &headers->nt.OptionalHeader.DataDirectory[IMAGE_DIRECTORY_ENTRY_DEBUG];
  IMAGE_DEBUG_DIRECTORY entry;
  struct {
    uint32_t signature;
    unsigned char id[sizeof order];
  } view;
  for (uint32_t i = 0; i < directory->Size / sizeof entry; i++)
    if (bbp_image_bytes (image, directory->VirtualAddress + i * (uint32_t) sizeof entry, &entry,
                         sizeof entry)
        && entry.Type == IMAGE_DEBUG_TYPE_CODEVIEW
        && bbp_image_bytes (image, entry.AddressOfRawData, &view, sizeof view)
        && view.signature == 0x53445352) /* RSDS */
      {
        for (size_t k = 0; k < sizeof order; k++)
          id[k] = view.id[order[k]];
        return sizeof order;
      }
  bbp_copy_bytes (id, image->stamp, sizeof image->stamp);
  return sizeof image->stamp;
}

static int
compare_functions (const void *a, const void *b)
{
  const struct bbp_function *x = a, *y = b;
  return x->begin < y->begin ? -1 : x->begin > y->begin;
}

/* Where .pdata was cut out of the file its place is still named, and holds zeros.  Returns the
   number of entries that are left. */
static size_t
drop_impossible (struct bbp_function *functions, size_t n, uint32_t image_size)
{
  size_t kept = 0;
  for (size_t i = 0; i < n; i++)
    if (functions[i].begin < functions[i].end && functions[i].end <= image_size)
      functions[kept++] = functions[i];
  return kept;
}

/* Linkers sort the table, others need not. */
static void
copy_functions (struct bbp_image *image, const struct headers *headers)
{
  const IMAGE_DATA_DIRECTORY *directory
      = &headers->nt.OptionalHeader.DataDirectory[IMAGE_DIRECTORY_ENTRY_EXCEPTION];
  size_t n = directory->Size / sizeof *image->functions, bytes = n * sizeof *image->functions;
  struct bbp_function *functions = bytes < image->size ? bbp_pages_map (bytes) : NULL;
  struct headers again;
  if (bytes && !functions)
    return;
  if (functions && bbp_subject_read (image->low + directory->VirtualAddress, functions, bytes))
    n = drop_impossible (functions, n, image->size);
  else
    n = 0;
  for (size_t i = 1; i < n; i++)
    if (functions[i - 1].begin > functions[i].begin)
      {
        qsort (functions, n, sizeof *functions, compare_functions);
        break;
      }
  if (!n)
    bbp_pages_unmap (functions, bytes);
  image->functions = n ? functions : NULL;
  image->nfunctions = n;
  /* That of a process which has ended meanwhile may well have some. */
  image->lacks_functions = !n && read_headers (image->low, &again);
}

/* Objects. */

/* The system names a mapped file by its device (Windows), or with a prefix (Wine). */
static void
use_drive (wchar_t *path)
{
  wchar_t drive[] = L"A:", device[MAX_PATH];
  if (wcsncmp (path, L"\\??\\", 4) == 0)
    {
      wmemmove (path, path + 4, wcslen (path + 4) + 1);
      return;
    }
  for (; *drive <= L'Z'; ++*drive)
    {
      size_t n = QueryDosDeviceW (drive, device, MAX_PATH) ? wcslen (device) : 0;
      if (n < 2 || wcsncmp (path, device, n) != 0 || path[n] != L'\\')
        continue;
      wmemmove (path + 2, path + n, wcslen (path + n) + 1);
      wmemcpy (path, drive, 2);
      return;
    }
}

/* By no list of modules: that of a process which has just been created is empty, and for its own
   process the system would take the loader's lock, which a thread may hold that unloads a DLL and
   waits for the end of the round. */
static void
find_path (uintptr_t low, wchar_t *path, DWORD room)
{
  DWORD n = room;
  if (!first && QueryFullProcessImageNameW (bbp_subject, 0, path, &n))
    return;
  n = GetMappedFileNameW (bbp_subject, (void *) low, path, room);
  if (!n || n >= room)
    *path = L'\0';
  else
    use_drive (path);
}

/* A virtual base above those of all objects. */
static uintptr_t
choose_base (const struct bbp_object *new)
{
  uintptr_t top = 0, base = BBX_BASE_UNIT;
  if (!first)
    return 0;
  for (const struct bbp_object *object = first; object; object = object->next)
    if (object->base + object->end > top)
      top = object->base + object->end;
  while (base + new->start < top)
    base += BBX_BASE_UNIT;
  return base;
}

static bool
is_same (const struct bbp_object *a, const struct bbp_object *b)
{
  if (a->build_id_bytes != b->build_id_bytes || a->start != b->start || a->end != b->end)
    return false;
  for (size_t i = 0; i < a->build_id_bytes; i++)
    if (a->build_id[i] != b->build_id[i])
      return false;
  return lstrcmpA (a->path, b->path) == 0;
}

/* An object that was unloaded and is loaded again keeps its base. */
static struct bbp_object *
enter_object (const struct bbp_object *found)
{
  struct bbp_object *object = first;
  while (object && (object->presence == BBP_LOADED || !is_same (object, found)))
    object = object->next;
  if (!object)
    {
      size_t path_bytes = bbp_string_bytes (found->path);
      char *memory = bbp_pages_map (sizeof *object + BBP_BUILD_ID_SIZE + path_bytes);
      if (!memory)
        return NULL;
      object = (struct bbp_object *) memory;
      *object = *found;
      object->build_id = (unsigned char *) memory + sizeof *object;
      object->path = memory + sizeof *object + BBP_BUILD_ID_SIZE;
      bbp_copy_bytes (memory + sizeof *object, found->build_id, found->build_id_bytes);
      bbp_copy_bytes (memory + sizeof *object + BBP_BUILD_ID_SIZE, found->path, path_bytes);
      object->base = choose_base (object);
      *last = object;
      last = &object->next;
    }
  object->bias = found->bias;
  object->presence = BBP_LOADED;
  object->loads++;
  return object;
}

static uint32_t
enter_mapping (const struct bbp_image *image)
{
  const struct bbp_object *object = image->object;
  uint32_t number = bbp_segments_add (&bbp_mappings);
  struct bbp_mapping *mapping = bbp_segments_at (&bbp_mappings, number);
  if (!mapping)
    return 0;
  *mapping = (struct bbp_mapping) { .low = image->low,
                                    .high = image->low + image->size,
                                    .code_address = object->text_start + object->bias,
                                    .virtual_offset = object->base - object->bias,
                                    .first_met = bbp_run_time (),
                                    .state = BBP_MAPPING_LOADED };
  return number;
}

/* The path is too long for the stack of a thread. */
static bool
describe (struct bbp_image *image, const struct headers *headers)
{
  static wchar_t wide[BBP_PATH_SIZE];
  static char path[BBP_PATH_SIZE];
  unsigned char id[BBP_BUILD_ID_SIZE];
  uint32_t text_low, text_high;
  uint64_t base;
  find_path (image->low, wide, BBP_PATH_SIZE);
  bbp_narrow (path, sizeof path, wide);
  if (!find_linked_base (wide, image, headers, &base))
    return false;
  find_text (image, headers, &text_low, &text_high);
  struct bbp_object found = { .bias = image->low - base,
                              .start = base,
                              .end = base + image->size,
                              .text_start = base + text_low,
                              .text_end = base + text_high,
                              .build_id = id,
                              .build_id_bytes = find_build_id (image, headers, id),
                              .path = path };
  image->object = enter_object (&found);
  image->mapping = image->object ? enter_mapping (image) : 0;
  return image->mapping != 0;
}

static struct bbp_image *
enter (uintptr_t low)
{
  struct headers headers;
  if (nimages == MOST_IMAGES || !read_headers (low, &headers))
    return NULL;
  uint32_t size = headers.nt.OptionalHeader.SizeOfImage;
  size_t bytes = sizeof (struct bbp_image) + (size / PAGE + 1) * sizeof (void *);
  struct bbp_image *image = bbp_pages_map (bytes);
  if (!image)
    return NULL;
  image->low = low;
  image->size = size;
  image->pages = (unsigned char **) (image + 1);
  image->is_loaded = true;
  take_stamp (image->stamp, &headers);
  if (!describe (image, &headers))
    {
      bbp_pages_unmap (image, bytes);
      return NULL;
    }
  copy_functions (image, &headers);
  images[nimages++] = image;
  return image;
}

/* Finding. */

void
bbp_image_unload (struct bbp_image *image)
{
  struct bbp_mapping *mapping = bbp_segments_at (&bbp_mappings, image->mapping);
  image->is_loaded = false;
  image->object->presence = BBP_UNLOADED;
  mapping->unloaded = bbp_run_time ();
  mapping->state = BBP_MAPPING_UNLOADED;
}

static struct bbp_image *
find_new (uintptr_t address)
{
  MEMORY_BASIC_INFORMATION about;
  if (!VirtualQueryEx (bbp_subject, (const void *) address, &about, sizeof about)
      || about.State != MEM_COMMIT || about.Type != MEM_IMAGE)
    return NULL;
  return enter ((uintptr_t) about.AllocationBase);
}

/* The executable is the first, whatever is met first. */
static void
enter_executable (void)
{
  struct bbp_image *image = enter (bbp_subject_executable ());
  if (!image)
    return;
  bbp.low = image->object->text_start + image->object->bias;
  bbp.high = image->object->text_end + image->object->bias;
}

struct bbp_image *
bbp_image_at (uintptr_t address, uint32_t round)
{
  struct bbp_image *image = recent;
  if (!nimages)
    enter_executable ();
  if (!image || !image->is_loaded || address - image->low >= image->size)
    {
      image = NULL;
      for (size_t i = 0; !image && i < nimages; i++)
        if (images[i]->is_loaded && address - images[i]->low < images[i]->size)
          image = images[i];
    }
  if (image && image != images[0] && round && image->checked != round && !is_still_there (image))
    {
      bbp_image_unload (image);
      image = NULL;
    }
  if (!image)
    image = nimages ? find_new (address) : NULL;
  if (image && round)
    image->checked = round;
  return recent = image;
}

void
bbp_images_complain (void)
{
  for (size_t i = 0; i < nimages; i++)
    if (images[i]->lacks_functions)
      {
        images[i]->lacks_functions = false;
        bbp_message (images[i]->object->path, "no unwind data (.pdata), so stacks end in it");
      }
}

/* Functions. */

const struct bbp_function *
bbp_image_function (const struct bbp_image *image, uint32_t rva)
{
  size_t low = 0, high = image->nfunctions;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if (image->functions[middle].begin <= rva)
        low = middle + 1;
      else
        high = middle;
    }
  const struct bbp_function *found = low ? &image->functions[low - 1] : NULL;
  return found && rva < found->end ? found : NULL;
}
