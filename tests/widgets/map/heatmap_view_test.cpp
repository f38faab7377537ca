#include <QAccessible>
#include <QApplication>
#include <QPainter>
#include <QTest>
#include <QToolTip>

#include "tests/watched_test.h"
#include "tests/widgets/example_maps.h"
#include "tests/widgets/shown_heatmap.h"
#include "widgets/export/figure_export.h"

#include <set>

using namespace headscope;
using namespace headscope::heatmaps;
using namespace headscope::widgets;
using trace::AttentionKind;

class HeatmapViewTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void cellsHaveTheColoursOfTheirWeights() {
        Selection selection;
        selection.setHead(example::aligningHead);
        HeatmapView view(&selection);
        const auto run = example::run();
        view.setRun(run);
        show(view);
        const auto scale = ColourScale::sequential(0, 1, ColourMapping::Linear, false);
        const QImage image = pictureOf(view);
        for (int row = 0; row < 12; ++row)
            for (int column = 0; column < 11; ++column)
                QCOMPARE(image.pixel(middleOf(view, row, column)),
                         scale.colour(run->cross[2].weights(5, std::size_t(row), std::size_t(column))));
    }

    void firstRowIsDrawnAtTheTop() {
        Selection selection;
        selection.setHead(decoderHead);
        HeatmapView view(&selection);
        view.setRun(example::run());
        show(view);
        const auto scale = ColourScale::sequential(0, 1, ColourMapping::Linear, false);
        QCOMPARE(pictureOf(view).pixel(middleOf(view, 0, 0)), scale.colour(1));
        QVERIFY(view.mapLayout().cellRect(0, 0).top() < view.mapLayout().cellRect(1, 0).top());
    }

    void maskedCellsAreHatched() {
        for (const Quantity quantity : {Quantity::Weights, Quantity::OpenScores}) {
            Selection selection;
            selection.setHead(decoderHead);
            HeatmapView view(&selection);
            view.setRun(example::run());
            view.setQuantity(quantity);
            show(view);
            const QImage image = pictureOf(view);
            const QRect cell = view.mapLayout().cellRect(1, 8).toRect().adjusted(2, 2, -2, -2);
            std::set<QRgb> seen;
            for (int x = cell.left(); x < cell.right(); ++x)
                for (int y = cell.top(); y < cell.bottom(); ++y)
                    seen.insert(image.pixel(x, y));
            QCOMPARE(seen, (std::set{lightTheme().hatch.rgb(), lightTheme().background.rgb()}));
        }
    }

    void aRowWithoutAnAllowedKeyIsHatchedWhole() {
        Selection selection;
        selection.setHead(example::aligningHead);
        HeatmapView view(&selection);
        auto run = example::run();
        for (std::size_t key = 0; key < run->source.size(); ++key)
            run->cross[2].mask(8, key) = 0;
        view.setRun(run);
        show(view);
        const QImage image = pictureOf(view);
        const QRect row = view.mapLayout().rowRect(8).toRect().adjusted(2, 2, -3, -3);
        std::set<QRgb> seen;
        for (int x = row.left(); x < row.right(); ++x)
            seen.insert(image.pixel(x, row.center().y()));
        QCOMPARE(seen, (std::set{lightTheme().hatch.rgb(), lightTheme().background.rgb()}));
    }

    void notANumberIsNotDrawnAsZero() {
        Selection selection;
        selection.setHead(example::aligningHead);
        HeatmapView view(&selection);
        auto run = example::run();
        run->cross[2].weights.at(5, 7, 7) = std::nanf("");
        view.setRun(run);
        show(view);
        QCOMPARE(pictureOf(view).pixel(middleOf(view, 7, 7)), ColourScale().notANumber());
    }

    void aTokenThatLooksLikeMarkupIsShownAsItIs() {
        Selection selection;
        selection.setHead(example::aligningHead);
        HeatmapView view(&selection);
        auto run = example::run();
        run->source[2].piece = "<b>";
        view.setRun(run);
        show(view);
        QHelpEvent help(QEvent::ToolTip, middleOf(view, 2, 2), view.mapToGlobal(middleOf(view, 2, 2)));
        QCoreApplication::sendEvent(&view, &help);
        QVERIFY(QToolTip::text().contains("&lt;b&gt;"));
        QVERIFY(!QToolTip::text().contains("<b>"));
        QToolTip::hideText();
    }

    void theTooltipIsNearThePointerAndNearTheCellOfTheKeyboard() {
        Selection selection;
        selection.setHead(example::aligningHead);
        HeatmapView view(&selection);
        view.setRun(example::run());
        show(view);
        QVERIFY(QTest::qWaitForWindowActive(&view));
        // Pixels between the tooltip that is shown and a point of the view.
        const auto distance = [&](const QPoint& point) {
            for (const QWidget* window : QApplication::topLevelWidgets())
                if (window->inherits("QTipLabel") && window->isVisible()) {
                    const QPoint there = view.mapToGlobal(point);
                    const QRect tip = window->geometry();
                    return std::max({tip.left() - there.x(), there.x() - tip.right(), tip.top() - there.y(),
                                     there.y() - tip.bottom()});
                }
            return 1000;
        };
        for (const auto& [row, column] : {std::pair(0, 0), {0, 10}, {5, 4}, {11, 0}, {11, 10}}) {
            const QPoint pointer = middleOf(view, row, column);
            QHelpEvent help(QEvent::ToolTip, pointer, view.mapToGlobal(pointer));
            QCoreApplication::sendEvent(&view, &help);
            QVERIFY2(distance(pointer) <= 40, qPrintable(QString::number(distance(pointer))));
            QToolTip::hideText();
        }
        for (const int key : {Qt::Key_Right, Qt::Key_Down, Qt::Key_Home, Qt::Key_End}) {
            QTest::keyClick(&view, Qt::Key(key));
            const auto cell = view.cursorCell();
            QVERIFY(cell && distance(middleOf(view, cell->row, cell->column)) <= 40);
        }
        QToolTip::hideText();
    }

    void aHeadThatDoesNotExistIsSaidInWords() {
        Selection selection;
        selection.setHead({{AttentionKind::Cross, 9}, 0});
        HeatmapView view(&selection);
        view.setRun(example::run());
        show(view);
        QVERIFY(!view.hasFigure());
        selection.setHead({{AttentionKind::Cross, 0}, 99});
        QVERIFY(!view.hasFigure());
        QTest::keyClick(&view, Qt::Key_Right);
        QTest::mouseMove(&view, QPoint(300, 300));
        QVERIFY(selection.hover().isEmpty());
        pictureOf(view);
    }

    void aRunWithoutRowsYetIsNoError() {
        Selection selection;
        selection.setHead(example::aligningHead);
        HeatmapView view(&selection);
        auto run = example::run();
        run->cross.clear();
        run->decoder.clear();
        run->target.resize(1);
        run->next.clear();
        view.setRun(run);
        show(view);
        QVERIFY(!view.hasFigure());
        view.setRun(nullptr);
        pictureOf(view);
    }

    void theMapStaysWhateverIsSaidOfIt() {
        Selection selection;
        selection.setHead(example::aligningHead);
        HeatmapView view(&selection);
        view.expectEffect();
        const auto run = example::run();
        view.setRun(run);
        show(view, {480, 560});
        const QRectF place = view.mapLayout().plot();
        const double line = QFontMetricsF(view.font()).height();
        QVERIFY(view.height() - place.bottom() < 2 * line + 30); // two lines and their margins
        const auto stays = [&](const char* after) { QVERIFY2(view.mapLayout().plot() == place, after); };
        for (int head = 0; head < 8; ++head)
            for (int step = 0; step < 12; ++step) {
                selection.setHead({{AttentionKind::Cross, 1}, head});
                selection.setStep(step);
                stays("another head or step");
            }
        view.setCause({.isAwaited = true, .progress = "Measured: 40 of 449 source tokens."});
        stays("what is measured");
        view.setCause(example::cause(*run, 5));
        stays("a cause");
    }

    void theFigureIsTheScreenWithoutThePointer() {
        Selection selection;
        selection.setHead(example::aligningHead);
        HeatmapView view(&selection);
        view.setRun(example::run());
        QImage without(view.figureSize(), QImage::Format_RGB32);
        QPainter painter(&without);
        view.drawFigure(painter, without.size(), lightTheme());
        painter.end();
        selection.setHover(TokenFocus::cell(AttentionKind::Cross, 2, 2));
        QImage with(view.figureSize(), QImage::Format_RGB32);
        QPainter again(&with);
        view.drawFigure(again, with.size(), lightTheme());
        again.end();
        QCOMPARE(with, without);
        QCOMPARE(view.figureText().title, "cross.2.5");
        QVERIFY(view.figureText().caption.startsWith(
            "Cross-attention cross.2.5 (of 3 layers, 8 heads per layer) of"));
    }

    void withoutMarksAFigureIsTheSameAtEveryStep() {
        Selection selection;
        selection.setHead(example::aligningHead);
        HeatmapView view(&selection);
        view.setRun(example::run());
        const auto drawn = [&](const FigureParts& parts) {
            return figureBytes({.format = FigureFormat::Svg, .size = view.figureSize(), .parts = parts}, view)
                .bytes;
        };
        const FigureParts unmarked{.marks = false};
        const QByteArray marked = drawn({}), before = drawn(unmarked);
        QVERIFY(!before.isEmpty() && marked != before);
        selection.setStep(4);
        selection.togglePinned(TokenFocus::cell(AttentionKind::Cross, 2, 2));
        QVERIFY(drawn({}) != marked);
        QVERIFY(drawn(unmarked) == before);
    }

    void withoutNotesAFigureHasNoHintAndNoRoomForIt() {
        Selection selection;
        selection.setHead(example::aligningHead);
        HeatmapView view(&selection);
        const auto run = example::run();
        view.setRun(run);
        view.setEffect(example::normWeighted(*run, example::aligningHead.site));
        MapOptions options;
        options.numbers = true;
        view.setOptions(options);
        const auto drawn = [&](const FigureParts& parts) {
            // So low that numbers have no room.
            const QSize size = suggestedSize(view, parts);
            return figureBytes({.format = FigureFormat::Svg, .size = size, .parts = parts}, view).bytes;
        };
        const FigureParts silent{.notes = false};
        const QByteArray hint("weights and"), axes("Rows: ");
        QVERIFY(drawn({}).contains(hint) && drawn({}).contains(axes));
        QVERIFY(!drawn(silent).contains(hint) && drawn(silent).contains(axes));
        QVERIFY(drawn(silent).contains("Cross-attention cross.2.5"));
        const QSize whole = view.figureSize(), lower = suggestedSize(view, silent);
        QVERIFY(lower.height() < whole.height());
        const QSize bare = suggestedSize(view, {.caption = false, .notes = false});
        QVERIFY(bare.height() < lower.height());
        QVERIFY(suggestedSize(view, {.caption = false}).height() > bare.height()); // the hint stays
        QVERIFY(drawn({.caption = false}).contains(hint));
    }

    void theFigureMarksTheStepAndWhatIsPinned() {
        Selection selection;
        selection.setHead(example::aligningHead);
        HeatmapView view(&selection);
        view.setRun(example::run());
        const auto drawn = [&] {
            QImage image(view.figureSize(), QImage::Format_RGB32);
            QPainter painter(&image);
            view.drawFigure(painter, image.size(), lightTheme());
            return image;
        };
        const auto holds = [](const QImage& image, const QColor& colour) {
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    if (image.pixelColor(x, y) == colour)
                        return true;
            return false;
        };
        const QImage first = drawn();
        QVERIFY(holds(first, lightTheme().stepMark));
        selection.setStep(4); // as in the next frame of an animation
        QVERIFY(drawn() != first);
        QVERIFY(!holds(drawn(), lightTheme().focus));
        selection.togglePinned(TokenFocus::cell(AttentionKind::Cross, 2, 2));
        QVERIFY(holds(drawn(), lightTheme().focus));
        selection.clearPinned();
        selection.setHead({{AttentionKind::EncoderSelf, 0}, 0}); // has no row of a step
        QVERIFY(!holds(drawn(), lightTheme().stepMark));
    }

    void readersAreToldOfATable() {
        Selection selection;
        selection.setHead(example::aligningHead);
        HeatmapView view(&selection);
        const auto run = example::run();
        view.setRun(run);
        show(view);
        QAccessibleInterface* map = QAccessible::queryAccessibleInterface(&view);
        QVERIFY(map && map->tableInterface());
        QCOMPARE(map->role(), QAccessible::Table);
        QAccessibleTableInterface* table = map->tableInterface();
        QCOMPARE(table->rowCount(), 12);
        QCOMPARE(table->columnCount(), 11);
        QVERIFY(table->columnDescription(5).contains("daughter"));
        QVERIFY(table->rowDescription(5).contains("choosing"));
        QAccessibleInterface* cell = table->cellAt(5, 3);
        QCOMPARE(cell->text(QAccessible::Name),
                 cellStatus(*run, example::aligningHead, 5, 3, Quantity::Weights));
        QCOMPARE(map->indexOfChild(cell), 5 * 11 + 3);
        QVERIFY(map->childAt(cell->rect().center().x(), cell->rect().center().y()) == cell);
        QVERIFY(!table->cellAt(12, 0));
        selection.setHover(TokenFocus::cell(AttentionKind::Cross, 5, 3));
        QVERIFY(cell->tableCellInterface()->isSelected());
        view.setRun(nullptr);
        QVERIFY(!cell->isValid());
        QCOMPARE(cell->text(QAccessible::Name), QString());
        QCOMPARE(map->childCount(), 0);
    }

    void theViewHasANameForReaders() {
        Selection selection;
        QVERIFY(!HeatmapView(&selection).accessibleName().isEmpty());
    }
};

HEADSCOPE_WATCHED_TEST(HeatmapViewTest)
#include "heatmap_view_test.moc"
