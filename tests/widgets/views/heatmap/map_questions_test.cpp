#include <QTest>

#include "tests/watched_test.h"
#include "tests/widgets/answered_at_once.h"
#include "tests/widgets/example_maps.h"
#include "tests/widgets/example_run.h"
#include "widgets/map/heatmap_view.h"
#include "widgets/views/heatmap/heatmap_page.h"

using namespace headscope;
using namespace headscope::widgets;
using trace::AttentionKind;
using trace::HeadAddress;
using trace::MapQuantity;

class MapQuestionsTest : public QObject {
    Q_OBJECT

    std::unique_ptr<Selection> selection_;
    std::unique_ptr<HeatmapPage> page_;
    std::shared_ptr<trace::Run> run_;
    std::vector<trace::Question::What> asked_;
    example::AnsweredAtOnce* answers_ = nullptr;

    static constexpr HeadAddress cross{{AttentionKind::Cross, 2}, 5};
    static constexpr HeadAddress encoder{{AttentionKind::EncoderSelf, 1}, 4};

    trace::Answer answer(const trace::Question& question) {
        asked_.push_back(question.what);
        if (const auto* maps = std::get_if<trace::MapsWhat>(&question.what)) {
            auto known = example::normWeighted(*run_, maps->site);
            known->request = question.request;
            known->quantity = maps->quantity;
            known->step = maps->step;
            return std::shared_ptr<const trace::QuantityMaps>(known);
        }
        const auto& what = std::get<trace::CausalRowWhat>(question.what);
        auto row = std::make_shared<trace::CausalRow>();
        row->request = question.request;
        row->step = what.step;
        row->head = what.head;
        row->token = run_->next.at(what.step);
        for (std::size_t key = 0; key < run_->source.size(); ++key)
            row->drops.push_back(what.keys.first <= key && key < what.keys.last ? 0.25 * double(key)
                                                                                : std::nan(""));
        return std::shared_ptr<const trace::CausalRow>(row);
    }

    template <class What>
    std::vector<What> wanted() const {
        std::vector<What> all;
        for (const auto& each : page_->questions())
            if (const auto* question = std::get_if<trace::Question>(&each))
                if (const auto* what = std::get_if<What>(&question->what))
                    all.push_back(*what);
        return all;
    }
    ShownCause losses(const HeadAddress& head) const {
        MapQuestions asked(*page_, *selection_);
        asked.setRun(run_);
        return asked.lossesOf(head);
    }
    void lengthen(std::size_t tokens) {
        run_->source.resize(tokens, run_->source.front());
        Q_EMIT page_->questionsChanged();
    }

  private Q_SLOTS:
    void init() {
        selection_ = std::make_unique<Selection>();
        selection_->setHead(cross);
        selection_->setStep(1);
        run_ = example::run();
        run_->complete = true;
        page_ = std::make_unique<HeatmapPage>(selection_.get());
        page_->setRun(run_);
        answers_ = new example::AnsweredAtOnce(
            page_.get(), [this](const auto& question) { return answer(question); }, true);
        answers_->document().run = run_;
        answers_->document().request = trace::Request{.source = std::string("a"), .paths = {{}}};
        asked_.clear();
    }

    void cleanup() {
        page_.reset();
        selection_.reset();
    }

    void theShownQuantityComesBeforeWhatItIsComparedWith() {
        const auto plain = wanted<trace::MapsWhat>();
        QCOMPARE(plain.size(), std::size_t(1)); // the run has the weights: only their effect is asked for
        QCOMPARE(plain.front().quantity, MapQuantity::NormWeighted);
        answers_->choose({.quantity = Quantity::Rollout});
        QVERIFY(wanted<trace::CausalRowWhat>().empty());
        QCOMPARE(wanted<trace::MapsWhat>().size(), std::size_t(1));
        QCOMPARE(wanted<trace::MapsWhat>().front().quantity, MapQuantity::Rollout);
        answers_->setHolding(false);
        QVERIFY(page_->single()->hasFigure());
        QVERIFY(!page_->single()->shownMap().empty());
    }

    void headsThatAreComparedHaveTheirOwn() {
        selection_->setPinnedHeads({encoder, cross});
        answers_->choose({.quantity = Quantity::Contribution});
        const auto all = wanted<trace::MapsWhat>();
        QCOMPARE(all.size(), std::size_t(2));
        QVERIFY(all[0].site == cross.site && all[1].site == encoder.site);
        answers_->setHolding(false);
        for (const auto* map : page_->maps())
            QVERIFY(!map->shownMap().empty());
    }

