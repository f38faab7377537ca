#include "model/analysis/mask_effect.h"

#include <algorithm>
#include <limits>

namespace headscope::analysis {

namespace {

trace::Matrix copyOf(trace::MatrixView view) {
    trace::Matrix copy(view.rows(), view.columns());
    for (std::size_t row = 0; row < view.rows(); ++row)
        std::ranges::copy(view.row(row),
                          copy.values().begin() + static_cast<std::ptrdiff_t>(row * view.columns()));
    return copy;
}

} // namespace

std::optional<float> maskFill(const trace::ModelSummary& model) {
    const auto flag =
        std::ranges::find(model.architecture, "mask_fill", [](const auto& f) { return f.first; });
    if (flag == model.architecture.end())
        return std::nullopt;
    if (flag->second == "-1e9")
        return -1e9F;
    if (flag->second == "lowest")
        return std::numeric_limits<float>::lowest();
    if (flag->second == "-inf")
        return -std::numeric_limits<float>::infinity();
    return std::nullopt;
}

bool MaskEffect::isRowClosed(std::size_t row) const {
    return openKeys(row) == 0;
}

std::size_t MaskEffect::openKeys(std::size_t row) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(open.row(row), [](auto cell) { return cell != 0; }));
}

double MaskEffect::openSum(std::size_t row) const {
    double sum = 0;
    for (std::size_t key = 0; key < open.columns(); ++key)
        if (open(row, key))
            sum += static_cast<double>(weights(row, key));
    return sum;
}

MaskEffect maskEffect(const trace::Run& run, const trace::HeadAddress& head) {
    const auto* record = run.record(head.site);
    if (!record || head.head < 0 || static_cast<std::size_t>(head.head) >= record->scores.heads() ||
        static_cast<std::size_t>(head.head) >= record->weights.heads())
        return {};
    const auto index = static_cast<std::size_t>(head.head);
    MaskEffect effect{.before = copyOf(record->scores.head(index)),
                      .open = record->mask,
                      .weights = copyOf(record->weights.head(index))};
    for (const auto& change : trace::effective(run.request.interventions))
        if (const auto* blocked = std::get_if<trace::BlockCell>(&change);
            blocked && blocked->head == head && blocked->query < effect.open.rows() &&
            blocked->key < effect.open.columns())
            effect.open(blocked->query, blocked->key) = 0;
    effect.after = effect.before;
    const auto fill = run.model ? maskFill(*run.model) : std::nullopt;
    for (std::size_t cell = 0; cell < effect.open.values().size(); ++cell)
        if (!effect.open.values()[cell])
            effect.after.values()[cell] = fill.value_or(std::numeric_limits<float>::quiet_NaN());
    return effect;
}

} // namespace headscope::analysis
