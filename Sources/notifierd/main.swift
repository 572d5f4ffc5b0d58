import Daemon
import Glibc

let program = DaemonProgram(Array(CommandLine.arguments.dropFirst()))
exit(await program.run())
