#include <QApplication>
#include <QImage>
#include <QPainter>
#include <QTest>

#include "tests/gallery/drawn_words.h"
#include "tests/gallery/exhibits.h"
#include "tests/watched_test.h"
#include "widgets/animated_figure.h"
#include "widgets/drawing/theme.h"
#include "widgets/export/figure_export.h"
#include "widgets/map/heatmap_view.h"

#include <algorithm>
#include <cmath>
#include <span>

using namespace headscope;
using namespace headscope::widgets;

/// Draws every view that has an animation as it is after some of the steps.
class FilmsTest : public QObject {
    Q_OBJECT

    static QImage drawn(const FigureSource& source) {
        const FigureOptions options{.size = source.figureSize(), .dpi = 96};
        return drawnImage(options, takenFigure(options, source));
    }

    /// How many pixels are not as in the whole: what is left out leaves them brighter. -1 where one is
    /// darker, as it is where something has moved.
    static int leftOut(const QImage& frame, const QImage& whole) {
        int count = 0;
        for (int y = 0; y < whole.height(); ++y) {
            const auto here = rowOf(frame, y), there = rowOf(whole, y);
            if (std::ranges::equal(here, there))
                continue;
            for (std::size_t x = 0; x < there.size(); ++x) {
                if (here[x] == there[x])
                    continue;
                ++count;
                if (QColor(here[x]).lightness() < QColor(there[x]).lightness())
                    return -1;
            }
        }
        return count;
    }

    /// Of what drawnImage() returns.
    static std::span<const QRgb> rowOf(const QImage& image, int y) {
        return {reinterpret_cast<const QRgb*>(image.constScanLine(y)),
                static_cast<std::size_t>(image.width())};
    }

    /// What is of one step is another picture at the next, with all that it has; and the encoder has read all
    /// of the sentence.
    static inline const QStringList alike{
        "heatmap-encoder",   "lines-all",       "masks-effect-encoder", "masks-batch",
        "masks-batch-three", "importance",      "importance-twin",      "candidates",
        "classes",           "attribution",     "attribution-unfolded", "attribution-card",
        "lens-card",         "importance-card", "importance-curve",     "pinned-pair",
        "compare-keys"};

    /// All is drawn at each step, and marks walk.
    static inline const QStringList marked{"beam-tree", "beam-tree-other"};

    /// How much of the picture is bars of what keys receive.
    static int barsIn(const QImage& picture) {
        std::ptrdiff_t count = 0;
        for (int y = 0; y < picture.height(); ++y)
            count += std::ranges::count(rowOf(picture, y), lightTheme().accent.rgb());
        return static_cast<int>(count);
    }

    static QString wordsOf(const FigureSource& source) {
        gallery::DrawnWords page(source.figureSize());
        QPainter painter(&page);
        source.drawFigure(painter, source.figureSize(), lightTheme());
        QString text;
        for (const auto& word : page.words())
            text += word.text;
        return text.remove(' ');
    }

  private Q_SLOTS:
    void nothingMovesAndWhatIsNotDecodedIsEmpty_data() {
        QTest::addColumn<int>("exhibit");
        const auto all = gallery::all();
        for (int i = 0; i < all.size(); ++i)
            if (!all[i].name.startsWith("long-") && !all[i].name.endsWith("-refused"))
                QTest::addRow("%s", qPrintable(all[i].name)) << i;
    }

    void nothingMovesAndWhatIsNotDecodedIsEmpty() {
        QFETCH(int, exhibit);
        Selection selection;
        const gallery::Exhibit shown = gallery::all()[exhibit];
        const auto run = gallery::runOf("sentence");
        const std::unique_ptr<QWidget> view(shown.make(&selection, run));
        auto* animation = dynamic_cast<AnimatedFigure*>(view.get());
        if (!animation)
            QSKIP("has no film");
        const auto& source = dynamic_cast<const FigureSource&>(*view);
        view->resize(shown.sizes.front());
        view->show();
        QVERIFY(QTest::qWaitForWindowExposed(view.get()));
        if (!source.hasFigure())
            QSKIP("has no figure");
        animation->setRowsDecoded(run->target.size());
        const QImage whole = drawn(source);
        int before = -1;
        for (std::size_t rows = run->target.size(); rows > 0; rows -= 2) {
            animation->setRowsDecoded(rows);
            const QImage frame = drawn(source);
            QCOMPARE(frame.size(), whole.size());
            const int now = leftOut(frame, whole);
            QVERIFY2((now >= before && now >= 0) || marked.contains(shown.name),
                     qPrintable(QString("%1 rows: %2").arg(rows).arg(now)));
            before = now;
            if (rows < 3)
                break;
        }
        QCOMPARE(before != 0, !alike.contains(shown.name));
        animation->setRowsDecoded(std::nullopt);
    }

