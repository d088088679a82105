// Preloaded into a program, gives it a wall clock that is off by FLEET_CLOCK seconds, to simulate
// several machines on one kernel: time namespaces only shift CLOCK_MONOTONIC. That clock, and
// everything computed from it, stays the kernel's.
//
// The kernel's time stamps for packets would have the true time, so they are refused: chronyd then
// takes the time itself, from the shifted clock.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>

static long long offset; // nanoseconds

__attribute__((constructor)) static void read_offset(void) {
  const char *text = getenv("FLEET_CLOCK");
  offset = text ? llround(strtod(text, NULL) * 1e9) : 0;
}

static void move(struct timespec *time) {
  long long all = time->tv_sec * 1000000000LL + time->tv_nsec + offset;
  time->tv_sec = all / 1000000000;
  time->tv_nsec = all % 1000000000;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  static int (*next)(clockid_t, struct timespec *);
  if (!next) next = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  int status = next(clock, time);
  if (status == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) move(time);
  return status;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  (void)zone;
  struct timespec exact;
  if (clock_gettime(CLOCK_REALTIME, &exact) != 0) return -1;
  time->tv_sec = exact.tv_sec;
  time->tv_usec = exact.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *result) {
  struct timespec exact = {0};
  clock_gettime(CLOCK_REALTIME, &exact);
  if (result) *result = exact.tv_sec;
  return exact.tv_sec;
}

int setsockopt(int socket, int level, int option, const void *value, socklen_t length) {
  if (level == SOL_SOCKET &&
      (option == SO_TIMESTAMP || option == SO_TIMESTAMPNS || option == SO_TIMESTAMPING)) {
    errno = ENOPROTOOPT;
    return -1;
  }
  static int (*next)(int, int, int, const void *, socklen_t);
  if (!next)
    next = (int (*)(int, int, int, const void *, socklen_t))dlsym(RTLD_NEXT, "setsockopt");
  return next(socket, level, option, value, length);
}
