#include <QTest>

#include "app/document/change_names.h"
#include "app/document/history.h"
#include "tests/registered_test.h"

#include <random>

using namespace headscope;
using app::changeName;
using app::History;
using app::SessionState;

class HistoryTest : public QObject {
    Q_OBJECT

    static constexpr trace::HeadAddress head{{trace::AttentionKind::Cross, 2}, 5};

    static SessionState state(const std::string& sentence = "a sentence") {
        SessionState state;
        state.request = std::make_shared<const trace::Request>(trace::Request{.source = sentence});
        state.view = "heatmap";
        state.choices = {{"map", {{"quantity", std::string("weights")}, {"numbers", false}}},
                         {"heatmap", {{"zoom", std::vector<double>()}}}};
        return state;
    }

    static SessionState with(SessionState state, const std::vector<trace::Intervention>& changes) {
        auto request = *state.request;
        request.interventions = changes;
        state.request = std::make_shared<const trace::Request>(std::move(request));
        return state;
    }

    static SessionState with(SessionState state, const std::vector<trace::DecodePath>& paths) {
        auto request = *state.request;
        request.paths = paths;
        state.request = std::make_shared<const trace::Request>(std::move(request));
        return state;
    }

    static SessionState anotherThan(const SessionState& before, std::mt19937& random) {
        auto next = before;
        const int number = std::uniform_int_distribution(0, 1'000'000)(random);
        switch (number % 6) {
        case 0:
            return state("sentence " + std::to_string(number));
        case 1:
            next = with(next, {trace::Intervention{trace::SoftmaxTemperature{.temperature = 1.0 + number}}});
            break;
        case 2:
            next.step = number;
            break;
        case 3:
            next.head.head = number;
            break;
        case 4:
            next.choices["heatmap"]["zoom"] = std::vector{0.0, 0.0, 1.0 + number, 2.0};
            break;
        default:
            next.pinned.sourceKey = number;
        }
        return next;
    }

  private Q_SLOTS:
    void undoneAsOftenAsDoneItIsTheStartAndRedoneTheEnd() {
        std::mt19937 random(3);
        for (int walk = 0; walk < 20; ++walk) {
            std::vector<SessionState> states{state()};
            History history;
            history.begin(states.front());
            for (int i = 0; i < 300; ++i) {
                states.push_back(anotherThan(states.back(), random));
                history.add(states.back(), "Step");
            }
            for (auto at = states.rbegin() + 1; at != states.rend(); ++at) {
                QVERIFY(history.canUndo());
                QVERIFY(history.undo() == *at);
            }
            QVERIFY(!history.canUndo());
            for (auto at = states.begin() + 1; at != states.end(); ++at)
                QVERIFY(history.redo() == *at);
            QVERIFY(!history.canRedo());
        }
    }

    void whatIsDoneAfterUndoTakesThePlaceOfWhatWasUndone() {
        History history;
        history.begin(state("a"));
        history.add(state("b"), "B");
        history.add(state("c"), "C");
        history.undo();
        QCOMPARE(history.undoName(), QString("B"));
        QCOMPARE(history.redoName(), QString("C"));
        history.add(state("d"), "D");
        QVERIFY(!history.canRedo());
        QCOMPARE(history.undoName(), QString("D"));
        QVERIFY(history.undo() == state("b"));
    }

    void memoryIsBoundedAndTheNewestStay() {
        History history(std::size_t(1) << 20);
        history.begin(state());
        for (int i = 0; i < 50; ++i)
            history.add(state(std::string(100'000, 'a') + std::to_string(i)), "Sentence");
        QVERIFY(history.size() < 15);
        QVERIFY(history.size() > 5);
        QVERIFY(history.canUndo());
        QCOMPARE(history.place(), history.size() - 1);
    }

    void statesOfOneSentenceShareIt() {
        History history(std::size_t(4) << 20);
        auto large = state(std::string(1'000'000, 'a'));
        history.begin(large);
        for (int i = 1; i <= 300; ++i) {
            large.request = std::make_shared<const trace::Request>(*large.request); // as it is captured
            large.step = i;
            history.add(large, "Step");
        }
        QCOMPARE(history.size(), std::size_t(301));
    }

    void neverMoreThanSoMany() {
        History history;
        history.begin(state());
        for (std::size_t i = 1; i < 2 * History::most; ++i) {
            auto next = state();
            next.step = static_cast<int>(i);
            history.add(next, "Step");
        }
        QCOMPARE(history.size(), History::most);
        static_assert(History::most >= 200);
    }

    void whatDiffersGivesTheName_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("number");
        int number = 0;
        for (const char* name :
             {"Sentence", "Disable cross.2.5", "Enable cross.2.5", "Switch off: Disable cross.2.5",
              "Clear All Changes", "Continue with Token", "Remove a Branch", "Head", "Step", "View", "Zoom",
              "Quantity of the Map", "Pin", "Unpin", "Pin cross.2.5", "Open Model", "Branch", ""})
            QTest::newRow(name) << name << number++;
    }

    void whatDiffersGivesTheName() {
        QFETCH(QString, name);
        QFETCH(int, number);
        const trace::Intervention off{trace::ScaleHead{.head = head, .factor = 0}};
        const trace::Intervention kept{trace::ScaleHead{.head = head, .factor = 0}, false};
        const trace::Intervention warm{trace::SoftmaxTemperature{.temperature = 2}};
        const trace::DecodePath forced{.forced = trace::TargetIds{{2, 7}}};
        const auto a = state();
        auto step = a, headMoved = a, view = a, zoom = a, quantity = a, pinned = a, pinnedHead = a, model = a,
             branch = a;
        step.step = 1;
        headMoved.head = head;
        headMoved.step = 1; // what follows from it gives no name
        view.view = "masks";
        zoom.choices["heatmap"]["zoom"] = std::vector{1.0, 1.0, 2.0, 2.0};
        quantity.choices["map"]["quantity"] = std::string("scores");
        pinned.pinned.sourceKey = 3;
        pinnedHead.pinnedHeads = {head};
        model.model.path = "another";
        branch.shown = {2, 5};
        const std::vector<std::pair<SessionState, SessionState>> pairs{
            {a, state("another")},
            {a, with(a, {off})},
            {with(a, {warm, off}), with(a, {warm})},
            {with(a, {off}), with(a, {kept})},
            {with(a, {warm, off}), with(a, std::vector<trace::Intervention>())},
            {a, with(a, {trace::DecodePath(), forced})},
            {with(a, {trace::DecodePath(), forced}), a},
            {a, headMoved},
            {a, step},
            {a, view},
            {a, zoom},
            {a, quantity},
            {a, pinned},
            {pinned, a},
            {a, pinnedHead},
            {a, model},
            {a, branch},
            {a, a}};
        const auto& [before, after] = pairs[static_cast<std::size_t>(number)];
        QCOMPARE(changeName(before, after), name);
    }

    void everyChoiceHasAName() {
        for (const auto& rule : tests::some(widgets::choiceSpecs()))
            QVERIFY2(app::choiceName(rule.view, rule.name) != "Choice",
                     (rule.view + " " + rule.name).c_str());
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, HistoryTest)
#include "history_test.moc"
