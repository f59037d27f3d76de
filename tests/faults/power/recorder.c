// Records what a program changes below one folder, which syncs it requests, and what it sends to others, all in one
// order. Preload it with POWER_FOLDER (an absolute path) and POWER_RECORD (the file to append to). `recording.rs` reads
// the recording.
//
// A change is made and recorded under one lock. A sync is recorded when it begins and when it has ended, because
// changes between the two may not be on disk. Data is recorded before it is sent. If the file POWER_RECORD.kill exists,
// the program kills itself between two records, so that the recording contains exactly what was done.
#define _GNU_SOURCE
#include <dirent.h>
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
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { SENT_AT_MOST = 1024 };

struct head {
    uint32_t kind, path, other, data;
    uint64_t inode, number;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char folder[PATH_MAX], kill_file[PATH_MAX];
static int record = -1;

__attribute__((constructor)) static void begin(void) {
    const char *below = getenv("POWER_FOLDER"), *to = getenv("POWER_RECORD");
    if (!below || !to) return;
    snprintf(folder, sizeof folder, "%s", below);
    snprintf(kill_file, sizeof kill_file, "%s.kill", to);
    record = syscall(SYS_openat, AT_FDCWD, to, O_WRONLY | O_APPEND | O_CLOEXEC);
}

static int is_watched(const char *path) {
    size_t length = strlen(folder);
    return record >= 0 && strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == 0);
}

static void note(char kind, uint64_t inode, uint64_t number, const char *path, const char *other, const void *data,
                 size_t length) {
    if (syscall(SYS_faccessat, AT_FDCWD, kill_file, F_OK) == 0) syscall(SYS_kill, getpid(), SIGKILL);
    struct head head = {kind, strlen(path), strlen(other), length, inode, number};
    struct iovec parts[] = {{&head, sizeof head}, {(void *)path, head.path}, {(void *)other, head.other}, {(void *)data, length}};
    size_t all = sizeof head + head.path + head.other + length;
    if (syscall(SYS_writev, record, parts, 4) != (ssize_t)all) abort();
}

// Reads the path of an open file. Returns true if changes of the file are recorded.
static int path_of(int fd, char *path) {
    char link[64];
    if (record < 0) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, link, path, PATH_MAX - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return is_watched(path);
}

static int watched_file(int fd, struct stat *about) {
    char path[PATH_MAX];
    return record >= 0 && fstat(fd, about) == 0 && S_ISREG(about->st_mode) && path_of(fd, path);
}

static const char *absolute(int at, const char *path, char *room) {
    if (path[0] == '/' || at != AT_FDCWD) return path;
    char here[PATH_MAX];
    if (syscall(SYS_getcwd, here, sizeof here) < 0) return path;
    snprintf(room, PATH_MAX, "%.2000s/%.2000s", here, path);
    return room;
}

static int opened(int at, const char *given, int flags, mode_t mode) {
    char room[PATH_MAX];
    const char *path = absolute(at, given, room);
    if (!(flags & (O_CREAT | O_TRUNC)) || !is_watched(path)) return syscall(SYS_openat, at, given, flags, mode);
    pthread_mutex_lock(&lock);
    int there = syscall(SYS_faccessat, AT_FDCWD, path, F_OK) == 0;
    int fd = syscall(SYS_openat, at, given, flags, mode), error = errno;
    struct stat about;
    if (fd >= 0 && fstat(fd, &about) == 0 && S_ISREG(about.st_mode)) {
        if (!there) note('C', about.st_ino, 0, path, "", "", 0);
        else if (flags & O_TRUNC) note('T', about.st_ino, 0, "", "", "", 0);
    }
    pthread_mutex_unlock(&lock);
    errno = error;
    return fd;
}

#define OPEN(name)                                          \
    int name(const char *path, int flags, ...) {            \
        va_list more;                                       \
        va_start(more, flags);                              \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0; \
        va_end(more);                                       \
        return opened(AT_FDCWD, path, flags, mode);         \
    }
#define OPEN_AT(name)                                       \
    int name(int at, const char *path, int flags, ...) {    \
        va_list more;                                       \
        va_start(more, flags);                              \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0; \
        va_end(more);                                       \
        return opened(at, path, flags, mode);               \
    }
OPEN(open)
OPEN(open64)
OPEN_AT(openat)
OPEN_AT(openat64)

// Records the first bytes of the data that is sent through a socket.
static void note_sent(int fd, const void *data, size_t length) {
    struct stat about;
    if (record < 0 || fstat(fd, &about) != 0 || !S_ISSOCK(about.st_mode)) return;
    pthread_mutex_lock(&lock);
    note('A', 0, 0, "", "", data, length < SENT_AT_MOST ? length : SENT_AT_MOST);
    pthread_mutex_unlock(&lock);
}

static ssize_t written(int fd, const void *data, size_t length, off_t at) {
    struct stat about;
    if (!watched_file(fd, &about)) {
        note_sent(fd, data, length);
        return at < 0 ? syscall(SYS_write, fd, data, length) : syscall(SYS_pwrite64, fd, data, length, at);
    }
    pthread_mutex_lock(&lock);
    ssize_t done;
    off_t from = at;
    if (at < 0) {
        done = syscall(SYS_write, fd, data, length);
        from = syscall(SYS_lseek, fd, 0, SEEK_CUR) - done;
    } else {
        done = syscall(SYS_pwrite64, fd, data, length, at);
    }
    int error = errno;
    if (done > 0) note('W', about.st_ino, from, "", "", data, done);
    pthread_mutex_unlock(&lock);
    errno = error;
    return done;
}

