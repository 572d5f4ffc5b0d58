/* Tells the thread sanitizer what Swift's Mutex does, in builds with that sanitizer and in no other.

   A Mutex that nobody contends for is locked and unlocked by atomic instructions in the caller's own code, which the sanitizer sees. One
   that is contended for is locked and unlocked by the kernel, on behalf of two functions in libswiftSynchronization, which is not built
   for the sanitizer: it would take every handing over for a race. These two stand before those of the library, which they call; the order
   of what they say is that of the lock. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

void __tsan_acquire(void *address);
void __tsan_release(void *address);

typedef __attribute__((swiftcall)) void (*LockSlow)(uint32_t, __attribute__((swift_context)) void *);
typedef __attribute__((swiftcall)) void (*UnlockSlow)(__attribute__((swift_context)) void *);

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

__attribute__((swiftcall)) void lockSlow(uint32_t thread, __attribute__((swift_context)) void *mutex) __asm__(LOCK_SLOW);
__attribute__((swiftcall)) void unlockSlow(__attribute__((swift_context)) void *mutex) __asm__(UNLOCK_SLOW);

static LockSlow nextLock;
static UnlockSlow nextUnlock;

/* Before the first thread. */
__attribute__((constructor)) static void findNext(void) {
    nextLock = (LockSlow)dlsym(RTLD_NEXT, LOCK_SLOW);
    nextUnlock = (UnlockSlow)dlsym(RTLD_NEXT, UNLOCK_SLOW);
    if (nextLock == NULL || nextUnlock == NULL) abort();
}

__attribute__((swiftcall)) void lockSlow(uint32_t thread, __attribute__((swift_context)) void *mutex) {
    nextLock(thread, mutex);
    __tsan_acquire(mutex);
}

__attribute__((swiftcall)) void unlockSlow(__attribute__((swift_context)) void *mutex) {
    __tsan_release(mutex);
    nextUnlock(mutex);
}
