#include <QTest>

#include "model/analysis/heads/break_condition.h"
#include "tests/registered_test.h"

#include <cmath>

using namespace headscope;

/// <s> ▁Der ▁alt e ▁Mann </s>
class BreakConditionTest : public QObject {
    Q_OBJECT

    trace::Run run_;

    void add(const char* piece, double probability, trace::TokenRole role = trace::TokenRole::Text) {
        trace::DecodeNode node{.token = {.piece = piece, .role = role},
                               .logProbability = std::log(probability)};
        if (!run_.path.empty())
            node.parent = run_.path.back();
        run_.path.push_back(run_.tree.add(std::move(node)));
    }

  private Q_SLOTS:
    void init() {
        run_ = {};
        add("<s>", 1, trace::TokenRole::Start);
        add("▁Der", 0.9);
        add("▁alt", 0.4);
        add("e", 0.8);
        add("▁Mann", 0.7);
        add("</s>", 0.2, trace::TokenRole::End);
        run_.target.resize(5);
    }

    void aWordIsMetInTheRowThatCompletesIt() {
        QCOMPARE(analysis::nextBreak(run_, {.text = "alte"}, 0), std::optional<std::size_t>(2));
        QCOMPARE(analysis::nextBreak(run_, {.text = "alte"}, 3), std::nullopt);
        QCOMPARE(analysis::nextBreak(run_, {.text = "Der alte"}, 0), std::optional<std::size_t>(2));
    }

    void aTokenMayBeNamedAsItIsSpelt() {
        QCOMPARE(analysis::nextBreak(run_, {.text = "▁Mann"}, 0), std::optional<std::size_t>(3));
        QCOMPARE(analysis::nextBreak(run_, {.text = "</s>"}, 0), std::optional<std::size_t>(4));
    }

    void aDoubtfulTokenStops() {
        QCOMPARE(analysis::nextBreak(run_, {.below = 0.5}, 0), std::optional<std::size_t>(1));
        QCOMPARE(analysis::nextBreak(run_, {.below = 0.5}, 2), std::optional<std::size_t>(4));
        QCOMPARE(analysis::nextBreak(run_, {.below = 0.1}, 0), std::nullopt);
    }

    void whatIsMetFirstStops() {
        QCOMPARE(analysis::nextBreak(run_, {.text = "Mann", .below = 0.5}, 0), std::optional<std::size_t>(1));
    }

    void withoutAConditionNothingStops() { QCOMPARE(analysis::nextBreak(run_, {}, 0), std::nullopt); }
};

HEADSCOPE_TEST(BreakConditionTest)
#include "break_condition_test.moc"
