#include "app/window/head_actions.h"

#include "app/document/intents.h"
#include "app/results/results.h"
#include "app/window/frame/workbench.h"
#include "app/window/top/head_bar.h"
#include "model/analysis/heads/head_roles.h"
#include "widgets/map/change_marks.h"
#include "widgets/map/map_options.h"
#include "widgets/words/captions.h"
#include "widgets/words/statistic_words.h"
#include "widgets/words/trace_words.h"

#include <QAction>

#include <algorithm>
#include <array>
#include <utility>

namespace headscope::app {

using trace::AttentionKind;

namespace {

constexpr std::array kinds{std::pair(AttentionKind::EncoderSelf, ActionId::KindEncoder),
                           std::pair(AttentionKind::DecoderSelf, ActionId::KindDecoder),
                           std::pair(AttentionKind::Cross, ActionId::KindCross)};

} // namespace

HeadActions::HeadActions(Document* document, Results* results, Workbench* workbench, HeadBar* bar,
                         Actions* actions, QObject* parent)
    : QObject(parent), document_(document), results_(results), workbench_(workbench), bar_(bar),
      actions_(actions) {
    connectActions();
    connect(results_, &Results::changed, this, &HeadActions::followStatistics);
    connect(document_, &Document::stateChanged, this, &HeadActions::followStatistics);
    auto* selection = document->selection();
    connect(selection, &widgets::Selection::headChanged, this, &HeadActions::followHead);
    connect(document, &Document::modelChanged, this, &HeadActions::followHead);
    connect(document, &Document::stateChanged, this, &HeadActions::followChanges);
    connect(selection, &widgets::Selection::pinnedHeadsChanged, this, &HeadActions::followPins);
    connect(selection, &widgets::Selection::headNotPinned, this, [this](trace::HeadAddress head) {
        Q_EMIT said(tr("%1 was not pinned: four heads are already pinned. Unpin one first.")
                        .arg(QString::fromStdString(trace::toString(head))));
    });
    connect(document, &Document::stateChanged, this, &HeadActions::followNeed);
    connect(bar, &HeadBar::roleClicked, this, [this] {
        const auto head = document_->selection()->head();
        const QString kind = QString::fromStdString(trace::toString(head)).section('.', 0, 0);
        findHeads(kind + ' ' + roleOf(head).section(QStringLiteral(" ("), 0, 0));
    });
    followHead();
    followPins();
    followChanges();
}

void HeadActions::connectActions() {
    const auto on = [this](ActionId id, auto&& what) {
        connect((*actions_)[id], &QAction::triggered, this, what);
    };
    for (const auto& [kind, id] : kinds)
        on(id, [this, kind = kind] { document_->goToKind(kind); });
    on(ActionId::PreviousHead, [this] { document_->goToHead(0, -1); });
    on(ActionId::NextHead, [this] { document_->goToHead(0, 1); });
    on(ActionId::PreviousLayer, [this] { document_->goToHead(-1, 0); });
    on(ActionId::NextLayer, [this] { document_->goToHead(1, 0); });
    auto* selection = document_->selection();
    on(ActionId::ToggleHead,
       [this] { carryOut(document_, widgets::intents::ToggleHead{document_->selection()->head()}); });
    on(ActionId::ClearChanges, [this] { carryOut(document_, widgets::intents::ChangeModel()); });
    on(ActionId::PinHead, [selection] { selection->togglePinnedHead(selection->head()); });
    on(ActionId::UnpinHeads, [selection] { selection->setPinnedHeads({}); });
}

void HeadActions::findHeads(const QString& words) {
    for (auto* view : workbench_->views())
        if (view->findHeads(words))
            return workbench_->open(workbench_->keyOf(view));
}

void HeadActions::followHead() {
    showTitle();
    showRole();
    const auto& model = document_->model();
    for (const auto& [kind, id] : kinds)
        if (kind == document_->selection()->head().site.kind)
            (*actions_)[id]->setChecked(true);
    for (const auto& [kind, id] : kinds)
        actions_->setEnabled(id, !model || model->layers(kind) > 0,
                             model && model->isDecoderAlone() ? tr("This model has a decoder only.")
                                                              : tr("This model has an encoder only."));
}

void HeadActions::showTitle() {
    const auto head = document_->selection()->head();
    const QString kind = widgets::kindTitle(head.site.kind);
    const bool isOfHead = isPerHead(widgets::mapOptionsOf(document_->state()).quantity);
    bar_->setTitle(isOfHead
                       ? tr("%1 %2.%3", "Cross-attention 1.5").arg(kind).arg(head.site.layer).arg(head.head)
                       : tr("%1, layer %2").arg(kind).arg(head.site.layer));
    const auto mark = widgets::headMark(document_->state().changes, head);
    bar_->setChange(!isOfHead                            ? QString()
                    : mark == widgets::HeadMark::Off     ? tr("off")
                    : mark == widgets::HeadMark::Changed ? tr("changed")
                                                         : QString());
}

void HeadActions::followPins() {
    actions_->setEnabled(ActionId::UnpinHeads, !document_->selection()->pinnedHeads().empty(),
                         tr("No head is pinned: select one and press P."));
}

void HeadActions::followChanges() {
    showTitle();
    const auto& model = document_->model();
    const bool any = !document_->state().changes.empty();
    const QString whyNot = model ? widgets::whyNothingRuns(*model) : QString();
    actions_->setEnabled(ActionId::ClearChanges, any && whyNot.isEmpty(),
                         any ? whyNot : tr("Nothing is changed."));
}

/// In a long run, statistics of all heads take seconds: they are computed only while a view asks for them.
void HeadActions::followNeed() {
    const auto& run = document_->run();
    const bool isLong = run && ((!run->encoder.empty() && run->encoder.front().isRecomputed()) ||
                                (!run->cross.empty() && run->cross.front().isRecomputed()) ||
                                (!run->decoder.empty() && run->decoder.front().isRecomputed()));
    const bool isNeeded = run && !isLong;
    results_->want(this, isNeeded ? widgets::statisticsQuestions(document_->state()) : Results::Questions());
}

void HeadActions::followStatistics() {
    const auto known =
        widgets::shownStatistics({.document = &document_->state(), .known = results_}, statistics_);
    if (std::exchange(statistics_, known) == known)
        return;
    showRole();
}

const std::vector<analysis::HeadStatistics>& HeadActions::heads() const {
    static const std::vector<analysis::HeadStatistics> none;
    return statistics_ ? *statistics_ : none;
}

QString HeadActions::roleOf(const trace::HeadAddress& head) const {
    const auto& all = heads();
    const auto known = std::ranges::find(all, head, &analysis::HeadStatistics::head);
    const auto roles = known == all.end() ? std::vector<analysis::HeadRole>() : analysis::rolesOf(*known);
    return roles.empty() ? QString() : widgets::heldRoleName(roles.front());
}

void HeadActions::showRole() {
    const auto head = document_->selection()->head();
    QString role = roleOf(head);
    QStringList others;
    for (const auto& other : heads())
        if (other.head != head && other.head.site.kind == head.site.kind && !role.isEmpty() &&
            roleOf(other.head) == role)
            others += QString::fromStdString(trace::toString(other.head));
    if (role.isEmpty())
        return bar_->setRole({}, {});
    role.remove(tr(" (by shape)")); // the head table names the method
    const QString scope = tr("Role of this head in this sentence.");
    const QString wayOn = tr("Click to show the heads with this role in the grid.");
    bar_->setRole(role, others.isEmpty()
                            ? tr("%1 %2").arg(scope, wayOn)
                            : tr("%1 Also: %2. %3").arg(scope, others.join(QStringLiteral(", ")), wayOn));
}

} // namespace headscope::app
