#ifndef WB_CMALLOC_SHIM_H
#define WB_CMALLOC_SHIM_H

// What the C library's allocator has beside the standard's functions, which Swift's module of it leaves out.
#include <malloc.h>

#endif
