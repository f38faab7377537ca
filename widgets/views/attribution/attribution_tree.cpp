#include "widgets/views/attribution/attribution_tree.h"

#include "model/trace/sublayer_site.h"
#include "widgets/drawing/token_label.h"
#include "widgets/tables/signed_bar_delegate.h"
#include "widgets/words/captions.h"
#include "widgets/words/change_words.h"
#include "widgets/words/counting_words.h"
#include "widgets/words/importance_words.h"
#include "widgets/words/plain_text.h"

#include <QCoreApplication>
#include <QEvent>
#include <QHeaderView>
#include <QScrollBar>

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope::widgets {

AttributionTree::AttributionTree(Selection* selection, AttributionModel* model, QWidget* parent)
    : QTreeView(parent), selection_(selection), model_(model) {
    setLayoutDirection(Qt::LeftToRight); // as numbers and steps run
    setAccessibleName(tr("Parts of the logit"));
    setModel(model);
    setItemDelegate(new SignedBarDelegate({.bar = AttributionModel::Bar,
                                           .number = AttributionModel::Value,
                                           .valueRole = AttributionModel::ValueRole,
                                           .limitRole = AttributionModel::LimitRole},
                                          this));
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setUniformRowHeights(true);
    setIndentation(fontMetrics().height());
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    header()->setStretchLastSection(false);
    header()->setSectionResizeMode(QHeaderView::Fixed);
    header()->setMinimumSectionSize(8);
    header()->setSectionsMovable(false);
    sortByColumn(AttributionModel::Part, Qt::AscendingOrder);
    setSortingEnabled(true);
    connect(this, &QTreeView::expanded, this, [this](const QModelIndex& index) {
        if (const auto sublayer = model_->unfolds(index))
            unfolded_.insert(*sublayer);
        followHead();
    });
    connect(this, &QTreeView::collapsed, this, [this](const QModelIndex& index) {
        if (const auto sublayer = model_->unfolds(index))
            unfolded_.erase(*sublayer);
        followHead();
    });
    connect(model_, &QAbstractItemModel::modelAboutToBeReset, this,
            [this] { place_ = verticalScrollBar()->value(); });
    connect(model_, &QAbstractItemModel::modelReset, this, &AttributionTree::followModel);
    connect(selection_, &Selection::headChanged, this, &AttributionTree::followHead);
    layOutColumns();
}

void AttributionTree::followModel() {
    for (int row = 0; row < model_->rowCount(); ++row) {
        const QModelIndex index = model_->index(row, 0);
        if (const auto sublayer = model_->unfolds(index); sublayer && unfolded_.contains(*sublayer))
            expand(index);
    }
    layOutColumns();
    followHead();
    executeDelayedItemsLayout();
    verticalScrollBar()->setValue(place_);
}

/// If the sublayer of the selected head is collapsed, marks the row of the sublayer.
void AttributionTree::followHead() {
    const QModelIndex head = model_->indexOf(selection_->head());
    const QModelIndex around = head.parent();
    const bool isInSight = !around.isValid() || isExpanded(around);
    setAutoScroll(false);
    if (head.isValid())
        setCurrentIndex(isInSight ? head : around);
    else
        clearSelection();
    setAutoScroll(true);
}

/// By click or arrow keys; a row that only gets the focus is not selected.
void AttributionTree::selectionChanged(const QItemSelection& selected, const QItemSelection& deselected) {
    QTreeView::selectionChanged(selected, deselected);
    const QModelIndexList rows = selectionModel()->selectedRows();
    if (const auto head = rows.isEmpty() ? std::nullopt : model_->head(rows.front()))
        selection_->setHead(*head);
}

std::vector<std::pair<QModelIndex, int>> AttributionTree::shownRows() const {
    std::vector<std::pair<QModelIndex, int>> rows;
    for (int row = 0; row < model_->rowCount(); ++row) {
        const QModelIndex at = model_->index(row, 0);
        rows.emplace_back(at, 0);
        for (int below = 0; isExpanded(at) && below < model_->rowCount(at); ++below)
            rows.emplace_back(model_->index(below, 0, at), 1);
    }
    return rows;
}

void AttributionTree::resizeEvent(QResizeEvent* event) {
    QTreeView::resizeEvent(event);
    layOutColumns();
}

void AttributionTree::changeEvent(QEvent* event) {
    QTreeView::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
        setIndentation(fontMetrics().height());
        layOutColumns();
    }
}

