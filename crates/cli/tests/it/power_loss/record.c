/* Records what a program does to the files below a folder, in the order in which it happens, for the replays of
 * power_loss.rs. Preloaded with LD_PRELOAD; RECORD_ROOT names the folder and RECORD_LOG the log.
 *
 * An event is a header and a payload, appended to the log by one system call, so that the events of all threads and
 * processes have one order. A change is recorded after it was made and before the program continues; an answer is
 * recorded before it is sent. A sync has two events: only what was recorded before it began is on the disk after it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { START, OPEN, WRITE, LENGTH, SYNC_BEGIN, SYNC_END, RENAME, UNLINK, FOLDER, ANSWER, END };

struct header { uint32_t kind, length; uint64_t inode, number; };

static int record = -1;
static const char *root;
static size_t root_length;
static dev_t device;

static void note(enum kind kind, uint64_t inode, uint64_t number, const void *payload, size_t length) {
  int before = errno;
  struct header header = { kind, (uint32_t)length, inode, number };
  struct iovec parts[2] = { { &header, sizeof header }, { (void *)payload, length } };
  if (syscall(SYS_writev, record, parts, 2) != (long)(sizeof header + length)) abort();
  errno = before;
}

__attribute__((constructor)) static void begin(void) {
  struct stat there;
  root = getenv("RECORD_ROOT");
  const char *log = getenv("RECORD_LOG");
  if (!root || !log || stat(root, &there)) return;
  root_length = strlen(root);
  device = there.st_dev;
  record = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (record >= 0) note(START, there.st_ino, (uint64_t)getpid(), root, root_length);
}

__attribute__((destructor)) static void end(void) {
  if (record >= 0) note(END, 0, (uint64_t)getpid(), "", 0);
}

static int is_below(const char *path) { return record >= 0 && path && !strncmp(path, root, root_length); }

/* The inode of a file or folder on the root's device; 0 = another file, or a socket. */
static uint64_t inode_of(int fd) {
  int before = errno;
  struct stat found;
  int known = record >= 0 && !fstat(fd, &found) && found.st_dev == device &&
              (S_ISREG(found.st_mode) || S_ISDIR(found.st_mode));
  errno = before;
  return known ? found.st_ino : 0;
}

static int is_folder(int fd) {
  struct stat found;
  return !fstat(fd, &found) && S_ISDIR(found.st_mode);
}

static int opened(const char *path, int flags, int fd) {
  if (fd >= 0 && is_below(path)) {
    uint64_t inode = inode_of(fd);
    if (inode) {
      note(OPEN, inode, (uint64_t)is_folder(fd), path, strlen(path));
      if (flags & O_TRUNC) note(LENGTH, inode, 0, "", 0);
    }
  }
  return fd;
}

#define MODE(flags) mode_t mode = 0; \
  if ((flags) & (O_CREAT | O_TMPFILE)) { va_list rest; va_start(rest, flags); mode = va_arg(rest, mode_t); va_end(rest); }

