#pragma once

#include "model/trace/attention_site.h"
#include "model/trace/request.h"
#include "widgets/view_spec.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headscope::app {

/// Which model a session is of, and how it was read.
struct ModelReference {
    std::string path;     ///< empty: none was open
    bool bundled = false; ///< the path is the name of a model that comes with the program; in files alone
    std::string weights;  ///< "sha256:" and the digest of the weights (weightsHash); empty: not known
    /// What a person said of a model whose files do not say it.
    std::vector<std::pair<std::string, std::string>> settings;
    friend bool operator==(const ModelReference&, const ModelReference&) = default;
};

/// Tokens that are lit, by the role they play in attention.
struct LitTokens {
    std::optional<int> sourceQuery;
    std::optional<int> sourceKey;
    std::optional<int> targetQuery;
    std::optional<int> targetKey;
    friend bool operator==(const LitTokens&, const LitTokens&) = default;
};

/// Where the window and its panels stand, as Qt writes it, in base64.
struct WindowLayout {
    std::string geometry;
    std::string panels;
    /// How what is in them is scrolled and split, and where the keys are: numbers by names.
    std::map<std::string, std::vector<int>> inside;
    friend bool operator==(const WindowLayout&, const WindowLayout&) = default;
};

/// Everything that a person sees, as a value: what undo goes back to and what a session file holds. The runs
/// are not in it, but what they are asked for by.
struct SessionState {
    ModelReference model;
    std::optional<std::string> typed; ///< in the field, where that is not the source's text itself
    /// Of the shown run, its source a sentence or ids; null: nothing is decoded. What is recorded is not
    /// said.
    std::shared_ptr<const trace::Request> request;
    int newTokens = trace::DecodePath().newTokens; ///< at most, of what is decoded from now on
    /// Tokens of the path that is looked at, the start token first, where it is not the request's last path.
    std::vector<std::int64_t> shown;
    int step = 0;
    trace::HeadAddress head;
    LitTokens pinned;
    LitTokens cursor; ///< where the keys have gone; in sessions alone, as undo does not go back to it
    std::vector<trace::HeadAddress> pinnedHeads;
    std::string view; ///< the page on top; empty: as the window opens
    widgets::Choices choices;
    /// Of the second model that "compare", "model" names, as ModelReference::weights; empty: not known.
    std::string otherWeights;
    bool importanceMeasured = false; ///< of the heads, on demand; in sessions alone
    std::optional<WindowLayout> layout;
};
/// Of the second model, which is compared with the shown one; empty: none.
std::string otherModelOf(const SessionState& state);
/// Requests are compared by what they say.
bool operator==(const SessionState& a, const SessionState& b);

/// About how much memory it takes, without its request.
std::size_t bytesOf(const SessionState& state);
std::size_t bytesOf(const trace::Request& request);

/// The name that session files end with, with its dot.
inline constexpr const char* sessionEnding = ".headscope";

/// The newest form of session files.
inline constexpr int sessionVersion = 1;

/// As the text of a session file; `program` says who wrote it.
std::string sessionText(const SessionState& state, std::string_view program);

/// The reverse. Keys that are not known are passed over, parts that are missing are as a window opens with.
/// `where` names the file. Throws trace::Refusal.
SessionState parseSession(std::string_view text, const std::string& where);

/// Models below or near the folder of the file are named from there, bundled ones by their name, so that both
/// may be moved together. Throws trace::Refusal.
void saveSession(const SessionState& state, const std::filesystem::path& path);
SessionState readSession(const std::filesystem::path& path);

} // namespace headscope::app
