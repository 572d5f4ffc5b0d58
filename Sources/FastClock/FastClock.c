#define _GNU_SOURCE
#include "FastClock.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define SECOND INT64_C(1000000000)
#define DESCRIPTORS 65536

static const volatile struct fast_clock *shared;
static int64_t speed = 1;
// What CLOCK_BOOTTIME was ahead of CLOCK_MONOTONIC when the program began.
static int64_t boot_lead;
// Which clock a timer descriptor runs by, plus one.
static unsigned char timer_clocks[DESCRIPTORS];

#define ORIGINAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define DECLARE(name) static __typeof__(&name) real_##name
#define FIND(name) real_##name = ORIGINAL(name)

DECLARE(clock_gettime);
DECLARE(clock_nanosleep);
DECLARE(ppoll);
DECLARE(pselect);
DECLARE(epoll_pwait2);
DECLARE(timerfd_create);
DECLARE(timerfd_settime);
DECLARE(timerfd_gettime);
DECLARE(pthread_cond_clockwait);
DECLARE(sem_clockwait);

// The way to the machine's own functions, before anything else of the program runs.
static void find_originals(void) {
  if (real_clock_gettime) return;
  FIND(clock_nanosleep);
  FIND(ppoll);
  FIND(pselect);
  FIND(epoll_pwait2);
  FIND(timerfd_create);
  FIND(timerfd_settime);
  FIND(timerfd_gettime);
  FIND(pthread_cond_clockwait);
  FIND(sem_clockwait);
  FIND(clock_gettime);
}

static int64_t nanoseconds(const struct timespec *time) { return time->tv_sec * SECOND + time->tv_nsec; }

static struct timespec timespec_of(int64_t time) {
  if (time < 0) time = 0;
  return (struct timespec){.tv_sec = time / SECOND, .tv_nsec = time % SECOND};
}

static int64_t machine(clockid_t clock) {
  struct timespec time = {0};
  real_clock_gettime(clock, &time);
  return nanoseconds(&time);
}

static void fail(const char *reason) {
  fprintf(stderr, "fast clock: %s; FAST_CLOCK must name a file of 32 bytes\n", reason);
  _exit(78);
}

__attribute__((constructor)) static void begin(void) {
  find_originals();
  const char *path = getenv("FAST_CLOCK");
  if (!path) fail("FAST_CLOCK is not set");
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) fail("the file cannot be opened");
  if (lseek(descriptor, 0, SEEK_END) != sizeof(struct fast_clock)) fail("the file has another size");
  void *page = mmap(NULL, sizeof(struct fast_clock), PROT_READ, MAP_SHARED, descriptor, 0);
  close(descriptor);
  if (page == MAP_FAILED) fail("the file cannot be mapped");
  const struct fast_clock *found = page;
  if (found->speed < 1 || found->anchor > machine(CLOCK_MONOTONIC)) fail("the file makes no sense");
  speed = found->speed;
  boot_lead = machine(CLOCK_BOOTTIME) - machine(CLOCK_MONOTONIC);
  shared = found;
}

// MARK: What the clocks show

static int is_wall(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_REALTIME_ALARM || clock == CLOCK_TAI;
}

static int is_counter(clockid_t clock) {
  return clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_COARSE || clock == CLOCK_MONOTONIC_RAW ||
         clock == CLOCK_BOOTTIME || clock == CLOCK_BOOTTIME_ALARM;
}

// What a clock shows the program.
static int64_t shown(clockid_t clock) {
  if (!real_clock_gettime) find_originals();
  if (!shared || !(is_wall(clock) || is_counter(clock))) return machine(clock);
  int64_t passed = (machine(CLOCK_MONOTONIC) - shared->anchor) * speed;
  if (is_wall(clock)) return shared->wall + passed + shared->wall_offset;
  int64_t lead = clock == CLOCK_BOOTTIME || clock == CLOCK_BOOTTIME_ALARM ? boot_lead : 0;
  return shared->anchor + passed + lead;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  if (!real_clock_gettime) find_originals();
  if (!shared || !(is_wall(clock) || is_counter(clock))) return real_clock_gettime(clock, time);
  *time = timespec_of(shown(clock));
  return 0;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  (void)zone;
  int64_t now = shown(CLOCK_REALTIME);
  *time = (struct timeval){.tv_sec = now / SECOND, .tv_usec = now % SECOND / 1000};
  return 0;
}

time_t time(time_t *place) {
  time_t now = shown(CLOCK_REALTIME) / SECOND;
  if (place) *place = now;
  return now;
}

int timespec_get(struct timespec *time, int base) {
  if (base != TIME_UTC) return 0;
  *time = timespec_of(shown(CLOCK_REALTIME));
  return base;
}

// MARK: Waits

// How long the machine waits where the program wants to wait for `length`: rounded up, so that nobody wakes before time.
static int64_t shortened(int64_t length) { return length <= 0 ? 0 : (length + speed - 1) / speed; }

// The instant on the machine's monotonic clock at which `clock` shows the program `instant`.
static struct timespec machine_instant(clockid_t clock, const struct timespec *instant) {
  return timespec_of(machine(CLOCK_MONOTONIC) + shortened(nanoseconds(instant) - shown(clock)));
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *length, struct timespec *left) {
  if (!(is_wall(clock) || is_counter(clock))) return real_clock_nanosleep(clock, flags, length, left);
  int64_t wait = nanoseconds(length) - (flags & TIMER_ABSTIME ? shown(clock) : 0);
  struct timespec shorter = timespec_of(shortened(wait)), rest = {0};
  int result = real_clock_nanosleep(CLOCK_MONOTONIC, 0, &shorter, &rest);
  if (result == EINTR && left && !(flags & TIMER_ABSTIME)) *left = timespec_of(nanoseconds(&rest) * speed);
  return result;
}

