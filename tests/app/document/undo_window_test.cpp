#include <QAction>
#include <QApplication>
#include <QLineEdit>
#include <QSettings>
#include <QTest>

#include "app/document/undo_controller.h"
#include "app/window/main_window.h"
#include "tests/app/window/bench.h"
#include "tests/app/window/fake_engine.h"
#include "tests/watched_test.h"
#include "widgets/controls/sentence_edit.h"
#include "widgets/map/heatmap_view.h"
#include "widgets/views/heatmap/heatmap_page.h"

#include <random>

using namespace headscope;
using app::ActionId;
using app::ActionKey;
using app::MainWindow;
using app::SessionState;
using test::FakeEngine;

class UndoWindowTest : public QObject {
    Q_OBJECT

    FakeEngine::Script script_;
    std::unique_ptr<MainWindow> window_;

    QAction* action(const ActionKey& id) const { return window_->actions()[id]; }
    const app::History& history() const { return window_->undo()->history(); }
    /// What undo restores.
    SessionState now() const {
        auto state = window_->state()->capture();
        state.typed.reset();
        state.view.clear();
        state.choices.clear();
        return state;
    }
    void settle() {
        QTRY_VERIFY(!window_->state()->isUnsettled());
        window_->undo()->settle();
    }
    void trigger(const ActionKey& id) {
        action(id)->trigger();
        settle();
    }
    void decode(const QString& sentence) {
        window_->findChild<widgets::SentenceEdit*>()->setText(sentence);
        trigger(ActionId::Decode);
    }
    QString undoName() const { return action(ActionId::Undo)->text().remove('&'); }
    QString redoName() const { return action(ActionId::Redo)->text().remove('&'); }

    /// Says only in what they differ: all of it is too long to be printed.
    void compare(const SessionState& state, const QString& step) const {
        const auto seen = now();
        const auto lines = [](const SessionState& each) {
            return QString::fromStdString(app::sessionText(each, "")).split('\n');
        };
        QString differing = step;
        const auto expected = lines(state);
        for (const QString& line : lines(seen))
            if (!expected.contains(line))
                differing += "\n" + line;
        for (const QString& line : expected)
            if (!lines(seen).contains(line))
                differing += "\nbut " + line;
        QVERIFY2(seen == state, qPrintable(differing));
    }

    /// One thing that a person may do.
    void act(std::mt19937& random) {
        static const std::vector<ActionKey> actions{ActionId::KindEncoder,
                                                    ActionId::KindDecoder,
                                                    ActionId::KindCross,
                                                    ActionId::NextHead,
                                                    ActionId::PreviousHead,
                                                    ActionId::Forward,
                                                    ActionId::Back,
                                                    ActionId::ToEnd,
                                                    "masks",
                                                    "heatmap",
                                                    "lines",
                                                    "positions",
                                                    "architecture",
                                                    "scale",
                                                    "overview/toggle",
                                                    ActionId::ShowScores,
                                                    ActionId::ShowWeights,
                                                    ActionId::ScaleLogarithmic,
                                                    ActionId::ScaleRank,
                                                    ActionId::ScaleLinear,
                                                    ActionId::MapNumbers,
                                                    ActionId::MapTransposed,
                                                    ActionId::MapReceived,
                                                    ActionId::MapColourPerRow,
                                                    ActionId::SpaceMarks,
                                                    "source-share",
                                                    ActionId::PinHead,
                                                    ActionId::UnpinHeads,
                                                    ActionId::ToggleHead,
                                                    ActionId::ClearChanges,
                                                    "random-twin",
                                                    "contact-sheet/tinted",
                                                    "contact-sheet/sorted"};
        const int number = std::uniform_int_distribution(0, 1'000'000)(random);
        if (number % 8 == 0)
            return decode("sentence " + QString::number(number));
        if (number % 8 == 1) {
            window_->controller()->choose(number % 4, 20 + number % 3);
            return settle();
        }
        if (number % 8 == 2) {
            window_->selection()->togglePinned({.sourceKey = number % 3});
            return settle();
        }
        trigger(actions[static_cast<std::size_t>(number) % actions.size()]);
    }

