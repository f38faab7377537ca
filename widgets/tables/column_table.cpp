#include "widgets/tables/column_table.h"

#include "widgets/drawing/signed_bar.h"
#include "widgets/drawing/spacing.h"
#include "widgets/drawing/step_columns.h"
#include "widgets/drawing/theme.h"
#include "widgets/tables/frozen_column.h"
#include "widgets/tables/token_delegate.h"

#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <numeric>
#include <utility>

namespace headscope::widgets {

namespace {

using Bars = TableColumn::Bars;

constexpr int barHeight = 4;
constexpr int fewestLettersOfToken = 5;   ///< minimum width before the table scrolls
constexpr int mostLettersOfToken = 18;    ///< maximum needed width of a column of tokens
constexpr int mostLettersBesideRest = 30; ///< the same where other columns take the rest
constexpr int mostMeasuredRows = 64;      ///< among texts of as many letters
constexpr int longestBar = 24;            ///< in letters, beside tokens, which get the rest

} // namespace

/// Draws tokens and bars.
class ColumnTable::Delegate : public TokenDelegate {
  public:
    using TokenDelegate::TokenDelegate;
    bool isMarkFilled = false;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        if (isMarkFilled && index.data(Qt::FontRole).value<QFont>().bold()) {
            const Theme& theme = themeOf(option.palette);
            painter->fillRect(option.rect, mixed(theme.focus, theme.background, theme.dark ? 0.25 : 0.12));
        }
        TokenDelegate::paint(painter, option, index);
        if (index.data(ColumnModel::RuledRole).toBool())
            painter->fillRect(QRect(option.rect.topLeft(), QSize(option.rect.width(), 1)),
                              themeOf(option.palette).line);
        const QVariant value = index.data(ColumnModel::BarValueRole);
        if (!value.isValid())
            return;
        const bool isUnder = index.data(ColumnModel::BarPlaceRole).toInt() == static_cast<int>(Bars::Under);
        const QRectF cell(option.rect);
        // In high rows, bars are as high as the text.
        const double inset = std::max(3.0, (cell.height() - option.fontMetrics.height()) / 2);
        const QRectF room =
            isUnder ? QRectF(cell.left() + 4, cell.bottom() - barHeight, cell.width() - 8, barHeight)
                    : cell.adjusted(4, inset, -4, -inset);
        const double limit = index.data(ColumnModel::BarLimitRole).toDouble();
        const Theme& theme = themeOf(option.palette);
        const bool isFromLeft = index.data(ColumnModel::BarFromLeftRole).toBool();
        if (index.data(ColumnModel::BarTrackRole).toBool()) {
            const QVariant second = index.data(ColumnModel::SecondBarRole);
            TrackedBar{.share = value.toDouble() / limit,
                       .second = second.isValid() ? std::optional(second.toDouble() / limit) : std::nullopt,
                       .bar = theme.accent,
                       .secondBar = theme.faintText,
                       .track = theme.panel}
                .draw(*painter, room);
        } else if (isFromLeft) {
            drawShareBar(*painter, room, value.toDouble() / limit, theme.accent, theme.faintText);
        } else {
            drawSignedBar(*painter, room, value.toDouble(), limit, theme);
        }
        const bool isOriginal = index.data(ColumnModel::TickIsOriginalRole).toBool();
        if (const QVariant tick = index.data(ColumnModel::TickRole); tick.isValid())
            drawBarTick(*painter, isUnder ? room.adjusted(0, -3, 0, 0) : room, tick.toDouble() / limit,
                        isFromLeft, isOriginal ? theme.changed : theme.text);
    }
};

ColumnTable::ColumnTable(QWidget* parent, NoRoom noRoom)
    : QTableView(parent), noRoom_(noRoom), model_(new ColumnModel(this)), delegate_(new Delegate(this)) {
    setLayoutDirection(Qt::LeftToRight); // as numbers and steps run
    setModel(model_);
    setItemDelegate(delegate_);
    setShowGrid(false);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    if (noRoom == NoRoom::Drop)
        setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    horizontalHeader()->setMinimumSectionSize(8);
    connect(this, &QTableView::doubleClicked, this,
            [this](const QModelIndex& index) { Q_EMIT rowDoubleClicked(model_->row(index)); });
}

