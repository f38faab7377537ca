#include <QAccessible>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include "tests/watched_test.h"
#include "tests/widgets/example_positions.h"
#include "widgets/export/figure_export.h"
#include "widgets/map/number_map.h"
#include "widgets/plots/readable_plot.h"
#include "widgets/views/positions/positional_encoding_view.h"
#include "widgets/views/positions/word_position_page.h"

using namespace headscope;
using namespace headscope::widgets;

class PositionalEncodingViewPagesTest : public QObject {
    Q_OBJECT

    using Page = PositionalEncodingView::Page;

    static ReadablePlot* plotNamed(const PositionalEncodingView& view, const QString& name) {
        for (ReadablePlot* plot : view.findChildren<ReadablePlot*>())
            if (plot->accessibleName() == name)
                return plot;
        return nullptr;
    }

  private Q_SLOTS:
    void thePageInSightAsks() {
        Selection selection;
        PositionalEncodingView view(&selection);
        const auto run = example::run();
        view.setRun(run);
        QSignalSpy changed(&view, &PositionalEncodingView::questionsChanged);
        view.setPage(Page::Shift);
        view.setOffset(3);
        QVERIFY(changed.size() >= 2);
        const PositionQuestion shift{
            .about = PositionQuestion::About::Shift, .table = run->model->sourcePositions, .offset = 3};
        QCOMPARE(view.question(), shift);
        QVERIFY(view.questions() == std::vector{wanted(shift)});
        view.setPage(Page::Table);
        QVERIFY(view.questions().empty());
        view.setPage(Page::Words);
        QCOMPARE(view.question(), (PositionQuestion{.about = PositionQuestion::About::Words, .run = run}));
    }

    void anAnswerIsShownAndNotAskedForAgain() {
        Selection selection;
        PositionalEncodingView view(&selection);
        const auto run = example::run();
        view.setRun(run);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        for (const auto& [page, words] :
             {std::pair(Page::Wavelengths, "sine and cosine of one frequency are adjacent"),
              std::pair(Page::Shift, "R² 1.0000 over all 511 pairs"),
              std::pair(Page::Words, "Mean share of the position")}) {
            view.setPage(page);
            QVERIFY(!view.hasFigure());
            QCOMPARE(view.caption(), "Measuring...");
            const auto* answers = example::give(view, example::positionAnswer(view, run));
            QVERIFY(view.hasFigure());
            QVERIFY(answers->awaited().empty());
            QVERIFY2(view.caption().contains(words), qPrintable(view.caption()));
        }
    }

    void anotherOffsetIsAskedForWhileTheOneBeforeIsShown() {
        Selection selection;
        PositionalEncodingView view(&selection);
        const auto run = example::run();
        view.setRun(run);
        view.setPage(Page::Shift);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        example::give(view, example::positionAnswer(view, run));
        view.setOffset(40);
        QCOMPARE(view.question()->offset, 40);
        QVERIFY(view.caption().contains("the one 1 later"));
        example::give(view, example::positionAnswer(view, run));
        QVERIFY(view.caption().contains("the one 40 later"));
        const auto other = example::withLearnedPositions(*run);
        view.setRun(other); // an answer about one table does not apply to another
        QVERIFY(!view.hasFigure());
        view.setOffset(250);
        example::give(view, example::positionAnswer(view, other));
        QVERIFY(!view.hasFigure());
        QVERIFY2(view.caption().contains("leaves 6 pairs of the 256 positions"), qPrintable(view.caption()));
    }

