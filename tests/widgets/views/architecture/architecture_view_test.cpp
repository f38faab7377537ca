#include <QImage>
#include <QLabel>
#include <QPainter>
#include <QRegularExpression>
#include <QTest>
#include <QTreeView>

#include "tests/watched_test.h"
#include "tests/widgets/answered_at_once.h"
#include "tests/widgets/example_architecture.h"
#include "tests/widgets/shown_view.h"
#include "widgets/controls/card_columns.h"
#include "widgets/drawing/theme.h"
#include "widgets/export/figure_export.h"
#include "widgets/views/architecture/architecture_diagram.h"
#include "widgets/views/architecture/architecture_view.h"

#include <cmath>
#include <set>

using namespace headscope;
using tests::isSeen;
using widgets::ArchitectureDiagram;
using widgets::ArchitectureView;

class ArchitectureViewTest : public QObject {
    Q_OBJECT

    std::unique_ptr<widgets::Selection> selection_;
    std::unique_ptr<ArchitectureView> view_;
    example::AnsweredAtOnce* answers_ = nullptr;
    std::shared_ptr<trace::Run> run_;

    void measure() {
        answers_->setModel([this](const trace::Question&) { return example::flow(*run_); });
    }
    ArchitectureDiagram* diagram() { return view_->diagram(); }
    std::string current() { return diagram()->current()->role; }

  private Q_SLOTS:
    void init() {
        selection_ = std::make_unique<widgets::Selection>();
        selection_->setHead({{trace::AttentionKind::Cross, 2}, 5});
        selection_->setStep(5);
        view_ = std::make_unique<ArchitectureView>(selection_.get());
        answers_ = new example::AnsweredAtOnce(view_.get());
        view_->resize(1000, 900);
        run_ = example::withArchitecture(*example::run());
        view_->setRun(run_);
        QVERIFY(isSeen(*view_));
    }

    void cleanup() {
        view_.reset();
        selection_.reset();
    }

    void itStartsAtTheSelectedHeadsStack() { QCOMPARE(current(), std::string("decoder")); }

    void theTableKeepsItsPlaceWhenItsNumbersChange() {
        view_->resize(1000, 400);
        view_->setPage(ArchitectureView::Page::Table);
        auto* tree = view_->findChild<QTreeView*>();
        const auto* table = tree->model();
        const auto decoder = table->index(table->rowCount() - 1, 0);
        tree->setExpanded(table->index(0, 0), !tree->isExpanded(table->index(0, 0)));
        const bool expanded = tree->isExpanded(table->index(0, 0));
        tree->setCurrentIndex(decoder);
        const auto role = decoder.data(Qt::UserRole);
        QVERIFY(role.isValid());
        measure();
        QCOMPARE(tree->currentIndex().data(Qt::UserRole), role);
        QVERIFY(tree->selectionModel()->isSelected(tree->currentIndex()));
        QCOMPARE(tree->isExpanded(table->index(0, 0)), expanded);
    }

    void keysUnfoldAndWalk() {
        QTest::keyClick(diagram(), Qt::Key_Return);
        QVERIFY(diagram()->isUnfolded("decoder"));
        QTest::keyClick(diagram(), Qt::Key_Up);
        QCOMPARE(current(), std::string("decoder.0"));
        QTest::keyClick(diagram(), Qt::Key_Plus);
        QVERIFY(diagram()->isUnfolded("decoder.0"));
        QTest::keyClick(diagram(), Qt::Key_Up);
        QCOMPARE(current(), std::string("decoder.0.norm_self"));
        QTest::keyClick(diagram(), Qt::Key_Minus); // folds the parent of a block without children
        QCOMPARE(current(), std::string("decoder.0"));
        QVERIFY(!diagram()->isUnfolded("decoder.0"));
        QTest::keyClick(diagram(), Qt::Key_Left);
        QVERIFY(current().starts_with("encoder") || current().starts_with("source"));
    }

