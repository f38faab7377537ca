#include "widgets/views/candidates/candidates_view.h"

#include "widgets/drawing/theme.h"
#include "widgets/drawing/token_label.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/tables/own_row.h"
#include "widgets/tables/token_delegate.h"
#include "widgets/views/candidates/candidates_figure.h"
#include "widgets/views/places.h"
#include "widgets/words/captions.h"
#include "widgets/words/hint_for_no_run.h"
#include "widgets/words/trace_words.h"

#include <QEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

namespace headscope::widgets {

namespace {

// In characters of average width.
constexpr int longestPiece = 20; ///< that others give way to
constexpr int usualPiece = 16;   ///< with its bar, that all have room beside
constexpr int candidatesViewLeastBar = 6;
constexpr int candidatesLongestBar = 24;

constexpr std::size_t mostMeasured = 200; ///< steps

/// Draws bars besides tokens: in a column of their own, or where there is no room for it, behind the number.
class CandidateDelegate : public TokenDelegate {
  public:
    using TokenDelegate::TokenDelegate;
    bool barsBehindNumbers = false;
    /// Of what stands in each column at any step, so that none moves from one to the next.
    std::array<int, CandidatesModel::ColumnCount> widestText{};

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const int margin = option.widget->style()->pixelMetric(QStyle::PM_FocusFrameHMargin) + 1;
        const int least = widestText.at(static_cast<std::size_t>(index.column())) + 2 * margin;
        return TokenDelegate::sizeHint(option, index).expandedTo({least, 0});
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        if (index.column() == CandidatesModel::Probability && barsBehindNumbers)
            return paintNumberOnBar(*painter, option, index);
        TokenDelegate::paint(painter, option, index);
        if (index.column() == CandidatesModel::Bar)
            painter->fillRect(bar(QRectF(option.rect).adjusted(4, 6, -8, -6), index), inkOf(option));
    }

  private:
    static QRectF bar(QRectF room, const QModelIndex& index) {
        const double probability = index.data(CandidatesModel::ProbabilityRole).toDouble();
        room.setWidth(std::max(1.0, room.width() * probability));
        return room;
    }
    static QColor inkOf(const QStyleOptionViewItem& option) {
        return option.state & QStyle::State_Selected ? option.palette.color(QPalette::HighlightedText)
                                                     : themeOf(option.palette).accent;
    }
    /// So faint that the number on it keeps 4.5:1 (WCAG 2.1, 1.4.3), also in the selected row.
    void paintNumberOnBar(QPainter& painter, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const {
        QStyleOptionViewItem cell = option;
        initStyleOption(&cell, index);
        const QString number = std::exchange(cell.text, QString());
        const QStyle& style = *option.widget->style();
        style.drawControl(QStyle::CE_ItemViewItem, &cell, &painter, option.widget);
        QColor ink = inkOf(option);
        const bool selected = option.state & QStyle::State_Selected;
        ink.setAlphaF(selected ? 0.15F : 0.3F);
        painter.fillRect(bar(QRectF(option.rect).adjusted(2, 2, -2, -2), index), ink);
        painter.setPen(option.palette.color(selected ? QPalette::HighlightedText : QPalette::Text));
        painter.setFont(cell.font);
        const int margin = style.pixelMetric(QStyle::PM_FocusFrameHMargin, &cell, option.widget) + 1;
        painter.drawText(option.rect.adjusted(margin, 0, -margin, 0), static_cast<int>(cell.displayAlignment),
                         number);
    }
};

} // namespace

CandidatesView::CandidatesView(Selection* selection, QWidget* parent)
    : View(parent), selection_(selection), model_(new CandidatesModel(this)), heading_(new QLabel(this)),
      certainty_(new QLabel(this)), table_(new QTableView(this)),
      choose_(new QPushButton(tr("Continue with token"), this)) {
    setAccessibleName(tr("Next tokens"));
    heading_->setTextFormat(Qt::PlainText);
    heading_->setWordWrap(true);
    certainty_->setTextFormat(Qt::PlainText);
    certainty_->setWordWrap(true);
    certainty_->setForegroundRole(QPalette::PlaceholderText);
    table_->setAccessibleName(tr("Most probable next tokens"));
    table_->setProperty(ownRowProperty, true); // other than the step's own
    table_->setModel(model_);
    table_->setItemDelegate(new CandidateDelegate(table_));
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setShowGrid(false);
    table_->setWordWrap(false);
    table_->setTabKeyNavigation(false);
    table_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table_->verticalHeader()->hide();
    table_->verticalHeader()->setDefaultSectionSize(table_->fontMetrics().height() + 8);
    table_->horizontalHeader()->setHighlightSections(false);
    table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table_->horizontalHeader()->setSectionResizeMode(CandidatesModel::Piece, QHeaderView::Stretch);
    table_->horizontalHeader()->setSectionResizeMode(CandidatesModel::Bar, QHeaderView::Fixed);
    table_->installEventFilter(this);
    table_->viewport()->installEventFilter(this);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 8);
    column->addWidget(heading_);
    column->addWidget(table_, 1);
    column->addWidget(certainty_);
    column->addStretch();
    column->addWidget(choose_);
    connect(selection_, &Selection::stepChanged, this, &CandidatesView::showStep);
    connect(table_, &QTableView::doubleClicked, this, &CandidatesView::choose);
    connect(choose_, &QPushButton::clicked, this, &CandidatesView::choose);
    showStep();
}

