#include <QAbstractEventDispatcher>
#include <QClipboard>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFile>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include "app/desktop/actions.h"
#include "app/desktop/message_panel.h"
#include "app/document/document.h"
#include "app/export/figure_exporter.h"
#include "app/models/engine_loader.h"
#include "app/models/resource_folders.h"
#include "app/window/main_window.h"
#include "model/analysis/maps/recomputed_map.h"
#include "tests/app/window/bench.h"
#include "tests/app/window/busy_queue.h"
#include "tests/compared_numbers.h"
#include "tests/watched_test.h"
#include "widgets/controls/sentence_edit.h"
#include "widgets/figure_source.h"
#include "widgets/map/heatmap_view.h"
#include "widgets/map/linked_maps.h"
#include "widgets/views/arithmetic/arithmetic_view.h"
#include "widgets/views/head_grid/head_grid_view.h"
#include "widgets/views/heatmap/heatmap_page.h"
#include "widgets/views/lines/lines_view.h"
#include "widgets/views/masks/mask_view.h"
#include "widgets/views/overview/overview.h"
#include "widgets/views/positions/positional_encoding_view.h"
#include "widgets/views/positions/score_terms_page.h"
#include "widgets/views/scale/scale_view.h"

using namespace headscope;
using app::MainWindow;
using trace::AttentionKind;
using widgets::LinesView;
using widgets::MaskView;
using widgets::ScaleView;

namespace {

constexpr int tokens = 700;

/// How long the window's thread computed without looking at what a person does, in milliseconds: its own
/// time, which does not grow where a machine has more to do.
class Heartbeat : public QObject {
  public:
    Heartbeat() {
        connect(QAbstractEventDispatcher::instance(), &QAbstractEventDispatcher::aboutToBlock, this, [this] {
            const double before = std::exchange(last_, tests::computed());
            longest_ = std::max(longest_, last_ - before);
        });
    }
    double takeLongest() {
        last_ = tests::computed();
        return std::exchange(longest_, 0);
    }

  private:
    double last_ = tests::computed();
    double longest_ = 0;
};

/// Waits in an event loop of the application's own kind, so that every turn of it is counted.
bool wait(const std::function<bool()>& until, int milliseconds = 60000) {
    QEventLoop loop;
    QElapsedTimer since;
    since.start();
    QTimer timer;
    QObject::connect(&timer, &QTimer::timeout, &loop, [&] {
        if (until() || since.elapsed() > milliseconds)
            loop.quit();
    });
    timer.start(20);
    loop.exec();
    return until();
}

} // namespace

