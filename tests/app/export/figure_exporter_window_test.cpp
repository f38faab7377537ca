#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QProgressBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QStatusBar>
#include <QTest>

#include "app/desktop/toast.h"
#include "app/document/window_state.h"
#include "app/export/animation_process.h"
#include "app/export/figure_dialog.h"
#include "app/export/figure_exporter.h"
#include "app/training/training_report.h"
#include "tests/app/window/real_engine_window.h"
#include "tests/watched_test.h"
#include "widgets/drawing/theme.h"
#include "widgets/map/heatmap_view.h"
#include "widgets/views/architecture/architecture_diagram.h"
#include "widgets/views/architecture/architecture_view.h"
#include "widgets/views/arithmetic/arithmetic_view.h"
#include "widgets/views/attribution/attribution_view.h"
#include "widgets/views/candidates/candidates_view.h"
#include "widgets/views/classifier/classifier_view.h"
#include "widgets/views/compare/compare_view.h"
#include "widgets/views/head_grid/head_grid_view.h"
#include "widgets/views/heatmap/heatmap_page.h"
#include "widgets/views/importance/importance_view.h"
#include "widgets/views/lens/lens_view.h"
#include "widgets/views/lines/lines_view.h"
#include "widgets/views/masks/batch_view.h"
#include "widgets/views/masks/mask_view.h"
#include "widgets/views/overview/overview.h"
#include "widgets/views/paths/paths_view.h"
#include "widgets/views/positions/positional_encoding_view.h"
#include "widgets/views/predictions/predictions_view.h"
#include "widgets/views/scale/scale_view.h"
#include "widgets/views/token_card/token_card.h"
#include "widgets/views/training/training_curves.h"

#include <algorithm>
#include <csignal>
#include <vector>

using namespace headscope;
using app::ActionId;
using app::ActionKey;
using app::FigureDialog;

/// What leaves the window, with the bundled model and the real engine, beside what `render` makes.
class FigureExporterWindowTest : public tests::RealEngineWindow {
    Q_OBJECT

    /// Saves the view on top through the dialog.
    QByteArray saved(const QString& path) {
        trigger(ActionId::SavePicture);
        return savedByDialog(path);
    }

    /// Saves a view through the dialog, whatever is on top.
    QByteArray savedOf(QWidget* view, const QString& path) {
        window_->findChild<app::FigureExporter*>()->savePicture(view);
        return savedByDialog(path);
    }

    QByteArray savedByDialog(const QString& path) {
        auto* dialog = window_->findChild<FigureDialog*>();
        [&] { QVERIFY(dialog); }();
        auto* field = dialog->findChild<QLineEdit*>("path");
        field->clear();
        QTest::keyClicks(field, path); // whose ending is the format
        QTest::keyClick(field, Qt::Key_Return);
        [&] { QTRY_VERIFY_WITH_TIMEOUT(!window_->findChild<FigureDialog*>(), 20000); }();
        delete window_->findChild<FigureDialog*>(); // the next test opens its own
        return contentOf(path);
    }

    template <class View>
    std::function<QWidget*()> tab(const ActionKey& id, std::function<void(View*)> choose = {}) {
        return [this, id, choose] {
            trigger(id);
            auto* view = window_->findChild<View*>();
            if (choose)
                choose(view);
            return view;
        };
    }

    std::function<QWidget*()> compare(std::function<void(widgets::CompareBar*)> choose) {
        return tab<widgets::CompareView>("workspace.compare", [choose](auto* view) { choose(view->bar()); });
    }

