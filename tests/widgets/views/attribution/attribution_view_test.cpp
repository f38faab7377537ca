#include <QComboBox>
#include <QLabel>
#include <QScrollBar>
#include <QTest>

#include "tests/watched_test.h"
#include "tests/widgets/example_lens.h"
#include "tests/widgets/shown_view.h"
#include "widgets/drawing/theme.h"
#include "widgets/export/figure_export.h"
#include "widgets/views/attribution/attribution_tree.h"
#include "widgets/views/attribution/attribution_view.h"
#include "widgets/words/captions.h"

using namespace headscope;
using namespace headscope::widgets;
using tests::isSeen;
using trace::AttentionKind;

class AttributionViewTest : public QObject {
    Q_OBJECT

    std::unique_ptr<Selection> selection_;
    std::unique_ptr<AttributionView> view_;
    std::shared_ptr<trace::Run> run_;

    AttributionTree* tree() const { return view_->findChild<AttributionTree*>(); }
    QComboBox* grouping() const { return view_->findChild<QComboBox*>(); }
    bool says(const QString& words) const {
        const auto labels = view_->findChildren<QLabel*>();
        return std::ranges::any_of(
            labels, [&](const QLabel* label) { return label->isVisible() && label->text().contains(words); });
    }
    QModelIndex row(int row, const QModelIndex& parent = {}) const {
        return tree()->model()->index(row, 0, parent);
    }
    static double valueOf(const QModelIndex& index) {
        return index.data(AttributionModel::ValueRole).toDouble();
    }
    void click(const QModelIndex& index) {
        tree()->scrollTo(index);
        QTest::mouseClick(tree()->viewport(), Qt::LeftButton, {}, tree()->visualRect(index).center());
    }

    void showLens(std::optional<trace::Token> contrast = {}) {
        run_ = example::run();
        view_->setLens(run_, example::lens(*run_, std::move(contrast)));
    }

  private Q_SLOTS:
    void init() {
        selection_ = std::make_unique<Selection>();
        selection_->setStep(5);
        view_ = std::make_unique<AttributionView>(selection_.get());
        view_->setPalette(paletteOf(lightTheme()));
        QVERIFY(isSeen(*view_, {400, 480}));
    }

    void cleanup() {
        view_.reset();
        selection_.reset();
    }

    void sublayersStandInTheOrderOfTheStreamAndUnfoldIntoHeads() {
        showLens();
        QStringList names;
        for (int i = 0; i < tree()->model()->rowCount(); ++i)
            names += row(i).data().toString();
        QCOMPARE(names.mid(0, 6), QStringList({"bias of the output", "embedding", "position", "decoder.0",
                                               "cross.0", "decoder-ff.0"}));
        QCOMPARE(names.size(), 12);
        QCOMPARE(tree()->model()->rowCount(row(3)), 9);
        QCOMPARE(row(2, row(4)).data().toString(), QString("cross.0.2"));
        QCOMPARE(row(8, row(4)).data().toString(), QString("bias"));
        QCOMPARE(tree()->model()->rowCount(row(5)), 0);
        QVERIFY(row(5).data(Qt::AccessibleTextRole).toString().startsWith("Decoder feed-forward, layer 0: "));
        QVERIFY(!tree()->isExpanded(row(4)));
    }

    void aSublayersRowIsTheSumOfItsParts() {
        showLens();
        for (int i = 3; i < 5; ++i) {
            double sum = 0;
            for (int part = 0; part < 9; ++part)
                sum += valueOf(row(part, row(i)));
            QVERIFY(std::abs(sum - valueOf(row(i))) < 1e-12);
        }
    }

    void theLineBelowHoldsTheSumAgainstTheLogit() {
        showLens();
        double sum = 0;
        for (int i = 0; i < tree()->model()->rowCount(); ++i)
            sum += valueOf(row(i));
        QVERIFY(says(QString("sum of the parts %1 = logit %1").arg(numberText(sum))));
        auto lens = example::lens(*run_);
        lens->attributions[5].logit += 1;
        view_->setLens(run_, lens);
        QVERIFY(says(QString("sum of the parts %1 \u2260 logit").arg(numberText(sum))));
    }

    void theTitleNamesTokenAndContrast() {
        showLens();
        QVERIFY(says("Tochter"));
        QVERIFY(!says("compared with \u2068"));
        showLens(run_->next.front());
        QVERIFY(says("compared with \u2068\u201CDer\u201D"));
        QVERIFY(says("difference of the logits"));
        QCOMPARE(view_->figureText().title, QString("Logit at step 6"));
        QVERIFY(view_->figureText().caption.contains("at step 6 of 12 in example-en-de"));
        QVERIFY(view_->figureText().caption.contains("divisors of norms"));
    }

