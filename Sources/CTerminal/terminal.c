#define _GNU_SOURCE
#include "terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

static int guarded = -1;
static volatile sig_atomic_t is_entered;
static struct termios before;
static char undo_bytes[256];
static size_t undo_length;

static const int fatal[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV};
enum { fatal_count = sizeof fatal / sizeof *fatal };
static struct sigaction earlier[fatal_count];

void parlance_terminal_leave(void) {
    if (!is_entered) return;
    is_entered = 0;
    size_t done = 0;
    while (done < undo_length) {
        ssize_t count = write(guarded, undo_bytes + done, undo_length - done);
        if (count > 0) {
            done += (size_t)count;
        } else if (count < 0 && errno == EAGAIN) {
            if (!parlance_terminal_writable(guarded, 1000)) break;
        } else if (errno != EINTR) {
            break;
        }
    }
    tcsetattr(guarded, TCSANOW, &before);
}

static void crashed(int signal) {
    int saved = errno;
    parlance_terminal_leave();
    // Swift's own handler of crashes, or the default.
    for (int index = 0; index < fatal_count; index++)
        if (fatal[index] == signal) sigaction(signal, &earlier[index], NULL);
    // It waits until this handler returns. A fault would happen again by itself, a signal from outside would not.
    raise(signal);
    errno = saved;
}

int parlance_terminal_guard(int descriptor, const char *undo, size_t length) {
    if (length > sizeof undo_bytes || tcgetattr(descriptor, &before) != 0) return -1;
    guarded = descriptor;
    memcpy(undo_bytes, undo, length);
    undo_length = length;
    struct sigaction action = {.sa_handler = crashed, .sa_flags = SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    for (int index = 0; index < fatal_count; index++) sigaction(fatal[index], &action, &earlier[index]);
    return 0;
}

int parlance_terminal_enter(void) {
    struct termios raw = before;
    cfmakeraw(&raw);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    is_entered = 1;
    return tcsetattr(guarded, TCSADRAIN, &raw);
}

int parlance_terminal_size(int descriptor, int *rows, int *columns) {
    struct winsize size;
    if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0) return -1;
    *rows = size.ws_row;
    *columns = size.ws_col;
    return 0;
}

int parlance_terminal_open(void) {
    const char *name = ttyname(STDIN_FILENO);
    int descriptor = open(name ? name : "/dev/tty", O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (descriptor < 0 && name) descriptor = open("/dev/tty", O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    return descriptor;
}

int parlance_terminal_writable(int descriptor, int milliseconds) {
    struct pollfd waiting = {.fd = descriptor, .events = POLLOUT};
    return poll(&waiting, 1, milliseconds) > 0 && (waiting.revents & POLLOUT);
}

void parlance_terminal_stop(void) {
    struct sigaction ours, ignoring = {.sa_handler = SIG_IGN}, standard = {.sa_handler = SIG_DFL};
    sigset_t set, mask;
    sigemptyset(&ignoring.sa_mask);
    sigemptyset(&standard.sa_mask);
    // The rest of the job first, as the terminal would stop it. A signal to the whole process could come to another
    // thread, and later than the return from here: so this thread stops the process.
    sigaction(SIGTSTP, &ignoring, &ours);
    kill(0, SIGTSTP);
    sigaction(SIGTSTP, &standard, NULL);
    sigemptyset(&set);
    sigaddset(&set, SIGTSTP);
    pthread_sigmask(SIG_UNBLOCK, &set, &mask);
    // Nothing happens where no shell could continue it.
    raise(SIGTSTP);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    sigaction(SIGTSTP, &ours, NULL);
}

void parlance_terminal_die(int number) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    signal(number, SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    raise(number);
}