void ColumnTable::setSortable(int column, Qt::SortOrder order) {
    sortByColumn(column, order);
    setSortingEnabled(true);
    if (noRoom_ == NoRoom::Scroll) {
        horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
        horizontalHeader()->setSectionsMovable(true);
        horizontalHeader()->setFirstSectionMovable(false);
    }
    // A sorted table shows its first rows.
    connect(horizontalHeader(), &QHeaderView::sectionClicked, this, &QTableView::scrollToTop);
}

void ColumnTable::followHeads(Selection* selection) {
    selection_ = selection;
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setAlternatingRowColors(true);
    if (noRoom_ == NoRoom::Scroll)
        names_ = new FrozenColumn(this);
    connect(selection, &Selection::headChanged, this, [this] { markHead(Sight::Scroll); });
}

void ColumnTable::setColumns(std::vector<TableColumn> columns, std::optional<int> marked) {
    TableContent content;
    content.columns = std::move(columns);
    content.marked = marked;
    setContent(std::move(content));
}

void ColumnTable::setContent(TableContent content) {
    const bool areOther =
        content.heads != model_->content().heads || content.listed != model_->content().listed;
    following_ = true;
    model_->setContent(std::move(content));
    following_ = false;
    clearSpans();
    for (const int row : this->content().across)
        if (const QModelIndex at = model_->indexOf(row); at.isValid())
            setSpan(at.row(), 0, 1, model_->columnCount());
    const auto before = std::exchange(needed_, neededWidths());
    layOutColumns(before);
    if (selection_) {
        markHead(areOther && !isSortedByNumber() ? Sight::Scroll : Sight::Stay);
        if (areOther && isSortedByNumber())
            scrollToTop();
    } else if (isVisible()) {
        scrollToMarked();
    }
}

void ColumnTable::setMarked(std::optional<int> row) {
    const bool wasBold = content().marked.has_value();
    if (content().marked == row)
        return;
    model_->setMarked(row);
    if (wasBold != row.has_value()) {
        const auto before = std::exchange(needed_, neededWidths());
        layOutColumns(before);
    }
    if (isVisible())
        scrollToMarked();
}

bool ColumnTable::isSortedByNumber() const {
    const int column = horizontalHeader()->sortIndicatorSection();
    return column >= 0 && column < model_->columnCount() && model_->column(column).isNumeric();
}

bool ColumnTable::isByHand() const {
    return isSortingEnabled() && noRoom_ == NoRoom::Scroll;
}

std::optional<PointedAt> ColumnTable::pointedAt(QPoint position, const QWidget* view) const {
    const QPoint inside = viewport()->mapFrom(view, position);
    if (!isVisible() || !viewport()->rect().contains(inside) || !indexAt(inside).isValid())
        return std::nullopt;
    return PointedAt{.head = content().heads.at(model_->row(indexAt(inside))), .cell = {}};
}

std::optional<int> ColumnTable::currentRow() const {
    return currentIndex().isValid() ? std::optional(model_->row(currentIndex())) : std::nullopt;
}

