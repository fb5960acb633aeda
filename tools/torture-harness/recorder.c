// A library for LD_PRELOAD that writes down what a process does to the files under one folder, or
// makes one of those calls fail. tools/torture builds and uses it.
//
// Environment:
//   TORTURE_ROOT         the folder, an absolute path; nothing else is looked at
//   TORTURE_ACKS         a file descriptor: what is written to it is an acknowledgement
//   TORTURE_TRACE        the file to which the trace is written; absent: no trace
//   TORTURE_DROP_FLUSH   set: fsync and fdatasync do nothing and say that they did
//   TORTURE_FAULT        KIND:N:ACTION, the N-th call of a kind does not do what it should
//                        KIND    write, flush, open, truncate, map, name, any
//                        ACTION  an error number; "short": half is written; "kill": SIGKILL comes
//                                before the call, within it where it writes several pages;
//                                a "+" after it: the later calls of that kind fail too
//   TORTURE_REPORT       the file for one line at the fault and, at the end, the numbers of calls
//
// A trace is a row of events: a header (struct event, little-endian) and its bytes. Events:
//   C  a file was made (bytes: path)          K  a folder was made (bytes: path)
//   W  bytes were written to a file at an offset; flag 1: through an O_DSYNC descriptor
//   w  that O_DSYNC write returned            T  a file was cut to a length
//   F  a flush of a file began                f  it returned (argument: its error, 0 if it did it)
//   S  a flush of a folder began (path)       s  it returned
//   R  a rename (bytes: old, zero, new)       U  a file or an empty folder was removed (path)
//   A  an acknowledgement (bytes: the line)
// "argument" of w, f, s is preceded by the number of the event that began; see `origin`.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

struct event {
  uint8_t kind;
  uint8_t flags;
  uint16_t unused;
  uint32_t file;      // the number of the file, 0 if it is none
  uint64_t origin;    // of an end: the number of the event that was its beginning, from 0
  int64_t argument;   // offset, length or error number
  uint64_t byte_count;
};
_Static_assert(sizeof(struct event) == 32, "the header is as the reader has it");

enum { FD_COUNT = 4096, FILE_COUNT = 4096 };
enum call { WRITE, FLUSH, OPEN, TRUNCATE, MAP, NAME, CALL_COUNT };
static const char *const call_names[] = {"write", "flush", "open", "truncate", "map", "name"};
enum { NO_ACTION = 0, ACTION_SHORT = -1, ACTION_KILL = -2 };

static struct {
  uint32_t file;  // 0: not under the root
  int is_folder;
  int is_dsync;
} descriptors[FD_COUNT];
static struct {
  dev_t device;
  ino_t inode;
  int is_lock;
} files[FILE_COUNT];  // by number; 0 is none
static uint32_t file_count;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char root[PATH_MAX];
static size_t root_length;
static int ack_descriptor = -1, trace_descriptor = -1;
static int drops_flushes;
static char report[PATH_MAX];
static uint64_t event_count;
static uint64_t counts[CALL_COUNT], all_count;
static int fault_call = CALL_COUNT + 1;  // CALL_COUNT is "any"
static uint64_t fault_number;
static int fault_action, fault_is_sticky;

// --- The library's own calls: none of them is seen by itself -----------------------------------

static int raw_open(const char *path, int flags, mode_t mode) {
  return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

static void raw_write_all(int fd, const void *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = syscall(SYS_write, fd, bytes, count);
    if (written < 0) abort();
    bytes = (const char *)bytes + written;
    count -= (size_t)written;
  }
}

static void give_up(const char *reason) {
  static const char prefix[] = "recorder: ";
  raw_write_all(STDERR_FILENO, prefix, sizeof prefix - 1);
  raw_write_all(STDERR_FILENO, reason, strlen(reason));
  raw_write_all(STDERR_FILENO, "\n", 1);
  abort();
}

