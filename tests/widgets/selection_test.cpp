#include <QSignalSpy>
#include <QTest>

#include "tests/registered_test.h"
#include "widgets/selection.h"

using namespace headscope;
using namespace headscope::widgets;
using trace::AttentionKind;
using trace::HeadAddress;

class SelectionTest : public QObject {
    Q_OBJECT

    static HeadAddress head(int number) { return {{AttentionKind::Cross, 1}, number}; }

  private Q_SLOTS:
    void aHeadIsPinnedAndLetGo() {
        Selection selection;
        const QSignalSpy changed(&selection, &Selection::pinnedHeadsChanged);
        selection.togglePinnedHead(head(3));
        selection.togglePinnedHead(head(1));
        QVERIFY(selection.pinnedHeads() == (std::vector{head(3), head(1)}));
        QCOMPARE(selection.pinOf(head(1)), std::optional(2));
        selection.togglePinnedHead(head(3));
        QCOMPARE(selection.pinOf(head(1)), std::optional(1));
        QVERIFY(!selection.pinOf(head(3)));
        QCOMPARE(changed.size(), 3);
    }

    void aCellThatIsPinnedUnderThePointerIsTold() {
        Selection selection;
        const auto cell = TokenFocus::cell(AttentionKind::Cross, 2, 3);
        selection.setHover(cell);
        const QSignalSpy changed(&selection, &Selection::focusChanged);
        selection.togglePinned(cell);
        QCOMPARE(changed.size(), 1);
        selection.togglePinned(cell);
        QCOMPARE(changed.size(), 2);
    }

    void aFifthHeadIsNotPinned() {
        Selection selection;
        for (int number = 0; number < 4; ++number)
            selection.togglePinnedHead(head(number));
        const QSignalSpy changed(&selection, &Selection::pinnedHeadsChanged);
        const QSignalSpy refused(&selection, &Selection::headNotPinned);
        selection.togglePinnedHead(head(4));
        QCOMPARE(refused.size(), 1);
        QVERIFY(refused.front().front().value<HeadAddress>() == head(4));
        QCOMPARE(changed.size(), 0);
        QCOMPARE(selection.pinnedHeads().size(), std::size_t(4));
    }

    void theSamePinsAgainAreNoChange() {
        Selection selection;
        selection.setPinnedHeads({head(0), head(1), head(2), head(3), head(4)});
        QCOMPARE(selection.pinnedHeads().size(), Selection::mostPinnedHeads);
        const QSignalSpy changed(&selection, &Selection::pinnedHeadsChanged);
        selection.setPinnedHeads({head(0), head(1), head(2), head(3)});
        QCOMPARE(changed.size(), 0);
    }

    void whereTheKeysHaveGoneIsLitAgainOnceThePointerHasLeft() {
        Selection selection;
        const auto keyed = TokenFocus::cell(AttentionKind::Cross, 1, 2);
        const auto pointed = TokenFocus::cell(AttentionKind::Cross, 4, 5);
        selection.setHover(pointed);
        selection.setCursor(keyed); // wherever the pointer rests
        QCOMPARE(selection.focus(), keyed);
        selection.setHover(pointed);
        QCOMPARE(selection.focus(), pointed);
        selection.setHover({});
        QCOMPARE(selection.focus(), keyed);
        selection.togglePinned(keyed); // as Enter does
        selection.clearPinned();
        QCOMPARE(selection.focus(), keyed);
        selection.togglePinned(pointed); // a click
        QCOMPARE(selection.focus(), pointed);
        selection.setCursor({});
        selection.clearPinned();
        QVERIFY(selection.focus().isEmpty());
    }

    void pinnedTokensAndPinnedHeadsAreTwoThings() {
        Selection selection;
        selection.togglePinnedHead(head(0));
        selection.togglePinned(TokenFocus::cell(AttentionKind::Cross, 1, 2));
        selection.clearPinned();
        QCOMPARE(selection.pinnedHeads().size(), std::size_t(1));
    }
};

HEADSCOPE_TEST(SelectionTest)
#include "selection_test.moc"
