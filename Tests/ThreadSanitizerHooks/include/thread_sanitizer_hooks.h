/* Nothing is called here by name: `mutex.c` stands in for functions of Swift's library. */
