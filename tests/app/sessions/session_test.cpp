#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "app/models/resource_folders.h"
#include "app/sessions/session.h"
#include "model/files/atomic_file.h"
#include "model/trace/refusal.h"
#include "tests/registered_test.h"

#include <nlohmann/json.hpp>

#include <fstream>
#include <random>

using namespace headscope;
using app::SessionState;
using widgets::ChoiceSpec;
using Kind = widgets::ChoiceSpec::Kind;

namespace {

/// Sessions of all kinds, the same ones each time.
class RandomSession {
  public:
    explicit RandomSession(unsigned seed) : random_(seed) {}

    SessionState make() {
        SessionState state;
        if (chance())
            state.model = {.path = "/models/" + text(),
                           .weights = chance() ? "sha256:" + text() : std::string(),
                           .settings = chance() ? std::vector{std::pair(std::string("heads"), text())}
                                                : std::vector<std::pair<std::string, std::string>>()};
        if (chance())
            state.typed = text();
        if (chance() || chance())
            state.request = std::make_shared<const trace::Request>(request());
        state.newTokens = number(1, 200);
        if (chance())
            state.shown = ids();
        state.step = number(0, 40);
        state.head = head();
        if (chance())
            state.pinned = {.sourceKey = number(0, 9), .targetQuery = number(0, 9)};
        if (chance())
            state.cursor = {.sourceQuery = number(0, 9), .targetKey = number(0, 9)};
        for (int i = number(0, 4); i > 0; --i)
            state.pinnedHeads.push_back(head());
        state.view = chance() ? "masks" : "";
        for (const auto& rule : widgets::choiceSpecs())
            if (chance())
                state.choices[rule.view][rule.name] = choice(rule);
        if (chance())
            state.otherWeights = "sha256:" + text();
        state.importanceMeasured = chance();
        if (chance())
            state.layout = app::WindowLayout{
                .geometry = "AdnQ",
                .panels = text(),
                .inside = {{"scroll " + text(), {number(0, 900), 3}}, {"keys " + text(), {}}}};
        return state;
    }

  private:
    int number(int low, int high) { return std::uniform_int_distribution(low, high)(random_); }
    bool chance() { return number(0, 1) == 1; }
    double fraction() { return std::uniform_real_distribution(0.01, 1.0)(random_); }
    std::string text() {
        static const std::vector<std::string> parts{"a",    "Der alte Mann", "\"quoted\"", "\\", "\n",
                                                    "日本", "<b>",           "\u202e",     " ",  "é"};
        std::string all;
        for (int i = number(1, 6); i > 0; --i)
            all += parts[static_cast<std::size_t>(number(0, static_cast<int>(parts.size()) - 1))];
        return all;
    }
    std::vector<std::int64_t> ids() {
        std::vector<std::int64_t> list;
        for (int i = number(1, 6); i > 0; --i)
            list.push_back(number(0, 60000));
        return list;
    }
    trace::HeadAddress head() {
        return {{static_cast<trace::AttentionKind>(number(0, 2)), number(0, 11)}, number(0, 15)};
    }
    trace::DecodePath path() {
        trace::DecodePath path{.newTokens = number(0, 100), .mayContinue = chance(), .ends = chance()};
        if (chance())
            path.forced = trace::TargetIds{ids()};
        else if (chance())
            path.forced = text();
        return path;
    }
    trace::Change change() {
        const std::vector<trace::Change> all{
            trace::ScaleHead{.head = head(), .factor = chance() ? 0 : fraction()},
            trace::ScaleSublayer{.sublayer = {trace::SublayerKind::Cross, 1}, .factor = fraction()},
            trace::BlockCell{.head = head(), .query = 3, .key = 2},
            trace::ForceRow{.head = head(), .query = 1, .pattern = trace::RowPattern::Key, .key = 2},
            trace::ReplaceHead{.head = head(), .sentence = "another one"},
            trace::LiftMask{},
            trace::ScaleScores{},
            trace::SoftmaxTemperature{.temperature = fraction()},
            trace::ChangePositions{.change = trace::PositionChange::Shift, .number = 4}};
        return all[static_cast<std::size_t>(number(0, static_cast<int>(all.size()) - 1))];
    }
    trace::Request request() {
        trace::Request request;
        if (chance())
            request.source = text();
        else
            request.source = trace::SourceIds{ids()};
        request.padding = {.source = number(0, 3), .target = number(0, 3)};
        request.paths.clear();
        for (int i = number(1, 4); i > 0; --i)
            request.paths.push_back(path());
        request.decoding = {.beam = number(1, 8),
                            .lengthPenalty = fraction(),
                            .minimumLength = number(0, 5),
                            .noRepeat = number(0, 4),
                            .sample = chance(),
                            .temperature = fraction(),
                            .topK = number(0, 50),
                            .topP = fraction(),
                            .seed = std::uniform_int_distribution<std::uint64_t>()(random_)};
        for (int i = number(0, 4); i > 0; --i)
            request.interventions.push_back({.change = change(), .on = chance()});
        if (chance())
            request.randomTwin = std::numeric_limits<std::uint64_t>::max();
        if (chance())
            request.ratherThan = text();
        return request;
    }
    widgets::ChoiceValue choice(const widgets::ChoiceSpec& rule) {
        const auto low = static_cast<int>(std::ceil(rule.low));
        const auto high = static_cast<int>(std::min(rule.high, 1e6));
        switch (rule.kind) {
        case Kind::Flag:
            return chance();
        case Kind::Whole:
            return std::int64_t(number(low, high));
        case Kind::Number:
            return rule.low + fraction() * (std::min(rule.high, 100.0) - rule.low);
        case Kind::Text:
            return rule.words.empty() ? text()
                                      : rule.words[static_cast<std::size_t>(
                                            number(0, static_cast<int>(rule.words.size()) - 1))];
        case Kind::Wholes:
            return ids();
        case Kind::Numbers:
            return std::vector{fraction(), fraction(), 3.0, 4.5};
        case Kind::Texts:
            break;
        }
        return std::vector{text(), text()};
    }

