#include "widgets/views/paths/paths_view.h"

#include "model/analysis/compare/run_comparison.h"
#include "model/analysis/output/path_scores.h"
#include "model/trace/run_path.h"
#include "widgets/controls/text_band.h"
#include "widgets/controls/view_choices.h"
#include "widgets/drawing/empty_state.h"
#include "widgets/drawing/spacing.h"
#include "widgets/drawing/theme.h"
#include "widgets/drawing/window_style.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/views/places.h"
#include "widgets/words/captions.h"
#include "widgets/words/hint_for_no_run.h"
#include "widgets/words/trace_words.h"
#include "widgets/words/typed_source.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>

namespace headscope::widgets {

namespace {

using analysis::PathRow;
using analysis::PathsOf;

/// In the order of the choice's words.
constexpr std::array pathsOfWords{PathsOf::All, PathsOf::Kept, PathsOf::Mine, PathsOf::Every};
constexpr int everyWord = 3;
constexpr int leastWithText = 260; ///< height of the view

QLabel* plainLabel(const QString& words, QWidget* parent) {
    auto* label = new QLabel(words, parent);
    label->setTextFormat(Qt::PlainText);
    return label;
}

QLabel* titleLabel(const QString& words, QWidget* parent) {
    auto* label = plainLabel(words, parent);
    label->setFont(boldFont(label->font()));
    return label;
}

} // namespace

View* views::makers::paths(Selection* selection, QWidget* parent) {
    return new PathsView(selection, parent);
}

PathsView::PathsView(Selection* selection, QWidget* parent)
    : View(parent), selection_(selection), complete_(plainLabel({}, this)), which_(new QButtonGroup(this)),
      score_(new QComboBox(this)), area_(new QScrollArea(this)), tree_(new PathTree(this, selection, area_)),
      differs_(plainLabel({}, this)), show_(new QPushButton(this)),
      compare_(new QPushButton(tr("Compare"), this)), more_(new QToolButton(this)),
      text_(new TextBand(this)) {
    setAccessibleName(tr("Paths"));
    complete_->setForegroundRole(QPalette::PlaceholderText);
    differs_->setForegroundRole(QPalette::PlaceholderText);
    area_->setWidget(tree_);
    area_->setWidgetResizable(true);
    area_->setFrameShape(QFrame::NoFrame);
    area_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area_->setFocusPolicy(Qt::NoFocus);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, space::xs, 0, space::xs);
    column->setSpacing(space::xs);
    column->addWidget(newHeader());
    column->addWidget(area_, 1);
    column->addWidget(footer_ = newFooter());
    connect(tree_, &PathTree::rowSelected, this, &PathsView::showSelected);
    connect(tree_, &PathTree::rowShown, this, &PathsView::showRow);
    connect(tree_, &PathTree::described, this, &View::cellDescribed);
    connect(tree_, &PathTree::stepChosen, this, [this](int step) { Q_EMIT intended(intents::GoTo{step}); });
    connect(tree_, &PathTree::stepped, this,
            [this](bool forward) { Q_EMIT intended(intents::Step{forward}); });
    connect(tree_, &PathTree::foldingWanted, this,
            [this] { Q_EMIT intended(chooseWord("paths", "rows", everyWord)); });
    connect(tree_, &PathTree::rowRenamed, this, [this](std::size_t place, const QString& name) {
        if (const auto path = row(place).path)
            Q_EMIT intended(intents::NamePath{*path, name.toStdString()});
    });
    connect(tree_, &PathTree::rowRemoved, this, [this](std::size_t place) {
        if (const auto path = row(place).path; path && listed_.names.size() > 1)
            Q_EMIT intended(intents::RemovePath{*path});
    });
    showPaths();
}

