#pragma once

#include <CLI/CLI.hpp>

#include <iosfwd>
#include <string>
#include <vector>

namespace headscope::app {

/// Parses what was typed so that each argument reaches its option unchanged. CLI11
/// interprets texts: it splits "[a, b]", and "{}" and "%%" mean something to it, which changes with its
/// version. So a mark is put before each argument, which the options take away.
/// Throws CLI::ParseError, whose text may have marks in it; see writeMessage().
void parseAsTyped(CLI::App& program, int argumentCount, const char* const* arguments);

/// Writes what CLI11 says of an error, or the help that was asked for, without marks. Returns CLI11's exit
/// status: 0 for help and version.
int writeMessage(const CLI::App& program, const CLI::ParseError& error, std::ostream& out,
                 std::ostream& errors);

/// Adds an option that takes one text each time it is given, or an argument that takes any number of texts.
CLI::Option* addTexts(CLI::App& command, const std::string& name, std::vector<std::string>& texts,
                      const std::string& help);

} // namespace headscope::app
