#pragma once

// System calls that Swift's Glibc module lacks, because they are declared only with _GNU_SOURCE, or
// the C library has no function for a single thread. The C library's larger headers are not
// included here, because their types would belong to this module in some builds.

#include <sys/syscall.h>
#include <sys/types.h>

extern long syscall(long number, ...);

/// Reserves space for a range of a file; mode 1 (FALLOC_FL_KEEP_SIZE) keeps the file's size.
extern int fallocate(int descriptor, int mode, off_t offset, off_t length);

/// Syncs a descriptor's whole file system to disk.
extern int syncfs(int descriptor);

/// A write lock on a whole file that belongs to the open file description (F_OFD_SETLK,
/// F_OFD_GETLK), in the kernel's layout for 64-bit machines.
struct file_lock {
  short type, whence;
  long start, length;
  int process;
};

/// Locks the file until it is closed. 0, or -1 and errno (EAGAIN if it is locked already).
static inline long file_lock_exclusively(int descriptor) {
  struct file_lock lock = {.type = 1 /* F_WRLCK */};
  return syscall(SYS_fcntl, (long)descriptor, 37L, (long)&lock);
}

/// Releases the lock, even if a child process just forked has the file open.
static inline long file_unlock(int descriptor) {
  struct file_lock lock = {.type = 2 /* F_UNLCK */};
  return syscall(SYS_fcntl, (long)descriptor, 37L, (long)&lock);
}

/// 1 if another open file description holds the lock, 0 if none does, or -1 and errno. Takes no
/// lock.
static inline long file_lock_is_held(int descriptor) {
  struct file_lock lock = {.type = 1};
  long status = syscall(SYS_fcntl, (long)descriptor, 36L, (long)&lock);
  return status < 0 ? status : lock.type != 2;
}

/// Renames unless the new name exists (renameat2, RENAME_NOREPLACE). 0, or -1 and errno: EEXIST if
/// it exists, EINVAL if the file system does not support this.
static inline long file_rename_exclusively(const char *path, const char *new_path) {
  return syscall(SYS_renameat2, -100L, (long)path, -100L, (long)new_path, 1L);
}

/// Copies bytes between files at the same offset, without moving any data on file systems with
/// shared extents (copy_file_range). The number copied, or -1 and errno.
static inline long file_copy_range(int source, int target, long offset, long count) {
  long from = offset, to = offset;
  return syscall(SYS_copy_file_range, (long)source, (long)&from, (long)target, (long)&to, count, 0L);
}

/// O_DIRECT, whose value depends on the architecture.
#if defined(__arm__) || defined(__aarch64__)
static const int open_direct = 0200000;
#elif defined(__powerpc__)
static const int open_direct = 0400000;
#else
static const int open_direct = 040000;
#endif

/// Names the calling thread for diagnostic tools; the kernel keeps 15 bytes (prctl, PR_SET_NAME).
static inline void thread_set_name(const char *name) {
  syscall(SYS_prctl, 15L, (long)name, 0L, 0L, 0L);
}

/// Writes the calling thread's name, 16 bytes including the terminating zero (prctl, PR_GET_NAME).
static inline void thread_get_name(char *name) {
  syscall(SYS_prctl, 16L, (long)name, 0L, 0L, 0L);
}

/// Sets the calling thread's scheduling policy: 0 (time sharing), 1 (first in, first out) or 2
/// (round robin). Threads that it starts use time sharing (SCHED_RESET_ON_FORK). 0, or -1 and
/// errno.
static inline long thread_set_scheduler(int policy, int priority) {
  struct { int priority; } parameters = {priority};
  return syscall(SYS_sched_setscheduler, 0L, (long)(policy | 0x40000000), &parameters);
}

/// Lowers the priority of a thread and of those it starts later: niceness 10 and the idle I/O class
/// (IOPRIO_CLASS_IDLE). 0, or -1 and errno.
static inline long thread_step_back(int thread) {
  syscall(SYS_ioprio_set, 1L, (long)thread, 3L << 13);
  return syscall(SYS_setpriority, 0L, (long)thread, 10L);
}

