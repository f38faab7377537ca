#include "widgets/tables/numbers_table.h"

#include "widgets/drawing/signed_bar.h"
#include "widgets/drawing/theme.h"
#include "widgets/tables/token_delegate.h"
#include "widgets/words/captions.h"
#include "widgets/words/plain_words.h"

#include <QAbstractTableModel>
#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

constexpr int numbersTableBarHeight = 4;
constexpr int numbersTablePadding = 16; ///< what a column keeps free beside its text

double largestMagnitude(const std::vector<double>& values) {
    double largest = 0;
    for (const double value : values)
        if (std::isfinite(value))
            largest = std::max(largest, std::abs(value));
    return largest;
}

/// As many as all numbers of a column are written with, so that they can be compared at a glance.
int decimalsOf(const std::vector<double>& values) {
    constexpr double small = 0.001;
    constexpr double large = 10; // of which five decimals would be more than single precision has
    const bool anySmall =
        std::ranges::any_of(values, [](double value) { return value != 0 && std::abs(value) < small; });
    return anySmall && largestMagnitude(values) < large ? 5 : 4;
}

QString decimalText(double value, int decimals) {
    const bool isLost = std::abs(value) < 0.5 * std::pow(10, -decimals);
    if (!std::isfinite(value) || (isLost && value != 0))
        return widgets::numberText(value);
    return QString::number(value == 0 ? 0.0 : value, 'f', decimals).replace('-', QChar(0x2212));
}

} // namespace

QString preciseText(double value) {
    const double size = std::abs(value);
    return size > 0 && size < 0.001 ? QString::number(value, 'g', 3).replace('-', QChar(0x2212))
                                    : numberText(value);
}

class NumbersTable::Model : public QAbstractTableModel {
  public:
    using QAbstractTableModel::QAbstractTableModel;

    void set(const QString& namesTitle, std::vector<TokenLabel> names, std::vector<NumberColumn> columns,
             std::optional<int> marked) {
        beginResetModel();
        namesTitle_ = namesTitle;
        names_ = std::move(names);
        columns_ = std::move(columns);
        marked_ = marked;
        limits_.clear();
        decimals_.clear();
        for (const NumberColumn& column : columns_)
            decimals_.push_back(decimalsOf(column.values));
        for (const NumberColumn& column : columns_)
            limits_.push_back(column.longest > 0 ? column.longest : largestMagnitude(column.values));
        endResetModel();
    }
    int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(names_.size());
    }
    int columnCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(columns_.size()) + 1;
    }
    const NumberColumn* numbers(int column) const {
        return column > 0 ? &columns_[static_cast<std::size_t>(column - 1)] : nullptr;
    }
    int decimals(int column) const { return decimals_[static_cast<std::size_t>(column - 1)]; }
    double limit(int column) const { return limits_[static_cast<std::size_t>(column - 1)]; }
    /// Nothing where the cell has none.
    std::optional<double> value(const QModelIndex& index) const {
        const auto* column = numbers(index.column());
        const auto row = static_cast<std::size_t>(index.row());
        const bool isEmpty = !column || row >= column->values.size() || // values may be narrower than keys
                             (row < column->empty.size() && column->empty[row]);
        return isEmpty ? std::nullopt : std::optional(column->values[row]);
    }
    QString copied(const QModelIndex& index) const {
        if (index.column() == 0)
            return withoutIsolation(names_.at(static_cast<std::size_t>(index.row())).full());
        return value(index) ? QString::number(*value(index), 'g', 9) : QString();
    }
    QVariant data(const QModelIndex& index, int role) const override {
        const auto& name = names_.at(static_cast<std::size_t>(index.row()));
        const auto number = value(index);
        switch (role) {
        case Qt::DisplayRole:
            return index.column() == 0              ? name.full()
                   : !number                        ? QString(QChar(0x2013))
                   : numbers(index.column())->whole ? QString::number(std::lround(*number))
                                                    : decimalText(*number, decimals(index.column()));
        case Qt::TextAlignmentRole:
            return static_cast<int>((index.column() == 0 ? Qt::AlignLeft : Qt::AlignRight) |
                                    Qt::AlignVCenter);
        case Qt::FontRole: {
            QFont font = static_cast<QWidget*>(parent())->font();
            font.setBold(index.row() == marked_);
            return font;
        }
        case TokenDelegate::labelRole:
            return index.column() == 0 ? QVariant::fromValue(name) : QVariant();
        default:
            return {};
        }
    }
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override {
        if (orientation != Qt::Horizontal)
            return {};
        if (role == Qt::TextAlignmentRole)
            return static_cast<int>((section == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
        const auto* column = numbers(section);
        if (role == Qt::DisplayRole)
            return column ? column->title : namesTitle_;
        return role == Qt::ToolTipRole && column ? QVariant(column->toolTip) : QVariant();
    }

  private:
    QString namesTitle_;
    std::vector<TokenLabel> names_;
    std::vector<NumberColumn> columns_;
    std::vector<double> limits_;
    std::vector<int> decimals_;
    std::optional<int> marked_;
};

class NumbersTable::Delegate : public TokenDelegate {
  public:
    using TokenDelegate::TokenDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const auto* model = static_cast<const Model*>(index.model());
        const auto* column = model->numbers(index.column());
        QStyleOptionViewItem above = option;
        TokenDelegate::paint(painter, above, index);
        const auto value = model->value(index);
        if (!column || !column->bars || !value)
            return;
        const QRectF cell(option.rect);
        const QRectF room(cell.left() + 4, cell.bottom() - numbersTableBarHeight, cell.width() - 8,
                          numbersTableBarHeight);
        if (option.state & QStyle::State_Selected)
            drawSignedBar(*painter, room, *value, model->limit(index.column()),
                          option.palette.color(QPalette::HighlightedText));
        else
            drawSignedBar(*painter, room, *value, model->limit(index.column()), themeOf(option.palette));
    }
};

