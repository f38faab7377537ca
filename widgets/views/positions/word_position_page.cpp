#include "widgets/views/positions/word_position_page.h"

#include "widgets/controls/card_head.h"
#include "widgets/controls/wrapped_label.h"
#include "widgets/drawing/hatch.h"
#include "widgets/drawing/shown_number.h"
#include "widgets/drawing/spacing.h"
#include "widgets/drawing/theme.h"
#include "widgets/plots/drawn_plot.h"
#include "widgets/tables/column_table.h"
#include "widgets/words/captions.h"
#include "widgets/words/plain_text.h"

#include <QBoxLayout>
#include <QCoreApplication>
#include <QEvent>
#include <QFontMetricsF>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::widgets {

WordPositionPage::WordPositionPage(QWidget* parent)
    : QWidget(parent),
      cardHead_(new CardHead(tr("Input vectors"), tr("share of the position in word + position, %"), this)),
      mean_(new QLabel(cardHead_)), chart_(new ReadablePlot(tr("Share of the position in each token"), this)),
      numbers_(new QWidget(this)), bars_(new ShareBars(numbers_)), title_(wrappedLabel(numbers_)),
      vectors_(new ColumnTable(numbers_)), half_(new QWidget(numbers_)),
      row_(new QBoxLayout(QBoxLayout::LeftToRight, numbers_)) {
    vectors_->setAccessibleName(tr("Word vector, position and their sum"));
    mean_->setForegroundRole(QPalette::PlaceholderText);
    cardHead_->add(mean_);
    auto* column = new QVBoxLayout(half_);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(title_);
    column->addWidget(vectors_, 1);
    row_->setContentsMargins(0, 0, 0, 0);
    row_->setSpacing(space::m);
    row_->addWidget(bars_, 3);
    row_->addWidget(half_, 2);
    auto* page = new QVBoxLayout(this);
    page->setContentsMargins(0, 0, 0, 0);
    page->addWidget(cardHead_);
    page->addWidget(chart_, 1);
    page->addWidget(numbers_, 1);
    numbers_->hide();
    connect(bars_, &ShareBars::cursorMoved, this, [this](std::optional<int> token) {
        if (token)
            showVectors(*token);
        Q_EMIT cursorMoved(token);
    });
    connect(bars_, &ShareBars::tokenDescribed, this, &WordPositionPage::tokenDescribed);
    connect(chart_, &ReadablePlot::cursorMoved, this, [this](std::optional<MapCell> mark) {
        Q_EMIT cursorMoved(mark ? std::optional(mark->column) : std::nullopt);
    });
    connect(chart_, &ReadablePlot::markDescribed, this, &WordPositionPage::tokenDescribed);
    connect(chart_, &ReadablePlot::markChosen, this,
            [this](MapCell mark) { Q_EMIT tokenClicked(mark.column); });
}

void WordPositionPage::setShares(const TokenShares& shares) {
    shares_ = shares;
    bars_->setShares(shares);
    showVectors(0);
    showChart();
    fit();
}

void WordPositionPage::setNumbersShown(bool shown) {
    numbers_->setVisible(shown);
    chart_->setVisible(!shown);
    fit();
}

void WordPositionPage::setLit(std::optional<int> token) {
    if (std::exchange(lit_, token) != token)
        showChart();
}

