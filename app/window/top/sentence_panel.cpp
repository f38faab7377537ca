#include "app/window/top/sentence_panel.h"

#include "app/window/top/language_box.h"
#include "app/window/top/strip_area.h"
#include "model/analysis/compare/run_comparison.h"
#include "model/analysis/maps/recomputed_map.h"
#include "model/analysis/output/hesitation.h"
#include "model/trace/run_path.h"
#include "widgets/controls/decode_bar.h"
#include "widgets/controls/pill.h"
#include "widgets/controls/sentence_edit.h"
#include "widgets/controls/token_strip.h"
#include "widgets/controls/view_choices.h"
#include "widgets/drawing/icons.h"
#include "widgets/drawing/spacing.h"
#include "widgets/drawing/theme.h"
#include "widgets/drawing/token_label.h"
#include "widgets/drawing/window_style.h"
#include "widgets/explained.h"
#include "widgets/views/places.h"
#include "widgets/words/captions.h"
#include "widgets/words/change_words.h"
#include "widgets/words/hesitation_words.h"
#include "widgets/words/plain_text.h"

#include <QAction>
#include <QCoreApplication>
#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::app {

namespace {

using trace::AttentionKind;
using widgets::TokenFocus;

/// Returns the target token that a focus highlights: the row itself, or the key, which was chosen in the row
/// before.
/// `before`: number of chips before the one of row 0.
std::optional<int> targetChip(const TokenFocus& focus, int before) {
    if (focus.targetQuery)
        return *focus.targetQuery + before;
    if (focus.targetKey && *focus.targetKey + before > 0)
        return *focus.targetKey - 1 + before;
    return std::nullopt;
}

/// Returns the token chosen in each row. After the end token, padding is shown instead of the model's choice.
/// Before them stands the first token of a prompt.
std::vector<trace::Token> shownTarget(const trace::Run& run) {
    auto chosen = run.next;
    const auto endsText = [](trace::TokenRole role) { // a second token that starts one does not, as BART's
        return role == trace::TokenRole::End || role == trace::TokenRole::Padding;
    };
    for (std::size_t t = 1; t + 1 < chosen.size(); ++t)
        if (endsText(run.target[t].role))
            chosen[t] = run.target[t + 1];
    if (!chosen.empty() && run.target.size() > 1 && run.target.back().role == trace::TokenRole::Padding)
        chosen.back() = run.target.back();
    if (run.model && run.model->isDecoderAlone() && !run.target.empty())
        chosen.insert(chosen.begin(), run.target.front());
    return chosen;
}

} // namespace