    std::mt19937 random_;
};

} // namespace

class SessionTest : public QObject {
    Q_OBJECT

    static QString refusalOf(const std::string& text) {
        try {
            app::parseSession(text, "a.headscope");
        } catch (const trace::Refusal& refusal) {
            const auto& said = refusal.text();
            if (said.where.find("a.headscope") == std::string::npos)
                return "does not say where";
            return said.wayOut.empty() ? "does not say what to do" : QString::fromUtf8(refusal.what());
        }
        return "was read";
    }
    static std::string with(const std::string& part) {
        return R"({"format": "headscope session", "version": 1)" + (part.empty() ? "" : ", " + part) + "}";
    }

  private Q_SLOTS:
    void whatIsWrittenIsReadAgain() {
        RandomSession random(7);
        for (int i = 0; i < 500; ++i) {
            const auto state = random.make();
            const auto text = app::sessionText(state, "Headscope");
            const auto read = app::parseSession(text, "a.headscope");
            QVERIFY2(read == state, text.c_str());
            QCOMPARE(app::sessionText(read, "Headscope"), text);
        }
    }

    void aSessionWithoutPartsOpensWithDefaults() {
        QVERIFY(app::parseSession(with(""), "a.headscope") == SessionState());
        const auto state = app::parseSession(with(R"("request": {"source": "Hello."})"), "a.headscope");
        trace::Request request;
        request.source = "Hello.";
        QVERIFY(*state.request == request);
    }

    /// A file that stays as it was written, whatever comes to be the newest form.
    void aSessionOfTheFirstVersionIsRead() {
        const auto state = app::readSession(HEADSCOPE_SOURCE "/tests/reference/sessions/version-1.headscope");
        QCOMPARE(state.model.weights,
                 std::string("sha256:428a2fea3efdacc056ef115157ea34e3529b6a7353124e912a511ac35a918bd2"));
        QVERIFY(state.model.path.ends_with("tatoeba-en-de"));
        trace::Request request;
        request.source = "The old man gave his daughter a red book.";
        request.paths = {{.newTokens = 60}, {.newTokens = 60, .mayContinue = true}};
        request.paths.back().forced = "Der alte Mann schenkte";
        request.decoding = {.beam = 4, .lengthPenalty = 0.6};
        request.interventions = {
            {.change = trace::ScaleHead{.head = {{trace::AttentionKind::Cross, 1}, 2}, .factor = 0.5}},
            {.change = trace::ScaleHead{.head = {{trace::AttentionKind::DecoderSelf, 0}, 3}, .factor = 0},
             .on = false}};
        QVERIFY(state.request && *state.request == request);
        QCOMPARE(state.step, 3);
        QVERIFY(state.head == trace::HeadAddress({{trace::AttentionKind::Cross, 1}, 2}));
        QVERIFY(state.pinned == app::LitTokens({.sourceKey = 4, .targetQuery = 3}));
        QCOMPARE(state.pinnedHeads.size(), std::size_t(2));
        QCOMPARE(state.view, std::string("heatmap"));
        QVERIFY(state.choices.at("heatmap").at("zoom") ==
                widgets::ChoiceValue(std::vector<double>{0.5, 1.25, 4.5, 6.75}));
        QVERIFY(state.choices.at("map").at("scale") == widgets::ChoiceValue(std::string("log")));
        QVERIFY(state.layout.has_value());
        QVERIFY(app::parseSession(app::sessionText(state, "later"), "again") == state);
    }

