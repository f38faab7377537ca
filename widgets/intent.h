#pragma once

#include "model/trace/attention_site.h"
#include "model/trace/decoding.h"
#include "model/trace/intervention.h"
#include "widgets/choice.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

class QMenu;

namespace headscope::widgets {

/// What a person wants in a view and what is not the view's to do.
namespace intents {

/// Gives a choice that the document keeps another value.
struct Choose {
    std::string view;
    std::string name;
    ChoiceValue value;
};
/// Compares every chosen token with this one; empty: with none.
struct CompareWith {
    std::string token;
};
/// Measures the importance of every head.
struct MeasureHeads {};
struct StopMeasuring {};
/// Reads many sentences for the statistics of heads over all of them, or stops that.
struct ReadSentences {
    enum class From { Samples, File, Nowhere };
    From from = From::Samples;
};
/// Lists statistics of heads over the sentences read last, or of the shown one.
struct ListSentences {
    bool many = true;
};
/// Chooses next tokens in another way.
struct DecodeBy {
    trace::Decoding decoding;
    int newTokens = 1; ///< at most
};
/// Decodes another sentence.
struct Decode {
    std::string sentence;
    std::optional<std::string> second = {}; ///< of a pair; empty: as it is
};
/// Opens the map of the selected head.
struct OpenHead {};
/// Lists of heads show those that these words find, and no others; empty: all.
struct FindHeads {
    std::string words;
};
/// Gives the model these changes, and no others.
struct ChangeModel {
    std::vector<trace::Intervention> changes;
};
/// Switches a head off, or on again.
struct ToggleHead {
    trace::HeadAddress head;
};
/// Gives the random twin other weights.
struct SeedTwin {
    std::uint64_t seed = 1;
};
/// Replaces the token chosen at a step, and decodes on.
struct ChooseToken {
    trace::TokenIndex step;
    std::int64_t id = 0;
};
/// Adds padding after source and target.
struct Pad {
    int source = 0;
    int target = 0;
};
/// Looks at gradients of this class's logit; empty: of the likeliest class of each run.
struct ChooseClass {
    std::optional<std::size_t> chosen;
};
/// Divides the scores of all heads.
struct DivideScores {
    double temperature = 1;
};

/// Goes to a step.
struct GoTo {
    trace::TokenIndex step;
};
/// Steps along the target: forward, where it may grow, or back.
struct Step {
    bool forward = true;
};
/// Shows a path of the last complete run, in the current row or in this one.
struct ShowPath {
    std::size_t path = 0;
    std::optional<int> step;
};
/// Shows the path to a node of its tree.
struct ShowNode {
    std::size_t node = 0;
};
/// Names a path of the last complete run; an empty name restores the default one.
struct NamePath {
    std::size_t path = 0;
    std::string name;
};
struct RemovePath {
    std::size_t path = 0;
};
/// Compares the shown path with this one.
struct ComparePath {
    std::size_t path = 0;
};
/// Opens a second model beside the shown one, and closes the one before; empty: closes it only.
struct OpenSecond {
    std::string pathOrName;
};
/// Fills a menu with the models that can be opened as the second one.
struct OfferSecond {
    QMenu* menu = nullptr;
};
/// Forces a whole target, as a person types it.
struct ForceTarget {
    std::string typed;
};
/// Shows a view that has something to show: on top if a person asked for it there.
struct ShowSelf {
    bool isAsked = false;
};
/// Exports the picture of a view.
struct SavePicture {};
/// Opens a view, or does an action of it.
struct Open {
    std::string view;
    std::string action = {}; ///< its name in ViewSpec::actions; empty: opens the view
};

} // namespace intents

using Intent =
    std::variant<intents::Choose, intents::CompareWith, intents::MeasureHeads, intents::StopMeasuring,
                 intents::ReadSentences, intents::ListSentences, intents::Decode, intents::DecodeBy,
                 intents::OpenHead, intents::ToggleHead, intents::SeedTwin, intents::ChooseToken,
                 intents::Pad, intents::ChooseClass, intents::DivideScores, intents::GoTo, intents::Step,
                 intents::ShowPath, intents::ShowNode, intents::NamePath, intents::RemovePath,
                 intents::ComparePath, intents::OpenSecond, intents::OfferSecond, intents::ForceTarget,
                 intents::ShowSelf, intents::SavePicture, intents::ChangeModel, intents::Open,
                 intents::FindHeads>;

} // namespace headscope::widgets
