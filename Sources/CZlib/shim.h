#ifndef WB_CZLIB_SHIM_H
#define WB_CZLIB_SHIM_H

#include <zlib.h>

// deflateInit2 is a macro, which Swift does not import. 31 is the largest window with gzip's header; 8 is zlib's own default of memory.
static inline int wb_deflate_init_gzip(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY);
}

#endif
