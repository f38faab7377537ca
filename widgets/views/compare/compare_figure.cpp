#include "widgets/drawing/theme.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/export/figure_heads.h"
#include "widgets/map/linked_maps.h"
#include "widgets/tables/column_table.h"
#include "widgets/view_spec.h"
#include "widgets/views/compare/compare_view.h"
#include "widgets/words/captions.h"
#include "widgets/words/counting_words.h"

#include <QLabel>
#include <QPainter>
#include <QStackedWidget>

#include <algorithm>
#include <array>

namespace headscope::widgets {

namespace {

constexpr QSizeF leastMaps(1096, 448);
constexpr double compareFigureLeastMaps = 0.3; ///< of a page's height

} // namespace

bool CompareView::hasFigure() const {
    return answer_ && !answer_->maps.empty();
}

/// Heads that are still being compared are no table yet.
bool CompareView::hasTable() const {
    const auto* table = static_cast<const ColumnTable*>(stack_->currentWidget());
    return !table->rows().empty() && (page() != Page::Heads || changes_);
}

bool CompareView::isInUsualOrder() const {
    return page() != Page::Heads ||
           std::ranges::is_sorted(heads_->rows(), std::ranges::greater(), [this](int row) {
               return changes()[static_cast<std::size_t>(row)].divergence;
           });
}

TableFigure CompareView::tableFigure() const {
    TableFigure figure = static_cast<const ColumnTable*>(stack_->currentWidget())->figure();
    figure.caption = pageWords_->text();
    figure.font = font();
    figure.parts = figureParts();
    return figure;
}

QSize CompareView::figureSize() const {
    if (!hasFigure())
        return leastMaps.toSize();
    const QSize maps = maps_->figure(caption(), leastMaps).size(figureParts());
    const QSize table = hasTable() ? tableFigure().size() : QSize(0, 0);
    return {std::max(maps.width(), table.width()), maps.height() + table.height()};
}

/// A table cannot be narrower than its columns.
QSize CompareView::narrowFigure(int width) const {
    const QSize usual = figureSize();
    if (!hasFigure() || hasTable() || width >= usual.width())
        return usual;
    return maps_->figure(caption(), leastMaps).size(figureParts(), width);
}

void CompareView::drawFigure(QPainter& painter, QSize size, const Theme& theme) const {
    painter.fillRect(QRect(QPoint(), size), theme.background);
    if (!hasFigure())
        return;
    QRectF paper(QPointF(0, 0), QSizeF(size));
    if (hasTable()) {
        const auto table = tableFigure();
        const double height =
            std::min<double>(table.size().height(), (1 - compareFigureLeastMaps) * paper.height());
        table.draw(painter, QRectF(0, paper.height() - height, paper.width(), height), theme);
        paper.setHeight(paper.height() - height);
    }
    maps_->figure(caption(), leastMaps).draw(painter, paper.size().toSize(), figureParts(), theme);
}

/// Of A, which is what is decoded; all that B has of its own is there.
void CompareView::setRowsDecoded(std::optional<std::size_t> rows) {
    using trace::AttentionKind;
    AnimatedFigure::setRowsDecoded(rows);
    maps_->setDecoded([this](AttentionKind kind, bool isQuery, int token) {
        const bool isOfTarget =
            isQuery ? kind != AttentionKind::EncoderSelf : kind == AttentionKind::DecoderSelf;
        const auto place = (isQuery ? shownRows_ : shownColumns_).at(static_cast<std::size_t>(token));
        const auto& axis = isQuery ? answer_->alignment.queriesOf(kind) : answer_->alignment.keysOf(kind);
        const auto unit = axis.places.at(place).first;
        return !isOfTarget || !unit || isDecoded(axis.first.at(*unit).tokens.first);
    });
}

FigureText CompareView::figureText() const {
    if (!hasFigure())
        return {};
    return {.title = compareTitle(*answer_),
            .caption = hasTable() ? caption() + ' ' + tableFigure().words() : caption(),
            .provenance = provenance(*pair_.first) + QStringLiteral(" | ") + provenance(*pair_.second),
            .head = listedHeads({answer_->question.head, answer_->other.value_or(answer_->question.head)}),
            .quantity = quantityName(Quantity::Weights)};
}

namespace {

/// What each of both has at the places of an axis; empty where it has nothing.
struct Pieces {
    QStringList first;
    QStringList second;

