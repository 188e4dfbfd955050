/* SPDX-License-Identifier: MIT */
/* Memory for counts, in slices: mappings with a header (bbprof-live.h), all in one list, so that
   they can be moved into a live file, or into another one, without changing their address.  A slice
   is in the live file if there is one with room, else anonymous.

   Disk space is allocated before a page is touched, so that a full disk does not raise SIGBUS in
   the program.

   No descriptor is kept: the program would see it, pass it on, or close it.  The first AHEAD bytes
   of the file, a hole at first, are mapped once; a slice in them is a second mapping of that memory
   (mremap).  This needs neither the file's name nor the right to open it, which a daemon may have
   given up.  For slices behind them the file is opened by name and closed at once.

   Context: any, unless stated otherwise. */
#include <errno.h>

#include "include/bbprof-live.h"
#include "runtime/base/base.h"
#include "runtime/base/sys.h"

/* The list, newest first.  Any thread prepends, atomically; the holder of the lock removes. */
static struct bbl_slice *newest;

/* The live file.  Writer: bbp_slices_open, unless a field says otherwise. */
static struct {
  bool open;   /* new slices are created in it */
  char *ahead; /* the mapping of its first AHEAD_BYTES */
  size_t ahead_bytes;
  dev_t device;
  ino_t inode;
  uint64_t end; /* of the claimed bytes; writers: all threads, atomically */
  const char *path;
  uint64_t *missing; /* number of slices that found no room; writers: all threads, atomically */
} file;

#define AHEAD ((size_t) 64 << 20)

/* Programs get the lowest free descriptors, and shells use those up to 255. */
#define HIGH_DESCRIPTOR 1000

static size_t
whole_pages (size_t bytes)
{
  return (bytes + BBL_PAGE - 1) & -(size_t) BBL_PAGE;
}

/* Not in a copy of the process made without fork's handlers: the file belongs to its parent. */
bool
bbp_slices_in_file (void)
{
  return __atomic_load_n (&file.open, __ATOMIC_ACQUIRE) && bbp_profiled_memory ();
}

static inline __attribute__ ((always_inline)) bool
is_file (int fd, struct bbp_sys_scratch *scratch)
{
  return fd >= 0 && bbp_sys_fstat (fd, &scratch->st) == 0 && scratch->st.st_dev == file.device
         && scratch->st.st_ino == file.inode;
}

static int
raise_descriptor (int fd)
{
  long high = bbp_sys_duplicate (fd, HIGH_DESCRIPTOR);
  if (high < 0)
    return fd;
  bbp_sys_close (fd);
  return (int) high;
}

/* A descriptor of the file, to be closed at once; -1: the name no longer leads to it. */
static inline __attribute__ ((always_inline)) int
open_again (struct bbp_sys_scratch *scratch)
{
  int fd = (int) bbp_sys_openat (AT_FDCWD, file.path, O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0);
  if (fd < 0)
    return -1;
  fd = raise_descriptor (fd);
  if (is_file (fd, scratch))
    return fd;
  bbp_sys_close (fd);
  return -1;
}

/* Allocate disk space for the mapping at START: 0 or -errno.  The kernel does the touching: its
   fault is an error code, a fault of this code would be a signal. */
static inline __attribute__ ((always_inline)) long
make_room (char *start, size_t bytes)
{
  long result = bbp_sys_populate (start, bytes);
  if (result != -EINVAL)
    return result == -EFAULT ? -ENOSPC : result;
  for (size_t at = 0; at < bytes; at += BBL_PAGE) /* before Linux 5.14 */
    {
      struct timespec *room = (struct timespec *) (start + at);
      if (bbp_sys_clock (CLOCK_MONOTONIC, room) != 0)
        return -ENOSPC;
      *room = (struct timespec) { 0 };
    }
  return 0;
}

/* For file systems that cannot allocate. */
static __attribute__ ((noinline)) long
write_zeros (int fd, uint64_t offset, size_t bytes)
{
  static const char zeros[BBL_PAGE];
  for (size_t done = 0; done < bytes;)
    {
      long n = bbp_sys_write_at (fd, zeros, sizeof zeros, offset + done);
      if (n > 0)
        done += (size_t) n;
      else if (n != -EINTR)
        return n ? n : -EIO;
    }
  return 0;
}

/* Allocate disk space for BYTES at OFFSET: 0 or -errno.  Beyond RLIMIT_FSIZE the kernel would send
   a signal. */
static inline __attribute__ ((always_inline)) long
allocate (int fd, uint64_t offset, size_t bytes, struct bbp_sys_scratch *scratch)
{
  if (bbp_sys_limit (RLIMIT_FSIZE, &scratch->limit) == 0
      && offset + bytes > scratch->limit.rlim_cur)
    return -EFBIG;
  long result;
  do
    result = bbp_sys_allocate (fd, 0, offset, bytes);
  while (result == -EINTR);
  return result == -EOPNOTSUPP || result == -ENOSYS ? write_zeros (fd, offset, bytes) : result;
}

/* Claim BYTES in the file; returns the offset, or 0.  *FD: a descriptor that the caller closes; -1:
   the range is in the mapping AHEAD. */
