#include "widgets/views/cell_card/cell_card.h"

#include "model/analysis/maps/why_masked.h"
#include "widgets/controls/flow_layout.h"
#include "widgets/controls/wrapped_label.h"
#include "widgets/drawing/icons.h"
#include "widgets/drawing/spacing.h"
#include "widgets/drawing/token_label.h"
#include "widgets/drawing/type_scale.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/map/change_marks.h"
#include "widgets/map/mask_words.h"
#include "widgets/view_spec.h"
#include "widgets/views/places.h"
#include "widgets/words/captions.h"
#include "widgets/words/card_words.h"
#include "widgets/words/counting_words.h"
#include "widgets/words/hint_for_no_run.h"
#include "widgets/words/trace_words.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>

namespace headscope::widgets {

namespace {

QString translated(const char* context, const char* text) {
    return QCoreApplication::translate(context, text);
}

/// The first of its keys.
QString shownKey(const ActionSpec& action) {
    return QString::fromUtf8(action.shortcut).section(';', 0, 0);
}

} // namespace

View* views::makers::cell_card(Selection* selection, QWidget* parent) {
    return new CellCard(selection, parent);
}

CellCard::CellCard(Selection* selection, QWidget* parent)
    : View(parent), selection_(selection), number_(new QLabel(this)), words_(wrappedLabel(this)) {
    setAccessibleName(tr("The cell"));
    setTextRole(number_, TextRole::Number);
    words_->setForegroundRole(QPalette::PlaceholderText);
    auto* line = new QHBoxLayout;
    line->addWidget(number_);
    line->addWidget(words_, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(space::s, space::xs, space::s, space::xs);
    column->setSpacing(space::s);
    column->addLayout(line);
    auto* buttons = new FlowLayout;
    column->addLayout(buttons);
    addButtons();
    for (auto* button : buttons_)
        buttons->addWidget(button);
    column->addStretch();
    connect(selection, &Selection::stepChanged, this, &CellCard::refresh);
    connect(selection, &Selection::headChanged, this, &CellCard::refresh);
    connect(selection, &Selection::focusChanged, this, &CellCard::refresh);
    showCell();
}

/// From the catalogue: no view knows another one.
void CellCard::addButtons() {
    for (const auto& view : viewSpecs()) {
        for (const auto& action : view.actions)
            if (*view.ofCell && !*action.name)
                addButton(translated("ViewSpec", view.ofCell),
                          tr("Pins this cell and opens %1 (%2)", "view, key")
                              .arg(translated("ViewSpec", view.title), shownKey(action)),
                          intents::Open{.view = view.key});
            else if (*action.ofCell)
                addButton(translated("Actions", action.ofCell), translated("Actions", action.summary),
                          intents::Open{.view = view.key, .action = action.name});
    }
}

void CellCard::addButton(const QString& text, const QString& tip, const Intent& intent) {
    auto* button = new QPushButton(text, this);
    if (const auto* opens = std::get_if<intents::Open>(&intent))
        button->setIcon(icon(opens->action.empty() ? opens->view : "search"));
    button->setToolTip(tip);
    button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(button, &QPushButton::clicked, this, [this, intent] {
        pin();
        Q_EMIT intended(intent);
    });
    buttons_.push_back(button);
}

void CellCard::pin() {
    const auto focus = TokenFocus::cell(selection_->head().site.kind, cell_->row, cell_->column);
    if (selection_->pinned() != focus)
        selection_->togglePinned(focus);
    selection_->setCursor({});
}

void CellCard::refresh() {
    cell_.reset();
    const auto& run = context().document->run;
    const auto head = selection_->head();
    const auto kind = head.site.kind;
    if (const auto* record = run ? run->recordOf(head) : nullptr;
        record && record->queries() > 0 && record->keys() > 0) {
        const auto& pinned = selection_->pinned();
        const auto& focus = pinned.query(kind) && pinned.key(kind) ? pinned : selection_->focus();
        const auto query = focus.query(kind), key = focus.key(kind);
        const std::size_t last = record->queries() - 1;
        const std::size_t step = selection_->step();
        const auto& masks = run->maskCandidates;
        std::size_t row = 0;
        if (query && *query <= last)
            row = *query;
        else if (kind != trace::AttentionKind::EncoderSelf)
            row = std::min(step, last);
        else if (step < masks.size()) // an encoder has no other steps
            row = std::next(masks.begin(), static_cast<std::ptrdiff_t>(step))->first;
        row_ = analysis::headRow(*record, head.head, row);
        cell_.emplace();
        cell_->row = row;
        cell_->column = std::ranges::max_element(row_.weights) - row_.weights.begin();
        if (key && *key < record->keys())
            cell_->column = *key;
    }
    showCell();
}

std::optional<double> CellCard::weight() const {
    return cell_ && !isMasked() ? std::optional<double>(row_.weights.at(cell_->column)) : std::nullopt;
}

QString CellCard::title() const {
    const auto& run = *context().document->run;
    const auto kind = selection_->head().site.kind;
    const auto& queries = run.queryTokens(kind);
    const std::size_t query = cell_->row;
    return QStringLiteral("%1 \u2192 %2")
        .arg(query < queries.size() ? quoted(tokenLabel(queries, query)) : QString::number(query),
             keyInWords(run, kind, cell_->column));
}

QString CellCard::number() const {
    const auto known = weight();
    return !known                          ? tr("masked")
           : *known > 0 && *known < 0.0005 ? QStringLiteral("<0.001")
                                           : QString::number(*known, 'f', 3);
}

QStringList CellCard::words() const {
    const auto& document = *context().document;
    const auto head = selection_->head();
    if (isMasked()) {
        const auto why = analysis::whyClosed(*document.run, head, cell_->row, cell_->column);
        return why ? QStringList{closedInWords(*why)} : QStringList();
    }
    QStringList words;
    int larger = 0, open = 0;
    for (std::size_t key = 0; key < row_.weights.size(); ++key)
        if (row_.open[key]) {
            ++open;
            larger += row_.weights[key] > row_.weights[cell_->column];
        }
    words += larger == 0 ? tr("largest of %1 in its row").arg(open)
                         : tr("rank %1 of %2 in its row").arg(larger + 1).arg(open);
    if (!row_.scores.empty())
        words += tr("score %1").arg(shortNumberText(row_.scores[cell_->column]));
    if (headMark(document.changes, head) == HeadMark::Off)
        words += tr("not used: the head is off");
    return words;
}

void CellCard::showCell() {
    number_->setVisible(cell_.has_value());
    Q_EMIT noteChanged();
    for (auto* button : buttons_)
        button->setVisible(cell_.has_value());
    if (!cell_)
        return words_->setText(whyEmpty());
    number_->setText(number());
    number_->setToolTip(figureText().caption);
    words_->setText(words().join('\n'));
}

QString CellCard::whyEmpty() const {
    const auto& run = context().document->run;
    return run ? whyNoHead(*run, selection_->head()) : hintForNoRun(*this);
}

std::optional<FigureBlocks> CellCard::figureBlocks() const {
    if (!hasFigure())
        return std::nullopt;
    constexpr double width = 420;
    return FigureBlocks{.picture =
                            stacked({wordsBlock(title(), font()), wordsBlock(number(), number_->font()),
                                     wordsBlock(words().join('\n'), font())}),
                        .caption = figureText().caption,
                        .font = font(),
                        .width = width};
}

FigureText CellCard::figureText() const {
    if (!hasFigure())
        return {};
    const auto& run = *context().document->run;
    const auto head = selection_->head();
    return {.title = address(head),
            .caption = withModel(*run.model,
                                 cellStatus(run, head, cell_->row, cell_->column, Quantity::Weights) + '.'),
            .provenance = provenance(run),
            .head = address(head),
            .quantity = tr("weights")};
}

trace::FigureData CellCard::figureData() const {
    if (!hasFigure())
        return {};
    const std::size_t key = cell_->column;
    const auto number = [](const char* name, double value) {
        return dataColumn(name, std::vector<double>{value});
    };
    return {.tables = {{.name = "cell",
                        .columns = {number("query", cell_->row), number("key", cell_->column),
                                    number("weight", row_.weights.at(key)),
                                    number("score", row_.scores.empty() ? noNumber : row_.scores.at(key)),
                                    number("allowed", row_.open.at(key))}}}};
}

std::optional<PictureOptions> CellCard::picture(PictureOptions options) const {
    if (const auto kind = selection_->head().site.kind;
        cell_ && selection_->focus().query(kind) && selection_->focus().key(kind))
        options.cell = {cell_->row, cell_->column};
    return ofView(std::move(options), "cell-card");
}

} // namespace headscope::widgets
