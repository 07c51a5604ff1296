// A guard in front of libavahi-core: every mDNS packet is shown to a verdict function before the library reads it.
//
// libavahi-core up to 0.9 can be aborted, or made to use freed memory, by unsolicited CNAME records (avahi issues 501,
// 678, 683 and pull request 941; CVE-2025-68468, CVE-2025-68471), and it runs inside our process. It reads its sockets
// when the AvahiPoll it was given says so, so that is where a bad packet can be taken away unseen.
#pragma once
#include <avahi-common/watch.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/types.h>

/// Whether the library may see this packet.
typedef int (*ParlancePacketVerdict)(const unsigned char *bytes, size_t count);

typedef struct ParlanceGuardedWatch {
    struct ParlanceGuardedWatch *next;
    ParlancePacketVerdict verdict;
    AvahiWatchCallback callback;
    void *userdata;
    int is_datagram;
} ParlanceGuardedWatch;

/// An AvahiPoll with the guard, valid until it is freed, which must be after the server that uses it.
typedef struct ParlanceGuardedPoll {
    AvahiPoll api; // first, so that the pointer the library hands back is a pointer to this structure
    const AvahiPoll *inner;
    ParlancePacketVerdict verdict;
    ParlanceGuardedWatch *watches;
} ParlanceGuardedPoll;

static inline void parlance_guarded_event(AvahiWatch *w, int fd, AvahiWatchEvent event, void *userdata) {
    ParlanceGuardedWatch *watch = (ParlanceGuardedWatch *)userdata;
    if (watch->is_datagram && (event & AVAHI_WATCH_IN)) {
        unsigned char bytes[9216]; // mDNS packets have at most 9,000 bytes (RFC 6762, section 17)
        ssize_t count = recv(fd, bytes, sizeof bytes, MSG_PEEK | MSG_TRUNC | MSG_DONTWAIT);
        if (count >= 0 && ((size_t)count > sizeof bytes || !watch->verdict(bytes, (size_t)count))) {
            (void)recv(fd, bytes, 1, MSG_DONTWAIT); // takes the datagram away; the next one wakes us again
            return;
        }
    }
    watch->callback(w, fd, event, watch->userdata);
}

static inline AvahiWatch *parlance_guarded_watch_new(
    const AvahiPoll *api, int fd, AvahiWatchEvent event, AvahiWatchCallback callback, void *userdata) {
    ParlanceGuardedPoll *poll = (ParlanceGuardedPoll *)api;
    ParlanceGuardedWatch *watch = (ParlanceGuardedWatch *)calloc(1, sizeof *watch);
    if (!watch) return NULL;
    int type = 0, domain = 0;
    socklen_t type_length = sizeof type, domain_length = sizeof domain;
    getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &type_length);
#ifdef SO_DOMAIN
    getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &domain_length);
#endif
    watch->is_datagram = type == SOCK_DGRAM && (domain == AF_INET || domain == AF_INET6);
    watch->verdict = poll->verdict;
    watch->callback = callback;
    watch->userdata = userdata;
    watch->next = poll->watches;
    poll->watches = watch; // a server has three for its whole life, so they are freed with it
    return poll->inner->watch_new(poll->inner, fd, event, parlance_guarded_event, watch);
}

static inline ParlanceGuardedPoll *parlance_guarded_poll_new(const AvahiPoll *inner, ParlancePacketVerdict verdict) {
    ParlanceGuardedPoll *poll = (ParlanceGuardedPoll *)calloc(1, sizeof *poll);
    if (!poll) return NULL;
    poll->api = *inner;
    poll->api.watch_new = parlance_guarded_watch_new;
    poll->inner = inner;
    poll->verdict = verdict;
    return poll;
}

static inline void parlance_guarded_poll_free(ParlanceGuardedPoll *poll) {
    if (!poll) return;
    while (poll->watches) {
        ParlanceGuardedWatch *watch = poll->watches;
        poll->watches = watch->next;
        free(watch);
    }
    free(poll);
}