  private Q_SLOTS:
    void init() {
        QSettings().clear();
        script_.requests.clear();
        script_.holdRuns = false;
        window_ = std::make_unique<MainWindow>(
            [this] { return std::make_unique<FakeEngine>(script_); },
            app::StartWith{.model = "a-model", .sentence = QString("a sentence")});
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
        QTRY_VERIFY(!history().isEmpty());
        settle();
    }

    void cleanup() { window_.reset(); }

    void nothingCanBeUndoneAtFirst() {
        QVERIFY(!action(ActionId::Undo)->isEnabled());
        QVERIFY(!action(ActionId::Redo)->isEnabled());
        QCOMPARE(undoName(), QString("Undo"));
    }

    void undoneAsOftenAsDoneItIsTheStartAndRedoneTheEnd() {
        for (const unsigned seed : {1U, 2U, 3U}) {
            std::mt19937 random(seed);
            std::vector<SessionState> states{now()};
            const auto first = history().place();
            for (int i = 0; i < 60; ++i) {
                act(random);
                if (history().place() - first + 1 > states.size())
                    states.push_back(now());
                QCOMPARE(history().place() - first + 1, states.size());
            }
            QVERIFY(states.size() > 20);
            for (std::size_t i = states.size() - 1; i-- > 0;) {
                const QString name = history().undoName();
                trigger(ActionId::Undo);
                compare(states[i], name);
                if (QTest::currentTestFailed())
                    return;
            }
            for (std::size_t i = 1; i < states.size(); ++i) {
                trigger(ActionId::Redo);
                compare(states[i], history().undoName());
                if (QTest::currentTestFailed())
                    return;
            }
        }
    }

    void hundredsOfStepsAreKept() {
        const auto start = now();
        for (int i = 0; i < 250; ++i) {
            window_->selection()->setStep(1 + i % 3);
            window_->undo()->settle();
        }
        QCOMPARE(history().place(), std::size_t(250));
        for (int i = 0; i < 250; ++i)
            action(ActionId::Undo)->trigger();
        QVERIFY(now() == start);
    }

    void whatIsUndoneIsNamedInTheMenu() {
        trigger(ActionId::Forward);
        QCOMPARE(undoName(), QString("Undo Step"));
        decode("another one");
        QCOMPARE(undoName(), QString("Undo Sentence"));
        trigger(ActionId::Undo);
        QCOMPARE(undoName(), QString("Undo Step"));
        QCOMPARE(redoName(), QString("Redo Sentence"));
    }

    void runsThatAreKeptAreShownWithoutComputing() {
        const auto before = window_->controller()->run();
        decode("another one");
        const auto after = window_->controller()->run();
        action(ActionId::Undo)->trigger();
        QCOMPARE(window_->controller()->run(), before); // not another one of the same request
        QCOMPARE(window_->findChild<widgets::SentenceEdit*>()->text(), QString("a sentence"));
        action(ActionId::Redo)->trigger();
        QCOMPARE(window_->controller()->run(), after);
    }

    void anotherModelIsAStepToo() {
        const auto start = now();
        window_->openModel("another-model");
        QTRY_VERIFY(window_->windowTitle().contains("another-model"));
        settle();
        QCOMPARE(undoName(), QString("Undo Open Model"));
        script_.holdOpening = true;
        action(ActionId::Undo)->trigger();
        const auto savedMeanwhile = window_->state()->capture();
        QVERIFY(window_->state()->isApplying() && !savedMeanwhile.view.empty());
        QVERIFY(savedMeanwhile.choices.contains("map"));
        script_.holdOpening = false;
        settle();
        QVERIFY(window_->windowTitle().contains("a-model"));
        QVERIFY(now() == start);
        trigger(ActionId::Redo);
        QVERIFY(window_->windowTitle().contains("another-model"));
    }