QWidget* PathsView::newHeader() {
    auto* header = new QWidget(this);
    auto* line = new QHBoxLayout(header);
    line->setContentsMargins(space::s, 0, space::s, 0);
    line->addWidget(titleLabel(tr("Paths"), header));
    line->addWidget(complete_);
    line->addStretch();
    auto* segments = new QHBoxLayout;
    segments->setSpacing(0);
    const std::array texts{tr("All"), tr("Kept"), tr("Mine")};
    const std::array tips{tr("Including paths that the beam search dropped"),
                          tr("Without paths that the beam search dropped"),
                          tr("Only paths that you asked for")};
    for (int word = 0; word < std::ssize(texts); ++word) {
        auto* button = new QToolButton(header);
        button->setText(texts[word]);
        button->setToolTip(tips[word]);
        button->setCheckable(true);
        setLook(button, ButtonLook::Segment);
        which_->addButton(button, word);
        segments->addWidget(button);
    }
    line->addLayout(segments);
    for (const auto score : {PathScore::Total, PathScore::Mean, PathScore::Final})
        score_->addItem(scoreName(score));
    score_->setAccessibleName(tr("Score of the paths"));
    score_->setToolTip(tr("Number listed at the right: the sum over the tokens, the mean per token, or the "
                          "score that the search ranks by"));
    line->addWidget(score_);
    connect(which_, &QButtonGroup::idClicked, this,
            [this](int word) { Q_EMIT intended(chooseWord("paths", "rows", word)); });
    connect(score_, &QComboBox::activated, this,
            [this](int word) { Q_EMIT intended(chooseWord("paths", "score", word)); });
    parts_.push_back(header);
    return header;
}

QWidget* PathsView::newFooter() {
    auto* footer = new QWidget(this);
    auto* column = new QVBoxLayout(footer);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(space::xs);
    auto* line = new QHBoxLayout;
    line->setContentsMargins(space::s, 0, space::s, 0);
    line->addWidget(titleLabel(tr("Text"), footer));
    line->addWidget(differs_);
    line->addStretch();
    line->addWidget(show_);
    line->addWidget(compare_);
    line->addWidget(more_);
    column->addLayout(line);
    column->addWidget(text_);
    show_->setToolTip(tr("Show this path everywhere (Enter)"));
    more_->setText(QStringLiteral("\u22ef"));
    more_->setAccessibleName(tr("More"));
    more_->setToolTip(tr("Rename or remove this path"));
    more_->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(more_);
    auto* rename = menu->addAction(tr("Rename (F2)"));
    auto* remove = menu->addAction(tr("Remove (Delete)"));
    more_->setMenu(menu);
    connect(menu, &QMenu::aboutToShow, this, [this, rename, remove] {
        const bool isAsked = hasFigure() && row(tree_->selected()).path.has_value();
        rename->setEnabled(isAsked);
        remove->setEnabled(isAsked && listed_.names.size() > 1);
    });
    connect(rename, &QAction::triggered, this, [this] { tree_->rename(tree_->selected()); });
    connect(remove, &QAction::triggered, this, [this] { Q_EMIT tree_->rowRemoved(tree_->selected()); });
    connect(show_, &QPushButton::clicked, this, [this] { showRow(tree_->selected()); });
    connect(compare_, &QPushButton::clicked, this, &PathsView::compare);
    return footer;
}

QWidget* PathsView::takesKeys() const {
    return hasFigure() ? tree_ : nullptr;
}

void PathsView::refresh() {
    const auto& document = *context().document;
    const auto own = document.choices.find("paths");
    const Choices chosen = own == document.choices.end() ? Choices() : Choices{{own->first, own->second}};
    if (document.run == run_ && document.branches == listed_ && chosen == chosen_ &&
        document.unsureBelow == unsureBelow_)
        return;
    run_ = document.run;
    listed_ = document.branches;
    chosen_ = chosen;
    unsureBelow_ = document.unsureBelow;
    showPaths();
    const bool isNews =
        run_ && run_->complete && drawing().paths().rows.size() > 1 && !analysis::referencePath(*run_);
    if (isNews && !std::exchange(opened_, true))
        Q_EMIT intended(intents::ShowSelf());
}

void PathsView::showPaths() {
    const auto& document = *context().document;
    const int word = chosenWord(document, "paths", "rows");
    const int score = chosenWord(document, "paths", "score");
    if (auto* button = which_->button(word == everyWord ? 0 : word))
        button->setChecked(true);
    score_->setCurrentIndex(score);
    PathDrawing drawing;
    drawing.set(&document, pathsOfWords.at(word), static_cast<PathScore>(score), spaceMarks_, font());
    const auto ended = std::ranges::count_if(drawing.paths().rows, &PathRow::isEnded);
    complete_->setText(tr("%n complete", nullptr, ended));
    tree_->show(drawing);
    for (QWidget* part : parts_)
        part->setVisible(hasFigure());
    area_->setVisible(hasFigure());
    fitParts();
    update();
}