/// A small model with random weights reads and writes more tokens than maps are kept of.
class LongWindowTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    std::unique_ptr<MainWindow> window_;
    Heartbeat heartbeat_;

    std::shared_ptr<const trace::Run> run() const { return window_->controller()->run(); }
    app::Workbench* bench() const { return tests::bench(*window_); }
    template <class View>
    View* show() const {
        auto* view = window_->findChild<View*>();
        for (auto* each : bench()->views())
            if (static_cast<QWidget*>(each) == view || each->isAncestorOf(view))
                bench()->show(bench()->keyOf(each));
        return view;
    }
    QString makeModel() const {
        QFile config(folder_.filePath("config.json"));
        config.open(QIODevice::WriteOnly);
        config.write(
            R"({"family": "annotated-transformer", "encoder_layers": 2, "decoder_layers": 2, "heads": 2,
            "model_width": 32, "feed_forward_width": 64, "source_vocabulary_size": 60,
            "target_vocabulary_size": 60, "activation": "relu", "embedding_scale": "sqrt-width",
            "final_norm": "yes", "mask_fill": "-1e9", "maximum_positions": 5000, "norm": "pre",
            "norm_eps": 1e-6, "norm_kind": "annotated", "position_base": 10000.0,
            "positions": "sinusoid-interleaved", "score_scale": "inverse-sqrt-head-width", "pad_id": 0,
            "start_id": 2, "end_id": 3, "unknown_id": 1})");
        config.close();
        const auto engine = app::loadEngine({.familyFolders = app::familyFolders()});
        engine->open({.path = config.fileName().toStdString(), .randomSeed = 3}, {});
        const QString model = folder_.filePath("model");
        engine->convert(model.toStdString(), files::ElementType::Float32, {});
        return model;
    }

  private Q_SLOTS:
    void initTestCase() {
        QVERIFY(folder_.isValid());
        QStringList ids;
        for (int i = 0; i < tokens; ++i)
            ids += QString::number(4 + i * 31 % 56);
        window_ = std::make_unique<MainWindow>(
            [] { return app::loadEngine({.familyFolders = app::familyFolders()}); },
            app::StartWith{.model = makeModel(), .sentence = "5 6 7"});
        window_->show();
        const auto isDecoded = [&] {
            return run() && run()->complete && !window_->controller()->isDecoding();
        };
        QVERIFY(wait(isDecoded));
        wait([] { return false; }, 500);
        heartbeat_.takeLongest(); // from here on
        auto* line = window_->findChild<widgets::SentenceEdit*>()->lineEdit();
        line->setText(ids.join(' '));
        QMetaObject::invokeMethod(line, &QLineEdit::returnPressed, Qt::QueuedConnection);
        QVERIFY(wait([&] { return isDecoded() && run()->source.size() == std::size_t(tokens); }));
        const double longest = heartbeat_.takeLongest();
        qInfo("pasted and decoded: at most %.0f ms in a turn", longest);
        QVERIFY(longest < tests::longestTurn);
        QCOMPARE(run()->source.size(), std::size_t(tokens));
        QVERIFY(run()->encoder.front().isRecomputed());
    }

    void cleanupTestCase() { window_.reset(); }

    void cleanup() {
        const double longest = heartbeat_.takeLongest();
        qInfo("at most %.0f ms of the window's thread in a turn", longest);
        QVERIFY2(longest < tests::longestTurn, "the window does not answer");
    }

    /// What watches is watched: a second of work is felt.
    void aStallIsFelt() {
        bool stalled = false;
        QTimer::singleShot(50, this, [&stalled] {
            const std::clock_t end = std::clock() + CLOCKS_PER_SEC;
            while (std::clock() < end)
                ;
            stalled = true;
        });
        QVERIFY(wait([&] { return stalled; }));
        wait([] { return false; }, 50); // until its turn has ended
        QVERIFY(heartbeat_.takeLongest() > tests::longestTurn);
        QVERIFY(tests::WatchedApplication::takeLongest() > tests::longestTurn);
    }

    /// Each alone would do.
    void stallsOfOneTurnAreFeltTogether() {
        struct Busy : QObject {
            bool event(QEvent*) override {
                const double end = tests::computed() + 0.6 * tests::longestTurn;
                while (tests::computed() < end)
                    ;
                return true;
            }
        } busy;
        const auto post = [&] {
            for (int i = 0; i < 2; ++i)
                QMetaObject::invokeMethod(
                    &busy, [] {}, Qt::QueuedConnection);
        };
        post();
        wait([] { return false; }, 500);
        heartbeat_.takeLongest();
        QVERIFY(tests::WatchedApplication::takeLongest() > tests::longestTurn);
        post();
        QTest::qWait(300); // which has no loop of its own
        heartbeat_.takeLongest();
        QVERIFY(tests::WatchedApplication::takeLongest() > tests::longestTurn);
        for (int i = 0; i < 2; ++i) { // what a test sends is no turn
            QEvent sent(QEvent::User);
            QCoreApplication::sendEvent(&busy, &sent);
        }
        QVERIFY(tests::WatchedApplication::takeLongest() < tests::longestTurn);
    }

    void everyViewShowsSomethingOrSaysWhy() {
        window_->selection()->setHead({{AttentionKind::EncoderSelf, 1}, 1});
        int drawn = 0;
        for (auto* figure : bench()->views()) {
            const auto key = bench()->keyOf(figure);
            bench()->show(key);
            wait([] { return false; }, 300);
            const double longest = heartbeat_.takeLongest();
            qInfo("%s: at most %.0f ms in a turn, %s", key.c_str(), longest,
                  figure->hasFigure() ? "drawn" : "says why there is nothing");
            QVERIFY2(longest < tests::longestTurn, key.c_str());
            drawn += figure->hasFigure();
        }
        QVERIFY(drawn > 5);
    }

    void viewsWithoutNumbersSayWhyInsteadOfSavingThem() {
        auto* exporter = window_->findChild<app::FigureExporter*>();
        auto* message = window_->findChild<app::MessagePanel*>();
        message->hide();
        window_->selection()->setHead({{AttentionKind::EncoderSelf, 1}, 1});
        window_->findChild<app::Document*>()->choose("heads", "one-kind", true);
        exporter->copyTable(window_->findChild<widgets::HeadGridView*>());
        QVERIFY(message->isVisible());
        QVERIFY2(message->words().contains("no numbers") && message->words().contains("512"),
                 qPrintable(message->words()));
        message->hide();
    }

    void linesAreCountedAndDrawn() {
        auto* lines = show<LinesView>();
        QVERIFY(wait([&] { return !lines->figureText().caption.contains("Counting the lines"); }));
        QVERIFY2(lines->hasFigure(), qPrintable(lines->figureText().caption));
        QCOMPARE(lines->rowCount(), tokens);
        QCOMPARE(lines->lines().leftOut + lines->lines().lines.size(), std::size_t(tokens) * tokens);
        window_->selection()->setHover(widgets::TokenFocus::cell(AttentionKind::EncoderSelf, 650, {}));
        QVERIFY(lines->cursorCell() || lines->lines().lines.empty());
        lines->setShown(LinesView::Shown::AllHeads);
        QVERIFY(wait([&] {
            return lines->lines().leftOut + lines->lines().lines.size() == 2 * std::size_t(tokens) * tokens;
        }));
    }

    void masksAreSmallerPicturesWithTheWordsOfTheirCells() {
        auto* masks = show<MaskView>();
        QVERIFY(wait([&] { return masks->hasFigure(); }));
        QVERIFY2(masks->caption().contains("padding mask alone"), qPrintable(masks->caption()));
        QVERIFY2(masks->caption().contains("2 x 2 cells"), qPrintable(masks->caption()));
        masks->setPage(MaskView::Page::Effect);
        QVERIFY(wait([&] { return masks->hasFigure(); }));
        window_->selection()->setHover(widgets::TokenFocus::cell(AttentionKind::EncoderSelf, 650, 641));
        QVERIFY2(masks->detail().contains("Score"), qPrintable(masks->detail()));
        QVERIFY2(masks->detail().contains("of 700"), qPrintable(masks->detail()));
        masks->setPage(MaskView::Page::Why);
    }

    void theScaleIsCounted() {
        auto* scale = show<ScaleView>();
        scale->setPage(ScaleView::Page::Scores);
        QVERIFY(wait([&] { return scale->hasFigure(); }));
        QVERIFY2(scale->caption().contains("490000 allowed cells"), qPrintable(scale->caption()));
        scale->setPage(ScaleView::Page::Variance);
        QVERIFY(wait([&] { return scale->hasFigure(); }));
        scale->setPage(ScaleView::Page::Scores);
        QVERIFY(scale->hasFigure()); // and is kept
        scale->setPage(ScaleView::Page::Temperature);
        QVERIFY(wait([&] { return scale->hasFigure(); }));
        QVERIFY2(scale->caption().contains("softmax(score / 1)"), qPrintable(scale->caption()));
        scale->setScope(widgets::ScoreScope::Model);
        for (const double temperature : {0.5, 0.3, 0.2, 0.1}) { // as it is dragged
            scale->setTemperature(temperature);
            wait([] { return false; }, 30);
        }
        QVERIFY(wait([&] { return scale->caption().contains("softmax(score / 0.1)"); }));
        scale->setTemperature(1);
    }

    /// What is computed in float32 may be off by twice as much as the scores of the row, and by the softmax.
    tests::Limit ofWeight(const analysis::CellArithmetic& cell) const {
        const auto& record = *run()->record({AttentionKind::EncoderSelf, 1});
        double largest = 0, sizes = 0;
        for (std::size_t key = 0; key < record.k.rows(); ++key) {
            double sum = 0, size = 0;
            for (std::size_t d = 0; d < record.k.columns(); ++d) {
                const double product = double(record.q(1, cell.query, d)) * double(record.k(1, key, d));
                sum += product;
                size += std::abs(product);
            }
            largest = std::max(largest, cell.scale.factor * std::abs(sum));
            sizes = std::max(sizes, cell.scale.factor * size);
        }
        return 2 * cell.weight * tests::ofSum(record.k.columns() + 1, sizes) +
               tests::ofSoftmax(record.k.rows(), largest, cell.weight);
    }

    void arithmeticFollowsTheCellThatIsLit() {
        const trace::HeadAddress head{{AttentionKind::EncoderSelf, 1}, 1};
        window_->selection()->setHead(head);
        window_->actions()["arithmetic"]->trigger();
        const auto* view = window_->findChild<widgets::ArithmeticView*>();
        QVERIFY(wait([&] { return view->hasFigure(); }));
        for (int query = 5; query < tokens; query += 97) {
            window_->selection()->setHover(
                widgets::TokenFocus::cell(head.site.kind, query, 3 * query % tokens));
            wait([] { return false; }, 60);
            const auto& cell = *view->cell();
            QCOMPARE(cell.query, std::size_t(query));
            const auto weight = analysis::weightAt(*run()->record(head.site), 1, cell.query, cell.key);
            VERIFY_AGREES(tests::compare("weight", *weight, cell.weight, ofWeight(cell)));
        }
        window_->selection()->setHover({});
        window_->actions()["arithmetic"]->trigger();
    }

    void everyPageOfThePositionsIsThere() {
        auto* positions = show<widgets::PositionalEncodingView>();
        using Page = widgets::PositionalEncodingView::Page;
        for (const auto page : {Page::Curves, Page::Table, Page::Similarity, Page::Wavelengths, Page::Shift,
                                Page::Words, Page::Scores}) {
            positions->setPage(page);
            QVERIFY2(wait([&] { return positions->hasFigure(); }, 20000), qPrintable(positions->caption()));
            wait([] { return false; }, 200);
            const double longest = heartbeat_.takeLongest();
            qInfo("page %d: at most %.0f ms in a turn", int(page), longest);
            QVERIFY(longest < tests::longestTurn);
        }
        const auto* maps = positions->findChild<widgets::ScoreTermMaps*>();
        QVERIFY(wait([&] { return maps->rowCount() == tokens; }));
        positions->scoreTerms()->setCentred(true);
        QVERIFY(!maps->rowCount());
        positions->scoreTerms()->setCentred(false);
        QCOMPARE(maps->rowCount(), tokens);
        positions->scoreTerms()->setCentred(true);
        QVERIFY(wait([&] { return maps->rowCount() == tokens; }));
        positions->scoreTerms()->setCentred(false);
        positions->setPage(Page::Curves);
    }

    void wordsOfALongMapStandForTheirPieces() {
        auto* map = show<widgets::HeatmapPage>()->single();
        window_->actions()[app::ActionId::MapWords]->trigger();
        QVERIFY(map->options().words);
        QVERIFY(wait([&] { return map->rowCount() == tokens; }));
        window_->actions()[app::ActionId::MapNumbers]->trigger();
        map->setZoom({100, 100, 5, 5}); // numbers of the cells that are seen alone
        wait([] { return false; }, 200);
        window_->actions()[app::ActionId::MapNumbers]->trigger();
        window_->actions()[app::ActionId::MapWords]->trigger();
    }

    /// What nobody looks at any more is not counted on.
    void whoeverGoesAwayStopsTheCounting() {
        auto* masks = show<MaskView>();
        masks->setPage(MaskView::Page::Effect);
        window_->selection()->setHead({{AttentionKind::EncoderSelf, 0}, 0});
        QVERIFY(!masks->questions().empty());
        show<LinesView>();
        QVERIFY(!masks->hasFigure());
        show<MaskView>();
        QVERIFY(wait([&] { return masks->hasFigure(); }));
    }

    void stopStopsTheCounting() {
        auto* masks = show<MaskView>();
        masks->setPage(MaskView::Page::Effect);
        window_->selection()->setHead({{AttentionKind::EncoderSelf, 1}, 0});
        auto* stop = window_->actions()[app::ActionId::Stop];
        QVERIFY(stop->isEnabled());
        stop->trigger();
        QVERIFY(!stop->isEnabled());
        const auto said = [&] { // where the picture was to stand
            QString words;
            for (const auto* maps : masks->findChildren<widgets::LinkedMaps*>())
                if (maps->isVisible() && maps->isEmpty())
                    words += maps->wayThere();
            return words;
        };
        QVERIFY2(wait([&] { return said().contains("This computation was stopped"); }, 3000),
                 qPrintable(said()));
        QVERIFY2(said().contains("select another head"), qPrintable(said()));
        QVERIFY(tests::becomesIdle(*window_->findChild<app::WorkQueue*>()));
        QVERIFY(!masks->hasFigure()); // and nothing comes after it
        QVERIFY(said().contains("This computation was stopped"));
        window_->selection()->setHead({{AttentionKind::EncoderSelf, 1}, 1});
        QVERIFY(wait([&] { return masks->hasFigure(); }));
    }

    /// The last one: what is decoded stays.
    void fourThousandTokensAndAMillionCharacters() {
        constexpr int many = 4096;
        QStringList ids;
        for (int i = 0; i < many; ++i)
            ids += QString::number(4 + i * 31 % 56);
        auto* line = window_->findChild<widgets::SentenceEdit*>()->lineEdit();
        QApplication::clipboard()->setText(ids.join(' '));
        QMetaObject::invokeMethod(line, &QLineEdit::clear, Qt::QueuedConnection);
        QMetaObject::invokeMethod(line, &QLineEdit::paste, Qt::QueuedConnection);
        QMetaObject::invokeMethod(line, &QLineEdit::returnPressed, Qt::QueuedConnection);
        QVERIFY(wait([&] {
            return run() && run()->complete && !window_->controller()->isDecoding() &&
                   run()->source.size() == std::size_t(many);
        }));
        for (auto* view : bench()->views()) {
            bench()->show(bench()->keyOf(view));
            wait([] { return false; }, 200);
        }
        QApplication::clipboard()->setText(QString(1'000'000, 'a'));
        QMetaObject::invokeMethod(line, &QLineEdit::clear, Qt::QueuedConnection);
        QMetaObject::invokeMethod(line, &QLineEdit::paste, Qt::QueuedConnection);
        QVERIFY(wait([&] { return line->text().size() == widgets::SentenceEdit::longestSentence; }));
        wait([] { return false; }, 200);
    }
};

HEADSCOPE_WATCHED_TEST(LongWindowTest)
#include "long_window_test.moc"
