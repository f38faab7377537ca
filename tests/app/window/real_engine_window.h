#pragma once

#include <QAction>
#include <QApplication>
#include <QFile>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

#include "app/models/choose_kernels.h"
#include "app/models/engine_loader.h"
#include "app/models/resource_folders.h"
#include "app/traces/model_or_trace.h"
#include "app/window/main_window.h"
#include "tests/app/cli/cli_process.h"
#include "tests/app/drawn_views.h"
#include "tests/app/window/busy_queue.h"

#include <functional>
#include <memory>

namespace headscope::tests {

/// A window with the real engine, whose commands can be followed.
class RealEngineWindow : public QObject {
  protected:
    /// Shows a view with certain choices; nothing else of the window changes.
    struct ViewCase {
        const char* name;
        std::function<QWidget*()> show;
    };
    static void addRows(const std::vector<ViewCase>& cases) {
        QTest::addColumn<int>("number");
        for (int number = 0; const auto& each : cases)
            QTest::addRow("%s", each.name) << number++;
    }

    void open(const app::StartWith& startWith) {
        app::chooseKernels(); // as the programs do; other kernels round differently
        QVERIFY(folder_.isValid());
        QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
        const auto makeEngine = [] {
            return app::withTraces(
                app::loadEngine({.familyFolders = app::familyFolders(), .samples = app::sampleSentences()}));
        };
        window_ = std::make_unique<app::MainWindow>(makeEngine, startWith);
        window_->show();
        QTRY_VERIFY_WITH_TIMEOUT(window_->controller()->run() && window_->controller()->run()->complete,
                                 30000);
        settle();
    }

    QString file(const QString& name) const { return folder_.filePath(name); }
    void trigger(const app::ActionKey& id) { window_->actions()[id]->trigger(); }
    app::WorkQueue* queue() const { return window_->findChild<app::WorkQueue*>(); }
    void settle() { QTRY_VERIFY_WITH_TIMEOUT(!queue()->isBusy(), 60000); }

    static QByteArray contentOf(const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    template <class Control>
    static Control* control(const QWidget* in, const QString& name) {
        for (auto* each : in->findChildren<Control*>())
            if (each->accessibleName() == name || each->objectName() == name)
                return each;
        [&] { QFAIL(qPrintable(name)); }();
        return nullptr;
    }

    /// As it was copied.
    static void run(const QString& command) {
        QVERIFY2(command.startsWith("headscope-cli render "), qPrintable(command));
        const auto result = cli_process::runLine(command);
        QVERIFY2(result.status == 0, result.err + command.toUtf8());
    }

    QTemporaryDir folder_;
    std::unique_ptr<app::MainWindow> window_;
    QSet<QString> drawn_; ///< views whose command was followed
};

} // namespace headscope::tests
