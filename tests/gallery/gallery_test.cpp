#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QStyle>
#include <QTest>
#include <QVBoxLayout>

#include "tests/widgets/compared_runs.h"
#include "tests/widgets/example_importance.h"
#include "tests/widgets/example_lens.h"
#include "tests/widgets/example_maps.h"
#include "tests/widgets/example_positions.h"
#include "tests/widgets/example_projections.h"
#include "tests/widgets/example_search.h"
#include "tests/widgets/random_twin_runs.h"
#include "widgets/arithmetic_view.h"
#include "widgets/attribution_tree.h"
#include "widgets/attribution_view.h"
#include "widgets/beam_tree_view.h"
#include "widgets/branch_comparison.h"
#include "widgets/branch_list.h"
#include "widgets/candidates_view.h"
#include "widgets/change_comparison.h"
#include "widgets/contrast_field.h"
#include "widgets/decode_bar.h"
#include "widgets/decoding_options.h"
#include "widgets/figure_export.h"
#include "widgets/head_grid_view.h"
#include "widgets/head_page.h"
#include "widgets/head_table.h"
#include "widgets/heatmap_view.h"
#include "widgets/importance_view.h"
#include "widgets/lens_view.h"
#include "widgets/lines_view.h"
#include "widgets/mask_view.h"
#include "widgets/positional_encoding_view.h"
#include "widgets/random_twin_panel.h"
#include "widgets/reference_view.h"
#include "widgets/run_to_editor.h"
#include "widgets/self_check_badge.h"
#include "widgets/sentence_edit.h"
#include "widgets/source_share.h"
#include "widgets/theme.h"
#include "widgets/token_strip.h"
#include "widgets/what_if_panel.h"

#include <functional>

using namespace headscope;
using namespace headscope::widgets;

/// Draws every view to PNG files for a person to look at, and checks that none is blank.
class GalleryTest : public QObject {
    Q_OBJECT

    using Make = std::function<QWidget*(Selection*, std::shared_ptr<const trace::Run>)>;
    struct Exhibit {
        QString name;
        Make make;
        QList<QSize> sizes;
    };

    template <class View>
    static Make viewOf(trace::HeadAddress head, std::function<void(View&)> change = {}) {
        return [=](Selection* selection, std::shared_ptr<const trace::Run> run) -> QWidget* {
            selection->setHead(head);
            selection->setStep(5);
            auto* view = new View(selection);
            view->setRun(std::move(run));
            if (change)
                change(*view);
            return view;
        };
    }

    /// A map that is computed, or another view of one.
    static Make mapOf(MapOptions options) {
        return [=](Selection* selection, std::shared_ptr<const trace::Run> run) -> QWidget* {
            const auto site = example::aligningHead.site;
            const auto computed = computedFor(options.quantity);
            return viewOf<HeatmapView>(example::aligningHead, [=](HeatmapView& view) {
                view.setOptions(options);
                if (!run)
                    return;
                const auto lengths = example::normWeighted(*run, site);
                view.setEffect(lengths);
                if (computed == trace::MapQuantity::GradientAttention)
                    view.setMaps(example::gradient(*run, site, 5));
                else if (computed && *computed != trace::MapQuantity::NormWeighted)
                    view.setMaps(example::shares(*run, *computed, site));
                else
                    view.setMaps(lengths);
            })(selection, run);
        };
    }

    static QWidget* sourceShare(Selection*, std::shared_ptr<const trace::Run> run) {
        auto* view = new SourceShareView;
        view->setShares(run, run ? example::shares(*run, trace::MapQuantity::Contribution,
                                                   {trace::AttentionKind::Cross, 2})
                                 : nullptr);
        view->setStep(5);
        return view;
    }

    static QWidget* strip(Selection*, std::shared_ptr<const trace::Run> run) {
        auto* strip = new TokenStrip("Source tokens");
        strip->setPlaceholder("The tokens of the sentence stand here once it is decoded.");
        if (!run)
            return strip;
        strip->setTokens(run->source);
        const auto row = run->cross.back().weights.head(5).row(5);
        std::vector<bool> masked;
        for (std::size_t key = 0; key < run->source.size(); ++key)
            masked.push_back(run->cross.back().mask(5, key) == 0);
        strip->setShading({row.begin(), row.end()}, masked);
        strip->setOutlined(3);
        strip->setLit(5);
        return strip;
    }

