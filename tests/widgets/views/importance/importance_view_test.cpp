#include <QCheckBox>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include "model/analysis/heads/removal_orders.h"
#include "tests/watched_test.h"
#include "tests/widgets/example_importance.h"
#include "widgets/drawing/signed_bar.h"
#include "widgets/drawing/theme.h"
#include "widgets/export/figure_export.h"
#include "widgets/plots/drawn_plot.h"
#include "widgets/tables/column_table.h"
#include "widgets/views/importance/importance_card.h"
#include "widgets/views/importance/importance_columns.h"
#include "widgets/views/importance/importance_view.h"

using namespace headscope;
using namespace headscope::widgets;
using trace::AttentionKind;

namespace {

/// The importance of a run is known, and curves of which as many as are wanted.
class KnownCurves : public trace::KnownAnswers {
  public:
    explicit KnownCurves(std::shared_ptr<const trace::HeadImportance> importance)
        : importance_(std::move(importance)) {}

    std::size_t curves = 13;
    std::optional<trace::RefusalText> refused;

    bool isAwaited(const trace::Wanted&) const override { return false; }
    double shareOf(const trace::Wanted&) const override { return 0; }

  private:
    const Known* find(const trace::Wanted& wanted) const override {
        const auto known = std::ranges::find(known_, wanted, [](const auto& each) { return each->question; });
        if (known != known_.end())
            return known->get();
        const auto& question = std::get<trace::Question>(wanted);
        const auto* removal = std::get_if<trace::RemovalWhat>(&question.what);
        const auto* importance = std::get_if<trace::ImportanceWhat>(&question.what);
        if (importance && importance->ablation == importance_->ablation)
            return keep({.question = wanted, .found = trace::Answer(importance_), .refused = {}});
        if (removal && refused)
            return keep({.question = wanted, .found = {}, .refused = refused});
        if (!removal || known_.size() > curves)
            return nullptr;
        const auto loss = static_cast<float>(known_.size()); // another for each order
        return keep({.question = wanted,
                     .found = trace::Answer(example::removal(*importance_, *removal, loss)),
                     .refused = {}});
    }
    const Known* keep(Known known) const {
        return known_.emplace_back(std::make_unique<Known>(std::move(known))).get();
    }

    std::shared_ptr<const trace::HeadImportance> importance_;
    mutable std::vector<std::unique_ptr<Known>> known_;
};

} // namespace

class ImportanceViewTest : public QObject {
    Q_OBJECT

    std::unique_ptr<Selection> selection_;
    std::unique_ptr<ImportanceView> view_;
    DocumentState document_;

    ColumnTable* table() const { return view_->findChild<ColumnTable*>(); }
    QComboBox* box(const char* name) const {
        for (auto* each : view_->findChildren<QComboBox*>())
            if (each->accessibleName().contains(name))
                return each;
        return nullptr;
    }
    QPushButton* button(const char* text) const {
        for (auto* each : view_->findChildren<QPushButton*>())
            if (each->text() == text)
                return each;
        return nullptr;
    }
    bool says(const char* words) const {
        const auto labels = view_->findChildren<QLabel*>();
        return std::ranges::any_of(
            labels, [&](const QLabel* label) { return label->isVisible() && label->text().contains(words); });
    }
    QString headOf(int row) const {
        return table()->model()->index(row, ImportanceColumns::Head).data().toString();
    }
    QPoint placeOf(int row) const {
        return table()->visualRect(table()->model()->index(row, ImportanceColumns::Head)).center();
    }

    void showMeasured(std::shared_ptr<trace::Run> run = example::run()) {
        view_->setContent({.run = run, .importance = example::importance(*run)});
    }
    /// As the document and what is known of it say.
    void show(const KnownCurves& known, std::shared_ptr<trace::Run> run = example::run()) {
        document_.run = run;
        document_.model = run->model;
        document_.request = run->request;
        view_->setContext({.selection = selection_.get(), .document = &document_, .known = &known});
        view_->refresh();
    }
    const Plot* curve() const {
        const auto drawn =
            std::dynamic_pointer_cast<const DrawnPlot>(view_->findChild<ReadablePlot*>()->picture());
        return drawn ? &drawn->plot() : nullptr;
    }
    void showTwin(std::optional<std::uint64_t> seed, std::shared_ptr<const trace::HeadImportance> twin) {
        auto content = view_->content();
        content.twinSeed = seed;
        content.twin = std::move(twin);
        view_->setContent(content);
    }

