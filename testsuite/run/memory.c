// SPDX-License-Identifier: GPL-3.0-or-later
/* A thread waits for memory in the middle of a function, in no system call, when the process
   ends. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

volatile int before, behind;
static char *page;

__attribute__ ((noipa)) static int
wait_for (const volatile char *p, int n)
{
  if (n)
    {
      before++;
      n = *p;
    }
  behind++;
  return n;
}

static void *
run (void *argument)
{
  wait_for (page, 1);
  return argument;
}

int
main (void)
{
  int fd = (int) syscall (SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY);
  struct uffdio_api api = { .api = UFFD_API };
  page = mmap (NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  struct uffdio_register all
      = { .range = { (uintptr_t) page, 4096 }, .mode = UFFDIO_REGISTER_MODE_MISSING };
  if (fd < 0 || page == MAP_FAILED || ioctl (fd, UFFDIO_API, &api)
      || ioctl (fd, UFFDIO_REGISTER, &all))
    return 77;
  for (char there = 0; there < 3; there++)
    wait_for (&there, there & 1);
  pthread_t thread;
  pthread_create (&thread, NULL, run, NULL);
  while (before < 2)
    usleep (1000);
  usleep (100000);
  exit (0);
}
