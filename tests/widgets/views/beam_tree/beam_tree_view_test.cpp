#include <QTest>

#include "tests/watched_test.h"
#include "tests/widgets/example_search.h"
#include "tests/widgets/shown_view.h"
#include "widgets/drawing/theme.h"
#include "widgets/export/figure_export.h"
#include "widgets/views/beam_tree/beam_tree_view.h"

#include <algorithm>
#include <cmath>

using namespace headscope;
using tests::isSeen;
using widgets::BeamTreeView;

class BeamTreeViewTest : public QObject {
    Q_OBJECT

    std::unique_ptr<BeamTreeView> view_;

    void show(std::shared_ptr<const trace::Run> run) {
        widgets::DocumentState shown;
        shown.branches.run = std::move(run);
        view_->setContext({.document = &shown});
        view_->refresh();
        view_->setContext({});
    }

  private Q_SLOTS:
    void init() {
        view_ = std::make_unique<BeamTreeView>();
        view_->resize(900, 300);
        show(example::searchedRun());
        QVERIFY(isSeen(*view_));
    }

    void aFigureHasItsCaptionAndItsLegend() {
        const auto drawn =
            widgets::figureBytes({.format = widgets::FigureFormat::Svg, .size = view_->figureSize()}, *view_)
                .bytes;
        QVERIFY(drawn.contains("Beam search with"));
        for (const char* entry : {">chosen<", ">pruned<", ">overtaken<", ">shown<"}) // there is room for all
            QVERIFY2(drawn.contains(entry), entry);
        QVERIFY(view_->areaOf(8).right() < view_->areaOf(12).left());
    }

    void withoutMarksNoPathIsTheShownOne() {
        const widgets::FigureParts parts{.marks = false};
        const auto svg = widgets::figureBytes(
            {.format = widgets::FigureFormat::Svg, .size = view_->figureSize(), .parts = parts}, *view_);
        QVERIFY(svg.bytes.contains(">chosen<") && !svg.bytes.contains(">shown<"));
        QVERIFY(!svg.bytes.contains(widgets::lightTheme().focus.name().toLatin1()));
    }

    /// Steps count from 0 as in all tables; the start token was chosen at no step.
    void theNumbersNameTheStepThatChoseAHypothesis() {
        const auto table = view_->figureData().tables.front();
        const auto column = [&](const char* name) {
            const auto found = std::ranges::find(table.columns, name, &trace::DataColumn::title);
            return std::get<std::vector<double>>(found->values);
        };
        const auto steps = column("step"), parents = column("parent");
        for (std::size_t row = 0; row < steps.size(); ++row) {
            QCOMPARE(std::isnan(steps[row]), std::isnan(parents[row]));
            if (!std::isnan(parents[row]))
                QVERIFY(steps[row] >= 0 &&
                        steps[row] < static_cast<double>(example::searchedRun()->next.size()));
        }
        QVERIFY(std::ranges::count(steps, 0.0) > 1);
    }

    /// Nothing moves between the frames of an animation but the marks of the path.
    void anAnimationMarksThePathAsFarAsItIsDecoded() {
        const auto run = example::searchedRun();
        const auto drawn = [this](std::size_t rows) {
            view_->setRowsDecoded(rows);
            return widgets::figureBytes({.format = widgets::FigureFormat::Svg, .size = view_->figureSize()},
                                        *view_)
                .bytes;
        };
        const auto whole = drawn(run->target.size());
        QVERIFY(drawn(1) != whole && drawn(1) != drawn(2));
        view_->setRowsDecoded({});
        QCOMPARE(
            widgets::figureBytes({.format = widgets::FigureFormat::Svg, .size = view_->figureSize()}, *view_)
                .bytes,
            whole);
    }

    void withoutASearchThereIsNoFigure() {
        show(example::run());
        QVERIFY(view_->isEmpty() && !view_->hasFigure() && !view_->whyEmpty().isEmpty());
    }
};

HEADSCOPE_WATCHED_TEST(BeamTreeViewTest)
#include "beam_tree_view_test.moc"