  private Q_SLOTS:
    void init() {
        selection_ = std::make_unique<Selection>();
        selection_->setStep(5);
        view_ = std::make_unique<ImportanceView>(selection_.get());
        document_ = {};
        view_->setContext({.selection = selection_.get(), .document = &document_});
        connect(view_.get(), &View::intended, this, [this](const Intent& intent) {
            if (const auto* choice = std::get_if<intents::Choose>(&intent))
                document_.choices[choice->view][choice->name] = choice->value;
        });
        view_->setPalette(paletteOf(lightTheme()));
        view_->resize(420, 480);
        view_->show();
        QVERIFY(QTest::qWaitForWindowExposed(view_.get()));
    }

    void cleanup() {
        view_.reset();
        selection_.reset();
    }

    void theTwinIsBesideTheModelWhereTheyChoseTheSame() {
        showMeasured();
        const auto cell = [this](int column) { return table()->model()->index(0, column).data().toString(); };
        QVERIFY(table()->isColumnHidden(ImportanceColumns::Twin));
        showTwin(7, nullptr);
        QVERIFY(!table()->isColumnHidden(ImportanceColumns::Twin));
        QVERIFY(says("Twin: the same with random weights, seed 7."));
        QVERIFY(!view_->caption().contains("Twin")); // which others show without its column
        QCOMPARE(cell(ImportanceColumns::Twin), "\u2013");
        auto twin = example::importance(*example::run());
        twin->tokens.back().id = 77; // where a reference ends, each has a token of its own
        showTwin(7, twin);
        QCOMPARE(cell(ImportanceColumns::Twin), cell(ImportanceColumns::Importance));
        selection_->setStep(11);
        QCOMPARE(cell(ImportanceColumns::Twin), "\u2013");
        box("Scope of the importance")->setCurrentIndex(1);
        QCOMPARE(cell(ImportanceColumns::Twin), "\u2013");
        showTwin(std::nullopt, nullptr);
        QVERIFY(table()->isColumnHidden(ImportanceColumns::Twin));
    }

    void beforeAnythingIsDecodedMeasuringIsDisabledWithAReason() {
        QVERIFY(!button("Measure Head Importance")->isEnabled());
        QVERIFY(button("Measure Head Importance")->toolTip().contains("Nothing is decoded"));
        QVERIFY(says("Nothing is decoded"));
        QVERIFY(!view_->hasFigure());
    }

    void aModelWithoutAnOutputSaysWhyNothingCanBeMeasured() {
        auto run = example::run();
        auto model = example::model({});
        model->decoderLayers = 0;
        run->model = model;
        view_->setContent({.run = run});
        QVERIFY(!button("Measure Head Importance")->isEnabled());
        QVERIFY(says("no choice to explain"));
    }

    void theButtonAsksForMeasuring() {
        view_->setContent({.run = example::run()});
        const QSignalSpy asked(view_.get(), &ImportanceView::intended);
        QTest::mouseClick(button("Measure Head Importance"), Qt::LeftButton);
        QCOMPARE(asked.size(), 1);
    }

    void progressCountsTheHeadsAndCanBeCancelled() {
        const auto run = example::run();
        view_->setContent({.run = run, .isMeasuring = true});
        auto* bar = view_->findChild<QProgressBar*>();
        QVERIFY(bar->isVisible());
        QCOMPARE(bar->maximum(), 72);
        QCOMPARE(bar->value(), 0);
        auto partial = example::importance(*run);
        partial->complete = false;
        partial->effects.resize(30);
        view_->setContent({.run = run, .importance = partial, .isMeasuring = true});
        QCOMPARE(bar->value(), 30);
        QVERIFY(!table()->isVisible());
        QVERIFY(view_->scores().empty());
        const QSignalSpy cancelled(view_.get(), &ImportanceView::intended);
        QTest::mouseClick(button("Cancel"), Qt::LeftButton);
        QCOMPARE(cancelled.size(), 1);
    }