    static QWidget* bar(Selection*, std::shared_ptr<const trace::Run> run) {
        auto* bar = new DecodeBar;
        const auto action = [&](const QString& text, QStyle::StandardPixmap icon) {
            auto* made = new QAction(QApplication::style()->standardIcon(icon), text, bar);
            return made;
        };
        bar->setActions(
            {action("To the start", QStyle::SP_MediaSkipBackward),
             action("Back", QStyle::SP_MediaSeekBackward), action("Forward", QStyle::SP_MediaSeekForward),
             action("To the end", QStyle::SP_MediaSkipForward), action("Stop", QStyle::SP_MediaStop),
             new QAction("Run to", bar), new QAction("Beam 4", bar)});
        bar->setPosition(run ? 5 : 0, run ? 12 : 0);
        return bar;
    }

    static QWidget* sentence(Selection*, std::shared_ptr<const trace::Run> run) {
        auto* edit = new SentenceEdit;
        edit->setSamples({"The old man gave his daughter a red book."});
        if (run)
            edit->setText("The old man gave his daughter a red book.");
        return edit;
    }

    static QWidget* badge(Selection*, std::shared_ptr<const trace::Run> run) {
        auto* badge = new SelfCheckBadge;
        badge->setRun(run);
        return badge;
    }

    /// Every mark a change leaves, on a run of any length.
    template <class View>
    static Make changed(trace::HeadAddress head) {
        return [=](Selection* selection, std::shared_ptr<const trace::Run> run) -> QWidget* {
            if (run) {
                auto copy = std::make_shared<trace::Run>(*run);
                copy->request.interventions = example::changes();
                run = std::move(copy);
            }
            return viewOf<View>(head)(selection, std::move(run));
        };
    }

    /// Scores of half their size in the changed model.
    static QWidget* scaledScores(Selection* selection, std::shared_ptr<const trace::Run> run) {
        if (!run)
            return new WhatIfPanel(selection); // without it there is no comparison
        auto* view = new ChangeComparison(selection);
        selection->setHead(example::aligningHead);
        const auto runs = example::comparedRuns();
        runs.forced->request.interventions = {{trace::SoftmaxTemperature{.temperature = 2}}};
        example::scaleScores(*runs.forced, 0.5);
        view->setRuns(runs.changed, runs.undisturbed, runs.forced);
        view->setSteps(analysis::compareSteps(*runs.undisturbed, *runs.forced));
        return view;
    }

    static QWidget* whatIf(Selection* selection, std::shared_ptr<const trace::Run> run) {
        auto* panel = new WhatIfPanel(selection);
        selection->setStep(5);
        if (!run)
            return panel;
        const auto runs = example::comparedRuns();
        panel->setModel(runs.changed->model);
        panel->setInterventions(example::changes());
        panel->setRuns(runs.changed, runs.undisturbed, runs.forced);
        panel->comparison()->setSteps(analysis::compareSteps(*runs.undisturbed, *runs.forced));
        return panel;
    }

    static QWidget* twin(Selection* selection, std::shared_ptr<const trace::Run> run) {
        auto* panel = new RandomTwinPanel(selection);
        panel->setSeed(1);
        selection->setHead(example::aligningHead);
        selection->setStep(5);
        if (!run)
            return panel;
        const auto runs = example::twinRuns(run);
        panel->setRuns(runs.shown, runs.twin);
        panel->setEntropies(analysis::compareEntropy(*runs.shown, *runs.twin, example::aligningHead));
        return panel;
    }

    static Make positions(PositionalEncodingView::Page page, bool learned = false) {
        return [=](Selection* selection, std::shared_ptr<const trace::Run> run) -> QWidget* {
            if (run && learned)
                run = example::withLearnedPositions(*run);
            auto* view = new PositionalEncodingView(selection);
            view->setRun(run);
            view->setPage(page);
            if (run)
                view->setAnswer(example::positionAnswer(*view, run));
            return view;
        };
    }

    // What belongs to a search has a run of its own; only whether there is one is taken from the content.

    static QWidget* beamTree(Selection*, std::shared_ptr<const trace::Run> run) {
        auto* view = new BeamTreeView;
        view->setRun(run ? example::searchedRun() : nullptr);
        return view;
    }

    static QWidget* beamTreeOfAnother(Selection*, std::shared_ptr<const trace::Run> run) {
        auto* view = new BeamTreeView;
        view->setRun(run ? trace::atPath(*example::searchedRun(), 9) : nullptr);
        return view;
    }

