import CCurl
import CMicroHTTPD  // Its header brings the declarations of sockets, which then count as its own.
import CNGHTTP2
import Glibc
import HTTP
import Platform

/// Makes connections by libcurl: names are resolved, addresses tried, proxies asked, TLS verified; what goes over them is up to others.
///
/// Unchecked: own thread: only the lane's uses it once it is made.
final class CurlConnector: @unchecked Sendable {
    private let multi: UnsafeMutableRawPointer
    private let configuration: HTTP2Client.Configuration

    /// Nil when there is no memory for it.
    init?(_ configuration: HTTP2Client.Configuration) {
        guard let multi = curl_multi_init() else { return nil }
        self.multi = multi
        self.configuration = configuration
    }

    deinit {
        curl_multi_cleanup(multi)
    }

    /// Begins to connect; nil when there is no memory for it.
    func connect(to origin: HTTPOrigin, within timeout: Duration) -> CurlConnection? {
        guard let handle = curl_easy_init() else { return nil }
        set(handle, CURLOPT_URL, "\(origin)/")
        set(handle, CURLOPT_PROTOCOLS_STR, "http,https")
        wb_curl_easy_setopt_long(handle, CURLOPT_CONNECT_ONLY, 1)
        wb_curl_easy_setopt_long(handle, CURLOPT_FRESH_CONNECT, 1)
        wb_curl_easy_setopt_long(handle, CURLOPT_NOSIGNAL, 1)
        // Else libcurl waits for the system's resolver, however long, when it gives a connection up.
        wb_curl_easy_setopt_long(handle, CURLOPT_QUICK_EXIT, 1)
        wb_curl_easy_setopt_long(handle, CURLOPT_CONNECTTIMEOUT_MS, max(1, Int(timeout.wholeMilliseconds)))
        wb_curl_easy_setopt_long(handle, CURLOPT_TCP_KEEPALIVE, 1)
        // A sender asks for the addresses anew with each connection (APNs facts §8).
        wb_curl_easy_setopt_long(handle, CURLOPT_DNS_CACHE_TIMEOUT, 0)
        wb_curl_easy_setopt_long(handle, CURLOPT_DNS_SHUFFLE_ADDRESSES, 1)
        if configuration.usesSystemProxy {
            // A proxy is asked for a tunnel also where there is no TLS.
            wb_curl_easy_setopt_long(handle, CURLOPT_HTTPPROXYTUNNEL, 1)
        } else {
            set(handle, CURLOPT_PROXY, "")
        }
        guard origin.scheme == "http" || setSecurity(handle), curl_multi_add_handle(multi, handle) == CURLM_OK else {
            curl_easy_cleanup(handle)
            return nil
        }
        return CurlConnection(handle, of: self)
    }

    private func setSecurity(_ handle: UnsafeMutableRawPointer) -> Bool {
        wb_curl_easy_setopt_long(handle, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        wb_curl_easy_setopt_long(handle, CURLOPT_SSL_VERIFYPEER, 1)
        wb_curl_easy_setopt_long(handle, CURLOPT_SSL_VERIFYHOST, 2)
        if let file = configuration.authorityFile { set(handle, CURLOPT_CAINFO, file) }
        // libcurl would speak HTTP/2 itself if it were the one to offer it; newer ones also where they should connect only.
        wb_curl_easy_setopt_long(handle, CURLOPT_SSL_ENABLE_ALPN, 0)
        return wb_curl_easy_setopt_ssl_context(handle, CURLOPT_SSL_CTX_FUNCTION, prepareTLS) == CURLE_OK
    }

    /// Closes a connection, in whatever state.
    func forget(_ handle: UnsafeMutableRawPointer) {
        curl_multi_remove_handle(multi, handle)
    }

    private func set(_ handle: UnsafeMutableRawPointer, _ option: CURLoption, _ text: String) {
        // libcurl copies texts.
        text.withCString { _ = wb_curl_easy_setopt_pointer(handle, option, $0) }
    }

    /// Goes on with every connection that is not there yet. Those that have come about or failed since are told of, each once.
    func advance(_ tell: (UnsafeMutableRawPointer, CURLcode) -> Void) {
        var count: Int32 = 0
        curl_multi_perform(multi, &count)
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle else { continue }
            tell(handle, wb_curl_message_result(message))
        }
    }

    /// Waits until libcurl has something to do, one of `others` is ready, or the time is over.
    func wait(for others: inout [pollfd], milliseconds: Int32) {
        var set = others.map { curl_waitfd(fd: $0.fd, events: Self.events($0.events), revents: 0) }
        var count: Int32 = 0
        curl_multi_poll(multi, &set, UInt32(set.count), milliseconds, &count)
        for (index, descriptor) in set.enumerated() {
            others[index].revents = descriptor.revents == 0 ? 0 : Int16(POLLIN)
        }
    }

    private static func events(_ events: Int16) -> Int16 {
        var result: Int16 = 0
        if events & Int16(POLLIN) != 0 { result |= Int16(CURL_WAIT_POLLIN) }
        if events & Int16(POLLOUT) != 0 { result |= Int16(CURL_WAIT_POLLOUT) }
        return result
    }
}

/// Offers HTTP/2 and nothing else, and lets writes be partial and move, as a sender without blocking needs it.
private let prepareTLS: curl_ssl_ctx_callback = { _, context, _ in
    guard let context = OpaquePointer(bitPattern: UInt(bitPattern: context)) else { return CURLE_SSL_CONNECT_ERROR }
    wb_SSL_CTX_set_mode(context, Int(SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER))
    let offer: [UInt8] = [2, UInt8(ascii: "h"), UInt8(ascii: "2")]
    // Of OpenSSL's functions the one that gives 0 for success.
    return SSL_CTX_set_alpn_protos(context, offer, UInt32(offer.count)) == 0 ? CURLE_OK : CURLE_SSL_CONNECT_ERROR
}