    void aRefusalStandsWhereTheListWouldBe() {
        const auto run = example::run();
        view_->setContent({.run = run, .refusal = "The heads could not be measured: open another model"});
        QVERIFY(says("The heads could not be measured"));
        QVERIFY(says("open another model"));
        view_->setContent({.run = run, .isMeasuring = true});
        QVERIFY(!says("could not be measured"));
    }

    void theListIsOfTheStepUntilItIsOfTheSentence() {
        showMeasured();
        QVERIFY(table()->isVisible());
        QCOMPARE(table()->model()->rowCount(), 72);
        const auto measured = example::importance(*example::run());
        const auto best = [&] { return view_->scores().front(); };
        QCOMPARE(best().importance, double(measured->effect(best().head)->importance[5]));
        QVERIFY(says("step 6 of 12"));
        selection_->setStep(2);
        QCOMPARE(best().importance, double(measured->effect(best().head)->importance[2]));
        box("Scope of the importance")->setCurrentIndex(1);
        QCOMPARE(best().importance, measured->effect(best().head)->total());
        QVERIFY(says("whole output (tokens: 12)"));
        selection_->setStep(4);
        QCOMPARE(best().importance, measured->effect(best().head)->total());
        selection_->setStep(99);
        box("Scope of the importance")->setCurrentIndex(0);
        QVERIFY(says("step 12 of 12"));
    }

    void aClickAndTheArrowKeysSelectTheHeadEverywhere() {
        showMeasured();
        QTest::mouseClick(table()->viewport(), Qt::LeftButton, {}, placeOf(3));
        QCOMPARE(QString::fromStdString(trace::toString(selection_->head())), headOf(3));
        QTest::keyClick(table(), Qt::Key_Down);
        QCOMPARE(QString::fromStdString(trace::toString(selection_->head())), headOf(4));
        QTest::keyClick(table(), Qt::Key_Down, Qt::ShiftModifier);
        QCOMPARE(QString::fromStdString(trace::toString(selection_->head())), headOf(5));
        QCOMPARE(table()->selectionModel()->selectedRows().size(), 1);
        const QSignalSpy opened(view_.get(), &ImportanceView::intended);
        QTest::keyClick(table(), Qt::Key_Return);
        QCOMPARE(opened.size(), 1);
        QVERIFY(std::holds_alternative<intents::OpenHead>(opened.front().front().value<Intent>()));
    }

    void copiedRowsHaveEachNumberOnce() {
        showMeasured();
        const QStringList lines = table()->selectedText().split('\n');
        QCOMPARE(lines.front(), "#\tHead\tNats\tKL");
        QVERIFY(lines.size() > 1);
        QCOMPARE(lines[1].count('\t'), 3);
    }

    void theSelectedHeadIsMarkedAndComesIntoSight() {
        showMeasured();
        const auto last = view_->scores().back().head;
        selection_->setHead(last);
        const auto rows = table()->selectionModel()->selectedRows();
        QCOMPARE(rows.size(), 1);
        QCOMPARE(rows.front().row(), 71);
        QVERIFY(table()->viewport()->rect().contains(placeOf(71)));
        // Another order shows its top; the head stays the same.
        selection_->setStep(1);
        QCOMPARE(table()->indexAt({4, 4}).row(), 0);
        QVERIFY(selection_->head() == last);
        box("Kinds")->setCurrentIndex(last.site.kind == AttentionKind::Cross ? 1 : 3);
        QVERIFY(table()->selectionModel()->selectedRows().isEmpty());
        QVERIFY(selection_->head() == last);
    }

