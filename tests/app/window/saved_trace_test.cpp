#include <QApplication>
#include <QFileDialog>
#include <QLineEdit>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include "app/plain/engine_loader.h"
#include "app/plain/model_or_trace.h"
#include "app/plain/resource_folders.h"
#include "app/window/analyses.h"
#include "app/window/lens_dock.h"
#include "app/window/main_window.h"
#include "tests/watched_main.h"
#include "widgets/attribution_view.h"
#include "widgets/contrast_field.h"
#include "widgets/lens_view.h"

using namespace headscope;
using app::MainWindow;

/// A trace as the window saves and opens it.
class SavedTraceTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    std::unique_ptr<MainWindow> window_;

    std::shared_ptr<const trace::Run> run() const { return window_->controller()->run(); }
    app::Analyses* analyses() const { return window_->findChild<app::Analyses*>(); }
    app::LensDock* dock() const { return window_->findChild<app::LensDock*>(); }
    QLineEdit* contrast() const { return dock()->attribution()->contrast()->findChild<QLineEdit*>(); }

    void save(const QString& path) {
        QTimer::singleShot(100, qApp, [path] {
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            QVERIFY(dialog);
            dialog->findChild<QLineEdit*>("fileNameEdit")->setText(path); // which has the focus
            static_cast<QDialog*>(dialog)->accept();
        });
        window_->actions()[app::ActionId::SaveTrace]->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(path), 30000);
    }

  private Q_SLOTS:
    void initTestCase() {
        QVERIFY(folder_.isValid());
        QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
        QCoreApplication::setOrganizationName("headscope-test");
        QCoreApplication::setApplicationName("saved-trace");
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder_.path());
        const auto makeEngine = [] {
            return app::withTraces(app::loadEngine({.familyFolders = app::familyFolders()}));
        };
        window_ = std::make_unique<MainWindow>(
            makeEngine, app::StartWith{.model = HEADSCOPE_SOURCE "/tests/reference/annotated-tiny",
                                       .sentence = QString("5 6 3")});
        window_->show();
        QTRY_VERIFY_WITH_TIMEOUT(run() && run()->complete, 30000);
    }

    /// With the token that it is held against. What was not measured is not: it takes long.
    void whatWasReadAndMeasuredIsShownWithoutTheModel() {
        dock()->open();
        contrast()->setText("#7");
        Q_EMIT contrast()->editingFinished();
        QTRY_VERIFY(analyses()->lens() && dock()->attribution()->hasFigure());
        save(folder_.filePath("read.safetensors"));
        analyses()->measureImportance();
        QTRY_VERIFY(analyses()->importance() && analyses()->importance()->complete);
        const auto lens = analyses()->lens();
        const auto importance = analyses()->importance();
        save(folder_.filePath("measured.safetensors"));
        contrast()->clear();
        Q_EMIT contrast()->editingFinished();

        window_->openModel(folder_.filePath("read.safetensors"));
        QTRY_VERIFY(run() && run()->model->recorded && analyses()->lens());
        analyses()->measureImportance();
        QTRY_VERIFY(!analyses()->isMeasuring());
        QVERIFY(!analyses()->importance());

        window_->openModel(folder_.filePath("measured.safetensors"));
        QTRY_VERIFY(run() && run()->model->recorded && analyses()->lens());
        QTRY_VERIFY(dock()->lens()->hasFigure() && dock()->attribution()->hasFigure());
        QCOMPARE(contrast()->text(), QString("#7"));
        const auto& read = *analyses()->lens();
        QCOMPARE(read.readings.size(), lens->readings.size());
        QCOMPARE(read.readings.back().front().divergence, lens->readings.back().front().divergence);
        QCOMPARE(read.attributions.back().logit, lens->attributions.back().logit);
        analyses()->measureImportance();
        QTRY_VERIFY(analyses()->importance());
        for (const auto& effect : importance->effects)
            QCOMPARE(analyses()->importance()->effect(effect.head)->importance, effect.importance);
    }
};

HEADSCOPE_WATCHED_MAIN(SavedTraceTest)
#include "saved_trace_test.moc"
