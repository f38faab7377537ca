#include "widgets/positional_encoding_view.h"

#include "model/analysis/positional_geometry.h"
#include "widgets/captions.h"
#include "widgets/empty_state.h"
#include "widgets/number_map.h"
#include "widgets/position_curves.h"
#include "widgets/theme.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

QString joined(const std::vector<int>& dimensions) {
    QStringList words;
    for (const int dimension : dimensions)
        words += QString::number(dimension);
    return words.join(QStringLiteral(", "));
}

trace::Matrix firstRows(const trace::Matrix& matrix, std::size_t count) {
    count = std::min(count, matrix.rows());
    const auto end = matrix.values().begin() + static_cast<std::ptrdiff_t>(count * matrix.columns());
    return {count, matrix.columns(), std::vector<float>(matrix.values().begin(), end)};
}

double largestMagnitude(const trace::Matrix& matrix) {
    double largest = 0;
    for (const float value : matrix.values())
        if (std::isfinite(value))
            largest = std::max(largest, std::abs(static_cast<double>(value)));
    return largest;
}

} // namespace

PositionalEncodingView::PositionalEncodingView(Selection* selection, QWidget* parent)
    : QWidget(parent), selection_(selection), pages_(new QTabBar(this)), sides_(new QComboBox(this)),
      dimensionsLabel_(new QLabel(tr("Dimensions"), this)), dimensionsEdit_(new QLineEdit(this)),
      positions_(new QSpinBox(this)), notice_(new QLabel(this)), stack_(new QStackedWidget(this)),
      curves_(new PositionCurves(this)), map_(new NumberMap(tr("Positional vectors"), this)),
      similarity_(new NumberMap(tr("Similarity of positions"), this)), caption_(new QLabel(this)) {
    setAccessibleName(tr("Positions"));
    buildControls();
    buildPages();
    connectSelection();
    tableChanged();
}

void PositionalEncodingView::buildControls() {
    for (const QString& title : {tr("Curves"), tr("Table"), tr("Similarity")})
        pages_->addTab(title);
    pages_->setAccessibleName(tr("How positions are shown"));
    pages_->setDrawBase(false);
    pages_->setUsesScrollButtons(false);
    sides_->addItems({tr("Source"), tr("Target")});
    sides_->setAccessibleName(tr("Side of the model"));
    dimensionsEdit_->setAccessibleName(tr("Dimensions, counted from 0"));
    dimensionsEdit_->setToolTip(tr("Up to eight dimensions, counted from 0, such as 4, 5, 6 or 0-3"));
    dimensionsEdit_->setText(joined(dimensions_));
    dimensionsEdit_->setMaxLength(200);
    dimensionsLabel_->setBuddy(dimensionsEdit_);
    positions_->setRange(2, 4096);
    positions_->setValue(100);
    positions_->setKeyboardTracking(false);
    positions_->setAccessibleName(tr("Number of positions shown"));
    positions_->setSuffix(tr(" positions"));
    notice_->setTextFormat(Qt::PlainText);
    notice_->hide();
    connect(pages_, &QTabBar::currentChanged, this, &PositionalEncodingView::showTable);
    connect(sides_, &QComboBox::currentIndexChanged, this, &PositionalEncodingView::tableChanged);
    connect(positions_, &QSpinBox::valueChanged, this, &PositionalEncodingView::showTable);
    connect(dimensionsEdit_, &QLineEdit::textEdited, this, &PositionalEncodingView::readDimensions);
}

void PositionalEncodingView::buildPages() {
    stack_->addWidget(curves_);
    stack_->addWidget(map_);
    stack_->addWidget(similarity_);
    for (const NumberMap* map : {map_, similarity_})
        connect(map, &NumberMap::cellDescribed, this, &PositionalEncodingView::cellDescribed);
    // Keeps its room when there is nothing to show, so that the controls stay where they are.
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    policy.setRetainSizeWhenHidden(true);
    stack_->setSizePolicy(policy);
    caption_->setTextFormat(Qt::PlainText);
    caption_->setWordWrap(true);
    auto* row = new QHBoxLayout;
    row->addWidget(sides_);
    row->addWidget(positions_);
    row->addWidget(dimensionsLabel_);
    row->addWidget(dimensionsEdit_);
    row->addStretch(1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 8, 12, 12);
    column->addWidget(pages_, 0, Qt::AlignLeft);
    column->addLayout(row);
    column->addWidget(notice_);
    column->addWidget(stack_, 1);
    column->addWidget(caption_);
}

void PositionalEncodingView::setRun(std::shared_ptr<const trace::Run> run) {
    run_ = std::move(run);
    tableChanged();
}

PositionalEncodingView::Page PositionalEncodingView::page() const {
    return static_cast<Page>(pages_->currentIndex());
}

PositionSide PositionalEncodingView::side() const {
    return sides_->currentIndex() == 0 ? PositionSide::Source : PositionSide::Target;
}

int PositionalEncodingView::positionsShown() const {
    return positions_->value();
}

std::size_t PositionalEncodingView::shownRows() const {
    const int asked =
        page() == Page::Similarity ? std::min(positionsShown(), mostCompared) : positionsShown();
    return std::min(static_cast<std::size_t>(asked), table_.all->rows());
}

void PositionalEncodingView::setPage(Page page) {
    pages_->setCurrentIndex(static_cast<int>(page));
}

void PositionalEncodingView::setSide(PositionSide side) {
    sides_->setCurrentIndex(static_cast<int>(side));
}

void PositionalEncodingView::setPositionsShown(int count) {
    positions_->setValue(count);
}