    static QWidget* branches(Selection*, std::shared_ptr<const trace::Run> run) {
        auto* list = new BranchList;
        if (run)
            list->setBranches(
                {{"Der alte \u2026", "Der alte Mann gab seiner Tochter ein rotes Buch.", -1.2345, 12},
                 {"polite", "Der Greis gab seiner Tochter ein rotes Buch.", -7.6543, 11, true}});
        return list;
    }

    static Make comparison(trace::HeadAddress head) {
        return [=](Selection*, std::shared_ptr<const trace::Run> run) -> QWidget* {
            auto* view = new BranchComparison;
            view->setHead(head);
            if (run) {
                const auto branched = example::branchedRun();
                view->setNames({"Der alte \u2026", "polite"}, 0, 1);
                view->setRuns(trace::atPath(*branched, 12), trace::atPath(*branched, 14));
            }
            return view;
        };
    }

    static QWidget* reference(Selection*, std::shared_ptr<const trace::Run> run) {
        auto* view = new ReferenceView;
        if (run) {
            const auto branched = example::branchedRun();
            view->setScores(analysis::tokenScores(branched->tree, branched->paths.back().leaf));
            view->setStep(1);
        }
        return view;
    }

    static Make options(trace::Decoding decoding) {
        return [=](Selection*, std::shared_ptr<const trace::Run> run) -> QWidget* {
            auto* options = new DecodingOptions;
            if (run)
                options->setDecoding(decoding, 60);
            return options;
        };
    }

    static QWidget* importance(Selection* selection, std::shared_ptr<const trace::Run> run) {
        return viewOf<ImportanceView>(example::aligningHead, [run](ImportanceView& view) {
            if (run)
                view.setImportance(example::importance(*run));
        })(selection, run);
    }

    static QWidget* importanceOfTwin(Selection* selection, std::shared_ptr<const trace::Run> run) {
        return viewOf<ImportanceView>(example::aligningHead, [run](ImportanceView& view) {
            if (!run)
                return;
            view.setImportance(example::importance(*run));
            view.setTwin(7, example::importanceOfTwin(*run));
        })(selection, run);
    }

    static Make headTable(std::optional<WatchedCell> cell) {
        return [=](Selection* selection, std::shared_ptr<const trace::Run> run) -> QWidget* {
            selection->setHead(example::aligningHead);
            auto* table = new HeadTable(selection);
            table->setRun(run);
            if (!run)
                return table;
            table->setStatistics(analysis::statisticsOfHeads(*run));
            if (cell)
                table->setCell(cell);
            else
                table->setImportance(analysis::headScores(*example::importance(*run), std::nullopt));
            return table;
        };
    }

    static QWidget* headPage(Selection*, std::shared_ptr<const trace::Run> run) {
        auto* page = new HeadPage;
        page->setRun(run);
        if (!run)
            return page;
        const auto heads = analysis::statisticsOfHeads(*run);
        HeadFacts facts{
            .statistics = *std::ranges::find(heads, example::aligningHead, &analysis::HeadStatistics::head)};
        facts.twin = facts.statistics;
        facts.driving = {{"The old man gave his daughter a red book.", 0.9375},
                         {"He told me that he had lost his keys.", 0.8125}};
        page->setFacts(std::move(facts));
        return page;
    }

    /// No figure as long as nothing is known, so the view stands in another widget.
    static QWidget* measuring(Selection* selection, std::shared_ptr<const trace::Run> run) {
        auto* around = new QWidget;
        auto* view = new ImportanceView(selection, around);
        view->setRun(run);
        view->setMeasuring(run != nullptr);
        view->contrast()->setContrast("zzz");
        view->contrast()->showRefusal({.what = "This is no token of the model's target vocabulary",
                                       .found = "\"zzz\", which is 3 pieces",
                                       .wayOut = "look at the candidates of a step"});
        auto* column = new QVBoxLayout(around);
        column->setContentsMargins(0, 0, 0, 0);
        column->addWidget(view);
        return around;
    }

    static Make gridOfImportance(trace::HeadAddress head, bool sorted) {
        return [=](Selection* selection, std::shared_ptr<const trace::Run> run) -> QWidget* {
            return viewOf<HeadGridView>(head, [=](HeadGridView& grid) {
                if (!run)
                    return;
                const auto measured = example::importance(*run);
                auto scores = analysis::headScores(*measured, 5);
                analysis::rankByImportance(scores);
                grid.setImportance(scores, importanceCaption(*measured, *run, 5));
                grid.setTinted(true);
                grid.setSorted(sorted);
            })(selection, run);
        };
    }