/// The calling thread's policy, as above.
static inline long thread_get_scheduler(void) {
  long policy = syscall(SYS_sched_getscheduler, 0L);
  return policy < 0 ? policy : policy & 0xff;
}

/// The calling thread's real-time priority, 0 for time sharing.
static inline int thread_get_priority(void) {
  struct { int priority; } parameters = {0};
  return syscall(SYS_sched_getparam, 0L, &parameters) == 0 ? parameters.priority : 0;
}

/// Sets the calling thread's niceness. 0, or -1 and errno.
static inline long thread_set_niceness(int niceness) {
  return syscall(SYS_setpriority, 0L, 0L, (long)niceness);
}

/// The calling thread's niceness. (The kernel returns 20 minus it, to keep it positive.)
static inline long thread_get_niceness(void) {
  long value = syscall(SYS_getpriority, 0L, 0L);
  return value < 0 ? 0 : 20 - value;
}

/// Restricts the calling thread to the processors whose bits are set. 0, or -1 and errno.
static inline long thread_set_processors(const unsigned long *bits, size_t byteCount) {
  return syscall(SYS_sched_setaffinity, 0L, byteCount, bits);
}

/// Reads the processors on which a thread may run: the calling one for 0, otherwise by its ID.
/// Returns the number of bytes written, or -1.
static inline long thread_get_processors(int thread, unsigned long *bits, size_t byteCount) {
  return syscall(SYS_sched_getaffinity, (long)thread, byteCount, bits);
}

/// This process's soft limit for a resource; 13 is RLIMIT_NICE, 14 RLIMIT_RTPRIO. Unlimited is -1.
static inline long process_limit(int resource) {
  struct { unsigned long long soft, hard; } limit = {0, 0};
  return syscall(SYS_prlimit64, 0L, (long)resource, (void *)0, &limit) == 0 ? (long)limit.soft : 0;
}

struct statfs;
extern int statfs(const char *path, struct statfs *facts);

/// The type of the file system that contains a path (linux/magic.h); -1 if it cannot be determined.
static inline long file_system_type(const char *path) {
  // The type is the first word of the 120 bytes of struct statfs.
  long facts[64] = {-1};
  return statfs(path, (struct statfs *)facts) == 0 ? facts[0] : -1;
}

/// Renames a file unless the new name exists; then -1 and EEXIST (renameat2, RENAME_NOREPLACE).
static inline long rename_where_free(const char *from, const char *to) {
  return syscall(SYS_renameat2, -100L, (long)from, -100L, (long)to, 1L);
}

/// The same for names in open folders.
static inline long rename_where_free_in(
    int fromFolder, const char *from, int toFolder, const char *to) {
  return syscall(SYS_renameat2, (long)fromFolder, (long)from, (long)toFolder, (long)to, 1L);
}

/// Opens a folder by its path relative to an open folder, only to access files in it (O_PATH): the
/// path may neither lead out of that folder nor through a symbolic link (openat2, RESOLVE_BENEATH,
/// RESOLVE_NO_SYMLINKS, RESOLVE_NO_MAGICLINKS). A descriptor, or -1 and errno; ENOSYS before Linux
/// 5.6.
static inline long open_folder_beneath(int folder, const char *path) {
#ifndef SYS_openat2
#define SYS_openat2 437
#endif
#if defined(__arm__) || defined(__aarch64__) || defined(__powerpc__)
  const unsigned long long directory = 040000;
#else
  const unsigned long long directory = 0200000;
#endif
  struct { unsigned long long flags, mode, resolve; } how = {
      010000000 /* O_PATH */ | directory | 02000000 /* O_CLOEXEC */, 0, 0x08 | 0x04 | 0x02};
  return syscall(SYS_openat2, (long)folder, (long)path, &how, sizeof how);
}