/// Numbers stand above the bars of a short sentence; the names of a long one are thinned out.
void WordPositionPage::showChart() {
    constexpr std::size_t mostNumbers = 28;
    const std::size_t count = std::min(shares_.tokens.size(), shares_.shares.size());
    Plot plot;
    double least = 0, most = 0, sum = 0;
    int counted = 0;
    PlotSeries all{.ink = 0, .line = 0, .bars = 0.7};
    PlotSeries marked{.ink = &Theme::focus, .line = 0, .bars = 0.7};
    PlotRow row{.name = tr("position"), .bars = 0.7};
    for (std::size_t token = 0; token < count; ++token) {
        const double share = 100 * shares_.shares[token].position;
        const QPointF point(static_cast<double>(token), share);
        plot.columns += quoted(tokenLabel(shares_.tokens, token));
        const TokenLabel label = tokenLabel(shares_.tokens, token);
        plot.across.names += (spaceMarks_ ? label.mark : QString()) + label.text;
        row.points.push_back(point);
        if (!std::isfinite(share))
            continue;
        least = std::min(least, share);
        most = std::max(most, share);
        sum += share;
        ++counted;
        PlotSeries& bars = point.x() == lit_ ? marked : all;
        bars.points.push_back(point);
        if (count <= mostNumbers)
            bars.texts += shownNumber(QString::number(std::round(share)));
    }
    mean_->setText(counted > 0 ? tr("mean %1 %").arg(QString::number(std::round(sum / counted))) : QString());
    if (counted == 0)
        return chart_->setPicture(nullptr);
    plot.series = {std::move(all)};
    if (!marked.points.empty())
        plot.series.push_back(std::move(marked));
    plot.rows = {std::move(row)};
    plot.across.least = -0.5;
    plot.across.most = static_cast<double>(count) - 0.5;
    plot.up = {{.least = 1.3 * least, .most = std::max(1.0, 1.3 * most), .numbered = false}};
    plot.words = [bars = bars_](MapCell mark) { return bars->cellInWords({mark.column, 0}); };
    chart_->setPicture(std::make_shared<DrawnPlot>(std::move(plot)));
}

void WordPositionPage::showVectors(int token) {
    const std::size_t row = token;
    if (row >= shares_.embedding.sums.rows())
        return;
    const auto sums = shares_.embedding.sums.row(row);
    const auto positions = shares_.embedding.positions.row(row);
    TableColumn names{.title = tr("dim.")};
    TableColumn word{.title = tr("w"), .toolTip = tr("The scaled word vector")};
    TableColumn position{.title = tr("p"), .toolTip = tr("The position's vector")};
    TableColumn sum{.title = tr("w + p"), .toolTip = tr("Input of the first layer")};
    double longest = 0;
    for (std::size_t i = 0; i < sums.size(); ++i) {
        names.texts += QString::number(i);
        const double whole = sums[i], ofPosition = positions[i], ofWord = whole - ofPosition;
        sum.numbers.emplace_back(whole);
        position.numbers.emplace_back(ofPosition);
        word.numbers.emplace_back(ofWord);
        longest = std::max({longest, std::abs(whole), std::abs(ofPosition), std::abs(ofWord)});
    }
    for (TableColumn* each : {&word, &position, &sum}) {
        each->bars = TableColumn::Bars::Under;
        each->longest = longest;
    }
    vectors_->setColumns({std::move(names), std::move(word), std::move(position), std::move(sum)});
    title_->setText(tr("%1: word vector w, position p and their sum, by dimension")
                        .arg(quoted(tokenLabel(shares_.tokens, row))));
}

/// Side by side; below each other in a narrow view; only the shares in a low one.
void WordPositionPage::fit() {
    const int line = fontMetrics().height();
    const int numbers = vectors_->leastWidth();
    const bool isNarrow = width() < numbers + row_->spacing() + 20 * line;
    row_->setDirection(isNarrow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    half_->setMinimumWidth(isNarrow ? 0 : numbers);
    half_->setVisible(!shares_.embedding.sums.empty() && (!isNarrow || height() >= 18 * line));
}

void WordPositionPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit();
}

void WordPositionPage::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fit();
}

void WordPositionPage::setSpaceMarksShown(bool shown) {
    spaceMarks_ = shown;
    bars_->setSpaceMarksShown(shown);
    showChart();
}

FigureBlock WordPositionPage::block(const FigureParts& parts) const {
    return bars_->block(parts);
}

