#include "app/window/home/tour.h"

#include "app/export/figure_exporter.h"
#include "app/window/frame/workbench.h"
#include "app/window/home/tour_bubble.h"
#include "app/window/top/sentence_panel.h"
#include "widgets/controls/token_strip.h"
#include "widgets/controls/tour_spot.h"
#include "widgets/views/places.h"
#include "widgets/words/card_words.h"

#include <QApplication>
#include <QKeyEvent>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace headscope::app {

namespace {

/// The view of the panel; empty: there is none.
std::string panelView() {
    const auto& all = widgets::places();
    const auto found = std::ranges::find(all, widgets::Place::Region::Panel, &widgets::Place::region);
    return found == all.end() ? std::string() : found->key;
}

const std::vector<trace::Token>& tokensOf(const trace::Run& run) {
    return run.model->isDecoderAlone() ? run.target : run.source;
}

} // namespace

Tour::Tour(const Parts& parts) : QObject(parts.window), parts_(parts) {
    constexpr int often = 100; // milliseconds
    pointing_.setInterval(often);
    connect(&pointing_, &QTimer::timeout, this, &Tour::point);
}

Tour::~Tour() = default;

std::vector<Tour::Step> Tour::stepsOf(const trace::ModelSummary& model) {
    const auto& run = *parts_.document->run();
    const auto& tokens = tokensOf(run);
    // One in the middle, so that the step goes elsewhere where a token stands for a step.
    token_ = tokens.size() / 2;
    const QString word = tokens.empty() ? QString() : widgets::plainToken(tokens[tokens.size() / 2]);
    const bool writes = model.decoderLayers > 0;
    const bool runs = !model.recorded;
    std::vector<Step> steps;
    steps.push_back(
        {Deed::Token,
         (model.isDecoderAlone() ? tr("Click \u201c%1\u201d to see what the model reads there.")
                                 : tr("Click \u201c%1\u201d to see which tokens attend to it."))
             .arg(word),
         model.isDecoderAlone()
             ? tr("The outlined row of the map shows what the model read at this token. Darker "
                  "cells have more weight.")
             : tr("The map marks where \u201c%1\u201d is read. Darker cells have more weight.").arg(word),
         [this] { return token(); }});
    steps.push_back({Deed::Head, tr("Each small map is one head. Click another one."),
                     tr("The large map now shows this head."), [this] {
                         const auto* view = parts_.workbench->view(panelView());
                         return view ? placeOf(view, view->rect()) : QRect();
                     }});
    if (writes)
        steps.push_back({Deed::Step, tr("Click Forward, or press the Right key."),
                         tr("At each step the model generates one token. Each step is one row of the map."),
                         [this] { return buttonOf(ActionId::Forward); }});
    if (writes && runs)
        steps.push_back({Deed::Choice, tr("These are other likely tokens. Double-click the second one."),
                         tr("The model continued from your token. Press Ctrl+Z to undo."),
                         [this] { return spot(widgets::spotOfCandidates); }});
    if (runs)
        steps.push_back({Deed::Switch, tr("Click Switch Off, or press D."),
                         tr("The model now runs without this head. Press Ctrl+Z to undo."),
                         [this] { return spot(widgets::spotOfHeadSwitch); }});
    steps.push_back({Deed::Export, tr("Click Export Picture, or press Ctrl+E."),
                     tr("End of the tour. Press F1 for the manual, the glossary and the shortcuts."),
                     [this] { return buttonOf(ActionId::SavePicture); }});
    return steps;
}

void Tour::start() {
    end();
    const auto& run = parts_.document->run();
    if (!run || !run->model)
        return;
    if (!frame_) {
        frame_ = new TourFrame(parts_.window);
        bubble_ = new TourBubble(parts_.window);
        connect(bubble_, &TourBubble::backChosen, this, [this] { go(-1); });
        connect(bubble_, &TourBubble::nextChosen, this, [this] { go(1); });
        connect(bubble_, &TourBubble::endChosen, this, &Tour::end);
    }
    running_ = new QObject(this);
    const auto* selection = parts_.document->selection();
    connect(selection, &widgets::Selection::focusChanged, running_, [this, selection] {
        if (!selection->pinned().isEmpty())
            note(Deed::Token);
    });
    connect(selection, &widgets::Selection::headChanged, running_, [this] { note(Deed::Head); });
    connect(selection, &widgets::Selection::stepChanged, running_, [this] {
        if (parts_.document->model()->isDecoderAlone())
            note(Deed::Token);
        note(Deed::Step);
    });
    connect(parts_.document->controller(), &DecodeController::runChanged, running_, [this] { noteRun(); });
    connect(parts_.exporter, &FigureExporter::asked, running_, [this] { note(Deed::Export); });
    connect(parts_.document, &Document::modelChanged, running_, [this] { end(); });
    qApp->installEventFilter(this);
    steps_ = stepsOf(*run->model);
    now_ = 0;
    pointing_.start();
    go(0);
}