SentencePanel::SentencePanel(DecodeController* controller, widgets::Selection* selection,
                             const Actions& actions, QWidget* parent)
    : QWidget(parent), controller_(controller), selection_(selection) {
    line_ = newLine(actions);
    source_ = new widgets::TokenStrip(tr("Source tokens"), this);
    source_->setPlaceholder(tr("The source tokens appear here."));
    bar_ = new widgets::DecodeBar(this);
    bar_->setActions({.toStart = actions[ActionId::ToStart],
                      .back = actions[ActionId::Back],
                      .forward = actions[ActionId::Forward],
                      .toEnd = actions[ActionId::ToEnd],
                      .stop = actions[ActionId::Stop],
                      .runTo = actions[ActionId::RunTo]});
    connectWalk(actions);
    target_ = new widgets::TokenStrip(tr("Target tokens"), this);
    target_->setPlaceholder(tr("The output appears here."));
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(widgets::space::m, widgets::space::xs, widgets::space::m, 0);
    grid->setHorizontalSpacing(widgets::space::s);
    grid->setVerticalSpacing(widgets::space::xs);
    before_ = new widgets::TokenStrip(tr("Output before the change"), this);
    sourceLabel_ = new QLabel(tr("Source"), this);
    beforeLabel_ = new QLabel(tr("Before"), this);
    targetLabel_ = new QLabel(tr("Target"), this);
    for (auto* label : {sourceLabel_, targetLabel_})
        label->setForegroundRole(QPalette::PlaceholderText);
    sourceArea_ = new StripArea(source_, this);
    targetArea_ = new StripArea(target_, this);
    grid->addWidget(sourceLabel_, 0, 0, Qt::AlignVCenter | Qt::AlignLeft);
    grid->addWidget(sourceArea_, 0, 1);
    beforeLine_ = new QWidget(this);
    beforeArea_ = new StripArea(before_, beforeLine_);
    difference_ = new QLabel(beforeLine_);
    auto* before = new QHBoxLayout(beforeLine_);
    before->setContentsMargins(0, 0, 0, 0);
    before->addWidget(beforeArea_, 1);
    before->addWidget(difference_);
    grid->addWidget(beforeLabel_, 1, 0, Qt::AlignVCenter | Qt::AlignLeft);
    grid->addWidget(beforeLine_, 1, 1);
    grid->addWidget(targetLabel_, 2, 0, Qt::AlignVCenter | Qt::AlignLeft);
    grid->addWidget(targetArea_, 2, 1);
    unsure_ = new QToolButton(this);
    unsure_->setObjectName("unsure");
    unsure_->setFocusPolicy(Qt::TabFocus);
    auto* next = actions[ActionId::NextUnsure];
    unsure_->setToolTip(next->toolTip());
    connect(next, &QAction::changed, unsure_, [this, next] { unsure_->setToolTip(next->toolTip()); });
    connect(unsure_, &QToolButton::clicked, next, &QAction::trigger);
    auto* right = new QVBoxLayout;
    right->setSpacing(0);
    right->addWidget(bar_);
    right->addWidget(unsure_, 0, Qt::AlignRight);
    shade_ = new QLabel(this);
    shade_->setForegroundRole(QPalette::PlaceholderText);
    shade_->hide();
    shade_->setMinimumHeight(widgets::space::control); // beside the row of tokens
    right->addWidget(shade_, 0, Qt::AlignRight);
    grid->addLayout(right, 0, 2, 3, 1, Qt::AlignTop);
    showOriginal();
    for (const auto& place : widgets::places()) {
        if (place.region != widgets::Place::Region::Target)
            continue;
        auto* view = widgets::makerOf(place.key)(selection_, this);
        auto* title = new QLabel(QCoreApplication::translate("ViewSpec", place.spec->title), this);
        title->setToolTip(view->toolTip());
        const int row = grid->rowCount();
        grid->addWidget(title, row, 0, Qt::AlignVCenter | Qt::AlignLeft);
        grid->addWidget(view, row, 1);
        strips_.push_back({.key = place.key, .title = title, .view = view});
    }
    showViews();
    setSecondShown(false);
    grid->setColumnStretch(1, 1);

    connect(selection_, &widgets::Selection::stepChanged, this, &SentencePanel::followStep);
    connect(selection_, &widgets::Selection::headChanged, this, &SentencePanel::shade);
    connect(selection_, &widgets::Selection::focusChanged, this, &SentencePanel::followFocus);
    connectStrips();
}

QWidget* SentencePanel::newLine(const Actions& actions) {
    auto* line = new QWidget(this);
    edit_ = new widgets::SentenceEdit(line);
    second_ = new widgets::SentenceEdit(line);
    second_->makeOptional(tr("Second text"), tr("Second text of a pair (optional)"));
    language_ = new LanguageBox(tr("Language to translate into"), line);
    sourceLanguage_ = new LanguageBox(tr("Language of the sentence"), line);
    sourceLanguage_->setToolTip(tr("The source language: type part of its name or code."));
    const auto button = [&](ActionId id) {
        auto* made = new QToolButton(line);
        made->setDefaultAction(actions[id]);
        made->setToolButtonStyle(Qt::ToolButtonTextOnly);
        made->setFocusPolicy(Qt::TabFocus);
        const auto name = [made, action = actions[id]] {
            const QString text = action->text().remove('&'), shown = action->iconText();
            made->setAccessibleName(text.startsWith(shown) ? text : tr("%1: %2").arg(text, shown));
        };
        connect(actions[id], &QAction::changed, made, name); // it follows the kind of model
        name();
        return made;
    };
    auto* decode = button(ActionId::Decode);
    actions[ActionId::Decode]->setIcon(widgets::icon("play"));
    actions[ActionId::Decode]->setIconVisibleInMenu(false);
    decode->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    widgets::setLook(decode, widgets::ButtonLook::Primary);
    options_ = button(ActionId::DecodingOptions);
    changes_ = new QToolButton(line);
    changes_->setObjectName("changes");
    changes_->setFocusPolicy(Qt::TabFocus);
    changes_->hide();
    connect(changes_, &QToolButton::clicked, actions[ActionId::ClearChanges], &QAction::trigger);
    auto* texts = new QVBoxLayout;
    texts->setSpacing(widgets::space::xs);
    texts->addWidget(edit_);
    texts->addWidget(second_);
    auto* row = new QHBoxLayout(line);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(widgets::space::s);
    row->addLayout(texts, 1);
    for (QWidget* part :
         std::initializer_list<QWidget*>{sourceLanguage_, language_, decode, options_, changes_})
        row->addWidget(part, 0, Qt::AlignVCenter);
    return line;
}

