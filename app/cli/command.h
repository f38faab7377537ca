#pragma once

#include "app/cli/options.h"

#include <CLI/CLI.hpp>

#include <functional>
#include <stop_token>

namespace headscope::app {

enum ExitStatus {
    Done = 0,
    Refused = 1,
    BadCommandLine = 2,
    NotFinite = 3, ///< output was written, but the network computed numbers that are not finite
    Interrupted = 130,
    Terminated = 143
};

/// Runs a command after its options have been parsed. Returns the exit status; throws trace::Refusal for
/// Refused and trace::Cancelled for Interrupted or Terminated.
using Action = std::function<int(std::stop_token)>;

/// Each function adds one command to the program. `chosen` is set to its action if the command line names it.
void addInfo(CLI::App& program, Action& chosen);
void addTranslate(CLI::App& program, Action& chosen);
void addPredict(CLI::App& program, Action& chosen);
void addTokens(CLI::App& program, Action& chosen);
void addTrace(CLI::App& program, Action& chosen);
void addRender(CLI::App& program, Action& chosen);
void addHeads(CLI::App& program, Action& chosen);
void addConvert(CLI::App& program, Action& chosen);
void addTrain(CLI::App& program, Action& chosen);
void addEvaluate(CLI::App& program, Action& chosen);

} // namespace headscope::app
