// What a process can count of itself, and flushes that can be left out.
//
// A program that links this has malloc and its kin, and the calls that flush files, replaced by
// forms that count and then do the same. Only with glibc and without a sanitizer; elsewhere nothing
// is replaced, and process_counters_work() is false.
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// Whether the counts below mean anything in this process.
bool process_counters_work(void);

/// How often memory was allocated so far, by all threads, reallocations among them: by all but LMDB
/// and OpenSSL, as far as these are shared libraries.
uint64_t process_allocation_count(void);

/// How often LMDB and OpenSSL did so.
uint64_t process_library_allocation_count(void);

/// Whether files that are opened from now on, and flushes from now on, wait for the disk.
///
/// For measuring alone what is not the disk: after a power cut such files may be torn.
void process_skip_flushes(bool is_skipping);