void PositionalEncodingView::setDimensions(const std::vector<int>& dimensions) {
    dimensionsEdit_->setText(joined(dimensions));
    readDimensions();
}

void PositionalEncodingView::readDimensions() {
    const int width = table_.all ? static_cast<int>(table_.all->columns()) : 0;
    const auto dimensions = parseDimensions(dimensionsEdit_->text(), width, PositionCurves::mostCurves);
    notice_->setVisible(!dimensions && width > 0);
    notice_->setText(
        tr("Write dimensions from 0 to %1 with commas between them, such as 4, 5, 6 or 0-3.").arg(width - 1));
    if (!dimensions)
        return;
    dimensions_ = *dimensions;
    showTable();
}

void PositionalEncodingView::tableChanged() {
    table_ = run_ ? positionTable(*run_, side()) : PositionTable();
    if (table_.all) {
        const QSignalBlocker quiet(positions_);
        positions_->setMaximum(std::max(2, static_cast<int>(table_.all->rows())));
        const int width = static_cast<int>(table_.all->columns());
        std::erase_if(dimensions_, [&](int dimension) { return dimension >= width; });
        if (dimensions_.empty())
            dimensions_ = {0};
    }
    showTable();
}

void PositionalEncodingView::showTable() {
    const bool any = hasFigure();
    stack_->setVisible(any);
    caption_->setVisible(any);
    caption_->setText(caption());
    const bool curves = page() == Page::Curves;
    for (QWidget* control : {static_cast<QWidget*>(dimensionsLabel_), static_cast<QWidget*>(dimensionsEdit_)})
        control->setVisible(curves);
    stack_->setCurrentIndex(pages_->currentIndex());
    update();
    if (!any)
        return;
    const trace::Matrix shown = firstRows(*table_.all, shownRows());
    std::vector<int> marked;
    for (const auto row : table_.rows)
        if (row)
            marked.push_back(*row);
    if (curves)
        curves_->show(table_, dimensions_, positionsShown());
    else if (page() == Page::Table)
        showVectors(shown, marked);
    else
        showSimilarity(shown, marked);
    followFocus();
}

void PositionalEncodingView::showVectors(const trace::Matrix& shown, const std::vector<int>& marked) {
    map_->setMatrix(shown, largestMagnitude(shown), [all = table_.all](MapCell cell) {
        const auto row = static_cast<std::size_t>(cell.row);
        const auto column = static_cast<std::size_t>(cell.column);
        return tr("position %1, dimension %2: %3").arg(row).arg(column).arg(numberText((*all)(row, column)));
    });
    map_->setMarkedRows(marked, false);
}

void PositionalEncodingView::showSimilarity(const trace::Matrix& shown, const std::vector<int>& marked) {
    const auto cosines = analysis::cosineSimilarity(trace::view(shown), shown.rows());
    similarity_->setMatrix(cosines, 1, [cosines](MapCell cell) {
        const auto row = static_cast<std::size_t>(cell.row);
        const auto column = static_cast<std::size_t>(cell.column);
        return tr("positions %1 and %2: cosine %3")
            .arg(row)
            .arg(column)
            .arg(numberText(cosines(row, column)));
    });
    similarity_->setMarkedRows(marked, true);
}

QString PositionalEncodingView::caption() const {
    if (!run_)
        return tr("Type a sentence and press Enter to decode it.");
    if (!table_.all)
        return side() == PositionSide::Source ? tr("This model adds no positional vectors to its source.")
                                              : tr("This model adds no positional vectors to its target.");
    const auto count = shownRows();
    const QString what = page() == Page::Curves  ? tr("Chosen dimensions of the vectors")
                         : page() == Page::Table ? tr("The vectors, positions down and dimensions across,")
                                                 : tr("Cosine similarity of the vectors");
    const QString side = this->side() == PositionSide::Source ? tr("source") : tr("target");
    QString words =
        tr("%1 that the model adds to its %2 embeddings: the first %3 of %4 positions, as the model holds "
           "them.")
            .arg(what, side)
            .arg(count)
            .arg(table_.all->rows());
    const auto found = std::ranges::count_if(table_.rows, [](const auto& row) { return row.has_value(); });
    if (found > 0)
        words += QChar(' ') + tr("Marked: where this sentence stands (%1 positions).").arg(found);
    return words;
}

void PositionalEncodingView::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.fillRect(rect(), theme.background);
    if (!hasFigure())
        drawEmptyState(painter, QRectF(rect()).adjusted(0, 80, 0, 0),
                       tr("Here the positional vectors that the model adds are drawn."), caption(), theme);
}

void PositionalEncodingView::drawFigure(QPainter& painter, QSize size) const {
    const Theme& theme = lightTheme();
    const QRectF area(QPoint(), size);
    painter.fillRect(area, theme.background);
    if (!hasFigure())
        return;
    const QRectF inside = area.adjusted(12, 12, -12, -12);
    const double words = QFontMetricsF(font()).boundingRect(inside, Qt::TextWordWrap, caption()).height();
    const QRectF picture = inside.adjusted(0, 0, 0, -words - 12);
    if (page() == Page::Curves)
        curves_->draw(painter, picture);
    else
        (page() == Page::Table ? map_ : similarity_)->draw(painter, picture, theme);
    painter.setFont(font());
    painter.setPen(theme.text);
    painter.drawText(inside, Qt::AlignBottom | Qt::TextWordWrap, caption());
}

FigureText PositionalEncodingView::figureText() const {
    return {
        .title = tr("Positions"), .caption = caption(), .provenance = run_ ? provenance(*run_) : QString()};
}

bool PositionalEncodingView::hasFigure() const {
    return table_.all && !table_.all->empty();
}

} // namespace headscope::widgets
