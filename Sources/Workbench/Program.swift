import Glibc
import Notifier
package import Verdict

/// `simctl`: arguments in, exit code out.
package struct Program {
    let environment: InheritedEnvironment

    package init(environment: InheritedEnvironment = LiveEnvironment.read()) {
        self.environment = environment
    }

    /// Does what the arguments ask for; they come without the program's name.
    package func run(_ arguments: [String]) -> ExitCode {
        let command: Command
        do throws(ProgramError) {
            command = try Command(arguments: arguments)
        } catch {
            let style = OutputStyle(isJSON: arguments.contains("--json"))
            LiveConsole(style: style, environment: environment).report(error)
            return error.code.exitCode
        }
        LiveSignals.ignoreBrokenPipes()
        let console = LiveConsole(style: command.output, environment: environment)
        let code = run(command, console)
        guard let loss = console.lostResult else { return code }
        console.note(loss.text)
        return .worst(of: [code, loss.code.exitCode])
    }

    private func run(_ command: Command, _ console: LiveConsole) -> ExitCode {
        do throws(ProgramError) {
            switch command {
            case .run(let arguments):
                if let live = arguments.live {
                    return try LiveRunCommand(
                        arguments: arguments,
                        live: live,
                        console: console,
                        environment: environment
                    ).run()
                }
                return try RunCommand(arguments: arguments, console: console, environment: environment).run()
            case .check(let arguments):
                return CheckCommand(arguments: arguments, output: console.print, errors: console.note).run()
            case .schema(let schema): console.print(schema.text)
            case .merge(let arguments): return try merge(arguments, console)
            case .report(let arguments): return try ReportCommand(arguments: arguments, console: console).run()
            case .compare(let arguments):
                return try CompareCommand(arguments: arguments, console: console, environment: environment).run()
            case .sweep(let arguments):
                return try SweepCommand(arguments: arguments, console: console, environment: environment).run()
            case .grow(let arguments):
                return try GrowCommand(arguments: arguments, console: console, environment: environment).run()
            case .text(let text): console.print(text.text(version: LiveBuild.version))
            case .openAPI: console.print(NotifierAPI.openAPIDocument)
            case .doctor(let files, _):
                return try DoctorCommand(files: files, console: console, environment: environment).run()
            case .explain(let arguments): return try ExplainCommand(arguments: arguments, console: console).run()
            case .bench(_, let part):
                return try BenchCommand(console: console, environment: environment, part: part).run()
            case .benchPush(let arguments):
                return try PushBenchCommand(arguments: arguments, console: console).run()
            case .serve(let arguments): return try ServeCommand(arguments: arguments, console: console).run()
            case .fuzz(let arguments):
                return try FuzzCommand(arguments: arguments, console: console, environment: environment).run()
            case .shrink(let arguments):
                return try ShrinkCommand(arguments: arguments, console: console, environment: environment).run()
            case .crashSweep(let arguments):
                return try CrashSweepCommand(arguments: arguments, console: console, environment: environment).run()
            case .importing(let arguments): return try ImportCommand(arguments: arguments, console: console).run()
            case .worker: return LiveWorkerLoop.run()
            case .help(let text): console.print(text)
            case .version: console.print("simctl \(LiveBuild.version) build \(LiveBuild.identification())\n")
            }
            return .met
        } catch {
            console.report(error)
            return error.code.exitCode
        }
    }
}

extension Program {
    private func merge(_ arguments: MergeArguments, _ console: LiveConsole) throws(ProgramError) -> ExitCode {
        switch PartKind(of: arguments.folders) {
        case .run: try MergeCommand(arguments: arguments, console: console, environment: environment).run()
        case .sweep: try SweepMergeCommand(arguments: arguments, console: console).run()
        case .fuzz: try FuzzMergeCommand(arguments: arguments, console: console).run()
        }
    }
}

extension Command {
    fileprivate var output: OutputStyle {
        switch self {
        case .run(let arguments): arguments.output
        case .merge(let arguments): arguments.output
        case .report(let arguments): arguments.output
        case .compare(let arguments): arguments.output
        case .sweep(let arguments): arguments.output
        case .grow(let arguments): arguments.output
        case .check(let arguments): arguments.output
        case .explain(let arguments): arguments.output
        case .doctor(_, let output), .bench(let output, _): output
        case .benchPush, .serve, .fuzz, .shrink, .crashSweep, .importing: OutputStyle()
        case .schema, .openAPI, .text, .worker, .help, .version: OutputStyle()
        }
    }
}
