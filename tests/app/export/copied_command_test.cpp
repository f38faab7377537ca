#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSemaphore>
#include <QSpinBox>
#include <QTest>
#include <QTimer>
#include <QWheelEvent>

#include "app/document/window_state.h"
#include "app/export/figure_dialog.h"
#include "app/export/figure_exporter.h"
#include "app/export/figure_preview.h"
#include "app/export/shown_picture.h"
#include "tests/app/window/bench.h"
#include "tests/app/window/real_engine_window.h"
#include "tests/watched_test.h"
#include "widgets/export/figure_export.h"
#include "widgets/map/number_map.h"
#include "widgets/views/cell_card/cell_card.h"
#include "widgets/views/compare/compare_view.h"
#include "widgets/views/decoding/decoding_view.h"
#include "widgets/views/head_card/head_card.h"
#include "widgets/views/head_grid/head_grid_view.h"
#include "widgets/views/head_page/head_page.h"
#include "widgets/views/head_scatter/head_scatter.h"
#include "widgets/views/head_table/head_table.h"
#include "widgets/views/hesitation/hesitation_view.h"
#include "widgets/views/lens/lens_view.h"
#include "widgets/views/overview/overview.h"
#include "widgets/views/paths/paths_view.h"
#include "widgets/views/positions/position_curves.h"
#include "widgets/views/positions/positional_encoding_view.h"
#include "widgets/views/random_twin/random_twin_panel.h"
#include "widgets/views/reference/reference_view.h"
#include "widgets/views/source_share/source_share.h"
#include "widgets/views/what_if/what_if_view.h"

#include <algorithm>
#include <map>
#include <vector>

using namespace headscope;
using app::ActionId;
using app::FigureDialog;

/// What is measured, compared or known of heads is drawn again by the command that is copied; with the
/// bundled model and the real engine.
class CopiedCommandTest : public tests::RealEngineWindow {
    Q_OBJECT

    using JobKind = app::WorkQueue::JobKind;

    QSet<int> shown_; ///< of the view cases; some of them close again what is opened twice

    void settle() {
        QTest::qWait(20);
        RealEngineWindow::settle();
    }

    void choose(const char* view, std::map<std::string, widgets::ChoiceValue> values) {
        auto state = window_->state()->capture();
        for (auto& [name, value] : values)
            state.choices[view][name] = std::move(value);
        window_->state()->apply(state, this);
        settle();
    }

    void measureImportance() {
        trigger("importance");
        settle();
    }

    QWidget* overview() {
        auto* view = window_->findChild<widgets::Overview*>();
        if (!view->isVisible())
            trigger("overview/toggle");
        return view;
    }

    std::vector<ViewCase> viewCases() {
        const auto headTable = [this]() -> QWidget* {
            trigger("head-table");
            return window_->findChild<widgets::HeadTable*>();
        };
        const auto headPage = [this]() -> QWidget* {
            trigger("head-table");
            return window_->findChild<widgets::HeadPage*>();
        };
        const auto lens = [this]() -> QWidget* {
            trigger("logit-lens");
            settle();
            return window_->findChild<widgets::LensView*>();
        };
        const auto comparePage = [this](widgets::CompareView::Page page) {
            return [this, page]() -> QWidget* {
                trigger("workspace.compare");
                auto* view = window_->findChild<widgets::CompareView*>();
                view->bar()->setWith(widgets::CompareBar::With::Step);
                view->setPage(page);
                return view;
            };
        };
        return {
            {"head table", headTable},
            {"head page", headPage},
            {"source share",
             [this]() -> QWidget* {
                 trigger("source-share");
                 settle();
                 return window_->findChild<widgets::SourceShareView*>();
             }},
            {"overview, by importance",
             [this] {
                 measureImportance();
                 auto* view = overview();
                 choose("overview",
                        {{"tint", std::string("importance")}, {"order", std::string("importance")}});
                 return view;
             }},
            {"overview, by the importance for a step",
             [this] {
                 choose("importance", {{"of", std::string("step")}});
                 return overview();
             }},
            {"small maps, by importance",
             [this]() -> QWidget* {
                 choose("heads", {{"by", std::string("importance")}, {"tinted", true}, {"sorted", true}});
                 return window_->findChild<widgets::HeadGridView*>();
             }},
            {"head table, by importance",
             [this, headTable] {
                 auto* view = headTable();
                 choose("head-table", {{"sorted-by", std::string("importance")}, {"descending", true}});
                 return view;
             }},
            {"head page, with importance", headPage},
            {"lens", lens},
            {"lens of the twin",
             [this, lens] {
                 trigger("random-twin");
                 settle();
                 auto* view = lens();
                 choose("logit-lens", {{"of", std::string("twin")}});
                 return view;
             }},
            {"head page, beside the twin", headPage},
            {"random twin", [this]() -> QWidget* { return window_->findChild<widgets::RandomTwinPanel*>(); }},
            {"compare, keys", comparePage(widgets::CompareView::Page::Keys)},
            {"compare, rows", comparePage(widgets::CompareView::Page::Rows)},
            {"compare, output", comparePage(widgets::CompareView::Page::Output)}};
    }

