#include <QTest>

#include "model/trace/intervention.h"
#include "model/trace/refusal.h"
#include "tests/registered_test.h"

#include <limits>
#include <random>
#include <set>

using namespace headscope::trace;

namespace {

/// Changes of every kind, with numbers that are hard to spell.
class AnyChange {
  public:
    Change next() {
        switch (kind_++ % 9) {
        case 0:
            return ScaleHead{.head = head(), .factor = number()};
        case 1:
            return ScaleSublayer{.sublayer = {SublayerKind(below(5)), below(100)}, .factor = number()};
        case 2:
            return BlockCell{.head = head(), .query = index(), .key = index()};
        case 3:
            return row();
        case 4:
            return ReplaceHead{.head = head(), .sentence = sentence()};
        case 5:
            return LiftMask{};
        case 6:
            return ScaleScores{.factor = below(3) == 0 ? std::nullopt : std::optional(number())};
        case 7:
            return SoftmaxTemperature{.temperature = std::abs(number()) + 1e-300};
        default:
            return positions();
        }
    }

  private:
    int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
    std::size_t index() { return below(4) == 0 ? std::numeric_limits<std::size_t>::max() : random_() % 50; }
    HeadAddress head() {
        return {{AttentionKind(below(3)), below(2) ? below(12) : std::numeric_limits<int>::max()}, below(64)};
    }
    double number() {
        const double special[]{0,    0.1,   1,         -1.75, 1.0 / 3, 1e300, 5e-324, 0.30000000000000004,
                               1e22, 1e-17, 123456.789};
        return below(2) ? special[below(11)] : std::ldexp(static_cast<double>(random_()), below(80) - 90);
    }
    Change row() {
        ForceRow forced{.head = head(), .query = index(), .pattern = RowPattern(below(3))};
        if (forced.pattern == RowPattern::Key)
            forced.key = index();
        return forced;
    }
    std::optional<std::string> sentence() {
        const char* sentences[]{"The dogs are hungry.", "a=b", "=", " ", "cross.0.1=x",
                                "Müller \n\"quoted\"",  "-"};
        return below(4) == 0 ? std::nullopt : std::optional<std::string>(sentences[below(7)]);
    }
    Change positions() {
        ChangePositions positions{.change = PositionChange(below(3))};
        if (positions.change != PositionChange::None)
            positions.number = static_cast<std::int64_t>(random_() >> below(64) >> 1);
        if (positions.change == PositionChange::Shift && below(2))
            positions.number = -positions.number;
        return positions;
    }

    std::mt19937_64 random_{42};
    int kind_ = 0;
};

} // namespace

class InterventionTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void everyChangeIsReadBackAsItWasWritten() {
        AnyChange any;
        std::set<std::string> options;
        for (int i = 0; i < 20'000; ++i) {
            const auto change = any.next();
            const auto option = toOption(change);
            options.insert(option.option);
            QVERIFY2(parseChange(option) == change, (option.option + " " + option.argument).c_str());
        }
        QCOMPARE(options, std::set<std::string>(changeOptions().begin(), changeOptions().end()));
    }

    void spellingsAreThoseOfTheCommandLine_data() {
        QTest::addColumn<QString>("option");
        QTest::addColumn<QString>("argument");
        const auto add = [](const char* option, const char* argument) {
            QTest::addRow("%s %s", option, argument) << option << argument;
        };
        add("--disable-head", "cross.2.5");
        add("--scale-head", "cross.2.5=0.5");
        add("--scale-head", "encoder.0.11=-2");
        for (const char* sublayer :
             {"encoder.0=2", "decoder.3=0.5", "cross.1=0", "encoder-ff.0=0.25", "decoder-ff.1=0"})
            add("--scale-sublayer", sublayer);
        add("--block", "cross.2.5:3,4");
        for (const char* row : {"cross.2.5:3=uniform", "decoder.0.0:0=argmax", "encoder.1.1:12=7"})
            add("--force-row", row);
        add("--mean-head", "encoder.1.0");
        add("--resample-head", "cross.2.5=The dogs are hungry.");
        add("--no-mask", "");
        add("--no-scaling", "");
        add("--score-scale", "0.125");
        add("--softmax-temperature", "2.5");
        for (const char* positions : {"none", "shuffle:7", "shift:3", "shift:-3"})
            add("--positions", positions);
    }
    void spellingsAreThoseOfTheCommandLine() {
        QFETCH(const QString, option);
        QFETCH(const QString, argument);
        const ChangeOption spelled{option.toStdString(), argument.toStdString()};
        QCOMPARE(toOption(parseChange(spelled)), spelled);
    }

    void disablingIsScalingByZero() {
        QVERIFY(parseChange({"--disable-head", "cross.2.5"}) == parseChange({"--scale-head", "cross.2.5=0"}));
    }

    void whatIsNoChangeIsRefused_data() {
        QTest::addColumn<QString>("option");
        QTest::addColumn<QString>("argument");
        const auto add = [](const char* option, std::initializer_list<const char*> arguments) {
            for (const char* argument : arguments)
                QTest::addRow("%s [%s]", option, argument) << option << argument;
        };
        add("--disable-head",
            {"", "cross", "cross.2", "cross.2.5.1", "cross.-1.0", "x.0.0", "cross.2.5=0", " cross.2.5"});
        add("--scale-head", {"cross.2.5", "cross.2.5=", "cross.2.5=x", "cross.2.5=nan", "cross.2.5=inf",
                             "cross.2.5=1e999", "cross.2.5=0.5 ", "cross.2.5=+1", "=0.5", "cross.2.5:0.5"});
        add("--scale-sublayer", {"decoder-ff.1", "decoder-ff=0", "decoder-ff.1.0=0", "decoder-ff.-1=0",
                                 "decoder-ff.-0=0", "feed-forward.0=0", "cross.0=", "cross.0=0,5", ".0=1"});
        add("--block", {"cross.2.5", "cross.2.5:3", "cross.2.5:3,", "cross.2.5:-1,0", "cross.2.5:3,4,5",
                        "cross.2:3,4", "cross.2.5:99999999999999999999,0"});
        add("--force-row", {"cross.2.5:3", "cross.2.5:3=", "cross.2.5:3=even", "cross.2.5:3=-1",
                            "cross.2.5=uniform", "cross.2.5:=1"});
        add("--mean-head", {"", "cross.2", "cross.2.5=0"});
        add("--resample-head", {"", "cross.2.5", "cross.2.5=", "=The dogs are hungry."});
        add("--score-scale", {"", "x", "nan", "inf", "1,5"});
        add("--softmax-temperature", {"", "0", "-1", "nan", "inf"});
        add("--positions", {"", "no", "none:1", "shuffle", "shuffle:", "shuffle:-1", "shuffle:x", "shift",
                            "shift:1.5", "shift:9223372036854775808"});
        add("--no-such-change", {"", "cross.2.5"});
        add("", {""});
    }
    void whatIsNoChangeIsRefused() {
        QFETCH(const QString, option);
        QFETCH(const QString, argument);
        try {
            parseChange({option.toStdString(), argument.toStdString()});
        } catch (const Refusal& refusal) {
            QCOMPARE(refusal.text().where, option.toStdString());
            QVERIFY(!refusal.text().expected.empty() && !refusal.text().wayOut.empty());
            return;
        }
        QFAIL("it was read");
    }

    void whatIsOffOrDoesNothingHasNoEffect() {
        std::vector<Intervention> interventions;
        for (const auto& option : {ChangeOption{"--scale-head", "cross.0.0=1"},
                                   {"--scale-sublayer", "cross.0=1"},
                                   {"--softmax-temperature", "1"},
                                   {"--positions", "shift:0"}})
            interventions.push_back({parseChange(option)});
        interventions.push_back({.change = LiftMask{}, .on = false});
        QVERIFY(effective(interventions).empty());
        QVERIFY(!breaksCausality(interventions));
        interventions.push_back({ScaleHead{.factor = 0.5}});
        interventions.push_back({LiftMask{}});
        QVERIFY(effective(interventions) == (std::vector<Change>{ScaleHead{.factor = 0.5}, LiftMask{}}));
        QVERIFY(breaksCausality(interventions));
    }
};

HEADSCOPE_TEST(InterventionTest)
#include "intervention_test.moc"
