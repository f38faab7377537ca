#include <QDir>
#include <QMessageBox>
#include <QSettings>
#include <QTest>

#include "app/desktop/message_panel.h"
#include "app/document/session_controller.h"
#include "app/document/window_state.h"
#include "app/models/engine_loader.h"
#include "app/models/resource_folders.h"
#include "app/traces/model_or_trace.h"
#include "app/window/main_window.h"
#include "tests/watched_test.h"

using namespace headscope;
using app::MainWindow;

/// Sessions and traces of each form that was ever written stay in `tests/reference`, and still open.
class KeptFilesTest : public QObject {
    Q_OBJECT
    std::unique_ptr<MainWindow> window_;
    decltype(trace::AttentionRecord::weights) weights_;

    static QString folder(const char* kind) {
        return QStringLiteral(HEADSCOPE_SOURCE "/tests/reference/") + kind;
    }
    static void addFiles(const char* kind, int least) {
        QTest::addColumn<QString>("path");
        const QDir files(folder(kind));
        const auto names = files.entryList(QDir::Files);
        QVERIFY(names.size() >= least);
        for (const QString& name : names)
            QTest::newRow(qPrintable(name)) << files.filePath(name);
    }
    const trace::Run& run() const { return *window_->controller()->run(); }
    /// `allowed` is what may be said.
    void open(const QString& path, const QString& allowed) {
        window_ = std::make_unique<MainWindow>(
            [] { return app::withTraces(app::loadEngine({.familyFolders = app::familyFolders()})); },
            app::StartWith{.model = path});
        window_->show();
        const auto isThere = [this] {
            const auto& run = window_->controller()->run();
            return run && run->complete && !window_->state()->isUnsettled() &&
                   !window_->findChild<app::WorkQueue*>()->isBusy();
        };
        QTRY_VERIFY_WITH_TIMEOUT(isThere(), 60000);
        QVERIFY(run().selfCheck.isFinite());
        for (const auto* box : window_->findChildren<QMessageBox*>())
            QVERIFY2(!box->isVisible(), qPrintable(box->text()));
        const auto* message = window_->findChild<app::MessagePanel*>();
        QVERIFY2(!message->isVisible() || message->words().contains(allowed), qPrintable(message->words()));
    }

  private Q_SLOTS:
    void init() { QSettings().clear(); }
    void cleanup() { window_.reset(); }

    void everySessionOpens_data() { addFiles("sessions", 4); }
    void everySessionOpens() {
        QFETCH(QString, path);
        const auto file = app::readSession(path.toStdString());
        open(path, " of this session "); // that its layout is of another version
        if (QTest::currentTestFailed())
            return;
        const auto shown = window_->state()->capture();
        QCOMPARE(shown.model.path, file.model.path);
        QVERIFY(shown.request && shown.request->source == file.request->source);
        QVERIFY(shown.request->interventions == file.request->interventions);
        QVERIFY(shown.request->padding == file.request->padding);
        QVERIFY(shown.request->paths == file.request->paths);
        QVERIFY(shown.head == file.head && shown.shown == file.shown);
        QCOMPARE(shown.step, file.step);
        QVERIFY(shown.pinned == file.pinned && shown.pinnedHeads == file.pinnedHeads);
        QCOMPARE(shown.view, file.view);
        for (const char* view : {"map", "heatmap", "masks", "random-twin"})
            if (const auto chosen = file.choices.find(view); chosen != file.choices.end())
                for (const auto& [name, value] : chosen->second)
                    QVERIFY2(widgets::choiceSpec(view, name)->followsSelection ||
                                 shown.choices.at(view).at(name) == value,
                             (view + (" " + name)).c_str());
        QVERIFY(!window_->sessions()->isModified());
    }

    void everyTraceOpens_data() { addFiles("traces", 6); }
    void everyTraceOpens() {
        QFETCH(QString, path);
        open(path, "What to do: record it with that"); // what a form did not hold
        if (QTest::currentTestFailed())
            return;
        QVERIFY(run().model->recorded);
        QVERIFY(run().selfCheck.state() == trace::CheckState::Ok);
        QVERIFY(!run().source.empty() && !run().encoder.empty());
        if (run().target.empty()) // an encoder alone
            return;
        QCOMPARE(run().output, std::string("w1 w2"));
        QCOMPARE(run().target.size(), std::size_t(3));
        QCOMPARE(run().request.interventions.size(), std::size_t(1));
        const auto weights = run().cross[1].weights; // of one run, in all of its forms
        QVERIFY(weights_.empty() || weights == weights_);
        weights_ = weights;
    }
};

HEADSCOPE_WATCHED_TEST(KeptFilesTest)
#include "kept_files_test.moc"
