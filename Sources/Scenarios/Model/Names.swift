/// A GitLab username, written `@maria` in a scenario. Comparison is exact.
package struct Username: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Without the at sign: 1–255 letters, digits, `_`, `-` and `.`, not starting with `-` or `.`.
    package let text: String

    /// Nil unless `text` (without the at sign) is a username GitLab would accept.
    package init?(_ text: String) {
        guard (1...255).contains(text.utf8.count), let first = text.utf8.first else { return nil }
        guard text.utf8.allSatisfy(isPathByte), first != UInt8(ascii: "-"), first != UInt8(ascii: ".") else {
            return nil
        }
        self.text = text
    }

    /// Nil unless `notation` is an at sign followed by a username.
    init?(notation: String) {
        guard notation.hasPrefix("@") else { return nil }
        self.init(String(notation.dropFirst()))
    }

    /// The notation of scenario files: `@maria`.
    package var description: String { "@" + text }

    package static func < (left: Username, right: Username) -> Bool { left.text < right.text }
}

/// The full path of a GitLab project: a group (and its subgroups) and the project's own path, as in `team/backend`.
package struct ProjectPath: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Two to twenty segments joined by slashes, each made of letters, digits, `_`, `-` and `.`.
    package let text: String

    /// Nil unless `text` has at least a group and a project.
    package init?(_ text: String) {
        let segments = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard (2...20).contains(segments.count), text.utf8.count <= 255 else { return nil }
        guard segments.allSatisfy(Self.isSegment) else { return nil }
        self.text = text
    }

    package var description: String { text }

    package static func < (left: ProjectPath, right: ProjectPath) -> Bool { left.text < right.text }

    private static func isSegment(_ segment: Substring.UTF8View) -> Bool {
        guard let first = segment.first, first != UInt8(ascii: "-"), first != UInt8(ascii: ".") else { return false }
        return segment.allSatisfy(isPathByte)
    }
}

/// What can be watched and acted upon in a project.
package enum ItemKind: String, Hashable, Sendable, CaseIterable {
    case mergeRequest, issue

    /// GitLab's sign in references: `!` for merge requests, `#` for issues.
    var sign: Character { self == .mergeRequest ? "!" : "#" }

    /// The kind as it stands in a sentence.
    var phrase: String { self == .mergeRequest ? "merge request" : "issue" }
}

/// One issue or merge request in GitLab's own notation: `team/backend!847`, `team/backend#234`.
package struct ItemReference: Hashable, Comparable, Sendable, CustomStringConvertible {
    package var project: ProjectPath
    package var kind: ItemKind
    /// The number within the project, from 1.
    package var iid: Int64

    package init(project: ProjectPath, kind: ItemKind, iid: Int64) {
        self.project = project
        self.kind = kind
        self.iid = iid
    }

    /// Nil unless `notation` is a project path, `!` or `#`, and a positive number of up to 18 digits.
    package init?(notation: String) {
        guard let split = splitAtSign(notation), let project = ProjectPath(split.path) else { return nil }
        guard let iid = naturalNumber(split.number), iid > 0 else { return nil }
        self.init(project: project, kind: split.kind, iid: iid)
    }

    package var description: String { "\(project)\(kind.sign)\(iid)" }

    package static func < (left: ItemReference, right: ItemReference) -> Bool {
        (left.project, left.kind.rawValue, left.iid) < (right.project, right.kind.rawValue, right.iid)
    }
}

/// What a person calls one of their devices, such as `phone`; unique per person.
package struct DeviceName: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// 1–64 lower-case letters, digits and hyphens, starting with a letter.
    package let text: String

    /// Nil unless `text` is a plain name.
    package init?(_ text: String) {
        guard isPlainName(text) else { return nil }
        self.text = text
    }

    package var description: String { text }

    package static func < (left: DeviceName, right: DeviceName) -> Bool { left.text < right.text }
}

/// The name of a timeline entry, by which a fault is found again in gates, trace and report.
///
/// A fault that nobody named is called by kind and instant, `gitlab-outage@2h`. An entry that occurs more than once numbers
/// its occurrences: `crashes#3`; `group` is what they have in common.
package struct EntryID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// 1–96 characters: a lower-case letter, then those, digits, hyphens and `@ / % .`, optionally `#` and a number.
    package let text: String

    /// Nil unless `text` has that form.
    package init?(_ text: String) {
        let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        guard (1...96).contains(text.utf8.count), let name = parts.first, let first = name.utf8.first else {
            return nil
        }
        guard isLowerCase(first), name.utf8.allSatisfy(isEntryByte) else { return nil }
        if parts.count > 1 { guard naturalNumber(String(parts[1])) != nil else { return nil } }
        self.text = text
    }

    /// The name without the number of the occurrence.
    package var group: String { text.split(separator: "#").first.map(String.init) ?? text }

    package var description: String { text }

    package static func < (left: EntryID, right: EntryID) -> Bool { left.text < right.text }

    private func numbered(_ occurrence: Int) -> EntryID? { EntryID("\(group)#\(occurrence)") }

    /// The name of one occurrence, counted from 1.
    func occurrence(_ number: Int) -> EntryID { numbered(number) ?? self }
}

/// Path, kind and the part after the sign of `team/backend!847`; nil when there is no sign.
func splitAtSign(_ text: String) -> (path: String, kind: ItemKind, number: String)? {
    guard let index = text.lastIndex(where: { $0 == "!" || $0 == "#" }) else { return nil }
    let kind: ItemKind = text[index] == "!" ? .mergeRequest : .issue
    return (String(text[..<index]), kind, String(text[text.index(after: index)...]))
}

/// A number written as 1–18 ASCII digits; nil for anything else, also for a sign or a blank.
func naturalNumber(_ text: some StringProtocol) -> Int64? {
    guard (1...18).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int64(text)
}

/// Whether `text` is 1–64 lower-case letters, digits and hyphens and starts with a letter.
func isPlainName(_ text: String) -> Bool {
    guard (1...64).contains(text.utf8.count), let first = text.utf8.first, isLowerCase(first) else { return false }
    return text.utf8.allSatisfy { isLowerCase($0) || isDigit($0) || $0 == UInt8(ascii: "-") }
}

private func isPathByte(_ byte: UInt8) -> Bool {
    isLowerCase(byte) || isDigit(byte) || (0x41...0x5A).contains(byte)
        || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
}

private func isEntryByte(_ byte: UInt8) -> Bool {
    isLowerCase(byte) || isDigit(byte) || "-@/%.".utf8.contains(byte)
}

private func isLowerCase(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }

private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