    static Make lens(LensTint tint, int layers) {
        return [=](Selection* selection, std::shared_ptr<const trace::Run> run) -> QWidget* {
            auto* view = new LensView(selection);
            selection->setStep(5);
            view->setWhyEmpty("Type a sentence and press Enter.");
            auto* tints = view->findChild<QComboBox*>();
            tints->setCurrentIndex(static_cast<int>(tint));
            if (run && layers > 3)
                run = example::run({.layers = layers});
            view->setLens(run, run ? example::lens(*run) : nullptr);
            return view;
        };
    }

    enum class Unfolded { No, Yes };

    static Make attribution(Unfolded unfolded, std::string whyNot = {}) {
        return [=](Selection* selection, std::shared_ptr<const trace::Run> run) -> QWidget* {
            auto* view = new AttributionView(selection);
            selection->setStep(5);
            selection->setHead(example::aligningHead);
            view->setWhyEmpty("Type a sentence and press Enter.");
            const auto lens = run ? example::lens(*run, run->next.front()) : nullptr;
            if (lens && !whyNot.empty()) {
                lens->whyNoAttribution = whyNot;
                lens->attributions.clear();
            }
            view->setLens(run, lens);
            if (unfolded == Unfolded::Yes)
                view->findChild<AttributionTree*>()->expandAll();
            return view;
        };
    }

    static QWidget* runTo(Selection*, std::shared_ptr<const trace::Run>) { return new RunToEditor; }

    static void zoomIn(HeatmapView& view) {
        view.resize(900, 640);
        const QPointF at = view.mapLayout().plot().center();
        QWheelEvent wheel(at, at, {}, {0, 960}, {}, {}, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&view, &wheel);
    }

    static Make arithmetic(trace::HeadAddress head, TokenFocus focus) {
        return [=](Selection* selection, std::shared_ptr<const trace::Run> run) -> QWidget* {
            selection->setHead(head);
            selection->setStep(5);
            selection->setHover(focus);
            auto* view = new ArithmeticView(selection);
            if (!run)
                return view;
            const auto projected = example::withProjections(*run);
            view->setRuns(projected, projected);
            return view;
        };
    }

    static void chooseHeads(LinesView& view) {
        view.toggleHead(0);
        view.toggleHead(2);
    }