static void tell(const char *line) {
  if (report[0] == 0) return;
  int fd = raw_open(report, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (fd < 0) give_up("the report cannot be opened");
  raw_write_all(fd, line, strlen(line));
  syscall(SYS_close, fd);
}

static void read_fault(const char *text) {
  char kind[16] = "", action[16] = "";
  unsigned long number = 0;
  if (sscanf(text, "%15[a-z]:%lu:%15s", kind, &number, action) != 3 || number == 0)
    give_up("TORTURE_FAULT is not KIND:N:ACTION");
  for (int call = 0; call < CALL_COUNT; call++)
    if (strcmp(kind, call_names[call]) == 0) fault_call = call;
  if (strcmp(kind, "any") == 0) fault_call = CALL_COUNT;
  if (fault_call > CALL_COUNT) give_up("TORTURE_FAULT names no kind of call");
  fault_number = number;
  char *plus = strchr(action, '+');
  fault_is_sticky = plus != NULL;
  if (plus != NULL) *plus = 0;
  fault_action = strcmp(action, "short") == 0  ? ACTION_SHORT
                 : strcmp(action, "kill") == 0 ? ACTION_KILL
                                               : atoi(action);
  if (fault_action == NO_ACTION) give_up("TORTURE_FAULT names no action");
}

__attribute__((constructor)) static void start(void) {
  const char *text = getenv("TORTURE_ROOT");
  if (text == NULL || text[0] != '/' || strlen(text) >= sizeof root) return;
  strcpy(root, text);
  root_length = strlen(root);
  if ((text = getenv("TORTURE_ACKS")) != NULL) ack_descriptor = atoi(text);
  if ((text = getenv("TORTURE_REPORT")) != NULL && strlen(text) < sizeof report)
    strcpy(report, text);
  drops_flushes = getenv("TORTURE_DROP_FLUSH") != NULL;
  if ((text = getenv("TORTURE_FAULT")) != NULL) read_fault(text);
  if ((text = getenv("TORTURE_TRACE")) != NULL) {
    trace_descriptor = raw_open(text, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (trace_descriptor < 0) give_up("the trace cannot be opened");
  }
}

__attribute__((destructor)) static void end(void) {
  char line[200];
  int length = snprintf(line, sizeof line, "calls any=%llu", (unsigned long long)all_count);
  for (int call = 0; call < CALL_COUNT; call++)
    length += snprintf(
        line + length, sizeof line - (size_t)length, " %s=%llu", call_names[call],
        (unsigned long long)counts[call]);
  snprintf(line + length, sizeof line - (size_t)length, "\n");
  tell(line);
}

// --- What is written down ----------------------------------------------------------------------

// The lock is held.
static uint64_t note(
    uint8_t kind, uint8_t flags, uint32_t file, uint64_t origin, int64_t argument,
    const void *bytes, size_t byte_count) {
  if (trace_descriptor >= 0) {
    struct event event = {
        .kind = kind, .flags = flags, .file = file, .origin = origin, .argument = argument,
        .byte_count = byte_count};
    raw_write_all(trace_descriptor, &event, sizeof event);
    raw_write_all(trace_descriptor, bytes, byte_count);
  }
  return event_count++;
}

static void note_path(uint8_t kind, const char *path) {
  note(kind, 0, 0, 0, 0, path, strlen(path));
}

static int is_under_root(const char *path) {
  return root_length > 0 && path != NULL && strncmp(path, root, root_length) == 0 &&
         (path[root_length] == '/' || path[root_length] == 0);
}

static int is_tracked(int fd) { return fd >= 0 && fd < FD_COUNT && descriptors[fd].file != 0; }

// The number of a file; a new one if it was made just now or was never seen. The lock is held.
static uint32_t number_of(const struct stat *status, const char *path, int is_new) {
  if (!is_new)
    for (uint32_t file = file_count; file > 0; file--)
      if (files[file].inode == status->st_ino && files[file].device == status->st_dev) return file;
  if (file_count + 1 >= FILE_COUNT) give_up("too many files");
  file_count++;
  files[file_count].inode = status->st_ino;
  files[file_count].device = status->st_dev;
  size_t length = strlen(path);
  files[file_count].is_lock = length >= 9 && strcmp(path + length - 9, "/lock.mdb") == 0;
  return file_count;
}

// --- What fails --------------------------------------------------------------------------------

// Counts a call; returns what is to happen instead of it. The lock is held.
static int fate(enum call call, const char *name) {
  if (root_length == 0) return NO_ACTION;
  counts[call]++;
  all_count++;
  if (fault_call != (int)call && fault_call != CALL_COUNT) return NO_ACTION;
  uint64_t number = fault_call == CALL_COUNT ? all_count : counts[call];
  if (number != fault_number && !(fault_is_sticky && number > fault_number)) return NO_ACTION;
  if (fault_action == ACTION_SHORT && call != WRITE) return NO_ACTION;
  if (number == fault_number) {
    char line[200];
    snprintf(line, sizeof line, "fired %s %llu %s\n", call_names[call],
             (unsigned long long)number, name);
    tell(line);
  }
  if (fault_action == ACTION_KILL && call != WRITE) kill(getpid(), SIGKILL);
  return fault_action;
}

static int fail(int action) {
  pthread_mutex_unlock(&lock);
  errno = action;
  return -1;
}

// --- Files are opened and closed ---------------------------------------------------------------

static int open_seen(int folder, const char *path, int flags, mode_t mode) {
  if (!is_under_root(path)) return (int)syscall(SYS_openat, folder, path, flags, mode);
  pthread_mutex_lock(&lock);
  int action = fate(OPEN, path);
  if (action > 0) return fail(action);
  struct stat status;
  int is_new = (flags & O_CREAT) != 0 && stat(path, &status) != 0;
  int fd = (int)syscall(SYS_openat, folder, path, flags, mode);
  if (fd >= 0 && fd < FD_COUNT && fstat(fd, &status) == 0) {
    uint32_t file = number_of(&status, path, is_new);
    descriptors[fd].file = file;
    descriptors[fd].is_folder = S_ISDIR(status.st_mode);
    descriptors[fd].is_dsync = (flags & O_DSYNC) != 0;
    if (is_new) note('C', 0, file, 0, 0, path, strlen(path));
    if ((flags & O_TRUNC) != 0 && !is_new) note('T', 0, file, 0, 0, NULL, 0);
  }
  int code = errno;
  pthread_mutex_unlock(&lock);
  errno = code;
  return fd;
}

static mode_t mode_of(int flags, va_list arguments) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
}

#define OPEN_BODY(folder)                                        \
  va_list arguments;                                             \
  va_start(arguments, flags);                                    \
  mode_t mode = mode_of(flags, arguments);                       \
  va_end(arguments);                                             \
  return open_seen(folder, path, flags, mode)

int open(const char *path, int flags, ...) { OPEN_BODY(AT_FDCWD); }
int open64(const char *path, int flags, ...) { OPEN_BODY(AT_FDCWD); }
int openat(int folder, const char *path, int flags, ...) { OPEN_BODY(folder); }
int openat64(int folder, const char *path, int flags, ...) { OPEN_BODY(folder); }
int __open_2(const char *path, int flags) { return open_seen(AT_FDCWD, path, flags, 0); }
int __open64_2(const char *path, int flags) { return open_seen(AT_FDCWD, path, flags, 0); }

int close(int fd) {
  pthread_mutex_lock(&lock);
  if (is_tracked(fd)) descriptors[fd].file = 0;
  int result = (int)syscall(SYS_close, fd);
  int code = errno;
  pthread_mutex_unlock(&lock);
  errno = code;
  return result;
}

// --- Writes ------------------------------------------------------------------------------------

static size_t gather(const struct iovec *parts, int count, char **bytes) {
  size_t total = 0, place = 0;
  for (int index = 0; index < count; index++) total += parts[index].iov_len;
  *bytes = malloc(total > 0 ? total : 1);
  if (*bytes == NULL) give_up("no memory");
  for (int index = 0; index < count; index++) {
    memcpy(*bytes + place, parts[index].iov_base, parts[index].iov_len);
    place += parts[index].iov_len;
  }
  return total;
}

// A killed process may leave the first pages of a long write.
static void kill_in_write(int fd, const char *bytes, size_t count, off_t offset) {
  size_t page_count = count / 4096;
  if (page_count > 1)
    (void)!syscall(SYS_pwrite64, fd, bytes, (all_count * 7 % page_count) * 4096, offset);
  kill(getpid(), SIGKILL);
}

// Writes at an offset, or at the descriptor's place if that is negative.
static ssize_t write_seen(int fd, const struct iovec *parts, int part_count, off_t offset) {
  char *bytes;
  size_t count = gather(parts, part_count, &bytes);
  pthread_mutex_lock(&lock);
  if (fd == ack_descriptor) note('A', 0, 0, 0, 0, bytes, count);
  off_t place = offset;
  int action = NO_ACTION;
  if (is_tracked(fd)) {
    if (place < 0) {
      int flags = fcntl(fd, F_GETFL);
      place = (off_t)syscall(SYS_lseek, fd, 0, (flags & O_APPEND) != 0 ? SEEK_END : SEEK_CUR);
    }
    action = fate(WRITE, "a write");
  }
  ssize_t result;
  if (action > 0) {
    errno = action;
    result = -1;
  } else {
    if (action == ACTION_KILL) kill_in_write(fd, bytes, count, place);
    if (action == ACTION_SHORT) count /= 2;
    result = offset < 0 ? syscall(SYS_write, fd, bytes, count)
                        : syscall(SYS_pwrite64, fd, bytes, count, offset);
  }
  int code = errno;
  if (result > 0 && is_tracked(fd)) {
    int is_dsync = descriptors[fd].is_dsync;
    uint32_t file = descriptors[fd].file;
    uint64_t origin = note('W', (uint8_t)is_dsync, file, 0, place, bytes, (size_t)result);
    if (is_dsync) note('w', 0, file, origin, 0, NULL, 0);
  }
  pthread_mutex_unlock(&lock);
  free(bytes);
  errno = code;
  return result;
}

static ssize_t write_one(int fd, const void *bytes, size_t count, off_t offset) {
  if (!is_tracked(fd) && (fd != ack_descriptor || fd < 0))
    return offset < 0 ? syscall(SYS_write, fd, bytes, count)
                      : syscall(SYS_pwrite64, fd, bytes, count, offset);
  struct iovec part = {.iov_base = (void *)(uintptr_t)bytes, .iov_len = count};
  return write_seen(fd, &part, 1, offset);
}

ssize_t write(int fd, const void *bytes, size_t count) { return write_one(fd, bytes, count, -1); }
ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) {
  return write_one(fd, bytes, count, offset);
}
ssize_t pwrite64(int fd, const void *bytes, size_t count, off_t offset) {
  return write_one(fd, bytes, count, offset);
}
ssize_t writev(int fd, const struct iovec *parts, int count) {
  if (!is_tracked(fd)) return syscall(SYS_writev, fd, parts, count);
  return write_seen(fd, parts, count, -1);
}
ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t offset) {
  if (!is_tracked(fd)) return syscall(SYS_pwritev, fd, parts, count, offset, 0L);
  return write_seen(fd, parts, count, offset);
}
ssize_t pwritev64(int fd, const struct iovec *parts, int count, off_t offset) {
  return pwritev(fd, parts, count, offset);
}

