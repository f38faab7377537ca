#include <QRegularExpression>
#include <QTest>

#include "tests/watched_test.h"
#include "tests/widgets/example_compare.h"
#include "tests/widgets/example_maps.h"
#include "widgets/export/figure_export.h"
#include "widgets/map/heatmap_view.h"
#include "widgets/views/compare/compare_view.h"
#include "widgets/views/masks/mask_view.h"
#include "widgets/views/source_share/source_share.h"

using namespace headscope;
using namespace headscope::widgets;

/// What of a figure of its own size has a name.
class NamedLabelsTest : public QObject {
    Q_OBJECT

    Selection selection_;
    /// As many tokens as a long sentence has, and more than have room.
    const std::shared_ptr<const trace::Run> many_ = example::run({.repeats = 5});
    const std::shared_ptr<const trace::Run> tooMany_ = example::run({.repeats = 20});
    static constexpr auto leftOut = "One (row|column|step) in \\d+ is labelled";

    static QStringList wordsOf(const FigureSource& source) {
        const auto svg =
            figureBytes({.format = FigureFormat::Svg, .size = source.figureSize(), .dpi = 96}, source).bytes;
        QStringList words;
        static const QRegularExpression text("<text[^>]*>([^<]*)</text>");
        for (auto found = text.globalMatch(QString::fromUtf8(svg)); found.hasNext();)
            words += found.next().captured(1);
        return words;
    }

    /// Whole, as often as they stand there.
    static void checkNamed(const FigureSource& source,
                           std::initializer_list<std::vector<trace::Token>> axes) {
        QVERIFY(source.hasFigure());
        const QStringList words = wordsOf(source);
        QHash<QString, int> needed;
        for (const auto& tokens : axes)
            for (const auto& label : tokenLabels(tokens))
                ++needed[label.text.toHtmlEscaped()];
        for (auto word = needed.begin(); word != needed.end(); ++word)
            QVERIFY2(words.count(word.key()) >= word.value(), qPrintable(word.key()));
        QVERIFY(!words.join(' ').contains(QRegularExpression(leftOut)));
        QVERIFY(source.figureSize().width() <= 3600 && source.figureSize().height() <= 4800);
    }

    static void checkThinned(const FigureSource& source) {
        const QString words = wordsOf(source).join(' ');
        QVERIFY2(words.contains(QRegularExpression(leftOut)), qPrintable(words.right(400)));
    }

  private Q_SLOTS:
    void init() { selection_.setHead(example::aligningHead); }

    void mapsHaveRoomForEveryName() {
        QVERIFY(many_->source.size() > 40 && many_->source.size() <= 64);
        HeatmapView view(&selection_);
        view.setRun(many_);
        checkNamed(view, {many_->next, many_->source});
        const QSize large = view.figureSize();
        view.setRun(example::run());
        QVERIFY(view.figureSize().width() < large.width());
        view.setRun(tooMany_);
        checkThinned(view);
    }

    void masksHaveRoomForEveryName() {
        MaskView view(&selection_);
        view.show(); // maps are made where they are seen
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        for (const auto page : {MaskView::Page::Why, MaskView::Page::Effect}) {
            view.setPage(page);
            view.setRun(example::run()); // of few as well
            checkNamed(view, {example::run()->next, example::run()->source});
            view.setRun(many_);
            checkNamed(view, {many_->next, many_->source});
            view.setRun(tooMany_);
            checkThinned(view);
        }
    }

    void comparedMapsHaveRoomForEveryName() {
        CompareView view(&selection_);
        const auto compare = [&](const std::shared_ptr<const trace::Run>& run) {
            const ComparedPair pair{.first = run, .second = run};
            example::give(view, example::compared(pair, example::aligningHead));
        };
        compare(many_);
        checkNamed(view, {many_->next, many_->source});
        compare(tooMany_);
        checkThinned(view);
    }

    void whatIsSaidOfNamesCountsThoseBesideItself() {
        QStringList asked;
        const auto words = [&](const FigureParts& parts) {
            asked.clear();
            return wordsWithNamed("Words.", parts, [&](const QString& below) {
                asked += below;
                return asked.size() == 1 ? " One in 2." : " One in 3."; // less room than without it
            });
        };
        QCOMPARE(words({}), QString("Words. One in 3."));
        QCOMPARE(asked, (QStringList{"Words.", "Words. One in 2."}));
        QCOMPARE(words({.caption = false}), QString("One in 3."));
        QCOMPARE(asked, (QStringList{"", "One in 2."}));
        QCOMPARE(words({.notes = false}), QString("Words."));
        QCOMPARE(words({.caption = false, .notes = false}), QString());
    }

    void stepsOfTheSourceShareHaveRoomForEveryName() {
        Selection selection;
        SourceShareView view(&selection);
        const auto show = [&](const std::shared_ptr<const trace::Run>& run) {
            view.setShares(run, example::shares(*run, trace::MapQuantity::Contribution,
                                                {trace::AttentionKind::Cross, 2}));
        };
        show(many_);
        checkNamed(view, {many_->next});
        show(tooMany_);
        checkThinned(view);
    }
};

HEADSCOPE_WATCHED_TEST(NamedLabelsTest)
#include "named_labels_test.moc"
