#include <QComboBox>
#include <QTest>

#include "model/trace/refusal.h"
#include "tests/watched_test.h"
#include "tests/widgets/example_compare.h"
#include "tests/widgets/example_long_run.h"
#include "tests/widgets/example_maps.h"
#include "widgets/map/linked_maps.h"
#include "widgets/views/compare/compare_titles.h"
#include "widgets/views/compare/compare_view.h"

using namespace headscope;
using trace::AttentionKind;
using widgets::CompareView;
using widgets::Quantity;

/// Maps of two sentences and their difference, in each quantity that a head has.
class ComparedQuantityTest : public QObject {
    Q_OBJECT

    using Run = std::shared_ptr<const trace::Run>;
    /// Of a head at a query and a key; nothing: masked.
    using Value = std::function<std::optional<float>(const trace::Run&, std::size_t, std::size_t)>;

    static constexpr trace::HeadAddress masked{{AttentionKind::DecoderSelf, 1}, 3};

    std::unique_ptr<widgets::Selection> selection_;
    std::unique_ptr<CompareView> view_;
    example::AnsweredAtOnce* answers_ = nullptr;
    widgets::ComparedPair pair_;
    std::vector<trace::MapsWhat> asked_; ///< of A and of B, in this order where both are asked
    bool isBRefused_ = false;

    bool isOfA(const trace::Request& request) const { return request.source == pair_.first->request.source; }

    std::shared_ptr<trace::QuantityMaps> mapsOf(const trace::Run& run, const trace::MapsWhat& what) const {
        return what.quantity == trace::MapQuantity::GradientAttention
                   ? example::gradient(run, what.site, what.step)
                   : example::normWeighted(run, what.site);
    }

    trace::Answer answer(const trace::Question& question) {
        if (std::holds_alternative<trace::RunWhat>(question.what))
            return pair_.second;
        const auto& what = std::get<trace::MapsWhat>(question.what);
        asked_.push_back(what);
        if (isBRefused_ && !isOfA(question.request))
            throw trace::Refusal(trace::RefusalText{.what = "B has no such maps"});
        return std::shared_ptr<const trace::QuantityMaps>(
            mapsOf(isOfA(question.request) ? *pair_.first : *pair_.second, what));
    }

    void choose(Quantity quantity) {
        asked_.clear();
        view_->bar()->setQuantity(quantity);
    }

    const std::vector<widgets::LinkedMap>& maps() const { return view_->maps()->maps(); }

    Value scores() const {
        return [head = selection_->head()](const trace::Run& run, std::size_t query, std::size_t key) {
            return std::optional(run.record(head.site)->scores.head(head.head)(query, key));
        };
    }
    Value ofMaps(trace::MapQuantity quantity) const {
        return [this, quantity, head = selection_->head()](const trace::Run& run, std::size_t query,
                                                           std::size_t key) {
            const auto step = &run == pair_.first.get() ? asked_.front().step : asked_.back().step;
            const auto made = mapsOf(run, {.quantity = quantity, .site = head.site, .step = step});
            return made->mask(query, key) ? std::optional(made->values.head(head.head)(query, key))
                                          : std::nullopt;
        };
    }
    Value allowed(Value value) const {
        return
            [value = std::move(value), site = selection_->head().site](const trace::Run& run, auto... cell) {
                return run.record(site)->mask(cell...) ? value(run, cell...) : std::nullopt;
            };
    }

    /// Each number of the three maps, and the ends of their scales.
    void compare(const Value& value, bool isZeroWhenMasked) {
        QCOMPARE(maps().size(), 3u);
        const auto kind = selection_->head().site.kind;
        const auto aligned = analysis::alignRuns(*pair_.first, *pair_.second);
        const auto &rows = aligned.queriesOf(kind), &columns = aligned.keysOf(kind);
        float largest = 0, largestChange = 0;
        std::size_t differing = 0;
        for (std::size_t r = 0; r < rows.places.size(); ++r)
            for (std::size_t c = 0; c < columns.places.size(); ++c) {
                std::array<std::optional<float>, 2> sides;
                const auto& row = rows.places[r];
                const auto& column = columns.places[c];
                if (row.first && column.first)
                    sides[0] = value(*pair_.first, *row.first, *column.first);
                if (row.second && column.second)
                    sides[1] = value(*pair_.second, *row.second, *column.second);
                for (std::size_t side = 0; side < 2; ++side) {
                    QCOMPARE(maps()[side].mask(r, c) != 0, sides[side].has_value());
                    if (sides[side])
                        QCOMPARE(maps()[side].values(r, c), *sides[side]);
                    largest = std::max(largest, std::abs(sides[side].value_or(0)));
                }
                const bool both = sides[0] && sides[1], one = sides[0] || sides[1];
                const bool hasChange = row.isPair() && column.isPair() && (both || (one && isZeroWhenMasked));
                QCOMPARE(maps()[2].mask(r, c) != 0, hasChange);
                if (!hasChange)
                    continue;
                const float change = sides[1].value_or(0) - sides[0].value_or(0);
                QCOMPARE(maps()[2].values(r, c), change);
                largestChange = std::max(largestChange, std::abs(change));
                differing += change != 0;
            }
        QVERIFY(differing > 0);
        QCOMPARE(maps()[0].limit, double(largest));
        QCOMPARE(maps()[1].limit, double(largest));
        QCOMPARE(maps()[2].limit, std::max<double>(largestChange, 0.01 * double(largest)));
        QVERIFY(maps()[2].tone == widgets::LinkedMap::Tone::Scores);
    }