    static QList<Exhibit> exhibits() {
        using trace::AttentionKind;
        const QList<QSize> large{{900, 640}, {420, 320}};
        const QList<QSize> line{{900, 64}, {360, 120}};
        const trace::HeadAddress decoder{{AttentionKind::DecoderSelf, 1}, 2};
        const trace::HeadAddress encoder{{AttentionKind::EncoderSelf, 0}, 7};
        return {
            {"heatmap", viewOf<HeatmapView>(example::aligningHead), large},
            {"heatmap-decoder", viewOf<HeatmapView>(decoder), large},
            {"heatmap-encoder", viewOf<HeatmapView>(encoder), large},
            {"heatmap-scores",
             viewOf<HeatmapView>(decoder, [](HeatmapView& view) { view.setQuantity(Quantity::Scores); }),
             large},
            {"heatmap-log",
             viewOf<HeatmapView>(example::aligningHead,
                                 [](HeatmapView& view) { view.setMapping(ColourMapping::Logarithmic); }),
             large},
            {"heatmap-rollout", mapOf({.quantity = Quantity::Rollout, .received = true}), large},
            {"heatmap-contributions",
             mapOf({.quantity = Quantity::Contribution,
                    .colourPerRow = true,
                    .transposed = true,
                    .received = true}),
             large},
            {"heatmap-gradient",
             mapOf({.quantity = Quantity::GradientAttention, .numbers = true, .received = true}), large},
            {"heatmap-norms",
             mapOf({.quantity = Quantity::NormShares,
                    .mapping = ColourMapping::Rank,
                    .withoutSpecial = true,
                    .words = true}),
             large},
            {"heatmap-words",
             mapOf({.withoutSpecial = true, .words = true, .transposed = true, .numbers = true}), large},
            {"source-share", sourceShare, line},
            {"heatmap-zoomed", viewOf<HeatmapView>(example::aligningHead, zoomIn), large},
            {"lines", viewOf<LinesView>(example::aligningHead), large},
            {"lines-decoder", viewOf<LinesView>(decoder), large},
            {"lines-chosen", viewOf<LinesView>(example::aligningHead, chooseHeads), large},
            {"lines-all",
             viewOf<LinesView>(encoder, [](LinesView& view) { view.setShown(LinesView::Shown::AllHeads); }),
             large},
            {"arithmetic", arithmetic(example::aligningHead, {}), {{1100, 320}, {360, 640}}},
            {"arithmetic-closed", arithmetic(decoder, {.targetQuery = 3, .targetKey = 6}), {{1100, 320}}},
            {"grid", viewOf<HeadGridView>(example::aligningHead), large},
            {"grid-decoder", viewOf<HeadGridView>(decoder), large},
            {"masks", viewOf<MaskView>(decoder), {{1000, 480}, {560, 360}}},
            {"masks-cross", viewOf<MaskView>(example::aligningHead), {{1000, 480}, {560, 360}}},
            {"candidates", viewOf<CandidatesView>(example::aligningHead), {{320, 420}, {220, 260}}},
            {"curves", positions(PositionalEncodingView::Page::Curves), large},
            {"positions", positions(PositionalEncodingView::Page::Table), large},
            {"similarity", positions(PositionalEncodingView::Page::Similarity), large},
            {"wavelengths", positions(PositionalEncodingView::Page::Wavelengths), large},
            {"shift", positions(PositionalEncodingView::Page::Shift), large},
            {"shift-learned", positions(PositionalEncodingView::Page::Shift, true), large},
            {"wavelengths-learned", positions(PositionalEncodingView::Page::Wavelengths, true), large},
            {"word-and-position", positions(PositionalEncodingView::Page::Words), large},
            {"grid-changed", changed<HeadGridView>(example::aligningHead), large},
            {"grid-tinted", gridOfImportance(example::aligningHead, false), large},
            {"grid-sorted", gridOfImportance(decoder, true), large},
            {"importance", importance, {{420, 480}, {290, 360}}},
            {"importance-twin", importanceOfTwin, {{420, 480}, {290, 360}}},
            {"head-table", headTable(std::nullopt), {{1280, 360}, {640, 300}}},
            {"head-table-cell",
             headTable(WatchedCell{.kind = AttentionKind::Cross, .query = 5, .key = 5}),
             {{900, 300}}},
            {"head-page", headPage, {{420, 480}, {300, 480}}},
            {"lens", lens(LensTint::Probability, 3), {{900, 300}, {360, 240}, {1000, 520}}},
            {"lens-rank", lens(LensTint::Rank, 6), {{900, 300}, {1000, 640}}},
            {"lens-divergence", lens(LensTint::Divergence, 3), {{900, 300}}},
            {"attribution", attribution(Unfolded::No), {{400, 300}, {260, 300}}},
            {"attribution-unfolded", attribution(Unfolded::Yes), {{400, 520}, {300, 300}}},
            {"attribution-refused",
             attribution(Unfolded::No, "The norms of this model rescale it."),
             {{400, 300}}},
            {"importance-measuring", measuring, {{380, 360}, {240, 360}}},
            {"heatmap-changed", changed<HeatmapView>({{AttentionKind::Cross, 0}, 1}), large},
            {"what-if", whatIf, {{320, 640}, {240, 420}}},
            {"random-twin", twin, {{1100, 340}, {360, 640}}},
            {"scaled-scores", scaledScores, {{320, 560}, {240, 560}}},
            {"beam-tree", beamTree, {{900, 280}, {360, 200}}},
            {"beam-tree-other", beamTreeOfAnother, {{900, 280}}},
            {"branches", branches, {{900, 200}, {420, 200}}},
            {"comparison", comparison(example::aligningHead), {{1000, 320}, {560, 260}}},
            {"comparison-decoder", comparison(decoder), {{1000, 320}}},
            {"comparison-encoder", comparison(encoder), {{1000, 320}}},
            {"reference", reference, {{900, 220}, {360, 220}}},
            {"options-beam", options({.beam = 4, .lengthPenalty = 0.6}), {{360, 320}}},
            {"options-sampling", options({.sample = true, .temperature = 0.7}), {{360, 400}}},
            {"run-to", runTo, {{360, 160}}},
            {"strip", strip, line},
            {"bar", bar, {{480, 40}, {280, 40}}},
            {"sentence", sentence, {{600, 40}, {280, 40}}},
            {"badge", badge, {{560, 32}, {300, 32}}},
        };
    }