static inline __attribute__ ((always_inline)) uint64_t
claim (size_t bytes, int *fd, struct bbp_sys_scratch *scratch)
{
  uint64_t offset = __atomic_fetch_add (&file.end, bytes, __ATOMIC_RELAXED);
  *fd = -1;
  if (offset + bytes <= file.ahead_bytes)
    return make_room (file.ahead + offset, bytes) == 0 ? offset : 0;
  *fd = open_again (scratch);
  return *fd >= 0 && allocate (*fd, offset, bytes, scratch) == 0 ? offset : 0;
}

/* Map BYTES of the file at OFFSET to ADDRESS. */
static inline __attribute__ ((always_inline)) bool
map_at (void *address, size_t bytes, uint64_t offset, int fd)
{
  long result = fd < 0 ? bbp_sys_mmap_again (file.ahead + offset, bytes, address)
                       : bbp_sys_mmap_file (address, bytes, fd, offset);
  return result == (long) address;
}

/* Write the header of a new slice into the file. */
static inline __attribute__ ((always_inline)) bool
write_head (const struct bbl_slice *slice, int fd)
{
  if (fd >= 0)
    return bbp_sys_write_at (fd, slice, sizeof *slice, slice->offset) == sizeof *slice;
  *(struct bbl_slice *) (file.ahead + slice->offset) = *slice;
  return true;
}

static inline __attribute__ ((always_inline)) void
close_if_open (int fd)
{
  if (fd >= 0)
    bbp_sys_close (fd);
}

/* Add to the list; returns the memory behind the header. */
static void *
add_to_list (struct bbl_slice *slice)
{
  struct bbl_slice *older = __atomic_load_n (&newest, __ATOMIC_RELAXED);
  do
    slice->older = (uintptr_t) older;
  while (!__atomic_compare_exchange_n (&newest, &older, slice, false, __ATOMIC_RELEASE,
                                       __ATOMIC_RELAXED));
  return slice + 1;
}

static struct bbl_slice *
next_of (const struct bbl_slice *slice)
{
  return (struct bbl_slice *) slice->older;
}

/* Move a new slice, of which only the header is in use, into the file; without room it stays where
   it is.  The scratch memory is behind the header, not on the stack, which may be a small signal
   stack.  For the same reason the functions above are inlined, and ENTER is called last. */
static __attribute__ ((noinline)) void *
put_into_file (struct bbl_slice *slice)
{
  struct bbp_sys_scratch *scratch = (struct bbp_sys_scratch *) (slice + 1);
  int fd;
  slice->offset = claim (slice->bytes, &fd, scratch);
  if (!slice->offset || !write_head (slice, fd) || !map_at (slice, slice->bytes, slice->offset, fd))
    {
      slice->offset = 0;
      for (size_t i = 0; i < sizeof *scratch; i++)
        ((volatile char *) scratch)[i] = 0;
      __atomic_fetch_add (file.missing, 1, __ATOMIC_RELAXED);
    }
  close_if_open (fd);
  return add_to_list (slice);
}

/* SLICE is zeroed memory for it, or null. */
static inline __attribute__ ((always_inline)) void *
make_slice (struct bbl_slice *slice, uint32_t kind, uint32_t number, uint32_t of, size_t content)
{
  if (!slice)
    return NULL;
  slice->run = bbp.run;
  slice->kind = kind;
  slice->number = number;
  slice->of = of;
  slice->bytes = whole_pages (sizeof *slice + content);
  slice->content = content;
  return bbp_slices_in_file () ? put_into_file (slice) : add_to_list (slice);
}

void *
bbp_slice_map (uint32_t kind, uint32_t number, uint32_t of, size_t content)
{
  struct bbl_slice *slice = bbp_pages_map_apart (whole_pages (sizeof *slice + content));
  return make_slice (slice, kind, number, of, content);
}

void *
bbp_slice_map_above (uint32_t kind, uint32_t number, uint32_t of, size_t content)
{
  struct bbl_slice *slice = bbp_pages_map_above (whole_pages (sizeof *slice + content));
  return make_slice (slice, kind, number, of, content);
}

void
bbp_slice_ready (void *content)
{
  struct bbl_slice *slice = (struct bbl_slice *) content - 1;
  /* Last, after everything that makes the slice valid. */
  __atomic_store_n (&slice->magic, BBL_MAGIC, __ATOMIC_RELEASE);
}

static void
remove_from_list (struct bbl_slice *slice)
{
  struct bbl_slice *front = slice;
  if (__atomic_compare_exchange_n (&newest, &front, next_of (slice), false, __ATOMIC_ACQUIRE,
                                   __ATOMIC_ACQUIRE))
    return;
  while (next_of (front) != slice)
    front = next_of (front);
  front->older = slice->older;
}

void
bbp_slice_unmap (void *content)
{
  if (!content)
    return;
  struct bbl_slice *slice = (struct bbl_slice *) content - 1;
  size_t bytes = slice->bytes;
  remove_from_list (slice);
  __atomic_store_n (&slice->magic, 0, __ATOMIC_RELEASE);
  if (slice->offset && bbp_slices_in_file ())
    bbp_sys_punch (slice, bytes);
  bbp_pages_unmap (slice, bytes);
}

