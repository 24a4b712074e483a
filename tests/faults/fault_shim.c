/* Makes one call of a running program fail, to be put before the C library (LD_PRELOAD):
 *
 *   FAULT=write:3 FAULT_FOLDER=/tmp/x FAULT_LOG=/tmp/log   the third write to a file below that folder
 *
 * Calls: create, write, fsync, rename, close, read (of files below the folder) and malloc (all of the program). With :0 none
 * fails. At the end the log holds how many such calls there were, and whether one failed: "12 failed". */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum Call { kNone, kCreate, kWrite, kFsync, kRename, kClose, kRead, kMalloc };
static const char* const kNames[] = {"", "create", "write", "fsync", "rename", "close", "read", "malloc"};

static enum Call watched = kNone;
static long wanted;
static atomic_long calls;
static atomic_int failed;
static atomic_int started; /* what fails before main nobody can answer for */
static char folder[PATH_MAX];
static char log_path[PATH_MAX];

__attribute__((constructor)) static void begin(void) {
  const char* fault = getenv("FAULT");
  const char* below = getenv("FAULT_FOLDER");
  const char* log = getenv("FAULT_LOG");
  if (!fault || !below || !log) return;
  snprintf(folder, sizeof folder, "%s", below);
  snprintf(log_path, sizeof log_path, "%s", log);
  const char* colon = strchr(fault, ':');
  if (!colon) return;
  wanted = atol(colon + 1);
  for (int call = kCreate; call <= kMalloc; ++call) {
    if (strncmp(fault, kNames[call], (size_t)(colon - fault)) == 0) watched = (enum Call)call;
  }
}

/* Straight to the kernel: the functions below would count it. */
static void tell(void) {
  char text[64];
  const int size = snprintf(text, sizeof text, "%ld%s\n", atomic_load(&calls), atomic_load(&failed) ? " failed" : "");
  const long file = syscall(SYS_openat, AT_FDCWD, log_path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0) return;
  syscall(SYS_write, file, text, size);
  syscall(SYS_close, file);
}

__attribute__((destructor)) static void end(void) {
  if (watched != kNone && !atomic_load(&failed)) tell();
}

static int fails(enum Call call, int reason) {
  if (call != watched || !atomic_load(&started) || atomic_fetch_add(&calls, 1) + 1 != wanted) return 0;
  atomic_store(&failed, 1);
  tell();
  errno = reason;
  return 1;
}

static int is_below(const char* path) {
  char whole[PATH_MAX];
  if (path[0] != '/') {
    if (!getcwd(whole, sizeof whole)) return 0;
    path = whole;
  }
  return strncmp(path, folder, strlen(folder)) == 0;
}

/* Of a file below the folder: the only ones the program answers for. */
static int is_watched(int descriptor) {
  const int before = errno;
  char link[64];
  char path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  const ssize_t size = readlink(link, path, sizeof path - 1);
  errno = before;
  if (size < 0) return 0;
  path[size] = 0;
  return is_below(path);
}

static int is_written(int descriptor) {
  const int flags = fcntl(descriptor, F_GETFL);
  return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int mkostemp(char* pattern, int flags) {
  if (watched == kCreate && is_below(pattern) && fails(kCreate, ENOSPC)) return -1;
  return NEXT(mkostemp)(pattern, flags);
}
ssize_t write(int descriptor, const void* bytes, size_t size) {
  if (watched == kWrite && is_watched(descriptor) && fails(kWrite, ENOSPC)) return -1;
  return syscall(SYS_write, descriptor, bytes, size);
}
int fsync(int descriptor) {
  if (watched == kFsync && is_watched(descriptor) && fails(kFsync, EIO)) return -1;
  return (int)syscall(SYS_fsync, descriptor);
}
int rename(const char* from, const char* to) {
  if (watched == kRename && is_below(to) && fails(kRename, EIO)) return -1;
  return (int)syscall(SYS_rename, from, to);
}
int close(int descriptor) {
  if (watched == kClose && is_watched(descriptor) && is_written(descriptor) && fails(kClose, EIO)) {
    syscall(SYS_close, descriptor);
    return -1;
  }
  return (int)syscall(SYS_close, descriptor);
}
ssize_t read(int descriptor, void* bytes, size_t size) {
  if (watched == kRead && is_watched(descriptor) && fails(kRead, EIO)) return -1;
  return syscall(SYS_read, descriptor, bytes, size);
}
ssize_t pread(int descriptor, void* bytes, size_t size, off_t place) {
  if (watched == kRead && is_watched(descriptor) && fails(kRead, EIO)) return -1;
  return syscall(SYS_pread64, descriptor, bytes, size, place);
}
ssize_t pread64(int descriptor, void* bytes, size_t size, off64_t place) {
  return pread(descriptor, bytes, size, place);
}
ssize_t readv(int descriptor, const struct iovec* parts, int count) {
  if (watched == kRead && is_watched(descriptor) && fails(kRead, EIO)) return -1;
  return syscall(SYS_readv, descriptor, parts, count);
}

static int (*true_main)(int, char**, char**);
static int begun_main(int count, char** words, char** environment) {
  atomic_store(&started, 1);
  return true_main(count, words, environment);
}
typedef void (*Ends)(void);
int __libc_start_main(int (*main)(int, char**, char**), int count, char** words, Ends begin, Ends end, Ends linker, void* stack) {
  true_main = main;
  return NEXT(__libc_start_main)(begun_main, count, words, begin, end, linker, stack);
}

extern void* __libc_malloc(size_t size);
extern void* __libc_calloc(size_t count, size_t size);
extern void* __libc_realloc(void* memory, size_t size);
extern void* __libc_memalign(size_t alignment, size_t size);

void* malloc(size_t size) {
  return fails(kMalloc, ENOMEM) ? NULL : __libc_malloc(size);
}
void* calloc(size_t count, size_t size) {
  return fails(kMalloc, ENOMEM) ? NULL : __libc_calloc(count, size);
}
void* realloc(void* memory, size_t size) {
  return fails(kMalloc, ENOMEM) ? NULL : __libc_realloc(memory, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
  return fails(kMalloc, ENOMEM) ? NULL : __libc_memalign(alignment, size);
}
