#include "app/cli/command_line.h"

#include "app/cli/command.h"
#include "app/plain/resource_folders.h"
#include "app/plain/version.h"
#include "model/trace/refusal.h"

#include <CLI/CLI.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <stop_token>
#include <thread>
#include <unistd.h>

namespace headscope::app {

namespace {

enum ExitStatus { Done = 0, Refused = 1, BadCommandLine = 2, Interrupted = 130 };

/// CLI11 has exit statuses of its own.
int statusOf(const CLI::App& program, const CLI::ParseError& error) {
    return program.exit(error) == 0 ? Done : BadCommandLine;
}

/// Turns the first Ctrl+C into a stop request; the second ends the program at once. Signals are blocked in
/// all threads and waited for in this one, because a handler may not do anything of use.
std::stop_token stopOnInterrupt() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    std::stop_source source;
    std::thread([signals, source]() mutable {
        int signal = 0;
        sigwait(&signals, &signal);
        source.request_stop();
        sigwait(&signals, &signal);
        std::_Exit(Interrupted);
    }).detach();
    return source.get_token();
}

int run(const CLI::App& program, const Action& action) {
    try {
        const int status = action(stopOnInterrupt());
        if (!std::cout.flush()) {
            std::cerr << "The results cannot be written.\n  Where: standard output\n";
            return Refused;
        }
        return status;
    } catch (const trace::Cancelled&) {
        std::cerr << "interrupted\n";
        return Interrupted;
    } catch (const CLI::ParseError& error) { // of an option that only its command can judge
        return statusOf(program, error);
    } catch (const trace::Refusal& refusal) {
        std::cerr << refusal.what() << '\n';
        if (!refusal.text().details.empty())
            std::cerr << "  Details: " << refusal.text().details << '\n';
        return Refused;
    } catch (const std::bad_alloc&) {
        std::cerr << "There is not enough memory for this.\n";
        return Refused;
    } catch (const std::exception& error) {
        std::cerr << "Something went wrong that should not have.\n  Details: " << error.what() << '\n';
        return Refused;
    }
}

} // namespace

int runCommandLine(int argumentCount, char** arguments) {
    std::signal(SIGPIPE, SIG_IGN); // a closed pipe is a write error like any other
    std::signal(SIGXFSZ, SIG_IGN); // and so is a file that may not grow further
    CLI::App program("Headscope: look inside a trained transformer without a display", "headscope-cli");
    program.set_version_flag("--version", std::string("headscope-cli ") + version());
    program.require_subcommand(0, 1);
    program.set_help_all_flag("--help-all", "The options of all commands");
    Action chosen;
    addInfo(program, chosen);
    addTranslate(program, chosen);
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
    try {
        program.parse(argumentCount, arguments);
        if (!chosen) // asked for here, so that a command that does not exist is named instead
            throw CLI::RequiredError(
                "A command: info, translate, trace, render, heads, convert, train or evaluate");
    } catch (const CLI::ParseError& error) {
        return statusOf(program, error);
    }
    return run(program, chosen);
}

void endProgram(int status) {
#ifdef __SANITIZE_ADDRESS__
    std::exit(status); // where leaks are looked for
#else
    std::fflush(nullptr);
    _exit(status);
#endif
}

} // namespace headscope::app