void CandidatesView::setRun(std::shared_ptr<const trace::Run> run) {
    run_ = std::move(run);
    measureShown();
    showStep();
}

void CandidatesView::setSpaceMarksShown(bool shown) {
    spaceMarks_ = shown;
    measureShown();
    static_cast<CandidateDelegate*>(table_->itemDelegate())->spaceMarks = shown;
    table_->viewport()->update();
}

/// A film's frames share what is measured, as any film's do.
void CandidatesView::measureShown() {
    if (isFilmed())
        measureAgain();
    else
        measureSteps();
}

/// Once for all of them, as it looks at every one. Of a long run that is not for this thread, except where
/// its film is drawn: its columns fit the step that is shown.
void CandidatesView::measureSteps() {
    widths_ = {};
    auto& delegate = *static_cast<CandidateDelegate*>(table_->itemDelegate());
    delegate.widestText = {};
    if (!run_ || !run_->complete || (run_->target.size() > mostMeasured && !isFilmed()))
        return;
    const QFontMetricsF metrics(table_->font());
    const auto widen = [&](const CandidatesModel& model, int row, int column) {
        auto& widest = delegate.widestText.at(static_cast<std::size_t>(column));
        const double needed = metrics.horizontalAdvance(model.index(row, column).data().toString());
        widest = std::max(widest, static_cast<int>(std::ceil(needed)));
    };
    for (std::size_t step = 0; step < run_->target.size(); ++step) {
        if (!run_->tree.node(run_->path[step]).row)
            continue;
        CandidatesModel model;
        model.setCandidates(run_->row(step).candidates, std::nullopt,
                            run_->tree.logProbability(run_->path[step]));
        const CandidatesFigure figure{
            .model = model, .heading = {}, .caption = {}, .font = font(), .spaceMarks = spaceMarks_};
        const auto needed = figure.widths();
        widths_ = {.piece = std::max(widths_.piece, needed.piece), .sum = std::max(widths_.sum, needed.sum)};
        for (int row = 0; row < model.rowCount(); ++row)
            for (const int column :
                 {CandidatesModel::Piece, CandidatesModel::Probability, CandidatesModel::Sum})
                widen(model, row, column);
    }
    if (run_->target.empty())
        return;
    CandidatesModel last; // its rank has a dot, and two digits
    last.setCandidates(std::vector<trace::Candidate>(10), 0);
    widen(last, 9, CandidatesModel::Rank);
}

QString CandidatesView::heading() const {
    return heading_->text();
}

bool CandidatesView::hasClasses() const {
    return run_ && run_->target.empty() && !run_->classLogProbabilities.empty();
}

QString CandidatesView::whyNoStep() const {
    if (!run_)
        return tr("Lists the most probable next tokens. %1").arg(hintForNoRun(*this));
    return run_->model && run_->model->decoderLayers == 0 ? tr("Encoder-only model: no output tokens.")
                                                          : tr("This step is not decoded yet: step forward.");
}

