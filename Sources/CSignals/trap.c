#define _GNU_SOURCE

#include "CSignals.h"

#include <execinfo.h>
#include <link.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

enum {
  movies_limit = 4 * 4096,
  remedy_limit = 1024,
  module_limit = 128,
  frame_limit = 48,
  seconds_limit = 5
};

static const struct {
  int number;
  const char *name;
} traps[] = {
    {SIGILL, "SIGILL"}, {SIGTRAP, "SIGTRAP"}, {SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"},
    {SIGFPE, "SIGFPE"}, {SIGABRT, "SIGABRT"}, {SIGSYS, "SIGSYS"},
};
enum { trap_count = sizeof traps / sizeof *traps };

/// Code of the program and its libraries, recorded at the start because a handler must not ask the
/// loader.
static struct module {
  uintptr_t base, start, end;
  const char *name;
} modules[module_limit];
static int module_count;

/// Two copies, so that the handler never reads the one being written.
static struct movies {
  char paths[movies_limit];
  size_t size;
} movies[2];
static _Atomic int movie_index = -1;

/// Two copies, as for the movies; for work that leaves nothing to recover.
static char remedies[2][remedy_limit];
static _Atomic int remedy_index = -1;

static _Alignas(16) char handler_stack[64 * 1024];
/// The reporting thread, and the signal reported.
static _Atomic int reporting_thread;
static _Atomic int reported_signal;

// MARK: Text without allocation

struct text {
  char bytes[movies_limit + 2048];
  size_t count;
};

static void add_byte(struct text *text, char byte) {
  if (text->count < sizeof text->bytes) text->bytes[text->count++] = byte;
}

static void add(struct text *text, const char *words) {
  while (*words) add_byte(text, *words++);
}

/// Control characters become question marks.
static void add_path(struct text *text, const char *path) {
  for (; *path; path++) {
    unsigned char byte = (unsigned char)*path;
    add_byte(text, byte < 32 || byte == 127 ? '?' : (char)byte);
  }
}

static void add_number(struct text *text, uintptr_t value, unsigned base) {
  char digits[24];
  size_t count = 0;
  do {
    digits[count++] = "0123456789abcdef"[value % base];
    value /= base;
  } while (value > 0);
  while (count > 0) add_byte(text, digits[--count]);
}

static void add_place(struct text *text, uintptr_t address) {
  for (int index = 0; index < module_count; index++) {
    const struct module *module = &modules[index];
    if (address < module->start || address >= module->end) continue;
    add(text, module->name);
    add(text, "+0x");
    add_number(text, address - module->base, 16);
    return;
  }
  add(text, "0x");
  add_number(text, address, 16);
}

/// Writes only what standard error accepts immediately: a stopped terminal must not block a dying
/// process.
static void print(const struct text *text) {
  size_t done = 0;
  while (done < text->count) {
    struct pollfd state = {.fd = STDERR_FILENO, .events = POLLOUT};
    if (poll(&state, 1, 200) <= 0 || !(state.revents & POLLOUT)) return;
    size_t chunk = text->count - done;
    ssize_t count = write(STDERR_FILENO, text->bytes + done, chunk < 512 ? chunk : 512);
    if (count <= 0) return;
    done += (size_t)count;
  }
}

// MARK: The handler

static uintptr_t place_of_trap(const void *context) {
  const ucontext_t *machine = context;
#if defined(__x86_64__)
  return (uintptr_t)machine->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
  return (uintptr_t)machine->uc_mcontext.pc;
#else
  (void)machine;
  return 0;
#endif
}

static const char *name_of(int number) {
  for (int index = 0; index < trap_count; index++)
    if (traps[index].number == number) return traps[index].name;
  return "a signal";
}

static void add_movies(struct text *text, const struct movies *movies) {
  for (size_t place = 0; place < movies->size; place += strlen(movies->paths + place) + 1) {
    add(text, place == 0 ? "; the movie is not finished, recover it with: " : ", and: ");
    add(text, "recordctl recover '");
    add_path(text, movies->paths + place);
    add(text, "'");
  }
}

static void report(int number, const siginfo_t *facts, const void *context) {
  static struct text text;
  text.count = 0;
  // A progress line may be displayed.
  if (isatty(STDERR_FILENO)) add(&text, "\n");
  add(&text, "recordctl: ended by ");
  add(&text, name_of(number));
  add(&text, " at ");
  add_place(&text, place_of_trap(context));
  if (facts->si_code <= 0 && facts->si_pid != getpid()) {
    add(&text, ", sent by process ");
    add_number(&text, (uintptr_t)facts->si_pid, 10);
  } else if (number == SIGSEGV || number == SIGBUS) {
    add(&text, ", address 0x");
    add_number(&text, (uintptr_t)facts->si_addr, 16);
  }
  int movie = atomic_load(&movie_index);
  if (movie >= 0) add_movies(&text, &movies[movie]);
  int remedy = atomic_load(&remedy_index);
  if (remedy >= 0 && *remedies[remedy]) {
    add(&text, "; ");
    add_path(&text, remedies[remedy]);
  }
  add(&text, "\n");
  print(&text);

  void *frames[frame_limit];
  int count = backtrace(frames, frame_limit);
  text.count = 0;
  for (int index = 0; index < count; index++) {
    add(&text, "  ");
    add_place(&text, (uintptr_t)frames[index]);
    add(&text, "\n");
  }
  print(&text);
}

static void end_process(int number) {
  signal_restore_default(number);
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, number);
  sigprocmask(SIG_UNBLOCK, &signals, NULL);
  syscall(SYS_tgkill, (long)getpid(), syscall(SYS_gettid), (long)number);
}

