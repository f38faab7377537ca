#pragma once

namespace headscope::app {

/// Does what a command line of headscope-cli says and returns the program's exit status: 0 done, 1 refused,
/// 2 not understood, 130 interrupted. To be called once in a process: it takes over its signals.
int runCommandLine(int argumentCount, char** arguments);

} // namespace headscope::app