    void wordsThatCannotBeToldFromPositionsSaySo() {
        Selection selection;
        PositionalEncodingView view(&selection);
        view.setPage(Page::Words);
        QCOMPARE(view.caption(), "Type a sentence and press Enter to decode it.");
        auto given = example::run();
        given->request.source = trace::SourceEmbeddings{};
        given->sourcePositions = {};
        view.setRun(given);
        QVERIFY2(view.caption().startsWith("The source was given as vectors"), qPrintable(view.caption()));
        view.setRun(example::run({.positions = false}));
        QCOMPARE(view.caption(), "This model adds no positional vectors to its source.");
        view.setSide(PositionSide::Target);
        QCOMPARE(view.caption(), "This model adds no positional vectors to its target.");
        auto growing = example::run();
        growing->complete = false;
        view.setRun(growing);
        QCOMPARE(view.caption(), "The sentence is still being decoded.");
    }

    void whatATableIsStandsUnderIt() {
        Selection selection;
        PositionalEncodingView view(&selection);
        const auto run = example::run();
        view.setRun(run);
        QVERIFY2(view.caption().contains("equals the sinusoids of base 10000 to"),
                 qPrintable(view.caption()));
        view.setRun(example::withLearnedPositions(*run));
        QVERIFY2(view.caption().contains("Not sinusoidal"), qPrintable(view.caption()));
    }

    void aBiasByDistanceIsShownAsWhatItIs() {
        Selection selection;
        PositionalEncodingView view(&selection);
        const auto run = example::withDistanceBias(*example::run());
        view.setRun(run);
        for (const Page page : {Page::Curves, Page::Table}) {
            view.setPage(page);
            QVERIFY(view.hasFigure());
            QVERIFY2(view.caption().contains("Learned: one number per head and bucket"),
                     qPrintable(view.caption()));
        }
        for (const Page page : {Page::Similarity, Page::Wavelengths, Page::Shift, Page::Words}) {
            view.setPage(page);
            QVERIFY(!view.hasFigure());
            QVERIFY2(view.caption().startsWith("This model adds no positional vectors: it adds a learned"),
                     qPrintable(view.caption()));
        }
        view.setRun(example::run());
        view.setPage(Page::Curves);
        QCOMPARE(view.dimensions(), (std::vector{8, 16, 24, 32}));
    }

    void aRotationIsShownByItsWavelengths() {
        Selection selection;
        PositionalEncodingView view(&selection);
        view.setRun(example::withRotation(*example::run()));
        QVERIFY(!view.hasFigure());
        view.setPage(Page::Wavelengths);
        QVERIFY(view.hasFigure());
        auto* plot = plotNamed(view, "Wavelengths of dimensions");
        QTest::keyClick(plot, Qt::Key_Home);
        QCOMPARE(plot->accessibleDescription(),
                 "pair 0, dimensions 0 and 32: full turn after 6.2832 positions, 1 radians per position");
        const FigureBytes figure =
            figureBytes({.format = FigureFormat::Png, .size = view.figureSize(), .dpi = 96}, view);
        QCOMPARE(figure.error, QString());
    }

    void aRefusalStandsWhereThePictureWouldBe() {
        Selection selection;
        PositionalEncodingView view(&selection);
        const auto run = example::run();
        view.setRun(run);
        view.setPage(Page::Words);
        (new example::AnsweredAtOnce(&view))
            ->setRefusal(trace::RefusalText{.what = "There is not enough memory"});
        QVERIFY(!view.hasFigure());
        QCOMPARE(view.caption(), "There is not enough memory.");
        view.grab();
    }

    void aTokensRowLightsItInOtherViews() {
        Selection selection;
        PositionalEncodingView view(&selection);
        const auto run = example::run();
        view.setRun(run);
        view.setPage(Page::Words);
        example::give(view, example::positionAnswer(view, run));
        view.resize(700, 300);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        auto* bars = view.findChild<ShareBars*>();
        QSignalSpy described(&view, &PositionalEncodingView::cellDescribed);
        QTest::keyClick(bars, Qt::Key_Down);
        QTest::keyClick(bars, Qt::Key_Down);
        QCOMPARE(selection.hover(), (TokenFocus{.sourceQuery = 1, .sourceKey = 1}));
        QVERIFY(bars->accessibleDescription().contains("word 0.7956, position 0.2044"));
        QCOMPARE(described.back().front().toString(), bars->accessibleDescription());
        QTest::keyClick(bars, Qt::Key_End);
        QCOMPARE(selection.hover().sourceKey, std::optional(10));
        QVERIFY(bars->verticalScrollBar()->value() > 0);
        view.setSide(PositionSide::Target);
        QVERIFY(selection.hover().isEmpty());
        QTest::keyClick(bars, Qt::Key_Home);
        QCOMPARE(selection.hover(), (TokenFocus{.targetQuery = 0, .targetKey = 0}));
    }

