#include <stdbool.h>

/// The number of the mistake that is active; 0 for none.
extern long mutants_active;

/// A byte for each mistake: how often its place was reached, up to 255.
extern volatile unsigned char *mutants_hits;

/// Whether a mistake is active. Says by the way that its place was reached.
static inline __attribute__((always_inline)) bool mutants_isActive(long id) {
    if (mutants_hits[id] < 255) mutants_hits[id] += 1;
    return mutants_active == id;
}
