#include <QAccessible>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QSignalSpy>
#include <QTest>

#include "tests/watched_test.h"
#include "tests/widgets/example_importance.h"
#include "tests/widgets/example_run.h"
#include "tests/widgets/on_screen.h"
#include "widgets/drawing/colour_scale.h"
#include "widgets/drawing/recorded_drawing.h"
#include "widgets/drawing/theme.h"
#include "widgets/export/figure_export.h"
#include "widgets/export/svg_drawing.h"
#include "widgets/views/overview/overview.h"
#include "widgets/views/overview/overview_view.h"

#include <array>

using namespace headscope;
using namespace headscope::widgets;
using trace::AttentionKind;
using trace::HeadAddress;

class OverviewTest : public QObject {
    Q_OBJECT

    Selection selection_;
    std::unique_ptr<Overview> overview_;
    std::shared_ptr<trace::Run> run_;

    OverviewView& view() const { return *overview_->view(); }
    QRect place(const HeadAddress& head) const { return view().thumbnailRect(head); }
    void choose(const char* accessibleName, const char* entry) const {
        const auto boxes = overview_->findChildren<QComboBox*>();
        const auto box = std::ranges::find(boxes, QString(accessibleName), &QComboBox::accessibleName);
        QVERIFY(box != boxes.end() && (*box)->findText(entry) >= 0);
        (*box)->setCurrentText(entry);
    }
    QStringList counts() const {
        QStringList words;
        for (const auto* label : overview_->findChildren<QLabel*>())
            words += label->text();
        return words;
    }
    static HeadAddress cross(int layer, int head) { return {{AttentionKind::Cross, layer}, head}; }

    HeadGrouping grouping() const {
        HeadGrouping made{.threshold = overview_->threshold()};
        for (const auto kind : {AttentionKind::EncoderSelf, AttentionKind::DecoderSelf, AttentionKind::Cross})
            made.kinds[kind] = analysis::groupedHeads(analysis::headDivergences(*run_, kind), made.threshold);
        return made;
    }

    /// As SVG, in which words can be found.
    QByteArray drawnInTheWindow() const {
        RecordedDrawing drawing(RecordedDrawing::Target::Document);
        QPainter painter(&drawing);
        view().render(&painter);
        painter.end();
        return svgBytes(drawing, view().size(), {});
    }

    QImage picture() const {
        QImage image(overview_->figureSize(), QImage::Format_RGB32);
        QPainter painter(&image);
        overview_->drawFigure(painter, image.size(), lightTheme());
        return image;
    }

  private Q_SLOTS:
    void init() {
        selection_.setHead(cross(0, 0));
        selection_.setPinnedHeads({});
        selection_.setCursor({});
        run_ = example::run();
        overview_ = std::make_unique<Overview>(&selection_);
        overview_->setPalette(paletteOf(lightTheme()));
        overview_->setRun(run_);
        overview_->setStatistics(analysis::statisticsOfHeads(*run_));
        overview_->resize(1100, 700);
        overview_->show();
        QVERIFY(QTest::qWaitForWindowExposed(overview_.get()));
        QTRY_VERIFY(view().isComplete());
    }

    void aPictureIsPreparedPieceByPieceAndTheSame() {
        const QImage atOnce = picture();
        QImage prepared;
        int calls = 0;
        overview_->prepareFigure(lightTheme(), [&] {
            prepared = picture();
            ++calls;
        });
        QTRY_COMPARE(calls, 1);
        QCOMPARE(prepared, atOnce);
        overview_->prepareFigure(lightTheme(), [&] { ++calls; });
        QCOMPARE(calls, 2); // all is there
    }

    void aPictureThatIsBeingPreparedIsOfTheRunItWasAskedOf() {
        overview_->setRun(example::run({.repeats = 20}));
        const QImage shown = picture();
        QImage prepared;
        overview_->prepareFigure(lightTheme(), [&] { prepared = picture(); });
        overview_->setRun(run_);
        QCOMPARE(prepared, shown);
        QVERIFY(picture() != shown);
    }

