import Glibc
import HTTP
import JSON
import Live
import Notifier
import Platform
import SQLite

/// `notifierd export-incident`: one file of JSON lines for an incident report.
struct IncidentCommand {
    /// Of a longer log only the end is read, of which the newest lines are kept.
    private static let logLimitBytes = 64 * 1_048_576
    private static let logLimitLines = 2_000
    private static let requestLimitLines = 2_000
    private static let trafficLimitLines = 20_000

    private struct Head: Encodable {
        var kind = "incident"
        var version = NotifierVersion.current
        var at: Int64
        /// Which variables are set; nil when the secrets cannot be read.
        var variables: [String]?
        var fault: String?
        var settings: IncidentSettings
    }

    private struct Served: Encodable {
        var kind = "served"
        var path: String
        var status: Int?
        var body: String?
    }

    private let source: DaemonInputs.Source
    private let log: String?
    private let missed: MissedReport?

    /// - Parameters:
    ///   - source: of settings and secrets.
    ///   - log: the file with the server's log, `-` for standard input; nil for none.
    ///   - missed: who missed what when; nil where nobody says so.
    /// - Throws: `DaemonError.usage` for a `missed` that says something else.
    init(source: DaemonInputs.Source, log: String?, missed: String? = nil) throws(DaemonError) {
        (self.source, self.log) = (source, log)
        self.missed = missed.flatMap(MissedReport.init)
        guard missed == nil || self.missed != nil else {
            throw DaemonError(.usage, Self.complaint(about: missed), hint: "--missed '\(MissedReport.example)'")
        }
    }

    private static func complaint(about missed: String?) -> String {
        guard let missed else { return "--missed needs a value" }
        guard MissedReport("\(missed)Z") == nil else {
            return "the instant of --missed says no zone: Z at its end for UTC, or an offset such as +01:00"
        }
        let words = missed.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let right = MissedReport.example.split(separator: ",").map(String.init)
        guard words.count == right.count else {
            return "--missed takes who missed what when: a person, an item and an instant, separated by commas"
        }
        let kinds = [
            "no person: @ and a name of GitLab's", "no item: a project's path, ! or # for an issue, and its number",
            "no instant: to the second, with Z at its end for UTC or an offset such as +01:00",
        ]
        for index in kinds.indices {
            // Each among others that are right.
            var tried = right
            tried[index] = words[index]
            if MissedReport(tried.joined(separator: ",")) == nil {
                return "\"\(words[index])\" in --missed is \(kinds[index])"
            }
        }
        return "--missed is not understood"
    }

