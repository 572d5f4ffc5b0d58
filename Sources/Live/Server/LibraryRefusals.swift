import CMicroHTTPD
import Glibc
import HTTP

/// The answers that libmicrohttpd gives without asking anybody, in the words of whoever serves.
///
/// A request that it cannot read, or that does not fit into a connection's memory, it answers with a page of HTML, and has no setting for
/// that. But it queues these pages by its own public function, which the dynamic linker finds by name: here first, as a program's own
/// functions come before those of its libraries. Should another build of the library not look it up, the pages are back, and a test
/// says so.
enum LibraryRefusals {
    private typealias Queue = @convention(c) (OpaquePointer?, UInt32, OpaquePointer?) -> MHD_Result

    /// libmicrohttpd's own function.
    private static let library: Queue = {
        // RTLD_NEXT, a cast macro: whatever bears the name behind this program.
        guard let symbol = dlsym(UnsafeMutableRawPointer(bitPattern: -1), "MHD_queue_response") else {
            preconditionFailure("libmicrohttpd queues responses by a function of that name")
        }
        return unsafeBitCast(symbol, to: Queue.self)
    }()

    /// Puts a response on its way, unchanged.
    static func queue(_ connection: OpaquePointer?, _ status: UInt32, _ response: OpaquePointer?) -> MHD_Result {
        library(connection, status, response)
    }

    /// Puts on its way what takes the place of the library's page.
    fileprivate static func replace(
        _ connection: OpaquePointer?,
        _ status: UInt32,
        _ response: OpaquePointer?
    ) -> MHD_Result {
        guard let connection, let refusal = HTTPRefusal(rawValue: Int(status)),
            let note = ConnectionNote.of(connection)
        else { return library(connection, status, response) }
        let reply = note.daemon.reply(to: refusal)
        if isHeadWrittenTwice(of: connection), note.daemon.writeAndClose(reply, to: note.descriptor) { return .NO }
        return MicroHTTPDResponse.queue(reply, connection) == .YES ? .YES : library(connection, status, response)
    }

    /// Behind a length that is no number libmicrohttpd 0.9.75 writes the head of its answer, and then once more.
    private static func isHeadWrittenTwice(of connection: OpaquePointer) -> Bool {
        let length = MHD_lookup_connection_value(connection, .HEADER_KIND, "Content-Length")
        return length.map { UInt64(String(cString: $0)) == nil } ?? false
    }
}

/// Stands before libmicrohttpd's function of that name; our own answers do not take this way.
@c(MHD_queue_response)
package func libraryQueuesResponse(
    _ connection: OpaquePointer?,
    _ status: UInt32,
    _ response: OpaquePointer?
) -> Int32 {
    Int32(LibraryRefusals.replace(connection, status, response).rawValue)
}
