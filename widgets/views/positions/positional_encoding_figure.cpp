#include "model/analysis/maps/recomputed_map.h"
#include "model/analysis/positions/positional_geometry.h"
#include "model/analysis/positions/rotation_curve.h"
#include "widgets/drawing/empty_state.h"
#include "widgets/drawing/theme.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/map/named_labels.h"
#include "widgets/map/number_map.h"
#include "widgets/plots/readable_plot.h"
#include "widgets/view_spec.h"
#include "widgets/views/positions/position_curves.h"
#include "widgets/views/positions/position_words.h"
#include "widgets/views/positions/positional_encoding_view.h"
#include "widgets/views/positions/score_terms_page.h"
#include "widgets/views/positions/score_terms_words.h"
#include "widgets/views/positions/shift_page.h"
#include "widgets/views/positions/word_position_page.h"
#include "widgets/words/captions.h"
#include "widgets/words/counting_words.h"
#include "widgets/words/hint_for_no_run.h"

#include <QLabel>
#include <QPainter>
#include <QStackedWidget>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace headscope::widgets {

QString PositionalEncodingView::tableCaption() const {
    if (table_.byDistance)
        return distanceCaption(*model(), side(), page() == Page::Table);
    const auto count = shownRows();
    const QString what = page() == Page::Curves  ? dimensionsInWords(dimensions_, table_.all->columns())
                         : page() == Page::Table ? tr("The vectors, positions down and dimensions across,")
                                                 : tr("Cosine similarity of the vectors");
    const QString side = this->side() == PositionSide::Source ? tr("source") : tr("target");
    const QString which =
        model()->recorded
            ? tr("%1 that the model adds to its %2 embeddings: the first %3 of %4 positions in the trace.")
            : tr("%1 that the model adds to its %2 embeddings: the first %3 of %4 positions in the model.");
    QString words = which.arg(what, side).arg(count).arg(table_.all->rows());
    words += QChar(' ') + originInWords(*model(), origin_);
    if (jump_)
        words += QChar(' ') + jumpInWords(*jump_);
    if (page() != Page::Curves)
        words += sharedPixelsInWords(Pooling::Extreme, static_cast<std::size_t>(count),
                                     page() == Page::Table ? table_.all->columns()
                                                           : static_cast<std::size_t>(count));
    const auto found = std::ranges::count_if(table_.rows, [](const auto& row) { return row.has_value(); });
    if (found > 0)
        words += QChar(' ') + tr("Marked: the %1 positions of this sentence.").arg(found);
    return words;
}

QString PositionalEncodingView::whyNothing() const {
    if (!run_)
        return hintForNoRun(*this);
    if (showsTurnedScore()) {
        if (!run_->complete)
            return tr("The sentence is still being decoded.");
        if (!scoredHead() || !run_->record(scoredHead()->site))
            return tr("There is no target: nothing is decoded.");
        if (analysis::lacksScores(*run_->record(scoredHead()->site)))
            return tr("This trace holds no scores of this head: %1/scores records them.")
                .arg(side() == PositionSide::Source ? "encoder_self" : "decoder_self");
        if (placesChanged(*run_))
            return tr(
                "A what-if has changed the positions: switch the what-if off to see scores by distance.");
    } else if (page() == Page::Scores || page() == Page::Words) {
        const QString why = page() == Page::Scores ? whyNoTerms(*run_, side()) : whyNoShares(*run_, side());
        if (!why.isEmpty())
            return why;
    } else if (!table_.all || table_.byDistance) {
        return whyNoVectors(*model(), side());
    }
    if (const QString why = refusal(); !why.isEmpty())
        return why;
    const PositionAnswer* known = answer();
    if (!known)
        return tr("Measuring...");
    return known->question.about == PositionQuestion::About::Shift
               ? shiftCaption(known->shift, known->fittedShift, side())
               : QString();
}

QString PositionalEncodingView::caption() const {
    if (!hasFigure())
        return whyNothing();
    if (showsTurnedScore())
        return turnedScoreCaption();
    const PositionAnswer* known = isAnswered() ? answer() : nullptr;
    if (known && page() == Page::Scores)
        return scores_->caption();
    const QString words = showsRotation()               ? rotationCaption(*model())
                          : !known                      ? tableCaption()
                          : page() == Page::Wavelengths ? wavelengthsCaption(known->wavelengths, side())
                          : page() == Page::Shift ? shiftCaption(known->shift, known->fittedShift, side())
                                                  : sharesCaption(sharesOf(*known), side());
    return withModel(*model(), words);
}