    void focusAloneSelectsNothing() {
        showMeasured();
        selection_->setHead({{AttentionKind::Cross, 9}, 9}); // not in the list
        table()->clearFocus();
        table()->setFocus(Qt::TabFocusReason);
        QVERIFY(selection_->head() == (trace::HeadAddress{{AttentionKind::Cross, 9}, 9}));
    }

    void headersSortTheLargestFirst() {
        showMeasured();
        auto* header = table()->horizontalHeader();
        const auto click = [&](int column) {
            const QPoint place(header->sectionViewportPosition(column) + 8, header->height() / 2);
            QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, place);
        };
        const auto divergence = [&](int row) {
            return table()->model()->index(row, ImportanceColumns::Divergence).data().toString().toDouble();
        };
        click(ImportanceColumns::Divergence);
        QVERIFY(divergence(0) >= divergence(1) && divergence(1) >= divergence(71));
        click(ImportanceColumns::Head);
        QCOMPARE(headOf(0), "encoder.0.0");
        click(ImportanceColumns::Importance);
        QCOMPARE(headOf(0), QString::fromStdString(trace::toString(view_->scores().front().head)));
        click(ImportanceColumns::Importance);
        QCOMPARE(headOf(0), QString::fromStdString(trace::toString(view_->scores().back().head)));
    }

    void aDoubleClickSwitchesTheHead() {
        showMeasured();
        const QSignalSpy toggled(view_.get(), &ImportanceView::intended);
        QTest::mouseClick(table()->viewport(), Qt::LeftButton, {}, placeOf(2));
        QTest::mouseDClick(table()->viewport(), Qt::LeftButton, {}, placeOf(2));
        QCOMPARE(toggled.size(), 1);
        const auto intent = toggled.front().front().value<Intent>();
        QVERIFY(std::get<intents::ToggleHead>(intent).head == selection_->head());
    }

    void theHeadUnderThePointerIsFound() {
        showMeasured();
        const QPoint place = table()->viewport()->mapTo(view_.get(), placeOf(1));
        const auto pointed = view_->pointedAt(place);
        QVERIFY(pointed && QString::fromStdString(trace::toString(pointed->head)) == headOf(1));
        QVERIFY(!view_->pointedAt({2, 2}));
        view_->setContent({.run = example::run()});
        QVERIFY(!view_->pointedAt(place));
    }

    void barsPointToTheSideOfTheirSign() {
        QImage image(201, 9, QImage::Format_RGB32);
        const auto drawn = [&](double value) {
            image.fill(Qt::white);
            QPainter painter(&image);
            drawSignedBar(painter, QRectF(image.rect()), value, 1, lightTheme());
            painter.end();
            return std::pair(image.pixelColor(60, 4), image.pixelColor(140, 4));
        };
        QCOMPARE(drawn(1), (std::pair(QColor(Qt::white), aboveZeroColour(lightTheme()))));
        QCOMPARE(drawn(-1), (std::pair(belowZeroColour(lightTheme()), QColor(Qt::white))));
        QCOMPARE(drawn(0), (std::pair(QColor(Qt::white), QColor(Qt::white))));
        QCOMPARE(drawn(std::nan("")), (std::pair(QColor(Qt::white), QColor(Qt::white))));
        for (const Theme* theme : {&lightTheme(), &darkTheme()})
            for (const QColor& ground : {theme->background, theme->panel}) {
                QVERIFY(contrastRatio(aboveZeroColour(*theme), ground) >= 3);
                QVERIFY(contrastRatio(belowZeroColour(*theme), ground) >= 3);
            }
    }

    void narrowPanesKeepTheNumberAndGiveUpTheRest() {
        showMeasured();
        QVERIFY(!table()->isColumnHidden(ImportanceColumns::Bar));
        int width = view_->width(); // which it is depends on the font
        while (!table()->isColumnHidden(ImportanceColumns::Bar) && width > view_->minimumSizeHint().width())
            view_->resize(--width, 480);
        QVERIFY(table()->isColumnHidden(ImportanceColumns::Bar));
        QVERIFY(!table()->isColumnHidden(ImportanceColumns::Divergence));
        view_->resize(view_->minimumSizeHint().width(), 480);
        QVERIFY(!table()->isColumnHidden(ImportanceColumns::Importance));
    }

    void whereThereIsLittleRoomTheCaptionIsShortAndTheListStays() {
        showMeasured();
        QVERIFY(says("original output forced"));
        view_->resize(300, 240);
        QVERIFY(says("(step 6 of 12)."));
        QVERIFY(!says("original output forced"));
        QVERIFY(view_->caption().contains("original output forced"));
        QVERIFY(table()->viewport()->height() > 2 * table()->rowHeight(0));
        view_->resize(420, 480);
        QVERIFY(says("original output forced"));
    }

    void theRemovalCurveIsAskedForWhereItIsChosen() {
        const auto importance = example::importance(*example::run());
        const KnownCurves known(importance);
        show(known);
        QVERIFY(table()->isVisible());
        QVERIFY(view_->questions().empty() && !view_->findChild<ReadablePlot*>()->isVisible());
        QCOMPARE(view_->figureData().tables.size(), 1U);
        view_->findChild<QCheckBox*>()->click();
        QCOMPARE(std::get<bool>(document_.choices["importance"]["curve"]), true);
        view_->refresh();
        const auto questions = view_->questions();
        QCOMPARE(questions.size(), 13U);
        const auto first = std::get<trace::RemovalWhat>(std::get<trace::Question>(questions.front()).what);
        QVERIFY(first == analysis::byImportance(*importance, 5));
        QVERIFY(view_->findChild<ReadablePlot*>()->isVisible());
        QCOMPARE(curve()->series.size(), 4U);
        QVERIFY(curve()->note.isEmpty());
        selection_->setStep(2); // of which another order is wanted
        QVERIFY(std::get<trace::RemovalWhat>(std::get<trace::Question>(view_->questions().front()).what) ==
                analysis::byImportance(*importance, 2));
    }

    void theCurveIsExportedBelowTheList() {
        const auto importance = example::importance(*example::run());
        KnownCurves known(importance);
        known.curves = 5; // by importance, and four at random
        document_.choices["importance"]["curve"] = true;
        const auto room = [&] { return view_->figureBlocks()->size({}).height(); };
        showMeasured();
        const int low = room();
        show(known);
        QVERIFY(room() > low);
        QVERIFY(curve()->note.contains("4 of 12"));
        QVERIFY(view_->figureText().caption.contains("4 random orders"));
        const auto data = view_->figureData();
        QCOMPARE(data.tables.size(), 2U);
        const auto& table = data.tables.back();
        QCOMPARE(table.name, "removal");
        const auto column = [&](const char* name) {
            const auto found = std::ranges::find(table.columns, name, &trace::DataColumn::title);
            return std::get<std::vector<double>>(found->values);
        };
        QCOMPARE(column("removed").back(), 72.0);
        QCOMPARE(column("by_importance")[3], -3.0);
        QCOMPARE(column("random_mean")[3], -3 * 3.5); // of 2, 3, 4 and 5
        QCOMPARE(column("random_minimum")[3], -15.0);
        QCOMPARE(column("random_maximum")[3], -6.0);
        const auto& heads = std::get<std::vector<std::string>>(table.columns[1].values);
        QCOMPARE(heads.front(), "");
        QCOMPARE(QString::fromStdString(heads[1]), headOf(0));
        QVERIFY(!view_->lacks());
    }

    void aCurveThatATraceDoesNotHoldIsLacking() {
        KnownCurves known(example::importance(*example::run()));
        known.refused =
            trace::RefusalText{.what = "This trace holds no removal curves", .wayOut = "record it"};
        document_.choices["importance"]["curve"] = true;
        show(known);
        QVERIFY(table()->isVisible() && curve()->series.empty());
        QVERIFY(curve()->whyNothing.contains("record it"));
        QCOMPARE(view_->lacks()->choice, "curve");
        QCOMPARE(view_->lacks()->why->what, "This trace holds no removal curves");
    }

    void headsAreRemovedAsItIsChosen() {
        auto importance = example::importance(*example::run());
        importance->ablation = {.kind = trace::Ablation::Kind::Resample, .sentence = "We drink tea."};
        const KnownCurves known(importance);
        show(known);
        QVERIFY(!table()->isVisible());
        document_.samples.sentences = {"We drink tea."};
        auto* ablation = box("Ablation");
        const auto choose = [&](int index) {
            ablation->setCurrentIndex(index);
            Q_EMIT ablation->activated(index);
            view_->refresh();
        };
        choose(1);
        QVERIFY(ablationOf(document_).kind == trace::Ablation::Kind::Mean);
        QVERIFY(!table()->isVisible());
        choose(2);
        QVERIFY(ablationOf(document_) == importance->ablation);
        QVERIFY(table()->isVisible());
        QVERIFY(view_->caption().contains("We drink tea."));
        QCOMPARE(view_->findChild<QLineEdit*>("ablation-sentence")->text(), "We drink tea.");
    }

    void howHeadsAreRemovedIsChosenOnTheCardToo() {
        auto importance = example::importance(*example::run());
        importance->ablation = {.kind = trace::Ablation::Kind::Mean};
        const KnownCurves known(importance);
        document_.choices["importance"]["ablation"] = std::string("mean");
        show(known);
        const auto* card = view_->findChild<ImportanceCard*>();
        const auto isOnCard = [&] { return card->isAncestorOf(box("Ablation")); };
        QVERIFY(!isOnCard());
        view_->setCard(true);
        QVERIFY(isOnCard());
        QTRY_VERIFY(box("Ablation")->isVisible());
        QCOMPARE(box("Ablation")->currentIndex(), 1);
        QVERIFY(!view_->findChild<QLineEdit*>("ablation-sentence")->isVisible());
        QCOMPARE(card->table()->model()->headerData(0, Qt::Horizontal, Qt::DisplayRole).toString(),
                 QStringLiteral("head set to its mean"));
        view_->setCard(false);
        QVERIFY(!isOnCard());
    }

    void aClassifierHasOneOutput() {
        auto run = example::run();
        auto model = example::model({});
        model->decoderLayers = 0;
        model->classes = 3;
        run->model = model;
        run->target.clear();
        run->next.clear();
        auto measured = std::make_shared<trace::HeadImportance>();
        measured->tokens = {example::token(2, "class")};
        measured->effects = {{{{AttentionKind::EncoderSelf, 0}, 0}, {0.25F}, {0.5F}},
                             {{{AttentionKind::EncoderSelf, 0}, 1}, {0.75F}, {0.125F}}};
        measured->complete = true;
        view_->setContent({.run = run, .importance = measured});
        QCOMPARE(headOf(0), "encoder.0.1");
        QVERIFY(!box("Scope of the importance")->isVisible());
        QVERIFY(says("log-probability of #2"));
    }

    void theListIsSavedAsText() {
        QVERIFY(!view_->hasFigure());
        showMeasured();
        for (const FigureFormat format : {FigureFormat::Png, FigureFormat::Svg, FigureFormat::Pdf}) {
            const FigureBytes figure =
                figureBytes({.format = format, .size = view_->figureSize(), .dpi = 96}, *view_);
            QCOMPARE(figure.error, QString());
            if (format != FigureFormat::Svg)
                continue;
            for (const QString& words : {headOf(0), headOf(47), headOf(71)})
                QVERIFY2(figure.bytes.contains(words.toUtf8()), qPrintable(words));
            QVERIFY(!figure.bytes.contains("<image"));
        }
        QCOMPARE(view_->figureText().title, "Head importance at step 6");
        QVERIFY(view_->figureText().provenance.startsWith("example-en-de"));
    }

    void hundredsOfHeadsAreListedAtOnce() {
        showMeasured(example::run({.heads = 16, .layers = 12}));
        QCOMPARE(table()->model()->rowCount(), 576);
        selection_->setStep(3);
        QVERIFY(!view_->grab().isNull());
    }
};

HEADSCOPE_WATCHED_TEST(ImportanceViewTest)
#include "importance_view_test.moc"
