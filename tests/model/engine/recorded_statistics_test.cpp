#include <QTest>

#include "model/analysis/heads/statistics_of_heads.h"
#include "tests/model/engine/engines.h"
#include "tests/model/engine/recorded_request.h"
#include "tests/registered_test.h"

#include <nlohmann/json.hpp>

using namespace headscope;
using analysis::Statistic;

/// Statistics of heads against those of PyTorch's weights (tests/reference/make_head_statistics.py).
class RecordedStatisticsTest : public QObject {
    Q_OBJECT

    static std::string folderOf(const std::string& model) {
        return model == "induction" ? HEADSCOPE_SOURCE "/resources/models/induction"
                                    : recordings::folder + "hugging-face/" + model;
    }

    static trace::Request requestOf(const std::string& model, const nlohmann::json& recorded) {
        if (recorded.contains("text"))
            return {.source = recorded["text"].get<std::string>(), .paths = {{.newTokens = 0}}};
        if (recorded.contains("second"))
            return {.source = "my very good cat",
                    .second = model.starts_with("roberta") ? "a <mask> dog sat" : "a [MASK] dog sat"};
        return recordings::requestOf("hugging-face/" + model,
                                     recordings::read("hugging-face/" + model + "/trace.npz"));
    }

  private Q_SLOTS:
    void theyAreThoseOfPyTorch() {
        const std::vector<std::pair<Statistic, const char*>> all{
            {Statistic::DuplicateToken, "duplicate_token"},
            {Statistic::Induction, "induction"},
            {Statistic::FirstReadsSecond, "a_reads_b"},
            {Statistic::SecondReadsFirst, "b_reads_a"}};
        int compared = 0;
        for (const auto& recorded : recordings::readJson("head-statistics.json")) {
            const auto model = recorded["model"].get<std::string>();
            const auto engine = engines::with(folderOf(model));
            const auto run = engine->of(requestOf(model, recorded), trace::RunWhat());
            if (recorded.contains("second"))
                QVERIFY(run->secondText == std::optional<trace::TokenIndex>(recorded["second"].get<int>()));
            const auto heads = analysis::statisticsOfHeads(*run);
            QCOMPARE(heads.size(), recorded["heads"].size());
            for (const auto& head : heads) {
                const auto& wanted = recorded["heads"][toString(head.head)];
                if (wanted.contains("induction_rows"))
                    QCOMPARE(head.inductionRows, wanted["induction_rows"].get<std::size_t>());
                for (const auto& [statistic, name] : all) {
                    const auto& found = head.values[statistic];
                    if (!wanted.contains(name))
                        continue;
                    QCOMPARE(found.has_value(), !wanted[name].is_null());
                    if (!found)
                        continue;
                    const auto number = wanted[name].get<double>();
                    VERIFY_AGREES(
                        tests::compare(name, *found, number, {1e-5 * number, "1e-5 of the number"}));
                    ++compared;
                }
            }
        }
        QCOMPARE(compared, 6 * 8 * 2 + (9 + 12) * 2 + 3 * 6 * 2);
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, RecordedStatisticsTest)
#include "recorded_statistics_test.moc"
