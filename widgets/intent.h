#pragma once

#include "model/trace/attention_site.h"
#include "widgets/choice.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

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
/// Measures the importance of every head, or stops it.
struct MeasureHeads {
    bool on = true;
};
/// Opens the map of the selected head.
struct OpenHead {};
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
    int step = 0;
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

} // namespace intents

using Intent = std::variant<intents::Choose, intents::CompareWith, intents::MeasureHeads, intents::OpenHead,
                            intents::ToggleHead, intents::SeedTwin, intents::ChooseToken, intents::Pad,
                            intents::ChooseClass, intents::DivideScores>;

} // namespace headscope::widgets