    void clickingAnAttentionSelectsItAndKeepsTheHead() {
        diagram()->setUnfolded("encoder", true);
        diagram()->setUnfolded("encoder.1", true);
        QTest::mouseClick(diagram(), Qt::LeftButton, {},
                          diagram()->areaOf("encoder.1.self").center().toPoint());
        QCOMPARE(toString(selection_->head()), std::string("encoder.1.5"));
        QCOMPARE(current(), std::string("encoder.1.self"));
    }

    void theCursorFollowsTheHeadOfOtherViews() {
        diagram()->setUnfolded("decoder", true);
        selection_->setHead({{trace::AttentionKind::DecoderSelf, 1}, 0});
        QCOMPARE(current(), std::string("decoder.1"));
    }

    void clickingALayerOrItsFeedForwardSelectsTheLayersAttention() {
        diagram()->setUnfolded("encoder", true);
        QTest::mouseClick(diagram(), Qt::LeftButton, {}, diagram()->areaOf("encoder.1").center().toPoint());
        QCOMPARE(toString(selection_->head()), std::string("encoder.1.5"));
        QCOMPARE(current(), std::string("encoder.1"));
        diagram()->setUnfolded("encoder", false);
        diagram()->setUnfolded("decoder", true);
        diagram()->setUnfolded("decoder.0", true);
        selection_->setHead({{trace::AttentionKind::Cross, 2}, 4});
        const auto click = [this](const char* role) {
            QTest::mouseClick(diagram(), Qt::LeftButton, {}, diagram()->areaOf(role).center().toPoint());
        };
        click("decoder.0.feed_forward");
        QCOMPARE(toString(selection_->head()), std::string("cross.0.4")); // the kind of attention is kept
        click("decoder.0.self");
        QCOMPARE(toString(selection_->head()), std::string("decoder.0.4"));
        click("decoder.0.feed_forward");
        QCOMPARE(toString(selection_->head()), std::string("decoder.0.4"));
        QCOMPARE(current(), std::string("decoder.0.feed_forward"));
    }

    void whatATraceDoesNotHoldIsDashedAndSaid() {
        const auto isDashed = [&](const char* role) {
            const auto& facts = view_->facts();
            return facts.isNotHeld(*facts.architecture.find(role));
        };
        QVERIFY(!isDashed("decoder.0.self")); // a model is never dashed
        auto crossAlone = std::make_shared<trace::Run>(*run_);
        auto model = std::make_shared<trace::ModelSummary>(*run_->model);
        model->recorded = std::make_shared<trace::Request>(run_->request);
        model->encoderLayers = 0;
        crossAlone->model = model;
        crossAlone->encoder.clear();
        crossAlone->decoder.clear();
        const QImage before = diagram()->grab().toImage();
        view_->setRun(crossAlone);
        for (const char* role : {"encoder", "decoder.0.self", "decoder.0.self.softmax"})
            QVERIFY2(isDashed(role), role);
        for (const char* role : {"decoder", "decoder.0", "decoder.0.cross", "decoder.0.feed_forward"})
            QVERIFY2(!isDashed(role), role);
        QVERIFY(view_->facts().readsSource());
        QVERIFY2(view_->caption().contains("missing and dashed: encoder self-attention and decoder "
                                           "self-attention"),
                 qPrintable(view_->caption()));
        QVERIFY(diagram()->grab().toImage() != before);
    }

