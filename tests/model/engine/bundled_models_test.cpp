#include <QTest>

#include "model/analysis/heads/head_roles.h"
#include "tests/compared_numbers.h"
#include "tests/model/engine/engines.h"
#include "tests/registered_test.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

using namespace headscope;
namespace fs = std::filesystem;

namespace {

const fs::path bundled = HEADSCOPE_SOURCE "/resources/models";

std::vector<fs::path> foldersIn(const fs::path& folder) {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.is_directory())
            found.push_back(entry.path());
    std::ranges::sort(found);
    return found;
}

/// Folders of all models, including each snapshot of a series.
std::vector<fs::path> modelFolders() {
    std::vector<fs::path> found;
    for (const auto& folder : foldersIn(bundled)) {
        const auto snapshots = foldersIn(folder);
        if (snapshots.empty())
            found.push_back(folder);
        found.insert(found.end(), snapshots.begin(), snapshots.end());
    }
    return found;
}

std::uintmax_t bytesIn(const fs::path& folder) {
    std::uintmax_t bytes = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file())
            bytes += entry.file_size();
    return bytes;
}

std::string outputOf(engine::Engine& engine, const std::string& source) {
    return engine.of({.source = source}, trace::RunWhat())->output;
}

} // namespace

/// The models shipped with the program.
class BundledModelsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void eachOpensAndDecodesASentence_data() {
        QTest::addColumn<QString>("folder");
        for (const auto& folder : modelFolders())
            QTest::addRow("%s", fs::relative(folder, bundled).c_str())
                << QString::fromStdString(folder.string());
    }
    void eachOpensAndDecodesASentence() {
        QFETCH(const QString, folder);
        const auto engine = engines::start();
        const auto model = engine->open({.path = folder.toStdString()}, {});
        QVERIFY(!model->tokenizer.empty());
        const auto run =
            engine->of({.source = model->samples.empty() ? "I like this book." : model->samples.front()},
                       trace::RunWhat());
        QVERIFY(run->complete);
        QVERIFY(run->selfCheck.state() == trace::CheckState::Ok);
    }

    void eachSaysWhereItComesFrom() {
        for (const auto& folder : tests::some(foldersIn(bundled))) {
            for (const char* file : {"README.md", "log.csv"})
                QVERIFY2(fs::is_regular_file(folder / file), (folder / file).c_str());
            const auto name = folder.filename().string();
            const bool isScript = name.starts_with("induction") || name == "tatoeba-en";
            const auto configuration =
                fs::path(HEADSCOPE_SOURCE "/resources/training") /
                ((name.starts_with("induction") ? "induction" : name) + (isScript ? ".py" : ".json"));
            QVERIFY2(fs::is_regular_file(configuration), configuration.c_str());
        }
    }

    void theyAreSmall() {
        constexpr std::uintmax_t million = 1'000'000;
        QVERIFY(bytesIn(bundled) < 45 * million);
        for (const auto& folder : modelFolders()) {
            const auto name = fs::relative(folder, bundled).string();
            const bool small = name.starts_with("toy-") || name.starts_with("induction") ||
                               name.find("/step-") != std::string::npos;
            QVERIFY2(bytesIn(folder) < (small ? 1 : 16) * million, name.c_str());
        }
    }

    void reviewsAreToldApart() {
        const auto engine = engines::start();
        const auto model = engine->open({.path = (bundled / "imdb-classifier").string()}, {});
        const auto chosen = [&](const std::string& review) {
            const auto run = engine->of({.source = review}, trace::RunWhat());
            const auto& classes = run->classLogProbabilities;
            return std::ranges::max_element(classes) - classes.begin();
        };
        QCOMPARE(model->classLabels, (std::vector<std::string>{"negative", "positive"}));
        QCOMPARE(chosen("A wonderful film, beautifully played."), 1);
        QCOMPARE(chosen("A boring film, badly played, a waste of time."), 0);
    }

    /// Recomputes the values of the role from the maps with the textbook formulas.
    void theHeadsOfTheToyThatReversesRunAgainstItsSource() {
        const auto engine = engines::with((bundled / "toy-reverse").string());
        const auto run = engine->of({.source = "w3 w7 w1 w12 w5 w9 w20"}, trace::RunWhat());
        int reversed = 0;
        for (const auto& head : analysis::statisticsOfHeads(*run))
            for (const auto& role : analysis::rolesOf(head)) {
                if (role.kind != analysis::RoleKind::Reversed)
                    continue;
                ++reversed;
                const auto& record = *run->record(head.head.site);
                const std::size_t rows = record.queries();
                std::vector<double> position(rows), largest(rows);
                for (std::size_t row = 0; row < rows; ++row) {
                    double weight = 0;
                    for (std::size_t key = 0; key + 1 < record.keys();
                         ++key) { // the last token ends the source
                        const double of = record.weights.head(std::size_t(head.head.head)).row(row)[key];
                        weight += of;
                        position[row] += of * double(key);
                        largest[row] = std::max(largest[row], of);
                    }
                    position[row] /= weight;
                }
                double squares = 0, confidence = 0;
                for (std::size_t row = 0; row < rows; ++row) {
                    const auto rank =
                        std::ranges::count_if(position, [&](double other) { return other < position[row]; });
                    squares += (double(rank) - double(row)) * (double(rank) - double(row));
                    confidence += largest[row] / double(rows);
                }
                const auto n = double(rows);
                VERIFY_AGREES(tests::compare("monotony", role.number, 1 - 6 * squares / (n * (n * n - 1)),
                                             tests::ofRoundings(4, 1, tests::float64)));
                VERIFY_AGREES(tests::compare("confidence", *role.confidence, confidence,
                                             2 * tests::ofSum(rows, confidence, tests::float64)));
            }
        QVERIFY(reversed >= 4); // the heads of the last layer
    }

    /// Layer 1 attends to the token after the earlier place of the current word, thanks to heads of layer 0
    /// that attend to the previous token.
    void inductionHeadsRepeatWhatFollowedBefore() {
        const auto engine = engines::with((bundled / "induction").string());
        const std::string words = "river stone lamp tree cat door";
        QCOMPARE(engine->of({.source = words + " river stone", .paths = {{.newTokens = 4}}}, trace::RunWhat())
                     ->output,
                 std::string("lamp tree cat door"));
        const auto run =
            engine->of({.source = words + " " + words, .paths = {{.newTokens = 0}}}, trace::RunWhat());
        const auto weight = [&](int layer, int head, std::size_t query, std::size_t key) {
            return run->decoder[static_cast<std::size_t>(layer)].weights(static_cast<std::size_t>(head),
                                                                         query, key);
        };
        for (std::size_t query = 8; query < run->target.size(); ++query) {
            QVERIFY(weight(0, 0, query, query - 1) > 0.8);
            QVERIFY(weight(1, 0, query, query - 5) > 0.5); // the sentence has six words
        }
    }

    /// As it is opened: its samples, decoded as far as its folder says, and the head that is shown first.
    void whatTheInductionModelShowsFirstAreItsInductionHeads() {
        const auto engine = engines::start();
        const auto model = engine->open({.path = (bundled / "induction").string()}, {});
        const auto& opens = model->opensAt.value();
        QVERIFY(!model->samples.empty());
        for (const auto& sample : model->samples) {
            std::istringstream stream(sample);
            const std::vector<std::string> words{std::istream_iterator<std::string>(stream), {}};
            const std::size_t once = words.size() / 2;
            QVERIFY(once <= 12);
            QVERIFY(std::equal(words.begin(), words.begin() + std::ptrdiff_t(once),
                               words.begin() + std::ptrdiff_t(once), words.end()));
            const auto run =
                engine->of({.source = sample, .paths = {{.newTokens = model->newTokens}}}, trace::RunWhat());
            QVERIFY(run->path.size() <= 24); // all tokens
            // Row 0 is <s>; a word of the second time attends to what followed it the first time.
            double weight = 0;
            for (std::size_t row = once + 1; row <= 2 * once; ++row)
                weight +=
                    double(run->recordOf(opens)->weights(opens.head, row, row - once + 1)) / double(once);
            QVERIFY2(weight >= 0.8, qPrintable(QString("%1 in %2").arg(weight).arg(sample.c_str())));
            const auto heads = analysis::statisticsOfHeads(*run);
            const auto head = std::ranges::find(heads, opens, &analysis::HeadStatistics::head);
            QVERIFY(*head->values[analysis::Statistic::Induction] >= 0.8);
            QVERIFY(analysis::rolesOf(*head).front().kind == analysis::RoleKind::Induction);
        }
    }

    /// Continues a prompt and ends by itself; a head of layer 0 attends to the token itself.
    void theLanguageModelEndsASentence() {
        const auto engine = engines::with((bundled / "tatoeba-en").string());
        const auto written = engine->of({.source = "Can you"}, trace::RunWhat());
        QVERIFY(written->complete);
        QCOMPARE(written->output, std::string(" tell me what you're doing?"));
        const auto run = engine->of(
            {.source = "The weather is very cold today.", .paths = {{.newTokens = 0}}}, trace::RunWhat());
        QCOMPARE(run->target.size(), std::size_t{8}); // <s>, six words and a full stop
        for (std::size_t query = 0; query < run->target.size(); ++query)
            QVERIFY(run->decoder[0].weights(3, query, query) > 0.9);
    }

    void theMemoryOfMapsIsThatOfARun() {
        const auto engine = engines::start();
        const auto summary = engine->open({.path = bundled / "tatoeba-en"}, {});
        std::vector<std::int64_t> prompt(static_cast<std::size_t>(summary->mapTokens), 40);
        const auto run = engine->of(engines::forced(prompt, prompt), trace::RunWhat());
        std::size_t floats = 0;
        const auto add = [&](const trace::AttentionRecord& record) {
            for (const auto* stack :
                 {&record.scores, &record.weights, &record.q, &record.k, &record.v, &record.outputs})
                floats += stack->values().size();
        };
        std::ranges::for_each(run->decoder, add);
        for (std::size_t t = 0; t < prompt.size(); ++t) {
            std::ranges::for_each(run->row(t).self, add);
            for (const auto& scores : run->row(t).scoresOfEarlierQueries)
                floats += scores.values().size();
        }
        const double named = static_cast<double>(summary->mapBytes);
        const double stored = static_cast<double>(floats * sizeof(float));
        QVERIFY2(stored < named && stored > 0.8 * named, // the rest are masks and log-probabilities
                 qPrintable(QString("%1 of %2").arg(stored).arg(named)));
    }

    void toysDoWhatTheyAreCalled() {
        const auto copy = engines::with((bundled / "toy-copy").string());
        const auto reverse = engines::with((bundled / "toy-reverse").string());
        const auto unordered = engines::with((bundled / "toy-copy-without-positions").string());
        std::ifstream file(HEADSCOPE_SOURCE "/resources/samples/toy-copy.tsv");
        int lines = 0;
        for (std::string line; lines < 20 && std::getline(file, line); ++lines) {
            std::istringstream stream(line.substr(0, line.find('\t')));
            std::vector<std::string> words{std::istream_iterator<std::string>(stream), {}};
            const auto joined = [&] {
                std::string text;
                for (const auto& word : words)
                    text += (text.empty() ? "" : " ") + word;
                return text;
            };
            const auto sentence = joined();
            QCOMPARE(outputOf(*copy, sentence), sentence);
            std::ranges::reverse(words);
            QCOMPARE(outputOf(*reverse, sentence), joined());
            // A bag of words: the order of the source has no effect.
            QCOMPARE(outputOf(*unordered, joined()), outputOf(*unordered, sentence));
        }
        QCOMPARE(lines, 20);
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, BundledModelsTest)
#include "bundled_models_test.moc"