int AttributionTree::widestName() const {
    int widest = 0;
    const auto measure = [&](const QModelIndex& index, int depth) {
        const int text = fontMetrics().horizontalAdvance(index.data().toString());
        widest = std::max(widest, text + (depth + 1) * indentation());
    };
    for (int row = 0; row < model_->rowCount(); ++row) {
        const QModelIndex at = model_->index(row, 0);
        measure(at, 0);
        for (int below = 0; below < model_->rowCount(at); ++below)
            measure(model_->index(below, 0, at), 1);
    }
    return widest;
}

/// In a narrow pane, draws the bar below its number. Names are shortened last.
void AttributionTree::layOutColumns() {
    constexpr int padding = 12;
    const QFontMetrics metrics = fontMetrics();
    const int number = metrics.horizontalAdvance(QStringLiteral("+00.0000")) + padding;
    const int room = viewport()->width();
    const int name = std::clamp(widestName() + padding, 40, std::max(40, room - number));
    const int bar = room - name - number;
    const QString title =
        model_->headerData(AttributionModel::Bar, Qt::Horizontal, Qt::DisplayRole).toString();
    const bool hasBar = bar >= metrics.horizontalAdvance(title) + padding;
    if (auto* delegate = static_cast<SignedBarDelegate*>(itemDelegate());
        std::exchange(delegate->barsUnderNumbers, !hasBar) != !hasBar)
        scheduleDelayedItemsLayout(); // the row height changes
    setColumnHidden(AttributionModel::Bar, !hasBar);
    setColumnWidth(AttributionModel::Part, name);
    setColumnWidth(AttributionModel::Bar, std::max(0, bar));
    setColumnWidth(AttributionModel::Value, number + (hasBar ? 0 : std::max(0, bar)));
}

namespace {

// Internal id of a top-level row. Other rows have the row number of their parent.
constexpr quintptr top = std::numeric_limits<quintptr>::max();

double size(double value) {
    return std::isnan(value) ? -1 : std::abs(value);
}

std::vector<analysis::AttributionGroup> oneByOne(const std::vector<analysis::AttributionGroup>& groups) {
    std::vector<analysis::AttributionGroup> parts;
    for (const auto& group : groups)
        for (const auto& part : group.parts)
            parts.push_back({.parts = {part}, .sum = part.value});
    return parts;
}

using PartKind = trace::LogitPart::Kind;

struct AttributionWords {
    Q_DECLARE_TR_FUNCTIONS(Attribution)
};

} // namespace

void AttributionModel::setAttribution(const trace::LogitAttribution& attribution) {
    beginResetModel();
    stream_ = analysis::attributionGroups(attribution);
    limit_ = limitOf(stream_);
    fillRows();
    endResetModel();
}

double AttributionModel::limitOf(const std::vector<analysis::AttributionGroup>& groups) {
    double largest = 0;
    for (const auto& group : groups) {
        largest = std::max(largest, size(group.sum));
        for (const auto& part : group.parts)
            largest = std::max(largest, size(part.value));
    }
    return largest;
}

void AttributionModel::setFlat(bool flat) {
    beginResetModel();
    flat_ = flat;
    fillRows();
    endResetModel();
}

void AttributionModel::sort(int column, Qt::SortOrder order) {
    beginResetModel();
    sortColumn_ = column;
    sortOrder_ = order;
    fillRows();
    endResetModel();
}

void AttributionModel::fillRows() {
    rows_ = flat_ ? oneByOne(stream_) : stream_;
    const bool falls = sortOrder_ == Qt::DescendingOrder;
    const auto order = [&](auto& list, auto&& valueOf) {
        if (sortColumn_ != Part)
            std::ranges::stable_sort(list, [&](const auto& one, const auto& other) {
                return falls ? size(valueOf(one)) > size(valueOf(other))
                             : size(valueOf(one)) < size(valueOf(other));
            });
        else if (falls)
            std::ranges::reverse(list);
    };
    order(rows_, [](const auto& group) { return group.sum; });
    for (auto& group : rows_)
        order(group.parts, [](const auto& part) { return part.value; });
}

QModelIndex AttributionModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) : top);
}

QModelIndex AttributionModel::parent(const QModelIndex& index) const {
    if (!index.isValid() || index.internalId() == top)
        return {};
    return createIndex(static_cast<int>(index.internalId()), 0, top);
}

int AttributionModel::rowCount(const QModelIndex& parent) const {
    if (!parent.isValid())
        return rows_.size();
    return isGroup(parent) && parent.column() == 0 ? groupOf(parent).parts.size() : 0;
}

int AttributionModel::columnCount(const QModelIndex&) const {
    return ColumnCount;
}

bool AttributionModel::isGroup(const QModelIndex& index) const {
    return index.isValid() && index.internalId() == top && groupOf(index).parts.size() > 1;
}

