#include <QLabel>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include "tests/watched_test.h"
#include "tests/widgets/example_importance.h"
#include "tests/widgets/shown_view.h"
#include "widgets/plots/drawn_plot.h"
#include "widgets/tables/column_table.h"
#include "widgets/views/importance/importance_card.h"
#include "widgets/views/importance/removal_plot.h"
#include "widgets/words/card_words.h"

using namespace headscope;
using namespace headscope::widgets;

class ImportanceCardTest : public QObject {
    Q_OBJECT

    Selection selection_;
    std::unique_ptr<ImportanceCard> card_;
    std::vector<analysis::HeadScore> scores_;

    QString cell(int row, int column) const {
        return card_->table()->model()->index(row, column).data().toString();
    }

  private Q_SLOTS:
    void init() {
        card_ = std::make_unique<ImportanceCard>(&selection_, nullptr);
        scores_ = analysis::headScores(*example::importance(*example::run()), 5);
        analysis::rankByImportance(scores_);
        card_->setContent({.scores = scores_, .verdict = "6 off together"});
        QVERIFY(tests::isSeen(*card_, {532, 378}));
    }

    void theMostHelpfulAndTheMostHarmfulAreListed() {
        QCOMPARE(card_->table()->model()->rowCount(), 8 + 1 + 4);
        QCOMPARE(cell(0, 2), shortSignedText(scores_.front().importance));
        QCOMPARE(cell(12, 2), shortSignedText(scores_.back().importance));
        QCOMPARE(cell(8, 0),
                 QStringLiteral("60 between %1 and %2")
                     .arg(shortSignedText(scores_[8].importance), shortSignedText(scores_[67].importance)));
        QVERIFY(!card_->table()->verticalScrollBar()->isVisible());
    }

    void itSaysHowHeadsWereRemoved() {
        const auto title = [this] {
            return card_->table()->model()->headerData(0, Qt::Horizontal, Qt::DisplayRole).toString();
        };
        QCOMPARE(title(), QStringLiteral("head off"));
        card_->setContent({.scores = scores_, .removed = trace::Ablation::Kind::Mean});
        QCOMPARE(title(), QStringLiteral("head set to its mean"));
        card_->setContent({.scores = scores_, .removed = trace::Ablation::Kind::Resample});
        QCOMPARE(title(), QStringLiteral("head resampled"));
    }

    void theOthersUnfold() {
        QTest::mouseClick(card_->table()->viewport(), Qt::LeftButton, {},
                          card_->table()->visualRect(card_->table()->model()->index(8, 0)).center());
        QCOMPARE(card_->table()->model()->rowCount(), 72);
    }

    void aClickSelectsAHeadAndADoubleClickSwitchesItOff() {
        QSignalSpy switched(card_.get(), &ImportanceCard::headDoubleClicked);
        const QPoint place = card_->table()->visualRect(card_->table()->model()->index(2, 0)).center();
        QTest::mouseClick(card_->table()->viewport(), Qt::LeftButton, {}, place);
        QVERIFY(selection_.head() == scores_[2].head);
        QTest::mouseDClick(card_->table()->viewport(), Qt::LeftButton, {}, place);
        QVERIFY(switched.first().first().value<trace::HeadAddress>() == scores_[2].head);
    }

    void theRingIsWhereTheOtherTokenLeads() {
        trace::RemovalCurve curve;
        curve.contrast = example::token(901, "▁Frau");
        analysis::RemovalComparison compared{.order = {scores_[0].head, scores_[1].head},
                                             .removed = {0, 1, 2},
                                             .byImportance = {2, 0.5, -0.25},
                                             .mean = {2, 1.5, 1},
                                             .least = {2, 1, 0},
                                             .most = {2, 1.75, 1.5},
                                             .draws = 12};
        QCOMPARE(tests::plain(removalVerdict(compared, curve)),
                 QStringLiteral("2 off together: “Frau” leads"));
        const auto plot = removalSketch(compared, curve);
        QCOMPARE(plot.series.front().points.size(), std::size_t(6)); // around the area
        QCOMPARE(plot.series.back().points.front(), QPointF(2, -0.25));
        QCOMPARE(plot.across.most, 2.0);
        compared.byImportance = {2, 1, 0.5};
        QVERIFY(removalVerdict(compared, curve).isEmpty());
        curve.contrast.reset();
        compared.byImportance = {-0.1, -2, -3};
        QVERIFY(removalVerdict(compared, curve).isEmpty());
    }
};

HEADSCOPE_WATCHED_TEST(ImportanceCardTest)
#include "importance_card_test.moc"