ssize_t write(int fd, const void *data, size_t length) { return written(fd, data, length, -1); }
ssize_t pwrite(int fd, const void *data, size_t length, off_t at) { return written(fd, data, length, at); }
ssize_t pwrite64(int fd, const void *data, size_t length, off_t at) { return written(fd, data, length, at); }

ssize_t writev(int fd, const struct iovec *parts, int count) {
    struct stat about;
    if (watched_file(fd, &about)) return count > 0 ? written(fd, parts[0].iov_base, parts[0].iov_len, -1) : 0;
    char head[SENT_AT_MOST];
    size_t length = 0;
    for (int n = 0; n < count && length < sizeof head; n++) {
        size_t room = sizeof head - length, part = parts[n].iov_len < room ? parts[n].iov_len : room;
        memcpy(head + length, parts[n].iov_base, part);
        length += part;
    }
    note_sent(fd, head, length);
    return syscall(SYS_writev, fd, parts, count);
}

ssize_t send(int fd, const void *data, size_t length, int flags) {
    note_sent(fd, data, length);
    return syscall(SYS_sendto, fd, data, length, flags, NULL, 0);
}

// Refuses these calls, so that the program reads and writes instead.
ssize_t copy_file_range(int from, off_t *at, int to, off_t *there, size_t length, unsigned flags) {
    (void)from, (void)at, (void)to, (void)there, (void)length, (void)flags;
    errno = ENOSYS;
    return -1;
}
ssize_t sendfile(int to, int from, off_t *at, size_t length) {
    (void)to, (void)from, (void)at, (void)length;
    errno = ENOSYS;
    return -1;
}
ssize_t sendfile64(int to, int from, off_t *at, size_t length) { return sendfile(to, from, at, length); }

static int truncated(int fd, off_t size) {
    struct stat about;
    if (!watched_file(fd, &about)) return syscall(SYS_ftruncate, fd, size);
    pthread_mutex_lock(&lock);
    int done = syscall(SYS_ftruncate, fd, size), error = errno;
    if (done == 0) note('T', about.st_ino, size, "", "", "", 0);
    pthread_mutex_unlock(&lock);
    errno = error;
    return done;
}
int ftruncate(int fd, off_t size) { return truncated(fd, size); }
int ftruncate64(int fd, off_t size) { return truncated(fd, size); }

static int synced(int fd, long call) {
    char path[PATH_MAX];
    struct stat about;
    if (!path_of(fd, path) || fstat(fd, &about) != 0) return syscall(call, fd);
    uint64_t thread = (uint64_t)getpid() << 32 | (uint32_t)syscall(SYS_gettid);
    pthread_mutex_lock(&lock);
    note('S', about.st_ino, thread, S_ISDIR(about.st_mode) ? path : "", "", "", 0);
    pthread_mutex_unlock(&lock);
    int done = syscall(call, fd), error = errno;
    if (done == 0) {
        pthread_mutex_lock(&lock);
        note('E', about.st_ino, thread, "", "", "", 0);
        pthread_mutex_unlock(&lock);
    }
    errno = error;
    return done;
}
int fsync(int fd) { return synced(fd, SYS_fsync); }
int fdatasync(int fd) { return synced(fd, SYS_fdatasync); }

// Makes a system call that changes names, and records the call if one of its paths is below the folder.
#define NAMED(kind, first, second, call)                                                          \
    do {                                                                                          \
        char room[PATH_MAX], other_room[PATH_MAX];                                                \
        const char *path = absolute(AT_FDCWD, first, room);                                       \
        const char *other = second[0] ? absolute(AT_FDCWD, second, other_room) : "";              \
        if (!is_watched(path) && !is_watched(other)) return call;                                 \
        pthread_mutex_lock(&lock);                                                                \
        int done = call, error = errno;                                                           \
        if (done == 0) note(kind, 0, 0, path, other, "", 0);                                      \
        pthread_mutex_unlock(&lock);                                                              \
        errno = error;                                                                            \
        return done;                                                                              \
    } while (0)

int rename(const char *from, const char *to) {
    NAMED('R', from, to, syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}
int linkat(int at, const char *from, int there, const char *to, int flags) {
    NAMED('L', from, to, syscall(SYS_linkat, at, from, there, to, flags));
}
int link(const char *from, const char *to) { return linkat(AT_FDCWD, from, AT_FDCWD, to, 0); }
int unlinkat(int at, const char *path_given, int flags) {
    NAMED('U', path_given, "", syscall(SYS_unlinkat, at, path_given, flags));
}
int unlink(const char *path_given) { return unlinkat(AT_FDCWD, path_given, 0); }
int mkdir(const char *path_given, mode_t mode) {
    NAMED('D', path_given, "", syscall(SYS_mkdirat, AT_FDCWD, path_given, mode));
}