const analysis::AttributionGroup& AttributionModel::groupOf(const QModelIndex& index) const {
    const auto row = index.internalId() == top ? static_cast<std::size_t>(index.row())
                                               : static_cast<std::size_t>(index.internalId());
    return rows_.at(row);
}

const trace::LogitPart& AttributionModel::partOf(const QModelIndex& index) const {
    const auto& parts = groupOf(index).parts;
    return index.internalId() == top ? parts.front() : parts.at(index.row());
}

double AttributionModel::valueOf(const QModelIndex& index) const {
    return index.internalId() == top ? groupOf(index).sum : partOf(index).value;
}

std::optional<trace::HeadAddress> AttributionModel::head(const QModelIndex& index) const {
    return index.isValid() && !isGroup(index) ? headOf(partOf(index)) : std::nullopt;
}

std::optional<trace::SublayerAddress> AttributionModel::unfolds(const QModelIndex& index) const {
    return isGroup(index) ? partOf(index).sublayer : std::nullopt;
}

QModelIndex AttributionModel::indexOf(const trace::HeadAddress& wanted) const {
    for (int row = 0; row < rowCount(); ++row) {
        const QModelIndex at = index(row, 0);
        if (head(at) == wanted)
            return at;
        for (int below = 0; below < rowCount(at); ++below)
            if (const QModelIndex part = index(below, 0, at); head(part) == wanted)
                return part;
    }
    return {};
}

/// A top-level bias is named after its sublayer.
QString AttributionModel::name(const QModelIndex& index) const {
    const auto& part = partOf(index);
    const bool isBiasAlone = index.internalId() == top && part.kind == trace::LogitPart::Kind::AttentionBias;
    if (!isGroup(index) && !isBiasAlone)
        return partName(part);
    const QString site = QString::fromStdString(trace::toString(*part.sublayer));
    return isBiasAlone ? tr("%1 bias").arg(site) : site;
}

QString AttributionModel::words(const QModelIndex& index) const {
    const auto& part = partOf(index);
    return tr("%1: %2").arg(isGroup(index)
                                ? tr("%1, its heads and its bias").arg(sublayerTitle(*part.sublayer))
                                : partInWords(part, model_.get()),
                            signedNumberText(valueOf(index)));
}

QVariant AttributionModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    switch (role) {
    case Qt::DisplayRole:
        return index.column() == Part    ? name(index)
               : index.column() == Value ? signedNumberText(valueOf(index))
                                         : QString();
    case Qt::TextAlignmentRole:
        return int((index.column() == Part ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::AccessibleTextRole:
        return words(index);
    case Qt::ToolTipRole:
        return plainToolTip(words(index) + (head(index) ? tr("\nClick: select this head") : QString()));
    case ValueRole:
        return valueOf(index);
    case LimitRole:
        return limit_;
    default:
        return {};
    }
}

QVariant AttributionModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    const bool isNumber = model_ && model_->numbers > 0;
    switch (role) {
    case Qt::DisplayRole:
        return section == Part  ? tr("Part")
               : section == Bar ? isNumber ? tr("lowers | raises") : tr("against | for")
               : isNumber ? tr("Number")
                                : tr("Logit");
    case Qt::ToolTipRole:
        return section == Part ? tr("In model order; click to sort")
               : isNumber      ? tr("Contribution of the part to the number; click to sort by size")
                               : tr("Contribution of the part to the logit; click to sort by size");
    case Qt::TextAlignmentRole:
        return int((section == Part  ? Qt::AlignLeft
                    : section == Bar ? Qt::AlignHCenter
                                     : Qt::AlignRight) |
                   Qt::AlignVCenter);
    case Qt::InitialSortOrderRole: // largest first
        return int(section == Part ? Qt::AscendingOrder : Qt::DescendingOrder);
    default:
        return {};
    }
}

std::optional<trace::HeadAddress> headOf(const trace::LogitPart& part) {
    if (part.kind != PartKind::Head || !part.sublayer)
        return std::nullopt;
    return trace::HeadAddress{trace::attentionSite(*part.sublayer).value(), part.head};
}

QString partName(const trace::LogitPart& part) {
    switch (part.kind) {
    case PartKind::Bias:
        return AttributionWords::tr("bias of the output");
    case PartKind::Embedding:
        return AttributionWords::tr("embedding");
    case PartKind::Position:
        return AttributionWords::tr("position");
    case PartKind::Head:
        return address(headOf(part).value_or(trace::HeadAddress()));
    case PartKind::AttentionBias:
        return AttributionWords::tr("bias");
    case PartKind::FeedForward:
        break;
    }
    return part.sublayer ? QString::fromStdString(trace::toString(*part.sublayer)) : QString();
}

