#include "app/command_line_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <type_traits>
#include <utility>

namespace headscope::app {

namespace {

std::string text(const std::string& value) {
    return value;
}

/// Shortest representation that is parsed as the same number.
template <class Number>
requires std::is_arithmetic_v<Number> std::string text(Number value) {
    std::array<char, 32> digits{};
    return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr};
}

std::string idList(const std::vector<std::int64_t>& ids) {
    std::string list;
    for (const auto id : ids)
        list += (list.empty() ? "" : ",") + text(id);
    return list;
}

/// Collects words; `--option=value` as one word, so that no value is taken for an option.
class Command {
  public:
    void add(std::string_view word) { words_.emplace_back(word); }
    template <class Value>
    void add(const std::string& option, const Value& value) {
        add(option + "=" + text(value));
    }
    template <class Value>
    void addUnless(const Value& expected, const std::string& option, const Value& value) {
        if (value != expected)
            add(option, value);
    }
    std::string line() const { return shellLine(words_); }
    std::vector<std::string> take() { return std::move(words_); }

  private:
    std::vector<std::string> words_;
};

void addModel(Command& words, const engine::ModelSource& model) {
    words.add(model.path.string());
    for (const auto& [key, value] : model.settings) {
        std::string option = "--" + key;
        std::replace(option.begin(), option.end(), '_', '-');
        words.add(option, value);
    }
}

void addDecoding(Command& words, const trace::Request& request, const trace::Decoding& usual) {
    const auto& decoding = request.decoding;
    if (decoding.sample)
        words.add("--sample");
    else if (decoding.beam != usual.beam)
        words.add("--beam", decoding.beam);
    words.addUnless(usual.lengthPenalty, "--length-penalty", decoding.lengthPenalty);
    words.addUnless(usual.minimumLength, "--min-length", decoding.minimumLength);
    words.addUnless(usual.noRepeat, "--no-repeat", decoding.noRepeat);
    if (decoding.sample) {
        words.addUnless(usual.temperature, "--temperature", decoding.temperature);
        words.addUnless(usual.topK, "--top-k", decoding.topK);
        words.addUnless(usual.topP, "--top-p", decoding.topP);
        words.addUnless(usual.seed, "--seed", decoding.seed);
    }
    words.addUnless(0, "--pad-source", request.padding.source);
    words.addUnless(0, "--pad-target", request.padding.target);
    if (const int newTokens = request.paths.back().newTokens; newTokens > 0)
        words.add("--max-length", newTokens);
}

/// Adds the length for sentences beside the shown path, unless it equals that of the path.
void addLengthOfOthers(Command& words, const trace::DecodePath& shown, int newTokens) {
    if (newTokens > 0 && newTokens != shown.newTokens)
        words.add(shown.newTokens > 0 ? "--beside-length" : "--max-length", newTokens);
}

void addChanges(Command& words, const std::vector<trace::Intervention>& interventions) {
    for (const auto& word : changeWords(interventions))
        words.add(word);
}

void addTarget(Command& words, const trace::DecodePath& path) {
    if (const auto* ids = std::get_if<trace::TargetIds>(&path.forced))
        words.add("--target-ids", idList(ids->ids));
    else if (const auto* sentence = std::get_if<std::string>(&path.forced))
        words.add("--target", *sentence);
    else
        return;
    if (path.newTokens > 0)
        words.add("--continue");
}

void addSource(Command& words, const trace::Request& request) {
    if (const auto* sentence = std::get_if<std::string>(&request.source))
        words.add("--source", *sentence);
    if (request.second)
        words.add("--second", *request.second);
    if (const auto* ids = std::get_if<trace::SourceIds>(&request.source)) {
        words.add("--source-ids", idList(ids->ids));
        if (!ids->segments.empty())
            words.add("--source-segments", idList(ids->segments));
    }
}

void addPicture(Command& words, const widgets::PictureOptions& options) {
    for (const auto& [option, value] : toOptions(options))
        value.empty() ? words.add(option) : words.add(option, value);
}

bool isPlain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_@%+=:,./-").find(c) != std::string_view::npos;
}

} // namespace