    Pieces(const analysis::AlignedAxis& axis, const std::vector<trace::Token>& ofFirst,
           const std::vector<trace::Token>& ofSecond, const std::vector<std::size_t>& shown) {
        const auto piece = [](const std::vector<trace::Token>& tokens,
                              const std::vector<analysis::AxisUnit>& units, std::optional<std::size_t> at) {
            return at ? unitLabel(tokens, units[*at]).full() : QString();
        };
        for (const std::size_t place : shown) {
            first += piece(ofFirst, axis.first, axis.places[place].first);
            second += piece(ofSecond, axis.second, axis.places[place].second);
        }
    }
    /// Of the difference: the piece of both, or one beside the other.
    QStringList both() const {
        const auto orNothing = [](const QString& piece) {
            return piece.isEmpty() ? QString(QChar(0x2013)) : piece;
        };
        QStringList names;
        for (qsizetype i = 0; i < first.size(); ++i)
            names += first[i] == second[i]
                         ? first[i]
                         : orNothing(first[i]) + QStringLiteral(" | ") + orNothing(second[i]);
        return names;
    }
    /// Of one of the two maps: its own pieces, and that of both where it has nothing.
    QStringList namesOf(const QStringList& own) const {
        QStringList names = both();
        for (qsizetype i = 0; i < own.size(); ++i)
            if (!own[i].isEmpty())
                names[i] = own[i];
        return names;
    }
};

trace::DataAxis named(const char* name, const QStringList& pieces, int tokensACell) {
    trace::DataAxis axis{.name = name};
    for (qsizetype i = 0; i < pieces.size(); i += tokensACell)
        axis.labels.push_back(pieces[i].toStdString());
    return axis;
}

/// What `value` gives for each place, and no number where it gives nothing.
template <class Value>
trace::DataColumn numbersAt(const char* title, const std::vector<std::size_t>& places, Value value) {
    std::vector<double> numbers;
    for (const std::size_t place : places)
        numbers.push_back(std::optional<double>(value(place)).value_or(noNumber));
    return dataColumn(title, std::move(numbers));
}

/// In the order in which the table is sorted.
trace::DataTable headsOf(const std::vector<analysis::HeadChange>& changes, const std::vector<int>& order) {
    QStringList heads, others;
    std::vector<double> divergence, largest, entropy, firstOutside, secondOutside, rows;
    for (const int row : order) {
        const auto& change = changes[static_cast<std::size_t>(row)];
        heads += address(change.head);
        others += address(change.other);
        divergence.push_back(change.divergence);
        largest.push_back(change.largest);
        entropy.push_back(change.entropyChange);
        firstOutside.push_back(change.firstOutside);
        secondOutside.push_back(change.secondOutside);
        rows.push_back(static_cast<double>(change.rows));
    }
    return {.name = "heads",
            .columns = {dataColumn("head", heads), dataColumn("head_in_b", others),
                        dataColumn("divergence", divergence), dataColumn("largest_change", largest),
                        dataColumn("entropy_change_bits", entropy), dataColumn("outside_a", firstOutside),
                        dataColumn("outside_b", secondOutside), dataColumn("rows", rows)}};
}

trace::DataTable rowsOf(const analysis::AlignedMaps& maps, const Pieces& pieces,
                        const std::vector<std::size_t>& shown) {
    using Row = analysis::RowComparison;
    const auto numbers = [&](const char* title, double Row::*value) {
        return numbersAt(title, shown, [&](std::size_t row) {
            const auto& compared = maps.rowComparisons[row];
            return compared ? std::optional((*compared).*value) : std::nullopt;
        });
    };
    return {.name = "rows",
            .columns = {dataColumn("row_a", pieces.first), dataColumn("row_b", pieces.second),
                        numbers("divergence", &Row::divergence), numbers("outside_a", &Row::firstOutside),
                        numbers("outside_b", &Row::secondOutside),
                        numbers("entropy_a_bits", &Row::firstEntropy),
                        numbers("entropy_b_bits", &Row::secondEntropy)}};
}

trace::DataTable keysOf(const analysis::AlignedMaps& maps, const Pieces& pieces,
                        const std::vector<std::size_t>& shown) {
    const auto& first = maps.firstReceived;
    const auto& second = maps.secondReceived;
    return {.name = "keys",
            .columns = {dataColumn("key_a", pieces.first), dataColumn("key_b", pieces.second),
                        numbersAt("received_a", shown, [&](std::size_t key) { return first[key]; }),
                        numbersAt("received_b", shown, [&](std::size_t key) { return second[key]; })}};
}

trace::DataTable saidOf(const analysis::SaidComparison& said,
                        const std::vector<analysis::StepComparison>& steps,
                        const std::vector<std::size_t>& shown) {
    const auto& [first, second, axis] = said;
    const auto probability = [&](const analysis::SaidOutput& output,
                                 const std::vector<analysis::AxisUnit>& units,
                                 std::optional<std::size_t> at) {
        return at ? std::optional(analysis::logProbabilityOf(output, units[*at])) : std::nullopt;
    };
    const Pieces pieces(axis, first.tokens, second.tokens, shown);
    trace::DataTable table{
        .name = "output",
        .columns = {
            dataColumn("token_a", pieces.first), dataColumn("token_b", pieces.second),
            numbersAt("log_probability_a", shown,
                      [&](std::size_t at) { return probability(first, axis.first, axis.places[at].first); }),
            numbersAt("log_probability_b", shown, [&](std::size_t at) {
                return probability(second, axis.second, axis.places[at].second);
            })}};
    if (!steps.empty())
        table.columns.push_back(numbersAt("divergence_nats", shown, [&](std::size_t place) {
            const auto& at = axis.places[place].first;
            return at && *at < steps.size() ? std::optional(steps[*at].divergence) : std::nullopt;
        }));
    return table;
}

} // namespace

/// Of what is computed only when its page is looked at, as much as there is.
trace::FigureData CompareView::figureData() const {
    trace::FigureData data;
    if (!hasFigure())
        return data;
    addLinkedMaps(data, maps_->maps());
    const auto kind = answer_->question.head.site.kind;
    const trace::Run &first = *pair_.first, &second = *pair_.second;
    const Pieces rows(answer_->alignment.queriesOf(kind), first.queryTokens(kind), second.queryTokens(kind),
                      shownRows_);
    const Pieces keys(answer_->alignment.keysOf(kind), first.keyTokens(kind), second.keyTokens(kind),
                      shownColumns_);
    const std::array down{rows.namesOf(rows.first), rows.namesOf(rows.second), rows.both()};
    const std::array across{keys.namesOf(keys.first), keys.namesOf(keys.second), keys.both()};
    for (std::size_t i = 0; i < data.arrays.size(); ++i) {
        const int together = maps_->maps()[i].tokensACell;
        data.arrays[i].axes = {named("query", down[i], together), named("key", across[i], together)};
    }
    if (changes_)
        data.tables.push_back(headsOf(*changes_, heads_->rows()));
    data.tables.push_back(rowsOf(answer_->maps, rows, shownRows_));
    data.tables.push_back(keysOf(answer_->maps, keys, shownColumns_));
    data.tables.push_back(
        saidOf(answer_->said, steps_, shownPlaces(answer_->said.axis.places, bar_->alignedOnly())));
    std::erase_if(data.tables, [](const trace::DataTable& table) { return table.rows() == 0; });
    return data;
}

std::optional<PictureOptions> CompareView::picture(PictureOptions options) const {
    return ofView(std::move(options), "compare", pageName("compare", static_cast<int>(page())));
}

bool CompareView::exportChoices(PictureOptions& picture, const Choices& chosen) const {
    // What B is made of, and nothing that it could be made of instead. Branches are called by their
    // beginnings, unless a person called them something else; another order of the heads cannot be said.
    if (!isInUsualOrder())
        return false;
    const auto with = chosenValue(chosen, "compare", "with");
    if (!with)
        return true;
    for (const char* other : {"sentence", "model", "step", "branch"})
        if (*with != ChoiceValue(std::string(other)))
            picture.choices.erase(other);
    if (*with != ChoiceValue(std::string("branch")))
        return true;
    const auto names = chosenValue(chosen, "branches", "names");
    const auto* given = names ? std::get_if<std::vector<std::string>>(&*names) : nullptr;
    return !given || std::ranges::all_of(*given, &std::string::empty);
}

QStringList CompareView::nameParts(const trace::HeadAddress& head, int) const {
    return {address(head)};
}

} // namespace headscope::widgets
