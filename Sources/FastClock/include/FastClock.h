// A clock for a program whose time runs fast: preloaded, it lets every wait of that program pass sooner by the same factor by
// which its clocks run faster. The program is not changed, and does not know.
//
// FAST_CLOCK in the environment names a file of `struct fast_clock`, which stays mapped: whoever wrote it may change
// `wall_offset` while the program runs, and the program's wall clock jumps. Without a readable file the program ends before
// it begins, with status 78 and a sentence on standard error.
//
// Threads: any. Time that a program measures on processor clocks is left alone, as are timeouts of sockets and of `alarm`.
#ifndef FAST_CLOCK_H
#define FAST_CLOCK_H

#include <stdint.h>

struct fast_clock {
  // How many seconds pass for the program in one of the machine's, at least 1.
  int64_t speed;
  // An instant of the machine's CLOCK_MONOTONIC, in nanoseconds, that is not after the program's start ...
  int64_t anchor;
  // ... and what the program's wall clock shows then, in nanoseconds since 1970.
  int64_t wall;
  // What is wrong with the program's wall clock at present, in nanoseconds.
  int64_t wall_offset;
};

#endif
