#include "tests/gallery/exhibits.h"

#include <QComboBox>
#include <QLineEdit>
#include <QVBoxLayout>

#include "model/analysis/heads/removal_orders.h"
#include "tests/widgets/answered_at_once.h"
#include "tests/widgets/example_importance.h"
#include "widgets/controls/contrast_field.h"
#include "widgets/views/cell_card/cell_card.h"
#include "widgets/views/head_card/head_card.h"
#include "widgets/views/head_grid/head_grid_view.h"
#include "widgets/views/head_page/head_page.h"
#include "widgets/views/head_scatter/head_scatter.h"
#include "widgets/views/head_table/head_table.h"
#include "widgets/views/heatmap/heatmap_page.h"
#include "widgets/views/importance/importance_view.h"
#include "widgets/views/overview/overview.h"
#include "widgets/views/overview/overview_view.h"

namespace headscope::gallery {

using namespace widgets;

namespace {

QWidget* importance(Selection* selection, std::shared_ptr<const trace::Run> run) {
    return viewOf<ImportanceView>(example::aligningHead, [run](ImportanceView& view) {
        if (run)
            view.setContent({.run = run, .importance = example::importance(*run)});
    })(selection, run);
}

QWidget* importanceOfTwin(Selection* selection, std::shared_ptr<const trace::Run> run) {
    return viewOf<ImportanceView>(example::aligningHead, [run](ImportanceView& view) {
        if (!run)
            return;
        view.setContent({.run = run,
                         .importance = example::importance(*run),
                         .twinSeed = 7,
                         .twin = example::importanceOfTwin(*run)});
    })(selection, run);
}

QWidget* removalCurve(Selection* selection, std::shared_ptr<const trace::Run> run) {
    return viewOf<ImportanceView>(example::aligningHead, [run](ImportanceView& view) {
        if (!run)
            return;
        const auto measured = example::importance(*run);
        ImportanceView::Content content{.run = run, .importance = measured, .isWithCurve = true};
        content.removals.byImportance =
            example::removal(*measured, analysis::byImportance(*measured, std::nullopt), 0.1F);
        for (const auto& order : analysis::atRandom(*measured))
            content.removals.random.push_back(example::removal(
                *measured, order, 0.03F + 0.005F * static_cast<float>(content.removals.random.size())));
        view.setContent(std::move(content));
    })(selection, run);
}

Make headTable(std::optional<WatchedCell> cell) {
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

QWidget* headPage(Selection* selection, std::shared_ptr<const trace::Run> run) {
    auto* page = new HeadPage(selection);
    page->setRun(run);
    if (!run)
        return page;
    const auto heads = analysis::statisticsOfHeads(*run);
    HeadFacts facts{.statistics =
                        *std::ranges::find(heads, example::aligningHead, &analysis::HeadStatistics::head)};
    facts.twin = facts.statistics;
    facts.driving = {{"The old man gave his daughter a red book.", 0.9375},
                     {"He told me that he had lost his keys.", 0.8125}};
    page->setFacts(std::move(facts));
    return page;
}

/// A view that asks for statistics of the run.
template <class OfHeads>
QWidget* answered(Selection* selection, std::shared_ptr<const trace::Run> run) {
    auto* view = new OfHeads(selection);
    auto* answers = new example::AnsweredAtOnce(view);
    answers->document().run = run;
    if (run) {
        answers->document().model = run->model;
        answers->document().request = run->request;
    }
    Q_EMIT view->questionsChanged();
    return view;
}

/// No figure as long as nothing is known, so the view stands in another widget.
QWidget* measuring(Selection* selection, std::shared_ptr<const trace::Run> run) {
    auto* around = new QWidget;
    auto* view = new ImportanceView(selection, around);
    view->setContent({.run = run, .isMeasuring = run != nullptr});
    auto* contrast = view->findChild<ContrastField*>();
    contrast->setContrast("zzz");
    contrast->showRefusal({.what = "This is no token of the model's target vocabulary",
                           .found = "\"zzz\", which is 3 pieces",
                           .wayOut = "look at the candidates of a step"});
    auto* column = new QVBoxLayout(around);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(view);
    return around;
}

Make gridOfImportance(trace::HeadAddress head, bool sorted) {
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

/// What a person chose in the row above it, by the places in the lists.
Make overview(std::function<void(Overview&, const trace::Run&)> change) {
    return [=](Selection* selection, std::shared_ptr<const trace::Run> run) -> QWidget* {
        return viewOf<Overview>(example::aligningHead, [=](Overview& view) {
            if (!run)
                return;
            view.setStatistics(analysis::statisticsOfHeads(*run));
            change(view, *run);
        })(selection, run);
    };
}

void choose(Overview& view, const QString& accessibleName, const QString& entry) {
    for (auto* box : view.findChildren<QComboBox*>())
        if (box->accessibleName() == accessibleName && box->findText(entry) >= 0)
            return box->setCurrentText(entry);
    qFatal("there is no %s: %s", qPrintable(accessibleName), qPrintable(entry));
}

void tintAndSearch(Overview& view, const trace::Run&) {
    choose(view, "Bars under the heads", "Bars: entropy");
    choose(view, "Order of the heads", "Sort: by monotony");
    view.findChild<QLineEdit*>()->setText("cross 2");
}

void groupHeads(Overview& view, const trace::Run& run) {
    choose(view, "Order of the heads", "Sort: by similarity");
    if (run.source.size() > 200) // that takes a while
        return view.setComparing(0.375);
    HeadGrouping grouping{.threshold = view.threshold()};
    for (const auto kind :
         {trace::AttentionKind::EncoderSelf, trace::AttentionKind::DecoderSelf, trace::AttentionKind::Cross})
        grouping.kinds[kind] =
            analysis::groupedHeads(analysis::headDivergences(run, kind), grouping.threshold);
    view.setGrouping(grouping);
}

/// Twelve layers of sixteen heads, whichever sentence it is.
QWidget* largeOverview(Selection* selection, std::shared_ptr<const trace::Run> run) {
    static const auto twelveLayers = example::run({.heads = 16, .layers = 12});
    return overview([](Overview&, const trace::Run&) {})(selection, run ? twelveLayers : nullptr);
}

/// Three pinned heads, and the selected one.
QWidget* pinned(Selection* selection, std::shared_ptr<const trace::Run> run) {
    selection->setPinnedHeads({{example::aligningHead.site, 2}, decoder, {example::aligningHead.site, 6}});
    return viewOf<HeatmapPage>(example::aligningHead, [=](HeatmapPage& view) {
        if (!run)
            return;
        new example::AnsweredAtOnce(&view);
        selection->setHover(TokenFocus::cell(trace::AttentionKind::Cross, 4, 3));
    })(selection, run);
}

QWidget* pinnedPair(Selection* selection, std::shared_ptr<const trace::Run> run) {
    selection->setPinnedHeads({encoder});
    return viewOf<HeatmapPage>({encoder.site, 2})(selection, run);
}

} // namespace

QList<Exhibit> headExhibits() {
    using trace::AttentionKind;
    return {
        {"grid", viewOf<HeadGridView>(example::aligningHead), large},
        {"grid-decoder", viewOf<HeadGridView>(decoder), large},
        {"grid-tinted", gridOfImportance(example::aligningHead, false), large},
        {"grid-sorted", gridOfImportance(decoder, true), large},
        {"importance", importance, {{420, 480}, {290, 360}}},
        {"importance-twin", importanceOfTwin, {{420, 480}, {290, 360}}},
        {"importance-curve", removalCurve, {{420, 640}, {290, 480}}},
        {"head-table", headTable(std::nullopt), {{1280, 360}, {640, 300}}},
        {"head-table-cell",
         headTable(WatchedCell{.kind = AttentionKind::Cross, .query = 5, .key = 5}),
         {{900, 300}}},
        {"head-page", headPage, {{420, 480}, {300, 480}}},
        {"head-card", answered<HeadCard>, {{316, 180}, {260, 180}}},
        {"cell-card", answered<CellCard>, {{316, 130}, {260, 160}}},
        {"head-scatter", answered<HeadScatter>, {{776, 620}, {420, 360}}},
        {"overview", overview([](Overview&, const trace::Run&) {}), {{1120, 700}, {420, 520}}},
        {"overview-tinted", overview(tintAndSearch), {{1120, 700}, {600, 420}}},
        {"overview-grouped", overview(groupHeads), {{1120, 700}, {600, 700}}},
        {"overview-large", largeOverview, {{1150, 660}, {690, 640}}},
        {"pinned", pinned, {{1120, 820}, {640, 560}}},
        {"pinned-pair", pinnedPair, {{1120, 560}, {420, 640}}},
        {"importance-measuring", measuring, {{380, 360}, {240, 360}}},
    };
}

} // namespace headscope::gallery
