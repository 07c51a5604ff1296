/* For contrib/test --sanitize thread only. When two threads contend for Swift's Mutex, its slow path runs in a library that
 * ThreadSanitizer does not watch, so the data that it protects would look unprotected. This file wraps that library's two
 * functions and tells ThreadSanitizer what they do; the rest of Mutex is compiled into the programs, and watched. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

/* Absent from what is built without ThreadSanitizer, such as tools of the build. */
__attribute__((weak)) void __tsan_acquire(void *);
__attribute__((weak)) void __tsan_release(void *);

SWIFT void tsan_mutex_lock(uint32_t thread, SELF void *mutex) __asm__(LOCK_SLOW);
SWIFT void tsan_mutex_unlock(SELF void *mutex) __asm__(UNLOCK_SLOW);

SWIFT void tsan_mutex_lock(uint32_t thread, SELF void *mutex) {
    SWIFT void (*lock)(uint32_t, SELF void *) = (SWIFT void (*)(uint32_t, SELF void *))dlsym(RTLD_NEXT, LOCK_SLOW);
    lock(thread, mutex);
    if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT void tsan_mutex_unlock(SELF void *mutex) {
    SWIFT void (*unlock)(SELF void *) = (SWIFT void (*)(SELF void *))dlsym(RTLD_NEXT, UNLOCK_SLOW);
    if (__tsan_release) __tsan_release(mutex);
    unlock(mutex);
}
