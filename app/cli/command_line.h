#pragma once

namespace headscope::app {

/// Does what a command line of headscope-cli says and returns the program's exit status: 0 done, 1 refused,
/// 2 not understood, 130 interrupted. To be called once in a process: it takes over its signals.
int runCommandLine(int argumentCount, char** arguments);

/// Ends the process at once: LibTorch would take its tables apart first, which is a tenth of a short command.
[[noreturn]] void endProgram(int status);

} // namespace headscope::app
