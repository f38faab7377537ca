#include "widgets/views/positions/position_table.h"

#include <QStringList>

#include <algorithm>
#include <span>

namespace headscope::widgets {

namespace {

/// Most models add row t to token t; some start later, so all rows are tried.
std::optional<int> equalRow(const trace::Matrix& all, std::span<const float> added, std::size_t likely) {
    const auto equals = [&](std::size_t row) { return std::ranges::equal(all.row(row), added); };
    if (likely < all.rows() && equals(likely))
        return static_cast<int>(likely);
    for (std::size_t row = 0; row < all.rows(); ++row)
        if (equals(row))
            return static_cast<int>(row);
    return std::nullopt;
}

trace::Matrix addedToTarget(const trace::Run& run) {
    std::vector<std::vector<float>> rows;
    for (const auto node : run.path)
        if (const auto& row = run.tree.node(node).row; row && !row->position.empty())
            rows.push_back(row->position);
    if (rows.empty())
        return {};
    trace::Matrix added(rows.size(), rows.front().size());
    for (std::size_t t = 0; t < rows.size(); ++t)
        for (std::size_t i = 0; i < std::min(rows[t].size(), added.columns()); ++i)
            added(t, i) = rows[t][i];
    return added;
}

PositionTable distanceTable(const trace::DistanceBias& bias) {
    trace::Matrix turned(bias.values.columns(), bias.heads());
    for (std::size_t head = 0; head < bias.heads(); ++head)
        for (std::size_t distance = 0; distance < bias.values.columns(); ++distance)
            turned(distance, head) = bias.values(head, distance);
    return {.all = std::make_shared<const trace::Matrix>(std::move(turned)),
            .byDistance = true,
            .first = bias.first,
            .added = {},
            .rows = {}};
}

std::optional<int> positionOf(std::optional<int> token, const PositionTable& table) {
    if (!token || *token < 0 || *token >= std::ssize(table.rows))
        return std::nullopt;
    return table.rows[*token];
}

/// Padding may repeat a position: the first token wins.
std::optional<int> tokenAt(std::optional<int> position, const PositionTable& table) {
    const auto found = position ? std::ranges::find(table.rows, position) : table.rows.end();
    return found == table.rows.end() ? std::nullopt : std::optional<int>(found - table.rows.begin());
}

} // namespace

PositionTable positionTable(const trace::Run& run, PositionSide side) {
    PositionTable table;
    if (!run.model)
        return table;
    const bool source = side == PositionSide::Source;
    if (const auto& bias = source ? run.model->encoderBias : run.model->decoderBias)
        return distanceTable(*bias);
    table.all = source ? run.model->sourcePositions : run.model->targetPositions;
    table.added = source ? run.sourcePositions : addedToTarget(run);
    if (!table.all || table.all->columns() != table.added.columns())
        return table;
    std::size_t likely = 0;
    for (std::size_t t = 0; t < table.added.rows(); ++t) {
        table.rows.push_back(equalRow(*table.all, table.added.row(t), likely));
        likely = table.rows.back() ? static_cast<std::size_t>(*table.rows.back()) + 1 : t + 1;
    }
    return table;
}

std::optional<std::vector<int>> parseDimensions(const QString& text, int width, std::size_t atMost) {
    std::vector<int> dimensions;
    const auto add = [&](int dimension) {
        if (dimensions.size() < atMost && std::ranges::find(dimensions, dimension) == dimensions.end())
            dimensions.push_back(dimension);
    };
    for (const QString& part : text.split(',', Qt::SkipEmptyParts)) {
        const QStringList ends = part.split('-');
        bool firstIsNumber = false;
        bool lastIsNumber = false;
        const int first = ends.first().trimmed().toInt(&firstIsNumber);
        const int last = ends.last().trimmed().toInt(&lastIsNumber);
        if (ends.size() > 2 || !firstIsNumber || !lastIsNumber || first < 0 || last < first || last >= width)
            return std::nullopt;
        for (int dimension = first; dimension <= last; ++dimension)
            add(dimension);
    }
    return dimensions.empty() ? std::nullopt : std::optional(dimensions);
}

std::vector<int> usualColumns(const PositionTable& table) {
    const int width = table.all ? table.all->columns() : 0;
    std::vector<int> columns;
    for (int place = 0; place < (table.byDistance ? std::min(width, 8) : 4); ++place) {
        const int column =
            table.byDistance ? place : (place + 1) * width / 8 / 2 * 2; // the even column of a pair, its sine
        if (columns.empty() || column > columns.back())
            columns.push_back(column);
    }
    return columns.empty() ? std::vector{0} : columns;
}

PositionFocus positionFocus(const TokenFocus& focus, const PositionTable& table, PositionSide side) {
    const bool source = side == PositionSide::Source;
    const auto query = positionOf(source ? focus.sourceQuery : focus.targetQuery, table);
    const auto key = positionOf(source ? focus.sourceKey : focus.targetKey, table);
    PositionFocus lit{.query = query ? query : key, .key = key ? key : query};
    lit.one = source ? lit.key : lit.query;
    return lit;
}

TokenFocus tokenFocus(std::optional<int> queryPosition, std::optional<int> keyPosition,
                      const PositionTable& table, PositionSide side) {
    const auto query = tokenAt(queryPosition, table);
    const auto key = tokenAt(keyPosition, table);
    if (side == PositionSide::Source)
        return {.sourceQuery = query, .sourceKey = key};
    return {.targetQuery = query, .targetKey = key};
}

} // namespace headscope::widgets
