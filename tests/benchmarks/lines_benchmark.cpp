#include <QImage>
#include <QPainter>
#include <QTest>

#include "tests/widgets/example_run.h"
#include "widgets/drawing/theme.h"
#include "widgets/views/lines/lines_view.h"

using namespace headscope;
using namespace headscope::widgets;

/// How long a frame of the lines takes, of all heads and 60 x 60 tokens, beside QPainter's own lines. 8 ms
/// are half a frame of a 60 Hz screen.
class LinesBenchmark : public QObject {
    Q_OBJECT

    Selection selection_;
    std::shared_ptr<trace::Run> run_;
    std::unique_ptr<LinesView> view_;

    QImage drawnAgain() {
        QImage page(view_->size(), QImage::Format_RGB32);
        view_->render(&page);
        return page;
    }

  private Q_SLOTS:
    void initTestCase() {
        selection_.setHead(example::aligningHead);
        run_ = example::run({.repeats = 6}); // 67 x 61 tokens
        view_ = std::make_unique<LinesView>(&selection_);
        view_->setPalette(paletteOf(lightTheme()));
        view_->resize(900, 900);
        view_->setRun(run_);
        view_->setShown(LinesView::Shown::AllHeads);
        view_->show();
        QVERIFY(QTest::qWaitForWindowExposed(view_.get()));
    }

    /// All that is kept is drawn anew.
    void allHeads() {
        selection_.setHead({{trace::AttentionKind::Cross, 2}, 0});
        QImage before, last = drawnAgain();
        int step = 0;
        QBENCHMARK {
            selection_.setHead({{trace::AttentionKind::Cross, step++ % 3}, 0});
            before = std::exchange(last, drawnAgain());
        }
        QVERIFY(last != before);
    }

    void thePointerMoves() {
        QImage before, last = drawnAgain();
        int row = 0;
        QBENCHMARK {
            selection_.setHover(TokenFocus::cell(trace::AttentionKind::Cross, row++ % 60, 30));
            before = std::exchange(last, drawnAgain());
        }
        QVERIFY(last != before);
        selection_.setHover({});
    }

    /// As many lines as a frame has, and nothing else.
    void theLinesAloneByQPainter() {
        QImage page(900, 900, QImage::Format_ARGB32_Premultiplied);
        page.fill(Qt::transparent);
        QBENCHMARK {
            QPainter painter(&page);
            painter.setRenderHint(QPainter::Antialiasing);
            for (int i = 0; i < static_cast<int>(LinesView::mostLines); ++i) {
                painter.setPen(QPen(QColor(0, 90, 160, 60), 0.75 + (i % 16) * 0.2));
                painter.drawLine(QPointF(200, 15.0 * (i % 60)), QPointF(700, 15.0 * (i * 7 / 60 % 60)));
            }
        }
        QVERIFY(page.pixelColor(450, 450).alpha() > 0);
    }
};

QTEST_MAIN(LinesBenchmark)
#include "lines_benchmark.moc"
