#include <QTest>

#include "model/analysis/output/attribution_groups.h"
#include "tests/watched_test.h"
#include "tests/widgets/example_lens.h"
#include "widgets/views/attribution/attribution_plot.h"

#include <cmath>

using namespace headscope;
using namespace headscope::widgets;

class AttributionPlotTest : public QObject {
    Q_OBJECT

    std::shared_ptr<const trace::Run> run_ = example::run();
    trace::LogitAttribution parts_ = example::attribution(*run_, 5, example::token(901, "▁Frau"));

    Waterfall of(const std::set<trace::SublayerAddress>& unfolded, bool flat) const {
        return waterfall(parts_, unfolded, flat, run_->model.get());
    }
    static double sum(const Waterfall& made) {
        double all = 0;
        for (const auto& step : made.steps)
            all += step.value;
        return all;
    }

  private Q_SLOTS:
    void aSublayerIsABarAndAllOfThemAreTheSum() {
        const auto made = of({}, false);
        QStringList names;
        for (const auto& step : made.steps)
            names += step.name;
        QCOMPARE(names, QStringList({"bias", "word", "position", "self 0", "cross 0", "ff 0", "self 1",
                                     "cross 1", "ff 1", "self 2", "cross 2", "ff 2"}));
        QVERIFY(std::abs(sum(made) - parts_.logit) < 1e-12);
        QCOMPARE(made.sum, analysis::sumOfParts(parts_));
    }

    void anUnfoldedSublayerIsABarAHead() {
        const trace::SublayerAddress cross{trace::SublayerKind::Cross, 1};
        const auto made = of({cross}, false);
        QCOMPARE(made.steps.size(), std::size_t(11 + 8 + 1));
        QCOMPARE(made.steps[7].head, std::optional(trace::HeadAddress{{trace::AttentionKind::Cross, 1}, 0}));
        QVERIFY(!made.steps[7].unfolds && made.steps[6].unfolds);
        QVERIFY(std::abs(sum(made) - parts_.logit) < 1e-12);
    }

    void ofSinglePartsTheSmallestAreOneBar() {
        const auto made = of({}, true);
        QCOMPARE(made.steps.size(), std::size_t(17));
        const auto& others = made.steps.back();
        QCOMPARE(others.name, QStringLiteral("Others (%1)").arg(parts_.parts.size() - 16));
        for (std::size_t i = 0; i + 1 < made.steps.size(); ++i)
            QVERIFY(std::abs(made.steps[i].value) > 0.1);
        QVERIFY(std::abs(sum(made) - parts_.logit) < 1e-12);
    }

    void theTwinsBarsBeginWhereTheModelsDo() {
        auto made = of({}, false);
        QVERIFY(std::ranges::none_of(made.plot().series, [](const auto& one) { return one.bars == 0.1; }));
        made.twin.assign(made.steps.size(), 0.5);
        const auto plot = made.plot();
        const auto& twin = plot.series.back();
        QCOMPARE(twin.points.size(), made.steps.size());
        double at = 0;
        for (std::size_t i = 0; i < made.steps.size(); ++i) {
            QCOMPARE(twin.from[i], at);
            QCOMPARE(twin.points[i].y(), at + 0.5);
            at += made.steps[i].value;
        }
        QVERIFY(plot.words({0, 0}).endsWith("in the random twin +0.50"));
    }

    void eachBarBeginsWhereTheOneBeforeEnded() {
        const auto made = of({}, false);
        const auto plot = made.plot();
        const auto& row = plot.rows.front();
        QCOMPARE(plot.columns.size(), 13);
        double at = 0;
        for (std::size_t i = 0; i + 1 < row.points.size(); ++i) {
            QCOMPARE(row.from[i], at);
            at = row.points[i].y();
        }
        QCOMPARE(row.from.back(), 0.0);
        QCOMPARE(row.points.back().y(), made.sum);
        QVERIFY(plot.up.front().least <= 0 && plot.up.front().most > at);
        QCOMPARE(plot.words({0, 12}),
                 QStringLiteral("Sum of all parts: ") + plot.series.back().texts.front());
    }
};

HEADSCOPE_WATCHED_TEST(AttributionPlotTest)
#include "attribution_plot_test.moc"