NumbersTable::NumbersTable(QWidget* parent)
    : QTableView(parent), model_(new Model(this)), delegate_(new Delegate(this)) {
    setModel(model_);
    setItemDelegate(delegate_);
    setShowGrid(false);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    horizontalHeader()->setHighlightSections(false);
    fit();
}

NumbersTable::~NumbersTable() = default;

void NumbersTable::setColumns(const QString& namesTitle, Names kind, std::vector<TokenLabel> names,
                              std::vector<NumberColumn> columns, std::optional<int> marked) {
    model_->set(namesTitle, std::move(names), std::move(columns), marked);
    names_ = kind;
    fitColumns();
    marked_ = marked;
    if (isVisible())
        scrollToMarked();
}

/// It stays where it is as long as it is in sight.
void NumbersTable::scrollToMarked() {
    const QModelIndex row = marked_ ? model_->index(*marked_, 0) : QModelIndex();
    if (row.isValid() && !viewport()->rect().contains(visualRect(row)))
        scrollTo(row, QAbstractItemView::PositionAtCenter);
}

/// Before, there was no room to scroll in.
void NumbersTable::showEvent(QShowEvent* event) {
    QTableView::showEvent(event);
    QMetaObject::invokeMethod(this, &NumbersTable::scrollToMarked, Qt::QueuedConnection);
}

void NumbersTable::setSpaceMarksShown(bool shown) {
    delegate_->spaceMarks = shown;
    viewport()->update();
}

int NumbersTable::wholeHeight() const {
    return horizontalHeader()->sizeHint().height() +
           verticalHeader()->defaultSectionSize() * model_->rowCount() + 2 * frameWidth();
}

int NumbersTable::leastWidth() const {
    return nameWidth_ + numbersWidth_ + verticalScrollBar()->sizeHint().width() + 2 * frameWidth();
}

QString NumbersTable::selectedText() const {
    return widgets::selectedText(*this, [this](const QModelIndex& index) { return model_->copied(index); });
}

void NumbersTable::fit() {
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + numbersTableBarHeight + 2);
    fitColumns();
}

/// Whatever is not stretched is as wide as what usually stands there.
void NumbersTable::fitColumns() {
    const bool tokens = names_ == Names::Tokens;
    const int numbers = std::max(0, model_->columnCount() - 1);
    int least = fontMetrics().horizontalAdvance(QStringLiteral("\u22120.0000"));
    for (int column = 1; !tokens && column <= numbers; ++column)
        least = std::max(least, longestTextWidth(column));
    // Narrower, digits would be cut, and a number with them: then columns are scrolled to.
    horizontalHeader()->setMinimumSectionSize(tokens ? 5 * fontMetrics().averageCharWidth() : least + 6);
    for (int column = 0; column <= numbers; ++column)
        horizontalHeader()->setSectionResizeMode(column, column == 0 || tokens ? QHeaderView::Fixed
                                                                               : QHeaderView::Stretch);
    if (tokens)
        return fitTokens();
    nameWidth_ = std::max(fontMetrics().horizontalAdvance(QStringLiteral("dim.")) + numbersTablePadding,
                          horizontalHeader()->minimumSectionSize());
    numbersWidth_ = numbers * horizontalHeader()->minimumSectionSize();
    setColumnWidth(0, nameWidth_);
}

void NumbersTable::fitTokens() {
    constexpr int mostLetters = 18;
    numbersWidth_ = 0;
    for (int column = 1; column < model_->columnCount(); ++column) {
        const int width = longestTextWidth(column) + numbersTablePadding;
        setColumnWidth(column, width);
        numbersWidth_ += width;
    }
    nameWidth_ =
        std::min(longestTextWidth(0) + numbersTablePadding, mostLetters * fontMetrics().averageCharWidth());
    giveNamesTheRest();
}

void NumbersTable::giveNamesTheRest() {
    setColumnWidth(0,
                   std::max(horizontalHeader()->minimumSectionSize(), viewport()->width() - numbersWidth_));
}

/// Of the title and of what has most letters: measuring all of a long table would take too long.
int NumbersTable::longestTextWidth(int column) const {
    QString longest;
    for (int row = 0; row < model_->rowCount(); ++row)
        if (const QString text = model_->index(row, column).data().toString(); text.size() > longest.size())
            longest = text;
    QFont marked = font();
    marked.setBold(true);
    const QString title = model_->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    return std::max(QFontMetrics(marked).horizontalAdvance(longest), fontMetrics().horizontalAdvance(title));
}

void NumbersTable::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    if (names_ == Names::Tokens)
        giveNamesTheRest();
}

void NumbersTable::changeEvent(QEvent* event) {
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fit();
}

void NumbersTable::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy))
        QApplication::clipboard()->setText(selectedText());
    else
        QTableView::keyPressEvent(event);
}

} // namespace headscope::widgets