    void whatKeysReceiveIsOfTheRowsThatAreDecoded_data() {
        QTest::addColumn<trace::HeadAddress>("head");
        QTest::addColumn<bool>("transposed");
        QTest::newRow("cross") << example::aligningHead << false;
        QTest::newRow("decoder") << gallery::decoder << false;
        QTest::newRow("decoder, turned") << gallery::decoder << true;
        QTest::newRow("encoder") << gallery::encoder << false;
    }

    /// Each row hands out as much as any other.
    void whatKeysReceiveIsOfTheRowsThatAreDecoded() {
        QFETCH(trace::HeadAddress, head);
        QFETCH(bool, transposed);
        Selection selection;
        const auto run = gallery::runOf("sentence");
        selection.setHead(head);
        HeatmapView view(&selection);
        view.setOptions({.transposed = transposed, .received = true});
        view.setRun(run);
        view.resize(900, 640);
        const bool grows = head.site.kind != trace::AttentionKind::EncoderSelf;
        view.setRowsDecoded(0);
        const double marks = grows ? barsIn(drawn(view)) : 0; // of the step, in the same colour
        view.setRowsDecoded(run->target.size());
        const double all = barsIn(drawn(view)) - marks;
        QVERIFY(all > 1000);
        for (std::size_t rows = 1; rows < run->target.size(); ++rows) {
            view.setRowsDecoded(rows);
            const double part = static_cast<double>(rows) / static_cast<double>(run->target.size());
            const double found = (barsIn(drawn(view)) - marks) / all;
            QVERIFY2(std::abs(found - (grows ? part : 1)) < 0.1,
                     qPrintable(QString("%1 rows: %2").arg(rows).arg(found)));
        }
        QCOMPARE(wordsOf(view).contains("columntotalsovertherowsdecodedsofar"), grows);
        view.setRowsDecoded(std::nullopt);
        QVERIFY(wordsOf(view).contains("columntotals;thelongestis"));
    }

    void whatDoesNotFollowTheStepsSaysSo_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("said");
        QTest::newRow("bars and order")
            << "overview-tinted"
            << "Entropy is measured over the whole decoding and is the same at every step. "
               "Monotony is measured over the whole decoding and is the same at every step.";
        QTest::newRow("groups")
            << "overview-grouped"
            << "The groups are based on the whole decoding and are the same at every step.";
        QTest::newRow("none") << "overview"
                              << "";
        QTest::newRow("of a step") << "grid-tinted"
                                   << "";
    }

    void whatDoesNotFollowTheStepsSaysSo() {
        QFETCH(QString, name);
        QFETCH(QString, said);
        const auto all = gallery::all();
        const auto shown = std::ranges::find(all, name, &gallery::Exhibit::name);
        QVERIFY(shown != all.end());
        Selection selection;
        const std::unique_ptr<QWidget> view(shown->make(&selection, gallery::runOf("sentence")));
        const auto& source = dynamic_cast<const FigureSource&>(*view);
        const QString still = source.figureText().caption;
        dynamic_cast<AnimatedFigure&>(*view).setRowsDecoded(3);
        const QString animated = source.figureText().caption;
        QVERIFY2(animated == (said.isEmpty() ? still : still + ' ' + said), qPrintable(animated.right(300)));
    }

    /// Bars and columns have one measure in all frames: that of the step that needs most, and of no other.
    void whatIsOfOneStepIsMeasuredByAllOfThem_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"attribution", "importance", "candidates"})
            QTest::newRow(name) << name;
    }

    void whatIsOfOneStepIsMeasuredByAllOfThem() {
        QFETCH(QString, name);
        const auto all = gallery::all();
        const auto shown = std::ranges::find(all, name, &gallery::Exhibit::name);
        QVERIFY(shown != all.end());
        const auto run = gallery::runOf(name == "candidates" ? "mixed" : "sentence"); // of unlike lengths
        Selection selection;
        const std::unique_ptr<QWidget> view(shown->make(&selection, run));
        view->resize(shown->sizes.front());
        view->show();
        QVERIFY(QTest::qWaitForWindowExposed(view.get()));
        auto& animation = dynamic_cast<AnimatedFigure&>(*view);
        const auto& source = dynamic_cast<const FigureSource&>(*view);
        int same = 0, others = 0;
        for (int step = 0; step < static_cast<int>(run->target.size()); ++step) {
            selection.setStep(step);
            animation.setRowsDecoded(static_cast<std::size_t>(step) + 1);
            const QImage frame = drawn(source);
            animation.setRowsDecoded(std::nullopt);
            const QImage still = drawn(source);
            (frame == still ? same : others) += 1;
        }
        const bool alike = name == "candidates"; // whose columns stand there at every step anyway
        QCOMPARE(others > 0, !alike);
        QVERIFY(same > 0);
    }
};

HEADSCOPE_WATCHED_TEST(FilmsTest)
#include "animations_test.moc"
