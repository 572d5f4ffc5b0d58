import Glibc
import SwiftOperators
import SwiftParser
import SwiftSyntax

// mutator SOURCES TARGET REFUSED FILE…
//
// Reads each FILE below SOURCES and writes it with all its mutants below TARGET. REFUSED is a file with the keys of mutants to leave
// out, one a line. The catalogue goes to standard output, a JSON object for each mutant.

let arguments = CommandLine.arguments
guard arguments.count > 4 else { fail("usage: mutator SOURCES TARGET REFUSED FILE…") }
let (sources, target) = (arguments[1], arguments[2])
let refused = Set(read(arguments[3]).split(separator: "\n").map(String.init))
let files = arguments.dropFirst(4).sorted()

var trees: [(file: String, tree: SourceFileSyntax)] = []
var types = TypeTable()
for file in files {
    let parsed = Parser.parse(source: read("\(sources)/\(file)"))
    guard let tree = OperatorTable.standardOperators.foldAll(parsed, errorHandler: { _ in }).as(SourceFileSyntax.self)
    else { fail("\(file) is no source file") }
    types.read(tree)
    trees.append((file, tree))
}

var catalogue = Catalogue(refused: refused)
for (file, tree) in trees {
    let first = catalogue.mutants.count
    let planner = Planner(file, tree, types: types, catalogue: catalogue)
    planner.walk(tree)
    catalogue = planner.catalogue
    var writer = Writer(planner.plan)
    writer.write(Syntax(tree))
    write(writer.text, to: "\(target)/\(file)")
    let ranges = Dictionary(writer.ranges.map { ($0.id, $0) }, uniquingKeysWith: { earlier, _ in earlier })
    for mutant in catalogue.mutants[first...] {
        guard let range = ranges[mutant.id] else { fail("\(mutant.key) was planned and not written") }
        print(line(of: mutant, at: range))
    }
}

/// One line of the catalogue.
func line(of mutant: Mutant, at range: WrittenRange) -> String {
    let texts = [
        ("key", mutant.key), ("rule", mutant.rule.rawValue), ("file", mutant.file), ("original", mutant.original),
        ("mutated", mutant.mutated),
    ]
    let numbers = [
        ("id", mutant.id), ("line", mutant.line), ("column", mutant.column), ("textStart", range.text.lowerBound),
        ("textEnd", range.text.upperBound), ("start", range.whole.lowerBound), ("end", range.whole.upperBound),
    ]
    let members = numbers.map { "\"\($0)\":\($1)" } + texts.map { "\"\($0)\":\(quoted($1))" }
    return "{" + members.joined(separator: ",") + "}"
}

/// A text in JSON.
func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\"", "\\": result += "\\\(scalar)"
        case _ where scalar.value < 32:
            let digits = String(scalar.value, radix: 16)
            result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result + "\""
}

/// The text of a file.
func read(_ path: String) -> String {
    guard let file = fopen(path, "r") else { fail("cannot read \(path)") }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
    return String(decoding: bytes, as: UTF8.self)
}

/// Writes a file whose folder is there.
func write(_ text: String, to path: String) {
    guard let file = fopen(path, "w") else { fail("cannot write \(path)") }
    let bytes = Array(text.utf8)
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count, fclose(file) == 0 else { fail("cannot write \(path)") }
}

/// Ends the program.
func fail(_ message: String) -> Never {
    let bytes = Array("mutator: \(message)\n".utf8)
    _ = Glibc.write(2, bytes, bytes.count)
    exit(1)
}
