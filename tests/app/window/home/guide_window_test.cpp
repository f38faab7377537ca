#include <QAbstractItemView>
#include <QCheckBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QProxyStyle>
#include <QPushButton>
#include <QSettings>
#include <QTest>
#include <QToolButton>

#include "app/document/session_controller.h"
#include "app/sessions/session.h"
#include "app/window/home/home_page.h"
#include "app/window/home/model_card.h"
#include "app/window/home/tour_bubble.h"
#include "app/window/home/welcome_strip.h"
#include "app/window/top/head_bar.h"
#include "app/window/top/sentence_panel.h"
#include "tests/app/window/bench.h"
#include "tests/app/window/real_engine_window.h"
#include "tests/watched_test.h"
#include "widgets/controls/sentence_edit.h"
#include "widgets/controls/snapshot_bar.h"
#include "widgets/controls/token_strip.h"
#include "widgets/controls/tour_spot.h"
#include "widgets/map/heatmap_view.h"
#include "widgets/views/head_grid/head_grid_view.h"
#include "widgets/views/heatmap/heatmap_page.h"

#include <algorithm>

using namespace headscope;
using app::ActionId;

/// What helps at the first starts: the line above the map, the tour, Learn, and going on with what was shown.
class GuideWindowTest : public tests::RealEngineWindow {
    Q_OBJECT

    app::WelcomeStrip* strip() const { return window_->findChild<app::WelcomeStrip*>(); }
    app::TourBubble* bubble() const { return window_->findChild<app::TourBubble*>(); }
    app::TourFrame* frame() const { return window_->findChild<app::TourFrame*>(); }
    QString said(const QWidget* in) const {
        QStringList words;
        for (const auto* label : in->findChildren<QLabel*>())
            words += label->text();
        return words.join(' ');
    }
    QPushButton* button(const QWidget* in, const QString& text) const {
        for (auto* each : in->findChildren<QPushButton*>())
            if (each->text() == text && each->isVisible())
                return each;
        return nullptr;
    }
    void click(const QWidget* in, const QString& text) const {
        auto* found = button(in, text);
        QVERIFY2(found, qPrintable(text));
        QTest::mouseClick(found, Qt::LeftButton);
    }
    QWidget* spot(const char* name) const {
        for (auto* widget : window_->findChildren<QWidget*>())
            if (widget->property(widgets::tourSpot).toString() == name && widget->isVisible())
                return widget;
        return nullptr;
    }
    void begin(const QString& model = {}) {
        open({.model = model, .lastFile = file("last.headscope")});
        window_->resize(1440, 900);
        QTRY_COMPARE(window_->width(), 1440);
    }
    /// The frame is around it.
    bool pointsAt(const QWidget* widget, const QRect& part) const {
        const QRect place(widget->mapTo(window_.get(), part.topLeft()), part.size());
        return frame()->isVisible() && frame()->geometry().intersects(place) &&
               !bubble()->geometry().intersects(place);
    }
    void nextStep(int number) const {
        QTRY_VERIFY(button(bubble(), "Next"));
        QVERIFY(!frame()->isVisible());
        click(bubble(), "Next");
        QVERIFY2(said(bubble()).contains(QString("step %1 of").arg(number)), qPrintable(said(bubble())));
    }
    double shareOfMap() const {
        const auto* map = window_->findChild<widgets::HeatmapPage*>()->single();
        const QRectF cells =
            map->cellArea({0, 0}) | map->cellArea({map->rowCount() - 1, map->columnCount() - 1});
        return cells.width() * cells.height() / (window_->width() * window_->height());
    }

  private Q_SLOTS:
    void init() { QSettings().clear(); }
    void cleanup() {
        window_.reset();
        QFile::remove(file("last.headscope"));
    }

    void theFirstStartSaysWhatTheModelDoes() {
        begin();
        QVERIFY(strip()->isVisible());
        QVERIFY2(said(strip()).contains("translates English to German"), qPrintable(said(strip())));
        QTRY_VERIFY2(shareOfMap() >= 0.25, qPrintable(QString::number(shareOfMap())));
        for (const auto& [size, least] :
             {std::pair(QSize(1280, 720), 0.18), std::pair(QSize(800, 500), 0.1)}) {
            window_->resize(size);
            settle();
            QTRY_VERIFY2(shareOfMap() >= least,
                         qPrintable(QString("%1 wide: %2").arg(size.width()).arg(shareOfMap())));
        }
        click(strip(), "Other Models");
        QVERIFY(window_->findChild<app::HomePage*>()->isVisible());
        QVERIFY(!strip()->isVisible() && app::Settings().isIntroduced());
        window_.reset();
        begin();
        QVERIFY(!strip()->isVisible());
    }