void SentencePanel::connectStrips() {
    connect(source_, &widgets::TokenStrip::tokenHovered, this,
            [this](std::optional<int> token) { selection_->setHover({.sourceKey = token}); });
    connect(source_, &widgets::TokenStrip::tokenClicked, this, [this](int token) {
        selection_->togglePinned({.sourceKey = token});
        if (const auto mask = maskOf(token))
            controller_->goTo(*mask);
    });
    connect(target_, &widgets::TokenStrip::tokenHovered, this, [this](std::optional<int> chip) {
        if (task_ == Task::Continue)
            selection_->setHover({.targetKey = chip});
        else
            selection_->setHover({.targetQuery = chip});
    });
    connect(target_, &widgets::TokenStrip::tokenClicked, this,
            [this](int chip) { controller_->goTo(std::max(0, chip - chipsBefore())); });
    for (auto* strip : {source_, target_}) {
        strip->setContextMenuPolicy(Qt::CustomContextMenu);
        connect(strip, &QWidget::customContextMenuRequested, this,
                [this, strip](QPoint position) { openMenu(*strip, position); });
    }
}

std::optional<int> SentencePanel::maskOf(int chip) const {
    if (!hasMasks())
        return std::nullopt;
    const auto& masks = run_->maskCandidates;
    const auto mask = masks.find(chip);
    return mask == masks.end() ? std::nullopt : std::optional<int>(std::distance(masks.begin(), mask));
}

/// By the keyboard, of the current step.
void SentencePanel::openMenu(const widgets::TokenStrip& strip, QPoint position) {
    const auto chip = strip.chipAt(position);
    std::optional<int> step;
    if (&strip == target_)
        step = chip.value_or(selection_->step() + chipsBefore()) - chipsBefore();
    else if (chip)
        step = maskOf(*chip);
    if (step && *step >= 0 && *step < controller_->steps()) // a prompt's first token was chosen by no step
        Q_EMIT tokenMenuWanted(*step, strip.mapToGlobal(position));
}

void SentencePanel::setRun(std::shared_ptr<const trace::Run> run) {
    run_ = std::move(run);
    source_->setTokens(run_ ? run_->source : std::vector<trace::Token>());
    target_->setTokens(run_ ? shownTarget(*run_) : std::vector<trace::Token>());
    showOriginal();
    showPredictions();
    showChoices();
    showChanges();
    showBar();
    sourceArea_->updateGeometry();
    targetArea_->updateGeometry();
    followStep();
    followFocus();
    placeViews();
}

void SentencePanel::setOriginal(std::shared_ptr<const trace::Run> original) {
    if (std::exchange(original_, original) != original)
        showOriginal();
}

/// Of an encoder alone, nothing is shown: its text does not change.
void SentencePanel::showOriginal() {
    const bool isShown = run_ && original_ && task_ != Task::Read && !original_->next.empty();
    beforeLabel_->setVisible(isShown);
    beforeLine_->setVisible(isShown);
    showTargetTitle();
    showTarget();
    update();
    if (!isShown) {
        if (!run_ || run_->request.interventions.empty())
            whole_ = run_;
        return target_->setChanged({});
    }
    const auto before = shownTarget(*original_), after = shownTarget(*run_);
    before_->setTokens(before);
    const auto words = analysis::compareOutputs(before, after);
    std::vector<bool> gone(before.size(), true), come(after.size(), true);
    for (const auto& [one, other] : words.pairs)
        gone[one] = come[other] = false;
    before_->setChanged(std::move(gone));
    target_->setChanged(std::move(come));
    const auto count = std::ranges::count(words.before, true, &analysis::OutputWord::changed);
    difference_->setText(count == 0   ? tr("same words")
                         : count == 1 ? tr("1 word differs")
                                      : tr("%1 words differ").arg(count));
    const auto& theme = widgets::themeOf(palette());
    for (QLabel* label : {beforeLabel_, difference_})
        label->setStyleSheet(QStringLiteral("color: %1").arg(theme.changed.name()));
    beforeArea_->updateGeometry();
    tellSwitchedOff();
}

