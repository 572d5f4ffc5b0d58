import JSON

/// Reads scenario files: bytes, then JSON, then shape, then meaning. Each stage reports everything it finds, and the next one
/// only looks at what the former found sound.
package enum ScenarioReader {
    /// Larger files are refused; a resolved scenario of some hundred thousand steps fits.
    package static let limitBytes = 64 * 1_024 * 1_024

    /// The scenario in the file at `path`; throws `InvalidScenario` with everything that is wrong with it.
    package static func read(path: String) throws(InvalidScenario) -> Scenario {
        let bytes: [UInt8]
        do throws(FileBytes.Failure) {
            bytes = try FileBytes.read(path: path, limitBytes: limitBytes)
        } catch {
            throw InvalidScenario(problems: [problem(error, path: path)])
        }
        return try read(bytes, file: path)
    }

    /// The scenario in `bytes`, with `file` as its name in messages.
    package static func read(_ bytes: [UInt8], file: String) throws(InvalidScenario) -> Scenario {
        var report = ProblemReport(file: file, source: SourceText(bytes: bytes))
        try checkEncoding(bytes, file: file)
        let node = try parse(bytes, &report)
        var shape = ShapeCheck(report: report)
        shape.check(node, .object(ScenarioShape.root), at: "")
        try shape.report.throwIfAny()
        var decoder = ScenarioDecoder(report: shape.report)
        let scenario = decoder.decode(Cursor(node: node, pointer: ""))
        try decoder.report.throwIfAny()
        try PlanCheck.check(scenario, timeline: node["timeline"], report: decoder.report)
        return scenario
    }

    private static func parse(_ bytes: [UInt8], _ report: inout ProblemReport) throws(InvalidScenario) -> JSONNode {
        var reader = JSONReader(bytes: bytes)
        let node: JSONNode
        do throws(JSONReader.Failure) {
            node = try reader.read()
        } catch {
            report.add(ProblemCode(error.kind), at: error.offset, "", error.message, hint: error.hint)
            throw InvalidScenario(problems: report.problems)
        }
        for duplicate in reader.duplicates {
            let message = "The key \(quoted(duplicate.key)) appears twice in one object."
            report.add(.duplicateKey, at: duplicate.offset, duplicate.pointer, message)
        }
        return node
    }

    private static func checkEncoding(_ bytes: [UInt8], file: String) throws(InvalidScenario) {
        func fail(_ code: ProblemCode, _ message: String, _ hint: String) throws(InvalidScenario) {
            throw InvalidScenario(problems: [Problem(code: code, file: file, message: message, hint: hint)])
        }
        if !bytes.contains(where: { !" \n\r\t".utf8.contains($0) }) {
            try fail(.emptyFile, "The file is empty.", "A scenario is a JSON object; `simctl schema` prints its form.")
        }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            try fail(.byteOrderMark, "The file begins with a byte order mark.", "Save it as UTF-8 without one.")
        }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            try fail(.notUTF8, "The file is written in UTF-16.", "Save it as UTF-8.")
        }
        if String(validating: bytes, as: UTF8.self) == nil {
            try fail(.notUTF8, "The file is not valid UTF-8.", "Save it as UTF-8.")
        }
    }

    private static func problem(_ failure: FileBytes.Failure, path: String) -> Problem {
        switch failure {
        case .notFound:
            Problem(code: .fileNotFound, file: path, message: "There is no such file.", hint: "Check the path.")
        case .directory:
            Problem(
                code: .notAFile,
                file: path,
                message: "This is a directory.",
                hint: "Name the scenario files in it, such as \(path.hasSuffix("/") ? path : path + "/")*.json."
            )
        case .unreadable:
            Problem(
                code: .unreadableFile,
                file: path,
                message: "The file cannot be read.",
                hint: "Check its permissions."
            )
        case .tooLarge:
            Problem(code: .tooLarge, file: path, message: "The file is larger than \(limitBytes / 1_048_576) MiB.")
        }
    }
}