QString partInWords(const trace::LogitPart& part, const trace::ModelSummary* model) {
    const bool isEncoder = model && model->decoderLayers == 0;
    switch (part.kind) {
    case PartKind::Bias:
        return isEncoder
                   ? AttributionWords::tr("Biases of the output head and of norms, independent of the input")
                   : AttributionWords::tr("Biases of generator and norms, independent of the input");
    case PartKind::Embedding:
        return isEncoder ? AttributionWords::tr("Embeddings of the tokens that the output head reads")
                         : AttributionWords::tr("Embedding of the input token");
    case PartKind::Position:
        return isEncoder ? AttributionWords::tr("Positional vectors of the tokens that the output head reads")
                         : AttributionWords::tr("Positional vector of the step");
    case PartKind::AttentionBias:
        return part.sublayer ? AttributionWords::tr("%1: bias of the output projection")
                                   .arg(sublayerTitle(*part.sublayer))
                             : QString();
    case PartKind::Head:
        if (const auto head = headOf(part); head && model)
            return headTitle(*model, *head);
        [[fallthrough]];
    case PartKind::FeedForward:
        break;
    }
    return part.sublayer ? sublayerTitle(*part.sublayer) : QString();
}

QString logitTitle(const trace::LogitAttribution& attribution, bool isNumber) {
    const QString token = quoted(tokenLabel(attribution.token));
    if (isNumber)
        return AttributionWords::tr("Number %1").arg(token);
    return attribution.contrast ? AttributionWords::tr("Logit of %1 compared with %2")
                                      .arg(token, quoted(tokenLabel(*attribution.contrast)))
                                : AttributionWords::tr("Logit of %1").arg(token);
}

namespace {

/// What makes the sum exact.
QString heldFixed(const trace::Run& run) {
    const bool isActivated = run.model && (!run.model->property("classifier_activation").empty() ||
                                           !run.model->property("masked_tokens_activation").empty() ||
                                           !run.model->property("generator_activation").empty());
    return isActivated ? AttributionWords::tr(
                             "the divisors of norms and the ratios f(z)/z of the output head's activation")
                       : AttributionWords::tr("the divisors of norms");
}

} // namespace

QString attributionCaption(const trace::LogitAttribution& attribution, const trace::Run& run,
                           const trace::Lens& lens, int step) {
    const QString model = lensModelName(run, lens);
    const bool isChanged = !effective(run.request.interventions).empty();
    const QString difference =
        attribution.contrast ? AttributionWords::tr(", the difference between the two logits,") : QString();
    const bool isSpan = run.answerKind() == trace::AnswerKind::Ends;
    const QString place = run.steps() == 0 || lens.areNumbers ? QString()
                          : isSpan ? AttributionWords::tr(" at %1").arg(answerName(run, step))
                                   : AttributionWords::tr(" at %1 of %2")
                                         .arg(answerName(run, step), QString::number(run.answers().size()));
    return AttributionWords::tr(
               "%1%2%3 in %4%5, as the sum of all contributions to the residual stream, with "
               "%6 held fixed.")
        .arg(logitTitle(attribution, lens.areNumbers), difference, place, model,
             isChanged ? AttributionWords::tr(", changed") : QString(), heldFixed(run));
}

QString attributionNote(const trace::Run& run, int step) {
    if (!run.target.empty() || !run.model)
        return {};
    const QString place =
        run.answerKind() == trace::AnswerKind::Tokens || run.answerKind() == trace::AnswerKind::Ends
            ? answerName(run, step)
        : run.model->property("classifier_input").empty()
            ? AttributionWords::tr("the largest value of each feature")
            : AttributionWords::tr("the first token");
    return AttributionWords::tr("Read at %1, with %2 held fixed.").arg(place, heldFixed(run));
}

QString attributionSum(const trace::LogitAttribution& attribution, bool isNumber) {
    const QString sum = numberText(analysis::sumOfParts(attribution));
    const QString logit = numberText(attribution.logit);
    const QString relation =
        analysis::partsSumToLogit(attribution) ? QStringLiteral("=") : QString(QChar(0x2260));
    return attribution.contrast ? AttributionWords::tr("sum of the parts %1 %2 difference of the logits %3")
                                      .arg(sum, relation, logit)
           : isNumber ? AttributionWords::tr("sum of the parts %1 %2 number %3").arg(sum, relation, logit)
                      : AttributionWords::tr("sum of the parts %1 %2 logit %3").arg(sum, relation, logit);
}

} // namespace headscope::widgets
