#include <QComboBox>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTest>

#include "tests/widgets/example_search.h"
#include "widgets/branch_comparison.h"

using namespace headscope;
using widgets::BranchComparison;

class BranchComparisonTest : public QObject {
    Q_OBJECT

    std::unique_ptr<BranchComparison> view_;

  private Q_SLOTS:
    void init() {
        const auto run = example::branchedRun();
        view_ = std::make_unique<BranchComparison>();
        view_->setHead(example::aligningHead);
        view_->setNames({"one", "two"}, 0, 1);
        view_->setRuns(trace::atPath(*run, 12), trace::atPath(*run, 14));
    }

    void itSaysWhereTheWordsPart() {
        QVERIFY2(view_->summary().contains("part at token 2"), qPrintable(view_->summary()));
        QVERIFY(view_->summary().contains("alte"));
        QVERIFY(view_->summary().contains("Greis"));
    }

    void theChangeIsGivenWhereBothHaveTheToken() {
        const auto* table = view_->findChild<QTableWidget*>();
        QCOMPARE(table->rowCount(), 4);
        QCOMPARE(table->item(0, 4)->text(), QString());
        QCOMPARE(table->item(3, 0)->text(), table->item(3, 2)->text()); // both end
        QVERIFY(!table->item(3, 4)->text().isEmpty());
    }

    void theMapIsTheDifferenceOfTheSelectedHead() {
        QVERIFY(!view_->map()->isEmpty());
        QVERIFY(view_->map()->figureText().caption.contains("layer 3 of 3, head 6 of 8"));
        view_->setHead({{trace::AttentionKind::DecoderSelf, 0}, 1});
        QVERIFY(view_->map()->figureText().caption.contains("Decoder self-attention"));
    }

    void theEncodersMapsAreTheSame() {
        view_->setHead({{trace::AttentionKind::EncoderSelf, 0}, 0});
        QVERIFY(view_->map()->isEmpty());
    }

    void anotherPairCanBeChosen() {
        QSignalSpy chosen(view_.get(), &BranchComparison::pairChosen);
        auto* box = view_->findChildren<QComboBox*>().front();
        box->setCurrentIndex(1);
        Q_EMIT box->activated(1);
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen.front().front().toInt(), 1);
    }

    void oneBranchAloneSaysHowToGetAnother() {
        view_->setNames({"one"}, 0, -1);
        view_->setRuns(nullptr, nullptr);
        QVERIFY(view_->summary().contains("next token"));
        QVERIFY(view_->map()->isEmpty());
    }
};

QTEST_MAIN(BranchComparisonTest)
#include "branch_comparison_test.moc"