/// Where there is no room for the text of the shown path, its tokens are written in the tree.
void PathsView::fitParts() {
    const bool isHigh = height() >= leastWithText;
    footer_->setVisible(hasFigure() && isHigh);
    tree_->setDots(isHigh);
}

void PathsView::showSelected() {
    if (!hasFigure())
        return;
    const auto& run = *drawing().run();
    const std::size_t place = tree_->selected();
    const auto& shown = row(0);
    const auto& other = row(place);
    const auto before = tokensOf(run, shown), after = tokensOf(run, other);
    const auto compared = analysis::compareOutputs(before, after);
    const auto score = static_cast<PathScore>(score_->currentIndex());
    std::vector<TextBand::Line> lines{{.name = tr("Shown: %1").arg(drawing().titleOf(0)),
                                       .words = wordsOf(before, compared.before),
                                       .score = scoreText(shown, score)}};
    if (place > 0)
        lines.push_back({.name = drawing().titleOf(place),
                         .words = wordsOf(after, compared.after),
                         .score = scoreText(other, score)});
    lines.push_back(
        {.name = tr("Source"), .words = {{typedText(run.request.source)}}, .score = {}, .isFaint = true});
    const auto changed = std::ranges::count_if(lines[place > 0 ? 1 : 0].words, &TextBand::Word::changed);
    differs_->setText(place == 0     ? QString()
                      : changed == 1 ? tr("differs in one word")
                                     : tr("differs in %1 words").arg(changed));
    text_->setLines(std::move(lines));
    show_->setText(place == 0 ? tr("Show") : tr("Show %1").arg(drawing().titleOf(place)));
    show_->setEnabled(place > 0);
    const QString whyNot = whyNotCompared();
    compare_->setEnabled(whyNot.isEmpty());
    compare_->setToolTip(whyNot.isEmpty() ? tr("Compare this path with the shown one") : whyNot);
}

QString PathsView::whyNotCompared() const {
    if (hasFigure() && !row(tree_->selected()).path && trace::canShowEveryPath(*drawing().run()))
        return {};
    return hasFigure() && drawing().run()->paths.size() > 1 ? QString() : tr("You asked for only one path.");
}

void PathsView::showRow(std::size_t place) {
    if (!hasFigure() || place == 0)
        return;
    const auto& path = row(place);
    if (path.path)
        Q_EMIT intended(intents::ShowPath{*path.path, {}});
    else
        Q_EMIT intended(intents::ShowNode{path.nodes.back()});
}

/// The shown path is compared with another one. A hypothesis of the search, which is no path that was asked
/// for, is shown and compared with the path before.
void PathsView::compare() {
    const auto own = row(tree_->selected());
    const auto shown = trace::shownPath(*drawing().run());
    if (!own.path) {
        Q_EMIT intended(intents::ShowNode{own.nodes.back()});
        return Q_EMIT intended(intents::ComparePath{shown.value_or(0)});
    }
    Q_EMIT intended(intents::ComparePath{own.path != shown ? *own.path : *own.path == 0 ? 1U : 0U});
}

void PathsView::setSpaceMarksShown(bool shown) {
    spaceMarks_ = shown;
    showPaths();
}

void PathsView::resizeEvent(QResizeEvent* event) {
    View::resizeEvent(event);
    fitParts();
}

void PathsView::changeEvent(QEvent* event) {
    View::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        showPaths();
}

void PathsView::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.fillRect(rect(), theme.background);
    if (!hasFigure())
        drawEmptyState(painter, rect(), tr("The translation appears here."),
                       isModelMissing(*this) ? hintForNoRun(*this) : QString(), theme);
}

void PathsView::addChoices(ViewChoices& choices) {
    addBranchNames(choices, this);
}

bool PathsView::exportChoices(PictureOptions& picture, const Choices&) const {
    const auto& document = *context().document;
    if (!document.run)
        return true;
    if (!sayBranches(picture, *document.run))
        return false;
    // The command has the shown path last.
    auto names = document.branches.given;
    if (const auto shown = trace::shownPath(*document.run); shown && *shown < names.size())
        std::rotate(names.begin() + static_cast<std::ptrdiff_t>(*shown),
                    names.begin() + static_cast<std::ptrdiff_t>(*shown) + 1, names.end());
    picture.choices.erase("names");
    if (!std::ranges::all_of(names, &std::string::empty))
        picture.choices["names"] = names;
    return true;
}

