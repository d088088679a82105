#pragma once

// Signals as numbers on a pipe, and the output when the process traps. In C, because signal
// handlers are restricted: no allocation, no locks, no Swift runtime.

#include <stddef.h>

/// Prepares the process, once, before anything else: records which signals were ignored at the
/// start, ignores those that should not end the process, and opens /dev/null for closed descriptors
/// among 0, 1 and 2, so that no other file gets these numbers and receives the process's output.
/// Reading and writing them fails with EBADF, as on a closed descriptor.
void process_prepare(void);

/// 1 if a signal was ignored when the process started, as SIGHUP is by `nohup`.
int signal_was_ignored(int number);

/// Makes ``signal_next`` report a signal from now on. 0, or -1 and errno. SIGINT, SIGTERM, SIGQUIT
/// or SIGHUP that is not followed by ``signal_heard`` within ten seconds ends the process.
int signal_watch(int number);

/// Confirms that the program has handled the signals received so far and can still start threads.
void signal_heard(void);

/// Ignores a signal from now on.
void signal_ignore(int number);

/// Restores a signal's default action.
void signal_restore_default(int number);

/// Waits for a watched signal and returns its number; -1 if no signal is watched.
int signal_next(void);

/// Makes SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT and SIGSYS print one line and a
/// backtrace to standard error before they end the process as usual.
void trap_report_prepare(void);

/// Sets the unfinished movies to be listed in that line, each with the command that recovers it:
/// consecutive zero-terminated paths, `size` bytes in all. Nothing beyond 16,384 bytes is printed.
/// Not thread-safe.
void trap_report_set_movies(const char *paths, size_t size);

/// Sets the advice in that line for work that leaves nothing to recover; empty for none. Texts of
/// 1,024 bytes or more are not printed. Not thread-safe.
void trap_report_set_remedy(const char *words);
