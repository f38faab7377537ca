#include "widgets/export/figure_data_parts.h"

#include <algorithm>

namespace headscope::widgets {

namespace {

void addCells(std::vector<double>& values, trace::MatrixView cells, const trace::MaskMatrix* mask) {
    for (std::size_t row = 0; row < cells.rows(); ++row)
        for (std::size_t column = 0; column < cells.columns(); ++column)
            values.push_back(!mask || (*mask)(row, column) ? cells(row, column) : noNumber);
}

} // namespace

std::string dataName(Quantity quantity) {
    switch (quantity) {
    case Quantity::Weights:
        return "weights";
    case Quantity::Scores:
        return "scores";
    case Quantity::OpenScores:
        return "open_scores";
    case Quantity::NormWeighted:
        return "norm_weighted";
    case Quantity::NormShares:
        return "norm_shares";
    case Quantity::Rollout:
        return "rollout";
    case Quantity::Contribution:
        return "contributions";
    case Quantity::GradientAttention:
        return "gradient";
    }
    return {};
}

trace::DataAxis dataAxis(std::string name, const std::vector<TokenLabel>& labels) {
    trace::DataAxis axis{.name = std::move(name)};
    for (const auto& label : labels)
        axis.labels.push_back(label.full().toStdString());
    return axis;
}

trace::DataArray dataArray(std::string name, trace::MatrixView values, const trace::MaskMatrix* mask,
                           trace::DataAxis rows, trace::DataAxis columns) {
    trace::DataArray array{.name = std::move(name),
                           .axes = {std::move(rows), std::move(columns)},
                           .shape = {values.rows(), values.columns()}};
    addCells(array.values, values, mask);
    return array;
}

trace::DataArray dataArray(std::string name, std::vector<double> values, trace::DataAxis axis) {
    const std::size_t count = values.size();
    return {
        .name = std::move(name), .axes = {std::move(axis)}, .shape = {count}, .values = std::move(values)};
}

trace::DataArray dataArray(std::string name, const trace::HeadStack& heads, const trace::MaskMatrix& mask,
                           trace::DataAxis queries, trace::DataAxis keys) {
    trace::DataArray array{.name = std::move(name),
                           .axes = {{.name = "head"}, std::move(queries), std::move(keys)},
                           .shape = {heads.heads(), heads.rows(), heads.columns()}};
    for (std::size_t head = 0; head < heads.heads(); ++head)
        addCells(array.values, heads.head(head), &mask);
    return array;
}

trace::DataColumn dataColumn(std::string title, std::vector<double> values) {
    return {.title = std::move(title), .values = std::move(values)};
}

trace::DataColumn dataColumn(std::string title, const QStringList& texts) {
    std::vector<std::string> all;
    for (const QString& text : texts)
        all.push_back(text.toStdString());
    return {.title = std::move(title), .values = std::move(all)};
}

trace::DataArray headsOfSite(const trace::Run& run, const trace::AttentionRecord& record) {
    const auto kind = record.site.kind;
    return dataArray(trace::toString(record.site) + ".weights", record.weights, record.mask,
                     dataAxis("query", tokenLabels(run.queryTokens(kind))),
                     dataAxis("key", tokenLabels(run.keyTokens(kind))));
}

} // namespace headscope::widgets
