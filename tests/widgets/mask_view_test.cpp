#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>

#include "tests/widgets/example_run.h"
#include "widgets/mask_view.h"

using namespace headscope;
using namespace headscope::widgets;
using trace::AttentionKind;

class MaskViewTest : public QObject {
    Q_OBJECT

    static constexpr trace::HeadAddress decoderHead{{AttentionKind::DecoderSelf, 1}, 2};

  private Q_SLOTS:
    void aCausalMaskIsBothMasksTogether() {
        Selection selection;
        selection.setHead(decoderHead);
        MaskView view(&selection);
        view.setRun(example::run());
        QVERIFY2(view.verdict().contains("subsequent mask and the padding mask together"),
                 qPrintable(view.verdict()));
    }

    void aPaddedSourceIsThePaddingMaskAlone() {
        Selection selection;
        selection.setHead(example::aligningHead);
        MaskView view(&selection);
        view.setRun(example::run({.sourcePadding = 2}));
        QVERIFY2(view.verdict().contains("padding mask alone"), qPrintable(view.verdict()));
    }

    void aMaskThatIsNeitherIsNamedWithItsFirstCell() {
        Selection selection;
        selection.setHead(decoderHead);
        MaskView view(&selection);
        auto run = example::run();
        run->decoder[1].mask(2, 4) = 1;
        view.setRun(run);
        QVERIFY2(view.verdict().contains("row 3, column 5"), qPrintable(view.verdict()));
        QVERIFY(view.verdict().endsWith("the model has it open."));
        QCOMPARE(view.accessibleDescription(), view.verdict());
    }

    void theSpinBoxesFollowTheRunSilently() {
        Selection selection;
        MaskView view(&selection);
        const QSignalSpy changed(&view, &MaskView::paddingChanged);
        view.setRun(example::run({.sourcePadding = 2}));
        const auto boxes = view.findChildren<QSpinBox*>();
        QCOMPARE(boxes.size(), 2);
        QCOMPARE(boxes[0]->value(), 2);
        QCOMPARE(changed.size(), 0);
        boxes[1]->setValue(3);
        QCOMPARE(changed.size(), 1);
        QCOMPARE(changed.front(), (QVariantList{2, 3}));
        for (const QSpinBox* box : boxes)
            QVERIFY(!box->accessibleName().isEmpty());
    }

    void arrowKeysMoveTheFocusOfAllViews() {
        Selection selection;
        selection.setHead(decoderHead);
        MaskView view(&selection);
        view.setRun(example::run());
        view.resize(900, 400);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        QTest::keyClick(&view, Qt::Key_Down);
        QTest::keyClick(&view, Qt::Key_Right);
        QCOMPARE(selection.hover(), TokenFocus::cell(AttentionKind::DecoderSelf, 1, 1));
        QVERIFY(view.accessibleDescription().startsWith("decoder.1.2"));
        QTest::keyClick(&view, Qt::Key_Escape);
        QVERIFY(selection.focus().isEmpty());
    }

    void nothingToShowIsNoError() {
        Selection selection;
        selection.setHead({{AttentionKind::Cross, 9}, 0});
        MaskView view(&selection);
        QVERIFY(!view.hasFigure());
        view.setRun(example::run());
        QVERIFY(!view.hasFigure());
        QCOMPARE(view.verdict(), QString());
        view.grab();
        QTest::keyClick(&view, Qt::Key_Down);
        view.setRun(nullptr);
        view.grab();
    }
};

QTEST_MAIN(MaskViewTest)
#include "mask_view_test.moc"