QString PositionalEncodingView::whatIsMissing() const {
    switch (page()) {
    case Page::Wavelengths:
        return tr("Shows after how many positions each dimension repeats.");
    case Page::Shift:
        return tr("Shows how well one linear map leads from each position to a later one.");
    case Page::Words:
        return tr("Shows the shares of word and position in each token's vector.");
    case Page::Scores:
        return tr("Splits the scores of a first layer into contributions of words, positions and biases.");
    default:
        return tr("Shows the positional vectors that the model adds.");
    }
}

void PositionalEncodingView::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.fillRect(rect(), theme.background);
    if (!hasFigure())
        drawEmptyState(painter, QRectF(rect()).adjusted(0, 80, 0, 0), whatIsMissing(), caption(), theme);
}

/// In a low view, picture and caption scroll.
void PositionalEncodingView::keepHeights() {
    constexpr int leastLines = 14;
    stack_->setMinimumHeight(
        std::max(leastLines * fontMetrics().height(), stack_->currentWidget()->minimumSizeHint().height()));
}

void PositionalEncodingView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    keepHeights();
}

QRectF PositionalEncodingView::areaAbove(const QString& words, QSize size) const {
    const QRectF inside = QRectF(QPointF(), size).adjusted(12, 12, -12, -12);
    if (words.isEmpty())
        return inside;
    const double high = QFontMetricsF(font()).boundingRect(inside, Qt::TextWordWrap, words).height();
    return inside.adjusted(0, 0, 0, -high - 12);
}

QString PositionalEncodingView::figureWords(QSize size) const {
    return wordsWithNamed(figureCaption(), figureParts(), [&](const QString& below) {
        return page() != Page::Scores || showsTurnedScore() ? QString()
                                                            : scores_->namedInWords(areaAbove(below, size));
    });
}

/// Pages of tokens and of maps are as high as their content.
QSize PositionalEncodingView::figureSize() const {
    QSize size = FigureSource::figureSize();
    if (hasFigure() && !figureParts().caption) { // the picture keeps the size it has above a caption
        const double drawn = pictureArea(size).height();
        const FigureWithParts all(*this, {});
        size.rheight() -= static_cast<int>(drawn - pictureArea(size).height());
    }
    if (page() != Page::Words && page() != Page::Shift)
        return size;
    const int words = size.height() - static_cast<int>(pictureArea(size).height());
    return {size.width(), page() == Page::Words ? words + words_->figureHeight()
                                                : std::max(size.height(), words + shift_->figureHeight())};
}

/// Plots and maps keep about the shape of a page; others are as high as their content.
QSize PositionalEncodingView::narrowFigure(int width) const {
    constexpr double shape = 0.7; // height / width of a picture
    const QSize usual = figureSize();
    if (!hasFigure() || page() == Page::Scores || width >= usual.width())
        return usual;
    constexpr int any = 10000;
    const QRectF picture = pictureArea({width, any});
    const double high = page() == Page::Words   ? words_->figureHeight()
                        : page() == Page::Shift ? shift_->figureHeight()
                                                : shape * picture.width();
    return {width, static_cast<int>(std::ceil(any - picture.height() + high))};
}

void PositionalEncodingView::drawFigure(QPainter& painter, QSize size, const Theme& theme) const {
    const QRectF area(QPoint(), size);
    painter.fillRect(area, theme.background);
    if (!hasFigure())
        return;
    const QRectF picture = pictureArea(size);
    painter.setFont(font());
    if (page() == Page::Curves || showsTurnedScore())
        curves_->draw(painter, picture, theme);
    else if (page() == Page::Table || page() == Page::Similarity)
        (page() == Page::Table ? map_ : similarity_)->draw(painter, picture, theme);
    else if (page() == Page::Words)
        words_->drawFigure(painter, picture, figureParts(), theme);
    else if (page() == Page::Scores)
        scores_->drawFigure(painter, picture, theme);
    else if (page() == Page::Shift)
        shift_->draw(painter, picture, theme);
    else
        wavelengths_->picture()->draw(painter, picture, font(), theme);
    painter.setFont(font());
    painter.setPen(theme.text);
    painter.drawText(area.adjusted(12, 12, -12, -12), Qt::AlignBottom | Qt::TextWordWrap, figureWords(size));
}

QString PositionalEncodingView::quantityInFigure() const {
    switch (page()) {
    case Page::Similarity:
        return tr("cosine similarity");
    case Page::Wavelengths:
        return tr("wavelength");
    case Page::Shift:
        return tr("relative error");
    case Page::Words:
        return tr("share of the vector");
    case Page::Scores:
        return quantityName(Quantity::Scores);
    case Page::Curves:
    case Page::Table:
        break;
    }
    return table_.byDistance ? tr("bias") : tr("positional vector");
}