void CandidatesView::showClasses() {
    std::vector<trace::Candidate> classes;
    const auto& labels = run_->model->classLabels;
    for (std::size_t c = 0; c < run_->classLogProbabilities.size(); ++c)
        classes.push_back({.token = {.id = static_cast<std::int64_t>(c),
                                     .piece = c < labels.size() ? labels[c] : std::to_string(c)},
                           .logProbability = run_->classLogProbabilities[c]});
    std::ranges::stable_sort(classes, std::greater(), &trace::Candidate::logProbability);
    const auto best = classes.front().token.id;
    model_->setCandidates(std::move(classes), best);
    heading_->setText((labels.empty()
                           ? tr("Probabilities of %1 classes, which have no names in the model's file:")
                           : tr("Probabilities of %1 classes:"))
                          .arg(model_->rowCount()));
    table_->selectRow(0);
}

void CandidatesView::showTokens() {
    const auto step = static_cast<std::size_t>(std::max(0, selection_->step()));
    const auto chosen = step < run_->next.size() ? std::optional(run_->next[step].id) : std::nullopt;
    model_->setCandidates(run_->row(step).candidates, chosen, run_->tree.logProbability(run_->path[step]));
    const bool isLacking = run_->model && run_->model->recorded && run_->row(step).candidates.empty();
    heading_->setText(isLacking ? whyNoCandidates()
                                : tr("After %1, choosing:").arg(quoted(tokenLabel(run_->target, step))));
    const auto& candidates = model_->candidates();
    const auto taken = std::ranges::find_if(
        candidates, [&](const auto& candidate) { return chosen && candidate.token.id == *chosen; });
    table_->selectRow(taken == candidates.end() ? 0 : static_cast<int>(taken - candidates.begin()));
}

void CandidatesView::showStep() {
    const auto step = static_cast<std::size_t>(std::max(0, selection_->step()));
    const bool computed = run_ && step < run_->target.size() && run_->tree.node(run_->path[step]).row;
    model_->setAreClasses(hasClasses());
    if (hasClasses()) {
        showClasses();
    } else if (computed) {
        showTokens();
    } else {
        model_->setCandidates({}, std::nullopt);
        heading_->setText(whyNoStep());
    }
    const bool any = model_->rowCount() > 0;
    const double smoothing = run_ && run_->model ? run_->model->labelSmoothing : 0;
    model_->setLabelSmoothing(smoothing);
    certainty_->setText(certaintyInWords(smoothing));
    certainty_->setVisible(any && smoothing > 0);
    table_->setVisible(any);
    choose_->setVisible(!hasClasses());
    const QString whyNot = run_ && run_->model ? whyNothingRuns(*run_->model) : QString();
    choose_->setEnabled(any && whyNot.isEmpty());
    choose_->setToolTip(
        !whyNot.isEmpty() ? whyNot
        : any             ? tr("Continue with this token at this step; the previous output becomes a branch")
                          : tr("There is no token to continue with yet."));
    fitColumns();
}

void CandidatesView::choose() {
    const QModelIndex current = table_->currentIndex();
    if (current.isValid() && !hasClasses())
        Q_EMIT candidateChosen(selection_->step(), current.data(CandidatesModel::TokenIdRole).toLongLong());
}

int CandidatesView::roomOfColumns() const {
    return table_->width() - 2 * table_->frameWidth() - table_->verticalScrollBar()->sizeHint().width();
}

/// For all columns, with the narrowest bars.
QSize CandidatesView::sizeHint() const {
    const auto margins = layout()->contentsMargins();
    const int beside = margins.left() + margins.right() + table_->width() - roomOfColumns();
    return QWidget::sizeHint().expandedTo({columnsWidth_ + beside, 0});
}

/// The piece keeps room for its text. The bar gives way first, because the number says the same, then the
/// sum, which classes have none of, then the rank, which the order of the rows says.
void CandidatesView::fitColumns() {
    const int character = table_->fontMetrics().averageCharWidth();
    const auto needs = [this](int column) {
        table_->showColumn(column);
        const QAbstractItemView* cells = table_;
        return std::max(cells->sizeHintForColumn(column),
                        table_->horizontalHeader()->sectionSizeHint(column));
    };
    // Whether the rows need a scroll bar or not, no column comes or goes.
    const int probability = needs(CandidatesModel::Probability);
    const int rank = needs(CandidatesModel::Rank);
    const int sum = hasClasses() ? 0 : needs(CandidatesModel::Sum);
    const int piece = std::min(needs(CandidatesModel::Piece), longestPiece * character);
    const int bar = candidatesViewLeastBar * character;
    columnsWidth_ = rank + std::max(piece + bar, usualPiece * character) + probability + sum;
    int room = roomOfColumns() - probability - piece;
    const auto fit = [&](int column, int width) {
        const bool fits = width <= room;
        table_->setColumnHidden(column, !fits);
        room = fits ? room - width : 0; // nothing less important takes its place
        return fits;
    };
    fit(CandidatesModel::Rank, rank);
    if (hasClasses())
        table_->hideColumn(CandidatesModel::Sum);
    else
        fit(CandidatesModel::Sum, sum);
    const bool hasBar = fit(CandidatesModel::Bar, bar);
    static_cast<CandidateDelegate*>(table_->itemDelegate())->barsBehindNumbers = !hasBar;
    table_->setColumnWidth(CandidatesModel::Bar, std::min(bar + room, candidatesLongestBar * character));
}

