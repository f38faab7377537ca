#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include "model/analysis/maps/recomputed_map.h"
#include "tests/watched_test.h"
#include "tests/widgets/answered_at_once.h"
#include "tests/widgets/example_run.h"
#include "tests/widgets/shown_view.h"
#include "widgets/selection.h"
#include "widgets/views/cell_card/cell_card.h"

using namespace headscope;
using namespace headscope::widgets;
using trace::AttentionKind;

class CellCardTest : public QObject {
    Q_OBJECT

    std::shared_ptr<trace::Run> run_ = example::run();
    std::unique_ptr<Selection> selection_;
    std::unique_ptr<CellCard> card_;
    example::AnsweredAtOnce* answers_ = nullptr;

    static constexpr trace::HeadAddress causalHead{{AttentionKind::DecoderSelf, 0}, 1};

    const trace::AttentionRecord& record() const { return *run_->recordOf(selection_->head()); }
    std::vector<float> weights(int row) const {
        return analysis::headRow(record(), selection_->head().head, row).weights;
    }
    TokenFocus focus(std::optional<int> query, std::optional<int> key) const {
        return TokenFocus::cell(selection_->head().site.kind, query, key);
    }
    bool says(const QString& words) const {
        if (tests::plain(card_->note()).contains(words))
            return true;
        for (const auto* label : card_->findChildren<QLabel*>())
            if (!label->isHidden() && tests::plain(label->text()).contains(words))
                return true;
        return false;
    }

  private Q_SLOTS:
    void init() {
        selection_ = std::make_unique<Selection>();
        selection_->setHead(example::aligningHead);
        card_ = std::make_unique<CellCard>(selection_.get());
        answers_ = new example::AnsweredAtOnce(card_.get());
        answers_->document().run = run_;
        answers_->document().model = run_->model;
        card_->show();
        card_->refresh();
    }
    void cleanup() {
        card_.reset();
        selection_.reset();
    }

    void itIsTheLargestCellOfTheStepsRow() {
        for (const int step : {0, 4, 9}) {
            selection_->setStep(step);
            const auto row = weights(step);
            QCOMPARE(card_->cell()->row, step);
            QCOMPARE(card_->cell()->column, int(std::ranges::max_element(row) - row.begin()));
            QCOMPARE(float(card_->weight().value()), *std::ranges::max_element(row));
            QVERIFY(says("largest of 11"));
            QVERIFY(says(QString::number(*card_->weight(), 'f', 3)));
        }
    }

    void ofAMaskedModelTheStepIsAMask() {
        auto masked = std::make_shared<trace::Run>(*run_);
        masked->maskCandidates = {{2, {}}, {7, {}}};
        answers_->document().run = masked;
        selection_->setHead({{AttentionKind::EncoderSelf, 0}, 1});
        QCOMPARE(card_->cell()->row, 2);
        selection_->setStep(1);
        QCOMPARE(card_->cell()->row, 7);
    }

    void aHighlightedCellComesBeforeItAndAPinnedOneBeforeThat() {
        selection_->setHover(focus(5, 2));
        QCOMPARE(*card_->cell(), (MapCell{5, 2}));
        QVERIFY(says(QStringLiteral("“Tochter” → “man”")));
        selection_->togglePinned(focus(3, 4));
        QCOMPARE(*card_->cell(), (MapCell{3, 4}));
        selection_->setHover({});
        QCOMPARE(*card_->cell(), (MapCell{3, 4}));
        selection_->togglePinned(focus(3, 4));
        QCOMPARE(card_->cell()->row, 0);
    }

    void itsRankIsThatAmongTheAllowedCellsOfTheRow() {
        selection_->setHover(focus(5, 2));
        auto row = weights(5);
        const float own = row[2];
        const auto larger = std::ranges::count_if(row, [&](float each) { return each > own; });
        QVERIFY(larger > 0);
        QVERIFY(says(QString("rank %1 of 11").arg(larger + 1)));
        selection_->setHead(causalHead);
        selection_->setHover(focus(3, 0));
        QVERIFY(says("of 4 in its row"));
    }

    void aMaskedCellHasNoNumberButAReason() {
        selection_->setHead(causalHead);
        selection_->setHover(focus(2, 5));
        QVERIFY(!card_->weight());
        QVERIFY(says("masked") && says("later"));
        QVERIFY(!says("rank"));
    }

    void ofAHeadThatIsOffItIsNotUsed() {
        QVERIFY(!says("off"));
        answers_->document().changes = {{trace::ScaleHead{example::aligningHead, 0}}};
        card_->refresh();
        QVERIFY(says("head is off"));
    }

    void itsButtonsPinTheCellFirst() {
        selection_->setCursor(focus(5, 2));
        for (const char* text : {"Show the Arithmetic", "Find Heads"}) {
            QSignalSpy intended(card_.get(), &View::intended);
            tests::buttonOf(*card_, text)->click();
            QCOMPARE(intended.size(), 1);
            QVERIFY(std::holds_alternative<intents::Open>(intended[0][0].value<Intent>()));
            QVERIFY(selection_->pinned() == focus(5, 2));
            QVERIFY(selection_->cursor().isEmpty());
        }
    }

    void withoutARunItOffersNothing() {
        answers_->document().run = nullptr;
        card_->refresh();
        QVERIFY(!card_->hasFigure());
        QVERIFY(tests::buttonOf(*card_, "Find Heads")->isHidden());
    }

    void itsNumbersAreThoseOfTheRun() {
        selection_->togglePinned(focus(5, 2));
        const auto table = card_->figureData().tables.at(0);
        const auto number = [&](const char* name) {
            const auto column = std::ranges::find(table.columns, name, &trace::DataColumn::title);
            return std::get<std::vector<double>>(column->values).at(0);
        };
        QCOMPARE(number("query"), 5.0);
        QCOMPARE(number("key"), 2.0);
        QCOMPARE(float(number("weight")), record().weights(5, 5, 2));
        QCOMPARE(float(number("score")), record().scores(5, 5, 2));
        QCOMPARE(number("allowed"), 1.0);
    }
};

HEADSCOPE_WATCHED_TEST(CellCardTest)
#include "cell_card_test.moc"
