#include "widgets/views/lens/lens_table.h"

#include "model/analysis/output/lens_decision.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <utility>

namespace headscope::widgets {

namespace {

std::optional<trace::SublayerAddress> sublayerNamed(std::string_view stage) {
    using enum trace::SublayerKind;
    const auto dot = stage.rfind('.');
    int layer = 0;
    if (dot == std::string_view::npos ||
        std::from_chars(stage.data() + dot + 1, stage.data() + stage.size(), layer).ec != std::errc())
        return std::nullopt;
    for (const auto kind : std::array{DecoderSelf, Cross, DecoderFeedForward})
        if (const trace::SublayerAddress address{kind, layer}; trace::toString(address) == stage)
            return address;
    return std::nullopt;
}

} // namespace

LensTable::LensTable(std::shared_ptr<const trace::Run> run, std::shared_ptr<const trace::Lens> lens) {
    if (!run || !lens)
        return;
    run_ = std::move(run);
    lens_ = std::move(lens);
    const std::size_t steps = std::min(lens_->readings.size(), run_->next.size());
    chosen_ = tokenLabels(run_->next);
    chosen_.resize(steps);
    for (std::size_t t = 0; t < steps; ++t) {
        const auto& stages = lens_->readings[t];
        pieces_.emplace_back();
        for (const auto& reading : stages)
            pieces_.back().push_back(
                reading.candidates.empty() ? TokenLabel() : tokenLabel(reading.candidates.front().token));
        const auto decided = analysis::decidedStage(stages, run_->next[t].id);
        decided_.push_back(decided ? std::optional(rows() - 1 - static_cast<int>(*decided)) : std::nullopt);
    }
}

bool LensTable::has(const MapCell& cell) const {
    return cell.row >= 0 && cell.column >= 0 && cell.row < rows() && cell.column < columns();
}

const trace::LensReading& LensTable::reading(MapCell cell) const {
    return lens_->readings.at(cell.column).at(stageOf(cell.row));
}

std::optional<trace::SublayerAddress> LensTable::sublayer(int row) const {
    return sublayerNamed(lens_->stages.at(stageOf(row)));
}

const TokenLabel& LensTable::piece(MapCell cell) const {
    return pieces_.at(cell.column).at(stageOf(cell.row));
}

} // namespace headscope::widgets