std::optional<FigureBlocks> PathsView::figureBlocks() const {
    if (!hasFigure())
        return std::nullopt;
    const auto draw = [this](QPainter& painter, const QRectF& area, const Theme& theme) {
        const auto& at = drawing().columns();
        const double scale = std::min({1.0, area.width() / at.width(), area.height() / drawing().height()});
        painter.save();
        painter.translate(area.topLeft());
        painter.scale(scale, scale);
        std::optional<std::size_t> current;
        const std::size_t step = selection_->step(), prompt = drawing().paths().prompt;
        if (figureParts().marks && step >= prompt && step - prompt < row(0).nodes.size())
            current = step - prompt;
        drawing().draw(painter, {.at = at, .right = at.right() + 4, .current = current, .selected = {}},
                       theme);
        painter.restore();
    };
    const QSizeF size(drawing().columns().width() + 4, drawing().height());
    return FigureBlocks{.picture = {.size = [=](double) { return size; }, .draw = draw, .grows = false},
                        .caption = figureText().caption,
                        .font = font()};
}

FigureText PathsView::figureText() const {
    if (!hasFigure())
        return {};
    const auto score = static_cast<PathScore>(score_->currentIndex());
    return {.title = tr("Paths"),
            .caption =
                tr("The shown path, and below it every other path from the token where it branches off: "
                   "tokens, with their probabilities as bars, orange below %1 %. At the right: %2.")
                    .arg(100 * context().document->unsureBelow)
                    .arg(scoreName(score).toLower()),
            .provenance = provenance(*drawing().run()),
            .quantity = tr("log-probability")};
}

trace::FigureData PathsView::figureData() const {
    if (!hasFigure())
        return {};
    const auto& rows = drawing().paths().rows;
    const auto& run = *drawing().run();
    QStringList titles, states, texts;
    std::vector<double> forks, cuts;
    for (std::size_t place = 0; place < rows.size(); ++place) {
        titles += drawing().titleOf(place);
        states += drawing().stateOf(place);
        texts += pathText(run, rows[place]);
        // The step, from 0, as in all tables.
        forks.push_back(place == 0 ? noNumber
                                   : static_cast<double>(drawing().paths().prompt + rows[place].fork));
        cuts.push_back(rows[place].cut ? static_cast<double>(drawing().paths().prompt + rows[place].cut->at)
                                       : noNumber);
    }
    const auto better = [](const PathRow& row) {
        return row.cut ? std::optional<double>(row.cut->better) : std::nullopt;
    };
    const auto lastKept = [](const PathRow& row) {
        return row.cut ? row.cut->lastKept : std::optional<double>();
    };
    trace::DataTable tokens{.name = "tokens", .columns = {}};
    std::vector<double> ofRow, steps, ids, logProbabilities;
    QStringList pieces;
    for (std::size_t place = 0; place < rows.size(); ++place)
        for (std::size_t column = 0; column < rows[place].nodes.size(); ++column) {
            const auto& node = run.tree.node(rows[place].nodes[column]);
            ofRow.push_back(static_cast<double>(place));
            steps.push_back(static_cast<double>(drawing().paths().prompt + column));
            ids.push_back(static_cast<double>(node.token.id));
            logProbabilities.push_back(node.logProbability);
            pieces += tokenLabel(node.token).full();
        }
    return {.tables = {{.name = "paths",
                        .columns = {dataColumn("path", titles), dataColumn("state", states),
                                    dataColumn("log_probability", rows, &PathRow::total),
                                    dataColumn("per_token", rows, &PathRow::mean),
                                    dataColumn("final_score", rows, &PathRow::finalScore),
                                    dataColumn("leaves_at_step", forks), dataColumn("dropped_at_step", cuts),
                                    dataColumn("more_probable", rows, better),
                                    dataColumn("last_kept", rows, lastKept), dataColumn("text", texts)}},
                       {.name = "tokens",
                        .columns = {dataColumn("path", ofRow), dataColumn("step", steps),
                                    dataColumn("token", pieces), dataColumn("id", ids),
                                    dataColumn("log_probability", logProbabilities)}}}};
}

std::optional<PictureOptions> PathsView::picture(PictureOptions options) const {
    return ofView(std::move(options), "paths");
}

} // namespace headscope::widgets