    void gradientsAreOfTheStepOrTheClass() {
        answers_->choose({.quantity = Quantity::GradientAttention});
        QCOMPARE(wanted<trace::MapsWhat>().front().step, std::size_t(1));
        selection_->setStep(2);
        QCOMPARE(wanted<trace::MapsWhat>().front().step, std::size_t(2));
        run_->classLogProbabilities = {-3, -0.1F, -2};
        QCOMPARE(wanted<trace::MapsWhat>().front().step, std::size_t(1));
        answers_->document().chosenClass = 2;
        QCOMPARE(wanted<trace::MapsWhat>().front().step, std::size_t(2));
    }

    void nothingIsAskedAboutAnotherRunThanTheShownOne() {
        QVERIFY(!page_->questions().empty());
        answers_->document().run = std::make_shared<trace::Run>(*run_);
        QVERIFY(page_->questions().empty());
        answers_->document().run = run_;
        answers_->document().request.reset();
        QVERIFY(page_->questions().empty());
    }

    void aRefusalIsShownInPlaceOfTheMap() {
        answers_->choose({.quantity = Quantity::GradientAttention});
        answers_->setRefusal(trace::RefusalText{.what = "No such token", .wayOut = "choose another"});
        answers_->setHolding(false);
        QCOMPARE(page_->whyEmpty(), QString("No such token: choose another"));
    }

    void lossesAreOfTheStepAndOfCrossAttention() {
        answers_->setHolding(false);
        const auto cause = losses(cross);
        QVERIFY(cause.everywhere && cause.here && !cause.isAwaited);
        QVERIFY(!cause.everywhere->head && *cause.here->head == cross);
        QCOMPARE(cause.here->step, std::size_t(1));
        QVERIFY(losses(encoder) == ShownCause());
        QVERIFY(!page_->lacks());
        selection_->setHead(encoder);
        QVERIFY(wanted<trace::CausalRowWhat>().empty());
    }

    void lossesAreAskedForSomeTokensAtATime() {
        lengthen(40);
        const auto all = wanted<trace::CausalRowWhat>();
        QCOMPARE(all.size(), std::size_t(6));
        for (std::size_t i = 0; i < all.size(); ++i) {
            QCOMPARE(all[i].head.has_value(), i >= 3);
            QVERIFY(all[i].keys == (trace::KeyRange{16 * (i % 3), 16 * (i % 3) + 16}));
        }
        QVERIFY(losses(cross).isAwaited && losses(cross).progress.isEmpty());
        answers_->setHolding(false);
        const auto cause = losses(cross);
        for (const auto& row : {cause.everywhere, cause.here})
            for (std::size_t key = 0; key < 40; ++key)
                QCOMPARE(row->drops[key], 0.25 * double(key));
        QVERIFY(cause.progress.isEmpty());
    }

    void whatWasStoppedSaysHowFarItCame() {
        lengthen(40);
        int left = 1;
        answers_->setModel([&](const trace::Question& question) -> trace::Answer {
            if (std::holds_alternative<trace::CausalRowWhat>(question.what) && left-- <= 0)
                throw trace::Refusal({.what = "Stopped"});
            return answer(question);
        });
        answers_->setHolding(false);
        QVERIFY2(losses(cross).whyNot.startsWith("stopped after 16 of 40"), qPrintable(losses(cross).whyNot));
        answers_->choose({.losses = true});
        QCOMPARE(page_->lacks().value().choice, std::string("losses"));
    }

    void ofALongSourceLossesAreMeasuredOnlyWhereSomebodyAsks() {
        lengthen(MapQuestions::longestUnasked + 1);
        QVERIFY(wanted<trace::CausalRowWhat>().empty());
        QVERIFY2(losses(cross).whyNot.contains("128") && losses(cross).whyNot.contains("129"),
                 qPrintable(losses(cross).whyNot));
        answers_->choose({.losses = true});
        QVERIFY(losses(cross).isAwaited && losses(cross).whyNot.isEmpty());
        answers_->setHolding(false);
        QVERIFY(losses(cross).everywhere && losses(cross).here);
    }
};

HEADSCOPE_WATCHED_TEST(MapQuestionsTest)
#include "map_questions_test.moc"
