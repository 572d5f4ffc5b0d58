#ifndef WB_CNGHTTP2_SHIM_H
#define WB_CNGHTTP2_SHIM_H

#include <poll.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/types.h>

#include <nghttp2/nghttp2.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>

/* SSL_CTX_set_min_proto_version is a cast macro, which Swift does not import. */
static inline int wb_SSL_CTX_set_min_proto_version(SSL_CTX *context, int version) {
    return (int)SSL_CTX_set_min_proto_version(context, version);
}

static inline int wb_SSL_CTX_set_max_proto_version(SSL_CTX *context, int version) {
    return (int)SSL_CTX_set_max_proto_version(context, version);
}

/* So is SSL_CTX_add0_chain_cert. The context takes the certificate over when it succeeds. */
static inline int wb_SSL_CTX_add0_chain_cert(SSL_CTX *context, X509 *certificate) {
    return (int)SSL_CTX_add0_chain_cert(context, certificate);
}

/* So is SSL_CTX_set_mode. */
static inline void wb_SSL_CTX_set_mode(SSL_CTX *context, long mode) {
    SSL_CTX_set_mode(context, mode);
}

/* The members of nghttp2_frame's union by the type of the frame, which Swift would read one by one. */
static inline int wb_nghttp2_frame_ends_stream(const nghttp2_frame *frame) {
    return (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0;
}

static inline int wb_nghttp2_frame_is_request(const nghttp2_frame *frame) {
    return frame->hd.type == NGHTTP2_HEADERS && frame->headers.cat == NGHTTP2_HCAT_REQUEST;
}

#endif