ShareBars::ShareBars(QWidget* parent) : QAbstractScrollArea(parent) {
    setAccessibleName(tr("Shares of word and position"));
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    verticalScrollBar()->setAccessibleName(tr("Visible tokens"));
    viewport()->setMouseTracking(true);
    setMinimumSize(160, 120);
    installMapAccessibility(this);
}

void ShareBars::setShares(const TokenShares& shares) {
    labels_ = tokenLabels(shares.tokens);
    shares_ = shares.shares;
    const std::size_t count = std::min(labels_.size(), shares_.size());
    labels_.resize(count);
    shares_.resize(count);
    setRow(std::nullopt);
    layOut();
}

void ShareBars::setSpaceMarksShown(bool shown) {
    style_.spaceMarks = shown;
    layOut();
}

/// Rows below the fixed header.
int ShareBars::visibleRows() const {
    return std::max(1, static_cast<int>(viewport()->height() / rowHeight()) - 1);
}

void ShareBars::layOut() {
    style_.font = font();
    const int hidden = static_cast<int>(labels_.size()) - visibleRows();
    verticalScrollBar()->setRange(0, std::max(0, hidden));
    verticalScrollBar()->setPageStep(visibleRows());
    viewport()->update();
}

void ShareBars::resizeEvent(QResizeEvent*) {
    layOut();
}

void ShareBars::changeEvent(QEvent* event) {
    QAbstractScrollArea::changeEvent(event);
    layOut();
}

void ShareBars::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(palette());
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), theme.background);
    const double height = rowHeight();
    const double wide = viewport()->width() - 8;
    if (!isEmpty())
        drawHeader(painter, QRectF(4, 0, wide, height), theme);
    const int first = verticalScrollBar()->value();
    const int last = std::min(static_cast<int>(labels_.size()), first + visibleRows());
    for (int row = first; row < last; ++row) {
        const QRectF place(4, (row - first + 1) * height, wide, height);
        if (row_ == row)
            painter.fillRect(place.adjusted(-4, 0, 4, 0), theme.panel);
        drawRow(painter, place, row, theme);
    }
    if (hasFocus()) {
        painter.setPen(theme.accent);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(viewport()->rect().adjusted(0, 0, -1, -1));
    }
}

FigureBlock ShareBars::block(const FigureParts& parts) const {
    constexpr int mostRows = 600; // limits the size of the picture; a note counts the other tokens
    const int rows = 1 + std::min(mostRows, static_cast<int>(labels_.size()));
    const double height = rows * rowHeight();
    return {.size = [height](double width) { return QSizeF(width, height); },
            .draw = [this, parts](QPainter& painter, const QRectF& area,
                                  const Theme& theme) { drawRows(painter, area, parts, theme); },
            .grows = false};
}

void ShareBars::drawRows(QPainter& painter, const QRectF& area, const FigureParts& parts,
                         const Theme& theme) const {
    const double height = rowHeight();
    const auto room = static_cast<std::size_t>(std::max(0.0, area.height() / height + 1e-6 - 1));
    drawHeader(painter, QRectF(area.left(), area.top(), area.width(), height), theme);
    const bool isCut = room < labels_.size();
    const bool saysSo = isCut && parts.notes;
    const auto place = [&](std::size_t row) {
        return QRectF(area.left(), area.top() + static_cast<double>(row + 1) * height, area.width(), height);
    };
    const std::size_t drawn = saysSo ? room - std::min<std::size_t>(1, room) : isCut ? room : labels_.size();
    for (std::size_t row = 0; row < drawn; ++row)
        drawRow(painter, place(row), row, theme);
    if (!saysSo)
        return;
    painter.setFont(font());
    painter.setPen(theme.faintText);
    painter.drawText(place(drawn), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip,
                     tr("The first %1 of %2 tokens.").arg(drawn).arg(labels_.size()));
}

QRect ShareBars::cellArea(MapCell cell) const {
    const double height = rowHeight();
    return QRectF(0, (cell.row - verticalScrollBar()->value() + 1) * height, viewport()->width(), height)
        .toAlignedRect();
}

