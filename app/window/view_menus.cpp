#include "app/window/view_menus.h"

#include "app/export/figure_exporter.h"
#include "app/window/frame/workbench.h"
#include "app/window/top/sentence_panel.h"
#include "widgets/map/heatmap_view.h"
#include "widgets/view.h"
#include "widgets/view_spec.h"

#include <QAction>
#include <QApplication>
#include <QCoreApplication>
#include <QMenu>

#include <algorithm>
#include <functional>

namespace headscope::app {

namespace {

/// A map inside a figure is exported with the whole figure, which has its colour scale and caption.
QWidget* savedWith(QWidget* view) {
    for (auto* around = view->parentWidget(); around; around = around->parentWidget())
        if (dynamic_cast<widgets::FigureSource*>(around))
            return around;
    return view;
}

} // namespace

ViewMenus::ViewMenus(Document* document, Workbench* workbench, FigureExporter* exporter, Actions* actions,
                     QWidget* window)
    : QObject(window), document_(document), workbench_(workbench), exporter_(exporter), actions_(actions),
      window_(window) {
    const auto on = [this](ActionId id, void (FigureExporter::*what)(QWidget*)) {
        connect((*actions_)[id], &QAction::triggered, this,
                [this, what] { std::invoke(what, exporter_, viewOnTop()); });
    };
    on(ActionId::SavePicture, &FigureExporter::savePicture);
    on(ActionId::SaveData, &FigureExporter::saveData);
    on(ActionId::CopyPicture, &FigureExporter::copyPicture);
    on(ActionId::CopyTable, &FigureExporter::copyTable);
    on(ActionId::CopyCommand, &FigureExporter::copyCommand);
}

void ViewMenus::offer(widgets::View* view) {
    offerOn(view);
    for (auto* map : view->findChildren<widgets::HeatmapView*>())
        offerOn(map);
}

void ViewMenus::offerOn(QWidget* view) {
    view->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(view, &QWidget::customContextMenuRequested, this, [this, view](QPoint position) {
        QMenu menu;
        fill(menu, view, position);
        menu.exec(view->mapToGlobal(position));
    });
}

void ViewMenus::openOfToken(int step, QPoint position) {
    QMenu menu;
    addOfToken(menu, step);
    menu.exec(position);
}

void ViewMenus::addOfToken(QMenu& menu, int step) {
    for (const auto& view : widgets::viewSpecs())
        for (const auto& action : view.actions) {
            if (!*action.ofToken)
                continue;
            QAction* own = (*actions_)[widgets::actionKey(view, action)];
            QAction* added =
                menu.addAction(QCoreApplication::translate("Actions", action.ofToken) + QChar('\t') +
                                   own->shortcut().toString(QKeySequence::NativeText),
                               this, [this, step, own] {
                                   document_->controller()->goTo(step);
                                   own->trigger();
                               });
            added->setEnabled(own->isEnabled());
        }
}

void ViewMenus::fill(QMenu& menu, QWidget* view, QPoint position) {
    const auto& figure = dynamic_cast<const widgets::FigureSource&>(*view);
    if (const auto step = figure.stepAt(position))
        addOfToken(menu, *step);
    const auto pointed = figure.pointedAt(position);
    // Not for the random twin, as changes apply to the model.
    if (pointed && (!pointed->run || pointed->run == document_->run().get()))
        add(menu, *pointed);
    menu.addSeparator();
    exporter_->addTo(menu, savedWith(view));
}

void ViewMenus::add(QMenu& menu, const widgets::PointedAt& pointed) {
    const auto& head = pointed.head;
    auto* selection = document_->selection();
    for (const auto& view : widgets::viewSpecs()) {
        if (!pointed.cell || !*view.ofCell)
            continue;
        const auto focus = widgets::TokenFocus::cell(head.site.kind, static_cast<int>(pointed.cell->query),
                                                     static_cast<int>(pointed.cell->key));
        menu.addAction(QCoreApplication::translate("ViewSpec", view.ofCell), this,
                       [this, selection, focus, key = view.key] {
                           if (selection->pinned() != focus)
                               selection->togglePinned(focus);
                           selection->setCursor({});
                           workbench_->open(key);
                       });
    }
    const bool isOfMap = pointed.run != nullptr;
    if (isOfMap)
        menu.addAction((*actions_)[ActionId::CopyCell]);
    for (auto* view : workbench_->views())
        view->addTo(menu, pointed);
    const QString name = QString::fromStdString(trace::toString(head));
    menu.addSeparator();
    menu.addAction(selection->pinOf(head) ? tr("Unpin %1").arg(name) : tr("Pin %1").arg(name), this,
                   [selection, head] { selection->togglePinnedHead(head); });
    if (isOfMap)
        return;
    menu.addSeparator();
    for (const auto& view : widgets::viewSpecs())
        for (const auto& action : view.actions)
            if (action.isOfHead) {
                QAction* own = (*actions_)[widgets::actionKey(view, action)];
                menu.addAction(own->text(), this, [selection, head, own] {
                    selection->setHead(head);
                    own->trigger();
                });
            }
}

QWidget* ViewMenus::viewOnTop() const {
    for (const QWidget* focus : {QApplication::focusWidget(), window_->focusWidget()})
        for (auto* view : workbench_->views()) {
            const auto* place = widgets::placeOf(workbench_->keyOf(view));
            if (view->isAncestorOf(focus) && view->isVisible() &&
                place->region != widgets::Place::Region::Panel)
                return view;
        }
    if (workbench_->showsPage()) // which has views of its own
        for (auto* view : window_->findChildren<widgets::View*>())
            if (view->isVisible())
                return view;
    return workbench_->front();
}

} // namespace headscope::app
