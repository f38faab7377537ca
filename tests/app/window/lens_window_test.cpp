#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSettings>
#include <QTest>

#include "app/desktop/message_panel.h"
#include "app/window/main_window.h"
#include "tests/app/window/bench.h"
#include "tests/app/window/busy_queue.h"
#include "tests/app/window/fake_engine.h"
#include "tests/watched_test.h"
#include "widgets/controls/contrast_field.h"
#include "widgets/views/attribution/attribution_tree.h"
#include "widgets/views/attribution/attribution_view.h"
#include "widgets/views/lens/lens_grid.h"
#include "widgets/views/lens/lens_view.h"

using namespace headscope;
using app::ActionKey;
using app::MainWindow;
using trace::AttentionKind;

class LensWindowTest : public QObject {
    Q_OBJECT

    test::FakeEngine::Script script_;
    std::unique_ptr<MainWindow> window_;

    QAction* action(const ActionKey& id) const { return window_->actions()[id]; }
    app::Workbench* bench() const { return tests::bench(*window_); }
    widgets::LensView* lens() const { return window_->findChild<widgets::LensView*>(); }
    widgets::AttributionView* attribution() const { return window_->findChild<widgets::AttributionView*>(); }
    widgets::LensGrid* grid() const { return lens()->grid(); }
    widgets::AttributionTree* parts() const { return window_->findChild<widgets::AttributionTree*>(); }
    QLineEdit* contrast() const {
        return attribution()->findChild<widgets::ContrastField*>()->findChild<QLineEdit*>();
    }
    std::shared_ptr<const trace::Run> run() const { return window_->controller()->run(); }
    bool isRead() const {
        return !grid()->table().isEmpty() && grid()->table().run() == run() && run()->complete;
    }
    bool says(const QString& words) const {
        const auto labels = window_->findChildren<QLabel*>();
        return std::ranges::any_of(
            labels, [&](const QLabel* label) { return label->isVisible() && label->text().contains(words); });
    }
    void waitForDecoding() { QTRY_VERIFY(run() && run()->complete && !window_->controller()->isDecoding()); }

    void makeWindow(const char* model) {
        window_ =
            std::make_unique<MainWindow>([this] { return std::make_unique<test::FakeEngine>(script_); },
                                         app::StartWith{.model = model, .sentence = QString("a sentence")});
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
        waitForDecoding();
    }
    void open() {
        action("logit-lens")->trigger();
        QTRY_VERIFY(isRead());
    }

  private Q_SLOTS:
    void init() {
        QSettings().clear();
        script_.holdRuns = false;
        script_.tamper = {};
        script_.lenses = 0;
        makeWindow("a-model");
    }

    void cleanup() {
        window_.reset();
        script_.holdRuns = false;
    }

    void atFirstTheDockIsClosedAndNothingIsRead() {
        QVERIFY(!lens()->isVisible());
        window_->controller()->decode(std::string("another one"));
        waitForDecoding();
        QVERIFY(tests::becomesIdle(*window_->findChild<app::WorkQueue*>()));
        QCOMPARE(script_.lenses.load(), 0);
        QVERIFY(!lens()->hasFigure());
    }

    void openingTheDockReadsTheLens() {
        open();
        QVERIFY(lens()->isVisible());
        QCOMPARE(script_.lenses.load(), 1);
        QCOMPARE(grid()->rowCount(), 4);
        QCOMPARE(grid()->columnCount(), int(run()->target.size()));
        QVERIFY(attribution()->hasFigure());
        QVERIFY(says("sum of the parts 2.5000 = logit 2.5000"));
        QVERIFY(grid()->hasFocus());
    }

    void ofTheRandomTwinAsLongAsThereIsOne() {
        open();
        auto* of = lens()->findChild<QComboBox*>("whose-layers");
        QVERIFY(!of->isVisible());
        action("random-twin")->trigger();
        action("logit-lens")->trigger(); // on top again
        QTRY_VERIFY(isRead());
        QVERIFY(of->isVisible());
        of->setCurrentIndex(1);
        QTRY_VERIFY(isRead() && grid()->table().lens()->request.randomTwin);
        QVERIFY(lens()->figureText().caption.contains("random twin, seed 1"));
        action("random-twin")->trigger();
        QTRY_VERIFY(isRead() && !grid()->table().lens()->request.randomTwin);
        QVERIFY(!of->isVisible());
    }

    void theFirstRowSaysWhatTheCandidatesSay() {
        open();
        for (int step = 0; step < grid()->columnCount(); ++step) {
            const auto& row = run()->row(static_cast<std::size_t>(step));
            const auto& reading = grid()->table().reading({0, step});
            QCOMPARE(reading.candidates.front().token, row.candidates.front().token);
            QCOMPARE(reading.candidates.front().logProbability, row.candidates.front().logProbability);
        }
    }