std::optional<MapCell> ShareBars::cursorCell() const {
    return row_ ? std::optional(MapCell{.row = *row_, .column = 0}) : std::nullopt;
}

void ShareBars::setRow(std::optional<int> row) {
    if (row && (*row < 0 || *row >= std::ssize(labels_)))
        row = std::nullopt;
    if (row == row_)
        return;
    row_ = row;
    const QString words = row ? inWords(*row) : QString();
    describeForReaders(this, words);
    announceCursor(this, *this);
    viewport()->update();
    // Views that highlight the token describe it as well; the own description must come last.
    Q_EMIT cursorMoved(row);
    Q_EMIT tokenDescribed(words);
}

bool ShareBars::viewportEvent(QEvent* event) {
    const auto rowAt = [this](double y) {
        const int below = std::floor(y / rowHeight()) - 1;
        return below >= 0 && below < visibleRows() ? std::optional(below + verticalScrollBar()->value())
                                                   : std::nullopt;
    };
    if (event->type() == QEvent::MouseMove)
        setRow(rowAt(static_cast<QMouseEvent*>(event)->position().y()));
    else if (event->type() == QEvent::Leave)
        setRow(std::nullopt);
    return QAbstractScrollArea::viewportEvent(event);
}

void ShareBars::keyPressEvent(QKeyEvent* event) {
    const int last = labels_.size() - 1;
    const int at = row_.value_or(verticalScrollBar()->value() - 1);
    int to = at;
    switch (event->key()) {
    case Qt::Key_Up:
        to = at - 1;
        break;
    case Qt::Key_Down:
        to = at + 1;
        break;
    case Qt::Key_PageUp:
        to = at - visibleRows();
        break;
    case Qt::Key_PageDown:
        to = at + visibleRows();
        break;
    case Qt::Key_Home:
        to = 0;
        break;
    case Qt::Key_End:
        to = last;
        break;
    default:
        return QAbstractScrollArea::keyPressEvent(event);
    }
    if (last < 0)
        return;
    to = std::clamp(to, 0, last);
    const int first = verticalScrollBar()->value();
    verticalScrollBar()->setValue(std::clamp(first, to - visibleRows() + 1, to));
    setRow(to);
}

void ShareBars::focusInEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusInEvent(event);
    viewport()->update();
}

void ShareBars::focusOutEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusOutEvent(event);
    setRow(std::nullopt);
    viewport()->update();
}

namespace {

constexpr double shareRowsGap = 12;

/// Position is striped, so that the two differ not only in colour.
void fillPart(QPainter& painter, const QRectF& part, bool position, const Theme& theme) {
    const QColor colour = categoryColours(theme).at(position ? 1 : 0);
    if (!position) {
        painter.fillRect(part, colour);
        return;
    }
    drawStripes(painter, part, colour, 5);
    painter.setPen(colour);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(part.adjusted(0.5, 0.5, -0.5, -0.5));
}

} // namespace

double ShareBars::rowHeight() const {
    return std::ceil(style_.lineHeight()) + 6;
}

ShareBars::Columns ShareBars::columns(const QRectF& row) const {
    const QFontMetricsF metrics(style_.font);
    double widest = metrics.horizontalAdvance(tr("token"));
    for (const TokenLabel& label : labels_)
        widest = std::max(widest, style_.width(label));
    const double number =
        std::max(metrics.horizontalAdvance(QStringLiteral("−0.0000")),
                 std::max(metrics.horizontalAdvance(tr("word")), metrics.horizontalAdvance(tr("position"))) +
                     metrics.height());
    const double token = std::min(widest, row.width() * 0.3);
    const double bar = std::max(0.0, row.width() - token - 2 * number - 3 * shareRowsGap);
    Columns columns;
    columns.token = QRectF(row.left(), row.top(), token, row.height());
    columns.bar = QRectF(columns.token.right() + shareRowsGap, row.top(), bar, row.height());
    columns.word = QRectF(columns.bar.right() + shareRowsGap, row.top(), number, row.height());
    columns.position = QRectF(columns.word.right() + shareRowsGap, row.top(), number, row.height());
    return columns;
}