void SentencePanel::tellSwitchedOff() {
    const auto changes = trace::effective(run_->request.interventions);
    if (!run_->complete || changes.empty())
        return;
    const auto before = std::exchange(whole_, run_);
    const auto* last = std::get_if<trace::ScaleHead>(&changes.back());
    if (before && before->model == run_->model && before->source == run_->source &&
        trace::effective(before->request.interventions).size() + 1 == changes.size() && last &&
        last->factor == 0)
        Q_EMIT headSwitchedOff(
            tr("Head %1 off: %2", "Head cross.1.5 off: 2 words differ")
                .arg(QString::fromStdString(trace::toString(last->head)), difference_->text()));
}

/// The output before a change lies on the colour of changes; a line is below all.
void SentencePanel::paintEvent(QPaintEvent*) {
    constexpr int bar = 3;
    const auto& theme = widgets::themeOf(palette());
    QPainter painter(this);
    painter.fillRect(QRect(0, height() - 1, width(), 1), theme.line);
    if (beforeLine_->isHidden())
        return;
    const QRect row(0, beforeLine_->y() - 1, beforeLine_->geometry().right() + 1, beforeLine_->height() + 2);
    painter.fillRect(row, theme.changedSoft);
    painter.fillRect(QRect(row.topLeft(), QSize(bar, row.height())), theme.changed);
}

void SentencePanel::showTargetTitle() {
    const bool wouldSay = run_ && trace::readsReference(*run_);
    targetLabel_->setText(!beforeLine_->isHidden()  ? tr("Now")
                          : wouldSay                ? tr("Prediction")
                          : task_ == Task::Continue ? tr("Text")
                                                    : tr("Target"));
    targetLabel_->setToolTip(
        wouldSay
            ? tr("A translation is forced; shown are the tokens that the model would choose at each step")
            : QString());
}

/// For a forced reference the tokens are the model's predictions, which are not forced.
void SentencePanel::showChoices() {
    std::vector<widgets::TokenChoice> choices;
    if (run_ && !run_->next.empty()) {
        const auto shown = shownTarget(*run_);
        const bool isReference = trace::readsReference(*run_);
        const auto before = shown.size() - run_->next.size();
        choices.resize(before, {.isForced = true, .words = tr("First token of the prompt")});
        for (std::size_t t = 0; t < run_->next.size(); ++t) {
            auto& choice = choices.emplace_back();
            const auto& token = shown[t + before];
            choice.isForced = t < run_->forcedRows && !isReference;
            if (token.id == run_->next[t].id && token.role != trace::TokenRole::Padding) {
                const auto known = analysis::hesitationAbout(token, *run_, t);
                choice.probability = known.probability;
                choice.isUnsure = known.probability && *known.probability < unsureBelow_;
                choice.words = widgets::hesitationInWords(known);
            }
            if (choice.isForced)
                choice.words = tr("Forced, not chosen by the model. %1").arg(choice.words).trimmed();
        }
    }
    target_->setChoices(std::move(choices));
    showUnsure();
}

/// How many tokens were chosen with a low probability, or probably replaced.
void SentencePanel::showUnsure() {
    const bool reads = task_ == Task::Read;
    const auto unsure =
        std::ranges::count((reads ? source_ : target_)->choices(), true, &widgets::TokenChoice::isUnsure);
    unsure_->setText(
        (reads ? tr("%1 above %2 %") : tr("%1 below %2 %"))
            .arg(unsure)
            .arg(std::lround(100 * (reads ? widgets::DocumentState::replacedAbove : unsureBelow_))));
    unsure_->setVisible(unsure > 0 && !isNarrow());
}

/// Of an encoder alone: the best token of each mask or label of each token, or how probably it was replaced.
void SentencePanel::showPredictions() {
    std::vector<widgets::TokenChoice> choices;
    if (run_ && (!run_->maskCandidates.empty() || !run_->replacedProbabilities.empty()))
        choices.resize(run_->source.size());
    if (run_)
        for (const auto& [position, candidates] : run_->maskCandidates) {
            const double probability = std::exp(candidates.front().logProbability);
            choices[position] = {.probability = probability,
                                 .words =
                                     tr("Most probable: %1 (%2)")
                                         .arg(widgets::quoted(widgets::tokenLabel(candidates.front().token)),
                                              widgets::numberText(probability))};
        }
    for (std::size_t i = 0; run_ && i < run_->replacedProbabilities.size(); ++i) {
        const double probability = run_->replacedProbabilities[i];
        choices[i] = {.probability = probability,
                      .isUnsure = probability > widgets::DocumentState::replacedAbove,
                      .words = tr("Replaced with probability %1").arg(widgets::numberText(probability))};
    }
    source_->setChoices(std::move(choices));
}