    void everyKeyIsNamedInTheManual() {
        QFile page(HEADSCOPE_SOURCE "/resources/manual/sessions.md"),
            session(HEADSCOPE_SOURCE "/tests/reference/sessions/everything.headscope");
        QVERIFY(page.open(QIODevice::ReadOnly) && session.open(QIODevice::ReadOnly));
        const auto text = page.readAll();
        const auto json = nlohmann::json::parse(session.readAll().toStdString());
        for (const auto& object : {json, json.at("selection"), json.at("layout")})
            for (const auto& [key, value] : object.items())
                QVERIFY2(text.contains(('`' + key + '`').c_str()), key.c_str());
    }

    void whatIsNotKnownIsPassedOver() {
        const auto state = app::parseSession(
            with(R"("later": [1], "views": {"later": {"a": 1}, "map": {"scale": "log", "later": {}}})"),
            "a.headscope");
        QCOMPARE(state.choices.size(), std::size_t(1));
        QVERIFY(state.choices.at("map").at("scale") == widgets::ChoiceValue(std::string("log")));
        QCOMPARE(state.choices.at("map").size(), std::size_t(1));
    }

    void whatMeansNothingIsRefused_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const std::string& text, const char* says) {
            QTest::newRow(name) << QString::fromStdString(text) << says;
        };
        row("nothing", "", "byte");
        row("no object", "[]", "no session of Headscope");
        row("another file", R"({"model": {}})", "no session of Headscope");
        row("a cut file", with("").substr(0, 30), "byte");
        row("no version", R"({"format": "headscope session"})", "version");
        row("a newer version", R"({"format": "headscope session", "version": 2})", "newer Headscope");
        row("no such version", R"({"format": "headscope session", "version": 0})", "1 to 1");
        row("a version in words", R"({"format": "headscope session", "version": "1"})", "whole number");
        row("a key twice", with(R"("view": "masks", "view": "lines")"), "view");
        row("a model in words", with(R"("model": "a")"), "an object");
        row("a model without a path", with(R"("model": {"weights": "sha256:0"})"), "path");
        row("a model without a name", with(R"("model": {"path": ""})"), "no name");
        row("a setting that is no text", with(R"("model": {"path": "a", "settings": {"heads": 4}})"),
            "heads");
        row("no head", with(R"("selection": {"head": "cross.2"})"), "cross.2.5");
        row("a step before the first", with(R"("selection": {"step": -1})"), "0 to");
        row("a large step", with(R"("selection": {"step": 3000000000})"), "3000000000");
        row("a pinned token in words", with(R"("selection": {"pinned": {"source_key": "a"}})"),
            "whole number");
        row("no path", with(R"("request": {"source": "a", "paths": []})"), "one path at least");
        row("a path of nothing", with(R"("request": {"source": "a", "paths": [1]})"), "object");
        row("many tokens", with(R"("request": {"source": "a", "new_tokens": 9000000})"), "9000000");
        row("a wide beam", with(R"("request": {"source": "a", "decoding": {"beam": 100000}})"), "100000");
        row("no temperature", with(R"("request": {"source": "a", "decoding": {"temperature": 0}})"), "1e-06");
        row("ids in words", with(R"("request": {"source_ids": ["a"]})"), "whole number");
        row("a change of nothing", with(R"("request": {"source": "a", "what_if": [3]})"), "disable-head");
        row("no such change", with(R"("request": {"source": "a", "what_if": ["--fly"]})"), "no such change");
        row("a change of no head", with(R"("request": {"source": "a", "what_if": ["--disable-head x"]})"),
            "cannot be read");
        row("no such scale", with(R"("views": {"map": {"scale": "cubic"}})"), "linear, log, rank");
        row("a flag in words", with(R"("views": {"map": {"numbers": "yes"}})"), "true or false");
        row("a view in words", with(R"("views": {"map": "log"})"), "an object");
        row("no temperature of a view", with(R"("views": {"scale": {"temperature": -1}})"), "-1");
        row("zoom in words", with(R"("views": {"heatmap": {"zoom": ["a"]}})"), "numbers");
        row("a batch of numbers", with(R"("views": {"masks": {"batch": [1]}})"), "texts");
        row("a layout whose places are words", with(R"("layout": {"inside": {"scroll a": ["b"]}})"),
            "number");
        row("a layout of numbers", with(R"("layout": {"geometry": 3})"), "text");
    }

    void whatMeansNothingIsRefused() {
        QFETCH(QString, text);
        QFETCH(QString, says);
        const QString said = refusalOf(text.toStdString());
        QVERIFY2(said.contains(says), qPrintable(said));
    }

    void sizesAreBounded() {
        const std::string many(std::size_t(2) << 20, 'a');
        QVERIFY(refusalOf(with("\"layout\": {\"geometry\": \"" + many + "\"}")).contains("too large"));
        std::string deep;
        for (int i = 0; i < 100; ++i)
            deep += "[";
        QVERIFY(refusalOf(with("\"later\": " + deep)) != "was read");
    }

    void sixteenPinnedHeadsAreReadAndNoMore() {
        const auto pinning = [](int count) {
            nlohmann::json heads = nlohmann::json::array();
            for (int i = 0; i < count; ++i)
                heads.push_back("cross.0." + std::to_string(i));
            return with("\"selection\": {\"pinned_heads\": " + heads.dump() + "}");
        };
        const auto pinned = app::parseSession(pinning(16), "a.headscope").pinnedHeads;
        QCOMPARE(pinned.size(), std::size_t(16));
        QCOMPARE(trace::toString(pinned.back()), std::string("cross.0.15"));
        const QString refusal = refusalOf(pinning(17));
        QVERIFY2(refusal.contains("too many") && refusal.contains("16 at most") && refusal.contains("17"),
                 qPrintable(refusal));
    }

    void aModelNearTheSessionMovesWithIt() {
        const QTemporaryDir folder;
        const std::filesystem::path here = folder.path().toStdString();
        std::filesystem::create_directories(here / "before" / "models");
        SessionState state;
        state.model.path = (here / "before" / "models" / "a").string();
        state.choices["compare"]["model"] = (here / "before" / "b").string();
        app::saveSession(state, here / "before" / "a.headscope");
        std::filesystem::rename(here / "before", here / "after");
        const auto moved = app::readSession(here / "after" / "a.headscope");
        QCOMPARE(moved.model.path, (here / "after" / "models" / "a").string());
        QVERIFY(moved.choices.at("compare").at("model") ==
                widgets::ChoiceValue((here / "after" / "b").string()));
    }

    void aBundledSecondModelIsANameAndOneBesideTheSessionAPath() {
        const QTemporaryDir folder;
        const std::filesystem::path here = folder.path().toStdString();
        const auto name = app::bundledModels().front();
        SessionState state;
        state.choices["compare"]["model"] = name;
        state.otherWeights = "sha256:1234";
        const auto path = here / "bundled.headscope";
        app::saveSession(state, path);
        QCOMPARE(app::otherModelOf(app::readSession(path)), name);
        QCOMPARE(app::readSession(path).otherWeights, std::string("sha256:1234"));
        files::saveAtomically(here / name, std::string_view("weights"));
        QCOMPARE(app::otherModelOf(app::readSession(path)), (here / name).string());
    }

    void aModelFarFromTheSessionKeepsItsPath() {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath("a.headscope").toStdString();
        SessionState state;
        state.model.path = "/somewhere/else/a";
        app::saveSession(state, path);
        QCOMPARE(app::readSession(path).model.path, state.model.path);
        std::ifstream file(path);
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        QVERIFY2(text.find("\"path\": \"/somewhere/else/a\"") != std::string::npos, text.c_str());
    }

    void aBundledModelIsSaidByItsName() {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath("a.headscope").toStdString();
        const auto bundled = app::bundledModels();
        QVERIFY(!bundled.empty());
        SessionState state;
        state.model.path = (app::resourceFolder() / "models" / bundled.front()).string();
        app::saveSession(state, path);
        std::ifstream file(path);
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        QVERIFY2(text.find("\"bundled\": \"" + bundled.front() + "\"") != std::string::npos, text.c_str());
        QCOMPARE(app::readSession(path).model.path, state.model.path);
    }

    void nothingOutsideIsReachedByABundledName() {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath("a.headscope").toStdString();
        files::saveAtomically(path, std::string_view(with(R"("model": {"bundled": "../../../etc/passwd"})")));
        QCOMPARE(app::readSession(path).model.path, (app::resourceFolder() / "models" / "passwd").string());
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, SessionTest)
#include "session_test.moc"