// --- Flushes, lengths, maps --------------------------------------------------------------------

static int flush_seen(int fd, long number) {
  if (!is_tracked(fd)) return (int)syscall(number, fd);
  char link[64], path[PATH_MAX];
  pthread_mutex_lock(&lock);
  int action = fate(FLUSH, "a flush");
  int is_folder = descriptors[fd].is_folder;
  uint32_t file = descriptors[fd].file;
  ssize_t length = 0;
  if (is_folder) {
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    length = readlink(link, path, sizeof path);
    if (length < 0) give_up("a folder has no path");
  }
  if (drops_flushes) {
    pthread_mutex_unlock(&lock);
    return 0;
  }
  uint64_t origin = note(is_folder ? 'S' : 'F', 0, file, 0, 0, path, (size_t)length);
  pthread_mutex_unlock(&lock);
  int result = 0, code = action;
  if (action <= 0) {
    result = (int)syscall(number, fd);
    code = result == 0 ? 0 : errno;
  }
  pthread_mutex_lock(&lock);
  note(is_folder ? 's' : 'f', 0, file, origin, code, path, (size_t)length);
  pthread_mutex_unlock(&lock);
  if (code == 0) return 0;
  errno = code;
  return -1;
}

int fsync(int fd) { return flush_seen(fd, SYS_fsync); }
int fdatasync(int fd) { return flush_seen(fd, SYS_fdatasync); }

