// The numbers behind the pages of positions.
#include "model/analysis/positional_geometry.h"
#include "model/analysis/rotation_curve.h"
#include "widgets/figure_data_parts.h"
#include "widgets/positional_encoding_view.h"
#include "widgets/score_terms_words.h"

#include <algorithm>
#include <numbers>

namespace headscope::widgets {

namespace {

trace::DataAxis counted(std::string name, int first, std::size_t count) {
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
    return {.tables = {{.name = "shares",
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

trace::FigureData termData(const trace::ScoreTerms& terms, std::size_t head) {
    const auto queries = dataAxis("query", tokenLabels(terms.tokens));
    const auto keys = dataAxis("key", tokenLabels(terms.tokens));
    trace::FigureData data;
    data.arrays.push_back(dataArray("scores", terms.scores.head(head), &terms.mask, queries, keys));
    for (const auto& term : terms.terms)
        data.arrays.push_back(
            dataArray(termName(term).toStdString(), term.values.head(head), &terms.mask, queries, keys));
    return data;
}

/// The first rows of a table, some of its columns.
trace::DataArray tableData(const trace::Matrix& all, std::size_t rows, const std::vector<int>& columns,
                           trace::DataAxis down, const char* across) {
    trace::DataArray array{.name = "positions", .axes = {std::move(down), {.name = across}}};
    array.shape = {rows, columns.size()};
    for (const int column : columns)
        array.axes[1].labels.push_back(std::to_string(column));
    for (std::size_t row = 0; row < rows; ++row)
        for (const int column : columns)
            array.values.push_back(all(row, static_cast<std::size_t>(column)));
    return array;
}

} // namespace

trace::FigureData PositionalEncodingView::figureData() const {
    if (!hasFigure())
        return {};
    if (showsRotation()) {
        std::vector<double> lengths;
        for (const double radians : model()->rotation)
            lengths.push_back(2 * std::numbers::pi / radians);
        return {.arrays = {dataArray("wavelength", lengths, {.name = "pair"})}};
    }
    if (isAnswered())
        return answeredData(*answer());
    const std::size_t rows = shownRows();
    const auto down = counted(table_.byDistance ? "distance" : "position", table_.first, rows);
    if (page() == Page::Similarity) {
        const auto cosines = analysis::cosineSimilarity(trace::view(*table_.all), rows);
        return {.arrays = {dataArray("cosine", trace::view(cosines), nullptr, down, down)}};
    }
    std::vector<int> columns = dimensions_;
    if (page() == Page::Table) {
        columns.resize(table_.all->columns());
        for (std::size_t i = 0; i < columns.size(); ++i)
            columns[i] = static_cast<int>(i);
    }
    std::erase_if(columns, [&](int column) {
        return column < 0 || static_cast<std::size_t>(column) >= table_.all->columns();
    });
    return {
        .arrays = {tableData(*table_.all, rows, columns, down, table_.byDistance ? "head" : "dimension")}};
}

trace::FigureData PositionalEncodingView::answeredData(const PositionAnswer& known) const {
    if (page() == Page::Wavelengths)
        return wavelengthData(known.wavelengths);
    if (page() == Page::Shift)
        return {.arrays = {dataArray("relative_error", known.shift.error, {.name = "position"})}};
    if (page() == Page::Words)
        return shareData(sharesOf(known));
    if (!showsTurnedScore())
        return termData(*known.scores, static_cast<std::size_t>(scoredHead()->head));
    const auto cell = turnedCell();
    const auto curve =
        analysis::rotationCurve(*known.projected, *scoredHead(), static_cast<std::size_t>(cell->row),
                                static_cast<std::size_t>(cell->column), turnedReach);
    return {
        .arrays = {dataArray("score", curve.values, counted("distance", curve.first, curve.values.size()))}};
}

} // namespace headscope::widgets
