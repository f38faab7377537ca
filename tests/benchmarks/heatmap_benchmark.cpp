#include <QTest>

#include "tests/widgets/example_maps.h"
#include "tests/widgets/shown_heatmap.h"

using namespace headscope;
using namespace headscope::heatmaps;
using namespace headscope::widgets;

/// How long a frame of the heatmap takes: when the pointer moves, and when all is drawn anew. 8 ms are half a
/// frame of a 60 Hz screen.
class HeatmapBenchmark : public QObject {
    Q_OBJECT

    Selection selection_;
    std::shared_ptr<trace::Run> run_;
    std::unique_ptr<HeatmapView> view_;

    void drawAgain() {
        QImage page(view_->size(), QImage::Format_RGB32);
        view_->render(&page);
    }

  private Q_SLOTS:
    void initTestCase() {
        selection_.setHead(example::aligningHead);
        run_ = example::run({.repeats = 6}); // 67 rows, 61 columns: drawn as an image
        view_ = std::make_unique<HeatmapView>(&selection_);
        view_->setRun(run_);
        view_->setEffect(example::normWeighted(*run_, example::aligningHead.site));
        MapOptions options;
        options.numbers = options.received = true;
        view_->setOptions(options);
        show(*view_, {1100, 900});
    }

    void thePointerMoves() {
        int row = 0;
        QBENCHMARK {
            selection_.setHover(TokenFocus::cell(trace::AttentionKind::Cross, row++ % 60, 30));
            drawAgain();
        }
    }

    void anotherHead() {
        int head = 0;
        QBENCHMARK {
            selection_.setHead({example::aligningHead.site, head++ % 8});
            drawAgain();
        }
    }

    /// 56 rows, 51 columns: drawn as rectangles.
    void anotherHeadOfAShorterSentence() {
        view_->setRun(example::run({.repeats = 5}));
        int head = 0;
        QBENCHMARK {
            selection_.setHead({example::aligningHead.site, head++ % 8});
            drawAgain();
        }
    }

    void anotherView() {
        MapOptions options = view_->options();
        QBENCHMARK {
            options.transposed = !options.transposed;
            options.withoutSpecial = options.words = options.transposed;
            view_->setOptions(options);
            drawAgain();
        }
    }
};

QTEST_MAIN(HeatmapBenchmark)
#include "heatmap_benchmark.moc"
