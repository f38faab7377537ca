#include <QAction>
#include <QLineEdit>
#include <QMenu>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include "app/window/main_window.h"
#include "tests/app/window/bench.h"
#include "tests/app/window/fake_engine.h"
#include "tests/app/window/known_results.h"
#include "tests/model/files/foreign_files.h"
#include "tests/watched_test.h"
#include "widgets/controls/sentence_edit.h"
#include "widgets/tables/column_table.h"
#include "widgets/views/head_grid/head_grid_view.h"
#include "widgets/views/head_page/head_page.h"
#include "widgets/views/head_table/head_columns.h"
#include "widgets/views/head_table/head_table.h"

using namespace headscope;
using app::ActionId;
using app::ActionKey;
using app::MainWindow;
using trace::AttentionKind;

class HeadTableWindowTest : public QObject {
    Q_OBJECT

    test::FakeEngine::Script script_;
    std::unique_ptr<MainWindow> window_;
    QTemporaryDir files_;

    QAction* action(const ActionKey& id) const { return window_->actions()[id]; }
    bool isInSight() const { return tests::bench(*window_)->isInSight("head-table"); }
    widgets::HeadTable* table() const { return window_->findChild<widgets::HeadTable*>(); }
    widgets::HeadPage* page() const { return window_->findChild<widgets::HeadPage*>(); }
    app::Document* document() const { return window_->findChild<app::Document*>(); }
    bool isReading() const { return document()->state().corpus.underWay != nullptr; }
    widgets::ColumnTable* view() const { return table()->findChild<widgets::ColumnTable*>(); }
    int rows() const { return view()->model()->rowCount(); }
    bool pageSays(const char* words) const { return page()->words().contains(words); }

    QString written(const char* name, const QByteArray& text) const {
        foreign_files::writeFile(files_.filePath(name).toStdString(), text.toStdString());
        return files_.filePath(name);
    }

    void open() {
        action("head-table")->trigger();
        QTRY_COMPARE(rows(), 6);
    }