    void everyHeadOfEveryKindIsInSight() {
        for (const auto kind : {AttentionKind::EncoderSelf, AttentionKind::DecoderSelf, AttentionKind::Cross})
            for (int layer = 0; layer < 3; ++layer)
                for (int head = 0; head < 8; ++head)
                    QVERIFY(view().rect().contains(place({{kind, layer}, head})));
        QVERIFY(view().caption().startsWith("All 72 heads of "));
        QVERIFY(view().caption().contains("Layers down, heads across."));
        QVERIFY(view().caption().contains("weights from 0 to 1"));
    }

    void titlesAreWholeInALowView() {
        bool isShort = false;
        for (int height = 600; height >= 200; height -= 40) {
            overview_->resize(480, height);
            const QByteArray drawn = drawnInTheWindow();
            const bool areShort = drawn.contains(">Encoder<");
            for (const char* title : areShort ? std::array{">Encoder<", ">Decoder<", ">Cross<"}
                                              : std::array{">Encoder self-attention<",
                                                           ">Decoder self-attention<", ">Cross-attention<"})
                QVERIFY2(drawn.contains(title), title);
            isShort = isShort || areShort;
        }
        QVERIFY(isShort);
    }

    void picturesStayWhateverTheCaptionSays() {
        run_ = std::make_shared<trace::Run>(*run_);
        auto model = *run_->model;
        model.name = std::string(400, 'x');
        run_->model = std::make_shared<trace::ModelSummary>(model);
        const QRect before = place(cross(1, 1));
        overview_->setRun(run_);
        QCOMPARE(place(cross(1, 1)), before);
    }

    void aPictureShowsItsOwnHeadAndItsHotCell() {
        auto run = example::run({.repeats = 20});
        for (std::size_t row = 0; row < run->cross[1].weights.rows(); ++row)
            for (std::size_t column = 0; column < run->cross[1].weights.columns(); ++column)
                run->cross[1].weights.at(3, row, column) = 0;
        run->cross[1].weights.at(3, 100, 100) = 1;
        overview_->setRun(run);
        QTRY_VERIFY(view().isComplete());
        const QImage image = view().grab(place(cross(1, 3)).adjusted(2, 2, -2, -2)).toImage();
        int hot = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                hot += image.pixel(x, y) == ColourScale().colour(1) ? 1 : 0;
        QVERIFY(hot > 0 && hot <= 4);
    }

    /// As its heatmap does, which ends its colours at the largest weight.
    void aFaintMapOfTheEncoderIsNoDarkFieldAndSaysWhereItsColoursEnd() {
        auto run = example::run();
        const HeadAddress faint{{AttentionKind::EncoderSelf, 1}, 2};
        auto& record = run->encoder[1];
        for (std::size_t row = 0; row < record.weights.rows(); ++row)
            for (std::size_t column = 0; column < record.weights.columns(); ++column)
                record.weights.at(2, row, column) = row == column ? 0.02f : 0.001f;
        overview_->setRun(run);
        QTRY_VERIFY(view().isComplete());
        const QRect there = place(faint);
        const QImage image = view().grab(there).toImage();
        const QPoint first(there.width() / static_cast<int>(2 * record.weights.columns()),
                           there.height() / static_cast<int>(2 * record.weights.rows()));
        QCOMPARE(image.pixel(first), ColourScale().colour(1));
        QVERIFY(view().caption().contains("as in the heatmap"));
        QTest::mouseMove(view().viewport(), there.center());
        QVERIFY2(view().accessibleDescription().contains("Colours end at 0.02"),
                 qPrintable(view().accessibleDescription()));
    }

