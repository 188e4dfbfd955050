/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file is read, and not mapped: a process that truncates it must not kill this one.  A file
   that is no longer what the process has mapped is not used; then the process's memory is read
   instead, where this is allowed. */
#include "config.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <unistd.h>

#include "collect/outside/frame_index.h"
#include "collect/outside/object_file.h"

/* Of an object, and of the room that its copy takes: address space, mostly. */
#define MOST_BYTES (UINT64_C (1) << 32)
enum { PAGE = 4096 };

/* Where the bytes of an object come from. */
struct source {
  int fd; /* -1: from the memory of PID, which the object begins at ADDRESS */
  pid_t pid;
  uint64_t address;
};

/* N bytes at OFFSET of the file, or at the same distance in memory. */
static bool
read_bytes (const struct source *s, void *to, size_t n, uint64_t offset)
{
  if (s->fd >= 0)
    return pread (s->fd, to, n, (off_t) offset) == (ssize_t) n;
  const struct iovec here = { to, n }, there = { (void *) (uintptr_t) (s->address + offset), n };
  return process_vm_readv (s->pid, &here, 1, &there, 1, 0) == (ssize_t) n;
}

static bool
read_headers (struct object_file *o, const struct source *s)
{
  Elf64_Ehdr head;
  if (!read_bytes (s, &head, sizeof head, 0) || memcmp (head.e_ident, ELFMAG, SELFMAG) != 0
      || head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_phentsize != sizeof *o->segments
      || head.e_phnum == 0 || head.e_phnum > OBJECT_SEGMENTS
      || !read_bytes (s, o->segments, head.e_phnum * sizeof *o->segments, head.e_phoff))
    return false;
  o->nsegments = head.e_phnum;
  return true;
}

static void
widen (uint64_t *low, uint64_t *high, const ElfW (Phdr) * segment)
{
  const uint64_t end = segment->p_vaddr + segment->p_memsz;
  *low = segment->p_vaddr < *low ? segment->p_vaddr : *low;
  *high = end > *high ? end : *high;
}

/* False: no executable segment, or an impossible one. */
static bool
find_bounds (struct object_file *o)
{
  o->start = o->text_start = UINT64_MAX;
  o->end = o->text_end = 0;
  for (size_t i = 0; i < o->nsegments; i++)
    {
      const ElfW (Phdr) *segment = &o->segments[i];
      if (segment->p_type != PT_LOAD)
        continue;
      if (segment->p_vaddr > INT64_MAX - segment->p_memsz || segment->p_filesz > segment->p_memsz)
        return false;
      widen (&o->start, &o->end, segment);
      if (segment->p_flags & PF_X)
        widen (&o->text_start, &o->text_end, segment);
    }
  return o->text_start < o->text_end && o->end - o->start < MOST_BYTES;
}

/* The build id in N bytes of notes. */
static void
find_build_id (struct build_id *id, const unsigned char *notes, size_t n, size_t align)
{
  Elf64_Nhdr note;
  for (size_t at = 0, next; at + sizeof note <= n; at = next)
    {
      memcpy (&note, notes + at, sizeof note);
      const uint64_t name = at + sizeof note, text = name + ((note.n_namesz + align - 1) & -align);
      next = text + ((note.n_descsz + align - 1) & -align);
      if (text > n || note.n_descsz > n - text)
        return;
      if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof "GNU"
          && memcmp (notes + name, "GNU", sizeof "GNU") == 0)
        {
          build_id_set (id, notes + text, note.n_descsz);
          return;
        }
    }
}

static void
read_build_id (struct object_file *o)
{
  for (size_t i = 0; i < o->nsegments && o->build_id.size == 0; i++)
    {
      const ElfW (Phdr) *notes = &o->segments[i];
      const uint64_t at = notes->p_vaddr - o->low;
      if (notes->p_type == PT_NOTE && at < o->bytes && notes->p_filesz <= o->bytes - at)
        find_build_id (&o->build_id, o->copy + at, notes->p_filesz, notes->p_align == 8 ? 8 : 4);
    }
}

bool
object_file_build_id (const char *path, struct build_id *id)
{
  const struct source s = { .fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) };
  struct object_file o = { .nsegments = 0 };
  unsigned char notes[PAGE];
  id->size = 0;
  if (s.fd < 0)
    return false;
  read_headers (&o, &s);
  for (size_t i = 0; i < o.nsegments && id->size == 0; i++)
    if (o.segments[i].p_type == PT_NOTE && o.segments[i].p_filesz <= sizeof notes
        && read_bytes (&s, notes, o.segments[i].p_filesz, o.segments[i].p_offset))
      find_build_id (id, notes, o.segments[i].p_filesz, o.segments[i].p_align == 8 ? 8 : 4);
  close (s.fd);
  return id->size > 0;
}