/* Move a slice in parts, so that no further address space is needed: BOUNCE holds a part while its
   pages are replaced.  The old memory is not written to: it may be the parent's. */
static void
move (struct bbl_slice *slice)
{
  static char bounce[16 * BBL_PAGE];
  static struct bbp_sys_scratch scratch;
  struct bbl_slice *head = (struct bbl_slice *) bounce;
  size_t bytes = slice->bytes;
  bool ready = slice->magic, in_file = bbp_slices_in_file ();
  int fd = -1;
  uint64_t offset = in_file ? claim (bytes, &fd, &scratch) : 0;
  for (size_t done = 0; done < bytes; done += sizeof bounce)
    {
      char *part = (char *) slice + done;
      size_t n = bytes - done < sizeof bounce ? bytes - done : sizeof bounce;
      bbp_copy_bytes (bounce, part, n);
      if (done == 0)
        {
          head->magic = 0;
          head->run = bbp.run;
          head->offset = offset;
        }
      if (offset && !map_at (part, n, offset + done, fd))
        offset = 0;
      if (!offset)
        bbp_sys_mmap_over (part, n);
      bbp_copy_bytes (part, bounce, n);
    }
  close_if_open (fd);
  if (in_file && !offset)
    __atomic_fetch_add (file.missing, 1, __ATOMIC_RELAXED);
  if (ready)
    bbp_slice_ready (slice + 1);
}

void
bbp_slices_move (void)
{
  for (struct bbl_slice *slice = newest; slice; slice = next_of (slice))
    move (slice);
}

/* Map the file's first BYTES, as a hole; returns the address, or -errno. */
static long
map_ahead (int fd, size_t bytes)
{
  long result = bbp_sys_truncate (fd, bytes);
  return result < 0 ? result : bbp_sys_mmap_file (NULL, bytes, fd, 0);
}

static bool
is_error (long result)
{
  return result < 0 && result > -BBL_PAGE;
}

/* Can memory of the file be mapped a second time?  Emulators of system calls may not do that. */
static bool
can_map_again (long start)
{
  char *place = bbp_pages_map_apart (BBL_PAGE); /* not of the pool: it becomes the file's */
  bool can = place && bbp_sys_mmap_again ((void *) start, BBL_PAGE, place) == (long) place;
  bbp_pages_unmap (place, BBL_PAGE);
  return can;
}

/* Map as much as the limits of file size and memory allow, at least LEAST; not more if it could
   not be used.  0 or -errno. */
static long
open_ahead (int fd, size_t least, struct bbp_sys_scratch *scratch)
{
  file.ahead_bytes = AHEAD;
  if (bbp_sys_limit (RLIMIT_FSIZE, &scratch->limit) == 0 && scratch->limit.rlim_cur < AHEAD)
    file.ahead_bytes = scratch->limit.rlim_cur & -(size_t) BBL_PAGE;
  if (file.ahead_bytes < least)
    return -EFBIG;
  long result = map_ahead (fd, file.ahead_bytes);
  bool useless = !is_error (result) && !can_map_again (result);
  if (useless)
    bbp_pages_unmap ((void *) result, file.ahead_bytes);
  if (is_error (result) || useless)
    result = map_ahead (fd, file.ahead_bytes = least);
  if (is_error (result))
    return result;
  file.ahead = (char *) result;
  result = make_room (file.ahead, least);
  if (result < 0)
    bbp_pages_unmap (file.ahead, file.ahead_bytes);
  return result;
}

long
bbp_slices_open (int fd, const char *path, struct bbl_head **head)
{
  struct bbp_sys_scratch scratch;
  size_t bytes = whole_pages (sizeof (struct bbl_slice) + sizeof **head);
  long error = open_ahead (fd, bytes, &scratch);
  if (error)
    return error;
  bbp_sys_fstat (fd, &scratch.st);
  file.device = scratch.st.st_dev;
  file.inode = scratch.st.st_ino;
  file.path = path;
  file.end = bytes;
  struct bbl_slice *slice = (struct bbl_slice *) file.ahead;
  *head = (struct bbl_head *) (slice + 1);
  *slice = (struct bbl_slice) {
    .run = bbp.run, .kind = BBL_HEAD, .bytes = bytes, .content = sizeof **head
  };
  file.missing = &(*head)->missing;
  __atomic_store_n (&file.open, true, __ATOMIC_RELEASE);
  return 0;
}

bool
bbp_slices_detach_file (void)
{
  struct bbp_sys_scratch scratch;
  if (!bbp_slices_in_file ())
    return false;
  __atomic_store_n (&file.open, false, __ATOMIC_RELEASE);
  return bbp_sys_stat (file.path, &scratch.st) == 0 && scratch.st.st_dev == file.device
         && scratch.st.st_ino == file.inode;
}

void
bbp_slices_close (void)
{
  __atomic_store_n (&file.open, false, __ATOMIC_RELEASE);
  bbp_pages_unmap (file.ahead, file.ahead_bytes);
  file.ahead = NULL;
}