    std::vector<ViewCase> viewCases() {
        using With = widgets::CompareBar::With;
        const auto pinned = [this] {
            trigger("heatmap");
            window_->selection()->setPinnedHeads(
                {{{trace::AttentionKind::Cross, 1}, 2}, {{trace::AttentionKind::EncoderSelf, 0}, 1}});
            return window_->findChild<widgets::HeatmapPage*>();
        };
        const auto overview = [this](const char* box, int choice) {
            return [this, box, choice]() -> QWidget* {
                auto* view = window_->findChild<widgets::Overview*>();
                if (!view->isVisible())
                    trigger("overview/toggle");
                control<QComboBox>(view, box)->setCurrentIndex(choice);
                return view;
            };
        };
        return {
            {"overview", overview("tint", 0)},
            {"overview, tinted", overview("tint", 3)},
            {"overview, ordered", overview("order", 3)},
            {"overview, in groups", overview("order", 1)},
            {"pinned heads", pinned},
            {"batch", tab<widgets::MaskView>(
                          "masks",
                          [](auto* view) {
                              view->batch()->setSentences({{.source = "I see."}, {.source = "You see it."}});
                              view->setPage(widgets::MaskView::Page::Batch);
                          })},
            {"positions, centred", tab<widgets::PositionalEncodingView>(
                                       "positions",
                                       [this](auto* view) {
                                           view->setPage(widgets::PositionalEncodingView::Page::Similarity);
                                           control<QCheckBox>(view, "centred")->setChecked(true);
                                       })},
            {"architecture, unfolded", tab<widgets::ArchitectureView>("architecture",
                                                                      [](auto* view) {
                                                                          auto* diagram = view->diagram();
                                                                          diagram->setUnfolded(
                                                                              diagram->current()
                                                                                  ? diagram->current()->role
                                                                                  : std::string("encoder"),
                                                                              true);
                                                                      })},
            {"scale, of a layer", tab<widgets::ScaleView>("scale",
                                                          [](auto* view) {
                                                              view->setPage(widgets::ScaleView::Page::Scores);
                                                              view->setScope(widgets::ScoreScope::Layer);
                                                              view->setTemperature(0.2);
                                                          })},
            {"scale, at a temperature",
             tab<widgets::ScaleView>("scale",
                                     [](auto* view) {
                                         view->setPage(widgets::ScaleView::Page::Temperature);
                                         view->setTemperature(0.5);
                                     })},
            {"compare with a sentence", compare([](auto* bar) {
                 bar->setSentence("The young man sells a book.");
                 bar->setWith(With::Sentence);
                 bar->enterSentence();
             })},
            {"compare with the nearest head",
             compare([](auto* bar) { bar->setOtherHead({.choice = widgets::OtherHead::Choice::Nearest}); })},
            {"compare with a step", compare([](auto* bar) {
                 bar->setWith(With::Step);
                 bar->setStep(5);
             })},
            {"compare with a model",
             [this]() -> QWidget* {
                 trigger("workspace.compare");
                 window_->compareWith("toy-copy");
                 return window_->findChild<widgets::CompareView*>();
             }},
            {"small maps", [this]() -> QWidget* { return window_->findChild<widgets::HeadGridView*>(); }},
            {"small maps, sorted",
             [this]() -> QWidget* {
                 auto state = window_->state()->capture();
                 state.choices["heads"] = {
                     {"by", std::string("entropy")}, {"tinted", true}, {"sorted", true}};
                 window_->state()->apply(state, this);
                 return window_->findChild<widgets::HeadGridView*>();
             }},
            {"small maps of a layer",
             [this]() -> QWidget* {
                 auto state = window_->state()->capture();
                 state.choices["heads"] = {{"tinted", false}, {"sorted", false}, {"layer", true}};
                 window_->state()->apply(state, this);
                 return window_->findChild<widgets::HeadGridView*>();
             }},
            {"lines of what is pinned",
             [this]() -> QWidget* {
                 trigger("lines");
                 window_->selection()->togglePinned({.targetQuery = 3});
                 return window_->findChild<widgets::LinesView*>();
             }},
            {"how a cell is computed", [this]() -> QWidget* {
                 trigger("heatmap");
                 window_->selection()->togglePinned(
                     widgets::TokenFocus::cell(trace::AttentionKind::Cross, 1, 2));
                 auto* view = window_->findChild<widgets::ArithmeticView*>();
                 if (!view->isVisible())
                     trigger("arithmetic");
                 return view;
             }}};
    }

    QString copiedCommand() {
        trigger(ActionId::CopyCommand);
        return QApplication::clipboard()->text();
    }

    /// Says where two files begin to differ.
    static bool same(const QByteArray& one, const QByteArray& other) {
        const auto [a, b] = std::mismatch(one.begin(), one.end(), other.begin(), other.end());
        if (a == one.end() && b == other.end())
            return true;
        const auto image = QImage::fromData(one), otherImage = QImage::fromData(other);
        for (const QString& key : image.textKeys())
            if (image.text(key) != otherImage.text(key))
                qWarning() << key << image.text(key) << "beside" << otherImage.text(key);
        if (!image.isNull()) {
            qWarning() << "pixels are the same:" << (image == otherImage);
            return false;
        }
        const qsizetype from = std::max<qsizetype>(0, a - one.begin() - 100);
        qWarning() << one.mid(from, 300) << "beside" << other.mid(from, 300);
        return false;
    }

    /// Runs a copied command, its file another one, or several.
    static void render(const QString& command, const QStringList& paths) {
        run(command.section(" --out=", 0, 0) + " --out " + paths.join(" --out "));
    }
    QByteArray rendered(const QString& command, const QString& path) {
        render(command, {path});
        return contentOf(path);
    }