/// Reporting took too long, because the trapped thread holds a lock that reporting needs.
static void give_up(int number) {
  (void)number;
  end_process(atomic_load(&reported_signal));
}

static void handle_trap(int number, siginfo_t *facts, void *context) {
  int thread = (int)syscall(SYS_gettid);
  int nobody = 0;
  if (atomic_compare_exchange_strong(&reporting_thread, &nobody, thread)) {
    atomic_store(&reported_signal, number);
    struct sigaction limit = {.sa_handler = give_up};
    sigemptyset(&limit.sa_mask);
    sigaction(SIGALRM, &limit, NULL);
    alarm(seconds_limit);
    report(number, facts, context);
  } else if (nobody != thread) {
    // Another thread trapped first, and will end the process.
    for (;;) pause();
  }
  // Also reached if the report itself traps.
  end_process(atomic_load(&reported_signal));
}

// MARK: Preparation

static int note_module(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  (void)context;
  for (int index = 0; index < info->dlpi_phnum && module_count < module_limit; index++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[index];
    if (header->p_type != PT_LOAD || !(header->p_flags & PF_X)) continue;
    struct module *module = &modules[module_count++];
    module->base = info->dlpi_addr;
    module->start = info->dlpi_addr + header->p_vaddr;
    module->end = module->start + header->p_memsz;
    const char *slash = info->dlpi_name ? strrchr(info->dlpi_name, '/') : NULL;
    module->name = slash ? slash + 1 : info->dlpi_name;
    if (!module->name || !*module->name) module->name = "recordctl";
  }
  return 0;
}

void trap_report_prepare(void) {
  dl_iterate_phdr(note_module, NULL);
  // The first call loads the unwinder, which a handler must not do.
  void *frame;
  backtrace(&frame, 1);
  stack_t stack = {.ss_sp = handler_stack, .ss_size = sizeof handler_stack};
  sigaltstack(&stack, NULL);
  struct sigaction action = {
      .sa_sigaction = handle_trap, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
  sigemptyset(&action.sa_mask);
  for (int index = 0; index < trap_count; index++) sigaction(traps[index].number, &action, NULL);
}

void trap_report_set_movies(const char *paths, size_t size) {
  int next = atomic_load(&movie_index) == 0;
  struct movies *list = &movies[next];
  list->size = 0;
  for (size_t place = 0; place < size;) {
    size_t length = strlen(paths + place) + 1;
    if (length <= movies_limit - list->size) {
      memcpy(list->paths + list->size, paths + place, length);
      list->size += length;
    }
    place += length;
  }
  atomic_store(&movie_index, next);
}

void trap_report_set_remedy(const char *words) {
  int next = atomic_load(&remedy_index) == 0;
  size_t length = strlen(words);
  // A truncated text could mean something else.
  if (length >= remedy_limit) length = 0;
  memcpy(remedies[next], words, length);
  remedies[next][length] = 0;
  atomic_store(&remedy_index, next);
}
