#include "app/cli/command.h"
#include "app/cli/line_reader.h"
#include "app/cli/unknown_tokens.h"
#include "app/typed_arguments.h"

#include "model/trace/refusal.h"

#include <nlohmann/json.hpp>

#include <iostream>

namespace headscope::app {

namespace {

using nlohmann::ordered_json;
using trace::TokenRole;

struct TokensOptions {
    CommonOptions common;
    ModelOptions model;
    std::vector<std::string> texts;
    std::optional<std::string> second;
};

const char* roleName(TokenRole role) {
    switch (role) {
    case TokenRole::Text:
        return "text";
    case TokenRole::Unknown:
        return "unknown";
    case TokenRole::Start:
        return "start";
    case TokenRole::End:
        return "end";
    case TokenRole::Padding:
        return "padding";
    }
    return "";
}

ordered_json toJson(const std::vector<trace::Token>& tokens) {
    auto list = ordered_json::array();
    for (const auto& token : tokens) {
        ordered_json json{{"id", token.id}, {"piece", token.piece}, {"role", roleName(token.role)}};
        if (token.range)
            json.update({{"begin", token.range->begin}, {"end", token.range->end}});
        list.push_back(std::move(json));
    }
    return list;
}

class Reader {
  public:
    Reader(const TokensOptions& options, const std::stop_token& stop)
        : options_(options), engine_(startEngine(options.common)) {
        const auto model = engine_->open(options.model.source(), stop);
        for (const auto& note : model->notes)
            std::cerr << "note: " << note << '\n';
    }

    /// One token a line, columns separated by tabs; a blank line between texts. A refused text has no tokens.
    void read(const std::string& text, std::size_t number) {
        if (number > 1 && !options_.common.json)
            std::cout << '\n';
        try {
            print(text, engine_->tokensOf(text, options_.second), number);
        } catch (const trace::Refusal& refusal) {
            std::cerr << "line " << number << ": " << refusal.what() << '\n';
            refused_ = true;
        }
        if (!std::cout.flush())
            throw trace::Refusal({.what = "The tokens cannot be written", .where = "standard output"});
    }

    int status() const { return refused_ ? Refused : Done; }

  private:
    void print(const std::string& text, const std::vector<trace::Token>& tokens, std::size_t number) const {
        noteUnknown(tokens, "line " + std::to_string(number) + ": ", "");
        if (!options_.common.json) {
            for (const auto& token : tokens)
                std::cout << token.id << '\t' << token.piece << '\t' << roleName(token.role) << '\n';
            return;
        }
        ordered_json json{{"source", text}};
        if (options_.second)
            json["second"] = *options_.second;
        json["tokens"] = toJson(tokens);
        json["unknown"] = unknownTokens(tokens);
        std::cout << json.dump(-1, ' ', false, ordered_json::error_handler_t::replace) << '\n';
    }

    const TokensOptions& options_;
    std::unique_ptr<engine::Engine> engine_;
    bool refused_ = false;
};

int readTokens(const TokensOptions& options, const std::stop_token& stop) {
    Reader reader(options, stop);
    forEachText(options.texts, stop,
                [&](const std::string& text, std::size_t number) { reader.read(text, number); });
    return reader.status();
}

} // namespace

void addTokens(CLI::App& program, Action& chosen) {
    auto options = std::make_shared<TokensOptions>();
    auto* command = program.add_subcommand(
        "tokens", "Prints the tokens that a model reads of texts, and which are unknown");
    options->model.addTo(*command);
    addTexts(*command, "TEXT", options->texts, "Texts; without any, or with -, standard input is read");
    command->add_option("--second", options->second, "The second text of a pair, the same for all texts");
    options->common.addTo(*command);
    command->callback([options, &chosen] {
        chosen = [options](const std::stop_token& stop) { return readTokens(*options, stop); };
    });
}

} // namespace headscope::app