bool CandidatesView::eventFilter(QObject* watched, QEvent* event) {
    if (watched == table_->viewport() && event->type() == QEvent::Resize)
        fitColumns();
    if (watched == table_ && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Return || key == Qt::Key_Enter) {
            choose();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

bool CandidatesView::hasFigure() const {
    return model_->rowCount() > 0;
}

QString CandidatesView::caption() const {
    const QString certainty = certainty_->text().isEmpty() ? QString() : QChar(' ') + certainty_->text();
    if (hasClasses())
        return tr("Probabilities of the model's %1 classes for this sentence. The dot marks the most "
                  "probable class.")
                   .arg(model_->rowCount()) +
               certainty;
    return tr("The %1 most probable next tokens at step %2 of %3, with their probabilities over the whole "
              "vocabulary and the total log-probability of the target with each (nats). The dot marks the "
              "chosen token.")
               .arg(model_->rowCount())
               .arg(selection_->step() + 1)
               .arg(run_->target.size()) +
           certainty;
}

void CandidatesView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        measureShown();
}

CandidatesFigure CandidatesView::figure() const {
    return {.model = *model_,
            .heading = heading(),
            .caption = asCaption(caption()),
            .font = font(),
            .spaceMarks = spaceMarks_,
            .least = widths_};
}

void CandidatesView::drawFigure(QPainter& painter, QSize size, const Theme& theme) const {
    painter.fillRect(QRect(QPoint(), size), theme.background);
    if (hasFigure())
        figure().draw(painter, QRectF(QPointF(), QSizeF(size)), theme);
}

FigureText CandidatesView::figureText() const {
    if (!hasFigure())
        return {};
    return {.title = hasClasses() ? tr("Classes") : tr("Next token at step %1").arg(selection_->step() + 1),
            .caption = caption(),
            .provenance = provenance(*run_),
            .quantity = tr("probability")};
}

QSize CandidatesView::figureSize() const {
    return hasFigure() ? figure().size() : FigureSource::figureSize();
}

QSize CandidatesView::narrowFigure(int width) const {
    return hasFigure() ? figure().size(width) : figureSize();
}

trace::FigureData CandidatesView::figureData() const {
    if (!hasFigure())
        return {};
    QStringList pieces;
    std::vector<double> ids, probabilities, logProbabilities, sums;
    for (const auto& candidate : model_->candidates()) {
        pieces += tokenLabel(candidate.token).full();
        ids.push_back(static_cast<double>(candidate.token.id));
        logProbabilities.push_back(candidate.logProbability);
        probabilities.push_back(std::exp(logProbabilities.back()));
        sums.push_back(model_->sum(sums.size()));
    }
    trace::DataTable table{.name = "candidates",
                           .columns = {dataColumn("token", pieces), dataColumn("id", ids),
                                       dataColumn("probability", probabilities),
                                       dataColumn("log_probability", logProbabilities)}};
    if (!hasClasses())
        table.columns.push_back(dataColumn("sum_of_log_probabilities", sums));
    return {.tables = {table}};
}

std::optional<PictureOptions> CandidatesView::picture(PictureOptions options) const {
    return ofView(std::move(options), "candidates");
}

QStringList CandidatesView::nameParts(const trace::HeadAddress& head, int step) const {
    auto parts = FigureSource::nameParts(head, step);
    if (!hasClasses())
        parts += QStringLiteral("step-%1").arg(step + 1);
    return parts;
}

View* views::makers::candidates(Selection* selection, QWidget* parent) {
    return new CandidatesView(selection, parent);
}

} // namespace headscope::widgets
