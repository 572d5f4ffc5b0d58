#include "CMutants.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { CAPACITY = 1 << 16 };

static unsigned char nowhere[CAPACITY];

long mutants_active = 0;
volatile unsigned char *mutants_hits = nowhere;

/// Reads, before the program starts, which mistake is active and into which file hits go. The file is mapped, so that it has them
/// however the program ends.
__attribute__((constructor)) static void start(void) {
    const char *active = getenv("MUTANT_ACTIVE");
    const char *path = getenv("MUTANT_HITS");
    if (active) mutants_active = atol(active);
    if (!path) return;
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0 || ftruncate(file, CAPACITY) != 0) _exit(70);
    void *map = mmap(NULL, CAPACITY, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (map == MAP_FAILED) _exit(70);
    mutants_hits = map;
    close(file);
}
