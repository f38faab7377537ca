#include <QTest>

#include "tests/app/results/served_document.h"
#include "tests/watched_test.h"
#include "tests/widgets/example_positions.h"

using namespace headscope;
using widgets::PositionalEncodingView;
using widgets::PositionSide;

class ServedPositionsTest : public QObject {
    Q_OBJECT

    using Page = PositionalEncodingView::Page;

    test::FakeEngine::Script script_;
    std::unique_ptr<tests::ServedDocument> served_;
    std::unique_ptr<PositionalEncodingView> view_;

    /// Words (3, 0) and positions (-1, 1) everywhere, in the stream only where it was asked for.
    static void addPositions(trace::Run& run) {
        run.sourcePositions = trace::Matrix(run.source.size(), 2);
        for (std::size_t token = 0; token < run.source.size(); ++token)
            std::ranges::copy(std::array{-1.0f, 1.0f}, &run.sourcePositions(token, 0));
        if (run.request.recording.residual) {
            run.encoderResidual = trace::HeadStack(1, run.source.size(), 2);
            for (std::size_t token = 0; token < run.source.size(); ++token) {
                run.encoderResidual.at(0, token, 0) = 2;
                run.encoderResidual.at(0, token, 1) = 1;
            }
        }
    }

    std::size_t requests() {
        const std::lock_guard lock(script_.mutex);
        return script_.requests.size();
    }
    trace::Request lastRequest() {
        const std::lock_guard lock(script_.mutex);
        return script_.requests.back();
    }

  private Q_SLOTS:
    void init() {
        script_.requests.clear();
        script_.tamper = addPositions;
        script_.holdRuns = false;
        served_ = std::make_unique<tests::ServedDocument>(script_);
        view_ = std::make_unique<PositionalEncodingView>(served_->selection());
        view_->showPicture({}); // asks of one page at a time
        served_->serve(view_.get());
        QVERIFY(served_->open("a-model") && served_->decode("one"));
        view_->show();
        QVERIFY(QTest::qWaitForWindowExposed(view_.get()));
    }

    void cleanup() {
        view_.reset();
        served_.reset();
    }

    void theOutputIsReadAndNotDecodedAgain() {
        view_->setPage(Page::Words);
        QTRY_VERIFY(view_->hasFigure());
        const auto& paths = lastRequest().paths;
        QCOMPARE(paths.size(), std::size_t(1));
        const auto* forced = std::get_if<trace::TargetIds>(&paths.front().forced);
        QVERIFY(forced && forced->ids.size() == served_->controller()->run()->target.size() + 1);
    }

    void scoresAreTakenApartByTheEngine() {
        view_->setPage(Page::Scores);
        QTRY_VERIFY(view_->hasFigure());
        const auto& paths = lastRequest().paths; // the output is read, not decoded again
        QVERIFY(std::holds_alternative<trace::TargetIds>(paths.front().forced));
        view_->setSide(PositionSide::Target);
        QTRY_VERIFY(!view_->hasFigure() || answerOf(*served_->results(), view_->question().value()));
    }

    void tablesAreMeasuredWithoutTheModel() {
        const auto run = example::run();
        view_->setRun(run);
        for (const Page page : {Page::Wavelengths, Page::Shift}) {
            view_->setPage(page);
            QTRY_VERIFY(view_->hasFigure());
        }
        view_->setOffset(9);
        QTRY_VERIFY(view_->caption().contains("the one 9 later"));
        QCOMPARE(requests(), std::size_t(1));
    }

    void whatIsRefusedIsSaidInThePage() {
        script_.tamper = [](trace::Run&) {
            throw trace::Refusal({.what = "The stream cannot be kept", .wayOut = "shorten the sentence"});
        };
        view_->setPage(Page::Words);
        QTRY_VERIFY(view_->caption().startsWith("The stream cannot be kept"));
        QVERIFY(!view_->hasFigure());
    }
};

HEADSCOPE_WATCHED_TEST(ServedPositionsTest)
#include "served_positions_test.moc"
