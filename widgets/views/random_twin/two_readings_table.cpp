#include "widgets/views/random_twin/two_readings_table.h"

#include "widgets/drawing/theme.h"
#include "widgets/tables/token_delegate.h"
#include "widgets/words/captions.h"
#include "widgets/words/plain_text.h"

#include <QEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QStyle>

#include <array>
#include <cmath>

namespace headscope::widgets {

namespace {

enum ReadingRow { ReadingPiece, ReadingModel, ReadingTwin, ReadingRows };

constexpr int probabilityRole = Qt::UserRole;

/// A bar at the cell's foot, as long as the probability.
class BarDelegate : public TokenDelegate {
  public:
    using TokenDelegate::TokenDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        TokenDelegate::paint(painter, option, index);
        if (index.row() == ReadingPiece)
            return;
        const Theme& theme = themeOf(option.palette);
        const QRectF room = QRectF(option.rect).adjusted(4, 0, -4, -1);
        const double width = room.width() * index.data(probabilityRole).toDouble();
        const bool selected = option.state & QStyle::State_Selected;
        painter->fillRect(QRectF(room.left(), room.bottom() - 3, width, 3), selected ? theme.onAccent
                                                                            : index.row() == ReadingTwin
                                                                                ? theme.faintText
                                                                                : theme.accent);
    }
};

} // namespace

QString probabilityText(double logProbability) {
    constexpr double small = 0.001;
    const double probability = std::exp(logProbability);
    return probability > 0 && probability < small ? QString::number(probability, 'g', 2)
                                                  : numberText(probability);
}

QString readingInWords(const analysis::TokenReading& reading, std::size_t place) {
    return TwoReadingsTable::tr("Token %1: %2. Probability %3 in the model, %4 in the random twin")
        .arg(QString::number(place + 1), exactly(tokenLabel(reading.token)), probabilityText(reading.first),
             probabilityText(reading.second));
}

TwoReadingsTable::TwoReadingsTable(Selection* selection, QWidget* parent)
    : QTableWidget(parent), selection_(selection) {
    setLayoutDirection(Qt::LeftToRight); // as numbers and steps run
    setAccessibleName(tr("Probability of every token in the model and in its random twin"));
    setRowCount(ReadingRows);
    setVerticalHeaderLabels({tr("Token"), tr("Model"), tr("Twin")});
    horizontalHeader()->hide();
    horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    horizontalHeader()->setMinimumSectionSize(64);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setHorizontalScrollMode(ScrollPerPixel);
    setEditTriggers(NoEditTriggers);
    setSelectionBehavior(SelectColumns);
    setSelectionMode(SingleSelection);
    setTabKeyNavigation(false);
    setItemDelegate(new BarDelegate(this));
    fitRows();
    connect(this, &QTableWidget::cellClicked, this, [this](int, int column) { goTo(column); });
    connect(selection_, &Selection::stepChanged, this, &TwoReadingsTable::followStep);
}

void TwoReadingsTable::fitRows() {
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 10);
    setFixedHeight(ReadingRows * verticalHeader()->defaultSectionSize() +
                   style()->pixelMetric(QStyle::PM_ScrollBarExtent) + 2 * frameWidth());
}

void TwoReadingsTable::setReadings(const std::vector<analysis::TokenReading>& readings, bool areSteps) {
    areSteps_ = areSteps;
    clearContents();
    setColumnCount(static_cast<int>(readings.size()));
    for (std::size_t i = 0; i < readings.size(); ++i) {
        const auto& reading = readings[i];
        const TokenLabel label = tokenLabel(reading.token);
        const std::array<QString, ReadingRows> texts{label.full(), probabilityText(reading.first),
                                                     probabilityText(reading.second)};
        const QString words = readingInWords(reading, i);
        for (int row = 0; row < ReadingRows; ++row) {
            auto* item = new QTableWidgetItem(texts[static_cast<std::size_t>(row)]);
            item->setTextAlignment(Qt::AlignCenter);
            item->setToolTip(plainToolTip(words));
            item->setData(Qt::AccessibleTextRole, words);
            item->setData(probabilityRole, std::exp(row == ReadingTwin ? reading.second : reading.first));
            if (row == ReadingPiece)
                item->setData(TokenDelegate::labelRole, QVariant::fromValue(label));
            setItem(row, static_cast<int>(i), item);
        }
    }
    followStep();
}

void TwoReadingsTable::setSpaceMarksShown(bool shown) {
    static_cast<TokenDelegate*>(itemDelegate())->spaceMarks = shown;
    viewport()->update();
}

void TwoReadingsTable::followStep() {
    const int step = selection_->step();
    if (areSteps_ && step < columnCount())
        selectColumn(step);
    else
        clearSelection();
}

void TwoReadingsTable::goTo(int column) {
    if (areSteps_ && column >= 0)
        selection_->setStep(column);
}

void TwoReadingsTable::changeEvent(QEvent* event) {
    QTableWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        fitRows();
}

void TwoReadingsTable::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        goTo(currentColumn());
    else
        QTableWidget::keyPressEvent(event);
}

} // namespace headscope::widgets
