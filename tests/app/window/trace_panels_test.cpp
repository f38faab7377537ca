#include <QApplication>
#include <QTemporaryDir>
#include <QTest>

#include "app/desktop/message_panel.h"
#include "app/models/engine_loader.h"
#include "app/models/resource_folders.h"
#include "app/traces/model_or_trace.h"
#include "app/traces/trace_arrays.h"
#include "app/window/main_window.h"
#include "model/files/safetensors.h"
#include "model/trace/run_path.h"
#include "tests/watched_test.h"
#include "widgets/controls/token_strip.h"
#include "widgets/map/heatmap_view.h"
#include "widgets/selection.h"
#include "widgets/views/compare/compare_view.h"
#include "widgets/views/paths/paths_view.h"
#include "widgets/views/random_twin/random_twin_panel.h"
#include "widgets/views/what_if/what_if_view.h"

#include <algorithm>
#include <span>

using namespace headscope;
using app::MainWindow;

/// What a trace keeps beside its run is in the panels that show it of a model.
class TracePanelsTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    std::unique_ptr<MainWindow> window_;

    std::shared_ptr<const trace::Run> run() const { return window_->controller()->run(); }

    /// A search, another branch, a change in the model and a twin.
    void record(const QString& path) {
        const auto engine = app::withTraces(app::loadEngine({.familyFolders = app::familyFolders()}));
        engine->open({.path = HEADSCOPE_SOURCE "/tests/reference/annotated-tiny"}, {});
        trace::Request request{
            .source = trace::SourceIds{{5, 6, 3}},
            .paths = {{.forced = trace::TargetIds{{2, 8}}, .newTokens = 3}, {.newTokens = 6}},
            .decoding = {.beam = 2}};
        request.interventions = {{.change = trace::ScaleHead{
                                      .head = {.site = {.kind = trace::AttentionKind::Cross, .layer = 0}}}}};
        request.recording.logProbabilities = true;
        const auto run = engine->of(request, trace::RunWhat());
        app::saveTrace(*run, app::traceAnalyses(*engine, request, *run, {.original = true, .twin = 7}, {}),
                       path.toStdString());
    }

  private Q_SLOTS:
    void initTestCase() {
        QVERIFY(folder_.isValid());
        const QString trace = folder_.filePath("trace.safetensors");
        record(trace);
        const auto makeEngine = [] {
            return app::withTraces(app::loadEngine({.familyFolders = app::familyFolders()}));
        };
        window_ = std::make_unique<MainWindow>(makeEngine, app::StartWith{.model = trace});
        window_->show();
        QTRY_VERIFY_WITH_TIMEOUT(run() && run()->complete, 30000);
    }

    void theSearchAndTheBranchesAreThere() {
        auto* tree = window_->findChild<widgets::PathsView*>();
        QVERIFY(tree->hasFigure() && tree->isVisible());
        QCOMPARE(run()->paths.size(), std::size_t(2));
        const auto& nodes = run()->tree.nodes();
        const auto isShown = [&](std::size_t id) {
            return std::ranges::find(run()->path, id) != run()->path.end();
        };
        const auto* selection = window_->findChild<widgets::Selection*>();
        QVERIFY(run()->path.size() > 3);
        Q_EMIT tree->intended(widgets::intents::ShowNode{run()->path[3]});
        QTRY_COMPARE(selection->step(), 2); // the one that chose it
        std::size_t other = 0;
        while (other < nodes.size() && (isShown(other) || !nodes[other].search))
            ++other;
        QVERIFY(other < nodes.size());
        Q_EMIT tree->intended(widgets::intents::ShowNode{other});
        auto* message = window_->findChild<app::MessagePanel*>();
        QTRY_VERIFY(message->isVisible());
        QVERIFY2(message->words().contains("maps of one path"), qPrintable(message->words()));
        message->hide();
        Q_EMIT tree->intended(widgets::intents::ShowPath{0, {}});
        QTRY_VERIFY(message->isVisible());
        QCOMPARE(trace::shownPath(*run()), std::optional<std::size_t>(1));
    }

    void theRunWithoutTheChangesIsThere() {
        const auto* comparison = window_->findChild<widgets::WhatIfView*>();
        QTRY_VERIFY(comparison->hasFigure());
        QVERIFY2(comparison->inWords().contains("Mean"), qPrintable(comparison->inWords()));
        window_->actions()["workspace.compare"]->trigger();
        auto* view = window_->findChild<widgets::CompareView*>();
        view->bar()->setWith(widgets::CompareBar::With::Unchanged);
        QTRY_VERIFY2(view->pair() && view->whyNot().isEmpty(), qPrintable(view->whyNot()));
        QVERIFY(view->pair().second->request.interventions.empty());
        // What is refused takes nothing of it away.
        window_->controller()->choose(0, 9);
        QTRY_VERIFY(window_->findChild<app::MessagePanel*>()->words().contains("no model that could run"));
        QTRY_VERIFY(comparison->hasFigure());
    }

    /// Of the seed that it was recorded with; of another one there is none.
    void theTwinIsThere() {
        auto* document = window_->findChild<app::Document*>();
        QCOMPARE(document->state().twinSeed, std::uint64_t(7));
        window_->actions()["random-twin"]->trigger();
        auto* panel = window_->findChild<widgets::RandomTwinPanel*>();
        QTRY_VERIFY(panel->hasFigure());
        QCOMPARE(panel->map()->run()->request.randomTwin, std::optional<std::uint64_t>(7));
        document->setTwinSeed(8);
        QTRY_VERIFY(!panel->hasFigure());
    }

    /// As BART's, whose texts begin with </s> <s>.
    void aSecondTokenThatStartsTheTargetIsNotItsEnd() {
        const std::vector<float> weights(3, 1);
        const QString path = folder_.filePath("forced.safetensors");
        files::saveSafetensors(
            path.toStdString(),
            {{.name = "cross/weights", .shape = {1, 1, 3, 1}, .bytes = std::as_bytes(std::span(weights))}},
            {{"tokens.json", R"({"source": ["a"], "target": ["</s>", "<s>", "x"], "next": ["P", "Q", "R"],
                                 "forced_rows": 3, "roles": {"target": ["start", "start", "text"]}})"}});
        window_->openModel(path);
        const auto strips = window_->findChildren<widgets::TokenStrip*>();
        const auto target = std::ranges::find(strips, QString("Target tokens"), &QWidget::accessibleName);
        QVERIFY(target != strips.end());
        QTRY_COMPARE((*target)->columnCount(), 3);
        for (int row = 0; row < 3; ++row)
            QVERIFY((*target)->columnName(row).contains(QChar('P' + row)));
    }
};

HEADSCOPE_WATCHED_TEST(TracePanelsTest)
#include "trace_panels_test.moc"
