#include <QDialog>
#include <QLineEdit>
#include <QSettings>
#include <QTest>
#include <QTimer>
#include <QTreeWidget>

#include "app/window/command_palette.h"
#include "app/window/home/manual_browser.h"
#include "app/window/window_search.h"
#include "tests/app/window/bench.h"
#include "tests/app/window/real_engine_window.h"
#include "tests/watched_test.h"

#include <algorithm>

using namespace headscope;
using app::ActionId;
using trace::AttentionKind;

/// What the search of the window finds with the bundled model.
class WindowSearchTest : public tests::RealEngineWindow {
    Q_OBJECT

    /// Opens the search and types; `then` gets the dialog with its field and list.
    template <class Then>
    void search(const QString& typed, Then&& then) {
        QTimer::singleShot(0, window_.get(), [&] {
            auto* palette = qobject_cast<app::CommandPalette*>(QApplication::activeModalWidget());
            QVERIFY(palette);
            palette->findChild<QLineEdit*>()->insert(typed); // a key at a time would be many turns in one
            then(palette->findChild<QLineEdit*>(), palette->findChild<QTreeWidget*>());
            if (palette->isVisible())
                palette->reject();
        });
        trigger(ActionId::CommandPalette);
    }
    QStringList found(const QString& typed) {
        QStringList names;
        search(typed, [&](const QLineEdit*, const QTreeWidget* list) {
            for (int row = 0; row < list->topLevelItemCount(); ++row)
                names += list->topLevelItem(row)->text(0) + " | " + list->topLevelItem(row)->text(1);
        });
        return names;
    }
    void choose(const QString& typed) {
        search(typed, [](QLineEdit* line, const QTreeWidget*) { QTest::keyClick(line, Qt::Key_Return); });
    }
    trace::HeadAddress head() const { return window_->selection()->head(); }

  private Q_SLOTS:
    void initTestCase() {
        QSettings().clear();
        app::Settings().addRecentModel("/a/recent-model-it-fr");
        open({.sentence = "I don't know who wrote this letter, but I like it."});
    }
    void cleanupTestCase() { window_.reset(); }

    void theRightHitIsAmongTheFirstThree_data() {
        QTest::addColumn<QString>("hit");
        const std::initializer_list<std::pair<const char*, const char*>> hits{
            {"export", "Export Picture"},
            {"decode", "Translate"},
            {"setting", "Preferences"},
            {"preferences", "Preferences"},
            {"reference", "Force a Translation"},
            {"overview", "Grid"},
            {"ctrl+8", "Compare"},
            {"ctrl+3", "Masks"},
            {"arithmetic of a cell", "Numbers of a Cell"},
            {"settings", "Model Settings"},
            {"font", "Export Picture"},
            {"switch off", "Switch the Head Off or On"},
            {"head off", "Switch the Head Off or On"},
            {"german", "tatoeba-en-de"},
            {"entr", "Head Table"},
            {"entropy", "Head Table"},
            {"recent", "recent-model-it-fr"},
            {"head 2.5", "cross.2.5"},
            {"#2.5", "cross.2.5"},
            {"#cross.1.5", "cross.1.5"},
            {"#encoder.1.5", "encoder.1.5"},
            {"#aligns", "Heads with the role “aligns words”"},
            {"alignment", "Heads with the role “aligns words”"},
            {"@letter", "letter | Source token 8"},
            {"@Brief", "Brief | Step 7"},
            {"Brief", "Brief | Step 7"},
            {":5", "Step 5"},
            {"!tatoeba", "tatoeba-en-de"},
            {"hesitation", "Next Unsure Token"},
            {"hesitate", "Next Unsure Token"},
            {"uncertain", "Next Unsure Token"},
            {"second choice", "Next Unsure Token"},
            {"unsure", "Next Unsure Token"},
            {"which token was least certain", "Next Unsure Token"},
            {"previous token", "role “previous token”"},
            {"why masked", "Masks"},
            {"sink", "Head Table"},
            {"align", "Head Table"},
            {"aligns Buch to book", "Find Heads from Cell"},
            {"wavelength", "Positions"},
            {"checkpoint", "Open Weights File or Recording"},
            {"dark", "Dark"},
            {"tehme", "Dark"},
            {"importance", "Measure Head Importance"},
            {"knock-out", "Knock-out Loss per Source Token"},
            {"paper", "Export Picture"},
            {"review", "Classifier"},
            {"self-check", "Check the Numbers"},
            {"ctrl+z", "Undo"},
            {"long sentences", "The window: Long sentences"}};
        for (const auto& [typed, hit] : hits)
            QTest::newRow(typed) << QString::fromUtf8(hit);
    }