    void aSublayerScaledToNothingIsSaidToBe() {
        auto changed = std::make_shared<trace::Run>(*run_);
        const auto off = [](trace::SublayerKind kind, int layer) {
            return trace::Intervention{trace::ScaleSublayer{.sublayer = {kind, layer}, .factor = 0}};
        };
        QVERIFY(view_->caption().contains("highlighted as cross-attention reads it"));
        changed->request.interventions = {off(trace::SublayerKind::Cross, 0),
                                          off(trace::SublayerKind::EncoderFeedForward, 1)};
        view_->setRun(changed);
        QVERIFY2(
            view_->caption().contains("not highlighted: Encoder, layer 1: Feed-forward; Decoder, layer 0: "
                                      "Cross-attention."),
            qPrintable(view_->caption()));
        QVERIFY(view_->facts().readsSource()); // in the other layers
        changed->request.interventions = {off(trace::SublayerKind::Cross, 0),
                                          off(trace::SublayerKind::Cross, 1),
                                          off(trace::SublayerKind::Cross, 2)};
        view_->setRun(std::make_shared<trace::Run>(*changed));
        QVERIFY(!view_->facts().readsSource());
        QVERIFY(!view_->caption().contains("highlighted as cross-attention reads it"));
    }

    void whatIsExportedIsMeasuredWhereItIsSaidAndNowhereElse() {
        measure();
        const auto table = view_->figureData().tables.front();
        const auto column = [&](const char* title) {
            return std::ranges::find(table.columns, title, &trace::DataColumn::title)->values;
        };
        const auto blocks = std::get<std::vector<std::string>>(column("block"));
        const auto added = std::get<std::vector<double>>(column("added"));
        const auto bytes = std::get<std::vector<double>>(column("activation_bytes"));
        const auto twice = std::get<std::vector<double>>(column("activation_bytes_at_twice"));
        const auto at = [&](const char* role) {
            return static_cast<std::size_t>(std::ranges::find(blocks, role) - blocks.begin());
        };
        QVERIFY(added[at("decoder.0.cross")] > 0);
        for (const char* part : {"decoder.0.cross.softmax", "decoder.0.norm_cross", "decoder.0"})
            QVERIFY2(std::isnan(added.at(at(part))), part);
        QVERIFY(twice[at("encoder.0.self.softmax")] == 4 * bytes[at("encoder.0.self.softmax")]);
        QVERIFY(std::get<std::vector<std::string>>(column("out"))[at("encoder")].starts_with(
            "(N, S, d_model) = "));
    }

    void theFigureHasTheMarkedBlockAndItsWords() {
        const auto drawn = [this] {
            const auto svg = widgets::figureBytes(
                {.format = widgets::FigureFormat::Svg, .size = view_->figureSize()}, *view_);
            static const QRegularExpression tag("<[^>]*>"), space("\\s");
            return QPair(svg.bytes, QString::fromUtf8(svg.bytes).remove(tag).remove(space));
        };
        const auto squeezed = [](QString words) {
            static const QRegularExpression space("\\s");
            return words.toHtmlEscaped().remove(space);
        };
        const auto decoder = drawn();
        QVERIFY(decoder.second.contains(squeezed(view_->details())));
        diagram()->setCurrent("encoder");
        QVERIFY(std::ranges::any_of(view_->findChildren<QLabel*>(), [this](const QLabel* label) {
            return label->isVisible() && !label->text().isEmpty() && label->text() == view_->numbers();
        }));
        const auto encoder = drawn();
        QVERIFY(encoder.second.contains(squeezed(view_->details())));
        QVERIFY(encoder.second.contains("Memory") && encoder.first != decoder.first);
        view_->setPage(ArchitectureView::Page::Table);
        QVERIFY(!view_->figureText().caption.contains(view_->details().section(QChar('\n'), 0, 0)));
    }

    void withoutMarksTheFigureHasNoMarkedBlockAndNothingOfIt() {
        const auto drawn = [this](const widgets::FigureParts& parts) {
            const QSize size = widgets::suggestedSize(*view_, parts);
            const QImage picture(QImage::fromData(
                widgets::figureBytes({.format = widgets::FigureFormat::Png, .size = size, .parts = parts},
                                     *view_)
                    .bytes));
            return picture;
        };
        const widgets::FigureParts unmarked{.marks = false};
        diagram()->setCurrent("decoder");
        const QImage before = drawn(unmarked), marked = drawn({});
        QVERIFY(before.height() < marked.height());
        diagram()->setCurrent("encoder");
        QVERIFY(drawn({}) != marked);
        QCOMPARE(drawn(unmarked), before);
    }

