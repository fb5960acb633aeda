#define _GNU_SOURCE
#include "process_counters.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
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
} Slot;
static Slot slots[SLOT_COUNT];
static atomic_uint used_slots;
static __thread Slot *slot;

static void count_allocation(void) {
  if (!slot) {
    unsigned index = atomic_fetch_add_explicit(&used_slots, 1, memory_order_relaxed);
    slot = &slots[index < SLOT_COUNT ? index : SLOT_COUNT - 1];
  }
  if (slot == &slots[SLOT_COUNT - 1]) {
    atomic_fetch_add_explicit(&slot->count, 1, memory_order_relaxed);
  } else {
    uint64_t count = atomic_load_explicit(&slot->count, memory_order_relaxed);
    atomic_store_explicit(&slot->count, count + 1, memory_order_relaxed);
  }
}

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) {
  count_allocation();
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  count_allocation();
  return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
  count_allocation();
  return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
  count_allocation();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **memory, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) || alignment & (alignment - 1) || !alignment) return EINVAL;
  void *found = memalign(alignment, size);
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

uint64_t process_allocation_count(void) {
  uint64_t sum = 0;
  unsigned used = atomic_load_explicit(&used_slots, memory_order_relaxed);
  for (unsigned i = 0; i < used && i < SLOT_COUNT; i++) {
    sum += atomic_load_explicit(&slots[i].count, memory_order_relaxed);
  }
  return sum;
}

void process_skip_flushes(bool is_skipping) { atomic_store(&skips_flushes, is_skipping); }

#else

bool process_counters_work(void) { return false; }
uint64_t process_allocation_count(void) { return 0; }
void process_skip_flushes(bool is_skipping) { (void)is_skipping; }

#endif
