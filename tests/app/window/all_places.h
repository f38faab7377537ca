#pragma once

#include <QAction>
#include <QDialog>
#include <QMenu>
#include <QPointer>
#include <QTest>
#include <QTimer>

#include "app/document/document.h"
#include "app/work/work_queue.h"
#include "tests/app/window/bench.h"
#include "widgets/views/places.h"

#include <string>

namespace headscope::tests {

/// Brings every view to sight, each page of it in every workspace that has it, Home and Train, and tells the
/// name of what is seen.
template <class Then>
void atEveryPlace(app::MainWindow& window, Then&& then) {
    auto* const bench = tests::bench(window);
    auto* const queue = window.findChild<app::WorkQueue*>();
    const auto look = [&](const std::string& name) {
        QTRY_VERIFY_WITH_TIMEOUT(!queue->isBusy(), 60000);
        QTest::qWait(30); // until what was answered is laid out
        then(name);
    };
    const auto trigger = [&](const app::ActionKey& key) { window.actions()[key]->trigger(); };
    trigger(app::ActionId::Home);
    look("home");
    for (const auto& workspace : widgets::workspaces()) {
        trigger(app::workspaceAction(workspace.key));
        look(workspace.key);
        for (const auto& place : widgets::places()) {
            if (place.workspace != workspace.key || place.region == widgets::Place::Region::Cards)
                continue;
            bench->open(place.key);
            if (bench->workspace() != workspace.key || !bench->isInSight(place.key))
                continue; // the model lacks it
            const auto& pages = place.spec->pages;
            for (std::size_t page = 0; page < std::max<std::size_t>(pages.size(), 1); ++page) {
                if (!pages.empty())
                    window.findChild<app::Document*>()->choose(place.spec->choicesOf ? place.spec->choicesOf
                                                                                     : place.key,
                                                               "page", std::string(pages[page]));
                look(workspace.key + "/" + place.key + (pages.empty() ? "" : std::string("/") + pages[page]));
            }
            if (place.region == widgets::Place::Region::Drawer)
                bench->close(place.key);
        }
    }
    trigger(app::ActionId::Train);
    look("train");
}

/// Opens what an action opens, tells it, and closes it.
template <class Then>
void inWindowOf(app::MainWindow& window, const app::ActionKey& action, Then&& then) {
    bool isSeen = false;
    const auto look = [&] {
        for (auto* each : QApplication::topLevelWidgets()) {
            if (each == &window || !each->isVisible() || qobject_cast<QMenu*>(each) ||
                each->windowType() == Qt::ToolTip)
                continue;
            isSeen = true;
            then(each);
            each->close();
            return;
        }
    };
    QTimer::singleShot(200, &window, look);
    window.actions()[action]->trigger();
    QTest::qWait(300);
    QVERIFY2(isSeen, qPrintable(window.actions()[action]->text()));
}

/// Actions whose dialog or popup is opened by inWindowOf().
inline const std::vector<app::ActionKey> withWindows{
    app::ActionId::SavePicture,     app::ActionId::Preferences,
    app::ActionId::CommandPalette,  app::ActionId::RunTo,
    app::ActionId::DecodingOptions, app::ActionId::Keys,
    app::ActionId::About,           app::ActionId::Learn};

} // namespace headscope::tests
