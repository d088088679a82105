#pragma once

// Signals as numbers on a pipe, and what is printed when the process traps. In C, because what runs
// in a signal handler may do little: no allocation, no lock, no Swift runtime.

#include <stddef.h>

/// Prepares the process, once, before anything else: notes which signals were ignored at the start,
/// ignores those that end a process for no reason of ours, and gives the descriptors 0, 1 and 2 that
/// were closed to /dev/null, so that no file of ours gets their numbers and with them what is
/// printed. Reading and writing those fails with EBADF, as on a closed one.
void process_prepare(void);

/// 1 where a signal was ignored when the process started, as `nohup` does with SIGHUP.
int signal_was_ignored(int number);

/// From now on a signal's arrival is told by ``signal_next``. 0, or -1 and errno. SIGINT, SIGTERM,
/// SIGQUIT or SIGHUP that is not followed by ``signal_heard`` within ten seconds ends the process.
int signal_watch(int number);

/// The program has obeyed the signals that came, and can still start threads.
void signal_heard(void);

/// From now on a signal does nothing.
void signal_ignore(int number);

/// From now on a signal does what it does to a process that knows nothing of it.
void signal_restore_default(int number);

/// Waits for a watched signal and returns its number; -1 where none can come.
int signal_next(void);

/// Lets SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT and SIGSYS print one line on standard
/// error and a backtrace before they end the process as ever.
void trap_report_prepare(void);

/// The movies that are not finished, told to who reads the line, with the command that recovers each:
/// their paths one after the other, each with its zero byte, in all `size` bytes. What is more than
/// 16,384 bytes is not told. From one thread at a time.
void trap_report_set_movies(const char *paths, size_t size);

/// What is told in the line where the work leaves nothing to recover: what to do, in words; empty for
/// nothing. Words of 1,024 bytes and more are not told. From one thread at a time.
void trap_report_set_remedy(const char *words);