/* Where the section .eh_frame is, by the section headers of the file.  False: unknown. */
static bool
find_frames (const struct source *s, uint64_t *address, uint64_t *size)
{
  enum { MOST_SECTIONS = 65536, NAME = sizeof ".eh_frame" };
  Elf64_Ehdr head;
  Elf64_Shdr names, section;
  char name[NAME];
  if (s->fd < 0 || !read_bytes (s, &head, sizeof head, 0) || head.e_shentsize != sizeof section
      || !read_bytes (s, &names, sizeof names,
                      head.e_shoff + (uint64_t) head.e_shstrndx * sizeof names))
    return false;
  for (unsigned i = 0; i < head.e_shnum && i < MOST_SECTIONS; i++)
    if (read_bytes (s, &section, sizeof section, head.e_shoff + i * sizeof section)
        && read_bytes (s, name, sizeof name, names.sh_offset + section.sh_name)
        && memcmp (name, ".eh_frame", NAME) == 0)
      {
        *address = section.sh_addr;
        *size = section.sh_size;
        return true;
      }
  return false;
}

static bool
has_index (const struct object_file *o)
{
  for (size_t i = 0; i < o->nsegments; i++)
    if (o->segments[i].p_type == PT_GNU_EH_FRAME)
      return true;
  return false;
}

/* Static programs have no index.  It is made behind the copy, in a segment of its own. */
static void
add_index (struct object_file *o, uint64_t frames, uint64_t size, size_t room)
{
  const unsigned char *first = o->copy + (frames - o->low);
  const size_t bytes = frame_index_make (first, first + size, (void *) (o->copy + o->bytes), room);
  const ElfW (Phdr) index = { .p_type = PT_GNU_EH_FRAME,
                              .p_flags = PF_R,
                              .p_vaddr = o->low + o->bytes,
                              .p_filesz = bytes,
                              .p_memsz = bytes };
  if (bytes == 0)
    return;
  o->segments[o->nsegments++] = index;
  o->segments[o->nsegments] = index;
  o->segments[o->nsegments++].p_type = PT_LOAD;
}

