import CCurl

/// Owner of one of libcurl's multi handles.
///
/// Unchecked: own thread: only the lane's uses it, but for `wake`, of which the manual page of `curl_multi_wakeup` says that it
/// may be called from any thread while the handle lives.
final class CurlMulti: LaneWaker, @unchecked Sendable {
    let handle: UnsafeMutableRawPointer

    /// Nil when there is no memory for it.
    init?(_ configuration: CurlClient.Configuration) {
        guard let handle = curl_multi_init() else { return nil }
        self.handle = handle
        wb_curl_multi_setopt_long(handle, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
        wb_curl_multi_setopt_long(handle, CURLMOPT_MAX_HOST_CONNECTIONS, configuration.connectionLimit)
        wb_curl_multi_setopt_long(handle, CURLMOPT_MAXCONNECTS, configuration.connectionLimit)
        wb_curl_multi_setopt_long(handle, CURLMOPT_MAX_CONCURRENT_STREAMS, configuration.exchangeLimit)
    }

    /// For an origin that speaks HTTP/2: one connection carries everything, and no burst of new ones looks like an attack (APNs facts
    /// §8). libcurl 7.88 also gives a connection up on which a stream was refused.
    func useOneConnection() {
        wb_curl_multi_setopt_long(handle, CURLMOPT_MAX_HOST_CONNECTIONS, 1)
    }

    deinit {
        curl_multi_cleanup(handle)
    }

    /// Ends the thread's wait.
    func wake() {
        curl_multi_wakeup(handle)
    }
}
