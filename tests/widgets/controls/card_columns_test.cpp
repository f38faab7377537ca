#include <QScrollBar>
#include <QTest>

#include "tests/watched_test.h"
#include "tests/widgets/shown_view.h"
#include "widgets/controls/card_columns.h"
#include "widgets/controls/segments.h"

#include <QSignalSpy>

using namespace headscope::widgets;
using headscope::tests::isSeen;

class CardColumnsTest : public QObject {
    Q_OBJECT

    CardColumns* columns_ = nullptr;
    std::vector<CardFrame*> cards_;

  private Q_SLOTS:
    void init() {
        columns_ = new CardColumns(2, 3, nullptr);
        cards_ = {columns_->add(0, new QWidget, 2, 4), columns_->add(0, new QWidget, 1, 4),
                  columns_->add(1, new QWidget, 1, 4)};
    }

    void cleanup() { delete columns_; }

    void cardsShareTheRoomOfTheirColumn() {
        QVERIFY(isSeen(*columns_, {2010, 920}));
        QCOMPARE(columns_->verticalScrollBar()->maximum(), 0);
        QVERIFY(std::abs(cards_[0]->height() - 2 * cards_[1]->height()) <= 2);
        QVERIFY(std::abs(3 * cards_[0]->width() - 2 * cards_[2]->width()) <= 4);
        QCOMPARE(cards_[1]->geometry().bottom(), cards_[2]->geometry().bottom());
        QVERIFY(cards_[2]->x() > cards_[0]->geometry().right());
    }

    void aHiddenCardLeavesItsRoomToTheOthers() {
        QVERIFY(isSeen(*columns_, {2010, 920}));
        columns_->setShown(cards_[1], false);
        QCOMPARE(cards_[0]->height(), cards_[2]->height());
        columns_->setShown(cards_[2], false);
        QVERIFY(cards_[0]->width() > 1900);
    }

    void withLittleRoomCardsStandBelowEachOtherAndScroll() {
        QVERIFY(isSeen(*columns_, {500, 120}));
        QVERIFY(cards_[2]->y() > cards_[1]->geometry().bottom());
        QVERIFY(columns_->verticalScrollBar()->maximum() > 0);
        for (const auto* card : cards_)
            QVERIFY(card->height() >= 4 * columns_->fontMetrics().height());
    }

    void ofSegmentsOneIsDownAndASingleOneIsNoChoice() {
        Segments segments("Which", {"A", "B", "C"}, nullptr);
        segments.show();
        QSignalSpy changed(&segments, &Segments::currentChanged);
        segments.setCurrentIndex(2);
        segments.setCurrentIndex(2);
        QCOMPARE(changed.size(), 1);
        QCOMPARE(segments.currentIndex(), 2);
        segments.setShown({false, false, true});
        QVERIFY(segments.isHidden());
        segments.setShown({true, false, true});
        QVERIFY(!segments.isHidden());
    }
};

HEADSCOPE_WATCHED_TEST(CardColumnsTest)
#include "card_columns_test.moc"