static bool
read_segments (struct object_file *o, const struct source *s)
{
  uint64_t frames = 0, size = 0, end = 0;
  o->low = o->start & -(uint64_t) PAGE;
  for (size_t i = 0; i < o->nsegments; i++)
    if (o->segments[i].p_type == PT_LOAD && o->segments[i].p_vaddr + o->segments[i].p_filesz > end)
      end = o->segments[i].p_vaddr + o->segments[i].p_filesz;
  const bool makes_index = !has_index (o) && find_frames (s, &frames, &size) && frames >= o->low
                           && frames <= end && size <= end - frames;
  const size_t bytes = (end - o->low + 15) & -(size_t) 16,
               room = makes_index ? frame_index_room (size) : 0;
  void *copy = mmap (NULL, bytes + room, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (copy == MAP_FAILED)
    return false;
  o->copy = copy;
  o->bytes = bytes;
  o->mapped = bytes + room;
  for (size_t i = 0; i < o->nsegments; i++)
    {
      const ElfW (Phdr) *segment = &o->segments[i];
      const uint64_t from = s->fd >= 0 ? segment->p_offset : segment->p_vaddr - o->low;
      if (segment->p_type == PT_LOAD
          && !read_bytes (s, o->copy + (segment->p_vaddr - o->low), segment->p_filesz, from))
        return false;
    }
  if (makes_index)
    add_index (o, frames, size, room);
  return true;
}

static void
drop_copy (struct object_file *o)
{
  if (o->copy)
    munmap (o->copy, o->mapped);
  o->copy = NULL;
}

/* True: the object is known, and copied. */
static bool
read_from (struct object_file *o, const struct source *s)
{
  if (read_headers (o, s) && find_bounds (o) && read_segments (o, s))
    {
      read_build_id (o);
      return true;
    }
  drop_copy (o);
  return false;
}

/* Opens the file PATH, if it still is the mapped one; else -1. */
static int
open_mapped (const char *path, const struct object_mapping *m)
{
  struct stat st;
  const int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (fd >= 0 && fstat (fd, &st) == 0 && S_ISREG (st.st_mode) && st.st_ino == m->inode)
    return fd;
  if (fd >= 0)
    close (fd);
  return -1;
}

/* Opens the file as the process sees it; one that has ended, as this process sees it. */
static int
open_file (pid_t pid, const struct object_mapping *m)
{
  char path[4200];
  snprintf (path, sizeof path, "/proc/%d/root%s", (int) pid, m->path);
  const int fd = open_mapped (path, m);
  return fd >= 0 ? fd : open_mapped (m->path, m);
}

/* The address at which the process has the beginning of the mapped file; 0: nowhere. */
static uint64_t
find_start (pid_t pid, const struct object_mapping *m)
{
  char line[4400];
  uint64_t low, offset, inode, found = m->offset == 0 ? m->low : 0;
  snprintf (line, sizeof line, "/proc/%d/maps", (int) pid);
  FILE *in = fopen (line, "re");
  while (in && !found && fgets (line, sizeof line, in))
    if (sscanf (line, "%" SCNx64 "-%*x %*s %" SCNx64 " %*s %" SCNu64, &low, &offset, &inode) == 3
        && inode == m->inode && offset == 0)
      found = low;
  if (in)
    fclose (in);
  return found;
}

/* From the file, else from memory. */
static void
read_object (struct object_file *o, pid_t pid, const struct object_mapping *m)
{
  struct source s = { .fd = m->inode ? open_file (pid, m) : -1, .pid = pid };
  bool good = s.fd >= 0 && read_from (o, &s);
  if (s.fd >= 0)
    close (s.fd);
  if (good)
    return;
  s = (struct source) { .fd = -1, .pid = pid, .address = find_start (pid, m) };
  if (s.address)
    read_from (o, &s);
}

static bool
names_loader (const char *path)
{
  const char *slash = strrchr (path, '/');
  return slash && strncmp (slash, "/ld-linux", 9) == 0;
}

/* The kernel says behind the name of a file that it has no name any more. */
static char *
copy_path (const char *path)
{
  static const char deleted[] = " (deleted)";
  const size_t n = strlen (path), tail = sizeof deleted - 1;
  return strndup (path, n > tail && strcmp (path + n - tail, deleted) == 0 ? n - tail : n);
}

struct object_file *
object_file_of (struct object_file **all, pid_t pid, const struct object_mapping *m)
{
  const bool vdso = strcmp (m->path, "[vdso]") == 0;
  if (m->path[0] != '/' && !vdso)
    return NULL;
  for (struct object_file *o = *all; o; o = o->next)
    if (o->inode == (vdso ? 0 : m->inode) && o->device == m->device
        && strncmp (m->path, o->path, strlen (o->path)) == 0)
      return o;
  struct object_file *o = calloc (1, sizeof *o);
  char *path = copy_path (m->path);
  if (!o || !path)
    {
      free (o);
      free (path);
      return NULL;
    }
  *o = (struct object_file) { .next = *all,
                              .path = path,
                              .device = m->device,
                              .inode = vdso ? 0 : m->inode,
                              .is_loader = names_loader (path) };
  *all = o;
  read_object (o, pid, m);
  return o;
}

void
object_files_free (struct object_file *all)
{
  while (all)
    {
      struct object_file *next = all->next;
      drop_copy (all);
      free (all->path);
      free (all);
      all = next;
    }
}

bool
object_file_bias (const struct object_file *o, const struct object_mapping *m, uint64_t *bias)
{
  for (size_t i = 0; i < o->nsegments; i++)
    {
      const ElfW (Phdr) *segment = &o->segments[i];
      const uint64_t first = segment->p_offset & -(uint64_t) PAGE;
      if (segment->p_type == PT_LOAD && (segment->p_flags & PF_X) && m->offset >= first
          && m->offset < segment->p_offset + segment->p_filesz)
        {
          *bias = m->low - ((segment->p_vaddr & -(uint64_t) PAGE) + (m->offset - first));
          return true;
        }
    }
  return false;
}

bool
object_file_cfi (const struct object_file *o, uint64_t address, struct bbp_cfi *cfi)
{
  const uintptr_t shift = (uintptr_t) o->copy - o->low;
  const struct bbp_image image = { o->segments, o->nsegments, shift };
  if (!o->copy || !bbp_image_cfi (&image, address + shift, cfi))
    return false;
  cfi->start -= shift;
  cfi->end -= shift;
  cfi->shift = shift;
  return true;
}

bool
object_file_readable (const struct object_file *o, uint64_t address, struct bbp_readable *known)
{
  for (size_t i = 0; o->copy && i < o->nsegments; i++)
    {
      const ElfW (Phdr) *segment = &o->segments[i];
      if (segment->p_type == PT_LOAD && !(segment->p_flags & PF_W)
          && address - segment->p_vaddr < segment->p_filesz)
        {
          *known = (struct bbp_readable) { .low = segment->p_vaddr,
                                           .high = segment->p_vaddr + segment->p_filesz,
                                           .shift = (uintptr_t) o->copy - o->low };
          return true;
        }
    }
  return false;
}