    void anotherSentenceIsReadAgain() {
        open();
        const auto before = grid()->table().run();
        window_->controller()->decode(std::string("another one"));
        QTRY_VERIFY(isRead() && run() != before);
        QCOMPARE(script_.lenses.load(), 2);
    }

    void aClosedDockReadsNothing() {
        open();
        bench()->close("logit-lens");
        window_->controller()->decode(std::string("another one"));
        waitForDecoding();
        QVERIFY(tests::becomesIdle(*window_->findChild<app::WorkQueue*>()));
        QCOMPARE(script_.lenses.load(), 1);
        open();
        QCOMPARE(script_.lenses.load(), 2);
    }

    void thePagesOfTheDrawerLieOnEachOther() {
        action("paths")->trigger();
        open();
        QVERIFY(!bench()->isInSight("paths"));
        action("paths")->trigger();
        QTRY_VERIFY(bench()->isInSight("paths") && !bench()->isInSight("logit-lens"));
        action("logit-lens")->trigger();
        QTRY_VERIFY(bench()->isInSight("logit-lens") && isRead());
    }

    void theKeysOfTheLensAndThePathsCloseThemToo() {
        for (const char* name : {"logit-lens", "paths"}) {
            action(name)->trigger();
            QTRY_VERIFY2(bench()->isInSight(name), name);
            action(name)->trigger();
            QVERIFY2(!bench()->isInSight(name), name);
        }
    }

    void aStepOfTheLensIsTheStepOfEveryView() {
        open();
        const auto cell = grid()->cellArea({1, 2});
        QTest::mouseClick(grid()->viewport(), Qt::LeftButton, {}, cell.center());
        QCOMPARE(window_->selection()->step(), 2);
        QVERIFY(says("at step 3"));
    }

    void aHeadAmongThePartsIsTheHeadOfEveryView() {
        open();
        parts()->expandAll();
        const QModelIndex group = parts()->model()->index(1, 0);
        for (const int head : {1, 0}) {
            const QModelIndex row = parts()->model()->index(head, 0, group);
            QTest::mouseClick(parts()->viewport(), Qt::LeftButton, {}, parts()->visualRect(row).center());
            QVERIFY((window_->selection()->head() == trace::HeadAddress{{AttentionKind::Cross, 0}, head}));
        }
    }

    void aContrastIsReadAgainstAndOneThatIsNoTokenIsExplained() {
        open();
        contrast()->setText("t20");
        Q_EMIT contrast()->editingFinished();
        QTRY_VERIFY(says("compared with \u2068\u201Ct20\u201D"));
        contrast()->setText("nothing");
        Q_EMIT contrast()->editingFinished();
        QTRY_VERIFY(!lens()->hasFigure());
        QVERIFY(says("This is no token"));
        QVERIFY(!window_->findChild<app::MessagePanel*>()->isVisible());
        contrast()->clear();
        Q_EMIT contrast()->editingFinished();
        QTRY_VERIFY(isRead());
    }

    void whileALongSentenceIsDecodedTheLensBeforeStaysAndThenSaysSo() {
        open();
        script_.holdRuns = true;
        window_->controller()->decode(std::string("another one"));
        QTRY_VERIFY(!run()->complete);
        QVERIFY(lens()->hasFigure());
        script_.holdRuns = false;
        QTRY_VERIFY(isRead());
        QCOMPARE(script_.lenses.load(), 2);
    }

    void aModelWithoutADecoderHasNoLensAndSaysWhy() {
        open();
        script_.tamper = [](trace::Run& run) {
            auto model = std::make_shared<trace::ModelSummary>(*run.model);
            model->decoderLayers = 0;
            run = {.request = run.request, .model = model, .source = run.source, .encoder = run.encoder};
        };
        window_->openModel("an-encoder");
        QTRY_VERIFY(!action("logit-lens")->isEnabled());
        QVERIFY(action("logit-lens")->toolTip().contains("no choice to explain"));
        QVERIFY(!lens()->hasFigure());
    }

    void theWindowCanGoWhileTheLensIsRead() {
        open();
        script_.holdRuns = true;
        window_->controller()->decode(std::string("another one"));
        QTRY_VERIFY(!run()->complete);
        window_.reset();
        QVERIFY(script_.cancelled > 0);
    }
};

HEADSCOPE_WATCHED_TEST(LensWindowTest)
#include "lens_window_test.moc"
