#include <QPainter>
#include <QTest>

#include "tests/watched_test.h"
#include "tests/widgets/example_importance.h"
#include "widgets/drawing/signed_bar.h"
#include "widgets/drawing/theme.h"
#include "widgets/views/head_grid/head_grid_view.h"

using namespace headscope;
using namespace headscope::widgets;
using trace::AttentionKind;

/// The grid of heads with what each is worth.
class HeadGridImportanceTest : public QObject {
    Q_OBJECT

    std::unique_ptr<Selection> selection_;
    std::unique_ptr<HeadGridView> view_;

    static trace::HeadAddress cross(int layer, int head) { return {{AttentionKind::Cross, layer}, head}; }

    static std::vector<analysis::HeadScore> scores() {
        auto ranked = analysis::headScores(*example::importance(*example::run()), 5);
        analysis::rankByImportance(ranked);
        return ranked;
    }
    static std::vector<trace::HeadAddress> crossHeadsInOrder() {
        std::vector<trace::HeadAddress> heads;
        for (const auto& score : scores())
            if (score.head.site.kind == AttentionKind::Cross)
                heads.push_back(score.head);
        return heads;
    }

    QImage picture() const { return view_->viewport()->grab().toImage(); }
    /// The colours of the bar under a head, left and right of its middle.
    std::pair<QColor, QColor> bar(const trace::HeadAddress& head) const {
        const QRect cell = view_->thumbnailRect(head);
        const QPoint middle(cell.center().x(), cell.bottom() + 5);
        const QImage shown = picture();
        return {shown.pixelColor(middle - QPoint(3, 0)), shown.pixelColor(middle + QPoint(3, 0))};
    }

  private Q_SLOTS:
    void init() {
        selection_ = std::make_unique<Selection>();
        selection_->setHead(cross(0, 0));
        view_ = std::make_unique<HeadGridView>(selection_.get());
        view_->setPalette(paletteOf(lightTheme()));
        view_->setRun(example::run());
        view_->resize(900, 500);
        view_->show();
        QVERIFY(QTest::qWaitForWindowExposed(view_.get()));
        QTRY_VERIFY(view_->isComplete());
    }

    void cleanup() {
        view_.reset();
        selection_.reset();
    }

    void withoutImportanceTintAndOrderChangeNothing() {
        const QImage before = picture();
        view_->setTinted(true);
        view_->setSorted(true);
        QCOMPARE(picture(), before);
        view_->setImportance(scores(), "A sentence.");
        QVERIFY(picture() != before);
        view_->setImportance({}, {});
        QTRY_VERIFY(view_->isComplete());
        QCOMPARE(picture(), before);
    }

    void aBarUnderThePicturePointsToTheSideOfItsSign() {
        view_->setImportance(scores(), "A sentence.");
        view_->setTinted(true);
        const auto order = crossHeadsInOrder();
        const QColor background = lightTheme().background;
        QCOMPARE(bar(order.front()), (std::pair(background, aboveZeroColour(lightTheme()))));
        QCOMPARE(bar(order.back()), (std::pair(belowZeroColour(lightTheme()), background)));
    }

    void theMapsThemselvesKeepTheirColours() {
        view_->setImportance(scores(), "A sentence.");
        view_->setTinted(true);
        QTRY_VERIFY(view_->isComplete());
        const auto head = crossHeadsInOrder().front();
        const QRect place = view_->thumbnailRect(head);
        const QImage tinted =
            picture().copy(place.adjusted(4, 4, -4, -4)).convertToFormat(QImage::Format_RGB32);
        const ThumbnailLook look{.side = place.size(), .theme = &lightTheme()};
        const QImage plain = headThumbnail(*example::run(), head, look).toImage();
        QCOMPARE(tinted, plain.copy(QRect({4, 4}, tinted.size())).convertToFormat(QImage::Format_RGB32));
    }

    void sortedHeadsStandInOrderOfImportanceAndGoBack() {
        const QRect before = view_->thumbnailRect(cross(1, 3));
        view_->setImportance(scores(), "A sentence.");
        view_->setSorted(true);
        const auto order = crossHeadsInOrder();
        for (std::size_t i = 1; i < order.size(); ++i) {
            const QRect one = view_->thumbnailRect(order[i - 1]);
            const QRect next = view_->thumbnailRect(order[i]);
            QVERIFY(next.top() > one.top() || (next.top() == one.top() && next.left() > one.left()));
        }
        view_->setSorted(false);
        QCOMPARE(view_->thumbnailRect(cross(1, 3)), before);
    }

    void keysAndClicksFollowTheOrder() {
        view_->setImportance(scores(), "A sentence.");
        view_->setSorted(true);
        const auto order = crossHeadsInOrder();
        selection_->setHead(order[0]);
        QTest::keyClick(view_.get(), Qt::Key_Right);
        QVERIFY(selection_->head() == order[1]);
        QTest::keyClick(view_.get(), Qt::Key_Up);
        QVERIFY(selection_->head() == order[1]);
        QTest::keyClick(view_.get(), Qt::Key_Home);
        QVERIFY(selection_->head() == order[0]);
        const QRect place = view_->thumbnailRect(order[5]);
        QTest::mouseClick(view_->viewport(), Qt::LeftButton, {}, place.center());
        QVERIFY(selection_->head() == order[5]);
        // Its address is below it.
        QVERIFY(view_->headAt({place.center().x(), place.bottom() + 4}) == order[5]);
    }

    void readersHearWhatTheHeadIsWorth() {
        view_->setImportance(scores(), "A sentence.");
        const auto best = scores().front();
        selection_->setHead(best.head);
        QVERIFY2(view_->accessibleDescription().contains("rank 1: "),
                 qPrintable(view_->accessibleDescription()));
        QVERIFY(view_->accessibleDescription().contains("helps"));
    }

    void theFigureHasBarsLegendAndWords() {
        view_->setImportance(scores(), "Change of the log-probability.");
        const QString before = view_->figureText().caption;
        QVERIFY(!before.contains("Change of"));
        view_->setTinted(true);
        view_->setSorted(true);
        const QString words = view_->figureText().caption;
        QVERIFY(words.contains("Change of the log-probability.") && words.contains("Sorted by importance"));
        const QSize size = view_->figureSize();
        QImage image(size, QImage::Format_RGB32);
        QPainter painter(&image);
        view_->drawFigure(painter, size, lightTheme());
        painter.end();
        bool above = false;
        bool below = false;
        for (int y = 0; y < size.height(); ++y)
            for (int x = 0; x < size.width(); ++x) {
                above = above || image.pixelColor(x, y) == aboveZeroColour(lightTheme());
                below = below || image.pixelColor(x, y) == belowZeroColour(lightTheme());
            }
        QVERIFY(above && below);
    }
};

HEADSCOPE_WATCHED_TEST(HeadGridImportanceTest)
#include "head_grid_importance_test.moc"
