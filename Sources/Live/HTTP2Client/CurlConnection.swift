import CCurl
import HTTP

/// One connection that libcurl has made or is making, and its bytes. Never blocks.
///
/// Isolation: the lane's thread.
final class CurlConnection {
    /// Under which ``CurlConnector/advance(_:)`` tells of it.
    let handle: UnsafeMutableRawPointer
    private let connector: CurlConnector

    /// Takes the handle over, which `connector` has already.
    init(_ handle: UnsafeMutableRawPointer, of connector: CurlConnector) {
        self.handle = handle
        self.connector = connector
    }

    /// Closes the connection.
    deinit {
        connector.forget(handle)
        curl_easy_cleanup(handle)
    }

    /// Nil before the connection is there.
    var descriptor: Int32? {
        var descriptor = Int32(CURL_SOCKET_BAD)
        let result = wb_curl_easy_getinfo_socket(handle, CURLINFO_ACTIVESOCKET, &descriptor)
        return result == CURLE_OK && descriptor != CURL_SOCKET_BAD ? descriptor : nil
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> HTTP2Socket.Progress {
        var count = 0
        let result = curl_easy_recv(handle, buffer.baseAddress, buffer.count, &count)
        return progress(result, count)
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> HTTP2Socket.Progress {
        var count = 0
        let result = curl_easy_send(handle, bytes.baseAddress, bytes.count, &count)
        return progress(result, count)
    }

    private func progress(_ result: CURLcode, _ count: Int) -> HTTP2Socket.Progress {
        switch result {
        case CURLE_OK: count > 0 ? .moved(count) : .ended
        case CURLE_AGAIN: .blocked
        default: .ended
        }
    }
}