    QWidget* shown(int number) {
        shown_ += number;
        window_->selection()->setHead({{trace::AttentionKind::Cross, 1}, 2});
        window_->selection()->setStep(2);
        auto* view = viewCases()[static_cast<std::size_t>(number)].show();
        settle();
        settle(); // what was asked for by an answer
        return view;
    }

    /// The view as it is written by default, beside what its command draws.
    void compareWithCommand(QWidget* view) {
        auto* figure = dynamic_cast<widgets::FigureSource*>(view);
        QVERIFY(figure && figure->hasFigure());
        const widgets::FigureOptions options{.size = figure->figureSize(),
                                             .dpi = 96}; // a quarter of the work
        const QImage ours = widgets::drawnImage(options, widgets::takenFigure(options, *figure));
        const auto command = window_->findChild<app::FigureExporter*>()->command(view).value_or(QString());
        QVERIFY2(drawn_views::byTheWindow.contains(drawn_views::viewOf(command)) ||
                     drawn_views::byTheCommand.contains(drawn_views::viewOf(command)),
                 qPrintable(command));
        const QString out = file("command.png");
        QFile::remove(out);
        run(command.section(" --out=", 0, 0) + " --dpi 96 --out " + out);
        drawn_views::look(QImage(out));
        drawn_ += drawn_views::viewOf(command);
        const QImage theirs = QImage(out).convertToFormat(QImage::Format_RGB32);
        if (theirs != ours)
            QVERIFY(ours.save(file("../copied-command-window.png")) &&
                    theirs.save(file("../copied-command.png")));
        QVERIFY2(theirs == ours, qPrintable(command));
    }

    /// Presses what a person would, in the dialog that asks for a file.
    static void answerFileDialog(const QString& path) {
        QTimer::singleShot(200, qApp, [path] {
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            QVERIFY(dialog);
            dialog->findChild<QLineEdit*>("fileNameEdit")->setText(path); // which has the focus
            static_cast<QDialog*>(dialog)->accept();
        });
    }

  private Q_SLOTS:
    void initTestCase() {
        open({.sentence = "The old man reads."});
        settle();
    }

    void cleanupTestCase() { window_.reset(); }

