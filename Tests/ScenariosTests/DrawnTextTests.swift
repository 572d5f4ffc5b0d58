import Platform
import Testing

@testable import Scenarios

struct DrawnTextTests {
    /// So many comments of one drawn world.
    private static func bodies(_ count: Int, seed: UInt64) -> [String] {
        var random = RandomStream(seed: seed)
        let cast = DrawnCast(random: &random)
        let words = DrawnText(of: cast, random: &random)
        var bodies: [String] = []
        for _ in 0..<count {
            if let body = words.text(for: "body", &random) { bodies.append(body) }
        }
        return bodies
    }

    @Test func `every text is one that a scenario takes`() {
        var random = RandomStream(seed: 1)
        let cast = DrawnCast(random: &random)
        let words = DrawnText(of: cast, random: &random)
        for key in ["body", "title", "label", "milestone", "emoji"] {
            for _ in 0..<300 {
                let text = words.text(for: key, &random) ?? ""
                #expect(Notation.text.accepts(text), "\(key): \(text)")
                if key != "body" { #expect(text.count <= 240 && !text.contains(where: \.isNewline)) }
                if key == "label" { #expect(!text.contains(",")) }
            }
        }
        let route = words.text(for: "route", &random)
        #expect(route == nil)
    }

    @Test(arguments: [
        "`@", "```\n@", "\n@", "> @", "- @", "(@", "[@", "](https://example.com)", "<!-- @", "\\@", "| @", "    @",
        "\u{202E}@", "very very",
    ])
    func `names stand in every kind of place`(place: String) {
        let bodies = Self.bodies(2_000, seed: 1)
        #expect(bodies.count == 2_000)
        #expect(bodies.contains { $0.contains(place) })
    }

    @Test func `a quarter of what is drawn is plain, and some has many lines`() {
        let bodies = Self.bodies(1_000, seed: 2)
        #expect(bodies.count { !$0.contains("@") && $0.count < 40 } >= 200)
        #expect(bodies.contains { $0.count(where: \.isNewline) >= 29 })
    }

    @Test func `in one world of three names and paths have all that GitLab takes`() throws {
        var odd = 0
        for seed in UInt64(1)...60 {
            let world = try WorldGenerator.world(seed: seed).scenario.world
            let names = world.people.map(\.name)
            #expect(Set(names).count == names.count && names.allSatisfy { $0.count <= 255 })
            let usernames = Set(world.people.map { $0.username.text.lowercased() })
            #expect(usernames.count == world.people.count)
            #expect(world.people.allSatisfy { $0.username.text.utf8.count <= 64 })
            if world.projects[0].path.text != "team/alpha" { odd += 1 }
        }
        #expect((8...32).contains(odd))
    }
}