    /// What the window saves of the view, beside what its command writes: drawn by it once. With a quarter of
    /// the pixels that are usual, which is much of the time.
    void compareWithCommand(QWidget* view, const QStringList& endings) {
        QSettings().setValue("pictures/choices", QVariantMap{{"dpi", 96}});
        QStringList paths;
        std::vector<QByteArray> ours;
        for (const QString& ending : endings) {
            ours.push_back(savedOf(view, file("window." + ending)));
            QVERIFY(!ours.back().isEmpty());
            paths += file("command." + ending);
        }
        const auto command = window_->findChild<app::FigureExporter*>()->command(view);
        QVERIFY2(command && command->startsWith("headscope-cli render"),
                 qPrintable(command.value_or(QString())));
        QVERIFY2(drawn_views::byTheWindow.contains(drawn_views::viewOf(*command)), qPrintable(*command));
        QSettings().remove("pictures/choices");
        render(command->section(" --out=", 0, 0) + " --dpi=96", paths);
        drawn_views::look(QImage(file("command.png")));
        drawn_ += drawn_views::viewOf(*command);
        for (qsizetype i = 0; i < endings.size(); ++i) {
            const QByteArray theirs = contentOf(paths[i]), own = ours[static_cast<std::size_t>(i)];
            QVERIFY2(same(theirs, own), qPrintable(endings[i] + ": " + *command));
        }
    }

    /// The dialog of the view on top offers no animation, and its tooltip says why.
    void checkNoAnimation(const char* why) {
        trigger(ActionId::SavePicture);
        auto* dialog = window_->findChild<FigureDialog*>();
        QVERIFY(dialog);
        auto* format = control<QComboBox>(dialog, "format");
        QTest::keyClick(format, Qt::Key_End);
        QVERIFY(!dialog->isAnimated());
        QVERIFY(format->itemData(format->count() - 1, Qt::ToolTipRole).toString().contains(why));
        dialog->reject();
        QTRY_VERIFY(!window_->findChild<FigureDialog*>());
    }

  private Q_SLOTS:
    void initTestCase() { open({.sentence = "The old man reads a book."}); }

    void cleanupTestCase() { window_.reset(); }

    void theWindowAndTheCommandWriteTheSameBytes_data() {
        QTest::addColumn<QString>("view");
        for (const char* view : {"heatmap", "lines", "masks", "positions", "architecture", "scale"})
            QTest::addRow("%s", view) << QString(view);
    }

    void theWindowAndTheCommandWriteTheSameBytes() {
        QFETCH(QString, view);
        trigger(view.toStdString());
        window_->selection()->setStep(3);
        settle();
        QStringList paths;
        std::vector<QByteArray> ours;
        for (const char* ending : {"png", "svg", "pdf"}) {
            ours.push_back(saved(file(QStringLiteral("window.") + ending)));
            QVERIFY(!ours.back().isEmpty());
            paths += file(QStringLiteral("command.") + ending);
        }
        render(copiedCommand(), paths);
        for (std::size_t i = 0; i < ours.size(); ++i)
            QVERIFY(same(contentOf(paths[static_cast<qsizetype>(i)]), ours[i]));
        drawn_views::look(QImage(paths.front()));
        drawn_ += QString(QTest::currentDataTag());
        // As the dialog writes it without its words and marks.
        QSettings().setValue(
            "pictures/choices",
            QVariantMap{{"figureCaption", false}, {"figureNotes", false}, {"figureMarks", false}});
        const QByteArray bare = saved(file("bare.png"));
        // As on a slide, with larger text.
        QSettings().setValue(
            "pictures/choices",
            QVariantMap{{"preset", 3}, {"width", 960}, {"height", 540}, {"dpi", 96}, {"enlarged", true}});
        const QByteArray slide = saved(file("slide.png"));
        QSettings().remove("pictures/choices");
        const QString large = QImage::fromData(slide).text("Command");
        QVERIFY2(large.contains(" --width=960 --height=540 "), qPrintable(large));
        QVERIFY(same(rendered(large, file("slide-command.png")), slide));
        const auto image = QImage::fromData(bare);
        QVERIFY(image.height() < QImage::fromData(ours.front()).height());
        const QString command = image.text("Command");
        QVERIFY2(command.contains(" --without=caption,notes,marks"), qPrintable(command));
        QVERIFY(same(rendered(command, file("bare-command.png")), bare));
    }