int ftruncate(int fd, off_t length) {
  pthread_mutex_lock(&lock);
  if (is_tracked(fd)) {
    int action = fate(TRUNCATE, "a file's length");
    if (action > 0) return fail(action);
  }
  int result = (int)syscall(SYS_ftruncate, fd, length);
  int code = errno;
  if (result == 0 && is_tracked(fd)) note('T', 0, descriptors[fd].file, 0, length, NULL, 0);
  pthread_mutex_unlock(&lock);
  errno = code;
  return result;
}
int ftruncate64(int fd, off_t length) { return ftruncate(fd, length); }

void *mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset) {
  pthread_mutex_lock(&lock);
  if (is_tracked(fd) && (flags & MAP_ANONYMOUS) == 0) {
    int action = fate(MAP, "a map");
    if (action > 0) {
      fail(action);
      return MAP_FAILED;
    }
    if ((protection & PROT_WRITE) != 0 && (flags & MAP_SHARED) != 0 &&
        !files[descriptors[fd].file].is_lock)
      give_up("a file is written through a map: the trace would not show it");
  }
  pthread_mutex_unlock(&lock);
  return (void *)syscall(SYS_mmap, address, length, protection, flags, fd, offset);
}
void *mmap64(void *address, size_t length, int protection, int flags, int fd, off_t offset) {
  return mmap(address, length, protection, flags, fd, offset);
}

