// The arguments of the program, taken where they cannot be lost.
//
// On Linux the Swift runtime searches the stack for them, in front of the environment. It finds none if a preloaded library
// has moved the environment before (setenv(3)), or if /proc is not there; then the program would run without its flags.
// glibc passes the arguments to each constructor, so they are taken here and given to the runtime.
#include "program_arguments.h"
#include <stddef.h>

static int count;
static char **vector;

extern char **environ;

char **parlance_environment(void) { return environ; }

int parlance_argument_count(void) { return count; }

const char *parlance_argument(int index) { return index >= 0 && index < count ? vector[index] : NULL; }

#ifdef __linux__
// Of the Swift runtime (stdlib/public/stubs/CommandLine.cpp); `CommandLine` reads what it was given.
extern void _swift_stdlib_overrideUnsafeArgvArgc(char **arguments, int argumentCount);

__attribute__((constructor)) static void take(int argumentCount, char **arguments) {
    count = argumentCount;
    vector = arguments;
    _swift_stdlib_overrideUnsafeArgvArgc(arguments, argumentCount);
}
#endif