    void theRightHitIsAmongTheFirstThree() {
        QFETCH(QString, hit);
        const QString typed = QString::fromUtf8(QTest::currentDataTag());
        const QStringList first = found(typed).mid(0, 3);
        QVERIFY2(std::ranges::any_of(first, [&](const QString& name) { return name.contains(hit); }),
                 qPrintable(first.join('\n')));
    }

    void theFirstHitIsSelectedAndTheKeysMoveFromIt() {
        search("export", [](QLineEdit* line, QTreeWidget* list) {
            QCOMPARE(list->currentItem(), list->topLevelItem(0));
            QVERIFY(list->currentItem()->isSelected());
            QTest::keyClick(line, Qt::Key_Down);
            QCOMPARE(list->currentItem(), list->topLevelItem(1));
            QTest::keyClick(line, Qt::Key_Up);
            QTest::keyClick(line, Qt::Key_Up);
            QCOMPARE(list->currentItem(), list->topLevelItem(0));
            QTest::keyClicks(line, " this layer");
            QCOMPARE(list->topLevelItemCount(), 1);
            QVERIFY(list->topLevelItem(0)->isSelected());
            QCOMPARE(line->window()->focusWidget(), line);
            QTest::keyClick(line, Qt::Key_Escape);
            QVERIFY(!line->isVisible());
        });
    }

    void headsAreGoneToByTheirNumbers() {
        trigger(ActionId::KindEncoder);
        trigger("architecture");
        choose("#2.5");
        QVERIFY(head() == (trace::HeadAddress{{AttentionKind::EncoderSelf, 2}, 5}));
        QVERIFY(tests::bench(*window_)->isInSight("heatmap"));
        choose("#cross.1.5");
        QVERIFY(head() == (trace::HeadAddress{{AttentionKind::Cross, 1}, 5}));
        const auto none = found("#7.123");
        QCOMPARE(none.size(), 1);
        QVERIFY2(none.front().contains("count from 0") &&
                     none.front().contains("layers: 3, heads per layer: 8"),
                 qPrintable(none.front()));
    }

    void headsOfARoleAreListedAndThoseOfOneThatNoHeadHasByTheNearest() {
        const auto aligning = found("#aligns");
        QVERIFY2(aligning.front().contains("19 heads"), qPrintable(aligning.front()));
        QCOMPARE(aligning.size(), 20); // and each of them
        choose("#aligns");
        QCOMPARE(tests::bench(*window_)->frontKey(), std::string("overview"));
        trigger("heatmap");
        const auto nearest = found("#Nearest").filter("needs");
        QVERIFY(!nearest.isEmpty());
    }

    void tokensAndStepsAreGoneTo() {
        choose("@Brief");
        QCOMPARE(window_->selection()->step(), 6);
        choose(":5");
        QCOMPARE(window_->selection()->step(), 4);
        choose("@letter");
        QVERIFY(window_->selection()->pinned().sourceKey == trace::TokenIndex(8));
        choose("@letter");
        QVERIFY(!window_->selection()->pinned().isEmpty()); // it is shown, not put out
        trigger(ActionId::Unpin);
        QVERIFY(found(":99").front().contains("16"));
    }

    void aDisabledEntrySaysWhyAndDoesNothing() {
        QVERIFY(!window_->actions()[ActionId::UnpinHeads]->isEnabled());
        search("unpin all heads", [](QLineEdit* line, QTreeWidget* list) {
            QVERIFY2(list->topLevelItem(0)->text(0).contains("No head is pinned"),
                     qPrintable(list->topLevelItem(0)->text(0)));
            QTest::keyClick(line, Qt::Key_Return);
            QVERIFY(line->isVisible());
        });
    }

    void whatNothingMatchesGivesExamples() {
        search("xyzzy", [](QLineEdit* line, QTreeWidget* list) {
            QCOMPARE(list->topLevelItemCount(), 1);
            QVERIFY(list->topLevelItem(0)->text(0).contains("#2.5"));
            QVERIFY(!(list->topLevelItem(0)->flags() & Qt::ItemIsEnabled));
            QTest::keyClick(line, Qt::Key_Return);
            QVERIFY(line->isVisible());
        });
    }

    void pagesOfTheManualAreOpenedAtTheirHeading() {
        choose("long sentences");
        auto* manual = window_->findChild<app::ManualBrowser*>();
        QVERIFY(manual && manual->isVisible());
        QCOMPARE(manual->pages()[manual->page()].file, QString("window.md"));
        manual->window()->close();
    }

    void bothOfItsKeysOpenIt() {
        const auto& keys = window_->actions()[ActionId::CommandPalette]->shortcuts();
        QVERIFY(keys.contains(QKeySequence("Ctrl+K")) && keys.contains(QKeySequence("Ctrl+Shift+P")));
    }
};

HEADSCOPE_WATCHED_TEST(WindowSearchTest)
#include "window_search_test.moc"
