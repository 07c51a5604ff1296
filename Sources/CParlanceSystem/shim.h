// What Glibc does not show to Swift: the credentials of a Unix socket's peer, whose
// struct needs _GNU_SOURCE (which would change other system types and clash with their Swift modules),
// flock(2) and statfs(2), whose functions and structs share one name, files in memory, descriptors of processes, the owners of
// TCP sockets, what a process tells of its memory, and the statistics of malloc.
#pragma once
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <errno.h>
#ifdef __linux__
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <malloc.h>
#include <netinet/in.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#else
#include <malloc/malloc.h>
#endif

/// The user ID of the process at the other end of a connected Unix socket, or -1 with errno set: the other end may be gone,
/// and then the system may also say that it is nobody's (all bits are set).
static inline long parlance_peer_uid(int fd) {
#ifdef __linux__
    struct { int pid; unsigned uid; unsigned gid; } credentials;
    socklen_t length = sizeof credentials;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &length) != 0) return -1;
    if (length < sizeof credentials || credentials.uid == (unsigned)-1) { errno = ENOTCONN; return -1; }
    return (long)credentials.uid;
#else
    uid_t uid; gid_t gid;
    if (getpeereid(fd, &uid, &gid) != 0) return -1;
    if (uid == (uid_t)-1) { errno = ENOTCONN; return -1; }
    return (long)uid;
#endif
}

/// Takes an exclusive advisory lock on an open file without waiting: 0, or -1 with errno (EWOULDBLOCK: another has it).
static inline int parlance_lock_exclusive(int fd) { return flock(fd, LOCK_EX | LOCK_NB); }

/// Ends the advisory lock of an open file, also for processes that have inherited it.
static inline void parlance_unlock(int fd) { flock(fd, LOCK_UN); }

/// Takes an exclusive advisory lock on an open file, and waits while another has it: 0, or -1 with errno.
static inline int parlance_wait_for_lock(int fd) {
    int result;
    do { result = flock(fd, LOCK_EX); } while (result != 0 && errno == EINTR);
    return result;
}

#ifdef __linux__
// Declared here: <unistd.h> would make this module the owner of types that belong to Glibc.
long syscall(long number, ...);
int close(int fd);
int posix_spawn_file_actions_addclosefrom_np(void *actions, int from);
int posix_spawn_file_actions_addchdir_np(void *actions, const char *folder);

int prctl(int option, ...);

/// No other process of this user may read the memory of this one, and it never goes into a file when the process crashes
/// (PR_SET_DUMPABLE of prctl(2)): 0, or -1 with errno.
static inline int parlance_hide_memory(void) { return prctl(4, 0L, 0L, 0L, 0L); }

/// The type of the file system that a path is on (statfs(2)): 0, or -1 with errno.
static inline int parlance_file_system(const char *path, unsigned *type) {
    struct statfs system;
    if (statfs(path, &system) != 0) return -1;
    *type = (unsigned)system.f_type;
    return 0;
}

/// The two numbers of a device, as the system writes them (makedev(3)).
static inline unsigned parlance_device_major(unsigned long long device) { return gnu_dev_major(device); }
static inline unsigned parlance_device_minor(unsigned long long device) { return gnu_dev_minor(device); }

/// An empty file in memory, closed on exec (memfd_create(2)), or -1 with errno.
static inline int parlance_memory_file(const char *name) { return (int)syscall(SYS_memfd_create, name, 1u); }

/// Makes all that was written to the file system of an open file survive a loss of power (syncfs(2)): 0, or -1 with errno.
static inline int parlance_sync_file_system(int fd) { return (int)syscall(SYS_syncfs, fd); }

/// Begins to write bytes of an open file to the disk and does not wait (SYNC_FILE_RANGE_WRITE of sync_file_range(2)): 0, or -1
/// with errno. What a file system cannot do so is written later.
static inline int parlance_begin_sync(int fd, long long offset, long long count) {
    return (int)syscall(SYS_sync_file_range, fd, offset, count, 2u);
}

/// Gives a file of an open folder another name there, if nothing has that name (renameat2(2)): 0, or -1 with errno (EEXIST:
/// something has it; EINVAL: the file system cannot do this).
static inline int parlance_rename_exclusive(int folder, const char *from, const char *to) {
    return (int)syscall(SYS_renameat2, folder, from, folder, to, 1u);
}

