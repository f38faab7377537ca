#include <QAccessible>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>

#include <array>
#include <cmath>
#include <numbers>

#include "tests/watched_test.h"
#include "tests/widgets/example_positions.h"
#include "tests/widgets/example_run.h"
#include "tests/widgets/shown_view.h"
#include "widgets/controls/card_columns.h"
#include "widgets/controls/card_head.h"
#include "widgets/drawing/theme.h"
#include "widgets/export/figure_export.h"
#include "widgets/map/number_map.h"
#include "widgets/plots/readable_plot.h"
#include "widgets/views/positions/position_curves.h"
#include "widgets/views/positions/position_words.h"
#include "widgets/views/positions/positional_encoding_view.h"
#include "widgets/views/positions/word_position_page.h"

using namespace headscope;
using namespace headscope::widgets;
using tests::childNamed;
using tests::isSeen;
using tests::ShownView;

class PositionalEncodingViewTest : public QObject {
    Q_OBJECT

    using Page = PositionalEncodingView::Page;

    /// The view below the controls.
    static QImage picture(PositionalEncodingView& view) {
        QCoreApplication::processEvents();
        return view.grab().toImage();
    }

  private Q_SLOTS:
    void theFirstHundredPositionsAreShown() {
        auto&& [selection, view] = ShownView<PositionalEncodingView>(example::run());
        QCOMPARE(view.positionsShown(), 100);
        QVERIFY2(view.caption().contains("the first 100 of 512 positions"), qPrintable(view.caption()));
        QVERIFY(view.caption().contains("11 positions"));
        QVERIFY(view.caption().endsWith("Model: example-en-de."));
    }

    /// As in a small window with a panel below: the caption scrolls too.
    void withLittleRoomTheCurvesKeepTheirHeightAndScroll() {
        auto&& [selection, view] = ShownView<PositionalEncodingView>(example::run());
        auto* curves = view.findChild<PositionCurves*>();
        const auto* area = view.findChild<CardColumns*>();
        for (const QSize size : {QSize(1360, 690), QSize(1360, 180), QSize(700, 690)}) {
            view.resize(size);
            picture(view);
            QVERIFY(curves->height() >= curves->minimumSizeHint().height());
            QCOMPARE(area->verticalScrollBar()->maximum() > 0, size != QSize(1360, 690));
            QCOMPARE(area->horizontalScrollBar()->maximum(), 0);
        }
    }

    void allCardsAreSeenTogetherAndTheirQuestionsAsked() {
        auto&& [selection, view] = ShownView<PositionalEncodingView>();
        const auto run = example::run();
        view.setRun(run);
        QVERIFY(isSeen(view, {1360, 690}));
        const auto asks = [&](PositionQuestion::About about) {
            return std::ranges::count_if(view.questions(), [&](const trace::Wanted& each) {
                const auto* counted = std::get_if<trace::Counted>(&each);
                return counted && std::ranges::any_of(
                                      std::array{Page::Wavelengths, Page::Shift, Page::Scores, Page::Words},
                                      [&](Page page) {
                                          const auto one = view.question(page);
                                          return one && one->about == about && wanted(*one) == each;
                                      });
            });
        };
        using About = PositionQuestion::About;
        for (const About about : {About::Wavelengths, About::Scores, About::Words})
            QCOMPARE(asks(about), 1);
        QCOMPARE(asks(About::Shift), 0); // behind the wavelengths
        for (const Page page : {Page::Wavelengths, Page::Words, Page::Scores}) {
            view.setPage(page);
            example::give(view, example::positionAnswer(view, run));
        }
        for (QWidget* part : std::initializer_list<QWidget*>{
                 view.findChild<PositionCurves*>(), childNamed<ReadablePlot>(view, "Wavelengths of"),
                 childNamed<ReadablePlot>(view, "Shares of the scores'"), view.findChild<ScoreTermMaps*>(),
                 childNamed<ReadablePlot>(view, "Share of the position")})
            QVERIFY2(part && part->isVisible() && part->height() > 60,
                     part ? qPrintable(part->accessibleName()) : "");
        view.showPicture({}); // a command draws one page and asks about nothing else
        QCOMPARE(view.questions().size(), std::size_t(1));
    }

