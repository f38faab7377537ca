#include "app/cli/command_line.h"

#include "app/cli/command.h"
#include "app/cli/readable_output.h"
#include "app/command_line_text.h"
#include "app/models/choose_kernels.h"
#include "app/models/resource_folders.h"
#include "app/typed_arguments.h"
#include "app/version.h"
#include "model/files/available_memory.h"
#include "model/files/weights_search.h"
#include "model/trace/refusal.h"

#include <CLI/CLI.hpp>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <new>
#include <sstream>
#include <stop_token>
#include <system_error>
#include <thread>

namespace headscope::app {

namespace {

int statusOf(int signal) {
    return signal == SIGTERM ? Terminated : Interrupted;
}

std::atomic<int> stoppedBy = 0; ///< signal number; 0: none

/// Turns the first SIGINT or SIGTERM into a stop request; the second ends the program at once. Signals are
/// blocked in all threads and received by a thread of their own, because a signal handler may do very little.
std::stop_token stopOnSignal() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    std::stop_source source;
    std::thread([signals, source]() mutable {
        int signal = 0;
        sigwait(&signals, &signal);
        stoppedBy = signal;
        source.request_stop();
        sigwait(&signals, &signal);
        std::_Exit(statusOf(signal));
    }).detach();
    return source.get_token();
}

/// Flushes standard output. Returns false, after an error message, if it cannot be written.
bool isWritten() {
    if (std::cout.flush() && std::fflush(stdout) == 0)
        return true;
    std::cerr << "The results cannot be written.\n  Where: standard output\n";
    return false;
}

int refuse(const trace::Refusal& refusal, int status = Refused) {
    std::cerr << refusal.what() << '\n';
    if (!refusal.text().details.empty())
        std::cerr << "  Details: " << refusal.text().details << '\n';
    return status;
}

/// Replaces CLI11's exit statuses by those of this program.
int refuse(const CLI::App& program, const CLI::ParseError& error) {
    if (writeMessage(program, error, std::cout, std::cerr) != 0)
        return BadCommandLine;
    return isWritten() ? Done : Refused; // --help or --version
}

/// If a folder with several models was typed, names the command that takes the newest one.
trace::Refusal withCommand(const trace::Refusal& refusal, std::vector<std::string> words) {
    auto text = refusal.text();
    const auto typed = std::ranges::find(words, text.where);
    if (typed == words.end())
        return refusal;
    const auto models = files::severalModels(text.where);
    if (models.empty())
        return refusal;
    *typed = files::newest(models).path.string();
    text.wayOut += "; the newest one: " + shellLine(words);
    return trace::Refusal(std::move(text));
}

int run(const Action& action, const std::vector<std::string>& words) {
    try {
        chooseKernels();
    } catch (const trace::Refusal& refusal) {
        return refuse(refusal, BadCommandLine);
    }
    try {
        const int status = action(stopOnSignal());
        return isWritten() ? status : Refused;
    } catch (const trace::Cancelled&) {
        const int signal = stoppedBy;
        std::cerr << (signal == SIGTERM ? "terminated\n" : "interrupted\n");
        return statusOf(signal == SIGTERM ? SIGTERM : SIGINT);
    } catch (const trace::Refusal& refusal) {
        return refuse(withCommand(refusal, words));
    }
}

int parseAndRun(CLI::App& program, int argumentCount, char** arguments) {
    program.set_version_flag("--version", std::string("headscope-cli ") + version());
    program.require_subcommand(0, 1);
    program.set_help_all_flag("--help-all", "Print the options of all commands");
    Action chosen;
    addInfo(program, chosen);
    addTranslate(program, chosen);
    addPredict(program, chosen);
    addTokens(program, chosen);
    addTrace(program, chosen);
    addRender(program, chosen);
    addHeads(program, chosen);
    addConvert(program, chosen);
    addTrain(program, chosen);
    addEvaluate(program, chosen);
    const std::string manual = "Manual: " + (manualFolder() / "command-line.md").string();
    program.footer(manual);
    for (CLI::App* command : program.get_subcommands({})) {
        command->set_version_flag("--version", std::string("headscope-cli ") + version());
        command->footer(manual);
    }
    parseAsTyped(program, argumentCount, arguments);
    if (!chosen) // checked after parsing, so that an unknown command is reported first
        throw CLI::RequiredError(
            "A command: info, translate, predict, tokens, trace, render, heads, convert, train or evaluate");
    return run(chosen, {arguments, arguments + argumentCount});
}

} // namespace

int runCommandLine(int argumentCount, char** arguments) {
    std::signal(SIGPIPE, SIG_IGN); // a closed pipe is a write error like any other
    std::signal(SIGXFSZ, SIG_IGN); // and so is reaching the file size limit
    const ReadableOnTerminals output;
    try {
        CLI::App program("Headscope: look inside a trained transformer without a display", "headscope-cli");
        try {
            return parseAndRun(program, argumentCount, arguments);
        } catch (const CLI::ParseError& error) { // also thrown by commands that check options later
            return refuse(program, error);
        }
    } catch (const std::bad_alloc&) {
        return refuse(files::memoryRefusal("There is not enough memory for this command"));
    } catch (const std::system_error& error) { // such as too many threads
        return refuse(
            trace::Refusal({.what = "The system refused what this command needs",
                            .where = "this process",
                            .found = error.what(),
                            .wayOut = "raise its limits (ulimit -a lists them), or close other programs"}));
    } catch (const std::exception& error) {
        return refuse(trace::Refusal({.what = "Internal error",
                                      .wayOut = "try again; if it stays, report it",
                                      .details = error.what()}));
    }
}

void endProgram(int status) {
#ifdef __SANITIZE_ADDRESS__
    std::exit(status); // for the leak check
#else
    std::fflush(nullptr);
    _exit(status);
#endif
}

} // namespace headscope::app