    /// Writes the file, for its owner alone; gives the sentence to print, and what the file lacks: whoever reads it elsewhere
    /// cannot ask for it.
    ///
    /// - Throws: `DaemonError`.
    func write(to file: String) async throws -> String {
        let settings = try DaemonSettings.read(source.path)
        // A fault of the settings is part of the report, and must not prevent it.
        let inputs = Result { try source.read() }
        let redaction = IncidentRedaction(try? inputs.get().secrets)
        var lines = [try DeterministicJSON.line(head(settings, inputs))]
        lines += try await served(settings).map { try DeterministicJSON.line($0) }
        let recorded = record(settings)
        lines += recorded.lines
        if let missed { lines.append(try report(missed, settings)) }
        let traffic = RequestRecord.lines(.traffic, beside: settings.database, limit: Self.trafficLimitLines)
        lines += traffic.compactMap(redaction.traffic)
        let requests = RequestRecord.lines(.requests, beside: settings.database, limit: Self.requestLimitLines)
        lines += requests.compactMap(redaction.request)
        let logged = try logLines().compactMap(redaction.line)
        lines += logged
        // Whoever reads it sees whether all of it has come.
        lines.append(#"{"kind":"end","lines":\#(lines.count)}"#)
        try LiveFile.create(file, lines.map { redaction.text($0) + "\n" }.joined())
        let sentence = "\(file): \(lines.count) lines, readable for you alone; look it through before you send it"
        return ([sentence] + lacks(inputs, recorded.fault, of: settings, logged: logged.count)).joined(separator: "\n")
    }

    /// A sentence for each thing that a report mostly has, and this one has not.
    private func lacks(
        _ inputs: Result<DaemonInputs, any Error>,
        _ fault: String?,
        of settings: DaemonSettings,
        logged: Int
    ) -> [String] {
        var sentences: [String] = []
        if let fault {
            let way =
                fault == "unreadable"
                ? "it is damaged, or for root and the server's user alone"
                : "\"database\" in the settings says where it is"
            sentences.append(
                "warning: nobody's news is in it, as the database \(settings.database) is \(fault); \(way)"
            )
        }
        if case .failure = inputs {
            sentences.append(
                "warning: the secrets are not known here, so that what equals them is not struck out; "
                    + "notifierd check-config says what is wrong"
            )
        }
        if let log, logged == 0 {
            let place = log == "-" ? "standard input" : log
            sentences.append(
                "warning: no line of the log is in it, as none in \(place) is one of this server's; "
                    + "journalctl gives them with -o cat"
            )
        }
        return sentences
    }

    private func head(_ settings: DaemonSettings, _ inputs: Result<DaemonInputs, any Error>) -> Head {
        var head = Head(at: LiveTime().wallNow.microseconds, settings: IncidentSettings(settings))
        switch inputs {
        case .success(let inputs): head.variables = inputs.variableNames
        case .failure(let error): head.fault = (error as? DaemonError)?.code.rawValue ?? "unknown"
        }
        return head
    }

    /// What the running server says of itself: its requests by route and status, and its readiness.
    private func served(_ settings: DaemonSettings) async -> [Served] {
        guard let port = DatabaseLock.servingPort(settings.database), settings.listen.certificate == nil else {
            return []
        }
        var configuration = CurlClient.Configuration()
        configuration.usesSystemProxy = false
        let client = CurlClient(configuration)
        let origin = HTTPOrigin(scheme: "http", host: settings.listen.reachableHost, port: port)
        var served: [Served] = []
        for path in ["/health/ready", "/metrics"] {
            let options = HTTPSendOptions(connectTimeout: .seconds(2), totalTimeout: .seconds(5))
            let outcome = await client.send(HTTPRequest(method: .get, origin: origin, target: path), options: options)
            var entry = Served(path: path)
            if case .response(let response) = outcome {
                (entry.status, entry.body) = (response.status, String(decoding: response.body, as: UTF8.self))
            }
            served.append(entry)
        }
        return served
    }

    /// What the database tells, or the one line that says why it tells nothing.
    private func record(_ settings: DaemonSettings) -> (lines: [String], fault: String?) {
        var fault = "missing"
        if access(settings.database, F_OK) != 0 {
            // In a folder that is for the server's user alone.
            if errno == EACCES { fault = "unreadable" }
        } else {
            do {
                let lines = try IncidentRecord.lines(
                    of: Database(path: settings.database),
                    zones: LiveTimeZones(),
                    at: LiveTime().wallNow
                )
                return (lines, nil)
            } catch {
                // Its names and codes are ours; a database that cannot be read is what the report is about.
                fault = error is SQLiteError ? "unreadable" : "foreign"
            }
        }
        return ([#"{"kind":"database","fault":"\#(fault)"}"#], fault)
    }

    /// - Throws: `DaemonError` when the server knows no such person or item: a report without them would say nothing.
    private func report(_ missed: MissedReport, _ settings: DaemonSettings) throws -> String {
        try DatabaseCommands.requireFile(settings.database)
        let line = try DatabaseCommands.translating(settings.database) {
            try missed.line(in: Database(path: settings.database))
        }
        guard let line else {
            throw DaemonError(
                .notKnown,
                "this server knows no such person, or no such item",
                hint: "--missed takes GitLab's name of somebody who is connected, and an item that somebody watches"
            )
        }
        return line
    }

    private func logLines() throws -> [Substring] {
        guard let log else { return [] }
        let path = log == "-" ? "/dev/stdin" : log
        let bytes = try LiveFile.readEnd(path, limitBytes: Self.logLimitBytes)
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").suffix(Self.logLimitLines)
    }
}

extension DaemonSettings.Listening {
    /// Where this machine reaches it: an address that stands for all of the machine's is none to connect to.
    fileprivate var reachableHost: String {
        switch address {
        case "0.0.0.0": "127.0.0.1"
        case "::": "[::1]"
        default: address.contains(":") ? "[\(address)]" : address
        }
    }
}
