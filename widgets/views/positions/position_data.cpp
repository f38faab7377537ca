#include "widgets/views/positions/position_data.h"

#include "widgets/export/figure_data_parts.h"
#include "widgets/views/positions/position_words.h"
#include "widgets/views/positions/score_terms_words.h"

#include <array>

namespace headscope::widgets {

namespace {

/// The errors, the positions used for the fit, and M.
void addShift(trace::FigureData& data, const analysis::PositionalShift& shift, const std::string& name) {
    data.arrays.push_back(dataArray(name + "relative_error", shift.error, {.name = "position"}));
    std::vector<double> fitted;
    for (std::size_t position = 0; position < shift.error.size(); ++position)
        fitted.push_back(shift.fitted > 0 && position % 2 == 0 ? 1 : 0);
    data.arrays.push_back(dataArray(name + "fitted", fitted, {.name = "position"}));
    data.arrays.push_back(dataArray(name + "map", trace::view(shift.matrix), nullptr,
                                    {.name = "later_dimension"}, {.name = "earlier_dimension"}));
}

/// Adds the share of each term in the variance of the scores: per row and per head (mean over rows), and per
/// head also by origin.
void addScoreShares(trace::FigureData& data, const trace::ScoreTerms& terms,
                    const std::vector<analysis::HeadScoreShares>& heads, std::size_t head) {
    trace::DataAxis names{.name = "term"};
    for (const auto& term : terms.terms)
        names.labels.push_back(termName(term).toStdString());
    const std::size_t queries = terms.scores.rows();
    if (queries <= trace::longestStoredMap) { // too slow for longer ones
        trace::DataArray rows{.name = "share_of_row",
                              .axes = {dataAxis("query", tokenLabels(terms.tokens)), names}};
        rows.shape = {queries, terms.terms.size()};
        for (std::size_t query = 0; query < queries; ++query) {
            const auto shares = analysis::rowShares(terms, head, query);
            for (std::size_t term = 0; term < terms.terms.size(); ++term)
                rows.values.push_back(shares ? (*shares)[term] : noNumber);
        }
        data.arrays.push_back(std::move(rows));
    }
    trace::DataArray means{.name = "share_of_head", .axes = {{.name = "head"}, names}};
    means.shape = {heads.size(), terms.terms.size()};
    std::vector<double> numbers, averaged;
    std::array<std::vector<double>, analysis::scoreOrigins> origins;
    for (std::size_t each = 0; each < heads.size(); ++each) {
        for (std::size_t term = 0; term < terms.terms.size(); ++term)
            means.values.push_back(heads[each].terms.empty() ? noNumber : heads[each].terms[term]);
        numbers.push_back(static_cast<double>(each));
        averaged.push_back(static_cast<double>(heads[each].rows));
        for (std::size_t origin = 0; origin < origins.size(); ++origin)
            origins[origin].push_back(heads[each].rows > 0 ? heads[each].origins[origin] : noNumber);
    }
    data.arrays.push_back(std::move(means));
    data.tables.push_back({.name = "heads",
                           .columns = {dataColumn("head", numbers), dataColumn("content", origins[0]),
                                       dataColumn("position", origins[1]), dataColumn("mixed", origins[2]),
                                       dataColumn("bias", origins[3]), dataColumn("rows", averaged)}});
}

} // namespace

trace::DataAxis positionAxis(std::string name, int first, std::size_t count) {
    trace::DataAxis axis{.name = std::move(name)};
    for (std::size_t i = 0; first != 0 && i < count; ++i)
        axis.labels.push_back(std::to_string(first + static_cast<int>(i)));
    return axis;
}

trace::FigureData shareData(const TokenShares& shares) {
    QStringList tokens;
    std::vector<double> word, position, wordLength, positionLength;
    for (std::size_t i = 0; i < shares.shares.size(); ++i) {
        tokens += tokenLabel(shares.tokens.at(i)).full();
        word.push_back(shares.shares[i].word);
        position.push_back(shares.shares[i].position);
        wordLength.push_back(shares.shares[i].wordLength);
        positionLength.push_back(shares.shares[i].positionLength);
    }
    const auto& embedding = shares.embedding;
    trace::Matrix words = embedding.sums;
    for (std::size_t token = 0; token < words.rows(); ++token)
        for (std::size_t i = 0; i < words.columns(); ++i)
            words(token, i) -= embedding.positions(token, i);
    const auto down = dataAxis("token", tokenLabels(shares.tokens));
    const auto vectors = [&](const char* name, const trace::Matrix& values) {
        return dataArray(name, trace::view(values), nullptr, down, {.name = "dimension"});
    };
    return {.arrays = {vectors("word_vector", words), vectors("position_vector", embedding.positions),
                       vectors("sum_vector", embedding.sums)},
            .tables = {{.name = "shares",
                        .columns = {dataColumn("token", tokens), dataColumn("word", word),
                                    dataColumn("position", position), dataColumn("word_length", wordLength),
                                    dataColumn("position_length", positionLength)}}}};
}

trace::FigureData wavelengthData(const analysis::PositionalWavelengths& measured) {
    std::vector<double> lengths, shares;
    for (const auto& wave : measured.dimensions) {
        lengths.push_back(wave ? wave->positions : noNumber);
        shares.push_back(wave ? wave->share : noNumber);
    }
    return {.arrays = {dataArray("wavelength", lengths, {.name = "dimension"}),
                       dataArray("share_of_variance", shares, {.name = "dimension"})}};
}

trace::FigureData shiftData(const PositionAnswer& known) {
    trace::FigureData data;
    QStringList maps;
    std::array<std::vector<double>, 6> numbers;
    const auto add = [&](const analysis::PositionalShift& shift, const std::string& name) {
        addShift(data, shift, name);
        maps += shift.map == analysis::PositionalShift::Map::Rotation ? "rotation" : "least squares";
        const auto put = [&](std::size_t column, double number) { numbers[column].push_back(number); };
        put(0, shift.offset);
        put(1, shift.rSquared.value_or(noNumber));
        put(2, static_cast<double>(shift.fitted));
        put(3, static_cast<double>(shift.heldOut));
        put(4, static_cast<double>(shift.dimensions));
        put(5, shift.variance);
    };
    add(known.shift, "");
    if (known.fittedShift && known.fittedShift->map != analysis::PositionalShift::Map::None)
        add(*known.fittedShift, "least_squares_");
    trace::DataTable table{.name = "shift", .columns = {dataColumn("map", maps)}};
    const std::array titles{"offset",         "r_squared",  "pairs_fitted",
                            "pairs_held_out", "dimensions", "variance"};
    for (std::size_t column = 0; column < titles.size(); ++column)
        table.columns.push_back(dataColumn(titles[column], numbers[column]));
    data.tables.push_back(std::move(table));
    return data;
}

trace::FigureData termData(const trace::ScoreTerms& terms,
                           const std::vector<analysis::HeadScoreShares>& heads, std::size_t head,
                           const HeadTerms* centred) {
    const auto queries = dataAxis("query", tokenLabels(terms.tokens));
    const auto keys = dataAxis("key", tokenLabels(terms.tokens));
    trace::FigureData data;
    const auto add = [&](const std::string& name, trace::MatrixView values) {
        data.arrays.push_back(dataArray(name, values, &terms.mask, queries, keys));
    };
    const auto nameOf = [&](std::size_t term) { return termName(terms.terms[term]).toStdString(); };
    if (centred)
        add("scores_centred", trace::view(centred->scores));
    for (std::size_t term = 0; centred && term < terms.terms.size(); ++term)
        add(nameOf(term) + "_centred", trace::view(centred->terms[term]));
    add("scores", terms.scores.head(head));
    for (std::size_t term = 0; term < terms.terms.size(); ++term)
        add(nameOf(term), terms.terms[term].values.head(head));
    addScoreShares(data, terms, heads, head);
    return data;
}

trace::DataArray tableData(const trace::Matrix& all, std::size_t rows, const std::vector<int>& columns,
                           trace::DataAxis down, const char* across) {
    trace::DataArray array{.name = "positions", .axes = {std::move(down), {.name = across}}};
    array.shape = {rows, columns.size()};
    for (const int column : columns)
        array.axes[1].labels.push_back(std::to_string(column));
    for (std::size_t row = 0; row < rows; ++row)
        for (const int column : columns)
            array.values.push_back(all(row, column));
    return array;
}

} // namespace headscope::widgets
