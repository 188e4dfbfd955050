/* SPDX-License-Identifier: MIT */
/* Output files: written under a temporary name, then renamed. */
#include "runtime/os/win32/file.h"

void
bbp_file_open (struct bbp_file *file, const wchar_t *path)
{
  file->out.error = 0;
  file->out.used = 0;
  file->failed = 0;
  file->path = path;
  lstrcpynW (file->temporary, path, BBP_PATH_SIZE);
  lstrcpynW (file->temporary + lstrlenW (file->temporary), L".tmp", 5);
  file->handle = CreateFileW (file->temporary, GENERIC_WRITE, 0, NULL, CREATE_ALWAYS,
                              FILE_ATTRIBUTE_NORMAL, NULL);
  if (file->handle == INVALID_HANDLE_VALUE)
    file->failed = GetLastError ();
}

static struct bbp_file *
file_of (struct bbp_out *out)
{
  return (struct bbp_file *) ((char *) out - offsetof (struct bbp_file, out));
}

/* ERROR is the sign of failure for the code that writes records; the reason is in FAILED. */
static void
flush (struct bbp_file *file)
{
  DWORD written = 0;
  if (!file->failed && file->out.used
      && (!WriteFile (file->handle, file->out.buffer, (DWORD) file->out.used, &written, NULL)
          || written != file->out.used))
    file->failed = GetLastError () ? GetLastError () : ERROR_DISK_FULL;
  file->out.used = 0;
}

void
bbp_out_bytes (struct bbp_out *out, const void *bytes, size_t n)
{
  const char *p = bytes;
  while (n)
    {
      size_t room = sizeof out->buffer - out->used, part = n < room ? n : room;
      bbp_copy_bytes (out->buffer + out->used, p, part);
      out->used += part;
      p += part;
      n -= part;
      if (out->used == sizeof out->buffer)
        flush (file_of (out));
    }
}

void
bbp_out_zeros (struct bbp_out *out, size_t n)
{
  static const char zeros[1024];
  for (; n > sizeof zeros; n -= sizeof zeros)
    bbp_out_bytes (out, zeros, sizeof zeros);
  bbp_out_bytes (out, zeros, n);
}

DWORD
bbp_file_finish (struct bbp_file *file)
{
  if (file->handle == INVALID_HANDLE_VALUE)
    return file->failed;
  flush (file);
  if (!file->failed && file->out.error)
    file->failed = ERROR_NOT_ENOUGH_MEMORY;
  CloseHandle (file->handle);
  return file->failed;
}

DWORD
bbp_file_rename (struct bbp_file *file)
{
  if (MoveFileExW (file->temporary, file->path, MOVEFILE_REPLACE_EXISTING))
    return 0;
  return file->failed = GetLastError ();
}

void
bbp_file_drop (struct bbp_file *file)
{
  DeleteFileW (file->temporary);
}
