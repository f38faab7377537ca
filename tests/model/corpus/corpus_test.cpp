#include "model/corpus/batches.h"
#include "model/corpus/parallel_corpus.h"
#include "model/corpus/toy_corpus.h"
#include "model/files/atomic_file.h"
#include "model/trace/refusal.h"
#include "tests/registered_test.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <set>

using namespace headscope::corpus;
using headscope::trace::Refusal;

class CorpusTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    std::string file(const char* name, const std::string& text) {
        const auto path = folder_.filePath(name).toStdString();
        headscope::files::saveAtomically(path, text);
        return path;
    }

  private Q_SLOTS:
    void pairsAreTheFirstTwoColumns() {
        const auto pairs = readTextPairs(file("a.tsv", "Hi.\tHallo.\tnote\r\n\nYes.\tJa."));
        QCOMPARE(pairs, (std::vector<TextPair>{{"Hi.", "Hallo."}, {"Yes.", "Ja."}}));
    }

    void labelsStandFirst() {
        const auto pairs = readLabelledTexts(file("b.tsv", "1\tgood\n0\tbad\n"));
        QCOMPARE(pairs.front(), (TextPair{"good", "1"}));
    }

    void everyLineWithoutATabIsNamed() {
        try {
            readTextPairs(file("c.tsv", "a\tb\nno tab\n\tempty\nc\td\n"));
            QFAIL("read");
        } catch (const Refusal& refusal) {
            QVERIFY(refusal.text().found.find("line 2") != std::string::npos);
            QVERIFY(refusal.text().found.find("line 3") != std::string::npos);
        }
        QVERIFY_EXCEPTION_THROWN(readTextPairs(file("d.tsv", "\n\n")), Refusal);
    }

    void aLineThatIsNoUtf8IsNamed() {
        try {
            readTextPairs(file("latin.tsv", "a\tb\n\nGr\xFC\xDF e\thello\n"));
            QFAIL("read");
        } catch (const Refusal& refusal) {
            QVERIFY2(refusal.text().found.find("line 3 (not UTF-8)") != std::string::npos, refusal.what());
        }
    }

    void pairsKnowTheirLine() {
        const auto pairs = readTextPairs(file("lines.tsv", "a\tb\n\nc\td\n"));
        QCOMPARE(pairs.back().line, std::size_t{3});
        QCOMPARE(groupReferences(pairs).back().line, std::size_t{3});
    }

    void repeatedSourcesBecomeReferences() {
        const auto sources = groupReferences({{"a", "1"}, {"b", "2"}, {"a", "3"}});
        QCOMPARE(sources.size(), std::size_t{2});
        QCOMPARE(sources[0].references, (std::vector<std::string>{"1", "3"}));
    }

    void toysAreCopiedOrReversedAndTheSameForTheSameSeed() {
        const ToyCorpus copy{.sentences = 50};
        for (const auto& pair : makeToyCorpus(copy))
            QCOMPARE(pair.target, pair.source);
        ToyCorpus reverse{.task = ToyTask::Reverse, .shortest = 2, .longest = 2, .sentences = 50};
        for (const auto& pair : makeToyCorpus(reverse)) {
            const auto space = pair.source.find(' ');
            QCOMPARE(pair.target, pair.source.substr(space + 1) + " " + pair.source.substr(0, space));
        }
        QCOMPARE(makeToyCorpus(copy), makeToyCorpus(copy));
        auto other = copy;
        other.seed = 2;
        QVERIFY(makeToyCorpus(other) != makeToyCorpus(copy));
    }

    void everyExampleIsInOneBatch() {
        std::vector<ExampleLength> examples;
        for (std::size_t i = 0; i < 1000; ++i)
            examples.push_back({.source = i % 13 + 1, .target = i % 17 + 2});
        for (const std::size_t pool : {1, 100, 100'000}) {
            const auto batches = makeBatches(examples, {.tokens = 120, .pool = pool}, 5, 0);
            std::set<std::uint32_t> seen;
            for (const auto& batch : batches) {
                std::size_t longest = 0;
                for (const auto example : batch) {
                    QVERIFY(seen.insert(example).second);
                    longest = std::max(longest, examples[example].target);
                }
                QVERIFY(longest * batch.size() < 120 + longest * batch.size() / 2);
            }
            QCOMPARE(seen.size(), examples.size());
            QCOMPARE(makeBatches(examples, {.tokens = 120, .pool = pool}, 5, 0), batches);
            QVERIFY(makeBatches(examples, {.tokens = 120, .pool = pool}, 5, 1) != batches);
        }
    }

    void sentencesOfABatchAreOfAboutOneLength() {
        std::vector<ExampleLength> examples;
        for (std::size_t i = 0; i < 4000; ++i)
            examples.push_back({.source = 5, .target = i * 7919 % 40 + 1});
        std::size_t padded = 0;
        std::size_t tokens = 0;
        for (const auto& batch : makeBatches(examples, {.tokens = 400, .pool = 4000}, 1, 3)) {
            std::size_t longest = 0;
            for (const auto example : batch) {
                longest = std::max(longest, examples[example].target);
                tokens += examples[example].target;
            }
            padded += longest * batch.size();
        }
        QVERIFY(static_cast<double>(padded) < 1.05 * static_cast<double>(tokens));
    }
};

HEADSCOPE_TEST(CorpusTest)
#include "corpus_test.moc"