    void aRemarkOnWhatWasLookedAtIsANote() {
        diagram()->setZoom({10, 20, 1.5});
        const auto says = [this](const widgets::FigureParts& parts) {
            const QSize size = widgets::suggestedSize(*view_, parts);
            return widgets::figureBytes({.format = widgets::FigureFormat::Svg, .size = size, .parts = parts},
                                        *view_)
                .bytes.contains(">The whole diagram");
        };
        QVERIFY(view_->figureText().caption.contains("The whole diagram"));
        QVERIFY(says({.caption = false}));
        QVERIFY(!says({.caption = false, .notes = false}));
    }

    void theTableIsDrawnWhereItIsLookedAt() {
        measure();
        const QString before = view_->caption();
        const QSize diagramSize = view_->figureSize();
        view_->setPage(ArchitectureView::Page::Table);
        QVERIFY(view_->caption() != before && view_->caption().contains("block by block"));
        QVERIFY(view_->figureSize() != diagramSize);
        QImage image(view_->figureSize(), QImage::Format_RGB32);
        QPainter painter(&image);
        view_->drawFigure(painter, image.size(), widgets::lightTheme());
        painter.end();
        std::set<QRgb> colours;
        for (int y = 0; y < image.height(); y += 3)
            for (int x = 0; x < image.width(); ++x)
                colours.insert(image.pixel(x, y));
        QVERIFY(colours.size() > 10); // antialiased text
    }

    void whatIsSaidIsTheBlockThatWasChosenLast() {
        QString said;
        const QObject here; // scope of the connection
        connect(view_.get(), &ArchitectureView::cellDescribed, &here,
                [&](const QString& words) { said = words; });
        QTest::mouseMove(diagram(), diagram()->areaOf("decoder").center().toPoint());
        QTRY_VERIFY2(said.startsWith("Decoder"), qPrintable(said));
        QTest::keyClick(diagram(), Qt::Key_Up); // with the pointer at rest
        QVERIFY(current() != "decoder");
        QVERIFY2(!said.isEmpty() && !said.startsWith("Decoder"), qPrintable(said));
        diagram()->setUnfolded("decoder", true);
        QVERIFY2(said.isEmpty(), qPrintable(said)); // the blocks have moved
    }

    void theBlockUnderThePointerIsFramed() {
        view_->setPalette(widgets::paletteOf(widgets::lightTheme()));
        const auto framed = [this](const char* role) {
            const QRect around = diagram()->areaOf(role).toAlignedRect().adjusted(-2, -2, 2, 2);
            const QImage image = diagram()->grab(around).toImage();
            int pixels = 0;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    pixels += image.pixel(x, y) == widgets::lightTheme().focus.rgb();
            return pixels > 0;
        };
        QVERIFY(framed("decoder") && !framed("encoder")); // the current block
        QTest::mouseMove(diagram(), diagram()->areaOf("encoder").center().toPoint());
        QTRY_VERIFY(framed("encoder"));
    }

    void clickingTheSignUnfolds() {
        const QRectF area = diagram()->areaOf("encoder");
        QTest::mouseClick(diagram(), Qt::LeftButton, {},
                          QPoint(int(area.left()) + 12, int(area.center().y())));
        QVERIFY(diagram()->isUnfolded("encoder"));
    }

    void whatFlowsIsMeasuredOnce() {
        QVERIFY(view_->details().contains("Measuring"));
        measure();
        QVERIFY(view_->facts().flow && answers_->awaited().empty());
        QCOMPARE(answers_->answered(), 1);
        const auto* before = view_->facts().flow.get();
        view_->refresh();
        QCOMPARE(view_->facts().flow.get(), before);
    }

    void whyNothingIsMeasuredIsSaid() {
        answers_->setRefusal(trace::RefusalText{.what = "The flow cannot be measured"});
        QVERIFY2(view_->details().contains("The flow cannot be measured."), qPrintable(view_->details()));
    }