void ColumnTable::markHead(Sight sight) {
    following_ = true;
    setAutoScroll(sight == Sight::Scroll);
    const QModelIndex index = model_->indexOf(selection_->head());
    // Additional selected rows stay selected if only the numbers change.
    const bool isMarked = index.isValid() && selectionModel()->isRowSelected(index.row(), {}) &&
                          (sight == Sight::Stay || selectionModel()->selectedRows().size() == 1);
    if (!index.isValid())
        clearSelection();
    else if (!isMarked)
        // Not as a click, which would add to the selection while Ctrl is held.
        selectionModel()->setCurrentIndex(index,
                                          QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    if (index.isValid() && sight == Sight::Scroll)
        scrollTo(index);
    setAutoScroll(true);
    following_ = false;
}

/// Called for clicks and arrow keys; ignores focus changes and selections by the table.
void ColumnTable::selectionChanged(const QItemSelection& selected, const QItemSelection& deselected) {
    QTableView::selectionChanged(selected, deselected);
    if (!selection_ || following_)
        return;
    const QModelIndexList rows = selectionModel()->selectedRows();
    if (rows.size() != 1)
        return;
    selection_->setHead(content().heads.at(model_->row(rows.front())));
    Q_EMIT headChosen();
}

/// Scrolls vertically only, and not if the row is visible.
void ColumnTable::scrollToMarked() {
    const QModelIndex row = content().marked ? model_->indexOf(*content().marked) : QModelIndex();
    if (!row.isValid())
        return;
    const int top = rowViewportPosition(row.row());
    if (top >= 0 && top + rowHeight(row.row()) <= viewport()->height())
        return;
    const int sideways = horizontalScrollBar()->value();
    scrollTo(row, QAbstractItemView::PositionAtCenter);
    horizontalScrollBar()->setValue(sideways);
}

/// The table could not scroll before it had a size.
void ColumnTable::showEvent(QShowEvent* event) {
    QTableView::showEvent(event);
    QMetaObject::invokeMethod(
        this,
        [this] {
            scrollToMarked();
            if (selection_ && currentIndex().isValid() && !isSortedByNumber())
                scrollTo(currentIndex());
        },
        Qt::QueuedConnection);
}

void ColumnTable::setSpaceMarksShown(bool shown) {
    delegate_->spaceMarks = shown;
    viewport()->update();
}

int ColumnTable::wholeHeight() const {
    const int row = isFitted_ ? usualHeight() + mostSpread_ : verticalHeader()->defaultSectionSize();
    return horizontalHeader()->sizeHint().height() + row * model_->rowCount() + 2 * frameWidth();
}

int ColumnTable::leastWidth() const {
    return std::accumulate(needed_.begin(), needed_.end(), 0) + verticalScrollBar()->sizeHint().width() +
           2 * frameWidth();
}

QString ColumnTable::selectedText() const {
    const auto& model = *model_;
    const auto* selected = selectionModel();
    const bool all = !selected->hasSelection();
    const auto isWanted = [&](int row, int column) {
        return all || selected->isSelected(model.index(row, column));
    };
    std::vector<int> rows(model.rowCount());
    std::iota(rows.begin(), rows.end(), 0);
    std::vector<int> columns;
    for (int column = 0; column < model.columnCount(); ++column)
        if (!model.column(column).hidden && model.column(column).bars != Bars::Alone &&
            std::ranges::any_of(rows, [&](int row) { return isWanted(row, column); }))
            columns.push_back(column);
    QStringList lines;
    const auto addLine = [&](auto&& text) {
        QStringList cells;
        for (const int column : columns)
            cells += text(column);
        lines += cells.join('\t');
    };
    addLine([&](int column) { // a number beside its bar has the bar's title
        const QString& title = model.column(column).title;
        return title.isEmpty() && column > 0 ? model.column(column - 1).title : title;
    });
    for (const int row : rows)
        if (all || selected->rowIntersectsSelection(row, {}))
            addLine([&](int column) {
                return isWanted(row, column) ? copiedText(model.column(column), model.rows().at(row))
                                             : QString();
            });
    return lines.join('\n');
}

TableFigure ColumnTable::figure() const {
    TableFigure figure;
    for (const TableColumn& column : content().columns)
        if (!column.hidden)
            figure.columns.push_back(column);
    figure.rows = rows();
    figure.wordsOfRow = content().words;
    figure.font = font();
    figure.spaceMarks = delegate_->spaceMarks;
    return figure;
}

int ColumnTable::padding() const {
    return 2 * fontMetrics().averageCharWidth();
}

/// Measures the title and the texts with most letters, because measuring every text would take too long.
int ColumnTable::longestTextWidth(int column) const {
    const TableColumn& cells = model_->column(column);
    QFont bold = font();
    bold.setBold(content().marked.has_value());
    const QFontMetrics metrics(bold);
    qsizetype most = 0;
    int widest = 0;
    for (int row = 0; row < cells.rows(); ++row) {
        const QString text = textAt(cells, row);
        if (text.size() < most || content().across.contains(row))
            continue;
        if (text.size() > most || row < mostMeasuredRows)
            widest = std::max(text.size() > most ? 0 : widest, metrics.horizontalAdvance(text));
        most = text.size();
    }
    const int arrow = isSortingEnabled() ? fontMetrics().height() : 0;
    const int subtitle = cells.takesRest ? 0 : fontMetrics().horizontalAdvance(cells.subtitle);
    return std::max({widest, metrics.horizontalAdvance(cells.sample), subtitle,
                     fontMetrics().horizontalAdvance(cells.title) + arrow});
}

std::vector<int> ColumnTable::neededWidths() const {
    std::vector<int> widths;
    const bool isRestTaken = std::ranges::any_of(content().columns, &TableColumn::takesRest);
    const int letters = isRestTaken ? mostLettersBesideRest : mostLettersOfToken;
    for (int column = 0; column < model_->columnCount(); ++column) {
        int width = longestTextWidth(column) + padding();
        if (!model_->column(column).tokens.empty())
            width = std::min(width, letters * fontMetrics().averageCharWidth());
        widths.push_back(model_->column(column).hidden ? 0 : width);
    }
    return widths;
}

std::vector<bool> ColumnTable::shownColumns(const std::vector<int>& widths, int room) const {
    std::vector<bool> shown;
    for (const TableColumn& column : content().columns)
        shown.push_back(!column.hidden);
    while (noRoom_ == NoRoom::Drop) {
        int needed = 0;
        std::optional<std::size_t> first;
        for (std::size_t column = 0; column < widths.size(); ++column) {
            if (!shown[column])
                continue;
            needed += widths[column];
            const int dropped = content().columns[column].dropped;
            if (dropped > 0 && (!first || dropped > content().columns[*first].dropped))
                first = column;
        }
        if (needed <= room || !first)
            break;
        shown[*first] = false;
    }
    return shown;
}

/// Returns the columns that share the remaining room: those that take it, otherwise tokens, otherwise
/// Bars::Alone, otherwise all with bars.
std::vector<int> ColumnTable::stretched(const std::vector<bool>& shown) const {
    const auto those = [&](auto&& isOne) {
        std::vector<int> columns;
        for (int column = 0; column < model_->columnCount(); ++column)
            if (shown[column] && isOne(model_->column(column)))
                columns.push_back(column);
        return columns;
    };
    if (auto taking = those([](const TableColumn& column) { return column.takesRest; }); !taking.empty())
        return taking;
    if (auto tokens = those([](const TableColumn& column) { return !column.tokens.empty(); });
        !tokens.empty())
        return tokens;
    if (auto alone = those([](const TableColumn& column) { return column.bars == Bars::Alone; });
        !alone.empty())
        return alone;
    return those([](const TableColumn& column) { return column.bars != Bars::None; });
}

void ColumnTable::setFitted(bool isFitted, int mostSpread) {
    isFitted_ = isFitted;
    mostSpread_ = mostSpread;
    verticalHeader()->setMinimumSectionSize(isFitted ? 1 : -1);
    layOutColumns();
}

void ColumnTable::setMarkFilled(bool isFilled) {
    delegate_->isMarkFilled = isFilled;
}

int ColumnTable::usualHeight() const {
    return std::max(fontMetrics().height() + 6, space::target) + (areBarsUnder_ ? barHeight : 0);
}

int ColumnTable::heightOfRows() const {
    const int usual = usualHeight();
    const int room = isFitted_ && model_->rowCount() > 0 ? viewport()->height() / model_->rowCount() : usual;
    return std::clamp(room, fontMetrics().height(), isFitted_ ? usual + mostSpread_ : usual);
}

void ColumnTable::layOutColumns(const std::vector<int>& before) {
    const int room = viewport()->width();
    // The shown columns do not depend on whether there is a scroll bar.
    const int besideBar = width() - 2 * frameWidth() - verticalScrollBar()->sizeHint().width();
    std::vector<int> widths = needed_;
    const auto shown = shownColumns(widths, std::min(room, besideBar));
    int left = room;
    bool isBarAlone = false, isBarUnder = false;
    for (int column = 0; column < model_->columnCount(); ++column)
        if (shown[column]) {
            left -= widths[column];
            isBarAlone = isBarAlone || model_->column(column).bars == Bars::Alone;
        }
    const auto stretch = stretched(shown);
    if (left < 0 && !stretch.empty() && !model_->column(stretch.front()).tokens.empty()) {
        // Tokens can be cut; numbers and titles cannot.
        const std::size_t place = stretch.front();
        const int title = fontMetrics().horizontalAdvance(model_->column(stretch.front()).title);
        const int least =
            std::max(title, fewestLettersOfToken * fontMetrics().averageCharWidth()) + padding();
        widths[place] = std::max(widths[place] + left, std::min(widths[place], least));
    }
    for (int column = 0; column < model_->columnCount(); ++column) {
        const std::size_t place = column;
        const Bars bars = model_->column(column).bars;
        isBarUnder = isBarUnder || bars == Bars::Under || (bars == Bars::UnderIfNoRoom && !isBarAlone);
        const bool isFirst = !stretch.empty() && stretch.front() != column;
        const bool isRestTaken = !stretch.empty() && model_->column(stretch.front()).takesRest;
        if (shown[place] && bars == Bars::Alone && isFirst && !isRestTaken && left > 0) { // beside tokens
            const int longer =
                std::clamp(longestBar * fontMetrics().averageCharWidth() - widths[place], 0, left);
            widths[place] += longer;
            left -= longer;
        }
    }
    for (std::size_t i = 0; left > 0 && i < stretch.size(); ++i) {
        const int share = left / static_cast<int>(stretch.size() - i);
        widths[stretch[i]] += share;
        left -= share;
    }
    model_->setBarsAloneShown(isBarAlone);
    areBarsUnder_ = isBarUnder;
    verticalHeader()->setDefaultSectionSize(heightOfRows());
    for (int column = 0; column < model_->columnCount(); ++column) {
        const std::size_t place = column;
        const bool isKept = isByHand() && place < before.size() && before[place] == needed_[place];
        setColumnHidden(column, !shown[place]);
        if (shown[place] && !isKept)
            setColumnWidth(column, widths[place]);
    }
    std::vector<QString> subtitles; // a long one is cut at its end, not on both sides
    for (int column = 0; column < model_->columnCount(); ++column)
        subtitles.push_back(fontMetrics().elidedText(model_->column(column).subtitle, Qt::ElideRight,
                                                     columnWidth(column) - padding()));
    model_->setSubtitles(std::move(subtitles));
}

/// The current row shows the keyboard's focus, where it is in sight.
void ColumnTable::paintEvent(QPaintEvent* event) {
    QTableView::paintEvent(event);
    if (!hasFocus() || viewport()->rect().contains(visualRect(currentIndex()).topLeft()))
        return;
    QPainter painter(viewport());
    painter.setPen(themeOf(palette()).focus);
    painter.drawRect(viewport()->rect().adjusted(0, 0, -1, -1));
}

void ColumnTable::updateGeometries() {
    QTableView::updateGeometries();
    if (names_)
        names_->follow();
}

void ColumnTable::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    if (!isByHand() && event->size().width() != event->oldSize().width())
        layOutColumns();
    else if (isFitted_)
        verticalHeader()->setDefaultSectionSize(heightOfRows());
}

void ColumnTable::changeEvent(QEvent* event) {
    QTableView::changeEvent(event);
    if (event->type() != QEvent::FontChange && event->type() != QEvent::StyleChange)
        return;
    needed_ = neededWidths();
    layOutColumns();
}

void ColumnTable::keyPressEvent(QKeyEvent* event) {
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (event->matches(QKeySequence::Copy)) {
        QApplication::clipboard()->setText(selectedText());
    } else if (isEnter && currentIndex().isValid()) {
        if (selection_)
            selectRow(currentIndex().row());
        Q_EMIT rowEntered(model_->row(currentIndex()));
        QTableView::keyPressEvent(event); // also emits activated()
    } else {
        QTableView::keyPressEvent(event);
    }
}

} // namespace headscope::widgets
