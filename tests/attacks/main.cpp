#include "tests/attacks/attacks.h"

#include <CLI/CLI.hpp>

#include <QTemporaryDir>

#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace headscope::attacks {

void tell(const QString& finding) {
    std::printf("  %s\n", qPrintable(finding));
    std::fflush(stdout);
}

int conclude(const QString& figures, int findings) {
    std::printf("%s, %d findings\n", qPrintable(figures), findings);
    return findings > 0 ? 1 : 0;
}

} // namespace headscope::attacks

int main(int argumentCount, char** arguments) {
    using namespace headscope::attacks;
    CLI::App program("What a careless or hostile hand can do to Headscope", "attack");
    program.require_subcommand(1);
    Options options;
    std::vector<std::string> models;
    std::function<int(const Options&)> chosen;
    const auto add = [&](const char* name, const char* help, int times, int (*attack)(const Options&)) {
        auto* command = program.add_subcommand(name, help);
        command->add_option("--times", options.times, "How often")->default_val(times);
        command->add_option("--seed", options.seed, "Of what is drawn by lot")->capture_default_str();
        command->add_option("--model", models, "A bundled model or a path; may be repeated");
        command->callback([&chosen, &options, attack, times, command] {
            if (command->count("--times") == 0)
                options.times = times;
            chosen = attack;
        });
    };
    add("monkey", "Random events in a window", 5000, monkey);
    add("switches", "Opens model after model and measures memory", 90, switches);
    add("kills", "Kills a program while it writes", 200, kills);
    add("faults", "Lets calls of the system fail", 500, faults);
    add("truncations", "Makes files shorter while they are read", 60, truncations);
    add("two-windows", "Windows that share settings and autosaved work", 20, twoWindows);
    add("closings", "Closes windows that train or save", 60, closings);
    CLI11_PARSE(program, argumentCount, arguments);
    for (const auto& model : models)
        options.models += QString::fromStdString(model);
    // Nothing of the person's own is read or written.
    const QTemporaryDir home;
    for (const char* name : {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "TMPDIR"})
        qputenv(name, home.path().toLocal8Bit());
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    return chosen(options);
}
