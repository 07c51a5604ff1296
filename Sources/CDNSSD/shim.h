// The system's DNS-SD service, loaded when it is first needed instead of linked.
//
// Avahi's libavahi-core (our embedded backend) and libavahi-client (under its libdns_sd) both export a function named
// avahi_entry_group_free, with different parameters. Linked into one program, whichever comes first is called by both,
// and the other crashes. RTLD_DEEPBIND makes libdns_sd find its own one first, RTLD_LOCAL keeps it from the rest. So
// the program also runs where libdns_sd is not installed.
#pragma once
#include <dlfcn.h>
#include <dns_sd.h>

#ifndef RTLD_DEEPBIND
#define RTLD_DEEPBIND 0x00008 // glibc's value; it shows it only with _GNU_SOURCE
#endif

typedef struct ParlanceDNSSD {
    __typeof__(&DNSServiceRegister) registerService;
    __typeof__(&DNSServiceBrowse) browse;
    __typeof__(&DNSServiceResolve) resolve;
    __typeof__(&DNSServiceQueryRecord) queryRecord;
    __typeof__(&DNSServiceProcessResult) processResult;
    __typeof__(&DNSServiceRefSockFD) descriptor;
    __typeof__(&DNSServiceRefDeallocate) deallocate;
} ParlanceDNSSD;

/// Loads the functions: 1, or 0 where the library is absent or incomplete. It is never unloaded.
static inline int parlance_load_dnssd(ParlanceDNSSD *api) {
#ifdef __linux__
    void *library = dlopen("libdns_sd.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    if (!library) return 0;
#else
    void *library = RTLD_DEFAULT;
#endif
    api->registerService = (__typeof__(&DNSServiceRegister))dlsym(library, "DNSServiceRegister");
    api->browse = (__typeof__(&DNSServiceBrowse))dlsym(library, "DNSServiceBrowse");
    api->resolve = (__typeof__(&DNSServiceResolve))dlsym(library, "DNSServiceResolve");
    api->queryRecord = (__typeof__(&DNSServiceQueryRecord))dlsym(library, "DNSServiceQueryRecord");
    api->processResult = (__typeof__(&DNSServiceProcessResult))dlsym(library, "DNSServiceProcessResult");
    api->descriptor = (__typeof__(&DNSServiceRefSockFD))dlsym(library, "DNSServiceRefSockFD");
    api->deallocate = (__typeof__(&DNSServiceRefDeallocate))dlsym(library, "DNSServiceRefDeallocate");
    return api->registerService && api->browse && api->resolve && api->queryRecord && api->processResult
        && api->descriptor && api->deallocate;
}