    /// Before anybody knows the hash of the weights.
    void twoFilesOfDataAreBothWrittenOnceTheHashIsKnown() {
        trigger("heatmap");
        settle();
        QSemaphore free;
        std::array<QObject, 3> holders; // of every thread that could read the weights
        for (QObject& holder : holders)
            queue()->compute(JobKind::Awaited, &holder, [&free] {
                free.acquire();
                return [] {};
            });
        QStringList saved;
        auto* exporter = window_->findChild<app::FigureExporter*>();
        connect(exporter, &app::FigureExporter::done, this, [&](const QString& words) { saved += words; });
        QWidget* view = window_->findChild<widgets::HeadGridView*>();
        for (const char* name : {"one.csv", "two.csv"}) {
            answerFileDialog(file(name));
            exporter->saveData(view);
        }
        QVERIFY(!QFile::exists(file("one.csv")) && saved.isEmpty());
        free.release(3);
        QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 2, 30000);
        QVERIFY(saved.front().contains("one") && saved.back().contains("two"));
        settle();
        QCOMPARE(saved.size(), 2);
        QVERIFY(!QDir(folder_.path()).entryList({"one*.csv"}).isEmpty());
        QVERIFY(!QDir(folder_.path()).entryList({"two*.csv"}).isEmpty());
        exporter->disconnect(this);
    }

    void aPreviewThatGaveWayToAFileIsDrawnWhenThatIsRefused() {
        trigger("heatmap");
        trigger(ActionId::SavePicture);
        auto* dialog = window_->findChild<FigureDialog*>();
        QVERIFY(dialog);
        auto* format = dialog->findChild<QComboBox*>("format");
        while (!dialog->isAnimated())
            QTest::keyClick(format, Qt::Key_Down);
        auto* field = dialog->findChild<QLineEdit*>("path");
        field->setText("/no/such/folder/film.png");
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(dialog->isSaving() && !dialog->preview()->isPlayable());
        QTRY_VERIFY_WITH_TIMEOUT(!dialog->isSaving(), 60000);
        QTRY_VERIFY_WITH_TIMEOUT(dialog->preview()->isPlayable(), 60000);
        dialog->reject();
        QTRY_VERIFY(!window_->findChild<FigureDialog*>());
    }

    void theDialogsCommandWritesTheFileThatItSaves_data() {
        QTest::addColumn<int>("format");
        QTest::newRow("png") << 0;
        QTest::newRow("svg") << 1;
        QTest::newRow("html") << 3;
    }

    void theDialogsCommandWritesTheFileThatItSaves() {
        QFETCH(int, format);
        trigger("heatmap");
        trigger(ActionId::SavePicture);
        auto* dialog = window_->findChild<FigureDialog*>();
        QVERIFY(dialog);
        auto* field = control<QLineEdit>(dialog, "path");
        field->setText(file("it's chosen.png"));
        for (const QString& name : QStringList{"Preset", "Colours"}) // a paper's column, dark
            QTest::keyClick(control<QComboBox>(dialog, name), Qt::Key_Down);
        for (int i = 0; i < format; ++i)
            QTest::keyClick(control<QComboBox>(dialog, "format"), Qt::Key_Down);
        control<QSpinBox>(dialog, "Dots per inch")->setValue(110);
        dialog->findChild<QCheckBox*>()->setChecked(true); // where it comes from
        control<QPushButton>(dialog, "copy")->click();
        const QString command = QApplication::clipboard()->text();
        QVERIFY(std::ranges::any_of(dialog->findChildren<QLabel*>(), [](const QLabel* label) {
            return label->text().contains("The command has been copied.");
        }));
        const QString path = dialog->path();
        QVERIFY(path.endsWith(QString(".") + QTest::currentDataTag()));
        QTest::keyClick(field, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(!window_->findChild<FigureDialog*>(), 20000);
        delete window_->findChild<FigureDialog*>();
        QSettings().remove("pictures/choices"); // the next dialog opens as ever
        const QByteArray ours = contentOf(path);
        QVERIFY(!ours.isEmpty() && QFile::remove(path));
        run(command);
        QCOMPARE(contentOf(path), ours);
    }

    void whatIsSeenIsDrawnByItsCommand_data() { addRows(viewCases()); }

    void whatIsSeenIsDrawnByItsCommand() {
        QFETCH(int, number);
        compareWithCommand(shown(number));
    }

    void whatImportanceIsOfIsSaidWhereItIsSeen() {
        measureImportance();
        const auto command = [this](const char* tint) {
            choose("importance", {{"of", std::string("sentence")}});
            choose("overview", {{"tint", std::string(tint)}, {"order", std::string("model")}});
            return window_->findChild<app::FigureExporter*>()->command(overview()).value_or(QString());
        };
        const QString with = command("importance");
        QVERIFY2(with.contains("importance-of=sentence"), qPrintable(with));
        const QString without = command("none");
        QVERIFY2(without.contains("--view=overview") && !without.contains("importance"), qPrintable(without));
        choose("importance", {{"of", std::string("step")}});
    }

    /// Of all those that can be opened.
    void noTwoViewsAreOfferedTheSameFile() {
        for (int number = 0; number < static_cast<int>(viewCases().size()); ++number)
            if (!shown_.contains(number))
                shown(number);
        trigger("masks");
        settle();
        std::map<QString, const QWidget*> names;
        for (const auto* view : window_->findChildren<QWidget*>()) {
            const auto* figure = dynamic_cast<const widgets::FigureSource*>(view);
            if (!figure || !figure->hasFigure())
                continue;
            const QString name = app::fileNameOf(*figure, *window_->selection());
            for (const QString& head : figure->figureText().head.split(", "))
                QVERIFY2(!name.isEmpty() && name.contains(head), qPrintable(name));
            const auto [known, isNew] = names.emplace(name, view); // a part may be its whole
            QVERIFY2(isNew || known->second->isAncestorOf(view), qPrintable(name));
        }
        QVERIFY(names.size() > 12);
        QVERIFY(names.contains("heatmap-cross.1.2") && names.contains("head-page-cross.1.2"));
        QStringList all;
        for (const auto& [name, view] : names)
            all += name;
        QVERIFY2(names.contains("masks-cross.1"), qPrintable(all.join(' ')));
    }

    void aPageOfPositionsThatIsZoomedIsDrawnWholeByItsCommand_data() {
        QTest::addColumn<int>("number");
        QTest::newRow("curves") << static_cast<int>(widgets::PositionalEncodingView::Page::Curves);
        QTest::newRow("table") << static_cast<int>(widgets::PositionalEncodingView::Page::Table);
    }

    /// The zoom is there again when the state is.
    void aPageOfPositionsThatIsZoomedIsDrawnWholeByItsCommand() {
        using Page = widgets::PositionalEncodingView::Page;
        QFETCH(int, number);
        trigger("positions");
        auto* view = window_->findChild<widgets::PositionalEncodingView*>();
        view->setPage(static_cast<Page>(number));
        settle();
        const bool isCurves = view->page() == Page::Curves;
        QWidget* plot = view->findChild<widgets::PositionCurves*>()->focusProxy();
        if (!isCurves)
            for (auto* map : view->findChildren<widgets::NumberMap*>())
                plot = map->isVisible() ? map : plot;
        const auto whole = window_->findChild<app::FigureExporter*>()->command(view);
        QVERIFY(whole && !whole->contains("zoom"));
        const QPointF at = plot->rect().center();
        QWheelEvent wheel(at, plot->mapToGlobal(at), {}, {0, 240}, {}, Qt::ControlModifier, Qt::NoScrollPhase,
                          false); // also where the page scrolls
        QCoreApplication::sendEvent(plot, &wheel);
        const QString part = view->partInWords();
        QVERIFY(!part.isEmpty());
        QVERIFY(view->isZoomed());
        QCOMPARE(window_->findChild<app::FigureExporter*>()->command(view), whole);
        const char* name = isCurves ? "curves-zoom" : "table-zoom";
        const auto state = window_->state()->capture();
        choose("positions", {{name, std::vector<double>()}});
        QCOMPARE(view->partInWords(), QString());
        window_->state()->apply(state, this);
        settle();
        QTRY_COMPARE(view->partInWords(), part);
        choose("positions", {{name, std::vector<double>()}});
        QCOMPARE(view->partInWords(), QString());
    }

    void aBranchIsComparedByItsCommand() {
        const auto& first = window_->controller()->run();
        const auto other = first->row(1).candidates.at(1).token.id;
        window_->controller()->choose(1, other);
        settle();
        QCOMPARE(window_->controller()->run()->paths.size(), std::size_t(2));
        trigger("workspace.compare");
        auto* view = window_->findChild<widgets::CompareView*>();
        view->bar()->setWith(widgets::CompareBar::With::Branch);
        settle();
        settle();
        QVERIFY(view->pair());
        compareWithCommand(view);
        auto* list = window_->findChild<widgets::PathsView*>();
        compareWithCommand(list);
        window_->controller()->showPath(0);
        settle();
        choose("branches", {{"names", std::vector<std::string>{"", "another"}}});
        compareWithCommand(list);
        const auto data = list->figureData();
        const auto& names = std::get<std::vector<std::string>>(data.tables.front().columns.front().values);
        QVERIFY(std::ranges::find(names, "another") != names.end());
        compareWithCommand(window_->findChild<widgets::DecodingView*>());
    }

    void aReferenceIsDrawnByItsCommandWhateverIsShown() {
        window_->controller()->force(std::string("Der alte Mann schreibt."));
        settle();
        auto* view = window_->findChild<widgets::ReferenceView*>();
        compareWithCommand(view);
        window_->controller()->showPath(0);
        settle();
        compareWithCommand(view);
    }

    void whatChangesDidIsDrawnByTheirCommand() {
        window_->selection()->setHead({{trace::AttentionKind::Cross, 1}, 2});
        trigger("heatmap");
        tests::bench(*window_)->open("what-if");
        trigger(ActionId::ToggleHead);
        settle();
        settle(); // what it is compared with, and the comparison
        compareWithCommand(window_->findChild<widgets::WhatIfView*>());
        trigger(ActionId::ClearChanges);
        settle();
    }

    /// With the entropies, for which the run is read once more.
    void whereTheModelHesitatedIsDrawnByItsCommand() {
        tests::bench(*window_)->open("hesitation");
        auto* view = window_->findChild<widgets::HesitationView*>();
        QTRY_VERIFY(!view->steps().empty() && view->steps().front().entropy);
        settle();
        compareWithCommand(view);
    }

    void theCardOfAHeadIsDrawnByItsCommand() {
        tests::bench(*window_)->open("head-card");
        auto* view = window_->findChild<widgets::HeadCard*>();
        QTRY_VERIFY(view->hasFigure());
        compareWithCommand(view);
    }

    void theCardOfACellIsDrawnByItsCommand() {
        tests::bench(*window_)->open("cell-card");
        auto* view = window_->findChild<widgets::CellCard*>();
        QTRY_VERIFY(view->hasFigure());
        compareWithCommand(view);
        window_->selection()->togglePinned(
            widgets::TokenFocus::cell(window_->selection()->head().site.kind, 1, 2));
        compareWithCommand(view);
    }

    void headsAsPointsAreDrawnByTheirCommand() {
        tests::bench(*window_)->open("head-scatter");
        auto* view = window_->findChild<widgets::HeadScatter*>();
        QTRY_VERIFY(view->hasFigure());
        compareWithCommand(view);
    }

    void whyATokenWasChosenIsDrawnByItsCommands() {
        trigger("why");
        settle();
        for (const char* card : {"why", "source-words", "logit-lens", "importance", "attribution"}) {
            QTRY_VERIFY(tests::bench(*window_)->view(card)->hasFigure());
            settle();
            compareWithCommand(tests::bench(*window_)->view(card));
        }
        tests::bench(*window_)->setWorkspace("heads");
    }

    /// Where all of the others ran before.
    void everyViewOfTheListWasDrawn() {
        if (QCoreApplication::arguments().size() > 1)
            QSKIP("only some were asked for");
        for (const QString& view : drawn_views::byTheCommand)
            QVERIFY2(drawn_.contains(view), qPrintable(view));
    }
};

HEADSCOPE_WATCHED_TEST(CopiedCommandTest)
#include "copied_command_test.moc"
