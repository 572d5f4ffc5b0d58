extension Rule {
    /// The full Foundation brings ICU, locales and a slow start; nothing here needs them.
    static let foundation = Rule(name: "FoundationEssentials stands for Foundation") { file in
        imports(in: file).compactMap { module, line in
            guard module == "Foundation" || module.hasPrefix("FoundationNet") || module.hasPrefix("FoundationInter")
            else {
                return nil
            }
            // Apple's systems have no FoundationEssentials: the kit asks which of them there is.
            guard file.target != "NotifierKit" || module != "Foundation" || !file.isElseBranch(line) else { return nil }
            return file.finding(line, "import FoundationEssentials instead of \(module)")
        }
    }

    /// Arrows between targets point one way, and the notifier and the fakes meet on the wire only.
    static let targetImports = Rule(name: "a target imports only what stands below it") { file in
        imports(in: file).compactMap { module, line in
            guard isOwnTarget(module), !allowedImports(of: file).contains(module) else { return nil }
            return file.finding(line, "\(file.target) must not import \(module)")
        }
    }

    /// Which of the package's targets each one may import.
    static let importTable: [String: Set<String>] = [
        "Platform": [],
        "HTTP": ["Platform"],
        "JSON": [],
        "CommandTable": [],
        "Duties": [],
        "SQLite": ["CSQLite"],
        "Crypto": ["COpenSSL", "Platform"],
        "Configuration": ["Platform", "HTTP"],
        "Notifier": ["Platform", "HTTP", "JSON", "SQLite", "Crypto", "Configuration", "Duties"],
        "Live": ["CCurl", "CMicroHTTPD", "CNGHTTP2", "Platform", "HTTP", "JSON", "Crypto"],
        "Daemon": [
            "CommandTable", "Platform", "HTTP", "JSON", "SQLite", "Crypto", "Configuration", "Notifier", "Live",
        ],
        "notifierd": ["Daemon"],
        "NotifierKit": ["Duties"],
        "KitHTTP": ["HTTP", "NotifierKit"],
        "KitSQLite": ["SQLite", "NotifierKit"],
        "TerminalClient": [
            "Duties", "CommandTable", "Platform", "HTTP", "JSON", "SQLite", "Live", "NotifierKit", "KitHTTP",
            "KitSQLite",
        ],
        "gitlab-notify": ["TerminalClient"],
        "FakeGitLab": ["Platform", "HTTP", "Crypto"],
        "FakeAPNs": ["Platform", "HTTP", "Crypto"],
        "Simulation": ["Platform", "HTTP"],
        "SimulatedStorage": ["CSQLite", "Platform", "SQLite"],
        "Scenarios": ["Platform", "JSON", "Configuration"],
        "Verdict": ["Platform", "JSON", "Scenarios"],
        "ReportPage": ["Crypto", "Platform", "Verdict"],
        "Harness": [
            "Platform", "HTTP", "JSON", "SQLite", "Crypto", "Configuration", "Notifier", "FakeGitLab", "FakeAPNs",
            "Simulation", "SimulatedStorage", "Scenarios", "Verdict", "NotifierKit", "KitHTTP", "KitSQLite", "Duties",
        ],
        "Workbench": [
            "CMalloc", "CZlib", "CommandTable", "Duties", "Platform", "HTTP", "JSON", "SQLite", "Crypto", "Live",
            "Configuration",
            "Notifier", "FakeGitLab",
            "FakeAPNs", "Simulation", "SimulatedStorage", "Scenarios", "Verdict", "ReportPage", "Harness",
        ],
        "simctl": ["Verdict", "Workbench"],
    ]

    /// Every target that one stands on, also by way of others.
    static func targets(below target: String) -> Set<String> {
        var found: Set<String> = []
        var open = [target]
        while let next = open.popLast() {
            for module in importTable[next] ?? [] where found.insert(module).inserted { open.append(module) }
        }
        return found
    }

    /// Tests may import their target and what it may import; those of the notifier also run in simulation, those of the transports
    /// hold the live ones against the simulated one, and those of the live server run against the fakes. What is fuzzed are the decoders
    /// of every target.
    private static func allowedImports(of file: SourceFile) -> Set<String> {
        guard file.folder == "Tests" else { return importTable[file.target] ?? [] }
        let tested = file.target.hasSuffix("Tests") ? String(file.target.dropLast("Tests".count)) : file.target
        let below = (importTable[tested] ?? []).union([tested])
        switch tested {
        case "Notifier": return below.union(["NotifierKit", "Simulation", "SimulatedStorage"])
        case "Live": return below.union(["Simulation"])
        // What the kit asks for is held against the routes that there are.
        case "NotifierKit": return below.union(["JSON", "Notifier"])
        // A growth is that of a scenario.
        case "ReportPage": return below.union(["Scenarios"])
        case "Daemon": return below.union(["FakeGitLab", "FakeAPNs"])
        case "ScenarioFixtures": return ["Platform", "Scenarios", "Verdict"]
        case "Fuzz": return Set(importTable.keys)
        default: return below
        }
    }

    private static func isOwnTarget(_ module: String) -> Bool {
        importTable[module] != nil
            || ["CSQLite", "COpenSSL", "CCurl", "CMicroHTTPD", "CNGHTTP2", "CZlib", "CMalloc"].contains(module)
    }

    /// The modules a file imports, also by `import struct Module.Name`.
    private static func imports(in file: SourceFile) -> [(module: String, line: Int)] {
        let kinds: Set<String> = ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var"]
        return file.tokens.indices.compactMap { index in
            guard file.tokens[index].text == "import", let next = file.token(index + 1) else { return nil }
            let module = kinds.contains(next) ? file.token(index + 2) ?? next : next
            return (module, file.tokens[index].line)
        }
    }
}

extension SourceFile {
    /// Whether the line above is the `#else` of a condition.
    fileprivate func isElseBranch(_ line: Int) -> Bool {
        guard let first = tokens.firstIndex(where: { $0.line == line - 1 }) else { return false }
        return matches(["#", "else"], at: first) || matches(["#else"], at: first)
    }
}