    void theTourWaitsForWhatIsDone() {
        begin();
        click(strip(), "Take the Tour (2 min)");
        QTRY_VERIFY(bubble() && bubble()->isVisible());
        auto* panel = window_->findChild<app::SentencePanel*>();
        auto* source = panel->findChildren<widgets::TokenStrip*>().front();
        QCOMPARE(source, panel->source());
        const int token = static_cast<int>(window_->controller()->run()->source.size() / 2);
        QTRY_VERIFY(pointsAt(source, source->chipRect(token)));
        QVERIFY(said(bubble()).contains("step 1 of 6"));
        QVERIFY(!button(bubble(), "Next") && !button(bubble(), "Back")->isEnabled());
        QTest::mouseClick(source, Qt::LeftButton, {}, source->chipRect(token).center());
        nextStep(2);
        auto* grid = window_->findChild<widgets::HeadGridView*>();
        QVERIFY(pointsAt(grid, grid->rect()));
        QTest::mouseClick(grid->viewport(), Qt::LeftButton, {},
                          grid->thumbnailRect({{trace::AttentionKind::Cross, 0}, 0}).center());
        nextStep(3);
        click(bubble(), "Back");
        QVERIFY(said(bubble()).contains("step 2 of 6"));
        click(bubble(), "Skip");
        window_->setFocus();
        QTest::keyClick(window_.get(), Qt::Key_Right);
        nextStep(4);
        auto* table = static_cast<QAbstractItemView*>(spot(widgets::spotOfCandidates));
        QVERIFY(pointsAt(table, table->rect()));
        const QPoint second = table->visualRect(table->model()->index(1, 0)).center();
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, second);
        QTest::mouseDClick(table->viewport(), Qt::LeftButton, {}, second);
        nextStep(5);
        auto* off = static_cast<QPushButton*>(spot(widgets::spotOfHeadSwitch));
        QVERIFY(pointsAt(off, off->rect()));
        QTest::mouseClick(off, Qt::LeftButton);
        nextStep(6);
        const auto* heads = window_->findChild<app::HeadBar*>();
        auto* save = heads->findChild<QToolButton*>("save");
        QVERIFY(pointsAt(save, save->rect()));
        QTest::mouseClick(save, Qt::LeftButton);
        QTRY_VERIFY(button(bubble(), "Done"));
        for (auto* dialog : window_->findChildren<QDialog*>())
            dialog->reject();
        click(bubble(), "Done");
        QVERIFY(!bubble()->isVisible() && !frame()->isVisible());
        settle();
    }

    void escEndsTheTourAndLeavesThePinnedCell() {
        begin();
        trigger(ActionId::Tour);
        QVERIFY(bubble()->isVisible());
        window_->selection()->togglePinned({.sourceKey = 1});
        QTest::keyClick(window_.get(), Qt::Key_Escape);
        QVERIFY(!bubble()->isVisible());
        QVERIFY(!window_->selection()->pinned().isEmpty());
        QTest::keyClick(window_.get(), Qt::Key_Escape);
        QVERIFY(window_->selection()->pinned().isEmpty());
    }

    void otherModelsHaveTheStepsThatTheyCanTake_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("does");
        QTest::addColumn<int>("steps");
        QTest::newRow("decoder alone") << "induction"
                                       << "continues a text" << 6;
        QTest::newRow("classifier") << "imdb-classifier"
                                    << "classifies texts" << 4;
    }
    void otherModelsHaveTheStepsThatTheyCanTake() {
        QFETCH(const QString, model);
        QFETCH(const QString, does);
        QFETCH(const int, steps);
        begin(model);
        QVERIFY2(said(strip()).contains(does), qPrintable(said(strip())));
        trigger(ActionId::Tour);
        QVERIFY(said(bubble()).contains(QString("step 1 of %1").arg(steps)));
        auto* panel = window_->findChild<app::SentencePanel*>();
        const bool writes = model == "induction";
        auto* strip = const_cast<widgets::TokenStrip*>(writes ? panel->target() : panel->source());
        const auto& run = *window_->controller()->run();
        const int token = static_cast<int>((writes ? run.target : run.source).size() / 2);
        QTRY_VERIFY(pointsAt(strip, strip->chipRect(token)));
        QTest::mouseClick(strip, Qt::LeftButton, {}, strip->chipRect(token).center());
        nextStep(2);
        click(bubble(), "End");
        QVERIFY(!bubble()->isVisible());
    }

    void theFrameDoesNotPulseWithoutAnimations() {
        struct Still : QProxyStyle {
            int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                          QStyleHintReturn* more) const override {
                return hint == SH_Widget_Animation_Duration
                           ? 0
                           : QProxyStyle::styleHint(hint, option, widget, more);
            }
        };
        QWidget window;
        window.resize(100, 100);
        window.show();
        app::TourFrame frame(&window);
        frame.surround(QRect(20, 20, 40, 40));
        QVERIFY(frame.isPulsing());
        QApplication::setStyle(new Still);
        frame.surround(QRect(20, 20, 40, 40));
        QVERIFY(!frame.isPulsing());
        QApplication::setStyle("Fusion");
    }

    void whatWasShownLastIsOffered() {
        app::Settings().setIntroduced();
        begin("toy-reverse");
        auto* edit = window_->findChild<widgets::SentenceEdit*>();
        edit->setText("w1 w2 w3");
        QTest::keyClick(edit->lineEdit(), Qt::Key_Return);
        settle();
        QVERIFY(window_->close());
        window_.reset();
        begin();
        QVERIFY(strip()->isVisible());
        QVERIFY2(said(strip()).contains("w1 w2 w3") && said(strip()).contains("toy-reverse"),
                 qPrintable(said(strip())));
        click(strip(), "Continue");
        const auto isBack = [this] {
            const auto& run = window_->controller()->run();
            return run && run->complete && run->model->name == "toy-reverse" &&
                   !window_->state()->isUnsettled();
        };
        QTRY_VERIFY_WITH_TIMEOUT(isBack(), 20000);
        settle();
        QCOMPARE(window_->findChild<widgets::SentenceEdit*>()->text(), QString("w1 w2 w3"));
        QVERIFY(!window_->sessions()->isModified()); // nobody lost anything
        QVERIFY(!strip()->isVisible());
    }

    void nothingIsKeptOfPeopleWhoDoNotWantIt() {
        app::Settings().setIntroduced();
        app::Settings().setKeepsLast(false);
        begin("toy-reverse");
        QVERIFY(window_->close());
        QVERIFY(!QFile::exists(file("last.headscope")) && !app::Settings().last());
        window_.reset();
        begin();
        QVERIFY(!strip()->isVisible());
    }

    void aSessionOfTheirOwnIsContinuedAsThat() {
        app::Settings().setIntroduced();
        begin("toy-reverse");
        window_->sessions()->saveTo(file("mine.headscope"));
        QTRY_COMPARE(window_->sessions()->path(), file("mine.headscope"));
        settle();
        QVERIFY(window_->close());
        QCOMPARE(app::Settings().last()->path, file("mine.headscope"));
        QCOMPARE(app::Settings().recentSessions(), QStringList(file("mine.headscope")));
    }

    void theBundledModelsOpenWhereTheirPointIs_data() {
        QTest::addColumn<QString>("view");
        QTest::addColumn<QString>("head"); // empty: any
        QTest::newRow("toy-copy-without-mask") << "heatmap"
                                               << "decoder.0.2";
        QTest::newRow("toy-copy-without-positions") << "heatmap"
                                                    << "cross.1.0";
        QTest::newRow("toy-reverse") << "heatmap"
                                     << "cross.1.0";
        QTest::newRow("induction") << "heatmap"
                                   << "decoder.1.2";
        QTest::newRow("imdb-classifier") << "classifier"
                                         << "";
        QTest::newRow("tatoeba-en-de-learning") << "heatmap"
                                                << "";
    }
    void theBundledModelsOpenWhereTheirPointIs() {
        QFETCH(const QString, view);
        QFETCH(const QString, head);
        const QString name = QTest::currentDataTag();
        begin("toy-copy");
        trigger(ActionId::Home);
        QTest::mouseClick(window_->findChild<app::ModelCard*>(name), Qt::LeftButton);
        QTRY_VERIFY(window_->windowTitle().contains(name));
        QTRY_VERIFY(window_->controller()->run() && window_->controller()->run()->complete);
        settle();
        QCOMPARE(QString::fromStdString(tests::bench(*window_)->frontKey()), view);
        if (!head.isEmpty())
            QTRY_VERIFY(window_->selection()->head() == trace::parseHeadAddress(head.toStdString()));
        if (name.endsWith("learning")) {
            const auto* bar = window_->findChild<widgets::SnapshotBar*>();
            QVERIFY(bar->isVisible() && bar->shown() == 0 && bar->count() == 12);
            QVERIFY(window_->actions()[ActionId::PlaySnapshots]->isEnabled());
        }
    }

    void samplesAreNamedByWhatTheyShow() {
        begin();
        const auto* menu = window_->findChild<widgets::SentenceEdit*>()->findChild<QMenu*>();
        const auto entries = menu->actions();
        const auto all = app::sampleSentences();
        for (std::size_t i = 0; i < all.size(); ++i) {
            const auto phenomenon = QString::fromStdString(app::samplePhenomena()[i]);
            QVERIFY(!phenomenon.isEmpty() && !QString::fromStdString(all[i]).contains('\t'));
            QVERIFY(std::ranges::any_of(entries, [&](const QAction* action) {
                return action->text() == phenomenon + ": " + QString::fromStdString(all[i]);
            }));
        }
        window_->openModel("toy-reverse");
        QTRY_VERIFY(window_->windowTitle().contains("toy-reverse"));
        settle();
        QVERIFY(std::ranges::none_of(menu->actions(),
                                     [](const QAction* action) { return action->text().contains(':'); }));
    }
};

HEADSCOPE_WATCHED_TEST(GuideWindowTest)
#include "guide_window_test.moc"
