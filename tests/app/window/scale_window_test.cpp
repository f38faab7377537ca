#include <QPushButton>
#include <QSettings>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>

#include "app/plain/engine_loader.h"
#include "app/plain/resource_folders.h"
#include "app/window/main_window.h"
#include "tests/watched_main.h"
#include "widgets/captions.h"
#include "widgets/classifier_view.h"
#include "widgets/scale_view.h"

#include <QAction>

#include <cmath>
#include <numeric>

using namespace headscope;
using app::ActionId;
using app::MainWindow;
using widgets::ClassifierView;
using widgets::ScaleView;

/// The scale of the bundled model and the answer of a real classifier, with the real engine.
class ScaleWindowTest : public QObject {
    Q_OBJECT

    QTemporaryDir settingsFolder_;
    std::unique_ptr<MainWindow> window_;

    std::shared_ptr<const trace::Run> run() const { return window_->controller()->run(); }
    ScaleView* scale() const { return window_->findChild<ScaleView*>(); }
    ClassifierView* classifier() const { return window_->findChild<ClassifierView*>(); }
    QTabWidget* tabs() const {
        for (auto* tabs : window_->findChildren<QTabWidget*>())
            if (tabs->indexOf(scale()) >= 0)
                return tabs;
        return nullptr;
    }
    void waitForRun() {
        QTRY_VERIFY_WITH_TIMEOUT(run() && run()->complete && !window_->controller()->isDecoding(), 30000);
    }
    void open(const QString& model, const QString& sentence) {
        const auto makeEngine = [] { return app::loadEngine({.familyFolders = app::familyFolders()}); };
        window_ =
            std::make_unique<MainWindow>(makeEngine, app::StartWith{.model = model, .sentence = sentence});
        window_->show();
        waitForRun();
    }

  private Q_SLOTS:
    void initTestCase() {
        QVERIFY(settingsFolder_.isValid());
        QCoreApplication::setOrganizationName("headscope-test");
        QCoreApplication::setApplicationName("scale");
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settingsFolder_.path());
    }

    void cleanup() { window_.reset(); }

    void theScaleIsCountedOnceItIsInSight() {
        open({}, "The old man reads a book.");
        QVERIFY(!scale()->hasFigure());
        window_->actions()[ActionId::ViewScale]->trigger();
        QTRY_VERIFY(scale()->hasFigure());
        QVERIFY2(scale()->caption().contains("1/√d_k"), qPrintable(scale()->caption()));
        scale()->setPage(ScaleView::Page::Variance);
        for (auto* button : scale()->findChildren<QPushButton*>())
            if (button->text() == "Measure the Random Twin")
                button->click();
        QTRY_VERIFY_WITH_TIMEOUT(scale()->caption().contains("random weights (seed 1)"), 30000);
    }

    void aTemperatureBecomesAChangeOfTheModel() {
        open({}, "The old man reads a book.");
        window_->actions()[ActionId::ViewScale]->trigger();
        scale()->setPage(ScaleView::Page::Temperature);
        QTRY_VERIFY(scale()->hasFigure());
        const auto apply = [this](double temperature) {
            Q_EMIT scale()->temperatureWanted(temperature);
            QTRY_VERIFY_WITH_TIMEOUT(!run()->request.interventions.empty() && run()->complete, 30000);
        };
        apply(0.5);
        waitForRun();
        apply(0.5);
        QTRY_VERIFY_WITH_TIMEOUT(
            run()->request.interventions ==
                (std::vector<trace::Intervention>{{trace::SoftmaxTemperature{.temperature = 0.25}}}),
            30000);
        waitForRun();
        QTRY_VERIFY(scale()->caption().contains("divided by 0.25 already"));
    }

    void aClassifiersAnswerIsTakenApart() {
        open(HEADSCOPE_SOURCE "/tests/reference/imdb-classifier-tiny", "5 6 7 8 9 10 11");
        QVERIFY(tabs()->isTabVisible(tabs()->indexOf(classifier())));
        QVERIFY(window_->actions()[ActionId::ViewClassifier]->isEnabled());
        window_->actions()[ActionId::ViewClassifier]->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(classifier()->hasFigure(), 30000);
        const auto chosen = classifier()->chosenClass();
        for (const float other : run()->classLogProbabilities)
            QVERIFY(run()->classLogProbabilities[chosen] >= other);
        QVERIFY2(classifier()->caption().contains("= logit"), qPrintable(classifier()->caption()));
        classifier()->setPage(ClassifierView::Page::Words);
        QVERIFY(classifier()->hasFigure());
    }

    void tabsStandInTheOrderOfTheirKeys() {
        open({}, "The old man reads a book.");
        QVERIFY(tabs()->tabToolTip(0).contains("(O)"));
        for (int tab = 1; tab < tabs()->count(); ++tab)
            QVERIFY2(tabs()->tabToolTip(tab).contains(QString("(Ctrl+%1)").arg(tab)),
                     qPrintable(tabs()->tabToolTip(tab)));
    }

    void aTranslatorHasNoTabOfClasses() {
        open({}, "The old man reads a book.");
        QVERIFY(!tabs()->isTabVisible(tabs()->indexOf(classifier())));
        QVERIFY(!window_->actions()[ActionId::ViewClassifier]->isEnabled());
    }
};

HEADSCOPE_WATCHED_MAIN(ScaleWindowTest)
#include "scale_window_test.moc"
