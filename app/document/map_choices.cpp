#include "app/document/map_choices.h"

#include <QAction>

#include <array>
#include <utility>
#include <vector>

namespace headscope::app {

namespace {

using widgets::ColourMapping;
using widgets::MapOptions;
using widgets::Quantity;

constexpr std::array quantityActions{
    ActionId::ShowWeights,    ActionId::ShowScores,  ActionId::ShowOpenScores,    ActionId::ShowNormWeighted,
    ActionId::ShowNormShares, ActionId::ShowRollout, ActionId::ShowContributions, ActionId::ShowGradient};

constexpr std::array scales{std::pair(ActionId::ScaleLinear, ColourMapping::Linear),
                            std::pair(ActionId::ScaleLogarithmic, ColourMapping::Logarithmic),
                            std::pair(ActionId::ScaleRank, ColourMapping::Rank)};

constexpr std::array flags{
#define MAP_FLAG(MEMBER, ACTION, ...) std::pair(ActionId::ACTION, &MapOptions::MEMBER),
#include "widgets/map_flags.def"
#undef MAP_FLAG
};

} // namespace

MapChoices::MapChoices(Actions* actions, QObject* parent) : QObject(parent), actions_(actions) {
    for (const Quantity quantity : widgets::allQuantities)
        connect((*actions)[actionOf(quantity)], &QAction::toggled, this, [this, quantity](bool on) {
            if (!on)
                return;
            options_.quantity = quantity;
            say();
        });
    for (const auto& [id, mapping] : scales)
        connect((*actions)[id], &QAction::toggled, this, [this, mapping = mapping](bool on) {
            if (!on)
                return;
            options_.mapping = mapping;
            say();
        });
    for (const auto& [id, flag] : flags)
        connect((*actions)[id], &QAction::toggled, this, [this, flag = flag](bool on) {
            options_.*flag = on;
            say();
        });
    (*actions)[ActionId::ShowWeights]->setChecked(true);
    (*actions)[ActionId::ScaleLinear]->setChecked(true);
}

ActionId MapChoices::actionOf(Quantity quantity) {
    return quantityActions[static_cast<std::size_t>(quantity)];
}

const std::vector<ActionId>& MapChoices::switches() {
    static const std::vector<ActionId> all = [] {
        std::vector<ActionId> ids;
        for (const auto& flag : flags)
            ids.push_back(flag.first);
        return ids;
    }();
    return all;
}

void MapChoices::say() {
    actions_->setEnabled(
        ActionId::MapWords, !widgets::isScore(options_.quantity),
        tr("Scores exist per token only: averaging a word's rows has no meaning before the softmax."));
    Q_EMIT optionsChanged(options_);
}

} // namespace headscope::app
