#include <errno.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef __linux__
/// Takes the place of the C library's function, in the programs that link it.
///
/// Dispatch gives each of its threads the nice value of its class of work, and one of them a better one than others. The system
/// allows that to root only, and the filter of the service allows no change at all. Dispatch goes on without it, but writes a line
/// to the journal for each thread, in each command: hundreds in an hour. So a value that is not allowed is left as it is, without an
/// error.
int setpriority(__priority_which_t which, id_t who, int value) {
    long result = syscall(SYS_setpriority, which, who, value);
    return result == 0 || errno == EACCES || errno == EPERM ? 0 : -1;
}
#endif
