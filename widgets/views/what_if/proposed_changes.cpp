#include "widgets/views/what_if/proposed_changes.h"

#include <QCoreApplication>

#include <algorithm>

namespace headscope::widgets {

namespace {

using trace::PositionChange;
using trace::RowPattern;

struct ProposedChangesWords {
    Q_DECLARE_TR_FUNCTIONS(ProposedChanges)
};

trace::SublayerKind sublayerOf(trace::AttentionKind kind) {
    switch (kind) {
    case trace::AttentionKind::EncoderSelf:
        return trace::SublayerKind::EncoderSelf;
    case trace::AttentionKind::DecoderSelf:
        return trace::SublayerKind::DecoderSelf;
    case trace::AttentionKind::Cross:
        break;
    }
    return trace::SublayerKind::Cross;
}

} // namespace

std::vector<ProposedChange> proposedChanges(const Selection& selection, const trace::ModelSummary& model) {
    const auto head = selection.head();
    const auto kind = head.site.kind;
    const bool ofEncoder = kind == trace::AttentionKind::EncoderSelf;
    const std::size_t query =
        selection.pinned().query(kind).value_or(ofEncoder ? trace::TokenIndex() : selection.step());
    const std::size_t key = selection.pinned().key(kind).value_or(0);
    constexpr double half = 0.5;
    std::vector<ProposedChange> all{
        {ProposedChangesWords::tr("Scale or Disable a Head..."), trace::ScaleHead{.head = head}},
        {ProposedChangesWords::tr("Replace a Head's Output..."), trace::ReplaceHead{.head = head}},
        {ProposedChangesWords::tr("Scale or Disable a Sublayer..."),
         trace::ScaleSublayer{.sublayer = {sublayerOf(kind), head.site.layer}}},
        {ProposedChangesWords::tr("Block a Cell..."),
         trace::BlockCell{.head = head, .query = query, .key = key}},
        {ProposedChangesWords::tr("Force a Row..."),
         trace::ForceRow{.head = head, .query = query, .pattern = RowPattern::Uniform, .key = key}},
        {ProposedChangesWords::tr("Change the Scores' Scale..."), trace::ScaleScores{}},
        {ProposedChangesWords::tr("Change the Softmax's Temperature..."),
         trace::SoftmaxTemperature{.temperature = half}},
        {ProposedChangesWords::tr("Change Positions..."), trace::ChangePositions{}},
    };
    if (model.decoderLayers > 0)
        all.push_back({ProposedChangesWords::tr("Lift the Subsequent Mask"), trace::LiftMask{}, false});
    return all;
}

std::vector<ProposedChange> headChanges(const trace::HeadAddress& head) {
    return {{ProposedChangesWords::tr("Scale Head..."), trace::ScaleHead{.head = head, .factor = 0.5}},
            {ProposedChangesWords::tr("Replace Head by Its Mean"), trace::ReplaceHead{.head = head}, false},
            {ProposedChangesWords::tr("Replace Head by Its Output on Another Sentence..."),
             trace::ReplaceHead{.head = head, .sentence = ""}}};
}

std::vector<ProposedChange> cellChanges(const trace::HeadAddress& head, std::size_t query,
                                        std::optional<std::size_t> key) {
    std::vector<ProposedChange> changes;
    if (key)
        changes.push_back({ProposedChangesWords::tr("Block This Cell"),
                           trace::BlockCell{.head = head, .query = query, .key = *key}, false});
    changes.push_back({ProposedChangesWords::tr("Spread This Row's Weight Uniformly"),
                       trace::ForceRow{.head = head, .query = query, .pattern = RowPattern::Uniform}, false});
    changes.push_back({ProposedChangesWords::tr("Put All Weight on the Largest Key"),
                       trace::ForceRow{.head = head, .query = query, .pattern = RowPattern::Hard}, false});
    if (key)
        changes.push_back(
            {ProposedChangesWords::tr("Put All Weight on This Key"),
             trace::ForceRow{.head = head, .query = query, .pattern = RowPattern::Key, .key = *key}, false});
    return changes;
}

} // namespace headscope::widgets
