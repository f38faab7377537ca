#include "widgets/views/positions/positional_encoding_view.h"

#include "widgets/controls/tall_area.h"
#include "widgets/controls/wrapped_label.h"
#include "widgets/map/number_map.h"
#include "widgets/plots/readable_plot.h"
#include "widgets/views/positions/position_curves.h"
#include "widgets/views/positions/score_terms_page.h"
#include "widgets/views/positions/shift_page.h"
#include "widgets/views/positions/word_position_page.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

#include <algorithm>

namespace headscope::widgets {

namespace {

QString joined(const std::vector<int>& numbers) {
    QStringList words;
    for (const int number : numbers)
        words += QString::number(number);
    return words.join(QStringLiteral(", "));
}

/// Asks for as much as it needs at least, so that what it would like to have scrolls nothing. A hint that is
/// ignored would be missing where the room of words that wrap is counted, and they would lie on the picture.
class LeastStack : public QStackedWidget {
  public:
    using QStackedWidget::QStackedWidget;
    QSize minimumSizeHint() const override {
        return {QStackedWidget::minimumSizeHint().width(), minimumHeight()};
    }
    QSize sizeHint() const override { return minimumSizeHint(); }
};

} // namespace

PositionalEncodingView::PositionalEncodingView(Selection* selection, QWidget* parent)
    : QWidget(parent), selection_(selection), pages_(new QTabBar(this)), sides_(new QComboBox(this)),
      dimensionsLabel_(new QLabel(tr("Dimensions"), this)), dimensionsEdit_(new QLineEdit(this)),
      positions_(new QSpinBox(this)), offset_(new QSpinBox(this)), result_(new QLabel(this)),
      notice_(new QLabel(this)), stack_(new LeastStack(this)), curves_(new PositionCurves(this)),
      map_(new NumberMap(tr("Positional vectors"), this)),
      similarity_(new NumberMap(tr("Similarity of positions"), this)),
      wavelengths_(new ReadablePlot(tr("Wavelengths of dimensions"), this)), shift_(new ShiftPage(this)),
      words_(new WordPositionPage(this)), scores_(new ScoreTermsPage(selection, this)),
      caption_(captionLabel(this)) {
    setAccessibleName(tr("Positions"));
    buildControls();
    buildPages();
    connectSelection();
    tableChanged();
}

void PositionalEncodingView::buildControls() {
    for (const QString& title : {tr("Curves"), tr("Table"), tr("Similarity"), tr("Wavelengths"), tr("Shift"),
                                 tr("Input vectors"), tr("Content or position")})
        pages_->addTab(title);
    pages_->setAccessibleName(tr("How positions are shown"));
    pages_->setDrawBase(false);
    pages_->setUsesScrollButtons(true);
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
    offset_->setRange(1, static_cast<int>(analysis::mostShiftedPositions) - 1);
    offset_->setPrefix(tr("k = "));
    offset_->setKeyboardTracking(false);
    offset_->setAccessibleName(tr("By how many positions they are shifted"));
    offset_->setToolTip(tr("How many positions later the map has to arrive"));
    result_->setTextFormat(Qt::PlainText);
    notice_->setTextFormat(Qt::PlainText);
    notice_->hide();
    connect(pages_, &QTabBar::currentChanged, this, &PositionalEncodingView::showPage);
    connect(pages_, &QTabBar::currentChanged, this, &PositionalEncodingView::followHead);
    connect(sides_, &QComboBox::currentIndexChanged, this, &PositionalEncodingView::tableChanged);
    connect(positions_, &QSpinBox::valueChanged, this, &PositionalEncodingView::showPage);
    connect(offset_, &QSpinBox::valueChanged, this, &PositionalEncodingView::showPage);
    connect(dimensionsEdit_, &QLineEdit::textEdited, this, &PositionalEncodingView::readDimensions);
}

void PositionalEncodingView::buildPages() {
    const auto scrolling = [](QWidget* page, QWidget* parent) {
        auto* area = new TallArea(page, parent);
        for (QWidget* clear : std::initializer_list<QWidget*>{area->viewport(), page})
            clear->setAutoFillBackground(false); // what an empty view says stands behind
        return area;
    };
    for (QWidget* page :
         std::initializer_list<QWidget*>{curves_, map_, similarity_, wavelengths_, scrolling(shift_, stack_),
                                         words_, scrolling(scores_, stack_)})
        stack_->addWidget(page);
    // Keeps its room when there is nothing to show, so that the controls stay where they are.
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    policy.setRetainSizeWhenHidden(true);
    stack_->setSizePolicy(policy);
    auto* row = new QHBoxLayout;
    row->addWidget(sides_);
    row->addWidget(positions_);
    row->addWidget(offset_);
    row->addWidget(result_);
    row->addWidget(dimensionsLabel_);
    row->addWidget(dimensionsEdit_);
    row->addStretch(1);
    auto* content = new QWidget(this);
    auto* picture = new QVBoxLayout(content);
    picture->setContentsMargins(0, 0, 0, 0);
    picture->addWidget(stack_, 1);
    picture->addWidget(caption_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 8, 12, 12);
    column->addWidget(pages_, 0, Qt::AlignLeft);
    column->addLayout(row);
    column->addWidget(notice_);
    column->addWidget(scrolling(content, this), 1);
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

int PositionalEncodingView::offset() const {
    return offset_->value();
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

void PositionalEncodingView::setOffset(int offset) {
    offset_->setValue(offset);
}

void PositionalEncodingView::setSpaceMarksShown(bool shown) {
    words_->setSpaceMarksShown(shown);
    scores_->setSpaceMarksShown(shown);
}

bool PositionalEncodingView::setDimensions(const std::vector<int>& dimensions) {
    dimensionsEdit_->setText(joined(dimensions));
    return readDimensions();
}

int PositionalEncodingView::dimensionCount() const {
    return table_.all ? static_cast<int>(table_.all->columns()) : 0;
}

bool PositionalEncodingView::readDimensions() {
    const int width = dimensionCount();
    const QString text = dimensionsEdit_->text();
    const auto dimensions = parseDimensions(text, width, PositionCurves::mostCurves);
    notice_->setVisible(!dimensions && width > 0);
    notice_->setText(
        (table_.byDistance
             ? tr("Write heads from 0 to %1 with commas between them, such as 0, 2 or 1-3.")
             : tr("Write dimensions from 0 to %1 with commas between them, such as 4, 5, 6 or 0-3."))
            .arg(width - 1));
    if (!dimensions)
        return false;
    dimensions_ = *dimensions;
    hasOwnDimensions_ = true;
    showPage();
    return true;
}

void PositionalEncodingView::showDimensions() {
    const bool heads = table_.byDistance;
    dimensionsEdit_->setText(joined(dimensions_));
    dimensionsEdit_->setCursorPosition(0);
    dimensionsLabel_->setText(heads ? tr("Heads") : tr("Dimensions"));
    dimensionsEdit_->setAccessibleName(heads ? tr("Heads, counted from 0")
                                             : tr("Dimensions, counted from 0"));
    dimensionsEdit_->setToolTip(heads ? tr("Up to eight heads, counted from 0, such as 0, 2 or 1-3")
                                      : tr("Up to eight dimensions, counted from 0, such as 4, 5, 6 or 0-3"));
}

/// Some milliseconds, once a model.
void PositionalEncodingView::measureTable() {
    if (!table_.all || table_.byDistance || table_.all == measured_)
        return;
    measured_ = table_.all;
    origin_ = analysis::positionOrigin(trace::view(*measured_));
    jump_ = analysis::lengthJump(trace::view(*measured_));
}

void PositionalEncodingView::tableChanged() {
    const bool wasByDistance = table_.byDistance;
    table_ = run_ ? positionTable(*run_, side()) : PositionTable();
    measureTable();
    if (table_.all) {
        const auto before = dimensions_;
        if (table_.byDistance != wasByDistance) // its columns are heads
            hasOwnDimensions_ = false;
        if (!hasOwnDimensions_)
            dimensions_ = usualColumns(table_);
        const QSignalBlocker quiet(positions_);
        const QSignalBlocker quietToo(offset_);
        positions_->setMaximum(std::max(2, static_cast<int>(table_.all->rows())));
        offset_->setMaximum(std::clamp(static_cast<int>(table_.all->rows()) - 1, 1,
                                       static_cast<int>(analysis::mostShiftedPositions) - 1));
        const int width = static_cast<int>(table_.all->columns());
        std::erase_if(dimensions_, [&](int dimension) { return dimension >= width; });
        if (dimensions_.empty())
            dimensions_ = usualColumns(table_);
        if (dimensions_ != before || table_.byDistance || wasByDistance)
            showDimensions();
    }
    showPage();
}

} // namespace headscope::widgets
