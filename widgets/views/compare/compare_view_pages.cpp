// What the parts of the comparison show.
#include "widgets/map/linked_maps.h"
#include "widgets/tables/numbers_table.h"
#include "widgets/views/compare/compare_view.h"
#include "widgets/views/compare/head_change_table.h"
#include "widgets/words/captions.h"

#include <QLabel>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

namespace headscope::widgets {

namespace {

constexpr double leastScale = 0.01; ///< smaller differences stay pale: they are next to none

template <class Cells>
Cells cut(const Cells& cells, const std::vector<std::size_t>& rows, const std::vector<std::size_t>& columns) {
    Cells part(rows.size(), columns.size());
    for (std::size_t r = 0; r < rows.size(); ++r)
        for (std::size_t c = 0; c < columns.size(); ++c)
            part(r, c) = cells(rows[r], columns[c]);
    return part;
}

template <class T>
std::vector<T> pick(const std::vector<T>& all, const std::vector<std::size_t>& places) {
    std::vector<T> some;
    for (const std::size_t place : places)
        some.push_back(all[place]);
    return some;
}

/// A column of what `value` gives for each place, with a dash where it gives nothing.
template <class Value>
NumberColumn column(const QString& title, const QString& toolTip, const std::vector<std::size_t>& places,
                    Value value, bool bars = false) {
    NumberColumn made{.title = title, .toolTip = toolTip, .bars = bars};
    for (const std::size_t place : places) {
        const std::optional<double> number = value(place);
        made.values.push_back(number.value_or(0));
        made.empty.push_back(!number);
    }
    return made;
}

} // namespace

std::vector<TokenLabel> CompareView::labels(bool queries) const {
    const auto kind = answer_->question.head.site.kind;
    const auto& alignment = answer_->alignment;
    return queries ? placeLabels(alignment.queriesOf(kind), pair_.first->queryTokens(kind),
                                 pair_.second->queryTokens(kind))
                   : placeLabels(alignment.keysOf(kind), pair_.first->keyTokens(kind),
                                 pair_.second->keyTokens(kind));
}

QString CompareView::whyNot() const {
    return maps_->isEmpty() ? whyEmpty() : QString();
}

QString CompareView::whyEmpty() const {
    return !pair_ ? whyNot_ : !answer_ ? tr("Aligning...") : whyNoMaps(*answer_);
}

void CompareView::setEmptyState() {
    const QString what =
        tr("Here two runs stand beside each other: the maps of a head on aligned tokens, their "
           "difference, and the heads that changed most.");
    maps_->setEmptyState(what, whyEmpty());
}

/// Of maps that are kept what is shown is cut out; of longer ones their smaller pictures are there.
std::array<LinkedMap, 3> CompareView::mapsInSight() {
    const auto& maps = answer_->maps;
    const bool alignedOnly = bar_->alignedOnly();
    const ComparedPicture* picture =
        answer_->pictures.empty() ? nullptr : &answer_->pictures.at(alignedOnly ? 1 : 0);
    shownRows_ = picture ? picture->rows : shownPlaces(maps.rows, alignedOnly);
    shownColumns_ = picture ? picture->columns : shownPlaces(maps.columns, alignedOnly);
    const std::array values{&maps.first, &maps.second, &maps.change};
    const std::array masks{&maps.firstOpen, &maps.secondOpen, &maps.both};
    const auto rowLabels = pick(labels(true), shownRows_);
    const auto columnLabels = pick(labels(false), shownColumns_);
    std::array<LinkedMap, 3> shown;
    for (std::size_t i = 0; i < shown.size(); ++i) {
        LinkedMap map{.kind = answer_->question.head.site.kind,
                      .tone = i == 2 ? LinkedMap::Tone::Scores : LinkedMap::Tone::Weights,
                      .limit = std::max(maps.largest, leastScale),
                      .rowLabels = rowLabels,
                      .columnLabels = columnLabels};
        map.values = picture ? picture->values[i] : cut(*values[i], shownRows_, shownColumns_);
        map.mask = picture ? picture->masks[i] : cut(*masks[i], shownRows_, shownColumns_);
        if (picture)
            thinLabels(map, picture->tokens);
        shown[i] =
            picture ? std::move(map) : pooled(std::move(map), static_cast<int>(trace::longestStoredMap));
    }
    return shown;
}

QString CompareView::cellInWords(MapCell cell) const {
    const auto row = shownRows_.at(static_cast<std::size_t>(cell.row));
    const auto column = shownColumns_.at(static_cast<std::size_t>(cell.column));
    return answer_->pictures.empty()
               ? compareCellInWords(answer_->maps, row, column, placeInWords(cell))
               : compareCellInWords(comparedRow(*answer_, row), 0, column, placeInWords(cell));
}

void CompareView::showMaps() {
    shownRows_.clear();
    shownColumns_.clear();
    if (!hasFigure()) {
        caption_->clear();
        setEmptyState();
        maps_->setMaps({});
        return;
    }
    auto maps = mapsInSight();
    const auto address = [](const trace::HeadAddress& head) {
        return QString::fromStdString(trace::toString(head));
    };
    maps[0].title = tr("A: %1").arg(address(answer_->question.head));
    maps[1].title = tr("B: %1").arg(address(*answer_->other));
    maps[2].title = tr("B \u2212 A");
    maps_->setWords(
        [this](trace::AttentionKind, MapCell cell) { return cellInWords(cell); },
        [rowLabels = pick(labels(true), shownRows_),
         columnLabels = pick(labels(false), shownColumns_)](trace::AttentionKind, bool isQuery, int index) {
            return quoted((isQuery ? rowLabels : columnLabels).at(static_cast<std::size_t>(index)));
        });
    maps_->setMaps({std::make_move_iterator(maps.begin()), std::make_move_iterator(maps.end())});
    // How many cells one stands for is known of the maps alone.
    caption_->setText(compareKey(*answer_, bar_->alignedOnly()) + ' ' +
                      compareCaption(*answer_, names_, bar_->alignedOnly()) + cellsInWords(maps_->maps()));
    lightMaps();
}

QString CompareView::placeInWords(MapCell cell) const {
    const auto row = shownRows_.at(static_cast<std::size_t>(cell.row));
    const auto column = shownColumns_.at(static_cast<std::size_t>(cell.column));
    return tr("%1 \u2192 %2").arg(quoted(labels(true).at(row)), quoted(labels(false).at(column)));
}

void CompareView::showTables() {
    switch (page()) {
    case Page::Heads:
        return showHeads();
    case Page::Rows:
        return showRows();
    case Page::Keys:
        return showKeys();
    case Page::Output:
        return showOutput();
    }
}

void CompareView::showHeads() {
    const std::size_t count = heads_->changes().size();
    if (!pair_)
        pageWords_->setText(tr("There is nothing to compare yet."));
    else if (progress_)
        pageWords_->setText(tr("Comparing heads: %1 %.").arg(std::lround(*progress_ * 100)));
    else if (changesOf_ != pair_)
        pageWords_->setText(tr("Comparing heads..."));
    else if (count == 0)
        pageWords_->setText(tr("No row of any head can be compared."));
    else if (analysis::haveSameHeads(*pair_.first, *pair_.second))
        pageWords_->setText(
            tr("%1 heads, each with the one of its address: mean divergence (Jensen-Shannon, base "
               "2, 0 to 1) of aligned rows, largest first. Outside: the weight on keys without a "
               "counterpart, which count as one key; where it is large, little is compared.")
                .arg(count));
    else
        pageWords_->setText(
            tr("The models have other heads: %1 heads of A, each with the nearest of its kind in B "
               "by mean divergence (Jensen-Shannon, base 2, 0 to 1) of aligned rows.")
                .arg(count));
}

void CompareView::showRows() {
    if (!hasFigure()) {
        rowTable_->setColumns(tr("Row"), NumbersTable::Names::Tokens, {}, {});
        pageWords_->setText(tr("There are no rows to compare."));
        return;
    }
    const auto& rows = answer_->maps.rowComparisons;
    const auto of = [&](double analysis::RowComparison::*value) {
        return [&rows, value](std::size_t row) {
            return rows[row] ? std::optional((*rows[row]).*value) : std::nullopt;
        };
    };
    using Row = analysis::RowComparison;
    rowTable_->setColumns(
        tr("Row"), NumbersTable::Names::Tokens, pick(labels(true), shownRows_),
        {column(tr("Divergence"), tr("Jensen-Shannon divergence of both rows, base 2, 0 to 1"), shownRows_,
                of(&Row::divergence), true),
         column(tr("Outside, A"), tr("Weight of A's row on keys without a counterpart"), shownRows_,
                of(&Row::firstOutside)),
         column(tr("Outside, B"), tr("Weight of B's row on keys without a counterpart"), shownRows_,
                of(&Row::secondOutside)),
         column(tr("Entropy, A"), tr("Bits, over all keys of A's row"), shownRows_, of(&Row::firstEntropy)),
         column(tr("Entropy, B"), tr("Bits, over all keys of B's row"), shownRows_,
                of(&Row::secondEntropy))});
    pageWords_->setText(
        tr("Each pair of rows: how far they are apart, their weight on keys without a "
           "counterpart, which counts as one key, and their entropy. A dash: no pair, or masked."));
}

void CompareView::showKeys() {
    if (!hasFigure()) {
        keyTable_->setColumns(tr("Key"), NumbersTable::Names::Tokens, {}, {});
        pageWords_->setText(tr("There are no keys to compare."));
        return;
    }
    const auto& first = answer_->maps.firstReceived;
    const auto& second = answer_->maps.secondReceived;
    keyTable_->setColumns(tr("Key"), NumbersTable::Names::Tokens, pick(labels(false), shownColumns_),
                          {column(tr("Received, A"), tr("Sum of the column over all rows of A"),
                                  shownColumns_, [&](std::size_t key) { return first[key]; }),
                           column(tr("Received, B"), tr("Sum of the column over all rows of B"),
                                  shownColumns_, [&](std::size_t key) { return second[key]; }),
                           column(
                               tr("Change"), tr("What B's key receives minus what A's does"), shownColumns_,
                               [&](std::size_t key) {
                                   return first[key] && second[key]
                                              ? std::optional(*second[key] - *first[key])
                                              : std::nullopt;
                               },
                               true)});
    pageWords_->setText(tr("What each key receives from all rows of its own map: the sum of its column."));
}

void CompareView::showOutput() {
    if (!answer_) {
        outputTable_->setColumns(tr("Token"), NumbersTable::Names::Tokens, {}, {});
        pageWords_->setText(tr("There is nothing to compare yet."));
        return;
    }
    const auto& [first, second, axis] = answer_->said;
    const auto places = shownPlaces(axis.places, bar_->alignedOnly());
    const auto said = [&](const analysis::SaidOutput& output, const std::vector<analysis::AxisUnit>& units,
                          std::optional<std::size_t> analysis::AlignedPlace::*side) {
        return [&, side](std::size_t place) {
            const auto& at = axis.places[place].*side;
            const auto said =
                at ? std::optional(analysis::logProbabilityOf(output, units[*at])) : std::nullopt;
            return said && std::isnan(*said) ? std::nullopt : said; // of a trace it may not be known
        };
    };
    std::vector<NumberColumn> columns{
        column(tr("log p, A"), tr("Natural logarithm of the token's probability in A"), places,
               said(first, axis.first, &analysis::AlignedPlace::first)),
        column(tr("log p, B"), tr("Natural logarithm of the token's probability in B"), places,
               said(second, axis.second, &analysis::AlignedPlace::second))};
    if (!steps_.empty())
        columns.push_back(column(
            tr("KL(A \u2016 B)"),
            tr("Divergence of the next-token distributions at this step, B made to read what A said, in "
               "nats"),
            places,
            [&](std::size_t place) {
                const auto& at = axis.places[place].first;
                return at && *at < steps_.size() ? std::optional(steps_[*at].divergence) : std::nullopt;
            },
            true));
    outputTable_->setColumns(tr("Token"), NumbersTable::Names::Tokens,
                             pick(placeLabels(axis, first.tokens, second.tokens), places),
                             std::move(columns));
    pageWords_->setText(saidInWords(answer_->said) + ' ' + stepsInWords(steps_.size()));
}

} // namespace headscope::widgets