int open(const char *path, int flags, ...) {
  MODE(flags)
  return opened(path, flags, (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}
int open64(const char *path, int flags, ...) {
  MODE(flags)
  return opened(path, flags, (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}
int openat(int at, const char *path, int flags, ...) {
  MODE(flags)
  return opened(path, flags, (int)syscall(SYS_openat, at, path, flags, mode));
}
int openat64(int at, const char *path, int flags, ...) {
  MODE(flags)
  return opened(path, flags, (int)syscall(SYS_openat, at, path, flags, mode));
}

/* An HTTP answer that leaves the process. */
static void sent(const void *bytes, size_t length) {
  if (record >= 0 && length > 12 && !memcmp(bytes, "HTTP/1.1 ", 9)) note(ANSWER, 0, 0, bytes, 12);
}

static ssize_t written(int fd, const void *bytes, ssize_t length, off_t at) {
  uint64_t inode = length > 0 ? inode_of(fd) : 0;
  if (inode) note(WRITE, inode, (uint64_t)at, bytes, (size_t)length);
  return length;
}

ssize_t write(int fd, const void *bytes, size_t length) {
  uint64_t inode = inode_of(fd);
  if (!inode) sent(bytes, length);
  ssize_t done = syscall(SYS_write, fd, bytes, length);
  return inode && done > 0 ? written(fd, bytes, done, lseek(fd, 0, SEEK_CUR) - done) : done;
}
ssize_t writev(int fd, const struct iovec *parts, int count) {
  uint64_t inode = inode_of(fd);
  if (!inode && count > 0) sent(parts[0].iov_base, parts[0].iov_len);
  ssize_t done = syscall(SYS_writev, fd, parts, count);
  if (inode && done > 0) {
    off_t at = lseek(fd, 0, SEEK_CUR) - done;
    ssize_t left = done;
    for (int part = 0; part < count && left > 0; part++) {
      ssize_t some = left < (ssize_t)parts[part].iov_len ? left : (ssize_t)parts[part].iov_len;
      written(fd, parts[part].iov_base, some, at);
      at += some;
      left -= some;
    }
  }
  return done;
}
ssize_t pwrite(int fd, const void *bytes, size_t length, off_t at) {
  return written(fd, bytes, syscall(SYS_pwrite64, fd, bytes, length, at), at);
}
ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t at) {
  return written(fd, bytes, syscall(SYS_pwrite64, fd, bytes, length, at), at);
}
ssize_t send(int fd, const void *bytes, size_t length, int flags) {
  sent(bytes, length);
  return syscall(SYS_sendto, fd, bytes, length, flags, NULL, 0);
}

static int resized(int fd, off_t length, int result) {
  uint64_t inode = result ? 0 : inode_of(fd);
  if (inode) note(LENGTH, inode, (uint64_t)length, "", 0);
  return result;
}
int ftruncate(int fd, off_t length) { return resized(fd, length, (int)syscall(SYS_ftruncate, fd, length)); }
int ftruncate64(int fd, off64_t length) { return resized(fd, length, (int)syscall(SYS_ftruncate, fd, length)); }

static int synced(int fd, long call) {
  uint64_t inode = inode_of(fd), thread = (uint64_t)syscall(SYS_gettid);
  if (inode) note(SYNC_BEGIN, inode, thread, "", 0);
  int result = (int)syscall(call, fd);
  if (inode && !result) note(SYNC_END, inode, thread, "", 0);
  return result;
}
int fsync(int fd) { return synced(fd, SYS_fsync); }
int fdatasync(int fd) { return synced(fd, SYS_fdatasync); }

static int renamed(int from_at, const char *from, int to_at, const char *to, unsigned flags) {
  int result = (int)syscall(SYS_renameat2, from_at, from, to_at, to, flags);
  if (!result && is_below(from) && is_below(to)) {
    char both[2 * PATH_MAX];
    size_t first = strlen(from) + 1, second = strlen(to);
    memcpy(both, from, first);
    memcpy(both + first, to, second);
    note(RENAME, 0, 0, both, first + second);
  }
  return result;
}
int rename(const char *from, const char *to) { return renamed(AT_FDCWD, from, AT_FDCWD, to, 0); }
int renameat(int from_at, const char *from, int to_at, const char *to) { return renamed(from_at, from, to_at, to, 0); }

static int removed(int at, const char *path, int flags) {
  int result = (int)syscall(SYS_unlinkat, at, path, flags);
  if (!result && is_below(path)) note(UNLINK, 0, 0, path, strlen(path));
  return result;
}
int unlink(const char *path) { return removed(AT_FDCWD, path, 0); }
int unlinkat(int at, const char *path, int flags) { return removed(at, path, flags); }

int mkdir(const char *path, mode_t mode) {
  int result = (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
  if (!result && is_below(path)) note(FOLDER, 0, 0, path, strlen(path));
  return result;
}