    void everyViewIsDrawnTheSameByItsCommand_data() { addRows(viewCases()); }

    void everyViewIsDrawnTheSameByItsCommand() {
        QFETCH(int, number);
        window_->selection()->setHead({{trace::AttentionKind::Cross, 1}, 2});
        window_->selection()->setStep(3);
        window_->selection()->setPinnedHeads({});
        window_->selection()->clearPinned();
        auto* view = viewCases()[static_cast<std::size_t>(number)].show();
        settle();
        settle(); // what was asked for by an answer
        const auto& figure = dynamic_cast<const widgets::FigureSource&>(*view);
        QVERIFY(figure.hasFigure());
        const auto data = figure.figureData();
        QVERIFY(!data.arrays.empty() || !data.tables.empty());
        compareWithCommand(view, {"png", "svg"});
    }

    void theCommandOfAZoomedViewDrawsTheWholeAndSaysSo() {
        const auto check = [this](const ActionKey& id, QWidget* view, auto zoom, auto fit) {
            trigger(id);
            settle();
            const auto copied = [this, view] {
                window_->findChild<app::FigureExporter*>()->copyCommand(view);
                return window_->findChild<app::Toast*>()->words();
            };
            fit();
            const QString whole = copied();
            QVERIFY2(whole.contains("headscope-cli render") && !whole.contains("zoom"), qPrintable(whole));
            zoom();
            QCOMPARE(copied(), whole + " It draws the whole view, because commands have no zoom.");
            fit();
        };
        auto* maps = window_->findChild<widgets::HeatmapPage*>();
        const auto fit = [maps] { maps->fit(); };
        window_->selection()->setPinnedHeads({});
        check(
            "heatmap", maps,
            [maps] {
                maps->single()->setZoom({2.5, 3, 5.25, 4});
            },
            fit);
        window_->selection()->setPinnedHeads(
            {{{trace::AttentionKind::Cross, 1}, 2}, {{trace::AttentionKind::EncoderSelf, 0}, 1}});
        check(
            "heatmap", maps,
            [maps] {
                maps->maps().back()->setZoom({1, 1.5, 4, 5});
            },
            fit);
        window_->selection()->setPinnedHeads({});
        auto* blocks = window_->findChild<widgets::ArchitectureView*>();
        check(
            "architecture", blocks,
            [blocks] {
                blocks->diagram()->setZoom({10, 20, 1.5});
            },
            [blocks] { blocks->diagram()->setZoom({}); });
    }

    void pinsAreSaidWhereTheyAreDrawn() {
        trigger("heatmap");
        window_->selection()->setPinnedHeads({{{trace::AttentionKind::Cross, 1}, 2}});
        settle();
        const auto command = [this](QWidget* view) {
            return window_->findChild<app::FigureExporter*>()->command(view).value_or(QString());
        };
        for (QWidget* view : std::initializer_list<QWidget*>{window_->findChild<widgets::HeatmapPage*>(),
                                                             window_->findChild<widgets::Overview*>(),
                                                             window_->findChild<widgets::HeadGridView*>()})
            QVERIFY2(command(view).contains(" --pin=cross.1.2"), qPrintable(command(view)));
        for (QWidget* view : std::initializer_list<QWidget*>{window_->findChild<widgets::LinesView*>(),
                                                             window_->findChild<widgets::MaskView*>(),
                                                             window_->findChild<widgets::ArchitectureView*>(),
                                                             window_->findChild<widgets::CandidatesView*>()})
            QVERIFY2(command(view).contains(" --view=") && !command(view).contains("--pin"),
                     qPrintable(command(view)));
        window_->selection()->setPinnedHeads({});
    }

    void whatIsKnownOfAStepIsDrawnTheSame() {
        window_->selection()->setHead({{trace::AttentionKind::Cross, 1}, 2});
        window_->selection()->setStep(2);
        const auto compare = [this](std::initializer_list<QWidget*> views) {
            settle();
            settle();
            for (QWidget* view : views)
                compareWithCommand(view, {"png", "svg", "pdf"});
        };
        trigger("logit-lens");
        compare({window_->findChild<widgets::LensView*>(), window_->findChild<widgets::AttributionView*>()});
        trigger("importance");
        compare(
            {window_->findChild<widgets::ImportanceView*>(), window_->findChild<widgets::CandidatesView*>()});
        window_->selection()->setStep(3);
    }

    void aSearchIsDrawnTheSame() {
        const auto usual = window_->controller()->decoding();
        auto wide = usual;
        wide.beam = 3;
        window_->controller()->setDecoding(wide, 12);
        settle();
        settle();
        compareWithCommand(window_->findChild<widgets::PathsView*>(), {"png", "svg", "pdf"});
        window_->controller()->setDecoding(usual, 60);
        settle();
        settle();
    }