    void aChosenPageIsSeenInItsCardBesideWhatTheOthersShow() {
        auto&& [selection, view] = ShownView<PositionalEncodingView>(example::run());
        QVERIFY(isSeen(view, {1360, 690}));
        auto* table = childNamed<NumberMap>(view, "Positional vectors");
        view.setPage(Page::Table);
        QVERIFY(table->isVisible());
        view.setPage(Page::Shift);
        QVERIFY(table->isVisible());
        const auto& pressed = view.findChildren<QToolButton*>();
        const auto isDown = [&](const QString& text) {
            return std::ranges::any_of(
                pressed, [&](const auto* button) { return button->text() == text && button->isChecked(); });
        };
        QVERIFY(isDown("Table") && isDown("Shift") && !isDown("Wavelengths"));
        QCOMPARE(view.page(), Page::Shift);
        tests::buttonOf<QToolButton>(view, "Similarity")->click();
        QCOMPARE(view.page(), Page::Similarity);
        view.findChild<ScoreTermMaps*>()->setFocus(); // what has the keys is what a figure shows
        QCOMPARE(view.page(), Page::Scores);
    }

    void aDimensionIsFoundByItsWavelength() {
        auto&& [selection, view] = ShownView<PositionalEncodingView>();
        const auto run = example::run();
        view.setRun(run);
        view.setPage(Page::Wavelengths);
        example::give(view, example::positionAnswer(view, run));
        auto* field = childNamed<QLineEdit>(view, "Wavelength to look for");
        QTest::keyClicks(field, "60");
        double nearest = 0; // 2 pi 10000^(2m/64)
        int pair = 0;
        for (int m = 0; m < 32; ++m)
            if (const double length = 2 * std::numbers::pi * std::pow(10000, m / 32.0);
                std::abs(std::log(length / 60)) < std::abs(std::log(nearest / 60)) || m == 0)
                std::tie(nearest, pair) = std::pair(length, m);
        const QString expected =
            QString("%1, %2 (%3)").arg(2 * pair).arg(2 * pair + 1).arg(nearest, 0, 'f', 1);
        const auto says = [&, &view = view](const QString& words) {
            return std::ranges::any_of(view.findChildren<QLabel*>(), [&](const QLabel* label) {
                return label->text() == words && !label->isHidden();
            });
        };
        QVERIFY2(says(expected), qPrintable(expected));
        QTest::keyClicks(field, "x");
        QVERIFY(!says(expected));
        QVERIFY(nearestWavelengths({0, 10, 20, 20}, "19") == (std::vector{2, 3}));
        QVERIFY(nearestWavelengths({0, 10, 20}, "-1").empty());
    }

    void whatAModelLacksIsLeftOut() {
        const auto shown = [](std::shared_ptr<trace::Run> run) {
            auto view = std::make_unique<ShownView<PositionalEncodingView>>(std::move(run));
            const auto isThere = [&](const char* title) {
                return std::ranges::any_of(view->view.findChildren<CardHead*>(), [&](const CardHead* head) {
                    return head->accessibleName() == title && head->isVisibleTo(&view->view);
                });
            };
            return QStringList{isThere("How it turns") ? "turns" : "",
                               isThere("How heads use positions") ? "heads" : "",
                               isThere("Input vectors") ? "vectors" : ""}
                .join(' ')
                .simplified();
        };
        const auto run = example::run();
        QCOMPARE(shown(example::run()), "turns heads vectors");
        QCOMPARE(shown(example::withDistanceBias(*run)), "heads");
        QCOMPARE(shown(example::withRotation(*run)), "turns");
        QCOMPARE(shown(example::run({.positions = false})), "");
    }

    void aLitTokenIsMarkedInTheVectorsAndAPointedOneInTheStrip() {
        auto&& [selection, view] = ShownView<PositionalEncodingView>();
        const auto run = example::run();
        view.setRun(run);
        QVERIFY(isSeen(view, {1360, 690}));
        view.setPage(Page::Words);
        example::give(view, example::positionAnswer(view, run));
        auto* chart = childNamed<ReadablePlot>(view, "Share of the position");
        const QImage before = chart->grab().toImage();
        selection.setHover({.sourceKey = 5});
        QVERIFY(chart->grab().toImage() != before);
        selection.setHover({});
        QCOMPARE(chart->grab().toImage(), before);
        QTest::keyClick(chart, Qt::Key_Right);
        QTest::keyClick(chart, Qt::Key_Right);
        QCOMPARE(selection.hover(), (TokenFocus{.sourceQuery = 1, .sourceKey = 1}));
        QTest::keyClick(chart, Qt::Key_Return);
        QCOMPARE(selection.pinned(), (TokenFocus{.sourceQuery = 1, .sourceKey = 1}));
    }