    /// 450 tokens a side; made once, because its 48 maps take a while.
    static std::shared_ptr<const trace::Run> book() {
        static const auto run = example::run({.repeats = 45});
        return run;
    }

    static bool isBlank(const QImage& image) {
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                if (image.pixel(x, y) != image.pixel(image.width() - 2, 1))
                    return false;
        return true;
    }

  private Q_SLOTS:
    void initTestCase() { QVERIFY(QDir().mkpath(HEADSCOPE_BUILD "/gallery")); }

    void everyViewDrawsSomething_data() {
        QTest::addColumn<int>("exhibit");
        QTest::addColumn<bool>("dark");
        QTest::addColumn<QString>("content");
        const QList<Exhibit> all = exhibits();
        for (int i = 0; i < all.size(); ++i)
            for (const bool dark : {false, true})
                for (const QString content : {"sentence", "foreign", "long", "book", "padded", "nothing"})
                    QTest::addRow("%s, %s, %s", qPrintable(all[i].name), dark ? "dark" : "light",
                                  qPrintable(content))
                        << i << dark << content;
    }

    void everyViewDrawsSomething() {
        QFETCH(int, exhibit);
        QFETCH(bool, dark);
        QFETCH(QString, content);
        const Exhibit shown = exhibits()[exhibit];
        const auto run = content == "nothing"   ? nullptr
                         : content == "long"    ? example::run({.repeats = 6})
                         : content == "book"    ? book()
                         : content == "foreign" ? example::run({.foreign = true})
                         : content == "padded"  ? example::run({.sourcePadding = 2})
                                                : example::run();
        QApplication::setPalette(paletteOf(dark ? darkTheme() : lightTheme()));
        for (const QSize& size : shown.sizes) {
            Selection selection;
            const std::unique_ptr<QWidget> view(shown.make(&selection, run));
            if (content == "padded")
                selection.setHover({.sourceQuery = 3, .sourceKey = 5, .targetQuery = 4, .targetKey = 2});
            view->resize(size);
            view->show();
            QVERIFY(QTest::qWaitForWindowExposed(view.get()));
            QCoreApplication::processEvents();
            if (const auto* grid = qobject_cast<HeadGridView*>(view.get()))
                QTRY_VERIFY(grid->isComplete());
            const QImage image = view->grab().toImage();
            const QString name = QString("%1-%2-%3-%4.png")
                                     .arg(shown.name, content, dark ? "dark" : "light")
                                     .arg(size.width());
            QVERIFY(image.save(HEADSCOPE_BUILD "/gallery/" + name));
            QVERIFY2(!isBlank(image), qPrintable(name));
        }
    }

    void everyFigureIsSaved_data() {
        QTest::addColumn<int>("exhibit");
        QTest::addColumn<QString>("content");
        const QList<Exhibit> all = exhibits();
        for (int i = 0; i < all.size(); ++i)
            for (const QString content : {"", "-long", "-foreign"})
                QTest::addRow("%s%s", qPrintable(all[i].name), qPrintable(content)) << i << content;
    }

    void everyFigureIsSaved() {
        QFETCH(int, exhibit);
        QFETCH(QString, content);
        QApplication::setPalette(paletteOf(darkTheme()));
        Selection selection;
        const Exhibit shown = exhibits()[exhibit];
        const std::unique_ptr<QWidget> view(shown.make(
            &selection,
            example::run({.repeats = content == "-long" ? 7 : 1, .foreign = content == "-foreign"})));
        const auto* source = dynamic_cast<const FigureSource*>(view.get());
        if (!source)
            return;
        if (QString(shown.name).endsWith("-refused")) {
            QVERIFY(!source->hasFigure());
            return;
        }
        for (const auto& [format, ending] :
             {std::pair(FigureFormat::Png, "png"), std::pair(FigureFormat::Svg, "svg"),
              std::pair(FigureFormat::Pdf, "pdf")}) {
            const FigureBytes figure = figureBytes(format, source->figureSize(), 144, *source);
            QCOMPARE(figure.error, QString());
            QFile file(QString(HEADSCOPE_BUILD "/gallery/figure-%1%2.%3").arg(shown.name, content, ending));
            QVERIFY(file.open(QIODevice::WriteOnly));
            QCOMPARE(file.write(figure.bytes), figure.bytes.size());
        }
    }
};

QTEST_MAIN(GalleryTest)
#include "gallery_test.moc"
