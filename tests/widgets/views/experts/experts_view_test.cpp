#include <QTest>

#include "model/analysis/maps/expert_load.h"
#include "tests/watched_test.h"
#include "tests/widgets/answered_at_once.h"
#include "tests/widgets/example_experts.h"
#include "widgets/views/experts/experts_view.h"

#include <numeric>

using namespace headscope;
using namespace headscope::widgets;

/// The map against the routing that it was given.
class ExpertsViewTest : public QObject {
    Q_OBJECT

    using Page = ExpertsView::Page;

    std::unique_ptr<Selection> selection_;
    std::unique_ptr<ExpertsView> view_;
    example::AnsweredAtOnce* answers_ = nullptr;
    std::shared_ptr<trace::Run> run_;
    std::shared_ptr<const trace::ExpertRouting> routing_;

    void show(std::shared_ptr<trace::Run> run) {
        auto& document = answers_->document();
        document.run = run;
        document.model = run->model;
        document.request = run->request;
        answers_->setModel([this](const auto&) { return routing_; });
    }

  private Q_SLOTS:
    void init() {
        selection_ = std::make_unique<Selection>();
        view_ = std::make_unique<ExpertsView>(selection_.get());
        answers_ = new example::AnsweredAtOnce(view_.get());
        run_ = example::withExperts(*example::run());
        routing_ = example::routing(*run_);
    }

    void everyTokenHasItsExpertsInTheLayer() {
        show(run_);
        view_->setLayer(2);
        const auto& layer = routing_->layers[1];
        const auto& shown = view_->map()->content();
        QCOMPARE(shown.values.rows(), run_->target.size());
        QCOMPARE(shown.values.columns(), std::size_t{8});
        for (std::size_t token = 0; token < run_->target.size(); ++token)
            for (std::size_t expert = 0; expert < 8; ++expert) {
                float weight = 0;
                for (std::size_t place = 2 * token; place < 2 * token + 2; ++place)
                    if (layer.experts[place] == static_cast<int>(expert))
                        weight = layer.weights[place];
                QCOMPARE(shown.values(token, expert), weight);
            }
        QCOMPARE(shown.load, analysis::expertLoad(*routing_, layer, run_->target));
        QCOMPARE(shown.even, 0.25);
    }

    void theLoadsOfALayerAddUpToTheExpertsOfAToken() {
        const auto load = analysis::expertLoad(*routing_, routing_->layers[0], run_->target);
        QVERIFY(std::abs(std::accumulate(load.begin(), load.end(), 0.0) - 2) < 1e-12);
        QCOMPARE(load.back(), 0.0);
        auto padded = run_->target;
        padded.front().role = trace::TokenRole::Padding; // counts no more
        const auto other = analysis::expertLoad(*routing_, routing_->layers[0], padded);
        QVERIFY(std::abs(std::accumulate(other.begin(), other.end(), 0.0) - 2) < 1e-12);
        QVERIFY(other != load);
    }

    void oneTokenHasARowForEachLayerWithExperts() {
        show(run_);
        view_->setPage(Page::Layers);
        selection_->setStep(3);
        const auto& shown = view_->map()->content();
        QCOMPARE(shown.values.rows(), std::size_t{2});
        QCOMPARE(shown.rows[1].text, QString("layer 2"));
        for (std::size_t row = 0; row < 2; ++row)
            for (std::size_t place = 6; place < 8; ++place)
                QCOMPARE(shown.values(row, routing_->layers[row].experts[place]),
                         routing_->layers[row].weights[place]);
        QVERIFY(shown.load.empty());
    }

    void theLoadOfEveryLayerIsAMap() {
        show(run_);
        view_->setPage(Page::Load);
        const auto& shown = view_->map()->content();
        for (std::size_t row = 0; row < 2; ++row) {
            const auto load = analysis::expertLoad(*routing_, routing_->layers[row], run_->target);
            for (std::size_t expert = 0; expert < 8; ++expert)
                QCOMPARE(shown.values(row, expert), static_cast<float>(load[expert]));
        }
    }

    void aClickOnATokenGoesToItsStepAndOneOnALayerStays() {
        show(run_);
        Q_EMIT view_->findChild<ExpertMap*>()->cellClicked({4, 1});
        QCOMPARE(selection_->step(), trace::TokenIndex(4));
        view_->setPage(Page::Load);
        Q_EMIT view_->findChild<ExpertMap*>()->cellClicked({1, 1});
        QCOMPARE(view_->layer(), 2);
    }

    void whatIsDrawnIsExported() {
        show(run_);
        const auto data = view_->figureData();
        QCOMPARE(data.arrays.size(), std::size_t{2});
        QCOMPARE(data.arrays[0].name, std::string("weights"));
        QCOMPARE(data.arrays[1].name, std::string("load"));
        view_->setPage(Page::Load);
        QCOMPARE(view_->figureData().arrays.size(), std::size_t{1});
    }

    void aModelWithoutExpertsSaysSo() {
        show(example::run());
        QVERIFY(!view_->hasFigure());
        QVERIFY(view_->questions().empty());
        QVERIFY(view_->whyEmpty().contains("experts"));
    }

    void aRefusalIsSaid() {
        auto& document = answers_->document();
        document.run = run_;
        document.request = run_->request;
        answers_->setRefusal(trace::RefusalText{.what = "There is no memory for it"});
        QVERIFY(!view_->hasFigure());
        QVERIFY2(view_->whyEmpty().contains("no memory"), qPrintable(view_->whyEmpty()));
    }
};

HEADSCOPE_WATCHED_TEST(ExpertsViewTest)
#include "experts_view_test.moc"