  private Q_SLOTS:
    void init() {
        selection_ = std::make_unique<widgets::Selection>();
        selection_->setHead(example::aligningHead);
        selection_->setStep(3);
        view_ = std::make_unique<CompareView>(selection_.get());
        isBRefused_ = false;
        const auto run = example::run();
        const auto other = example::edited(*run);
        other->request.source = std::string("The very old man");
        pair_ = {.first = run, .second = other};
        answers_ = new example::AnsweredAtOnce(view_.get(),
                                               [this](const auto& question) { return answer(question); });
        example::compare(*answers_, pair_);
        view_->resize(1200, 700);
        view_->show();
    }

    void cleanup() { view_.reset(); }

    void scoresStandInBothMapsAndInTheirDifference() {
        const auto weights = view_->figureData();
        const QString caption = view_->caption();
        choose(Quantity::Scores);
        compare(scores(), false); // before the mask all cells have one
        QVERIFY(maps()[0].tone == widgets::LinkedMap::Tone::Scores);
        QVERIFY(asked_.empty()); // the runs hold them
        QVERIFY2(view_->caption().contains(widgets::quantityInWords(Quantity::Scores)),
                 qPrintable(view_->caption()));
        QVERIFY(view_->caption() != caption);
        QCOMPARE(view_->figureText().quantity, widgets::quantityName(Quantity::Scores));
        QVERIFY(view_->maps()->cellInWords({0, 0}).contains(widgets::quantityName(Quantity::Scores)));
        // Tables are of weights, as before.
        const auto data = view_->figureData();
        for (const char* name : {"heads", "rows", "keys"}) {
            const auto of = [&](const trace::FigureData& in) {
                return *std::ranges::find(in.tables, name, &trace::DataTable::name);
            };
            const auto now = of(data), before = of(weights);
            QCOMPARE(now.columns.size(), before.columns.size());
            for (std::size_t i = 2; i < now.columns.size(); ++i)
                QVERIFY(std::ranges::equal(std::get<std::vector<double>>(now.columns[i].values),
                                           std::get<std::vector<double>>(before.columns[i].values),
                                           [](double a, double b) { return a == b || a != b; }));
        }
        choose(Quantity::Weights);
        QCOMPARE(view_->caption(), caption);
        QCOMPARE(maps()[0].limit, 1.0);
    }

    /// Behind the mask a score is minus infinity, and there is no difference.
    void afterTheMaskOnlyAllowedCellsHaveADifference() {
        selection_->setHead(masked);
        choose(Quantity::OpenScores);
        compare(allowed(scores()), false);
        choose(Quantity::Scores);
        compare(scores(), false);
    }

    void normsAreAskedOfBothAndCompared() {
        choose(Quantity::NormWeighted);
        QCOMPARE(asked_.size(), 2u);
        compare(ofMaps(trace::MapQuantity::NormWeighted), true);
        QVERIFY(maps()[0].tone == widgets::LinkedMap::Tone::Weights);
        selection_->setHead(masked);
        compare(ofMaps(trace::MapQuantity::NormWeighted), true);
    }

    void sharesOfNormsSumToOneInEachRun() {
        choose(Quantity::NormShares);
        const auto norms = ofMaps(trace::MapQuantity::NormWeighted);
        compare(
            [&](const trace::Run& run, std::size_t query, std::size_t key) -> std::optional<float> {
                double sum = 0;
                for (std::size_t k = 0; k < run.source.size(); ++k)
                    sum += norms(run, query, k).value_or(0);
                const auto norm = norms(run, query, key);
                return norm ? std::optional(static_cast<float>(*norm / sum)) : std::nullopt;
            },
            true);
    }

    /// B's gradient is of the step that stands beside the shown one.
    void gradientsAreOfTheSameTokenInBoth() {
        const auto last = pair_.first->next.size() - 1;
        selection_->setStep(static_cast<int>(last));
        choose(Quantity::GradientAttention);
        QCOMPARE(asked_.size(), 2u);
        QCOMPARE(asked_[0].step, last);
        const auto aligned = analysis::alignRuns(*pair_.first, *pair_.second);
        const auto& places = aligned.queriesOf(AttentionKind::Cross).places;
        const auto place =
            std::ranges::find(places, std::optional<std::size_t>(last), &analysis::AlignedPlace::first);
        QCOMPARE(asked_[1].step, place->second.value());
        QVERIFY(asked_[1].step != asked_[0].step);
        compare(ofMaps(trace::MapQuantity::GradientAttention), true);
        for (const auto& [run, what] :
             {std::pair(pair_.first, asked_[0]), std::pair(pair_.second, asked_[1])})
            QVERIFY(view_->caption().contains(widgets::tokenLabel(run->next.at(what.step)).text));
    }