/// An anonymous file in memory, closed on exec: a descriptor, or -1 and errno (memfd_create).
static inline long memory_file(void) { return syscall(SYS_memfd_create, (long)"", 1L); }

/// Syncs a whole file system to disk.
static inline long synchronize_file_system(int descriptor) {
  return syscall(SYS_syncfs, (long)descriptor);
}

/// The kernel's state of the system clock: the beginning of struct timex on 64-bit machines. The
/// `rest` is unused here.
struct kernel_clock {
  unsigned int modes;
  /// Microseconds, or nanoseconds with STA_NANO.
  long offset;
  long frequency;
  /// Microseconds.
  long maximum_error, estimated_error;
  int status;
  long rest[32];
};

/// Reads the state without changing it (adjtimex with mode 0). -1 if the process is not permitted
/// to.
static inline long kernel_clock_read(struct kernel_clock *clock) {
  clock->modes = 0;
  return syscall(SYS_adjtimex, (long)clock);
}

/// A pipe that child programs do not inherit (pipe2, O_CLOEXEC): read end, write end. 0, or -1 and
/// errno.
static inline long pipe_for_self(int *ends) { return syscall(SYS_pipe2, (long)ends, 02000000L); }

/// A pipe as above that does not block (pipe2, O_CLOEXEC | O_NONBLOCK). 0, or -1 and errno.
static inline long pipe_for_self_nonblocking(int *ends) {
  return syscall(SYS_pipe2, (long)ends, 02000000L | 04000L);
}

/// The next connection of a listening socket; child programs do not inherit it, and it does not block
/// (accept4, SOCK_CLOEXEC | SOCK_NONBLOCK): a descriptor, or -1 and errno.
static inline long accept_for_self_nonblocking(int listener) {
  return syscall(SYS_accept4, (long)listener, 0L, 0L, 02000000L | 04000L);
}

/// posix_spawn_file_actions_addclosefrom_np, which Swift's Glibc module lacks; since glibc 2.34.
extern int spawn_closes_from(void *actions, int first)
    __asm__("posix_spawn_file_actions_addclosefrom_np") __attribute__((weak));

/// Closes this process's descriptors from `first` up in a spawned program, if the C library can.
static inline void spawn_close_from(void *actions, int first) {
  if (spawn_closes_from) spawn_closes_from(actions, first);
}

/// A descriptor that refers to one process, even if its PID is reused: or -1 and errno
/// (pidfd_open).
static inline long process_open(int process) { return syscall(SYS_pidfd_open, (long)process, 0L); }

/// Sends a signal to the process of such a descriptor. 0, or -1 and errno (pidfd_send_signal).
static inline long process_signal(int descriptor, int number) {
  return syscall(SYS_pidfd_send_signal, (long)descriptor, (long)number, 0L, 0L);
}

/// Gives a process the least share of a busy processor and disk: SCHED_BATCH, niceness 19, and the
/// lowest level of IOPRIO_CLASS_BE. Settings that fail are ignored.
static inline void process_step_back(int process) {
  int priority = 0;
  (void)syscall(SYS_sched_setscheduler, (long)process, 3L, (long)&priority);
  (void)syscall(SYS_setpriority, 0L, (long)process, 19L);
  (void)syscall(SYS_ioprio_set, 1L, (long)process, 2L << 13 | 7L);
}

/// The user at the other end of a Unix socket when it was connected (SO_PEERCRED), or -1 and errno.
static inline long socket_peer_user(int descriptor) {
#if defined(__powerpc__)
  const long peer_credentials = 21;
#else
  const long peer_credentials = 17;
#endif
  struct {
    int process;
    unsigned user, group;
  } peer = {0, -1, -1};
  unsigned size = sizeof(peer);
  long status = syscall(
      SYS_getsockopt, (long)descriptor, 1L /* SOL_SOCKET */, peer_credentials, (long)&peer,
      (long)&size);
  return status < 0 ? status : (long)peer.user;
}
