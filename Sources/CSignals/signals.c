#define _GNU_SOURCE

#include "CSignals.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

static unsigned char ignored_at_start[NSIG];
static _Atomic int write_end = -1;
static int read_end = -1;

/// Signals that would end the process but are no reason to end a take: results of its own calls,
/// timers, and signals that other programs may send by mistake.
static const int harmless[] = {SIGPIPE, SIGXFSZ,   SIGUSR1, SIGUSR2,
                               SIGALRM, SIGVTALRM, SIGPROF, SIGPOLL};

/// Requests to end, which must be obeyed.
static const int insistent[] = {SIGINT, SIGTERM, SIGQUIT, SIGHUP};
/// Half of the seconds in which such a signal must be heard.
enum { patience = 5 };
/// The signal not yet heard; 0 for none.
static _Atomic int unheard;
static _Atomic int alarms;

static void reserve_standard_descriptors(void) {
  for (int descriptor = 0; descriptor < 3; descriptor++) {
    if (fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
    // Deliberately opened for the wrong direction; the lowest free number is this one.
    open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);
  }
}

void process_prepare(void) {
  reserve_standard_descriptors();
  for (int number = 1; number < NSIG; number++) {
    struct sigaction action;
    if (sigaction(number, NULL, &action) == 0)
      ignored_at_start[number] = action.sa_handler == SIG_IGN;
  }
  for (size_t index = 0; index < sizeof harmless / sizeof *harmless; index++)
    signal_ignore(harmless[index]);
  for (int number = SIGRTMIN; number <= SIGRTMAX; number++) signal_ignore(number);
}

int signal_was_ignored(int number) {
  return number > 0 && number < NSIG && ignored_at_start[number];
}

static int is_insistent(int number) {
  for (size_t index = 0; index < sizeof insistent / sizeof *insistent; index++)
    if (insistent[index] == number) return 1;
  return 0;
}

/// Ends the process by the unheard signal: without memory for a thread, libdispatch waits for one
/// forever, on any thread that uses it.
static void end_unheard(int alarm_number) {
  (void)alarm_number;
  int number = atomic_load(&unheard);
  if (number == 0) return;
  // A process that was stopped in the meantime gets another chance.
  if (atomic_fetch_add(&alarms, 1) == 0) {
    alarm(patience);
    return;
  }
  signal_restore_default(number);
  kill(getpid(), number);
}

static void expect_hearing(int number) {
  int nobody = 0;
  if (!atomic_compare_exchange_strong(&unheard, &nobody, number)) return;
  atomic_store(&alarms, 0);
  alarm(patience);
}

void signal_heard(void) {
  if (atomic_exchange(&unheard, 0) != 0) alarm(0);
}

static void note_arrival(int number) {
  int before = errno;
  if (is_insistent(number)) expect_hearing(number);
  unsigned char byte = (unsigned char)number;
  int descriptor = atomic_load(&write_end);
  // A full pipe already holds thousands of signals.
  if (descriptor >= 0) (void)!write(descriptor, &byte, 1);
  errno = before;
}

static int open_pipe(void) {
  if (atomic_load(&write_end) >= 0) return 0;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return -1;
  fcntl(ends[1], F_SETFL, O_NONBLOCK);
  read_end = ends[0];
  atomic_store(&write_end, ends[1]);
  return 0;
}

int signal_watch(int number) {
  if (open_pipe() != 0) return -1;
  struct sigaction action = {.sa_handler = end_unheard, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  if (is_insistent(number) && sigaction(SIGALRM, &action, NULL) != 0) return -1;
  action.sa_handler = note_arrival;
  return sigaction(number, &action, NULL);
}

static void dispose(int number, void (*disposition)(int)) {
  struct sigaction action = {.sa_handler = disposition};
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, NULL);
}

void signal_ignore(int number) { dispose(number, SIG_IGN); }

void signal_restore_default(int number) { dispose(number, SIG_DFL); }

int signal_next(void) {
  if (read_end < 0) return -1;
  unsigned char byte;
  for (;;) {
    ssize_t count = read(read_end, &byte, 1);
    if (count == 1) return byte;
    if (count < 0 && errno == EINTR) continue;
    return -1;
  }
}