    void whatNoCommandDrawsIsNotCopiedAsAnotherOne() {
        struct Unknown : QWidget, widgets::FigureSource {
            void drawFigure(QPainter&, QSize, const widgets::Theme&) const override {}
            widgets::FigureText figureText() const override { return {}; }
            bool hasFigure() const override { return true; }
        } view;
        QApplication::clipboard()->setText("before");
        auto* exporter = window_->findChild<app::FigureExporter*>();
        const QSignalSpy refused(exporter, &app::FigureExporter::refused);
        exporter->copyCommand(&view);
        QCOMPARE(refused.size(), 1);
        QCOMPARE(QApplication::clipboard()->text(), QString("before"));
    }

    void aTrainingIsDrawnTheSameByTheCommandOfItsLog() {
        const QString log = HEADSCOPE_SOURCE "/resources/models/toy-copy/log.csv";
        const auto* exporter = window_->findChild<app::FigureExporter*>();
        widgets::DocumentState shown;
        widgets::TrainingCurves curves;
        curves.setContext({.document = &shown});
        QVERIFY(!exporter->command(&curves)); // and not what runs the sentence
        shown.training = {"toy-copy", {}, app::pointsOfLog(log)};
        curves.refresh();
        QVERIFY(!exporter->command(&curves)); // which could not find them
        shown.training->path = log.toStdString();
        curves.refresh();
        QVERIFY(exporter->command(&curves)->contains(" render toy-copy/log.csv --view=training-curves "));
        compareWithCommand(&curves, {"png", "svg"});
        shown.training->name = "of another name";
        curves.refresh();
        compareWithCommand(&curves, {"png"});
    }

    void aPictureIsCopiedInTheColoursOfTheWindow() {
        trigger("heatmap");
        settle();
        for (const auto& [id, theme] : {std::pair(ActionId::ThemeDark, &widgets::darkTheme()),
                                        std::pair(ActionId::ThemeLight, &widgets::lightTheme())}) {
            trigger(id);
            QTRY_COMPARE(&widgets::themeOf(window_->palette()), theme); // comes as an event
            QApplication::clipboard()->clear();
            trigger(ActionId::CopyPicture);
            QTRY_VERIFY(!QApplication::clipboard()->image().isNull());
            const QImage copied = QApplication::clipboard()->image();
            QCOMPARE(copied.pixelColor(1, 1), theme->background);
        }
    }

    void aLayerIsSavedBesideTheOthers() {
        window_->selection()->setHead({{trace::AttentionKind::EncoderSelf, 2}, 1});
        trigger("contact-sheet/export-layer");
        QVERIFY(window_->actions()["contact-sheet/layer"]->isChecked());
        const QByteArray ours = savedByDialog(file("layer.png"));
        QCOMPARE(QImage::fromData(ours).text("Head"), QString("encoder.2"));
        QVERIFY(QImage::fromData(ours).text("Command").contains("--choose=layer=true"));
        window_->actions()["contact-sheet/layer"]->setChecked(false);
    }

    void aDecodingIsWrittenAsTheCommandWritesIt() {
        trigger("heatmap");
        window_->selection()->setHead({{trace::AttentionKind::Cross, 1}, 2}); // has a row a step
        window_->selection()->setPinnedHeads({});
        window_->selection()->clearPinned();
        settle();
        for (const bool numbered : {false, true}) {
            // A tenth of the pixels; one of them without what a paper says itself.
            QSettings().setValue(
                "pictures/choices",
                QVariantMap{{"dpi", 60}, {"figureNotes", numbered}, {"figureMarks", numbered}});
            trigger(ActionId::SavePicture);
            auto* dialog = window_->findChild<FigureDialog*>();
            QVERIFY(dialog);
            auto* format = control<QComboBox>(dialog, "format");
            while (!(numbered ? dialog->isNumbered() : dialog->isAnimated()))
                QTest::keyClick(format, Qt::Key_Down);
            auto* play = control<QPushButton>(dialog, "play");
            QTRY_VERIFY_WITH_TIMEOUT(play->isEnabled(), 60000); // the preview is there
            const QString out = file(numbered ? "frames" : "film.png");
            auto* field = control<QLineEdit>(dialog, "path");
            field->setText(out);
            control<QPushButton>(dialog, "copy")->click();
            const QString command = QApplication::clipboard()->text();
            QTest::keyClick(field, Qt::Key_Return);
            QVERIFY(control<QProgressBar>(dialog, "progress")->isVisible());
            QTRY_VERIFY_WITH_TIMEOUT(!window_->findChild<FigureDialog*>(), 60000);
            const auto steps = window_->controller()->run()->target.size();
            QCOMPARE(command.contains(" --without=notes,marks"), !numbered);
            if (!numbered) {
                const QByteArray ours = contentOf(out);
                QVERIFY(QFile::remove(out));
                run(command);
                QVERIFY(same(contentOf(out), ours));
                QCOMPARE(ours.count("fcTL"), static_cast<qsizetype>(steps));
                continue;
            }
            const auto names = QDir(out).entryList(QDir::AllEntries | QDir::NoDotAndDotDot | QDir::Hidden);
            QCOMPARE(names.size(), static_cast<qsizetype>(steps));
            QCOMPARE(names.front(), QString("0001.png"));
            const QByteArray last = contentOf(out + '/' + names.back());
            QVERIFY(QDir(out).removeRecursively());
            run(command);
            QCOMPARE(QDir(out).entryList(QDir::Files), names);
            QVERIFY(same(contentOf(out + '/' + names.back()), last));
            QSettings().remove("pictures/choices");
        }
    }