    void aModelThatIsStillOpenedIsTakenBackByNotOpeningIt() {
        decode("one more");
        const auto before = now();
        const auto place = history().place();
        script_.holdOpening = true;
        window_->openModel("another-model");
        QTRY_VERIFY(window_->state()->isUnsettled());
        QCOMPARE(undoName(), QString("Undo Open Model"));
        action(ActionId::Undo)->trigger();
        script_.holdOpening = false;
        settle();
        QVERIFY(window_->windowTitle().contains("a-model"));
        QVERIFY(now() == before);
        QCOMPARE(history().place(), place);
        QCOMPARE(undoName(), QString("Undo Sentence"));
    }

    void anOpeningIsTakenBackAlsoWhereNothingElseWasDone() {
        QVERIFY(!action(ActionId::Undo)->isEnabled());
        script_.holdOpening = true;
        window_->openModel("another-model");
        QTRY_VERIFY(action(ActionId::Undo)->isEnabled());
        action(ActionId::Undo)->trigger();
        script_.holdOpening = false;
        settle();
        QVERIFY(window_->windowTitle().contains("a-model"));
        QVERIFY(!action(ActionId::Undo)->isEnabled());
    }

    void theZoomOfPinnedMapsIsPartOfTheState() {
        window_->selection()->setPinnedHeads(
            {{{trace::AttentionKind::Cross, 0}, 0}, {{trace::AttentionKind::Cross, 0}, 1}});
        settle();
        const auto maps = window_->findChild<widgets::HeatmapPage*>()->maps();
        QCOMPARE(maps.size(), std::size_t(2));
        const auto whole = window_->state()->capture();
        maps[1]->setZoom(QRectF(0, 0, 2, 2));
        const auto zoom = maps[1]->zoom();
        const auto zoomed = window_->state()->capture();
        QVERIFY(zoomed.choices.at("heatmap") != whole.choices.at("heatmap"));
        window_->state()->apply(whole, this);
        QVERIFY(maps[1]->zoom().isEmpty());
        window_->state()->apply(zoomed, this);
        QVERIFY(maps[0]->zoom().isEmpty());
        QCOMPARE(maps[1]->zoom(), zoom);
    }

    void pinnedHeadsThatAreRedoneAreTheSameToThePixel() {
        const auto picture = [this] {
            window_->setFocus();
            QImage last;
            for (QImage now; (now = window_->centralWidget()->grab().toImage()) != last; last = now)
                QTest::qWait(60);
            return last;
        };
        window_->resize(1000, 620);
        std::vector<QImage> pictures{picture()};
        for (const auto kind : {trace::AttentionKind::Cross, trace::AttentionKind::EncoderSelf,
                                trace::AttentionKind::DecoderSelf}) {
            window_->selection()->togglePinnedHead({{kind, 0}, 1});
            settle();
            pictures.push_back(picture());
        }
        for (std::size_t i = pictures.size() - 1; i-- > 0;) {
            trigger(ActionId::Undo);
            QVERIFY2(picture() == pictures[i], qPrintable(QString::number(i)));
        }
        for (std::size_t i = 1; i < pictures.size(); ++i) {
            trigger(ActionId::Redo);
            QVERIFY2(picture() == pictures[i], qPrintable(QString::number(i)));
        }
    }

    void pointingIsNoStep() {
        window_->selection()->setHover({.sourceKey = 1});
        window_->undo()->settle();
        QVERIFY(!history().canUndo());
    }

    void aKeyThatIsHeldIsOneStep() {
        window_->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
        window_->setFocus();
        QTest::keyPress(window_.get(), Qt::Key_Right);
        for (int i = 0; i < 2; ++i) {
            QTest::qWait(60);
            QKeyEvent again(QEvent::KeyPress, Qt::Key_Right, Qt::NoModifier, 0, 0, 0, QString(), true);
            window_->selection()->setStep(window_->selection()->step() + 1);
            QCoreApplication::sendEvent(window_.get(), &again);
        }
        QTest::keyRelease(window_.get(), Qt::Key_Right);
        QTRY_COMPARE(history().place(), std::size_t(1));
        trigger(ActionId::Undo);
        QCOMPARE(window_->selection()->step(), 0);
    }