int nanosleep(const struct timespec *length, struct timespec *left) {
  int result = clock_nanosleep(CLOCK_MONOTONIC, 0, length, left);
  if (result) errno = result;
  return result ? -1 : 0;
}

int usleep(useconds_t length) {
  struct timespec time = timespec_of(length * INT64_C(1000));
  return nanosleep(&time, NULL);
}

unsigned sleep(unsigned length) {
  struct timespec time = timespec_of(length * SECOND), left = {0};
  return nanosleep(&time, &left) == 0 ? 0 : (unsigned)left.tv_sec + 1;
}

int ppoll(struct pollfd *set, nfds_t count, const struct timespec *timeout, const sigset_t *mask) {
  struct timespec shorter;
  if (timeout) shorter = timespec_of(shortened(nanoseconds(timeout)));
  return real_ppoll(set, count, timeout ? &shorter : NULL, mask);
}

int poll(struct pollfd *set, nfds_t count, int milliseconds) {
  struct timespec timeout = timespec_of(milliseconds * INT64_C(1000000));
  return ppoll(set, count, milliseconds < 0 ? NULL : &timeout, NULL);
}

int pselect(int count, fd_set *restrict reading, fd_set *restrict writing, fd_set *restrict failing,
            const struct timespec *restrict timeout, const sigset_t *restrict mask) {
  struct timespec shorter;
  if (timeout) shorter = timespec_of(shortened(nanoseconds(timeout)));
  return real_pselect(count, reading, writing, failing, timeout ? &shorter : NULL, mask);
}

int select(int count, fd_set *restrict reading, fd_set *restrict writing, fd_set *restrict failing,
           struct timeval *restrict timeout) {
  struct timespec time;
  if (timeout) time = timespec_of(timeout->tv_sec * SECOND + timeout->tv_usec * INT64_C(1000));
  return pselect(count, reading, writing, failing, timeout ? &time : NULL, NULL);
}

int epoll_pwait2(int descriptor, struct epoll_event *events, int count, const struct timespec *timeout,
                 const sigset_t *mask) {
  struct timespec shorter;
  if (timeout) shorter = timespec_of(shortened(nanoseconds(timeout)));
  return real_epoll_pwait2(descriptor, events, count, timeout ? &shorter : NULL, mask);
}

int epoll_pwait(int descriptor, struct epoll_event *events, int count, int milliseconds, const sigset_t *mask) {
  struct timespec timeout = timespec_of(milliseconds * INT64_C(1000000));
  return epoll_pwait2(descriptor, events, count, milliseconds < 0 ? NULL : &timeout, mask);
}

int epoll_wait(int descriptor, struct epoll_event *events, int count, int milliseconds) {
  return epoll_pwait(descriptor, events, count, milliseconds, NULL);
}

// MARK: Timers

int timerfd_create(clockid_t clock, int flags) {
  if (!real_timerfd_create) find_originals();
  int descriptor = real_timerfd_create(CLOCK_MONOTONIC, flags);
  if (descriptor >= 0 && descriptor < DESCRIPTORS) timer_clocks[descriptor] = (unsigned char)(clock + 1);
  return descriptor;
}

int timerfd_settime(int descriptor, int flags, const struct itimerspec *wanted, struct itimerspec *former) {
  if (descriptor < 0 || descriptor >= DESCRIPTORS || !timer_clocks[descriptor])
    return real_timerfd_settime(descriptor, flags, wanted, former);
  struct itimerspec shorter = {.it_interval = timespec_of(shortened(nanoseconds(&wanted->it_interval)))};
  int64_t value = nanoseconds(&wanted->it_value);
  if (value != 0) {
    clockid_t clock = timer_clocks[descriptor] - 1;
    int64_t wait = shortened(flags & TFD_TIMER_ABSTIME ? value - shown(clock) : value);
    // Zero would disarm the timer; one that is due fires at once.
    shorter.it_value = timespec_of(wait < 1 ? 1 : wait);
  }
  if (real_timerfd_settime(descriptor, 0, &shorter, former) != 0) return -1;
  if (former) former->it_value = timespec_of(nanoseconds(&former->it_value) * speed);
  if (former) former->it_interval = timespec_of(nanoseconds(&former->it_interval) * speed);
  return 0;
}

int timerfd_gettime(int descriptor, struct itimerspec *present) {
  if (real_timerfd_gettime(descriptor, present) != 0) return -1;
  if (descriptor < 0 || descriptor >= DESCRIPTORS || !timer_clocks[descriptor]) return 0;
  present->it_value = timespec_of(nanoseconds(&present->it_value) * speed);
  present->it_interval = timespec_of(nanoseconds(&present->it_interval) * speed);
  return 0;
}

// MARK: Threads

int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                           const struct timespec *instant) {
  struct timespec earlier = machine_instant(clock, instant);
  return real_pthread_cond_clockwait(condition, mutex, CLOCK_MONOTONIC, &earlier);
}

// A condition variable may run by another clock than that of the wall; its instants are far smaller then.
int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *instant) {
  clockid_t clock = nanoseconds(instant) > shown(CLOCK_REALTIME) / 2 ? CLOCK_REALTIME : CLOCK_MONOTONIC;
  return pthread_cond_clockwait(condition, mutex, clock, instant);
}

int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *instant) {
  struct timespec earlier = machine_instant(clock, instant);
  return real_sem_clockwait(semaphore, CLOCK_MONOTONIC, &earlier);
}

int sem_timedwait(sem_t *semaphore, const struct timespec *instant) {
  return sem_clockwait(semaphore, CLOCK_REALTIME, instant);
}