    void aStepThatBLacksHasNoGradientToCompare() {
        pair_ = {.first = pair_.second, .second = pair_.first};
        example::compare(*answers_, pair_, "shorter");
        const auto aligned = analysis::alignRuns(*pair_.first, *pair_.second);
        const auto& places = aligned.queriesOf(AttentionKind::Cross).places;
        const auto alone =
            std::ranges::find(places, std::optional<std::size_t>(), &analysis::AlignedPlace::second);
        QVERIFY(alone != places.end());
        selection_->setStep(static_cast<int>(*alone->first));
        choose(Quantity::GradientAttention);
        QVERIFY2(view_->whyNot().contains("No step of B matches"), qPrintable(view_->whyNot()));
        QVERIFY(maps().empty());
    }

    void twoStepsOfARunAreComparedInTheirScores() {
        pair_ = {.first = pair_.first, .second = pair_.first, .steps = std::pair(1, 4)};
        selection_->setStep(1);
        example::compare(*answers_, pair_);
        choose(Quantity::Scores);
        QCOMPARE(maps()[0].values.rows(), 1u);
        for (std::size_t key = 0; key < pair_.first->source.size(); ++key) {
            const auto first = *scores()(*pair_.first, 1, key), second = *scores()(*pair_.first, 4, key);
            QCOMPARE(maps()[0].values(0, key), first);
            QCOMPARE(maps()[1].values(0, key), second);
            QCOMPARE(maps()[2].values(0, key), second - first);
        }
    }

    void whatOneSideLacksIsSaidInPlaceOfTheMaps() {
        isBRefused_ = true;
        choose(Quantity::NormWeighted);
        QVERIFY2(view_->whyNot().startsWith("B: B has no such maps"), qPrintable(view_->whyNot()));
        QVERIFY(maps().empty());
        answers_->document().choices["compare"]["quantity"] = std::string("rollout"); // of a session
        answers_->setShare(0);
        QVERIFY2(view_->whyNot().contains("all heads share one map"), qPrintable(view_->whyNot()));
        choose(Quantity::Weights);
        QCOMPARE(maps().size(), 3u);
        auto recorded = std::make_shared<trace::Run>(*pair_.second);
        for (auto& record : recorded->cross)
            record.scores = {};
        pair_.second = recorded;
        example::compare(*answers_, pair_, "another");
        choose(Quantity::Scores);
        QVERIFY2(view_->whyNot().startsWith("B: This trace contains no scores"), qPrintable(view_->whyNot()));
        selection_->setHead(masked); // of which it has scores
        QCOMPARE(maps().size(), 3u);
    }

    /// Norms of a word's tokens are added up, as in the heatmap; scores have no sum.
    void wordsHaveNormsAndNoScores() {
        const auto other = example::ofOtherModel({});
        pair_.second = other;
        example::compare(*answers_, pair_);
        choose(Quantity::Scores);
        QVERIFY2(view_->whyNot().contains("tokenizers"), qPrintable(view_->whyNot()));
        choose(Quantity::NormWeighted);
        QCOMPARE(maps().size(), 3u);
    }

    void longMapsAreOfWeightsAlone() {
        const auto first = example::longSource(1500, 5);
        auto second = std::make_shared<trace::Run>(*example::longSource(1500, 6));
        second->model = first->model;
        selection_->setHead({{AttentionKind::EncoderSelf, 1}, 5});
        pair_ = {.first = first, .second = second};
        example::compare(*answers_, pair_, "long");
        choose(Quantity::Scores);
        QVERIFY2(view_->whyNot().contains("million cells"), qPrintable(view_->whyNot()));
    }

    /// What was compared stays until the new numbers are there.
    void nothingBlinksWhileAQuantityIsComputed() {
        const auto before = maps()[0].values;
        answers_->setHolding(true);
        choose(Quantity::NormWeighted);
        QCOMPARE(maps()[0].values, before);
        QVERIFY(!view_->caption().contains(widgets::quantityName(Quantity::NormWeighted)));
        answers_->setHolding(false);
        QVERIFY(maps()[0].values != before);
        QVERIFY(view_->caption().contains(widgets::quantityName(Quantity::NormWeighted)));
    }

    void theBarOffersWhatOneHeadHas() {
        const auto boxes = view_->bar()->findChildren<QComboBox*>();
        const auto box = std::ranges::find(boxes, QString("Quantity"), &QComboBox::accessibleName);
        QVERIFY(box != boxes.end());
        QCOMPARE((*box)->count(), int(std::ranges::count_if(widgets::allQuantities, widgets::isPerHead)));
        (*box)->setCurrentIndex(1);
        QCOMPARE(answers_->document().choices["compare"]["quantity"],
                 widgets::ChoiceValue(std::string("scores")));
        QVERIFY(view_->titles()->titles()[2].place.contains("weights"));
        widgets::PictureOptions picture;
        QVERIFY(view_->exportChoices(picture, answers_->document().choices));
    }
};

HEADSCOPE_WATCHED_TEST(ComparedQuantityTest)
#include "compared_quantity_test.moc"