void ShareBars::drawHeader(QPainter& painter, const QRectF& row, const Theme& theme) const {
    const Columns at = columns(row);
    painter.setFont(style_.font);
    painter.setPen(theme.faintText);
    painter.drawText(at.token, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, tr("token"));
    const QString ofBars = tr("share of word + position");
    painter.drawText(at.bar, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(ofBars, Qt::ElideRight, int(at.bar.width())));
    const double side = QFontMetricsF(style_.font).height() * 0.6;
    for (const auto& [column, title, position] :
         {std::tuple(at.word, tr("word"), false), std::tuple(at.position, tr("position"), true)}) {
        painter.setPen(theme.faintText);
        painter.drawText(column, Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip, title);
        const double wide = QFontMetricsF(style_.font).horizontalAdvance(title);
        fillPart(painter,
                 QRectF(std::floor(column.right() - wide - side - 5),
                        std::floor(column.center().y() - side / 2), std::ceil(side), std::ceil(side)),
                 position, theme);
    }
    painter.fillRect(QRectF(row.left(), row.bottom() - 1, row.width(), 1), theme.line);
}

void ShareBars::drawBar(QPainter& painter, const QRectF& area, const analysis::EmbeddingShare& share,
                        const Theme& theme) const {
    double least = 0; // of all rows, so that bars are comparable
    double most = 1;
    for (const auto& each : shares_)
        if (std::isfinite(each.word)) {
            least = std::min({least, each.word, each.position});
            most = std::max({most, each.word, each.position});
        }
    const auto x = [&](double value) {
        return area.left() + (value - least) / (most - least) * area.width();
    };
    const auto part = [&](double from, double to, bool position) {
        fillPart(painter, QRectF(x(from), area.top(), x(to) - x(from), area.height()), position, theme);
    };
    if (std::isfinite(share.word)) {
        const bool away = share.word < 0 || share.position < 0;
        const double word = share.word;
        const double position = share.position;
        part(std::min(0.0, word), std::max(0.0, word), false);
        if (away)
            part(std::min(0.0, position), std::max(0.0, position), true);
        else
            part(word, 1, true);
    }
    for (const double value : {0.0, 1.0})
        if (least < 0 || most > 1)
            painter.fillRect(QRectF(x(value) - 0.5, area.top() - 3, 1, area.height() + 6), theme.text);
}

void ShareBars::drawRow(QPainter& painter, const QRectF& row, std::size_t index, const Theme& theme) const {
    const Columns at = columns(row);
    style_.draw(painter, at.token, Qt::AlignLeft | Qt::AlignVCenter, labels_[index],
                TokenInk::onBackground(theme));
    drawBar(painter, at.bar.adjusted(0, 4, 0, -4), shares_[index], theme);
    painter.setFont(style_.font);
    painter.setPen(theme.text);
    for (const auto& [column, value] :
         {std::pair(at.word, shares_[index].word), std::pair(at.position, shares_[index].position)})
        painter.drawText(column, Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip,
                         std::isfinite(value) ? numberText(value) : QStringLiteral("–"));
}

QString ShareBars::inWords(std::size_t index) const {
    const auto& share = shares_[index];
    if (!std::isfinite(share.word))
        return tr("%1: word and position cancel each other").arg(quoted(labels_[index]));
    return tr("%1: word %2, position %3 of their sum; norms %4 and %5")
        .arg(quoted(labels_[index]), numberText(share.word), numberText(share.position),
             QString::number(share.wordLength, 'g', 4), QString::number(share.positionLength, 'g', 4));
}

} // namespace headscope::widgets