/// A descriptor that becomes readable when a child process ends (pidfd_open(2)), closed on exec, or -1 with errno.
static inline int parlance_process_descriptor(int pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

/// Adds to a posix_spawn_file_actions_t: the program begins in this folder, and with no descriptors but 0, 1 and 2.
static inline int parlance_spawn_apart(void *actions, const char *folder) {
    int result = posix_spawn_file_actions_addclosefrom_np(actions, 3);
    return result != 0 ? result : posix_spawn_file_actions_addchdir_np(actions, folder);
}

/// Asks the kernel about the TCP socket of 127.0.0.1 with the port `own` whose other end has the port `other` (sock_diag(7));
/// 0 for a socket that listens. A socket of IPv6 that uses this address is found too.
///
/// Returns the user ID of its owner, and stores its state (1: established, 10: listens); or -1 if there is none.
static inline long parlance_tcp_owner(unsigned short own, unsigned short other, int *state) {
    struct { struct nlmsghdr head; struct inet_diag_req_v2 body; } request = {
        .head = { .nlmsg_len = sizeof request, .nlmsg_type = SOCK_DIAG_BY_FAMILY, .nlmsg_flags = NLM_F_REQUEST },
        .body = { .sdiag_family = AF_INET, .sdiag_protocol = IPPROTO_TCP, .idiag_states = ~0u, .id = {
            .idiag_sport = htons(own), .idiag_dport = htons(other), .idiag_src = { htonl(INADDR_LOOPBACK) },
            .idiag_dst = { htonl(INADDR_LOOPBACK) }, .idiag_cookie = { INET_DIAG_NOCOOKIE, INET_DIAG_NOCOOKIE },
        } },
    };
    struct { struct nlmsghdr head; struct inet_diag_msg body; char rest[1024]; } answer;
    struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };
    int fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    if (fd < 0) return -1;
    long owner = -1;
    // Connected, the socket takes nothing from other processes. The answer is there when send returns.
    if (connect(fd, (struct sockaddr *)&kernel, sizeof kernel) == 0
        && send(fd, &request, sizeof request, 0) == (ssize_t)sizeof request
        && recv(fd, &answer, sizeof answer, MSG_DONTWAIT) >= (ssize_t)(sizeof answer.head + sizeof answer.body)
        && answer.head.nlmsg_type == SOCK_DIAG_BY_FAMILY) {
        *state = answer.body.idiag_state;
        owner = (long)answer.body.idiag_uid;
    }
    close(fd);
    return owner;
}
#else
static inline long parlance_tcp_owner(unsigned short own, unsigned short other, int *state) {
    (void)own; (void)other; (void)state; return -1;
}
static inline int parlance_hide_memory(void) { errno = ENOSYS; return -1; }
static inline int parlance_memory_file(const char *name) { (void)name; errno = ENOSYS; return -1; }
static inline int parlance_sync_file_system(int fd) { (void)fd; errno = ENOSYS; return -1; }
static inline int parlance_begin_sync(int fd, long long offset, long long count) {
    (void)fd; (void)offset; (void)count; errno = ENOSYS; return -1;
}
static inline int parlance_rename_exclusive(int folder, const char *from, const char *to) {
    (void)folder; (void)from; (void)to; errno = ENOSYS; return -1;
}
static inline int parlance_process_descriptor(int pid) { (void)pid; errno = ENOSYS; return -1; }
static inline int parlance_spawn_apart(void *actions, const char *folder) { (void)actions; (void)folder; return ENOSYS; }
#endif

/// Gives memory that was freed back to the system.
static inline void parlance_return_memory(void) {
#ifdef __linux__
    malloc_trim(0);
#else
    malloc_zone_pressure_relief(NULL, 0);
#endif
}

/// The bytes of all blocks that are allocated now.
static inline size_t parlance_heap_bytes(void) {
#ifdef __linux__
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
#else
    malloc_statistics_t statistics;
    malloc_zone_statistics(NULL, &statistics);
    return statistics.size_in_use;
#endif
}