/// Shows the changes of the shown run.
void SentencePanel::showChanges() {
    QStringList words;
    for (const auto& intervention : run_ ? run_->request.interventions : std::vector<trace::Intervention>())
        if (intervention.on)
            words += widgets::changeInWords(intervention.change, run_.get());
    changes_->setVisible(!words.isEmpty());
    if (words.isEmpty())
        return;
    changes_->setText(words.size() == 1 ? tr("1 change, Undo")
                                        : tr("%1 changes, Undo All").arg(words.size()));
    changes_->setToolTip(widgets::plainToolTip(words.join(QChar('\n'))));
    changes_->setAccessibleDescription(words.join(QStringLiteral("; ")));
    const auto& theme = widgets::themeOf(palette());
    changes_->setStyleSheet(widgets::pillStyle(theme.changed, theme.changedSoft));
}

void SentencePanel::setUnsureBelow(double probability) {
    unsureBelow_ = probability;
    showChoices();
}

void SentencePanel::setSpaceMarksShown(bool shown) {
    source_->setSpaceMarksShown(shown);
    before_->setSpaceMarksShown(shown);
    target_->setSpaceMarksShown(shown);
    placeViews();
}

std::vector<widgets::View*> SentencePanel::views() const {
    std::vector<widgets::View*> all;
    for (const auto& strip : strips_)
        all.push_back(strip.view);
    return all;
}

widgets::View* SentencePanel::view(const std::string& key) const {
    const auto found = std::ranges::find(strips_, key, &Strip::key);
    return found == strips_.end() ? nullptr : found->view;
}

void SentencePanel::setViewShown(const std::string& key, bool shown) {
    std::ranges::find(strips_, key, &Strip::key)->isWanted = shown;
    showViews();
}

void SentencePanel::showViews() {
    for (const auto& strip : strips_) {
        const bool reads = strip.isWanted && task_ == Task::Translate && !targetArea_->isHidden();
        strip.title->setVisible(reads);
        strip.view->setVisible(reads);
    }
    placeViews();
}

void SentencePanel::setTask(Task task) {
    task_ = task;
    sourceLabel_->setText(task == Task::Translate  ? tr("Source")
                          : task == Task::Continue ? tr("Prompt")
                                                   : tr("Text"));
    showOriginal();
    for (auto* area : {sourceArea_, targetArea_}) // two in all
        area->setMostLines(task == Task::Translate ? 1 : 2);
    for (QWidget* part : std::initializer_list<QWidget*>{sourceLabel_, sourceArea_})
        part->setVisible(task != Task::Continue);
    options_->setVisible(task != Task::Read);
    showBar();
    showTarget();
}

void SentencePanel::setTargetElsewhere(bool isElsewhere) {
    if (std::exchange(isTargetElsewhere_, isElsewhere) != isElsewhere)
        showTarget();
}

void SentencePanel::showTarget() {
    const bool isRepeated = isTargetElsewhere_ && task_ == Task::Translate && beforeLine_->isHidden() &&
                            run_ && !run_->next.empty() && !trace::readsReference(*run_);
    for (QWidget* part : std::initializer_list<QWidget*>{targetLabel_, targetArea_})
        part->setVisible(task_ != Task::Read && !isRepeated);
    showViews();
}

void SentencePanel::showBar() {
    using Unit = widgets::DecodeBar::Unit;
    const bool areLabels = run_ && run_->model && run_->model->tokenLabels > 0;
    bar_->setUnit(task_ != Task::Read ? Unit::Step : areLabels ? Unit::Token : Unit::Mask);
    bar_->setVisible(task_ != Task::Read || hasMasks());
}

void SentencePanel::setSecondShown(bool shown) {
    second_->setVisible(shown);
}

std::optional<std::string> SentencePanel::secondText() const {
    const QString text = second_->isHidden() ? QString() : second_->text().trimmed();
    return text.isEmpty() ? std::nullopt : std::optional(text.toStdString());
}