    QLineEdit* search() const { return table()->findChild<QLineEdit*>("search"); }

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
        QTRY_VERIFY(window_->controller()->run() && window_->controller()->run()->complete &&
                    !window_->controller()->isDecoding());
    }

    void cleanup() {
        script_.holdRuns = false;
        window_.reset();
    }

    void theTableIsClosedAtFirst() { QVERIFY(!isInSight()); }

    void itOpensWithEveryHead() {
        open();
        QVERIFY(isInSight());
        QVERIFY(view()->isVisible());
        QVERIFY(pageSays("on this sentence"));
    }

    void aRowIsTheHeadOfEveryView() {
        open();
        view()->selectRow(1);
        QVERIFY(window_->selection()->head() == (trace::HeadAddress{{AttentionKind::EncoderSelf, 0}, 1}));
        QVERIFY(pageSays("encoder.0.1"));
        QTest::keyClick(view(), Qt::Key_Return);
        QCOMPARE(tests::bench(*window_)->frontKey(), std::string("heatmap"));
    }

    void anotherSentenceHasOtherNumbers() {
        open();
        script_.tamper = [](trace::Run& run) {
            for (std::size_t query = 0; query < 3; ++query)
                for (std::size_t key = 0; key < 3; ++key)
                    run.encoder.front().weights.at(0, query, key) = query == key ? 1 : 0;
        };
        window_->controller()->decode(std::string("another"));
        QTRY_COMPARE(table()->known().statistics().front().values[analysis::Statistic::Diagonal],
                     std::optional(1.0));
        script_.tamper = {};
    }

    void theSameKeyClosesItAgain() {
        action("head-table")->trigger();
        QTRY_VERIFY(isInSight());
        action("head-table")->trigger();
        QVERIFY(!isInSight());
        action("head-table")->trigger();
        QVERIFY(isInSight());
    }

    void chosenInTheSearchItStaysOpenAndHasTheKeyboard() {
        action("head-table")->trigger();
        QTRY_VERIFY(isInSight());
        window_->setFocus(); // where the search gives the keyboard back to
        action("head-table")->trigger();
        QVERIFY(isInSight());
        QVERIFY(table()->isAncestorOf(window_->focusWidget()));
    }

    void importanceJoinsTheTable() {
        open();
        QVERIFY(view()->isColumnHidden(widgets::HeadColumns::Importance));
        action("importance")->trigger();
        QTRY_VERIFY(!view()->isColumnHidden(widgets::HeadColumns::Importance));
        QVERIFY(pageSays("Importance: "));
    }

    void theTwinsNumbersStandBeside() {
        open();
        QVERIFY(!pageSays("random twin"));
        action("random-twin")->trigger();
        QTRY_VERIFY(pageSays("random twin"));
    }

    void headsThatLookFromThePinnedCellAreListed() {
        window_->selection()->setHead({{AttentionKind::Cross, 0}, 0});
        QVERIFY(!action("head-table/from-here")->isEnabled());
        QVERIFY(action("head-table/from-here")->toolTip().contains("click one in a map"));
        window_->selection()->togglePinned(widgets::TokenFocus::cell(AttentionKind::Cross, 1, 2));
        QVERIFY(action("head-table/from-here")->isEnabled());
        action("head-table/from-here")->trigger();
        QVERIFY(isInSight());
        QTRY_COMPARE(rows(), 2); // both cross heads look everywhere
        QVERIFY(!view()->isColumnHidden(widgets::HeadColumns::Here));
    }

    void aLineThatIsTooLongForTheModelIsLeftOutAndCounted() {
        open();
        script_.tamper = [](trace::Run& run) {
            if (std::get<std::string>(run.request.source).size() > 1000)
                throw trace::Refusal({.what = "The source is longer than the model's positions"});
        };
        document()->readFile(written("long.txt", "one\n" + QByteArray(2000, 'x') + "\ntwo\n"));
        QTRY_COMPARE(document()->state().corpus.refused, std::size_t(1));
        QTRY_VERIFY(!isReading());
        script_.tamper = {};
        QVERIFY(pageSays("Sentences refused by the model: 1."));
    }

    void aCellsMenuOffersThem() {
        const trace::HeadAddress head{{AttentionKind::Cross, 0}, 0};
        QMenu menu;
        table()->addTo(menu, {.head = head, .cell = widgets::PointedAt::Cell{.query = 1, .key = 2}});
        QVERIFY(menu.actions().back()->text().startsWith("Find Heads with Attention from "));
        menu.actions().back()->trigger();
        QVERIFY(isInSight());
        QTRY_COMPARE(rows(), 2);
        QMenu none;
        table()->addTo(none, {.head = head, .cell = {}});
        QVERIFY(none.isEmpty());
    }

    void smallMapsAreTintedByAnyStatistic() {
        auto* grid = window_->findChild<widgets::HeadGridView*>();
        QVERIFY(!grid->hasTint());
        QAction* entropy = nullptr;
        for (auto* menu : window_->findChildren<QMenu*>())
            for (auto* each : menu->actions())
                if (each->text() == "Entropy")
                    entropy = each;
        QVERIFY(entropy);
        entropy->trigger();
        QVERIFY(!isInSight());
        QTRY_VERIFY(grid->hasTint());
        QVERIFY(action("contact-sheet/tinted")->isChecked() && action("contact-sheet/tinted")->isEnabled());
        QVERIFY(action("contact-sheet/sorted")->text().contains("Entropy"));
        QVERIFY(grid->figureText().caption.contains("Entropy of a row in bits"));
    }

    void sampleSentencesGiveACorpus() {
        action("heatmap")->trigger();
        action("head-page/samples")->trigger();
        QVERIFY(isInSight() && isReading());
        QVERIFY(action(ActionId::Stop)->isEnabled());
        QTRY_VERIFY(table()->showsCorpus());
        QVERIFY(pageSays("on 241 sentences"));
        QTRY_VERIFY(pageSays("95 % interval"));
        QVERIFY(pageSays("Sentences with the strongest"));
        QTRY_VERIFY(!action(ActionId::Stop)->isEnabled());
    }

    void anotherModelHasNothingOfTheSentencesThatThisOneRead() {
        open();
        Q_EMIT page()->intended(widgets::intents::ReadSentences());
        QTRY_VERIFY(pageSays("95 % interval"));
        window_->openModel("another-model");
        QTRY_VERIFY(!table()->showsCorpus());
        window_->selection()->setHead({{AttentionKind::EncoderSelf, 0}, 1});
        QTRY_VERIFY(!pageSays("95 % interval"));
    }

    void overManySentencesTheTwinsNumbersAreOfThemToo() {
        open();
        action("random-twin")->trigger();
        QTRY_VERIFY(pageSays("random twin"));
        const QString file = written("two.txt", "one\ntwo\n");
        document()->readFile(file);
        QTRY_VERIFY(table()->showsCorpus());
        QVERIFY(pageSays("random twin"));
        QVERIFY(pageSays("The random twin read the same sentences"));
        const auto& model = table()->known();
        const trace::HeadAddress first{{AttentionKind::EncoderSelf, 0}, 0};
        QCOMPARE(model.twinOf(first)->sentences, std::size_t(2));
        QVERIFY(table()->caption().contains("for the same sentences"));
    }

    void aTwinThatHasNotReadTheSentencesHasNoNumbersBesideTheirs() {
        open();
        document()->readFile(written("two.txt", "one\ntwo\n"));
        QTRY_VERIFY(table()->showsCorpus());
        action("random-twin")->trigger();
        QTRY_VERIFY(pageSays("The random twin has not read these sentences"));
        const trace::HeadAddress first{{AttentionKind::EncoderSelf, 0}, 0};
        const widgets::ViewContext context{.document = &document()->state(),
                                           .known = window_->findChild<app::Results*>()};
        QTRY_VERIFY(widgets::twinStatistics(context));
        QVERIFY(!table()->known().twinOf(first));
        action("random-twin")->trigger();
        QTRY_VERIFY(!pageSays("The random twin has not read these sentences"));
    }

    void aDrivingSentenceIsDecoded() {
        open();
        Q_EMIT page()->intended(widgets::intents::Decode{"He came."});
        QTRY_VERIFY(window_->controller()->run()->request.source == trace::Source(std::string("He came.")));
    }

    void stopEndsTheSentences() {
        open();
        script_.holdRuns = true;
        Q_EMIT page()->intended(widgets::intents::ReadSentences());
        QVERIFY(isReading());
        action(ActionId::Stop)->trigger();
        QVERIFY(!isReading());
        script_.holdRuns = false;
    }

    void aHeadThatIsSwitchedOffKeepsTheList() {
        open();
        action("importance")->trigger();
        search()->setText("importance > -100");
        QTRY_COMPARE(rows(), 6);
        const auto before = window_->controller()->run();
        action(ActionId::ToggleHead)->trigger();
        QTRY_VERIFY(window_->controller()->run() != before && window_->controller()->run()->complete &&
                    !window_->controller()->isDecoding());
        QCOMPARE(rows(), 6);
        QTRY_VERIFY(table()->caption().contains("before the model was changed"));
    }

    void importanceIsNotThatOfAnotherSentence() {
        open();
        action("importance")->trigger();
        search()->setText("importance > -100");
        QTRY_COMPARE(rows(), 6);
        action(ActionId::ToggleHead)->trigger();
        QTRY_VERIFY(table()->caption().contains("before the model was changed"));
        const auto before = window_->controller()->run();
        window_->findChild<widgets::SentenceEdit*>()->setText("w7 w3");
        action(ActionId::Decode)->trigger();
        QTRY_VERIFY(window_->controller()->run() != before && window_->controller()->run()->complete);
        QTRY_COMPARE(rows(), 0);
    }
};

HEADSCOPE_WATCHED_TEST(HeadTableWindowTest)
#include "head_table_window_test.moc"
