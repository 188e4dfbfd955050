/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the fuzzed readers.  Each reader_*.c is a libFuzzer program: it reads one made-up
   file for each run. */
#ifndef BBPROF_FUZZ_READER_H
#define BBPROF_FUZZ_READER_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

/* The bytes as the file NAME, always the same one, of the working folder, which is the fuzzer's
   own.  It is a link to memory: a disk would be what most of the time is spent on. */
void reader_put (const char *name, const uint8_t *data, size_t size);

/* Likewise a file of chunks, whose checksums are put right first: without, hardly anything would
   come behind them. */
void reader_put_chunks (const char *name, const uint8_t *data, size_t size);

/* An error that a reader has given: one line that says something. */
struct error;
void reader_check_error (const struct error *);

#endif