void Tour::end() {
    if (!running_)
        return;
    qApp->removeEventFilter(this);
    pointing_.stop();
    std::exchange(running_, nullptr)->deleteLater();
    frame_->surround({});
    bubble_->hide();
}

bool Tour::eventFilter(QObject* watched, QEvent* event) {
    const bool isKey = event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress;
    if (!isKey || static_cast<QKeyEvent*>(event)->key() != Qt::Key_Escape ||
        QApplication::activeModalWidget() || QApplication::activePopupWidget() ||
        (QApplication::activeWindow() && QApplication::activeWindow() != parts_.window))
        return QObject::eventFilter(watched, event);
    event->accept();
    if (event->type() == QEvent::KeyPress)
        end();
    return true;
}

void Tour::note(Deed deed) {
    if (isDone_ || steps_[now_].asksFor != deed)
        return;
    isDone_ = true;
    show();
}

void Tour::noteRun() {
    const auto& run = parts_.document->run();
    if (!run)
        return;
    if (run->request.paths.size() > paths_)
        note(Deed::Choice);
    if (run->request.interventions.size() > changes_)
        note(Deed::Switch);
}

void Tour::go(int by) {
    if (now_ + by >= std::ssize(steps_))
        return end();
    now_ = std::max(0, now_ + by);
    isDone_ = true; // what prepare() does is not what a person does
    prepare();
    isDone_ = false;
    show();
}

/// What it points at comes into sight, and what it asks for can be done.
void Tour::prepare() {
    auto* bench = parts_.workbench;
    auto* controller = parts_.document->controller();
    const auto& run = parts_.document->run();
    if (bench->frontKey() != bench->headView() || bench->showsPage())
        bench->show(bench->headView());
    parts_.document->selection()->clearPinned();
    if (steps_[now_].asksFor == Deed::Step && controller->step() + 1 >= controller->steps())
        controller->goTo(0);
    paths_ = run ? run->request.paths.size() : 0;
    changes_ = run ? run->request.interventions.size() : 0;
    for (const auto& [deed, name] : {std::pair(Deed::Choice, widgets::spotOfCandidates),
                                     std::pair(Deed::Switch, widgets::spotOfHeadSwitch)})
        if (steps_[now_].asksFor == deed && spot(name).isEmpty())
            reveal(name);
}

/// In a narrow window it is a page of the drawer.
void Tour::reveal(const char* name) {
    auto* bench = parts_.workbench;
    const auto views = bench->views();
    const auto has = [name](const widgets::View* view) {
        const auto parts = view->findChildren<QWidget*>();
        return std::ranges::any_of(parts, [name](const QWidget* part) {
            return part->property(widgets::tourSpot).toString() == QLatin1String(name);
        });
    };
    if (const auto view = std::ranges::find_if(views, has); view != views.end())
        bench->show(bench->keyOf(*view));
}

void Tour::show() {
    const auto& step = steps_[now_];
    const int count = steps_.size();
    bubble_->show(
        {.number = now_ + 1, .count = count, .words = isDone_ ? step.done : step.ask, .isDone = isDone_});
    point();
}

void Tour::point() {
    const QRect target = steps_[now_].target();
    frame_->surround(isDone_ ? QRect() : target);
    bubble_->moveTo(target);
}

/// As far as it is not scrolled out of sight.
QRect Tour::placeOf(const QWidget* widget, const QRect& part) const {
    QRect seen(widget->mapTo(parts_.window, part.topLeft()), part.size());
    for (const auto* in = widget; in && in != parts_.window; in = in->parentWidget())
        seen &= QRect(in->mapTo(parts_.window, QPoint()), in->size());
    return widget->isVisible() ? seen : QRect();
}

QRect Tour::token() const {
    const auto& model = parts_.document->model();
    const auto* strip = model->isDecoderAlone() ? parts_.sentence->target() : parts_.sentence->source();
    return placeOf(strip, strip->chipRect(token_));
}

QRect Tour::spot(const char* name) const {
    for (const auto* widget : parts_.window->findChildren<QWidget*>())
        if (widget->property(widgets::tourSpot).toString() == QLatin1String(name))
            if (const QRect place = placeOf(widget, widget->rect()); !place.isEmpty())
                return place;
    return {};
}

QRect Tour::buttonOf(ActionId id) const {
    const auto* action = (*parts_.actions)[id];
    for (const auto* button : parts_.window->findChildren<QToolButton*>())
        if (button->defaultAction() == action)
            if (const QRect place = placeOf(button, button->rect()); !place.isEmpty())
                return place;
    return {};
}

} // namespace headscope::app