    void aModelWithoutPositionsSaysSo() {
        auto&& [selection, view] = ShownView<PositionalEncodingView>(example::run({.positions = false}));
        QVERIFY(!view.hasFigure());
        QCOMPARE(view.caption(), "This model adds no positional vectors to its source.");
        view.setSide(PositionSide::Target);
        QCOMPARE(view.caption(), "This model adds no positional vectors to its target.");
        view.grab();
    }

    void similarityComparesNoMoreThanItSays() {
        auto&& [selection, view] = ShownView<PositionalEncodingView>(example::run({.repeats = 60}));
        view.setPositionsShown(700);
        QVERIFY(view.caption().contains("the first 700 of 720"));
        view.setPage(Page::Similarity);
        QVERIFY2(view.caption().contains("the first 512 of 720"), qPrintable(view.caption()));
    }

    void atFirstFewDimensionsAreDrawnOverTheWavelengths() {
        auto&& [selection, view] = ShownView<PositionalEncodingView>(example::run());
        QCOMPARE(view.dimensions(), (std::vector<int>{8, 16, 24, 32}));
        QVERIFY2(view.caption().startsWith("4 of the 64 dimensions (8, 16, 24, 32) of the vectors that"),
                 qPrintable(view.caption()));
        view.setDimensions({5});
        view.setRun(example::run()); // dimensions chosen by the user are kept
        QCOMPARE(view.dimensions(), std::vector<int>{5});
    }

    /// The pills of the dimensions.
    static std::vector<QAbstractButton*> pills(const PositionalEncodingView& view) {
        std::vector<QAbstractButton*> pills;
        for (auto* button : view.findChildren<QAbstractButton*>())
            if (button->accessibleName().startsWith("Dimension ") && !button->isHidden())
                pills.push_back(button);
        return pills;
    }

    void dimensionsAreAddedAndRemovedAsPills() {
        auto&& [selection, view] = ShownView<PositionalEncodingView>(example::run());
        QVERIFY(isSeen(view, {700, 800}));
        QCOMPARE(pills(view).size(), std::size_t{4});
        for (int left = 3; left > 0; --left)
            pills(view).front()->click();
        QCOMPARE(view.dimensions(), std::vector<int>{32});
        QVERIFY(!pills(view).front()->isEnabled()); // the last one stays
        const auto type = [&view = view](const char* numbers) {
            childNamed<QToolButton>(view, "Add a dimension")->click();
            auto* field = childNamed<QLineEdit>(view, "Add a dimension");
            QTest::keyClicks(field, numbers);
            QTest::keyClick(field, Qt::Key_Return);
            return field;
        };
        QVERIFY(type("8,9-11")->isHidden());
        QCOMPARE(view.dimensions(), (std::vector<int>{32, 8, 9, 10, 11}));
        auto* field = type("999");
        QVERIFY(!field->isHidden());
        QTest::keyClick(field, Qt::Key_Escape);
        QVERIFY(field->isHidden());
        QCOMPARE(view.dimensions(), (std::vector<int>{32, 8, 9, 10, 11}));
        type("0-7");
        QCOMPARE(view.dimensions().size(), PositionCurves::mostCurves);
        QVERIFY(!childNamed<QToolButton>(view, "Add a dimension")->isEnabled());
    }