    void anotherStepIsSplitAnewAndWhatIsUnfoldedStaysSo() {
        showLens();
        tree()->expand(row(4));
        QCoreApplication::processEvents();                                     // lays out the new rows
        view_->resize(view_->width(), view_->minimumSizeHint().height() + 40); // less than the rows need
        QCoreApplication::processEvents();
        tree()->verticalScrollBar()->setValue(2);
        QCOMPARE(tree()->verticalScrollBar()->value(), 2);
        const double before = valueOf(row(4));
        selection_->setStep(7);
        QVERIFY(valueOf(row(4)) != before);
        QVERIFY(tree()->isExpanded(row(4)));
        QVERIFY(!tree()->isExpanded(row(3)));
        QCOMPARE(tree()->verticalScrollBar()->value(), 2);
        QVERIFY(says("at step 8"));
    }

    void partsAreSortedBySizeWhateverTheirSign() {
        showLens();
        tree()->sortByColumn(AttributionModel::Value, Qt::DescendingOrder);
        for (int i = 1; i < tree()->model()->rowCount(); ++i)
            QVERIFY(std::abs(valueOf(row(i - 1))) >= std::abs(valueOf(row(i))));
        QModelIndex unfolds;
        for (int i = 0; i < tree()->model()->rowCount(); ++i)
            if (tree()->model()->rowCount(row(i)) > 0)
                unfolds = row(i);
        for (int part = 1; part < 9; ++part)
            QVERIFY(std::abs(valueOf(row(part - 1, unfolds))) >= std::abs(valueOf(row(part, unfolds))));
        tree()->sortByColumn(AttributionModel::Part, Qt::DescendingOrder);
        QCOMPARE(row(10).data().toString(), QString("embedding"));
        tree()->sortByColumn(AttributionModel::Part, Qt::AscendingOrder);
        QCOMPARE(row(1).data().toString(), QString("embedding"));
    }

    void headsOneByOneFindTheStrongest() {
        showLens();
        grouping()->setCurrentIndex(1);
        QCOMPARE(tree()->model()->rowCount(), 3 + 3 * (9 + 9 + 1));
        QCOMPARE(row(11).data().toString(), QString("decoder.0 bias"));
        tree()->sortByColumn(AttributionModel::Value, Qt::DescendingOrder);
        double strongest = 0;
        for (const auto& part : example::attribution(*run_, 5, {}).parts)
            strongest = std::max(strongest, std::abs(part.value));
        QCOMPARE(std::abs(valueOf(row(0))), strongest);
    }

    void aClickOnAHeadSelectsItEverywhereAndAnotherViewsHeadIsMarked() {
        showLens();
        tree()->expand(row(4));
        for (const int head : {2, 7, 0}) {
            click(row(head, row(4)));
            QVERIFY((selection_->head() == trace::HeadAddress{{AttentionKind::Cross, 0}, head}));
        }
        selection_->setHead({{AttentionKind::Cross, 0}, 5});
        QCOMPARE(tree()->currentIndex().row(), 5);
        // A collapsed sublayer is marked by its own row.
        selection_->setHead({{AttentionKind::DecoderSelf, 0}, 5});
        QCOMPARE(tree()->currentIndex(), row(3));
        QVERIFY((selection_->head() == trace::HeadAddress{{AttentionKind::DecoderSelf, 0}, 5}));
        selection_->setHead({{AttentionKind::EncoderSelf, 0}, 5});
        QVERIFY(tree()->selectionModel()->selectedRows().isEmpty());
    }

    void whereTheNormsForbidItTheReasonIsGiven() {
        run_ = example::run();
        auto lens = example::lens(*run_);
        lens->attributions.clear();
        lens->whyNoAttribution = "The norms rescale the stream.";
        view_->setLens(run_, lens);
        QVERIFY(says("The norms rescale the stream."));
        QVERIFY(!tree()->isVisible());
        QVERIFY(!view_->hasFigure());
    }

    void withoutALensItSaysWhatItWouldShow() {
        view_->setWhyEmpty("Press Enter.");
        QVERIFY(says("into the contributions of heads and sublayers. Press Enter."));
        QVERIFY(!view_->hasFigure());
    }

    void aStepThatWasNotReadHasNoParts() {
        showLens();
        selection_->setStep(static_cast<int>(run_->next.size()));
        QVERIFY(!view_->hasFigure());
        QCOMPARE(tree()->model()->rowCount(), 0);
    }

    void inANarrowPaneTheBarsComeUnderTheNumbers() {
        showLens();
        QVERIFY(!tree()->isColumnHidden(AttributionModel::Bar));
        view_->resize(230, 480);
        QVERIFY(tree()->isColumnHidden(AttributionModel::Bar));
    }

    void theFigureHasTheRowsThatAreUnfolded() {
        showLens();
        const int folded = view_->figureSize().height();
        tree()->expandAll();
        QVERIFY(view_->figureSize().height() > folded * 2);
        const auto file = figureBytes({.format = FigureFormat::Svg, .size = view_->figureSize()}, *view_);
        for (const char* part : {">bias of the output<", ">cross.0.2<", ">decoder-ff.2<"})
            QVERIFY2(file.bytes.contains(part), file.bytes);
    }
};

HEADSCOPE_WATCHED_TEST(AttributionViewTest)
#include "attribution_view_test.moc"
