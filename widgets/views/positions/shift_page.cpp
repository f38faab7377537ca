#include "widgets/views/positions/shift_page.h"

#include "widgets/controls/wrapped_label.h"
#include "widgets/drawing/theme.h"
#include "widgets/map/number_map.h"
#include "widgets/plots/drawn_plot.h"
#include "widgets/views/positions/position_curves.h"
#include "widgets/views/positions/position_words.h"
#include "widgets/words/captions.h"

#include <QBoxLayout>
#include <QEvent>
#include <QLabel>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::widgets {

namespace {

using analysis::PositionalShift;

// Minimum heights of the pictures, in lines of text.
constexpr int linesOfErrors = 9;
constexpr int linesOfMap = 11;

PositionMarks errorsOf(const PositionalShift& shift, const QString& name) {
    constexpr double exact = 1e-9; // precision of the values; a logarithmic axis has no 0
    PositionMarks row{.name = name};
    for (std::size_t position = 0; position < shift.error.size(); ++position) {
        const double error = shift.error[position];
        row.values.push_back(std::isnan(error) ? 0 : std::max(error, exact));
        row.hollow.push_back(shift.fitted > 0 && position % 2 == 0);
    }
    return row;
}

void showMatrix(NumberMap* map, const trace::Matrix& matrix) {
    double limit = 0;
    for (const float value : matrix.values())
        limit = std::max(limit, std::abs(static_cast<double>(value)));
    map->setMatrix(matrix, limit > 0 ? limit : 1,
                   [matrix](MapCell cell) { return shiftCellInWords(matrix(cell.row, cell.column), cell); });
}

} // namespace

ShiftPage::ShiftPage(QWidget* parent)
    : QWidget(parent), errors_(new ReadablePlot(tr("Errors of the shift"), this)),
      map_(new NumberMap(tr("The linear map M"), this)),
      fittedMap_(new NumberMap(tr("The linear map M, fitted"), this)), mapTitle_(wrappedLabel(this)),
      fittedTitle_(wrappedLabel(this)), fittedHalf_(new QWidget(this)),
      maps_(new QBoxLayout(QBoxLayout::LeftToRight)) {
    auto* left = new QWidget(this);
    for (auto [half, title, map] :
         {std::tuple(left, mapTitle_, map_), std::tuple(fittedHalf_, fittedTitle_, fittedMap_)}) {
        auto* column = new QVBoxLayout(half);
        column->setContentsMargins(0, 0, 0, 0);
        column->addWidget(title);
        column->addWidget(map, 1);
        maps_->addWidget(half, 1);
        map->setMarkedRows({}, true); // shows the diagonal of a square map
        connect(map, &NumberMap::cellDescribed, this, &ShiftPage::cellDescribed);
    }
    auto* page = new QVBoxLayout(this);
    page->setContentsMargins(0, 0, 0, 0);
    page->addWidget(errors_, 2);
    page->addLayout(maps_, 3);
    connect(errors_, &ReadablePlot::cursorMoved, this, [this](std::optional<MapCell> mark) {
        Q_EMIT positionHovered(mark ? std::optional(mark->column) : std::nullopt);
    });
    connect(errors_, &ReadablePlot::markDescribed, this, &ShiftPage::cellDescribed);
    fit();
}

void ShiftPage::setShift(const PositionalShift& shift, const std::optional<PositionalShift>& fitted) {
    const bool both = fitted && !fitted->matrix.empty();
    showErrors(shift, both ? fitted : std::nullopt);
    showMatrix(map_, shift.matrix);
    showMatrix(fittedMap_, both ? fitted->matrix : trace::Matrix());
    mapTitle_->setText(shiftMapTitle(shift));
    fittedTitle_->setText(both ? shiftMapTitle(*fitted) : QString());
    fittedHalf_->setVisible(both);
    fit();
}

void ShiftPage::showErrors(const PositionalShift& shift, const std::optional<PositionalShift>& fitted) {
    std::vector<PositionMarks> rows{errorsOf(shift, tr("turned exactly"))};
    if (fitted)
        rows.push_back(errorsOf(*fitted, tr("fitted on half of the positions")));
    Plot plot = marksPlot(rows, tr("position"), tr("relative error"));
    plot.words = [shift, fitted](MapCell mark) {
        const QString words = shiftErrorInWords(mark.row == 0 ? shift : *fitted, mark.column);
        return !fitted ? words : mark.row == 0 ? tr("turned: %1").arg(words) : tr("fitted: %1").arg(words);
    };
    plain_ = std::make_shared<DrawnPlot>(std::move(plot));
    showLit();
}

void ShiftPage::setLit(std::optional<int> position) {
    if (std::exchange(lit_, position) != position)
        showLit();
}

void ShiftPage::showLit() {
    if (!plain_ || !lit_)
        return errors_->setPicture(plain_);
    Plot plot = plain_->plot();
    plot.lines.push_back({.at = static_cast<double>(*lit_), .ink = &Theme::focus});
    errors_->setPicture(std::make_shared<DrawnPlot>(std::move(plot)));
}

/// Two maps are side by side if there is room.
void ShiftPage::fit() {
    const int line = fontMetrics().height();
    maps_->setDirection(width() >= 34 * line ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    errors_->setMinimumHeight(linesOfErrors * line);
    for (NumberMap* map : {map_, fittedMap_})
        map->setMinimumHeight(linesOfMap * line);
}

void ShiftPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit();
}

void ShiftPage::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fit();
}

/// As on screen, errors and maps keep a height at which they are readable.
FigureBlock ShiftPage::block() const {
    const auto sized = [line = fontMetrics().height()](double shape, int lines) {
        return [=](double width) { return QSizeF(width, std::max(shape * width, double(lines * line))); };
    };
    const bool isOne = fittedMap_->isEmpty();
    const auto titled = [&](const QLabel* title, const NumberMap* map) {
        return stacked({wordsBlock(title->text(), font()),
                        {.size = sized(isOne ? 0.41 : 0.76, linesOfMap),
                         .draw = [map](QPainter& painter, const QRectF& area, const Theme& theme) {
                             map->draw(painter, area, theme);
                         }}});
    };
    std::vector<FigureBlock> maps{titled(mapTitle_, map_)};
    if (!isOne)
        maps.push_back(titled(fittedTitle_, fittedMap_));
    return stacked({plotBlock(plain_, font(), sized(0.27, linesOfErrors)),
                    beside(maps, std::vector<double>(maps.size(), 1))});
}

} // namespace headscope::widgets