    /// Of the formula, not of the table.
    void aPillHasTheValueAtTheMarkedPosition() {
        auto&& [selection, view] = ShownView<PositionalEncodingView>(example::run());
        QCOMPARE(pills(view).front()->accessibleName(), "Dimension 8");
        selection.togglePinned({.sourceQuery = 3, .sourceKey = 3});
        for (std::size_t i = 0; i < 4; ++i) {
            const int dimension = view.dimensions()[i];
            const QString value = QString::number(std::sin(3 * std::pow(10'000, -dimension / 64.0)), 'f', 2);
            QCOMPARE(pills(view)[i]->accessibleName(), QString("Dimension %1: %2").arg(dimension).arg(value));
        }
        selection.clearPinned();
        QCOMPARE(pills(view).front()->accessibleName(), "Dimension 8");
    }

    void aTableShowsTheVectorsAsTheyAre() {
        NumberMap map("Vectors");
        map.setPalette(paletteOf(lightTheme()));
        trace::Matrix values(3, 4);
        values(0, 0) = 1;
        values(2, 3) = -1;
        map.setMatrix(values, 1,
                      [](MapCell cell) { return QString("%1 %2").arg(cell.row).arg(cell.column); });
        QVERIFY(isSeen(map, {400, 300}));
        QTest::keyClick(&map, Qt::Key_Right);
        QCOMPARE(map.accessibleDescription(), "0 0");
        QTest::keyClick(&map, Qt::Key_Down);
        QTest::keyClick(&map, Qt::Key_End);
        QCOMPARE(map.accessibleDescription(), "1 3");
    }

    void aTableIsZoomedByKeys() {
        NumberMap map("Vectors");
        trace::Matrix values(20, 30);
        for (std::size_t i = 0; i < values.values().size(); ++i)
            values.values()[i] = static_cast<float>(std::sin(double(i)));
        map.setMatrix(values, 1, [](MapCell) { return QString(); });
        QVERIFY(isSeen(map, {400, 300}));
        QTest::keyClick(&map, Qt::Key_Right);
        const QImage whole = map.grab().toImage();
        QTest::keyClick(&map, Qt::Key_Plus);
        const QImage near = map.grab().toImage();
        QVERIFY(near != whole);
        QTest::keyClick(&map, Qt::Key_Plus);
        QTest::keyClick(&map, Qt::Key_Minus);
        QCOMPARE(map.grab().toImage(), near);
        QTest::keyClick(&map, Qt::Key_0);
        QCOMPARE(map.grab().toImage(), whole);
    }

    void savedCurvesKeepTheirNumbersAsText() {
        auto&& [selection, view] = ShownView<PositionalEncodingView>(example::run());
        const FigureBytes figure =
            figureBytes({.format = FigureFormat::Svg, .size = view.figureSize(), .dpi = 96}, view);
        QVERIFY(figure.bytes.contains("dim 8"));
        QVERIFY(figure.bytes.contains("position"));
        QVERIFY(!figure.bytes.contains("<image"));
    }

    void aLitTokenIsMarkedOnEveryPage() {
        auto&& [selection, view] = ShownView<PositionalEncodingView>(example::run());
        view.resize(700, 500);
        for (const Page page : {Page::Curves, Page::Table, Page::Similarity}) {
            view.setPage(page);
            QVERIFY(isSeen(view));
            const QImage before = picture(view);
            selection.setHover({.sourceKey = 5});
            QVERIFY(picture(view) != before);
            selection.setHover({.targetKey = 5});
            QCOMPARE(picture(view), before);
            selection.setHover({});
        }
    }

    void aFigureDoesNotShowThePointer() {
        auto&& [selection, view] = ShownView<PositionalEncodingView>(example::run());
        for (const Page page : {Page::Curves, Page::Table, Page::Similarity}) {
            view.setPage(page);
            const auto bytes = [&] {
                return figureBytes({.format = FigureFormat::Png, .size = {500, 400}, .dpi = 96}, view).bytes;
            };
            const QByteArray before = bytes();
            selection.setHover({.sourceKey = 5});
            QCOMPARE(bytes(), before);
            selection.setHover({});
        }
    }

    void pointingAtAPositionLightsItsToken() {
        auto&& [selection, view] = ShownView<PositionalEncodingView>(example::run());
        auto* map = childNamed<NumberMap>(view, "Positional vectors");
        Q_EMIT map->cursorMoved(MapCell{4, 60});
        QCOMPARE(selection.hover(), (TokenFocus{.sourceQuery = 4, .sourceKey = 4}));
        Q_EMIT map->cursorMoved(MapCell{70, 1});
        QVERIFY(selection.hover().isEmpty());
        view.setSide(PositionSide::Target);
        auto* similarity = childNamed<NumberMap>(view, "Similarity of positions");
        Q_EMIT similarity->cursorMoved(MapCell{4, 2});
        QCOMPARE(selection.hover(), (TokenFocus{.targetQuery = 4, .targetKey = 2}));
        Q_EMIT similarity->cursorMoved(std::nullopt);
        QVERIFY(selection.hover().isEmpty());
    }

    void theCurvesLightTheTokenUnderThePointerAndAClickPinsIt() {
        auto&& [selection, view] = ShownView<PositionalEncodingView>(example::run());
        QVERIFY(isSeen(view, {900, 600}));
        auto* curves = view.findChild<PositionCurves*>();
        QWidget* plot = curves->focusProxy();
        for (int press = 0; press < 4; ++press)
            QTest::keyClick(plot, Qt::Key_Right);
        const TokenFocus third{.sourceQuery = 3, .sourceKey = 3};
        QCOMPARE(selection.hover(), third);
        QVERIFY(plot->accessibleDescription().startsWith("Position 3:"));
        QTest::keyClick(plot, Qt::Key_Return);
        QCOMPARE(selection.pinned(), third);
        QTest::keyClick(plot, Qt::Key_Return);
        QVERIFY(selection.pinned().isEmpty());
        QTest::mouseMove(plot, plot->rect().center());
        QTest::mouseClick(plot, Qt::LeftButton, {}, plot->rect().center());
        QVERIFY(selection.pinned().isEmpty()); // the sentence has no position there
    }

    /// A figure does not show that there is more.
    void aFigureSaysWhichPartIsZoomedInOn() {
        auto&& [selection, view] = ShownView<PositionalEncodingView>(example::run());
        QVERIFY(isSeen(view, {1400, 900}));
        const auto zoom = [](QWidget* target) {
            const QPointF at = target->rect().center();
            QWheelEvent wheel(at, target->mapToGlobal(at), {}, {0, 960}, {}, {}, Qt::NoScrollPhase, false);
            QCoreApplication::sendEvent(target, &wheel);
        };
        QCOMPARE(view.partInWords(), QString());
        QVERIFY(!view.figureText().caption.contains("Visible"));
        zoom(view.findChild<PositionCurves*>()->focusProxy());
        QVERIFY2(view.figureText().caption.contains(
                     QRegularExpression("Visible: positions [1-9]\\d* to [1-8]\\d, values .* to ")),
                 qPrintable(view.figureText().caption));
        for (const auto page :
             {PositionalEncodingView::Page::Table, PositionalEncodingView::Page::Similarity}) {
            view.setPage(page);
            QCoreApplication::processEvents();
            QVERIFY(!view.figureText().caption.contains("Visible"));
            for (auto* map : view.findChildren<NumberMap*>())
                if (map->isVisible())
                    zoom(map);
            QVERIFY2(view.figureText().caption.contains(QRegularExpression(
                         "Visible: rows [1-9]\\d* to [1-8]\\d, columns [1-9]\\d* to \\d+\\.")),
                     qPrintable(view.figureText().caption));
        }
    }

    void everyControlHasANameForReaders() {
        auto&& [selection, view] = ShownView<PositionalEncodingView>();
        const auto takesKeys = [&](const QWidget* control) {
            return control->window() == &view && // the list of a combo box is a window of its own
                   control->focusPolicy() & Qt::TabFocus && !control->focusProxy() &&
                   !qobject_cast<const QLineEdit*>(control);
        };
        for (const QWidget* control :
             tests::some(view.findChildren<QWidget*>() | std::views::filter(takesKeys)))
            QVERIFY2(!control->accessibleName().isEmpty(), control->metaObject()->className());
    }

    void thePageInSightAsks() {
        auto&& [selection, view] = ShownView<PositionalEncodingView>();
        const auto run = example::run();
        view.setRun(run);
        QSignalSpy changed(&view, &PositionalEncodingView::questionsChanged);
        view.setPage(Page::Shift);
        view.setOffset(3);
        QVERIFY(changed.size() >= 2);
        const PositionQuestion shift{
            .about = PositionQuestion::About::Shift, .table = run->model->sourcePositions, .offset = 3};
        QCOMPARE(view.question(), shift);
        view.showPicture({});
        QVERIFY(view.questions() == std::vector{wanted(shift)});
        view.setPage(Page::Table);
        QVERIFY(view.questions().empty());
        view.setPage(Page::Words);
        QCOMPARE(view.question(), (PositionQuestion{.about = PositionQuestion::About::Words, .run = run}));
    }

    void anAnswerIsShownAndNotAskedForAgain() {
        auto&& [selection, view] = ShownView<PositionalEncodingView>();
        const auto run = example::run();
        view.setRun(run);
        QVERIFY(isSeen(view));
        for (const auto& [page, words] :
             {std::pair(Page::Wavelengths, "sine and cosine of one frequency are adjacent"),
              std::pair(Page::Shift, "R² 1.0000 over all 511 pairs"),
              std::pair(Page::Words, "Mean share of the position")}) {
            view.setPage(page);
            QVERIFY(!view.hasFigure());
            QCOMPARE(view.caption(), "Measuring...");
            const auto* answers = example::give(view, example::positionAnswer(view, run));
            QVERIFY(view.hasFigure());
            QVERIFY(!answers->isAwaited(wanted(*view.question())));
            QVERIFY2(view.caption().contains(words), qPrintable(view.caption()));
        }
    }

    void anotherOffsetIsAskedForWhileTheOneBeforeIsShown() {
        auto&& [selection, view] = ShownView<PositionalEncodingView>();
        const auto run = example::run();
        view.setRun(run);
        view.setPage(Page::Shift);
        QVERIFY(isSeen(view));
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
        auto&& [selection, view] = ShownView<PositionalEncodingView>();
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
        auto&& [selection, view] = ShownView<PositionalEncodingView>();
        const auto run = example::run();
        view.setRun(run);
        QVERIFY2(view.caption().contains("equals the sinusoids of base 10000 to"),
                 qPrintable(view.caption()));
        view.setRun(example::withLearnedPositions(*run));
        QVERIFY2(view.caption().contains("Not sinusoidal"), qPrintable(view.caption()));
    }

    void aBiasByDistanceIsShownAsWhatItIs() {
        auto&& [selection, view] = ShownView<PositionalEncodingView>();
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
            QVERIFY2(view.caption().startsWith("This model adds no positional vectors: it adds a number"),
                     qPrintable(view.caption()));
        }
        view.setRun(example::run());
        view.setPage(Page::Curves);
        QCOMPARE(view.dimensions(), (std::vector{8, 16, 24, 32}));
    }

    void aRotationIsShownByItsWavelengths() {
        auto&& [selection, view] = ShownView<PositionalEncodingView>(example::withRotation(*example::run()));
        QVERIFY(!view.hasFigure());
        view.setPage(Page::Wavelengths);
        QVERIFY(view.hasFigure());
        auto* plot = childNamed<ReadablePlot>(view, "Wavelengths of dimensions");
        QTest::keyClick(plot, Qt::Key_Home);
        QCOMPARE(plot->accessibleDescription(),
                 "pair 0, dimensions 0 and 32: full turn after 6.2832 positions, 1 radians per position");
        const FigureBytes figure =
            figureBytes({.format = FigureFormat::Png, .size = view.figureSize(), .dpi = 96}, view);
        QCOMPARE(figure.error, QString());
    }

    void aRefusalStandsWhereThePictureWouldBe() {
        auto&& [selection, view] = ShownView<PositionalEncodingView>();
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
        auto&& [selection, view] = ShownView<PositionalEncodingView>();
        const auto run = example::run();
        view.setRun(run);
        view.setPage(Page::Words);
        example::give(view, example::positionAnswer(view, run));
        QVERIFY(isSeen(view, {700, 300}));
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
        auto&& [selection, view] = ShownView<PositionalEncodingView>();
        const auto run = example::withLearnedPositions(*example::run());
        view.setRun(run);
        QVERIFY(isSeen(view));
        view.setPage(Page::Wavelengths);
        example::give(view, example::positionAnswer(view, run));
        auto* plot = childNamed<ReadablePlot>(view, "Wavelengths of dimensions");
        for (int press = 0; press < 6; ++press)
            QTest::keyClick(plot, Qt::Key_Right);
        QCOMPARE(plot->accessibleDescription(), "dimension 5 is constant");
        QTest::keyClick(plot, Qt::Key_Home);
        QVERIFY(plot->accessibleDescription().startsWith("dimension 0: a period of 21.333 positions holds"));
        view.setPage(Page::Shift);
        example::give(view, example::positionAnswer(view, run));
        plot = childNamed<ReadablePlot>(view, "Errors of the shift");
        QTest::keyClick(plot, Qt::Key_End);
        QVERIFY2(plot->accessibleDescription().startsWith("position 254 to 255: error"),
                 qPrintable(plot->accessibleDescription()));
        QVERIFY(plot->accessibleDescription().endsWith("(fitted)"));
    }

    void picturesAreTablesToReaders() {
        auto&& [selection, view] = ShownView<PositionalEncodingView>();
        const auto run = example::run();
        view.setRun(run);
        QVERIFY(isSeen(view));
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

    void aFigureOfSharesIsAsHighAsItsTokens() {
        auto&& [selection, view] = ShownView<PositionalEncodingView>();
        const auto run = example::run({.repeats = 5});
        view.setRun(run);
        view.setPage(Page::Words);
        example::give(view, example::positionAnswer(view, run));
        QVERIFY(view.figureSize().height() > 51 * 12);
    }
};

HEADSCOPE_WATCHED_TEST(PositionalEncodingViewTest)
#include "positional_encoding_view_test.moc"