void SentencePanel::setSecondText(const std::optional<std::string>& text) {
    second_->setText(QString::fromStdString(text.value_or(std::string())));
}

void SentencePanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    bar_->setBrief(isNarrow());
    shade_->setVisible(!contributions_.empty() && !isNarrow());
    showChoices();
    placeViews();
}

void SentencePanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange)
        return;
    showChanges();
    showOriginal();
}

/// Tells the views below the target where its tokens are, if these are on one line.
void SentencePanel::placeViews() {
    for (const auto& strip : strips_) {
        auto* view = strip.view;
        std::vector<double> centres;
        for (int t = 0; run_ && t < std::ssize(run_->next); ++t) {
            const QRect chip = target_->chipRect(t);
            if (chip.isEmpty() || chip.top() != target_->chipRect(0).top()) {
                centres.clear();
                break;
            }
            centres.push_back(view->mapFromGlobal(target_->mapToGlobal(chip.center())).x());
        }
        view->setCentres(std::move(centres));
    }
}

void SentencePanel::followStep() {
    const int steps = controller_->steps();
    bar_->setPosition(selection_->step(), steps);
    const int chip = selection_->step() + chipsBefore();
    target_->setOutlined(steps > 0 ? std::optional(chip) : std::nullopt);
    targetArea_->showChip(chip);
    if (hasMasks() && selection_->step() < steps) {
        const int mask = std::next(run_->maskCandidates.begin(), selection_->step())->first;
        source_->setOutlined(mask);
        sourceArea_->showChip(mask);
    }
    shade();
}

void SentencePanel::followFocus() {
    const TokenFocus& focus = selection_->focus();
    source_->setLit(focus.sourceKey ? focus.sourceKey : focus.sourceQuery);
    target_->setLit(targetChip(focus, chipsBefore()));
    shade();
}

/// Shades the tokens by the current step's row or, in the encoder, by the focused row.
void SentencePanel::shade() {
    const bool isContribution = run_ && contributions_.size() == run_->source.size();
    isContribution ? source_->setContributions(contributions_) : source_->setShading({});
    target_->setShading({});
    const auto head = selection_->head();
    const auto* record = run_ ? run_->recordOf(head) : nullptr;
    const auto query = head.site.kind == AttentionKind::EncoderSelf
                           ? selection_->focus().query(AttentionKind::EncoderSelf)
                           : std::optional(selection_->step());
    if (!record || !query || *query >= record->queries())
        return;
    const auto row = analysis::headRow(*record, head.head, *query);
    const auto& weights = row.weights;
    std::vector<bool> masked;
    for (const auto open : row.open)
        masked.push_back(open == 0);
    if (head.site.kind != AttentionKind::DecoderSelf) {
        source_->setShading({weights.begin(), weights.end()}, masked);
        return;
    }
    // Key j was chosen in row j - 1. The start token is not shown.
    const int hidden = 1 - chipsBefore();
    std::vector<float> chosen(weights.begin() + hidden, weights.end());
    masked.erase(masked.begin(), masked.begin() + hidden);
    const auto chips = run_->next.size() + chipsBefore();
    chosen.resize(chips);
    masked.resize(chips, true);
    target_->setShading(std::move(chosen), std::move(masked));
}

void SentencePanel::setKnown(const widgets::ViewContext& context) {
    setOriginal(widgets::originalRun(context));
    auto contributions = widgets::shownContributions(context);
    shade_->setText(widgets::contributionsInWords(context));
    shade_->setVisible(!contributions.empty() && !isNarrow());
    if (std::exchange(contributions_, contributions) != contributions)
        shade();
}

void SentencePanel::addChoices(widgets::ViewChoices& choices) {
    choices.addText(
        "window", "language", [this] { return language_->language(); },
        [this](const QString& code) { language_->setLanguage(code); });
}

void SentencePanel::connectWalk(const Actions& actions) {
    const auto on = [this, &actions](ActionId id, void (DecodeController::*what)()) {
        connect(actions[id], &QAction::triggered, controller_, what);
    };
    on(ActionId::ToStart, &DecodeController::toStart);
    on(ActionId::Back, &DecodeController::back);
    on(ActionId::Forward, &DecodeController::forward);
    on(ActionId::ToEnd, &DecodeController::toEnd);
    on(ActionId::Stop, &DecodeController::stop);
    connect(actions[ActionId::StepByStep], &QAction::toggled, controller_, &DecodeController::setStepByStep);
}

} // namespace headscope::app