    void whatIsSavedCannotBeChangedMeanwhileAndAAnimationGetsItsEnding() {
        trigger("heatmap");
        trigger(ActionId::SavePicture);
        auto* dialog = window_->findChild<FigureDialog*>();
        QVERIFY(dialog);
        auto* format = control<QComboBox>(dialog, "format");
        while (!dialog->isAnimated())
            QTest::keyClick(format, Qt::Key_Down);
        auto* field = control<QLineEdit>(dialog, "path");
        field->setText(file("no-ending"));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(dialog->path(), file("no-ending.png"));
        QVERIFY(!format->isEnabled());
        QVERIFY(field->isReadOnly());
        QTRY_VERIFY_WITH_TIMEOUT(!window_->findChild<FigureDialog*>(), 60000);
        QVERIFY(QFile::exists(file("no-ending.png")));
    }

    void whatShowsTheSentenceAsAWholeIsNoAnimationAndSaysWhy() {
        trigger("positions");
        settle();
        checkNoAnimation("animate a view that follows the steps");
        trigger("heatmap");
        settle();
    }

    void headsOfTheEncoderAreNoAnimationAndSayWhy() {
        const auto before = window_->selection()->head();
        window_->selection()->setHead({{trace::AttentionKind::EncoderSelf, 0}, 0});
        trigger("heatmap");
        settle();
        checkNoAnimation("choose a head of the decoder or of cross-attention");
        window_->selection()->setHead(before);
        settle();
    }

    void aCellIsAAnimationUnlessItsRowIsPinned() {
        window_->selection()->clearPinned();
        window_->selection()->setHead({{trace::AttentionKind::Cross, 1}, 2});
        trigger("heatmap");
        auto* view = window_->findChild<widgets::ArithmeticView*>();
        if (!view->isVisible())
            trigger("arithmetic");
        for (const bool pinned : {false, true}) {
            if (pinned)
                window_->selection()->togglePinned(
                    widgets::TokenFocus::cell(trace::AttentionKind::Cross, 1, 2));
            settle();
            window_->findChild<app::FigureExporter*>()->savePicture(view);
            auto* dialog = window_->findChild<FigureDialog*>();
            QVERIFY(dialog);
            auto* format = control<QComboBox>(dialog, "format");
            QTest::keyClick(format, Qt::Key_End);
            QCOMPARE(dialog->isAnimated(), !pinned);
            QCOMPARE(format->itemData(format->count() - 1, Qt::ToolTipRole).toString().contains("unpin it"),
                     pinned);
            dialog->reject();
            QTRY_VERIFY(!window_->findChild<FigureDialog*>());
        }
        window_->selection()->clearPinned();
        settle();
    }

    void aStepThatIsComparedWithIsNoAnimation() {
        window_->selection()->setHead({{trace::AttentionKind::Cross, 1}, 2}); // has a row a step
        trigger("workspace.compare");
        auto* bar = window_->findChild<widgets::CompareView*>()->bar();
        bar->setWith(widgets::CompareBar::With::Step);
        window_->selection()->setStep(3);
        bar->setStep(5);
        settle();
        settle();
        trigger(ActionId::SavePicture);
        auto* dialog = window_->findChild<FigureDialog*>();
        QVERIFY(dialog);
        auto* format = control<QComboBox>(dialog, "format");
        QTest::keyClick(format, Qt::Key_End);
        QVERIFY(!dialog->isAnimated());
        dialog->reject();
        QTRY_VERIFY(!window_->findChild<FigureDialog*>());
        bar->setWith(widgets::CompareBar::With::Sentence);
        trigger("heatmap");
        settle();
    }