std::string shellQuoted(std::string_view text) {
    // A leading equals sign or tilde has a meaning for the shell.
    if (!text.empty() && std::ranges::all_of(text, isPlain) && text.front() != '=')
        return std::string(text);
    std::string quoted = "'";
    for (const char c : text)
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

std::string shellLine(const std::vector<std::string>& words) {
    std::string line;
    for (const auto& word : words)
        line += (line.empty() ? "" : " ") + shellQuoted(word);
    return line;
}

/// One word each, so that no argument is taken for an option.
std::vector<std::string> changeWords(const std::vector<trace::Intervention>& interventions) {
    std::vector<std::string> words;
    for (const auto& [change, on] : interventions) {
        if (!on)
            continue;
        const auto [option, argument] = trace::toOption(change);
        words.push_back(argument.empty() ? option : option + "=" + argument);
    }
    return words;
}

std::optional<std::string> commandLineText(const engine::ModelSource& model, const trace::Request& request,
                                           const trace::Decoding& modelDecoding, bool predicts) {
    const auto& path = request.paths.back();
    const auto* sentence = std::get_if<std::string>(&request.source);
    const auto* ids = std::get_if<trace::SourceIds>(&request.source);
    if (!sentence && !ids)
        return std::nullopt;
    // "-" would read standard input.
    const bool isText = sentence && *sentence != "-";
    const bool isPredicted = predicts && isText && request.padding == trace::Padding();
    const bool isTranslated =
        !predicts && isText && !request.second && std::holds_alternative<std::monostate>(path.forced);
    Command words;
    words.add("headscope-cli");
    words.add(isPredicted ? "predict" : isTranslated ? "translate" : "trace");
    addModel(words, model);
    if (!isPredicted)
        addDecoding(words, request, modelDecoding);
    addChanges(words, request.interventions);
    if (request.randomTwin)
        words.add("--random-twin", *request.randomTwin);
    if (isPredicted && request.second)
        words.add("--second", *request.second);
    if (isPredicted || isTranslated) {
        words.add("--");
        words.add(*sentence);
        return words.line();
    }
    addSource(words, request);
    addTarget(words, path);
    words.add("--out", std::string("run.npz"));
    return words.line();
}

std::vector<std::string> trainingCommandWords(const std::filesystem::path& log,
                                              const widgets::PictureOptions& options) {
    Command words;
    words.add("headscope-cli");
    words.add("render");
    words.add(log.string());
    addPicture(words, options);
    return words.take();
}

std::optional<std::vector<std::string>> pictureCommandWords(const engine::ModelSource& model,
                                                            const trace::Request& request,
                                                            const trace::Decoding& modelDecoding,
                                                            const widgets::PictureOptions& options,
                                                            int newTokens) {
    if (std::holds_alternative<trace::SourceEmbeddings>(request.source))
        return std::nullopt;
    Command words;
    words.add("headscope-cli");
    words.add("render");
    addModel(words, model);
    addPicture(words, options);
    addDecoding(words, request, modelDecoding);
    if (widgets::viewSpec(options.view)->decodesOthers)
        addLengthOfOthers(words, request.paths.back(), newTokens);
    addChanges(words, request.interventions);
    if (request.randomTwin)
        words.add("--random-twin", *request.randomTwin);
    if (request.ratherThan)
        words.add("--rather-than", *request.ratherThan);
    addSource(words, request);
    addTarget(words, request.paths.back());
    return words.take();
}

std::optional<std::string> pictureCommandText(const engine::ModelSource& model, const trace::Request& request,
                                              const trace::Decoding& modelDecoding,
                                              const widgets::PictureOptions& options, int newTokens) {
    const auto words = pictureCommandWords(model, request, modelDecoding, options, newTokens);
    return words ? std::optional(shellLine(*words)) : std::nullopt;
}

} // namespace headscope::app
