#include <QTest>

#include "tests/watched_test.h"
#include "tests/widgets/example_run.h"
#include "widgets/explained.h"

using namespace headscope;
using namespace headscope::widgets;

/// What a token is compared with where it is explained.
class ExplainedTest : public QObject {
    Q_OBJECT

    static DocumentState documentOf(std::shared_ptr<trace::Run> run) {
        DocumentState document;
        document.model = run->model;
        document.request = run->request;
        document.run = std::move(run);
        return document;
    }

  private Q_SLOTS:
    void itIsTheSecondChoiceOfEachStepUntilAPersonNamesAnother() {
        auto document = documentOf(example::run());
        for (const std::size_t step : {0, 5}) {
            const auto of = explained(document, step);
            QVERIFY(of);
            QCOMPARE(of->step, step);
            QCOMPARE(of->chosen, document.run->next[step]);
            QCOMPARE(of->other->piece, std::string("▁Frau"));
            QCOMPARE(of->request.ratherThan, std::optional(numberOf(*of->other)));
            QCOMPARE(*of->lead(), double(-0.18F) - double(-2.9F));
        }
        document.ratherThan = "Kind";
        QCOMPARE(explained(document, 5)->other->piece, std::string("▁Kind"));
        document.ratherThan = "Maus"; // no candidate: the model alone knows it
        QVERIFY(!explained(document, 5)->other && !explained(document, 5)->lead());
        QCOMPARE(explained(document, 5)->request.ratherThan, document.ratherThan);
    }

    void aTokenIsNotComparedWithItself() {
        auto document = documentOf(example::run());
        document.ratherThan = "Tochter";
        QCOMPARE(explained(document, 5)->other->piece, std::string("▁Frau"));
    }

    void nothingCanBeChosen() {
        auto document = documentOf(example::run());
        document.choices["why"]["unnamed"] = std::string("nothing");
        QVERIFY(explained(document, 5)->rather.empty() && !explained(document, 5)->request.ratherThan);
        QVERIFY(!explained(document, 5)->lead());
        document.ratherThan = "Kind";
        QCOMPARE(explained(document, 5)->other->piece, std::string("▁Kind"));
    }

    void classesAreComparedWithTheNextLikely() {
        auto run = std::make_shared<trace::Run>();
        auto model = std::make_shared<trace::ModelSummary>();
        model->classes = 3;
        model->classLabels = {"bad", "good", "neither"};
        run->model = model;
        run->classLogProbabilities = {-2.0F, -0.2F, -4.0F};
        const auto of = explained(documentOf(run), 0);
        QCOMPARE(of->chosen.piece, std::string("good"));
        QCOMPARE(of->rather, std::string("#0"));
        QCOMPARE(alternatives(documentOf(run), 0).size(), std::size_t(2));
    }

    void masksAreStepsOfTheirOwn() {
        auto run = std::make_shared<trace::Run>();
        run->model = std::make_shared<trace::ModelSummary>();
        const auto candidates = [](const char* first, const char* second) {
            return std::vector<trace::Candidate>{{example::token(1, first), -0.5F},
                                                 {example::token(2, second), -1.5F}};
        };
        run->maskCandidates = {{2, candidates("cat", "dog")}, {5, candidates("mat", "bed")}};
        QCOMPARE(explained(documentOf(run), 0)->chosen.piece, std::string("cat"));
        QCOMPARE(explained(documentOf(run), 1)->other->piece, std::string("bed"));
        QCOMPARE(explained(documentOf(run), 7)->step, std::size_t(1));
    }

    void ofWhatIsNotThereNothingIsExplained() {
        QVERIFY(!explained(emptyDocument(), 0));
        QVERIFY(!explained(documentOf(example::run()), 99));
        QVERIFY(alternatives(emptyDocument(), 0).empty());
    }
};

HEADSCOPE_WATCHED_TEST(ExplainedTest)
#include "explained_test.moc"
