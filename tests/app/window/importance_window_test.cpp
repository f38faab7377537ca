#include <QAction>
#include <QCompleter>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSettings>
#include <QTest>

#include "app/desktop/message_panel.h"
#include "app/window/main_window.h"
#include "tests/app/window/fake_engine.h"
#include "tests/watched_test.h"
#include "widgets/controls/contrast_field.h"
#include "widgets/tables/column_table.h"
#include "widgets/views/head_grid/head_grid_view.h"
#include "widgets/views/importance/importance_columns.h"
#include "widgets/views/importance/importance_view.h"

using namespace headscope;
using app::ActionId;
using app::ActionKey;
using app::MainWindow;
using trace::AttentionKind;

class ImportanceWindowTest : public QObject {
    Q_OBJECT

    test::FakeEngine::Script script_;
    std::unique_ptr<MainWindow> window_;

    QAction* action(const ActionKey& id) const { return window_->actions()[id]; }
    widgets::ImportanceView* view() const { return window_->findChild<widgets::ImportanceView*>(); }
    widgets::ColumnTable* table() const { return view()->findChild<widgets::ColumnTable*>(); }
    widgets::HeadGridView* grid() const { return window_->findChild<widgets::HeadGridView*>(); }
    QLineEdit* contrast() const {
        return view()->findChild<widgets::ContrastField*>()->findChild<QLineEdit*>();
    }
    std::shared_ptr<const trace::Run> run() const { return window_->controller()->run(); }
    bool isMeasured() const { return !view()->scores().empty(); }

    void measure() {
        action("importance")->trigger();
        QTRY_VERIFY(isMeasured());
    }
    QPoint placeOf(int row) const { return table()->visualRect(table()->model()->index(row, 1)).center(); }
    bool says(const QString& words) const {
        const auto labels = view()->findChildren<QLabel*>();
        return std::ranges::any_of(
            labels, [&](const QLabel* label) { return label->isVisible() && label->text().contains(words); });
    }

  private Q_SLOTS:
    void init() {
        QSettings().clear();
        script_.holdRuns = false;
        script_.requests.clear();
        window_ = std::make_unique<MainWindow>(
            [this] { return std::make_unique<test::FakeEngine>(script_); },
            app::StartWith{.model = "a-model", .sentence = QString("a sentence")});
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
        QTRY_VERIFY(run() && run()->complete && !window_->controller()->isDecoding());
    }

    void cleanup() {
        script_.holdRuns = false;
        window_.reset();
    }

    void theViewOpensWhenHeadsAreMeasured() {
        QVERIFY(!view()->isVisible());
        QVERIFY(!action("contact-sheet/tinted")->isEnabled());
        QVERIFY(action("contact-sheet/tinted")->toolTip().contains("Measure Head Importance"));
        measure();
        QVERIFY(view()->isVisible());
        QVERIFY(table()->isVisible());
        QCOMPARE(table()->model()->rowCount(), 6);
        QVERIFY(action("contact-sheet/tinted")->isEnabled());
        window_->resize(1600, 1400); // the caption is short where there is little room
        QTRY_VERIFY(says("a-model, 6 heads"));
    }

    void aClickInTheListSelectsTheHeadEverywhere() {
        measure();
        for (const int row : {2, 0, 5}) {
            QTest::mouseClick(table()->viewport(), Qt::LeftButton, {}, placeOf(row));
            const auto head = view()->scores()[static_cast<std::size_t>(row)].head;
            QVERIFY(window_->selection()->head() == head);
            QVERIFY(grid()->thumbnailRect(head).isValid());
        }
        QVERIFY((window_->selection()->head() == trace::HeadAddress{{AttentionKind::Cross, 0}, 1}));
        window_->selection()->setHead({{AttentionKind::DecoderSelf, 0}, 0});
        QCOMPARE(table()->selectionModel()->selectedRows().front().row(), 2);
    }

    void measuringShowsHowFarItIsAndCancellingLeavesTheRun() {
        const auto shown = run();
        script_.holdRuns = true;
        action("importance")->trigger();
        QVERIFY(view()->findChild<QProgressBar*>()->isVisible());
        QVERIFY(action(ActionId::Stop)->isEnabled());
        auto* cancel = view()->findChild<QProgressBar*>()->parentWidget()->findChild<QPushButton*>();
        QTest::mouseClick(cancel, Qt::LeftButton);
        QVERIFY(!view()->findChild<QProgressBar*>()->isVisible());
        QVERIFY(!isMeasured());
        QCOMPARE(run(), shown);
        // Stop does the same.
        action("importance")->trigger();
        action(ActionId::Stop)->trigger();
        QVERIFY(!view()->findChild<QProgressBar*>()->isVisible());
        script_.holdRuns = false;
        measure();
        action(ActionId::Stop)->trigger();
        QVERIFY(isMeasured());
    }

    void whatWasRefusedCanBeMeasuredAgain() {
        script_.tamper = [](trace::Run&) { throw trace::Refusal({.what = "There is no memory left"}); };
        action("importance")->trigger();
        QTRY_VERIFY(says("There is no memory left"));
        script_.tamper = {};
        action("importance")->trigger();
        QTRY_VERIFY(isMeasured());
    }

