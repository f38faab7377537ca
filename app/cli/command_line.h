#pragma once

namespace headscope::app {

/// Runs headscope-cli and returns its exit status (ExitStatus). Call once per process, because it takes over
/// the process's signals.
int runCommandLine(int argumentCount, char** arguments);

/// Ends the process without destructors of static objects: those of LibTorch take a tenth of a short
/// command's time.
[[noreturn]] void endProgram(int status);

} // namespace headscope::app