    void whatIsGivenUpLeavesNothing() {
        trigger("heatmap");
        trigger(ActionId::SavePicture);
        auto* dialog = window_->findChild<FigureDialog*>();
        QVERIFY(dialog);
        auto* format = control<QComboBox>(dialog, "format");
        while (!dialog->isAnimated())
            QTest::keyClick(format, Qt::Key_Down);
        QTemporaryDir empty;
        auto* field = control<QLineEdit>(dialog, "path");
        field->setText(empty.filePath("film.png"));
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(control<QProgressBar>(dialog, "progress")->isVisible());
        const auto labels = dialog->findChildren<QLabel*>();
        const auto preview =
            std::ranges::find(labels, QString("Preview of the picture"), &QWidget::accessibleName);
        QVERIFY(preview != labels.end());
        QTRY_VERIFY(!(*preview)->pixmap().isNull()); // whole beside the bar
        QTRY_VERIFY((*preview)->pixmap().deviceIndependentSize().height() <= (*preview)->height() &&
                    (*preview)->pixmap().deviceIndependentSize().width() <= (*preview)->width());
        dialog->reject();
        QTRY_VERIFY_WITH_TIMEOUT(!qApp->findChild<app::AnimationProcess*>(), 20000); // it ends by itself
        QVERIFY(QDir(empty.path()).isEmpty());
    }

    void aAnimationWhoseProgramIsEndedFromOutsideIsRefused() {
        for (const int signal : {SIGINT, SIGKILL}) {
            trigger("heatmap");
            trigger(ActionId::SavePicture);
            auto* dialog = window_->findChild<FigureDialog*>();
            QVERIFY(dialog);
            auto* format = control<QComboBox>(dialog, "format");
            while (!dialog->isAnimated())
                QTest::keyClick(format, Qt::Key_Down);
            auto* field = control<QLineEdit>(dialog, "path");
            field->setText(file("ended.png"));
            QTest::keyClick(field, Qt::Key_Return);
            const auto animations = qApp->findChildren<app::AnimationProcess*>();
            const auto animation = std::ranges::find_if(animations, [](const app::AnimationProcess* process) {
                return process->isRunning() && !process->isStopping(); // a preview gave way to it
            });
            QVERIFY(animation != animations.end());
            const QSignalSpy drawn(*animation, &app::AnimationProcess::drawn);
            const auto process = (*animation)->findChild<QProcess*>()->processId();
            QTRY_VERIFY_WITH_TIMEOUT(!drawn.isEmpty(), 60000); // it listens to signals by then
            QCOMPARE(::kill(static_cast<pid_t>(process), signal), 0);
            QTRY_VERIFY_WITH_TIMEOUT(!dialog->isSaving(), 20000);
            QVERIFY(std::ranges::any_of(dialog->findChildren<QLabel*>(), [](const QLabel* label) {
                return label->text().contains("was terminated");
            }));
            dialog->reject();
            QTRY_VERIFY_WITH_TIMEOUT(!qApp->findChild<app::AnimationProcess*>(), 20000);
            QVERIFY(!QFile::exists(file("ended.png")));
            delete window_->findChild<FigureDialog*>();
        }
    }

    void aMapThatIsComputedIsTheSame() {
        trigger("heatmap");
        trigger(ActionId::ShowNormWeighted);
        trigger(ActionId::ScaleLogarithmic);
        settle();
        const QByteArray ours = saved(file("norms.png"));
        const QString command = copiedCommand();
        QVERIFY2(command.contains("--quantity=norm-weighted") && command.contains("--scale=log"),
                 qPrintable(command));
        QVERIFY(same(rendered(command, file("norms-command.png")), ours));
        trigger(ActionId::ShowWeights);
        trigger(ActionId::ScaleLinear);
    }

    void numbersAreCopiedAsATable() {
        trigger("heatmap");
        trigger(ActionId::ShowWeights);
        settle();
        trigger(ActionId::CopyTable);
        const QString table = QApplication::clipboard()->text();
        QVERIFY2(table.startsWith("weights\nquery/key\t"), qPrintable(table));
        QVERIFY(table.contains("book"));
        const auto* map = window_->findChild<widgets::HeatmapPage*>()->single();
        const QString first = table.split('\n')[2].split('\t')[1];
        QCOMPARE(static_cast<float>(first.toDouble()), map->shownMap().values(0, 0));
    }

