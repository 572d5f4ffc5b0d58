import Testing

@testable import HTTP

@Suite struct IPAddressTests {
    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("0.0.0.0", "0.0.0.0"), ("255.255.255.255", "255.255.255.255"), ("::", "::"),
        ("::1", "::1"), ("0:0:0:0:0:0:0:1", "::1"), ("2001:DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1"),
        ("2001:db8::", "2001:db8::"), ("2001:0db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"),
        ("::ffff:127.0.0.1", "::ffff:7f00:1"),
        ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"), ("1::8", "1::8"), ("64:ff9b::192.0.2.33", "64:ff9b::c000:221"),
        ("1:0:0:2:0:0:0:3", "1:0:0:2::3"), ("0:0:3:4:5:6:7:0", "::3:4:5:6:7:0"),
    ])
    func `an address is written in one form`(text: String, printed: String) {
        #expect(IPAddress(text)?.description == printed)
        #expect(IPAddress(printed) == IPAddress(text))
    }

    @Test(arguments: [
        "", "1", "127.1", "0177.0.0.1", "127.0.0.01", "127.0.0.256", "127.0.0.1.", "0x7f.0.0.1", "1.2.3.4.5",
        " 1.2.3.4",
        "+1.2.3.4", "2130706433", ":", ":::", "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7::8:9",
        "12345::", "g::", "::1%eth0", "[::1]", "::+1", "1.2.3.4::", "::1.2.3.4:5", "1:2:3:4:5:6:7:1.2.3.4", "1:",
        "::1:", "é::1", String(repeating: "1", count: 4_000),
    ])
    func `anything else is none`(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("127.255.0.9", true), ("128.0.0.1", false), ("::1", true), ("::2", false),
        ("::ffff:127.0.0.1", false), ("0.0.0.0", false), ("::", false),
    ])
    func `loopback is 127 and one`(text: String, isLoopback: Bool) {
        #expect(IPAddress(text)?.isLoopback == isLoopback)
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::", "2001:db8:1:3::/64"), ("::1", "::/64"), ("::ffff:192.0.2.1", "192.0.2.1"),
    ])
    func `a customer of a network has an address of IPv4 and 64 bits of IPv6`(text: String, network: String) {
        #expect(IPAddress(text)?.network == network)
    }

    @Test(arguments: [
        ("https://gitlab.example.com.", "https://gitlab.example.com"),
        ("https://GITLAB.example.com:443/", "https://gitlab.example.com"),
        ("http://[0:0:0::0:1]:80", "http://[::1]"), ("https://[::FFFF:10.0.0.1]", "https://[::ffff:a00:1]"),
        ("https://10.0.0.1", "https://10.0.0.1"), ("https://0177.0.0.1", "https://0177.0.0.1"),
        ("https://2130706433", "https://2130706433"), ("https://a..", "https://a."),
    ])
    func `an origin has a normal form, and another number is another host`(text: String, normal: String) {
        #expect(HTTPOrigin(text)?.normal.description == normal)
    }

    @Test(arguments: [
        ("http://127.0.0.1", true), ("http://[::1]", true), ("http://localhost.", true), ("http://LOCALHOST", true),
        ("http://127.1", false), ("http://127.0.0.1.example.com", false), ("http://localhost.example.com", false),
        ("http://0.0.0.0", false),
    ])
    func `loopback is known by its own spellings alone`(text: String, isLoopback: Bool) {
        #expect(HTTPOrigin(text)?.isLoopback == isLoopback)
    }
}