// --- Names -------------------------------------------------------------------------------------

int renameat2(int old_folder, const char *old, int new_folder, const char *new, unsigned flags) {
  int is_seen = is_under_root(old) || is_under_root(new);
  pthread_mutex_lock(&lock);
  if (is_seen) {
    int action = fate(NAME, new);
    if (action > 0) return fail(action);
  }
  int result = (int)syscall(SYS_renameat2, old_folder, old, new_folder, new, flags);
  int code = errno;
  if (result == 0 && is_seen) {
    char both[2 * PATH_MAX];
    int length = snprintf(both, sizeof both, "%s%c%s", old, 0, new);
    note('R', 0, 0, 0, 0, both, (size_t)length);
  }
  pthread_mutex_unlock(&lock);
  errno = code;
  return result;
}
int renameat(int old_folder, const char *old, int new_folder, const char *new) {
  return renameat2(old_folder, old, new_folder, new, 0);
}
int rename(const char *old, const char *new) {
  return renameat2(AT_FDCWD, old, AT_FDCWD, new, 0);
}

int unlinkat(int folder, const char *path, int flags) {
  int is_seen = is_under_root(path);
  pthread_mutex_lock(&lock);
  if (is_seen) {
    int action = fate(NAME, path);
    if (action > 0) return fail(action);
  }
  int result = (int)syscall(SYS_unlinkat, folder, path, flags);
  int code = errno;
  if (result == 0 && is_seen) note_path('U', path);
  pthread_mutex_unlock(&lock);
  errno = code;
  return result;
}
int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }

int mkdirat(int folder, const char *path, mode_t mode) {
  int is_seen = is_under_root(path);
  pthread_mutex_lock(&lock);
  if (is_seen) {
    int action = fate(NAME, path);
    if (action > 0) return fail(action);
  }
  int result = (int)syscall(SYS_mkdirat, folder, path, mode);
  int code = errno;
  if (result == 0 && is_seen) note_path('K', path);
  pthread_mutex_unlock(&lock);
  errno = code;
  return result;
}
int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }

// --- Calls that would change a file unseen -----------------------------------------------------

#define REFUSE(fd, name) \
  if (is_tracked(fd)) give_up(name " on a watched file: the trace would not show it")

int fallocate(int fd, int mode, off_t offset, off_t length) {
  REFUSE(fd, "fallocate");
  return (int)syscall(SYS_fallocate, fd, mode, offset, length);
}
ssize_t copy_file_range(
    int from, off_t *from_offset, int to, off_t *to_offset, size_t count, unsigned flags) {
  REFUSE(to, "copy_file_range");
  return syscall(SYS_copy_file_range, from, from_offset, to, to_offset, count, flags);
}
ssize_t sendfile(int to, int from, off_t *offset, size_t count) {
  REFUSE(to, "sendfile");
  return syscall(SYS_sendfile, to, from, offset, count);
}