    void theDialogSaysWhatItWillWriteAndRefusesWhatItCannot() {
        trigger("heatmap");
        trigger(ActionId::SavePicture);
        auto* dialog = window_->findChild<FigureDialog*>();
        QVERIFY(dialog);
        const auto says = [&](const QString& words) {
            for (const auto* label : dialog->findChildren<QLabel*>())
                if (label->text().contains(words))
                    return true;
            return false;
        };
        QTRY_VERIFY(says("1600 x 1280 pixels, "));
        QTRY_VERIFY(says("iB"));
        const auto labels = dialog->findChildren<QLabel*>();
        QTRY_VERIFY(
            std::ranges::any_of(labels, [](const QLabel* label) { return !label->pixmap().isNull(); }));
        QTest::keyClicks(dialog->findChild<QLineEdit*>("path"), "/no/such/folder/x.png");
        dialog->findChild<QLineEdit*>("path")->setText("/no/such/folder/x.png");
        QTest::keyClick(dialog->findChild<QLineEdit*>("path"), Qt::Key_Return);
        QTRY_VERIFY(says("/no/such/folder"));
        QTRY_VERIFY(says("What to do"));
        dialog->reject();
        QTRY_VERIFY(!window_->findChild<FigureDialog*>());
    }

    /// One of the last: another model is open then.
    void predictionsAreDrawnTheSame() {
        window_->openModel(HEADSCOPE_SOURCE "/tests/reference/hugging-face/bert-tiny-masked");
        QTRY_VERIFY_WITH_TIMEOUT(window_->windowTitle().contains("bert-tiny-masked"), 30000);
        settle();
        window_->controller()->decode(std::string("the [MASK] sat on the [MASK]"));
        settle();
        trigger("workspace.decode");
        settle();
        compareWithCommand(window_->findChild<widgets::PredictionsView*>(), {"png", "svg"});
    }

    /// The last: another model is open then.
    void aClassifierIsDrawnTheSame() {
        window_->openModel("imdb-classifier");
        QTRY_VERIFY_WITH_TIMEOUT(window_->windowTitle().contains("imdb"), 30000);
        settle();
        window_->controller()->decode(std::string("A wonderful film."));
        settle();
        trigger("classifier");
        auto* view = window_->findChild<widgets::ClassifierView*>();
        settle();
        settle();
        for (const auto page : {widgets::ClassifierView::Page::Answer, widgets::ClassifierView::Page::Words,
                                widgets::ClassifierView::Page::Table}) {
            view->setPage(page);
            settle();
            settle();
            compareWithCommand(view, {"png", "svg", "pdf"});
        }
        compareWithCommand(window_->findChild<widgets::TokenCard*>(), {"png", "svg"});
    }

    /// The height too, where the command names none. The last test: what is chosen is chosen the next time.
    void aPaperColumnIsDrawnTheSameByItsWidth() {
        for (const char* id : {"heatmap", "masks"}) {
            trigger(id);
            settle();
            trigger(ActionId::SavePicture);
            auto* dialog = window_->findChild<FigureDialog*>();
            QVERIFY(dialog);
            auto* presets = control<QComboBox>(dialog, "preset");
            QTest::keyClick(presets, Qt::Key_Home);
            QTest::keyClick(presets, Qt::Key_Down);
            if (auto* caption = control<QCheckBox>(dialog, "caption"); !caption->isChecked())
                QTest::keyClick(caption, Qt::Key_Space);
            const QByteArray ours = savedByDialog(file("column.png"));
            const auto image = QImage::fromData(ours);
            QCOMPARE(image.width(), 2006); // 321 at 600 dots an inch
            QString command = image.text("Command");
            QVERIFY2(command.contains("--width=321 --height=") && command.contains("--without=notes,marks"),
                     qPrintable(command));
            QVERIFY(same(rendered(command, file("command.png")), ours));
            static const QRegularExpression height(" --height=\\d+");
            command.remove(height);
            QCOMPARE(QImage::fromData(rendered(command, file("command.png"))), image);
        }
    }

    /// Where all of the others ran before.
    void everyViewOfTheListWasDrawn() {
        if (QCoreApplication::arguments().size() > 1)
            QSKIP("only some were asked for");
        for (const QString& view : drawn_views::byTheWindow)
            QVERIFY2(drawn_.contains(view), qPrintable(view));
    }
};

HEADSCOPE_WATCHED_TEST(FigureExporterWindowTest)
#include "figure_exporter_window_test.moc"