    void aMarkIsReadOutByTheArrowKeys() {
        Selection selection;
        PositionalEncodingView view(&selection);
        const auto run = example::withLearnedPositions(*example::run());
        view.setRun(run);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        view.setPage(Page::Wavelengths);
        example::give(view, example::positionAnswer(view, run));
        auto* plot = plotNamed(view, "Wavelengths of dimensions");
        for (int press = 0; press < 6; ++press)
            QTest::keyClick(plot, Qt::Key_Right);
        QCOMPARE(plot->accessibleDescription(), "dimension 5 is constant");
        QTest::keyClick(plot, Qt::Key_Home);
        QVERIFY(plot->accessibleDescription().startsWith("dimension 0: a period of 21.333 positions holds"));
        view.setPage(Page::Shift);
        example::give(view, example::positionAnswer(view, run));
        plot = plotNamed(view, "Errors of the shift");
        QTest::keyClick(plot, Qt::Key_End);
        QVERIFY2(plot->accessibleDescription().startsWith("position 254 to 255: error"),
                 qPrintable(plot->accessibleDescription()));
        QVERIFY(plot->accessibleDescription().endsWith("(fitted)"));
    }

    void picturesAreTablesToReaders() {
        Selection selection;
        PositionalEncodingView view(&selection);
        const auto run = example::run();
        view.setRun(run);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        const auto table = [](QWidget* widget) {
            return QAccessible::queryAccessibleInterface(widget)->tableInterface();
        };
        view.setPage(Page::Table);
        for (auto* map :
             tests::some(view.findChildren<NumberMap*>() | std::views::filter(&NumberMap::isVisible))) {
            QCOMPARE(table(map)->columnCount(), 64);
            QTest::keyClick(map, Qt::Key_Down);
            QTest::keyClick(map, Qt::Key_Down);
            auto* cell = table(map)->cellAt(1, 0);
            QVERIFY(cell->text(QAccessible::Name).startsWith("position 1, dimension 0: "));
            QVERIFY(cell->tableCellInterface()->isSelected());
        }
        view.setPage(Page::Words);
        example::give(view, example::positionAnswer(view, run));
        auto* bars = view.findChild<ShareBars*>();
        QCOMPARE(table(bars)->rowCount(), static_cast<int>(run->source.size()));
        QVERIFY(table(bars)->cellAt(1, 0)->text(QAccessible::Name).contains("word 0.7956, position 0.2044"));
    }

    void pagesThatAskCanBeSavedOnceTheyAreAnswered() {
        Selection selection;
        PositionalEncodingView view(&selection);
        const auto run = example::run({.repeats = 5});
        view.setRun(run);
        for (const Page page : {Page::Wavelengths, Page::Shift, Page::Words}) {
            view.setPage(page);
            example::give(view, example::positionAnswer(view, run));
            for (const FigureFormat format : {FigureFormat::Png, FigureFormat::Svg, FigureFormat::Pdf}) {
                const FigureBytes figure =
                    figureBytes({.format = format, .size = view.figureSize(), .dpi = 96}, view);
                QCOMPARE(figure.error, QString());
                QVERIFY(figure.bytes.size() > 3000);
            }
        }
        QVERIFY(view.figureSize().height() > 51 * 12); // as high as its tokens
    }
};

HEADSCOPE_WATCHED_TEST(PositionalEncodingViewPagesTest)
#include "positional_encoding_view_pages_test.moc"
