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

/// The model of a session, and the settings with which it was read.
struct ModelReference {
    std::string path;     ///< empty if no model was open
    bool bundled = false; ///< `path` is the name of a bundled model; used in files only
    std::string weights;  ///< "sha256:" and the digest of the weights (weightsHash()); empty if not known
    /// Settings given by the user because the model's files lack them.
    std::vector<std::pair<std::string, std::string>> settings;
    bool empty() const { return path.empty(); }
    friend bool operator==(const ModelReference&, const ModelReference&) = default;
};

/// Highlighted tokens, by their role in attention.
struct LitTokens {
    std::optional<int> sourceQuery;
    std::optional<int> sourceKey;
    std::optional<int> targetQuery;
    std::optional<int> targetKey;
    bool empty() const { return *this == LitTokens(); }
    friend bool operator==(const LitTokens&, const LitTokens&) = default;
};

/// Geometry of the window and its panels, from Qt, in base64.
struct WindowLayout {
    std::string geometry;
    std::string panels;
    /// Scroll positions, splits and keyboard focus inside the panels, by name.
    std::map<std::string, std::vector<int>> inside;
    friend bool operator==(const WindowLayout&, const WindowLayout&) = default;
};

/// The complete visible state as a value, for undo and session files. Contains requests instead of runs.
struct SessionState {
    ModelReference model;
    std::optional<std::string> typed; ///< text of the input field, if it differs from the source
    /// Request of the shown run, whose source is a sentence or ids; null if nothing is decoded. Does not
    /// include what is recorded.
    std::shared_ptr<const trace::Request> request;
    int newTokens = trace::DecodePath().newTokens; ///< maximum length of the next decoding
    /// Tokens of the shown path from the start token on, if it is not the last path of the request.
    std::vector<std::int64_t> shown;
    int step = 0;
    trace::HeadAddress head;
    LitTokens pinned;
    LitTokens cursor; ///< keyboard cursor; only in session files, ignored by undo
    std::vector<trace::HeadAddress> pinnedHeads;
    std::string view; ///< the current page; empty: default of the window
    widgets::Choices choices;
    /// ModelReference::weights of the second model (otherModelOf()); empty if not known.
    std::string otherWeights;
    bool importanceMeasured = false; ///< head importance was measured; only in session files
    std::optional<WindowLayout> layout;
};
/// Returns the path or name of the second model in comparisons; empty if there is none.
std::string otherModelOf(const SessionState& state);
void setOtherModel(SessionState& state, const std::string& pathOrName);
/// Compares requests by value.
bool operator==(const SessionState& a, const SessionState& b);

/// Returns the approximate memory use, without the request.
std::size_t bytesOf(const SessionState& state);
std::size_t bytesOf(const trace::Request& request);

/// File extension of session files.
inline constexpr const char* sessionEnding = ".headscope";

/// Newest version of the format.
inline constexpr int sessionVersion = 1;

/// Returns the text of a session file; `program` is the writing program.
std::string sessionText(const SessionState& state, std::string_view program);

/// The inverse. Unknown keys are ignored, missing parts get the window's defaults. `where` names the file.
/// Throws trace::Refusal.
SessionState parseSession(std::string_view text, const std::string& where);

/// Models in or near the folder of the file are stored as relative paths and bundled models by name, so that
/// session and model can be moved together. Throws trace::Refusal.
void saveSession(const SessionState& state, const std::filesystem::path& path);
SessionState readSession(const std::filesystem::path& path);

} // namespace headscope::app