    void whereRowsAndColumnsDoNotNameHeadsEachHasItsName() {
        const int line = view().fontMetrics().height();
        QVERIFY(view().tileLayout().tiles.front().foot.height() < line);
        view().orderByGroups({});
        const auto& tiles = view().tileLayout().tiles;
        const QImage image = view().grab().toImage();
        for (const auto& tile : tiles) {
            QVERIFY(tile.foot.height() >= line);
            int ink = 0;
            for (int y = tile.foot.bottom() - line + 1; y <= tile.foot.bottom(); ++y)
                for (int x = tile.foot.left(); x <= tile.foot.right(); ++x)
                    ink += image.pixelColor(x, y) != lightTheme().background ? 1 : 0;
            QVERIFY(ink > 10);
        }
        overview_->resize(300, 260); // no room for any
        QVERIFY(view().tileLayout().tiles.front().foot.height() < line);
    }

    void aClickSelectsAndADoubleClickOrEnterOpens() {
        const QSignalSpy opened(&view(), &OverviewView::headOpened);
        const QPoint there = place({{AttentionKind::EncoderSelf, 1}, 2}).center();
        QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, there);
        QVERIFY(selection_.head() == (HeadAddress{{AttentionKind::EncoderSelf, 1}, 2}));
        QCOMPARE(opened.size(), 0);
        QTest::mouseDClick(view().viewport(), Qt::LeftButton, {}, there);
        QTest::mouseRelease(view().viewport(), Qt::LeftButton, {}, there);
        QCOMPARE(opened.size(), 1);
        QTest::keyClick(&view(), Qt::Key_Return);
        QCOMPARE(opened.size(), 2);
        QVERIFY(opened.back().front().value<HeadAddress>() == selection_.head());
    }

    void arrowsMoveAmongPictures() {
        for (const int key : {Qt::Key_Right, Qt::Key_Down, Qt::Key_Right})
            QTest::keyClick(&view(), Qt::Key(key));
        QVERIFY(selection_.head() == cross(1, 2));
        QTest::keyClick(&view(), Qt::Key_End);
        QVERIFY(selection_.head() == cross(1, 7));
        QTest::keyClick(&view(), Qt::Key_Home);
        QVERIFY(selection_.head() == cross(1, 0));
    }

    void theHeadUnderThePointerIsSaidWithRoleAndNumber() {
        choose("Bars under the heads", "Bars: entropy");
        const QSignalSpy described(&view(), &OverviewView::headDescribed);
        QTest::mouseMove(view().viewport(), place({{AttentionKind::EncoderSelf, 0}, 2}).center());
        QTRY_VERIFY(!described.isEmpty());
        const QString words = described.back().front().toString();
        QVERIFY(words.startsWith("encoder.0.2"));
        QVERIFY(words.contains("Entropy: "));
    }

    void nothingIsSaidOfAHeadThatNobodyLooksAt() {
        QString said;
        connect(&view(), &OverviewView::headDescribed, this, [&](const QString& words) { said = words; });
        view().clearFocus();
        QTest::mouseMove(view().viewport(), place(cross(1, 3)).center());
        QTRY_VERIFY(said.startsWith("cross.1.3"));
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(view().viewport(), &leave);
        QCOMPARE(said, QString());
        view().setFocus();
        QTRY_VERIFY(said.startsWith("cross.0.0")); // where the keys are
        view().clearFocus();
        QTRY_COMPARE(said, QString());
        QTest::mouseMove(view().viewport(), place(cross(2, 3)).center());
        QTRY_VERIFY(said.startsWith("cross.2.3"));
        overview_->hide();
        QCOMPARE(said, QString());
    }

    void statisticsOrderHeadsWithinTheirKind() {
        choose("Order of the heads", "Sort: by entropy");
        const auto statistics = analysis::statisticsOfHeads(*run_);
        std::map<HeadAddress, double> entropies;
        for (const auto& head : statistics)
            entropies[head.head] = head.values[analysis::Statistic::Entropy].value();
        const auto& tiles = view().tileLayout().tiles;
        QCOMPARE(tiles.size(), std::size_t(72));
        for (std::size_t i = 1; i < tiles.size(); ++i)
            if (tiles[i].head.site.kind == tiles[i - 1].head.site.kind)
                QVERIFY(entropies[tiles[i].head] <= entropies[tiles[i - 1].head]);
        QVERIFY(view().caption().contains("Sorted by entropy within each kind, highest first"));
        choose("Order of the heads", "Sort: by layer");
        QVERIFY(tiles[1].head == (HeadAddress{{AttentionKind::EncoderSelf, 0}, 1}));
    }

    void tooltipsSayWhatIsChosenAndWhatThatMeans() {
        for (auto* box : tests::some(overview_->findChildren<QComboBox*>()))
            for (int entry = 0; entry < box->count(); ++entry) {
                box->setCurrentIndex(entry);
                const QString means = box->itemData(entry, Qt::ToolTipRole).toString();
                QVERIFY(!means.isEmpty());
                QVERIFY2(box->toolTip().endsWith(box->currentText() + " (" + means + ')'),
                         qPrintable(box->toolTip()));
            }
    }

    void theFocusIsSeenAtOnce() {
        overview_->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(overview_.get()));
        auto* search = overview_->findChild<QLineEdit*>("search");
        for (QWidget* focused :
             {static_cast<QWidget*>(search), static_cast<QWidget*>(&view()), static_cast<QWidget*>(search)}) {
            focused->setFocus(Qt::OtherFocusReason);
            const QRect place(view().mapTo(overview_.get(), QPoint()), view().size());
            QTRY_COMPARE(tests::onScreen(*overview_).copy(place), tests::drawnNow(*overview_).copy(place));
        }
    }

    void importanceIsOfferedOnceItIsMeasured() {
        auto* tint = overview_->findChild<QComboBox*>();
        const int index = tint->findText("Bars: importance", Qt::MatchStartsWith);
        QCOMPARE(tint->itemText(index), QString("Bars: importance (not measured yet)"));
        const auto isOffered = [&] {
            return bool(tint->model()->flags(tint->model()->index(index, 0)) & Qt::ItemIsEnabled);
        };
        QVERIFY(!isOffered());
        QVERIFY(tint->itemData(index, Qt::ToolTipRole).toString().contains("Measure"));
        auto scores = analysis::headScores(*example::importance(*run_), 5);
        analysis::rankByImportance(scores);
        overview_->setImportance(scores, "of the chosen token.");
        QVERIFY(isOffered());
        QCOMPARE(tint->itemText(index), QString("Bars: importance"));
        tint->setCurrentIndex(index);
        QVERIFY(view().caption().contains("Bars: Importance. of the chosen token."));
    }

    void whatIsNotSearchedFadesAndStays() {
        const QRect before = place(cross(1, 0));
        const QImage bright = view().grab(before).toImage();
        overview_->findChild<QLineEdit*>()->setText("cross 2");
        QVERIFY(counts().contains("8 of 72 heads"));
        QCOMPARE(place(cross(1, 0)), before);
        QVERIFY(view().grab(before).toImage() != bright);
        overview_->findChild<QLineEdit*>()->clear();
        QVERIFY(!counts().contains("8 of 72 heads"));
        QCOMPARE(view().grab(before).toImage(), bright);
    }

    void whatIsFoundInNoHeadIsToldFromWhatThereIsNotAtAll() {
        auto* search = overview_->findChild<QLineEdit*>();
        const auto says = [&](const QString& words) {
            for (auto* label : overview_->findChildren<QLabel*>())
                if (label->isVisible() && label->text().contains(words))
                    return true;
            return false;
        };
        search->setText("flurble");
        QVERIFY(says("0 of 72 heads") && says("No role or head is called"));
        search->setText("cross.9");
        QVERIFY(says("No head of this model has the address “cross.9”"));
        search->setText("cross aligning");
        QVERIFY(!says("0 of 72 heads") && !says("No "));
        search->setText("encoder aligning");
        QVERIFY(says("aligns words (by shape)") && says("monotony of at least 0.80"));
        search->clear();
        QTest::keyClicks(search, "cross.1.3");
        QTRY_VERIFY(selection_.head() == cross(1, 3));
        search->clear();
        QVERIFY(!says("No "));
    }

    void numbersAreHeldAgainstLimits() {
        auto* search = overview_->findChild<QLineEdit*>();
        const auto says = [&](const QString& words) {
            for (auto* label : overview_->findChildren<QLabel*>())
                if (label->isVisible() && label->text().contains(words))
                    return true;
            return false;
        };
        search->setText("entropy >= 0");
        QVERIFY(says("72 of 72 heads"));
        search->setText("encoder entropy >= 0");
        QVERIFY(says("24 of 72 heads"));
        search->setText("entropy < -1");
        QVERIFY(says("0 of 72 heads") && says("No head has entropy < -1"));
        search->setText("entropi < 1");
        QVERIFY(says("0 of 72 heads") && says("is called “"));
        search->setText("importance > 0.5");
        QVERIFY(says("has not been measured yet"));
        overview_->setImportance({{.head = example::aligningHead, .importance = 0.75}}, "of the token.");
        QVERIFY(says("1 of 72 heads"));
        search->clear();
        QCOMPARE(search->placeholderText(), QString("Search heads"));
        QVERIFY(search->toolTip().contains("diagonal > 50 %"));
    }

    void headsThatLookAlikeStandTogetherAndThoseAloneComeLast() {
        const QSignalSpy wanted(overview_.get(), &Overview::questionsChanged);
        choose("Order of the heads", "Sort: by similarity");
        QCOMPARE(wanted.size(), 1);
        QVERIFY(overview_->wantsGroups());
        QVERIFY(view().caption().contains("when decoding is complete"));
        overview_->setComparing(0.456);
        QVERIFY(view().caption().contains("Comparing all heads: 45 %."));
        overview_->setComparing(std::nullopt);
        HeadGrouping groups{.threshold = 0.15};
        groups.kinds[AttentionKind::Cross].alike = {{{cross(2, 1), cross(0, 4)}, 0.125}};
        for (int layer = 0; layer < 3; ++layer)
            for (int head = 0; head < 8; ++head)
                if (cross(layer, head) != cross(2, 1) && cross(layer, head) != cross(0, 4))
                    groups.kinds[AttentionKind::Cross].alone.push_back(cross(layer, head));
        overview_->setGrouping(groups);
        const auto& tiles = view().tileLayout().tiles;
        const auto first = std::ranges::find(tiles, AttentionKind::Cross,
                                             [](const auto& tile) { return tile.head.site.kind; });
        QVERIFY(first->head == cross(2, 1) && (first + 1)->head == cross(0, 4));
        QVERIFY((first + 2)->head == cross(0, 0));
        QVERIFY((first + 2)->line > first->line);
        QVERIFY(view().caption().contains("below 0.15"));
        QVERIFY(view().caption().contains("Cross-attention: groups 1, heads alone 22"));
        QVERIFY(view().cellInWords({8, 1}).contains("One of 2 similar heads (mean divergence 0.13 of 1)") ||
                view().cellInWords({8, 1}).contains("2 similar heads (mean divergence 0.12 of 1)"));
    }

    void anotherThresholdIsAskedFor() {
        choose("Order of the heads", "Sort: by similarity");
        const QSignalSpy wanted(overview_.get(), &Overview::questionsChanged);
        auto* threshold = overview_->findChild<QDoubleSpinBox*>();
        QVERIFY(threshold->isVisible());
        QCOMPARE(threshold->value(), usualGroupThreshold);
        threshold->setValue(0.4);
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(overview_->threshold(), 0.4);
        choose("Order of the heads", "Sort: by layer");
        QVERIFY(!threshold->isVisible());
    }

    void groupCaptionsSayHowManyAndHowFar() {
        const analysis::HeadGroup group{{cross(0, 0), cross(0, 1), cross(2, 2)}, 0.0421};
        QCOMPARE(groupCaptions(group).front(), QString("3 similar heads (mean divergence 0.04 of 1)"));
        QCOMPARE(groupCaptions(group).back(), QString("0.04"));
        QCOMPARE(aloneCaptions(1).front(), QString("1 head in no group"));
    }

    void pinsAreMarked() {
        const QRect there = place(cross(2, 2)).adjusted(-2, -2, 2, 2);
        const QImage before = view().grab(there).toImage();
        selection_.togglePinnedHead(cross(2, 2));
        QVERIFY(view().grab(there).toImage() != before);
        QVERIFY(view().cellInWords({8, 2}).contains("Pinned as number 1."));
    }

    void readersGetATableOfLayersAndHeads() {
        QAccessibleInterface* read = QAccessible::queryAccessibleInterface(&view());
        QVERIFY(read && read->tableInterface());
        QCOMPARE(read->role(), QAccessible::Table);
        QCOMPARE(read->tableInterface()->rowCount(), 9);
        QCOMPARE(read->tableInterface()->columnCount(), 8);
        QCOMPARE(read->tableInterface()->rowDescription(8), QString("Cross-attention, layer 2"));
        QCOMPARE(read->tableInterface()->columnDescription(5), QString("head 5"));
        QVERIFY(read->tableInterface()->cellAt(8, 5)->text(QAccessible::Name).startsWith("cross.2.5"));
        QCOMPARE(view().cellArea({8, 5}), place(cross(2, 5)));
    }

    void readersFindTheCellUnderAPoint() {
        for (int row = 0; row < view().rowCount(); ++row)
            for (int column = 0; column < view().columnCount(); ++column) {
                const QRect area = view().cellArea({row, column});
                QVERIFY(!area.isEmpty());
                QCOMPARE(view().cellUnder(area.center()), (MapCell{row, column}));
            }
        QCOMPARE(view().cellUnder({1, 1}), std::nullopt); // the margin
    }

    void aFigureIsThere() {
        QVERIFY(overview_->hasFigure());
        QImage image(overview_->figureSize(), QImage::Format_RGB32);
        QPainter painter(&image);
        overview_->drawFigure(painter, image.size(), lightTheme());
        painter.end();
        QVERIFY(image.pixel(5, 5) == qRgb(255, 255, 255));
        QCOMPARE(overview_->figureText().caption, view().caption());
    }

    void withoutMarksNoPinIsDrawnAndPicturesAreAsLargeWithoutACaption() {
        const auto drawn = [this](const FigureParts& parts) {
            return figureBytes({.format = FigureFormat::Svg,
                                .size = suggestedSize(*overview_, parts),
                                .parts = parts},
                               *overview_)
                .bytes;
        };
        const FigureParts unmarked{.marks = false};
        const QByteArray before = drawn({}), without = drawn(unmarked);
        selection_.setPinnedHeads({cross(1, 2)});
        QVERIFY(drawn({}) != before);
        QVERIFY(drawn(unmarked) == without);
        const int words =
            overview_->figureSize().height() - suggestedSize(*overview_, {.caption = false}).height();
        QVERIFY(words > view().fontMetrics().height());
    }

    void nothingToShowIsNoError() {
        overview_->setStatistics({});
        overview_->setRun(nullptr);
        QVERIFY(!overview_->hasFigure());
        QTest::keyClick(&view(), Qt::Key_Right);
        QTest::keyClick(&view(), Qt::Key_Return);
        QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, {200, 200});
        QVERIFY(selection_.head() == cross(0, 0));
        QCOMPARE(view().rowCount(), 0);
        QVERIFY(view().accessibleDescription().contains("Enter"));
    }
};

HEADSCOPE_WATCHED_TEST(OverviewTest)
#include "overview_test.moc"