    void theNumbersOfAFeedForwardAreThoseThatWereMeasured() {
        selection_->setStep(4);
        measure();
        diagram()->setUnfolded("decoder", true);
        diagram()->setUnfolded("decoder.0", true);
        diagram()->setCurrent("decoder.0.feed_forward");
        const QString words = view_->details();
        // 12 tokens: 11 to 12.375, 3 to 4.375, 12.5 to 13.875; the fifth is 1/2 above the first
        for (const char* part : {"averaged over 12 tokens: 11.69 before, 3.69 added, 13.19 after", "0.2500",
                                 "11.50 before, 3.50 added, 13.00 after", "32 of 256 (12.5 %)", "20.0 %"})
            QVERIFY2(words.contains(part), qPrintable(words + "\n" + part));
        QVERIFY(diagram()->accessibleDescription().contains("32 of 256"));
    }

    void theSameNumbersStandInRowsAtTheRight() {
        selection_->setStep(4);
        measure();
        diagram()->setUnfolded("decoder", true);
        diagram()->setUnfolded("decoder.0", true);
        diagram()->setCurrent("decoder.0.feed_forward");
        static const QRegularExpression tag("<[^>]*>");
        const QString rows = view_->numbers().replace("</tr>", "|").remove(tag);
        for (const char* row : {"mean of 12 tokens|before11.69|added3.69|after13.19|cosine0.2500",
                                "before11.50|added3.50|after13.00", "32 of 256 (12.5 %)", "20.0 %"})
            QVERIFY2(rows.contains(row), qPrintable(rows + "\n" + row));
        const auto* inspector = view_->findChild<widgets::CardFrame*>();
        QVERIFY(inspector->isVisible() && inspector->width() == 316 && inspector->x() > diagram()->width());
        view_->resize(600, 900); // too narrow for both
        QTRY_VERIFY(inspector->y() > diagram()->height());
        view_->setPage(ArchitectureView::Page::Table); // which has all numbers
        QVERIFY(!inspector->isVisible());
    }

    void theCaptionNamesTheStep() {
        QVERIFY2(view_->caption().contains("step 6"), qPrintable(view_->caption()));
        QVERIFY(view_->caption().contains("Tochter"));
        selection_->setStep(0);
        QVERIFY(view_->caption().contains("step 1,"));
    }

    void withoutARunThereAreLettersAlone() {
        view_->setRun(nullptr);
        QVERIFY(view_->hasFigure());
        diagram()->setCurrent("generator");
        QVERIFY2(view_->details().startsWith("Out: (N, T, V)."), qPrintable(view_->details()));
        QVERIFY(view_->questions().empty());
    }

    void withoutAModelItSaysWhatToDo() {
        view_->setModel(nullptr);
        QVERIFY(!view_->hasFigure());
        QVERIFY(view_->caption().isEmpty());
        QTest::keyClick(diagram(), Qt::Key_Return);
    }

    void theTableHoldsEveryBlock() {
        measure();
        view_->setPage(ArchitectureView::Page::Table);
        const auto* tree = view_->findChild<QTreeView*>();
        const auto* table = tree->model();
        const auto find = [&](const QString& name) {
            const auto found = table->match(table->index(0, 0), Qt::DisplayRole, name, 1,
                                            Qt::MatchExactly | Qt::MatchRecursive);
            return found.isEmpty() ? QModelIndex() : found.front();
        };
        const QModelIndex cross = find("Decoder, layer 2: Cross-attention");
        QVERIFY(cross.isValid());
        QCOMPARE(cross.siblingAtColumn(2).data().toString().remove(QChar(',')), QString("16640"));
        QVERIFY(find("Decoder, layer 2: Softmax").isValid());
        QCOMPARE(find("Encoder, layer 0: Feed-forward").siblingAtColumn(10).data().toString(),
                 QString("32 of 256"));
    }
};

HEADSCOPE_WATCHED_TEST(ArchitectureViewTest)
#include "architecture_view_test.moc"