    void anotherContrastIsMeasuredAgain() {
        measure();
        const double before = view()->scores().front().importance;
        contrast()->setFocus();
        QTest::keyClicks(contrast(), "t11");
        QTest::keyClick(contrast(), Qt::Key_Return);
        QTRY_VERIFY(isMeasured() && view()->scores().front().importance != before);
        QVERIFY(view()->caption().contains("compared with"));
        contrast()->actions().front()->trigger();
        QTRY_VERIFY(isMeasured() && view()->scores().front().importance == before);
        QVERIFY(!view()->caption().contains("compared with"));
    }

    void aTokenThatDoesNotExistIsExplainedBesideTheField() {
        measure();
        contrast()->setFocus();
        QTest::keyClicks(contrast(), "nothing");
        QTest::keyClick(contrast(), Qt::Key_Return);
        QTRY_VERIFY(says("This is no token"));
        QVERIFY(says("What to do: type another"));
        QVERIFY(!window_->findChild<app::MessagePanel*>()->isVisible());
        contrast()->actions().front()->trigger();
        QTRY_VERIFY(isMeasured());
        QVERIFY(!says("This is no token"));
    }

    void proposalsAreChosenWithTheArrowKeysOfTheWindow() {
        measure();
        const auto head = window_->selection()->head();
        contrast()->setFocus();
        QTest::keyClick(contrast(), Qt::Key_Down);
        auto* list = contrast()->completer()->popup();
        QTRY_VERIFY(list->isVisible());
        QTest::keyClick(list, Qt::Key_Down);
        QTest::keyClick(list, Qt::Key_Return);
        QCOMPARE(contrast()->text(), "t21");
        QVERIFY(window_->selection()->head() == head);
        QTRY_VERIFY(isMeasured() && view()->caption().contains("compared with"));
    }

    void aDoubleClickSwitchesTheHeadOffAndUndoBringsTheListBack() {
        measure();
        const auto head = view()->scores()[1].head;
        QTest::mouseClick(table()->viewport(), Qt::LeftButton, {}, placeOf(1));
        QTest::mouseDClick(table()->viewport(), Qt::LeftButton, {}, placeOf(1));
        QTest::mouseRelease(table()->viewport(), Qt::LeftButton, {}, placeOf(1)); // a step ends there
        QTRY_VERIFY(run()->complete && run()->request.interventions.size() == 1);
        QVERIFY(run()->request.interventions.front() == trace::Intervention{trace::ScaleHead{.head = head}});
        // The list stays, says of when it is, and is no figure of the changed model.
        QTRY_VERIFY(says("before the model was changed"));
        QVERIFY(table()->isVisible() && isMeasured() && !view()->hasFigure());
        QCOMPARE(table()->model()->rowCount(), 6);
        QVERIFY(action("contact-sheet/sorted")->isEnabled());
        QTRY_VERIFY(action(ActionId::Undo)->text().contains("Disable"));
        action(ActionId::Undo)->trigger();
        QTRY_VERIFY(!says("before the model was changed") && isMeasured());
        QVERIFY(run()->request.interventions.empty() && view()->hasFigure());
    }

    void whatWasMeasuredBeforeAChangeIsMeasuredAgainAtAButton() {
        measure();
        action(ActionId::ToggleHead)->trigger();
        QTRY_VERIFY(says("before the model was changed"));
        for (auto* button : view()->findChildren<QPushButton*>())
            if (button->isVisible() && button->text() == "Measure Again")
                button->click();
        QTRY_VERIFY(isMeasured() && !says("before the model was changed") && view()->hasFigure());
        // Of another sentence there is nothing.
        window_->controller()->decode(std::string("another one"));
        QTRY_VERIFY(run()->complete && !isMeasured());
    }

    void theGridIsTintedAndSorted() {
        measure();
        window_->selection()->setHead({{AttentionKind::EncoderSelf, 0}, 0});
        const auto places = [&] {
            return std::pair(grid()->thumbnailRect({{AttentionKind::EncoderSelf, 0}, 0}),
                             grid()->thumbnailRect({{AttentionKind::EncoderSelf, 0}, 1}));
        };
        const auto plain = places();
        action("contact-sheet/sorted")->trigger();
        QVERIFY(places() != plain);
        action("contact-sheet/sorted")->trigger();
        QCOMPARE(places(), plain);
        const QImage before = grid()->viewport()->grab().toImage();
        action("contact-sheet/tinted")->trigger();
        QVERIFY(grid()->viewport()->grab().toImage() != before);
    }

    void stepsAreFollowed() {
        measure();
        QVERIFY(says("step 1 of 5"));
        action(ActionId::Forward)->trigger();
        QVERIFY(says("step 2 of 5"));
    }

    void anotherSentenceLeavesNothingBehind() {
        measure();
        window_->controller()->decode(std::string("another"));
        QTRY_VERIFY(!window_->controller()->isDecoding());
        QVERIFY(!isMeasured());
        QVERIFY(view()->isVisible());
        QVERIFY(says("Lists every head"));
    }
};

HEADSCOPE_WATCHED_TEST(ImportanceWindowTest)
#include "importance_window_test.moc"
