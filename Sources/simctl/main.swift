import Glibc
import Verdict
import Workbench

exit(Program().run(Array(CommandLine.arguments.dropFirst())).rawValue)