std::vector<double> PositionalEncodingView::zoomOf(Page page) const {
    if (page == Page::Curves)
        return curves_->zoom();
    const NumberMap* map = page == Page::Table ? map_ : similarity_;
    const QRectF seen = map->zoom();
    const bool isAll =
        !map->isEmpty() && seen.height() >= map->rowCount() && seen.width() >= map->columnCount();
    return isAll ? std::vector<double>() : map->zoomSides();
}

void PositionalEncodingView::setZoom(Page page, const std::vector<double>& zoom) {
    if (page == Page::Curves)
        return curves_->setZoom(zoom);
    NumberMap* map = page == Page::Table ? map_ : similarity_;
    map->setZoomSides(zoom);
}

std::optional<PositionalEncodingView::Page> PositionalEncodingView::zoomedPage() const {
    if (page() == Page::Curves || showsTurnedScore())
        return Page::Curves;
    return page() == Page::Table || page() == Page::Similarity ? std::optional(page()) : std::nullopt;
}

QString PositionalEncodingView::partInWords() const {
    const auto zoomed = zoomedPage();
    if (!hasFigure() || !zoomed)
        return {};
    if (*zoomed == Page::Curves)
        return curves_->partInWords();
    if (zoomOf(*zoomed).empty())
        return {};
    const NumberMap* map = *zoomed == Page::Table ? map_ : similarity_;
    const QRectF seen = map->zoom();
    const auto name = [](double place, int last) { return std::clamp(static_cast<int>(place), 0, last); };
    const int bottom = map->rowCount() - 1, right = map->columnCount() - 1;
    return tr("Visible: rows %1 to %2, columns %3 to %4.")
        .arg(map->rowName(name(seen.top(), bottom)), map->rowName(name(std::ceil(seen.bottom()) - 1, bottom)),
             map->columnName(name(seen.left(), right)),
             map->columnName(name(std::ceil(seen.right()) - 1, right)));
}

QString PositionalEncodingView::figureCaption() const {
    const QString part = partInWords();
    return part.isEmpty() ? caption() : caption() + QChar(' ') + part;
}

FigureText PositionalEncodingView::figureText() const {
    const auto head = page() == Page::Scores ? scoredHead() : std::nullopt;
    return {.title = tr("Positions"),
            .caption = figureCaption(),
            .provenance = run_ ? provenance(*run_) : QString(),
            .head = head ? address(*head) : QString(),
            .quantity = hasFigure() ? quantityInFigure() : QString()};
}

bool PositionalEncodingView::hasFigure() const {
    if (showsRotation())
        return true;
    if (!isAnswered())
        return table_.all && !table_.all->empty() && !(table_.byDistance && page() == Page::Similarity);
    const PositionAnswer* known = answer();
    if (!known || !refusal().isEmpty())
        return false;
    if (showsTurnedScore())
        return known->projected && turnedCell();
    return page() == Page::Wavelengths ? !known->wavelengths.dimensions.empty()
           : page() == Page::Shift     ? !known->shift.error.empty()
           : page() == Page::Words     ? !sharesOf(*known).shares.empty()
                                       : known->scores && !known->scores->scores.empty();
}

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

/// The scores and their terms; if `centred` is not null, the drawn centred ones first.
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

/// The first rows of a table, restricted to some columns.
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
        return shiftData(known);
    if (page() == Page::Words)
        return shareData(sharesOf(known));
    if (!showsTurnedScore())
        return termData(*known.scores, known.headShares, static_cast<std::size_t>(scoredHead()->head),
                        scores_->isCentred() ? scores_->shownTerms() : nullptr);
    const auto cell = turnedCell();
    const auto curve =
        analysis::rotationCurve(*known.projected, *scoredHead(), static_cast<std::size_t>(cell->row),
                                static_cast<std::size_t>(cell->column), turnedReach);
    return {
        .arrays = {dataArray("score", curve.values, counted("distance", curve.first, curve.values.size()))}};
}

std::optional<PictureOptions> PositionalEncodingView::picture(PictureOptions options) const {
    options.view = "positions";
    options.page = pageName("positions", static_cast<int>(page()));
    if (side() == PositionSide::Target)
        options.side = "target";
    if (page() == Page::Curves)
        options.dimensions = dimensions();
    if (page() <= Page::Similarity)
        options.count = positionsShown();
    if (page() == Page::Shift)
        options.offset = offset();
    return options;
}

bool PositionalEncodingView::isZoomed() const {
    return zoomedPage() && !zoomOf(*zoomedPage()).empty();
}

} // namespace headscope::widgets
