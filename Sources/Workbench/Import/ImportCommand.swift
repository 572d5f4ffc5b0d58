import JSON
import Scenarios
import Verdict

/// `simctl import`: an incident report becomes a scenario.
struct ImportCommand {
    private static let name = "imported-incident"

    var arguments: ImportArguments
    var console: LiveConsole

    /// - Throws: `ProgramError` when the bundle is none, tells too little, or the file cannot be written.
    func run() throws(ProgramError) -> ExitCode {
        if let out = arguments.out { try LiveOutFile.check(out, besides: arguments.bundle) }
        let text = try scenario()
        guard let out = arguments.out else {
            console.print(text)
            return .met
        }
        do throws(SystemFailure) {
            try LiveFile.write(text: text, to: out)
        } catch {
            throw error.programError
        }
        console.note("\(out): \(Self.summary(of: text)); look for \"Guess\" in it, then simctl run \(out)\n")
        return .met
    }

    private func scenario() throws(ProgramError) -> String {
        guard let path = arguments.bundle else {
            return try checked(MissedNews.scenario(arguments.missed, name: Self.name))
        }
        do throws(IncidentFault) {
            let bundle = try IncidentBundle(bytes: read(path))
            if let doubt = bundle.doubt { console.note("warning: \(path): \(doubt)\n") }
            return try IncidentScenario(bundle.adding(reports(to: bundle)), name: Self.name).text()
        } catch {
            let place = error.line.map { "\(path), line \($0)" } ?? path
            throw ProgramError(.unreadableBundle, "\(place): \(error.message)", hint: error.hint)
        }
    }

    private func read(_ path: String) throws(IncidentFault) -> [UInt8] {
        do throws(FileBytes.Failure) {
            return try FileBytes.read(path: path, limitBytes: IncidentBundle.limitBytes)
        } catch {
            switch error {
            case .notFound:
                throw IncidentFault("there is no such file", hint: "notifierd export-incident --to FILE writes one")
            case .directory: throw IncidentFault("it is a directory")
            case .unreadable: throw IncidentFault("it cannot be read", hint: "it is readable for its owner alone")
            case .tooLarge: throw IncidentFault("it has more than \(IncidentBundle.limitBytes) bytes")
            }
        }
    }

    /// What persons say, by the numbers of the bundle.
    private func reports(to bundle: IncidentBundle) throws(IncidentFault) -> [IncidentBundle.Report] {
        let cast = IncidentCast(bundle)
        var reports: [IncidentBundle.Report] = []
        for missed in arguments.missed {
            guard let account = bundle.accounts.first(where: { cast.name($0.id) == "\(missed.person)" }),
                let item = bundle.items.first(where: { cast.reference($0.number) == "\(missed.item)" })
            else {
                throw IncidentFault(
                    "it has no \(missed.person) or no \(missed.item)",
                    hint: "import it without --missed first, and take the names that stand in the scenario"
                )
            }
            reports.append(IncidentBundle.Report(account: account.id, item: item.number, at: missed.at))
        }
        return reports
    }

    private func checked(_ document: JSONValue) throws(ProgramError) -> String {
        let text = document.text(indented: true) + "\n"
        do throws(InvalidScenario) {
            _ = try ScenarioReader.read(Array(text.utf8), file: "imported")
            return text
        } catch {
            throw ProgramError(.badValue, "no scenario comes of that", problems: error.problems)
        }
    }

    private static func summary(of text: String) -> String {
        guard let scenario = try? ScenarioReader.read(Array(text.utf8), file: "imported") else { return "" }
        let people = scenario.world.people.filter { $0.notified != nil }.count
        let parts = [
            counted(people, "person", "people"), counted(scenario.world.itemReferences.count, "item", "items"),
            counted(scenario.timeline.count, "entry", "entries"),
        ]
        return parts.joined(separator: ", ") + " of the timeline"
    }

    private static func counted(_ count: Int, _ one: String, _ several: String) -> String {
        "\(count) \(count == 1 ? one : several)"
    }
}
