import Live
import Platform
import Testing

struct LiveTimeZonesTests {
    @Test(arguments: ["Europe/Berlin", "America/Argentina/Buenos_Aires", "UTC", "Etc/GMT+5"])
    func `a zone of the tz database has a file`(identifier: String) {
        #expect(LiveTimeZones().zoneFile(identifier)?.starts(with: Array("TZif".utf8)) == true)
    }

    @Test(arguments: [
        "", "/", "Europe", "Europe/", "../zoneinfo/UTC", "Europe/../UTC", "/etc/passwd", "tzdata.zi", "Mars/Olympus",
        "a/b/c/d", "Europe/Berlin\0",
    ])
    func `what is no zone has none, and no name leads elsewhere`(identifier: String) {
        #expect(LiveTimeZones().zoneFile(identifier) == nil)
    }
}
