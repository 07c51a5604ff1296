#pragma once

#include <stddef.h>

/// Remembers the modes of a terminal and the bytes that undo what a program sets there, and installs handlers that put
/// both back when the program crashes. In C, because such a handler may only do what is async-signal-safe.
///
/// - Returns: 0, or -1 if the descriptor is no terminal or there are too many bytes.
int parlance_terminal_guard(int descriptor, const char *undo, size_t length);

/// Raw mode: no echo, no line editing, no signals from keys.
int parlance_terminal_enter(void);

/// Writes the bytes that undo, and puts the modes back; does nothing until the next enter.
void parlance_terminal_leave(void);

/// The size in cells; -1 if it is not known.
int parlance_terminal_size(int descriptor, int *rows, int *columns);

/// The terminal of standard input, opened anew, since the flags of descriptor 0 are shared with the shell; -1 if it is
/// none.
int parlance_terminal_open(void);

/// Waits until bytes can be written, at most so long; whether they can.
int parlance_terminal_writable(int descriptor, int milliseconds);

/// Stops this process and its job, as Ctrl-Z does; returns when it goes on, at once where it cannot be stopped.
void parlance_terminal_stop(void);

/// Ends this process by a signal, so that its parent sees by which one.
void parlance_terminal_die(int signal);
