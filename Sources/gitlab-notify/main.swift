import Glibc
import TerminalClient

let program = TerminalProgram(Array(CommandLine.arguments.dropFirst()))
let status = await program.run()
fflush(nil)
// Not `exit`: threads of libcurl may still be closing connections, and what the libraries run at exit would free what those use.
_exit(status)
