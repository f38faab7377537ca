#include <QElapsedTimer>
#include <QTest>

#include "tests/widgets/example_maps.h"
#include "tests/widgets/shown_heatmap.h"
#include "widgets/views/overview/overview_view.h"

#include <functional>

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

    QImage drawnAgain() {
        QImage page(view_->size(), QImage::Format_RGB32);
        view_->render(&page);
        return page;
    }

    void drawHeads() {
        selection_.setHead({example::aligningHead.site, 7});
        QImage before, last = drawnAgain();
        int head = 0;
        QBENCHMARK {
            selection_.setHead({example::aligningHead.site, head++ % 8});
            before = std::exchange(last, drawnAgain());
        }
        QVERIFY(last != before);
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
        selection_.setHover({});
        QImage before, last = drawnAgain();
        int row = 0;
        QBENCHMARK {
            selection_.setHover(TokenFocus::cell(trace::AttentionKind::Cross, row++ % 60, 30));
            before = std::exchange(last, drawnAgain());
        }
        QVERIFY(last != before);
    }

    void anotherHead() { drawHeads(); }

    /// 56 rows, 51 columns: drawn as rectangles.
    void anotherHeadOfAShorterSentence() {
        view_->setRun(example::run({.repeats = 5}));
        drawHeads();
    }

    /// 12 layers of 16 heads of each kind, all pictures made, drawn whole; as a share of what one head's map
    /// takes when all of it is drawn anew.
    void theWholeModel() {
        OverviewView overview(&selection_);
        overview.setRun(example::run({.heads = 16, .layers = 12}));
        overview.resize(1150, 700);
        overview.show();
        QTRY_VERIFY(overview.isComplete());
        const auto timeOf = [](QWidget& view, const std::function<void()>& change) {
            QImage page(view.size(), QImage::Format_RGB32);
            QElapsedTimer timer;
            timer.start();
            constexpr int times = 50;
            for (int i = 0; i < times; ++i) {
                change();
                view.render(&page);
            }
            return double(timer.nsecsElapsed()) / 1e6 / times;
        };
        const double all = timeOf(overview, [] {});
        int head = 0;
        const double one = timeOf(*view_, [&] {
            selection_.setHead({example::aligningHead.site, head++ % 8});
        });
        qInfo("576 small maps: %.2f ms, %.2f of a heatmap drawn anew", all, all / one);
        QImage page(overview.size(), QImage::Format_RGB32);
        const QImage blank = page;
        QBENCHMARK {
            overview.render(&page);
        }
        QVERIFY(page != blank);
    }

    void anotherView() {
        MapOptions options = view_->options();
        QImage before, last = drawnAgain();
        QBENCHMARK {
            options.transposed = !options.transposed;
            options.withoutSpecial = options.words = options.transposed;
            view_->setOptions(options);
            before = std::exchange(last, drawnAgain());
        }
        QVERIFY(last != before);
    }
};

QTEST_MAIN(HeatmapBenchmark)
#include "heatmap_benchmark.moc"
