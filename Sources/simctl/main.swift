import Glibc
import Scenarios

exit(Program().run(Array(CommandLine.arguments.dropFirst())).rawValue)
