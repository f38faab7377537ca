#include "tests/model/engine/engines.h"
#include "tests/model/engine/recordings.h"
#include "tests/registered_test.h"

#include "model/trace/refusal.h"

#include <nlohmann/json.hpp>

using namespace headscope;
using recordings::readJson;
using trace::BeamRule;
using trace::Fate;

namespace {

trace::Request beams(std::vector<std::int64_t> source, int beam, double lengthPenalty, int newTokens) {
    auto request = engines::greedy(std::move(source), newTokens);
    request.decoding.beam = beam;
    request.decoding.lengthPenalty = lengthPenalty;
    return request;
}

/// The settings of a recorded search that differ from those of the folder.
trace::Decoding changed(trace::Decoding decoding, const nlohmann::json& options) {
    decoding.beam = options.value("num_beams", decoding.beam);
    decoding.lengthPenalty = options.value("length_penalty", decoding.lengthPenalty);
    if (options.value("early_stopping", false))
        decoding.rule = BeamRule::GenerateEarly;
    return decoding;
}

const auto sixDigits = tests::ofDigits(6); // of recorded scores

double scoreOf(const trace::Run& run) {
    return run.tree.node(run.path.back()).search->finalScore;
}

} // namespace

class TreeDecoderTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void beamSearchGivesTheRecordedHypotheses_data() { recordings::eachFolderWith("beam.json"); }
    void beamSearchGivesTheRecordedHypotheses() {
        QFETCH(const QString, model);
        const auto path = recordings::folder + model.toStdString();
        const auto json = readJson(path + "/beam.json");
        const auto engine = engines::with(path);
        for (const auto& output : tests::some(json.at("outputs"))) {
            const auto run = engine->of(beams(output.at("source_ids"), output.at("beam"),
                                              output.at("length_penalty"), json.at("longest")),
                                        trace::RunWhat());
            QCOMPARE(engines::outputOf(*run), output.at("output_ids").get<std::vector<std::int64_t>>());
            const auto tokens = static_cast<double>(run->path.size() - 1);
            VERIFY_AGREES(tests::compare(
                "summed log-probability", run->tree.logProbability(run->path.back()),
                output.at("log_probability").get<double>(),
                tokens * recordings::Precision::of(model.toStdString()).twoOfOurs("log_probabilities") +
                    sixDigits));
            QVERIFY(run->selfCheck.state() == trace::CheckState::Ok);
        }
    }

    void marianFoldersDecodeAsGenerateDoes_data() {
        QTest::addColumn<QString>("model");
        QTest::newRow("one vocabulary") << "marian-tiny";
        QTest::newRow("two vocabularies") << "marian-tiny-untied";
    }
    void marianFoldersDecodeAsGenerateDoes() {
        QFETCH(const QString, model);
        const auto path = recordings::folder + model.toStdString();
        const auto json = readJson(path + "/generate.json");
        const auto engine = engines::start();
        const auto summary = engine->open({.path = path}, {});
        for (const auto& output : tests::some(json.at("outputs")))
            for (const auto& [search, options] : tests::some(json.at("searches")).items()) {
                auto request = engines::greedy(output.at("source_ids"), summary->newTokens);
                request.decoding = changed(summary->decoding, options);
                const auto run = engine->of(request, trace::RunWhat());
                auto ids = engines::outputOf(*run);
                ids.insert(ids.begin(), *summary->special.start);
                const auto& recorded = output.at(search);
                const auto tokens = static_cast<double>(run->path.size() - 1);
                QVERIFY2(ids == recorded.at("ids").get<std::vector<std::int64_t>>(), search.c_str());
                if (request.decoding.beam > 1)
                    VERIFY_AGREES(
                        tests::compare( // a sum of at most as many tokens, which the penalty makes larger
                            "score", scoreOf(*run), recorded.at("score").get<double>(),
                            std::pow(tokens, 1 - request.decoding.lengthPenalty) *
                                    recordings::Precision::of(model.toStdString())
                                        .twoOfOurs("log_probabilities") +
                                sixDigits));
            }
    }

    void aConvertedMarianFolderDecodesTheSame() {
        const auto path = recordings::folder + "marian-tiny";
        const QTemporaryDir folder;
        const auto engine = engines::start();
        const auto summary = engine->open({.path = path}, {});
        engine->convert(folder.path().toStdString(), files::ElementType::Float32, {});
        const auto again = engine->open({.path = folder.path().toStdString()}, {});
        QVERIFY(again->decoding == summary->decoding);
        QCOMPARE(again->newTokens, summary->newTokens);
    }

    void everyTokenSaysHowManyWereMoreProbable() {
        const auto engine = engines::with(engines::tiny);
        const auto greedy = engine->of(engines::greedy({5, 6, 7, 3}, 6), trace::RunWhat());
        for (std::size_t t = 1; t < greedy->path.size(); ++t)
            QCOMPARE(greedy->tree.node(greedy->path[t]).rank, 0);
        auto request = engines::forced({5, 6, 7, 3}, {2, 9, 4});
        request.candidates = 10;
        const auto forced = engine->of(request, trace::RunWhat());
        const auto& candidates = forced->row(0).candidates;
        const auto& chosen = forced->tree.node(forced->path[1]);
        QVERIFY(chosen.rank >= 0);
        if (static_cast<std::size_t>(chosen.rank) < candidates.size())
            QCOMPARE(candidates[static_cast<std::size_t>(chosen.rank)].token.id, 9);
        else
            QVERIFY(candidates.back().logProbability >= static_cast<float>(chosen.logProbability));
    }

    void afterAForcedTargetTheEndTokensProbabilityIsKnown() {
        const auto engine = engines::with(engines::tiny);
        const auto run = engine->of(engines::forced({5, 6, 7, 3}, {2, 9, 4}), trace::RunWhat());
        const auto end = run->tree.child(run->path.back(), *run->model->special.end);
        QVERIFY(end && run->tree.node(*end).logProbability < 0);
        QVERIFY(!run->tree.node(*end).row);
        QCOMPARE(run->target.size(), 3u);
    }

    void aPathThatEndsIsReadAsItWasDecoded() {
        const auto engine = engines::with(engines::tiny);
        const std::vector<std::int64_t> source{9, 4, 16, 7, 12, 5, 3};
        for (const int length : {1, 4, 40}) { // cut off, and ended by the model
            const auto decoded = engine->of(engines::greedy(source, length), trace::RunWhat());
            std::vector<std::int64_t> ids{2};
            for (const auto id : engines::outputOf(*decoded))
                ids.push_back(id);
            auto request = engines::forced(source, ids, 1);
            request.paths.back().ends = true;
            request.decoding.beam = 3; // no search is involved
            const auto read = engine->of(request, trace::RunWhat());
            QVERIFY(engines::sameBits(*decoded, *read));
            QCOMPARE(read->target, decoded->target);
            QCOMPARE(read->next, decoded->next);
            QCOMPARE(read->tree.logProbability(read->path.back()),
                     decoded->tree.logProbability(decoded->path.back()));
            QVERIFY(read->selfCheck.state() == trace::CheckState::Ok);
        }
    }

    void aBeamThatDoesNotFitIntoTheMemoryThereIsSaysWhichOneWould() {
        const auto engine = engines::with(engines::tiny);
        try {
            engine->of(beams({5, 6, 7, 3}, 1'000'000'000, 0, 60), trace::RunWhat());
            QFAIL("taken");
        } catch (const trace::Refusal& refusal) {
            const auto& text = refusal.text();
            QVERIFY(text.what.find("so wide a beam") != std::string::npos);
            QVERIFY(text.where.find("1000000000 hypotheses of up to 61 tokens") != std::string::npos);
            QVERIFY(text.expected.find("which is free now") != std::string::npos);
            const std::string most = "take a beam of at most ";
            const auto at = text.wayOut.find(most);
            QVERIFY2(at != std::string::npos, text.wayOut.c_str());
            const auto widest = std::stoll(text.wayOut.substr(at + most.size()));
            QVERIFY(widest > 1000 && widest < 1'000'000'000);
        }
    }

    void oneTokenOfManyIsChosenGreedilyEvenWithABeam() {
        const auto engine = engines::with(engines::tiny);
        auto request = beams({5, 6, 7, 3}, 4, 0, 1);
        request.paths.back().mayContinue = true;
        const auto run = engine->of(request, trace::RunWhat());
        QCOMPARE(run->tree.node(run->path.back()).rank, 0);
        QVERIFY(!run->tree.node(run->path.back()).search);
    }

    void aPathThatIsNotSearchedLeavesTheSearchOfAnother() {
        const auto engine = engines::with(engines::tiny);
        auto request = beams({5, 6, 7, 3}, 3, 0, 6);
        request.paths.push_back({.forced = trace::TargetIds{{2, 9}}, .newTokens = 0});
        const auto run = engine->of(request, trace::RunWhat());
        QVERIFY(run->paths.front().searched);
        QVERIFY(!run->paths.back().searched);
        QVERIFY(run->tree.node(run->paths.front().leaf).search.has_value());
    }

    void everyPathsEndIsKept() {
        const auto engine = engines::with(engines::tiny);
        auto request = engines::greedy({5, 6, 7, 3}, 5);
        request.paths.push_back({.forced = trace::TargetIds{{2, 9}}, .newTokens = 3});
        const auto run = engine->of(request, trace::RunWhat());
        QCOMPARE(run->paths.size(), 2u);
        QCOMPARE(run->paths.back().leaf, run->path.back());
        QCOMPARE(run->paths.back().forcedTokens, 2u);
        QCOMPARE(run->tree.path(run->paths.front().leaf).size(), 6u);
    }

    void aWiderBeamKeepsEveryHypothesisItLookedAt() {
        const auto engine = engines::with(engines::tiny);
        const auto run = engine->of(beams({5, 6, 7, 3}, 3, 1, 10), trace::RunWhat());
        std::map<int, int> living;
        for (std::size_t i = 1; i < run->tree.nodes().size(); ++i) {
            const auto& node = run->tree.node(i);
            QVERIFY(node.search.has_value());
            QCOMPARE(node.row != nullptr, node.search->fate == Fate::Extended);
            const double score = run->tree.logProbability(i);
            VERIFY_AGREES(tests::compare("score", node.search->score, score,
                                         2 * tests::ofSum(run->tree.path(i).size(), -score, tests::float64)));
            living[node.search->step] += node.search->fate == Fate::Extended;
        }
        for (const auto& [step, count] : living)
            QVERIFY(count <= 3);
        QVERIFY(run->tree.node(run->path.back()).search->fate == Fate::Finished);
    }

    void everyHypothesisEqualsItsOwnForcedRun() {
        const auto engine = engines::with(engines::tiny);
        const auto searched = engine->of(beams({5, 6, 7, 3}, 4, 0, 8), trace::RunWhat());
        const auto fresh = engines::with(engines::tiny);
        const auto isFed = [&](std::size_t node) { return bool(searched->tree.node(node).row); };
        const auto nodes = std::views::iota(std::size_t{1}, searched->tree.nodes().size());
        for (const std::size_t leaf : tests::some(nodes | std::views::filter(isFed))) {
            std::vector<std::int64_t> fed;
            for (const auto node : searched->tree.path(leaf))
                fed.push_back(searched->tree.node(node).token.id);
            const auto forced = fresh->of(engines::forced({5, 6, 7, 3}, fed), trace::RunWhat());
            const auto rows = trace::stackCrossRows(searched->tree, searched->tree.path(leaf));
            for (std::size_t layer = 0; layer < rows.size(); ++layer)
                VERIFY_AGREES(recordings::compareWeights(
                    "annotated-tiny", "weights of cross-attention", rows[layer].weights.values(),
                    forced->cross[layer].weights.values(), forced->cross[layer].scores.values()));
        }
    }

    void decodingTokenByTokenIsDecodingAtOnce() {
        const auto engine = engines::with(recordings::folder + "annotated-tiny-tied");
        auto request = engines::greedy({5, 6, 7, 3}, 9);
        request.decoding.sample = true;
        request.decoding.seed = 7;
        const auto atOnce = engines::outputOf(*engine->of(request, trace::RunWhat()));
        std::vector<std::int64_t> fed{2};
        for (std::size_t i = 0; i < atOnce.size(); ++i) {
            request.paths = {{.forced = trace::TargetIds{fed}, .newTokens = 1, .mayContinue = true}};
            fed.push_back(engines::outputOf(*engine->of(request, trace::RunWhat())).back());
        }
        QCOMPARE(std::vector(fed.begin() + 1, fed.end()), atOnce);
    }

    void theSameSeedDrawsTheSameAndAnotherDoesNot() {
        const auto engine = engines::with(engines::tiny);
        auto request = engines::greedy({5, 6, 7, 3}, 12);
        request.decoding.sample = true;
        request.decoding.temperature = 3;
        const auto first = engines::outputOf(*engine->of(request, trace::RunWhat()));
        QCOMPARE(engines::outputOf(*engines::with(engines::tiny)->of(request, trace::RunWhat())), first);
        request.decoding.seed = 1;
        QVERIFY(engines::outputOf(*engine->of(request, trace::RunWhat())) != first);
    }

    void impossibleOptionsAreRefusedAllAtOnce() {
        auto request = engines::greedy({5, 3});
        request.decoding = {.beam = 0, .temperature = 0, .topP = 2};
        try {
            engines::with(engines::tiny)->of(request, trace::RunWhat());
            QFAIL("not refused");
        } catch (const trace::Refusal& refusal) {
            for (const char* part : {"a beam of 0", "temperature 0", "top-p 2"})
                QVERIFY2(refusal.text().found.find(part) != std::string::npos, part);
        }
    }
};

HEADSCOPE_TEST(TreeDecoderTest)
#include "tree_decoder_test.moc"
