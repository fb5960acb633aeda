#define _GNU_SOURCE
#include "process_counters.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED 1
#endif
#endif

#if defined(__GLIBC__) && !defined(IS_SANITIZED)

// A thread counts in a slot of its own, so that counting costs no traffic between processors; the
// threads beyond the last slot share it. What a thread counted stays when it ends.
enum { SLOT_COUNT = 256 };
typedef struct {
  _Alignas(64) atomic_uint_fast64_t count;
  atomic_uint_fast64_t library_count;
} Slot;
static Slot slots[SLOT_COUNT];
static atomic_uint used_slots;
static __thread Slot *slot;

// Where the code of LMDB and OpenSSL is, found before main; a library that is not loaded by then, or
// is linked into the program, has no range.
enum { LIBRARY_COUNT = 2 };
static const char *const library_names[LIBRARY_COUNT] = {"/liblmdb.", "/libcrypto."};
static struct {
  uintptr_t start, end;
} libraries[LIBRARY_COUNT];

static int note_library(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size, (void)context;
  for (int i = 0; i < LIBRARY_COUNT; i++) {
    if (!info->dlpi_name || !strstr(info->dlpi_name, library_names[i])) continue;
    for (int j = 0; j < info->dlpi_phnum; j++) {
      const ElfW(Phdr) *part = &info->dlpi_phdr[j];
      if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
      libraries[i].start = info->dlpi_addr + part->p_vaddr;
      libraries[i].end = libraries[i].start + part->p_memsz;
    }
  }
  return 0;
}

__attribute__((constructor)) static void find_libraries(void) {
  dl_iterate_phdr(note_library, NULL);
}

static bool is_in_library(const void *caller) {
  uintptr_t place = (uintptr_t)caller;
  for (int i = 0; i < LIBRARY_COUNT; i++) {
    if (place >= libraries[i].start && place < libraries[i].end) return true;
  }
  return false;
}

static void count_allocation(const void *caller) {
  if (!slot) {
    unsigned index = atomic_fetch_add_explicit(&used_slots, 1, memory_order_relaxed);
    slot = &slots[index < SLOT_COUNT ? index : SLOT_COUNT - 1];
  }
  atomic_uint_fast64_t *count = is_in_library(caller) ? &slot->library_count : &slot->count;
  if (slot == &slots[SLOT_COUNT - 1]) {
    atomic_fetch_add_explicit(count, 1, memory_order_relaxed);
  } else {
    uint64_t before = atomic_load_explicit(count, memory_order_relaxed);
    atomic_store_explicit(count, before + 1, memory_order_relaxed);
  }
}

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) {
  count_allocation(__builtin_return_address(0));
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  count_allocation(__builtin_return_address(0));
  return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
  count_allocation(__builtin_return_address(0));
  return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
  count_allocation(__builtin_return_address(0));
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count_allocation(__builtin_return_address(0));
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) || alignment & (alignment - 1) || !alignment) return EINVAL;
  count_allocation(__builtin_return_address(0));
  void *found = __libc_memalign(alignment, size);
  if (!found) return ENOMEM;
  *memory = found;
  return 0;
}

static atomic_bool skips_flushes;

int fdatasync(int file) {
  return atomic_load(&skips_flushes) ? 0 : (int)syscall(SYS_fdatasync, file);
}

int fsync(int file) { return atomic_load(&skips_flushes) ? 0 : (int)syscall(SYS_fsync, file); }

int msync(void *start, size_t size, int flags) {
  return atomic_load(&skips_flushes) ? 0 : (int)syscall(SYS_msync, start, size, flags);
}

// A file opened with O_DSYNC flushes with each write.
int open(const char *path, int flags, ...) {
  unsigned mode = 0;
  if (flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE) {
    va_list rest;
    va_start(rest, flags);
    mode = va_arg(rest, unsigned);
    va_end(rest);
  }
  // O_SYNC has the bit of O_DSYNC in it.
  if (atomic_load(&skips_flushes)) flags &= ~O_SYNC;
  return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

bool process_counters_work(void) { return true; }

static uint64_t sum(bool is_of_libraries) {
  uint64_t sum = 0;
  unsigned used = atomic_load_explicit(&used_slots, memory_order_relaxed);
  for (unsigned i = 0; i < used && i < SLOT_COUNT; i++) {
    sum += atomic_load_explicit(
        is_of_libraries ? &slots[i].library_count : &slots[i].count, memory_order_relaxed);
  }
  return sum;
}

uint64_t process_allocation_count(void) { return sum(false); }
uint64_t process_library_allocation_count(void) { return sum(true); }

void process_skip_flushes(bool is_skipping) { atomic_store(&skips_flushes, is_skipping); }

#else

bool process_counters_work(void) { return false; }
uint64_t process_allocation_count(void) { return 0; }
uint64_t process_library_allocation_count(void) { return 0; }
void process_skip_flushes(bool is_skipping) { (void)is_skipping; }

#endif
