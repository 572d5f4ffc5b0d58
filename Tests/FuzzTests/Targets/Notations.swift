import Crypto
import HTTP
import Platform

@testable import FakeGitLab
@testable import Notifier
@testable import Scenarios

extension FuzzTarget {
    /// A short text in any notation of requests, settings and scenarios; what is read writes back.
    static let notations = FuzzTarget("notations") { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        readDurations(text)
        readAddresses(text)
        readEncodings(bytes, text)
        if let cursor = ItemCursor(text) { promise(ItemCursor(cursor.text) == cursor, "a cursor reads back") }
        for notation in Notation.allCases { _ = notation.accepts(text) }
        if let windows = try? QuietHoursText.windows([QuietHoursText(days: nil, from: text, until: "07:00")]) {
            promise(windows.count == 7, "a window without days is one for each")
            let again = try? QuietHoursText.windows(QuietHoursText.texts(windows))
            promise(again == windows, "windows read back")
        }
        var rule = ZoneRuleParser(text)
        _ = rule.change()
    }

    private static func readDurations(_ text: String) {
        let ours = DurationNotation.parse(text)
        if let ours {
            promise(DurationNotation.parse(DurationNotation.text(ours)) == ours, "\(text) reads back")
            if let theirs = DurationNotation.parse(text) { promise(theirs == ours, "\(text) is one duration") }
        }
        if let duration = DurationNotation.parseSigned(text) {
            promise(DurationNotation.parseSigned(DurationNotation.text(duration)) == duration, "\(text) reads back")
        }
    }

    private static func readAddresses(_ text: String) {
        if let origin = HTTPOrigin(text) { promise(HTTPOrigin("\(origin)") == origin, "\(text) reads back") }
        let request = HTTPRequest(method: .get, origin: FuzzedNotifier.origin, target: text)
        let queryCount = request.query.map { $0.utf8.count + 1 } ?? 0
        promise(request.path.utf8.count + queryCount == text.utf8.count, "the parts add up")
        _ = request.parameter("cursor")
    }

    private static func readEncodings(_ bytes: [UInt8], _ text: String) {
        promise(Base64URL.decode(Base64URL.encode(bytes)) == bytes, "bytes read back")
        if let decoded = Base64URL.decode(text) {
            promise(Base64URL.encode(decoded) == text, "\(text) is the one text")
        }
        let encoded = FormCoding.text([("a", text)])
        let pairs = PercentEncoding.pairs(encoded[...])
        if bytes.contains(0) {
            promise(pairs == nil, "a zero byte is refused (supplement §5)")
        } else {
            promise(pairs?.first?.value == text, "a form reads back on the other side")
        }
        // Where the strict reader takes a text, the lenient one reads the same.
        if let strict = PercentEncoding.decode(text[...]) {
            promise(PercentCoding.decode(text[...]) == strict, "\(text) decodes to one text")
        }
    }
}
