#include "app/typed_arguments.h"

#include <algorithm>
#include <sstream>

namespace headscope::app {

namespace {

constexpr char mark = '\x1f';

/// CLI11 has to know the names of options and, if the program has commands, the name of the command, which is
/// the first argument that is no option: these are not marked.
std::vector<std::string> marked(int argumentCount, const char* const* arguments, bool hasCommands) {
    std::vector<std::string> all(arguments + std::min(argumentCount, 1), arguments + argumentCount);
    bool isText = false; // all that stands after "--"
    for (std::string& argument : all) {
        if (!isText && hasCommands && !argument.starts_with('-'))
            hasCommands = false;
        else if (isText || !argument.starts_with('-'))
            argument.insert(0, 1, mark);
        else if (argument == "--")
            isText = true;
        else if (const auto equals = argument.find('='); equals != std::string::npos)
            argument.insert(equals + 1, 1, mark);
    }
    return all;
}

void removeMarks(CLI::App& command) {
    for (CLI::Option* option : command.get_options())
        option->transform(
            [](const std::string& text) { return text.starts_with(mark) ? text.substr(1) : text; });
    for (CLI::App* inner : command.get_subcommands({}))
        removeMarks(*inner);
}

} // namespace

void parseAsTyped(CLI::App& program, int argumentCount, const char* const* arguments) {
    removeMarks(program);
    auto all = marked(argumentCount, arguments, !program.get_subcommands({}).empty());
    std::ranges::reverse(all); // as CLI11 wants them
    program.parse(std::move(all));
}

int writeMessage(const CLI::App& program, const CLI::ParseError& error, std::ostream& out,
                 std::ostream& errors) {
    std::ostringstream marked;
    const int status = program.exit(error, out, marked);
    std::string text = marked.str();
    std::erase(text, mark);
    errors << text;
    return status;
}

CLI::Option* addTexts(CLI::App& command, const std::string& name, std::vector<std::string>& texts,
                      const std::string& help) {
    // What the callback is given is not always what was typed: CLI11 adds "%%" to "{}".
    const auto take = [&command, name, &texts](const CLI::results_t&) {
        texts = command.get_option(name)->results();
        return true;
    };
    auto* option = command.add_option(name, take, help)
                       ->type_name("TEXT")
                       ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
                       ->allow_extra_args(false);
    if (!option->get_positional())
        return option->expected(1);
    // CLI11 gives what stands after "--" only to arguments of which it still expects some.
    return option->option_text("...")->expected(1 << 20, CLI::detail::expected_max_vector_size);
}

} // namespace headscope::app
