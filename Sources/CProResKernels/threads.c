// What the C library offers threads beyond POSIX, which Swift's overlay leaves out.

#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include "CProResKernels.h"

void prores_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

int prores_pin_thread(int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(processor, &set);
  return pthread_setaffinity_np(pthread_self(), sizeof set, &set);
}

int prores_raise_thread(int niceness) {
  return setpriority(PRIO_PROCESS, (id_t)gettid(), niceness);
}

int prores_processor_count(void) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online > 0 ? (int)online : 1;
}