    void aTextFieldUndoesItsOwnLettersFirst() {
        trigger(ActionId::Forward);
        window_->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
        auto* line = window_->findChild<widgets::SentenceEdit*>()->lineEdit();
        line->setFocus();
        line->selectAll();
        QTest::keyClicks(line, "x");
        QTest::keyClick(line, Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE(line->text(), QString("a sentence"));
        QCOMPARE(window_->selection()->step(), 1);
        while (line->isUndoAvailable())
            QTest::keyClick(line, Qt::Key_Z, Qt::ControlModifier);
        QTest::keyClick(line, Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE(window_->selection()->step(), 0);
    }

    void whatIsDecodedMeanwhileIsPartOfTheStep() {
        script_.holdRuns = true;
        window_->findChild<widgets::SentenceEdit*>()->setText("another one");
        action(ActionId::Decode)->trigger();
        QTRY_VERIFY(!window_->controller()->run()->complete);
        QVERIFY(!history().canUndo());
        script_.holdRuns = false;
        QTRY_VERIFY(window_->controller()->run()->complete);
        window_->undo()->settle();
        QCOMPARE(history().place(), std::size_t(1));
    }

    void whileItIsDecodedItCanBeUndone() {
        const auto before = window_->controller()->run();
        script_.holdRuns = true;
        window_->findChild<widgets::SentenceEdit*>()->setText("another one");
        action(ActionId::Decode)->trigger();
        QTRY_VERIFY(window_->controller()->isDecoding());
        action(ActionId::Undo)->setEnabled(true);
        window_->undo()->undo();
        QCOMPARE(window_->controller()->run(), before);
        script_.holdRuns = false;
        settle();
        QCOMPARE(redoName(), QString("Redo Sentence"));
        trigger(ActionId::Redo);
        QCOMPARE(std::get<std::string>(window_->controller()->run()->request.source),
                 std::string("another one"));
    }

    void choicesTabsPanelsAndThemeAreNoStepsAndStay() {
        auto* bench = tests::bench(*window_);
        trigger(ActionId::Forward);
        const auto place = history().place();
        for (const auto& id : std::vector<ActionKey>{ActionId::MapNumbers, "masks", ActionId::ThemeDark})
            trigger(id);
        bench->close("candidates");
        settle();
        QCOMPARE(history().place(), place);
        QCOMPARE(undoName(), QString("Undo Step"));
        const auto shown = window_->state()->capture();
        const auto dark = QApplication::palette().color(QPalette::Window);
        trigger(ActionId::Undo);
        QCOMPARE(window_->selection()->step(), 0);
        const auto undone = window_->state()->capture();
        QVERIFY(undone.choices == shown.choices && undone.view == shown.view);
        QVERIFY(!bench->isOpen("candidates") && action(ActionId::MapNumbers)->isChecked());
        QCOMPARE(QApplication::palette().color(QPalette::Window), dark);
        trigger(ActionId::ThemeSystem); // of the whole program
    }

    void everyChoiceIsBound() {
        const auto choices = window_->state()->capture().choices;
        for (const auto& rule : tests::some(widgets::choiceSpecs()))
            QVERIFY2(choices.contains(rule.view) && choices.at(rule.view).contains(rule.name),
                     (rule.view + " " + rule.name).c_str());
    }

    void aModelThatIsGoneLeavesWhatIsShown() {
        window_->openModel("another-model");
        QTRY_VERIFY(window_->windowTitle().contains("another-model"));
        settle();
        const auto place = history().place();
        auto gone = now();
        gone.model.path = "/bad-model";
        window_->state()->apply(gone, this);
        QTRY_VERIFY(!window_->state()->isApplying());
        QVERIFY(window_->windowTitle().contains("another-model"));
        QCOMPARE(history().place(), place);
    }
};

HEADSCOPE_WATCHED_TEST(UndoWindowTest)
#include "undo_window_test.moc"
