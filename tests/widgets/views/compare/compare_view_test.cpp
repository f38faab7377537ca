#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QTest>
#include <QToolButton>

#include "model/trace/copied_matrix.h"
#include "tests/watched_test.h"
#include "tests/widgets/example_compare.h"
#include "tests/widgets/example_long_run.h"
#include "widgets/export/figure_export.h"
#include "widgets/map/linked_maps.h"
#include "widgets/tables/column_table.h"
#include "widgets/views/compare/change_strip.h"
#include "widgets/views/compare/compare_titles.h"
#include "widgets/views/compare/compare_view.h"
#include "widgets/words/captions.h"

using namespace headscope;
using trace::AttentionKind;
using widgets::CompareView;
using widgets::OtherHead;
using widgets::TokenFocus;

/// The example's run beside one of a sentence with a token replaced and one more.
class CompareViewTest : public QObject {
    Q_OBJECT

    widgets::Selection* selection_ = nullptr;
    std::unique_ptr<CompareView> view_;
    example::AnsweredAtOnce* answers_ = nullptr;
    widgets::ComparedPair pair_;

    void answer() {
        const auto question = view_->question();
        QVERIFY(question);
        answers_->give(*question, question->count({}));
    }
    void answerHeads() {
        const widgets::ComparedHeads heads{pair_};
        answers_->give(heads, heads.count({}));
    }

    /// Of the heads that changed most.
    widgets::ChangedMaps smallMaps() const {
        widgets::ChangedMaps small{.pair = pair_, .heads = {}};
        for (const auto& change : widgets::mostChangedFirst(view_->changes()))
            if (small.heads.size() < widgets::ChangeStrip::mostTiles)
                small.heads.emplace_back(change.head, change.other);
        return small;
    }

    void takeBAway() {
        view_->bar()->setSentence({});
        view_->bar()->enterSentence();
    }

    /// Words in a label that is seen.
    bool isShown(const QString& words) const {
        return std::ranges::any_of(view_->findChildren<QLabel*>(), [&](const auto* label) {
            return label->isVisible() && label->text().contains(words);
        });
    }

    analysis::RunAlignment aligned() const { return analysis::alignRuns(*pair_.first, *pair_.second); }
    analysis::AlignedAxis rows() const { return aligned().queriesOf(AttentionKind::Cross); }
    analysis::AlignedAxis keys() const { return aligned().keysOf(AttentionKind::Cross); }

    const std::vector<widgets::LinkedMap>& maps() const { return view_->maps()->maps(); }

    widgets::ColumnTable* table(const char* name) const {
        for (auto* table : view_->findChildren<widgets::ColumnTable*>())
            if (table->accessibleName() == name)
                return table;
        return nullptr;
    }

  private Q_SLOTS:
    void init() {
        delete selection_;
        selection_ = new widgets::Selection(this);
        selection_->setHead(example::aligningHead);
        view_ = std::make_unique<CompareView>(selection_);
        answers_ = example::givenAnswers(view_.get());
        view_->resize(900, 700);
        view_->show();
        QVERIFY(QTest::qWaitForWindowExposed(view_.get()));
        const auto run = example::run();
        pair_ = {.first = run, .second = example::edited(*run)};
        example::compare(*answers_, pair_);
    }

    void cleanup() { view_.reset(); }

    void itAsksForWhatIsNotThereYet() {
        QVERIFY(view_->question()->head == example::aligningHead);
        QCOMPARE(answers_->awaited().size(), 1u);
        answer();
        QCOMPARE(answers_->awaited().size(), 1u); // the heads, which waited for the maps
        answerHeads();
        QCOMPARE(answers_->awaited().size(), 1u); // their small maps
        const auto small = smallMaps();
        answers_->give(small, small.count({}));
        QVERIFY(answers_->awaited().empty());
        view_->setPage(CompareView::Page::Output);
        QCOMPARE(answers_->awaited().size(), 1u); // what only this page shows
        view_->setPage(CompareView::Page::Heads);
        selection_->setHead(example::aligningHead);
        QVERIFY(answers_->awaited().empty());
        selection_->setHead({{AttentionKind::EncoderSelf, 1}, 2});
        QCOMPARE(answers_->awaited().size(), 1u);
    }

    void whatIsRefusedIsSaidAndAskedForAgainOnAnotherPage() {
        answers_->setRefusal(trace::RefusalText{.what = "This computation was stopped"});
        answers_->setHolding(false);
        const auto says = [this] {
            const auto labels = view_->findChildren<QLabel*>();
            return std::ranges::count_if(labels, [](const QLabel* label) {
                return label->text().contains("This computation was stopped.");
            });
        };
        QCOMPARE(says(), 3); // of the maps, and of the heads above and in the drawer
        answers_->setHolding(true);
        answers_->setRefusal({});
        QVERIFY(answers_->awaited().empty());
        view_->setPage(CompareView::Page::Rows);
        QCOMPARE(answers_->awaited().size(), 1u);
        QCOMPARE(says(), 0);
    }

    void threeMapsStandOnTheSameAxes() {
        answer();
        QCOMPARE(maps().size(), 3u);
        const auto rows = this->rows().places.size();
        const auto columns = keys().places.size();
        for (const auto& map : maps()) {
            QCOMPARE(map.values.rows(), rows);
            QCOMPARE(map.values.columns(), columns);
        }
        QVERIFY(maps()[2].mask(0, 0));
        for (std::size_t r = 0; r < rows; ++r)
            for (std::size_t c = 0; c < columns; ++c)
                if (maps()[2].mask(r, c))
                    QCOMPARE(maps()[2].values(r, c), maps()[1].values(r, c) - maps()[0].values(r, c));
    }

    /// Beyond what is kept whole smaller pictures stand, in which nothing hot or cold vanishes.
    void longMapsAreComparedInSmallerPictures() {
        constexpr std::size_t tokens = 1500;
        const auto first = example::longSource(tokens, 5);
        auto second = std::make_shared<trace::Run>(*example::longSource(tokens, 6));
        second->model = first->model;
        second->source[700] = {.id = 99999, .piece = "new"};
        second->source.erase(second->source.begin() + 3); // its last row has no token then
        for (auto* records : {&second->encoder, &second->cross})
            for (auto& record : *records)
                record.rule = std::make_shared<trace::RecomputeRecipe>(*record.rule);
        second->source.push_back(first->source.back());
        const trace::HeadAddress head{{AttentionKind::EncoderSelf, 1}, 5};
        selection_->setHead(head);
        pair_ = {.first = first, .second = second};
        example::compare(*answers_, pair_);
        const auto answered = view_->question()->count({});
        answers_->give(answered.question, answered);
        QVERIFY(view_->hasFigure());
        QVERIFY2(view_->caption().contains("Each cell of the pictures covers 3 x 3 cells"),
                 qPrintable(view_->caption()));
        const auto alignment = aligned();
        const auto& queries = alignment.queriesOf(AttentionKind::EncoderSelf);
        const auto& keys = alignment.keysOf(AttentionKind::EncoderSelf);
        const auto whole = analysis::compareMaps(
            analysis::unitMap(*first, head, queries.first, keys.first),
            analysis::unitMap(*second, head, queries.second, keys.second), queries, keys);
        QVERIFY2(view_->caption().contains("at most " + widgets::numberText(whole.largest)),
                 qPrintable(view_->caption()));
        const auto expected = widgets::pooled(
            {.tone = widgets::LinkedMap::Tone::Scores, .values = whole.change, .mask = whole.both}, 512);
        QCOMPARE(maps()[2].values, expected.values);
        QCOMPARE(maps()[2].mask, expected.mask);
        // What is said of a cell is exact, whichever cell it is.
        std::size_t hot = 0;
        for (std::size_t cell = 0; cell < whole.change.values().size(); ++cell)
            if (std::abs(whole.change.values()[cell]) > std::abs(whole.change.values()[hot]))
                hot = cell;
        const auto row = hot / whole.change.columns();
        const auto column = hot % whole.change.columns();
        const auto words = widgets::compareCellInWords(whole, row, column, "there");
        const auto again = widgets::comparedRow(answered, row);
        QCOMPARE(widgets::compareCellInWords(again, 0, column, "there"), words);
        const auto corner = widgets::compareCellInWords(whole, 0, 0, QString());
        QVERIFY(view_->maps()->cellInWords({0, 0}).endsWith(corner));
        view_->bar()->setAlignedOnly(true);
        QCOMPARE(maps()[2].values.rows(), (queries.pairs() + 2) / 3);
    }

    void theTablesAreExportedToo() {
        answer();
        answerHeads();
        view_->setPage(CompareView::Page::Output);
        const auto data = view_->figureData();
        const auto table = [&](const char* name) {
            const auto found = std::ranges::find(data.tables, name, &trace::DataTable::name);
            return found == data.tables.end() ? trace::DataTable() : *found;
        };
        const auto numbers = [](const trace::DataTable& of, std::size_t column) {
            return std::get<std::vector<double>>(of.columns.at(column).values);
        };
        const auto heads = table("heads");
        QCOMPARE(heads.rows(), view_->changes().size());
        const auto divergences = numbers(heads, 2);
        QVERIFY(std::ranges::is_sorted(divergences, std::ranges::greater())); // as they stand in the table
        QCOMPARE(divergences.front(),
                 view_->changes().at(static_cast<std::size_t>(view_->heads()->rows().front())).divergence);
        const auto rowsTable = table("rows");
        QCOMPARE(rowsTable.rows(), rows().places.size());
        const auto compared =
            widgets::CompareQuestion{.pair = pair_, .head = example::aligningHead}.count({}).maps;
        for (std::size_t row = 0; row < rowsTable.rows(); ++row)
            QCOMPARE(numbers(rowsTable, 2)[row],
                     compared.rowComparisons[row] ? compared.rowComparisons[row]->divergence : std::nan(""));
        const auto keysTable = table("keys");
        QCOMPARE(keysTable.rows(), keys().places.size());
        // Pieces as in every other view's data, of A and of B.
        const auto piecesOf = [](const trace::DataTable& of, std::size_t column) {
            return std::get<std::vector<std::string>>(of.columns.at(column).values);
        };
        std::vector<std::string> ofFirst, ofSecond;
        for (const auto& place : keys().places) {
            ofFirst.push_back(place.first ? pair_.first->source.at(*place.first).piece : "");
            ofSecond.push_back(place.second ? pair_.second->source.at(*place.second).piece : "");
        }
        QCOMPARE(piecesOf(keysTable, 0), ofFirst);
        QCOMPARE(piecesOf(keysTable, 1), ofSecond);
        QVERIFY(ofFirst != ofSecond);
        QVERIFY(std::ranges::count(ofFirst, "") + std::ranges::count(ofSecond, "") > 0);
        for (std::size_t key = 0; key < ofFirst.size(); ++key) {
            const auto& label = data.arrays.at(2).axes.at(1).labels.at(key);
            // Where one of them has nothing, what the other has.
            QCOMPARE(data.arrays.at(0).axes.at(1).labels.at(key),
                     ofFirst[key].empty() ? label : ofFirst[key]);
            QCOMPARE(data.arrays.at(1).axes.at(1).labels.at(key),
                     ofSecond[key].empty() ? label : ofSecond[key]);
            const auto orNothing = [](const std::string& piece) { return piece.empty() ? "–" : piece; };
            QCOMPARE(label, ofFirst[key] == ofSecond[key]
                                ? ofFirst[key]
                                : orNothing(ofFirst[key]) + " | " + orNothing(ofSecond[key]));
        }
        const auto said = analysis::compareSaid(*pair_.first, *pair_.second, analysis::AlignBy::Pieces);
        QCOMPARE(table("output").rows(), said.axis.places.size());
    }

    void thePageThatIsSeenStandsUnderTheMapsOfThePicture() {
        answer();
        const auto drawn = [this] {
            const auto svg = widgets::figureBytes(
                {.format = widgets::FigureFormat::Svg, .size = view_->figureSize()}, *view_);
            return QString::fromUtf8(svg.bytes);
        };
        const int mapsAlone = view_->figureSize().height(); // heads are not compared yet
        QVERIFY(!drawn().contains(">Divergence<"));
        answerHeads();
        const QString heads = drawn();
        QVERIFY(heads.contains(">Divergence<") && heads.contains(">Largest change<"));
        QVERIFY(!heads.contains(">Nearest in B<")); // which is the head itself
        for (const auto& change : view_->changes())
            QVERIFY(heads.contains(QString::fromStdString('>' + trace::toString(change.head) + '<')));
        QVERIFY(view_->figureSize().height() > mapsAlone + 16 * qsizetype(view_->changes().size()));
        QVERIFY(view_->figureText().caption.contains("mean divergence"));
        view_->setPage(CompareView::Page::Rows);
        QVERIFY(drawn().contains(">Entropy, A<") && !drawn().contains(">Largest change<"));
        view_->setPage(CompareView::Page::Keys);
        QVERIFY(drawn().contains(">Column total, A<"));
        view_->setPage(CompareView::Page::Output);
        QVERIFY(drawn().contains(">Log-prob., A<") && drawn().contains(">B \u2212 A<"));
    }

    void selectedHeadsAreCopiedWithAllDigits() {
        answer();
        answerHeads();
        auto* heads = table("Heads by amount of change");
        heads->setFocus();
        widgets::PictureOptions picture;
        QVERIFY(view_->exportChoices(picture, {}));
        heads->sortByColumn(0, Qt::DescendingOrder);
        QVERIFY(!view_->exportChoices(picture, {})); // no command says so
        heads->selectAll();
        QTest::keyClick(heads, Qt::Key_C, Qt::ControlModifier);
        const auto lines = QApplication::clipboard()->text().split('\n');
        QCOMPARE(lines.size(), qsizetype(view_->changes().size()) + 1);
        QVERIFY(lines.front().startsWith("Head\tDivergence\t"));
        const auto& first = view_->changes().at(static_cast<std::size_t>(heads->rows().front()));
        QVERIFY(lines.at(1).startsWith(QString::fromStdString(trace::toString(first.head)) + '\t' +
                                       QString::number(first.divergence, 'g', 9) + '\t'));
        QVERIFY(selection_->head() == example::aligningHead); // selecting many looks at none of them
    }

    void threeMapsStandInOneRowOrInThree() {
        answer();
        const auto top = [this](std::size_t map) { return view_->maps()->cellRect(map, {0, 0}).top(); };
        const auto left = [this](std::size_t map) { return view_->maps()->cellRect(map, {0, 0}).left(); };
        QVERIFY((top(0) == top(1) && top(1) == top(2)) || (left(0) == left(1) && left(1) == left(2)));
    }

    void mapsBesideEachOtherShareTheirLabelsAndHaveEqualCells() {
        view_->resize(640, 620);
        answer();
        const auto cell = [this](std::size_t map, int column) {
            return view_->maps()->cellRect(map, {0, column});
        };
        const int last = static_cast<int>(maps()[0].values.columns()) - 1;
        if (cell(0, 0).top() != cell(1, 0).top())
            QSKIP("They stand below each other.");
        for (const std::size_t map : {std::size_t(1), std::size_t(2)})
            QVERIFY(std::abs(cell(map, last).right() - cell(map, 0).left() -
                             (cell(0, last).right() - cell(0, 0).left())) <= 1);
        // Nothing but a gap is between A and B: the labels stand at A, the legend of both at B.
        QVERIFY(cell(1, 0).left() - cell(0, last).right() < 30);
    }

    void inALowViewMapsAndTablesKeepTheirHeightAndTheViewScrolls() {
        answer();
        view_->setDrawerOpen(true);
        view_->resize(640, 220);
        QCoreApplication::processEvents();
        QVERIFY(view_->height() < 300);
        QVERIFY(view_->maps()->height() >= 11 * view_->fontMetrics().height());
        QVERIFY(view_->heads()->height() >= 6 * view_->fontMetrics().height());
    }

    void theTextsStandAboveTheMapsWithDifferingWordsOutlined() {
        answer();
        answerHeads();
        const auto& titles = view_->titles()->titles();
        QCOMPARE(titles[0].name, QString("A"));
        QCOMPARE(titles[1].name, QString("B"));
        const auto said = analysis::compareSaid(*pair_.first, *pair_.second, analysis::AlignBy::Pieces);
        const auto isSame = [&](std::size_t token, std::optional<std::size_t> analysis::AlignedPlace::*side) {
            return std::ranges::any_of(said.axis.places,
                                       [&](const auto& place) { return place.*side == token && place.same; });
        };
        for (const auto& [title, tokens, side] :
             {std::tuple(&titles[0], &said.first.tokens, &analysis::AlignedPlace::first),
              std::tuple(&titles[1], &said.second.tokens, &analysis::AlignedPlace::second)}) {
            QString differing, outlined;
            for (std::size_t t = 0; t < tokens->size(); ++t)
                if (!isSame(t, side))
                    differing += widgets::tokenLabel(*tokens, t).text;
            for (const auto& word : title->words)
                if (word.changed)
                    outlined += word.text.trimmed();
            QVERIFY(!differing.isEmpty());
            QVERIFY2(outlined.contains(differing) || differing.size() < outlined.size(),
                     qPrintable(outlined + " / " + differing)); // a word has more tokens
        }
        QVERIFY(std::ranges::any_of(titles[0].words, std::not_fn(&widgets::OutlinedWord::changed)));
        const auto sorted = widgets::mostChangedFirst(view_->changes());
        const auto own = std::ranges::find(sorted, selection_->head(), &analysis::HeadChange::head);
        QCOMPARE(titles[2].place,
                 QString("change: rank %1 of %2").arg(own - sorted.begin() + 1).arg(sorted.size()));
    }

    void theStripShowsTheHeadsThatChangedMostAndKeepsItsOrder() {
        view_->resize(1400, 760);
        answer();
        answerHeads();
        const auto sorted = widgets::mostChangedFirst(view_->changes());
        std::vector<trace::HeadAddress> most;
        for (std::size_t i = 0; i < widgets::ChangeStrip::mostTiles; ++i)
            most.push_back(sorted[i].head);
        QCOMPARE(view_->strip()->heads(), most);
        const auto small = smallMaps();
        QCOMPARE(answers_->awaited(), std::vector<trace::Wanted>{trace::Counted(small)});
        const auto maps = small.count({});
        for (std::size_t i = 0; i < most.size(); ++i) { // small maps of so few tokens are the whole ones
            const auto whole = example::compared(pair_, most[i]).maps;
            QCOMPARE(maps[i].values, whole.change);
            QCOMPARE(maps[i].largest, whole.largest);
            QCOMPARE(maps[i].largest, std::abs(sorted[i].largest));
        }
        answers_->give(small, maps);
        const auto tiles = view_->strip()->findChildren<QAbstractButton*>();
        const auto tile = std::ranges::find(tiles, QString::fromStdString(trace::toString(most[4])),
                                            &QAbstractButton::accessibleName);
        QVERIFY(tile != tiles.end());
        (*tile)->click();
        QVERIFY(selection_->head() == most[4]);
        QCOMPARE(view_->strip()->heads(), most);
        QVERIFY((*tile)->isChecked());
    }

    void bracketsGoThroughTheHeadsByTheirChange() {
        answer();
        answerHeads();
        const auto sorted = widgets::mostChangedFirst(view_->changes());
        selection_->setHead(sorted[3].head);
        QTest::keyClick(view_.get(), ']');
        QVERIFY(selection_->head() == sorted[4].head);
        QTest::keyClick(view_.get(), '[');
        QTest::keyClick(view_.get(), '[');
        QVERIFY(selection_->head() == sorted[2].head);
        view_->act("more-changed");
        view_->act("more-changed");
        view_->act("more-changed");
        QVERIFY(selection_->head() == sorted[0].head); // and stays there
    }

    void theBaseOfAnAdapterIsOpenedAsTheSecondModel() {
        auto adapted = std::make_shared<trace::ModelSummary>(*pair_.first->model);
        adapted->architecture.emplace_back("base", "/models/base");
        answers_->document().model = adapted;
        std::string opened;
        connect(view_.get(), &widgets::View::intended, this, [&](const widgets::Intent& intent) {
            if (const auto* wanted = std::get_if<widgets::intents::OpenSecond>(&intent))
                opened = wanted->pathOrName;
        });
        view_->act("base");
        QCOMPARE(opened, std::string("/models/base"));
        QVERIFY(view_->bar()->with() == widgets::CompareBar::With::Model);
    }

    void tablesStandInADrawerThatIsClosedAtFirst() {
        answer();
        QVERIFY(!view_->isDrawerOpen());
        const int maps = view_->maps()->height();
        view_->resize(1400, 760);
        view_->setPage(CompareView::Page::Keys);
        QVERIFY(view_->isDrawerOpen());
        QVERIFY(table("Keys of both maps")->isVisible());
        QTest::keyClick(table("Keys of both maps"), Qt::Key_Escape);
        QVERIFY(!view_->isDrawerOpen());
        view_->resize(900, 700);
        QTRY_COMPARE(view_->maps()->height(), maps); // the room goes back to the maps
        QVERIFY(view_->page() == CompareView::Page::Keys);
    }

    void aCellIsToldInATooltipInAllThreeMaps() {
        answer();
        const auto whole = example::compared(pair_, example::aligningHead).maps;
        const auto& values = whole.change.values();
        const std::size_t most =
            std::ranges::max_element(values, {}, [](float value) { return std::abs(value); }) -
            values.begin();
        const auto row = most / whole.change.columns(), column = most % whole.change.columns();
        const QString words = widgets::compareCellTip(whole, row, column, "there");
        const QStringList lines = words.split('\n');
        QCOMPARE(lines[0], QString("there"));
        for (const double value : {whole.first(row, column), whole.second(row, column)})
            QVERIFY2(lines[1].contains(widgets::numberText(value)), qPrintable(words));
        QVERIFY2(lines[2].startsWith("largest "), qPrintable(words));
        QCOMPARE(
            widgets::compareCellTip(whole, row, (column + 1) % whole.change.columns(), "there").count('\n'),
            1);
    }

    void theStepIsMarkedInAllMaps() {
        answer();
        selection_->setStep(2);
        const auto marked = [this] { return view_->findChild<widgets::LinkedMaps*>()->grab().toImage(); };
        const auto before = marked();
        selection_->setStep(0);
        const auto after = marked();
        for (std::size_t map = 0; map < 3; ++map) {
            const auto area = view_->maps()->plot(map).toRect();
            QVERIFY(before.copy(area) != after.copy(area));
        }
    }

    /// A stays while B is on its way, and only B waits.
    void aStaysWhileBIsDecoded() {
        answer();
        const auto first = maps().front().values;
        answers_->setShare(0.25);
        view_->bar()->setSentence("another one");
        view_->bar()->enterSentence();
        QTRY_VERIFY(isShown("Decoding B... 25 %"));
        QVERIFY(view_->maps()->isVisible());
        QCOMPARE(maps().front().values, first);
        takeBAway();
        QVERIFY(!isShown("Decoding B"));
        QVERIFY(isShown("Compare with:"));
        view_->bar()->setSentence("a third");
        view_->bar()->enterSentence(); // before there is any B
        QTRY_VERIFY(isShown("Decoding B... 25 %"));
        QCOMPARE(maps().size(), 3u);
        QCOMPARE(
            maps()[0].values,
            trace::copied(
                pair_.first->record(example::aligningHead.site)->weights.head(example::aligningHead.head)));
        QVERIFY(std::ranges::all_of(maps()[1].values.values(), [](float value) { return value == 0; }));
    }

    void whereNoTokensMatchThereIsNoDifference() {
        auto other = std::make_shared<trace::Run>(*pair_.second);
        for (auto* tokens : {&other->source, &other->next, &other->target}) {
            for (auto& token : *tokens)
                token = {.id = token.id + 5000, .piece = "x" + token.piece};
        }
        pair_.second = other;
        example::compare(*answers_, pair_);
        answer();
        QCOMPARE(maps().size(), 3u);
        QVERIFY(maps()[2].values.empty());
        QVERIFY(maps()[2].words.contains("no difference"));
        QVERIFY(!maps()[0].values.empty() && !maps()[1].values.empty());
    }

    void aHeadOfAKindThatBLacksOffersOneThatBothHave() {
        pair_.second = example::ofOtherModel({});
        auto other = std::make_shared<trace::Run>(*pair_.second);
        auto model = std::make_shared<trace::ModelSummary>(*other->model);
        model->decoderLayers = 0;
        model->name = "reader";
        other->model = model;
        other->cross.clear();
        other->decoder.clear();
        pair_.second = other;
        example::compare(*answers_, pair_);
        answer();
        QVERIFY2(view_->whyNot().contains("reader has no decoder and no cross attention"),
                 qPrintable(view_->whyNot()));
        const auto buttons = view_->findChildren<QAbstractButton*>();
        const auto offer =
            std::ranges::find(buttons, QString("Show Encoder self-attention"), &QAbstractButton::text);
        QVERIFY(offer != buttons.end() && (*offer)->isVisible());
        (*offer)->click();
        QVERIFY(selection_->head().site.kind == AttentionKind::EncoderSelf);
        answer();
        QCOMPARE(maps().size(), 3u);
    }

    void aSentenceHasRoom() {
        view_->resize(640, 620);
        QCoreApplication::processEvents();
        QVERIFY(view_->bar()->findChild<QLineEdit*>()->width() >=
                40 * view_->fontMetrics().averageCharWidth());
    }

    /// A person who types a sentence of B is about to click below it.
    void nothingMovesWhenBComes() {
        answer();
        const auto places = [this] {
            QCoreApplication::processEvents();
            std::vector<QRect> all{view_->bar()->geometry(), view_->maps()->geometry(),
                                   view_->strip()->geometry()};
            for (const auto* button : view_->findChildren<QToolButton*>())
                if (button->text() == "Rows" || button->text() == "Original") // of the drawer and of the bar
                    all.emplace_back(button->mapTo(view_.get(), QPoint()), button->size());
            return all;
        };
        const auto withB = places();
        takeBAway();
        QVERIFY(places() == withB);
        answers_->setShare(0.5);
        view_->bar()->setSentence("another one");
        view_->bar()->enterSentence();
        QTRY_VERIFY(isShown("Decoding B... 50 %"));
        QVERIFY(places() == withB);
    }

    void tokensWithoutACounterpartCanBeLeftOut() {
        answer();
        view_->bar()->setAlignedOnly(true);
        QCOMPARE(maps()[0].values.rows(), rows().pairs());
        QCOMPARE(maps()[0].values.columns(), keys().pairs());
        QVERIFY2(view_->caption().contains("renormalised"), qPrintable(view_->caption()));
    }

    void theCaptionSaysWhatIsDrawn() {
        answer();
        const QString caption = view_->caption();
        for (const char* words :
             {"cross.2.5", "red book", "very old man", "common subsequence", "orange", "Hatched", "A | B"})
            QVERIFY2(caption.contains(words), qPrintable(caption));
        QCOMPARE(view_->figureText().caption, caption);
        QVERIFY(view_->hasFigure());
    }

    void aCellSaysWhatItIsInBoth() {
        answer();
        const QString words = view_->maps()->cellInWords({0, 0});
        QVERIFY2(words.contains("A 0.") && words.contains("B 0.") && words.contains("change"),
                 qPrintable(words));
        const auto places = keys().places;
        QVERIFY(!std::ranges::all_of(places, &analysis::AlignedPlace::isPair));
        for (std::size_t column = 0; column < places.size(); ++column)
            QCOMPARE(view_->maps()->columnName(int(column)).contains(QChar(0x2013)),
                     !places[column].isPair());
    }

    void whatIsLitElsewhereIsLitHere() {
        answer();
        const int last = static_cast<int>(pair_.first->source.size()) - 1;
        selection_->setHover(TokenFocus::cell(AttentionKind::Cross, 0, last));
        QVERIFY((*view_->maps()->cursorCell() ==
                 widgets::MapCell{0, static_cast<int>(keys().places.size()) - 1}));
    }

    void whatIsLitHereIsLitElsewhere() {
        answer();
        auto* maps = view_->findChild<widgets::LinkedMaps*>();
        maps->setFocus();
        QTest::keyClick(maps, Qt::Key_End);
        const auto cell = *maps->cursorCell();
        QCOMPARE(*selection_->hover().key(AttentionKind::Cross),
                 static_cast<int>(*keys().places[static_cast<std::size_t>(cell.column)].first));
        QTest::keyClick(maps, Qt::Key_Escape);
        QVERIFY(selection_->focus().isEmpty());
    }

    void theHeadsThatChangedMostComeFirst() {
        answerHeads();
        const auto* table = view_->heads();
        QCOMPARE(view_->changes().size(), 72u);
        const auto at = [&](int row) {
            return view_->changes().at(
                static_cast<std::size_t>(table->rows().at(static_cast<std::size_t>(row))));
        };
        const auto divergence = [&](int row) { return at(row).divergence; };
        for (int row = 1; row < table->model()->rowCount(); ++row)
            QVERIFY(divergence(row - 1) >= divergence(row));
        QVERIFY(table->columnWidth(0) >= table->fontMetrics().horizontalAdvance("encoder.2.7"));
        this->table("Heads by amount of change")->selectRow(0);
        QVERIFY(selection_->head() == at(0).head);
    }

    void anotherHeadOfBCanBeChosen() {
        answer();
        const OtherHead other{.choice = OtherHead::Choice::This, .head = {{AttentionKind::Cross, 0}, 3}};
        view_->bar()->setOtherHead(other);
        QVERIFY(view_->question()->other == other);
        answer();
        QVERIFY(view_->caption().contains("cross.0.3"));
        view_->bar()->setOtherHead({.choice = OtherHead::Choice::Nearest});
        answer();
        QVERIFY2(view_->caption().contains("nearest"), qPrintable(view_->caption()));
        for (const int layer : {0, 2}) {
            selection_->setHead({{AttentionKind::Cross, layer}, 1});
            const auto boxes = view_->bar()->findChildren<QComboBox*>();
            const auto box = std::ranges::find(boxes, QString("Head of B"), &QComboBox::accessibleName);
            QVERIFY(box != boxes.end());
            QCOMPARE((*box)->count(), 2 + 3 * 8); // the same, the nearest, and each of them
        }
    }

    /// Of a smaller model there is no head of the address: the nearest takes its place, by words.
    void aModelOfAnotherShapeShowsTheNearestHead() {
        pair_.second = example::ofOtherModel({});
        example::compare(*answers_, pair_);
        answer();
        QVERIFY2(view_->caption().contains("the nearest"), qPrintable(view_->caption()));
        QVERIFY2(view_->caption().contains("words"), qPrintable(view_->caption()));
        answerHeads();
        const auto& changes = view_->changes();
        QCOMPARE(changes.size(), 72u);
        QVERIFY(std::ranges::all_of(changes, [](const auto& change) { return change.other.site.layer < 2; }));
    }

    void twoStepsAreOneRow() {
        pair_ = {
            .first = pair_.first, .second = pair_.first, .steps = std::pair(std::size_t(1), std::size_t(4))};
        selection_->setStep(1);
        example::compare(*answers_, pair_);
        answer();
        QCOMPARE(maps()[0].values.rows(), 1u);
        const auto weights = pair_.first->record(example::aligningHead.site)->weights.head(5);
        QCOMPARE(maps()[0].values(0, 3), weights(1, 3));
        QCOMPARE(maps()[1].values(0, 3), weights(4, 3));
        selection_->setHead({{AttentionKind::EncoderSelf, 0}, 0});
        answer();
        QVERIFY(maps().empty());
        QVERIFY(!view_->hasFigure());
    }

    void rowsAndKeysAreTold() {
        answer();
        view_->setPage(CompareView::Page::Rows);
        QCOMPARE(table("Rows of both maps")->model()->rowCount(), static_cast<int>(rows().places.size()));
        view_->setPage(CompareView::Page::Keys);
        QCOMPARE(table("Keys of both maps")->model()->rowCount(), static_cast<int>(keys().places.size()));
    }

    void theOutputsStandBesideEachOther() {
        answer();
        view_->setPage(CompareView::Page::Output);
        const auto* said = table("Outputs")->model();
        QCOMPARE(said->columnCount(), 3);
        const auto runs = example::comparedRuns();
        example::giveSteps(*view_, *answers_, analysis::compareSteps(*runs.original, *runs.forced));
        QCOMPARE(table("Outputs")->model()->columnCount(), 4);
    }

    void weightsThatWereNotKeptAreSaidToBe() {
        auto run = std::make_shared<trace::Run>(*pair_.first);
        for (auto& record : run->cross)
            record.weights = {};
        widgets::CompareAnswer answer{
            .question = {.pair = {.first = run, .second = run}, .head = example::aligningHead}};
        QVERIFY(widgets::whyNoMaps(answer).contains("not stored"));
    }

    void withoutAPairItSaysWhatToDo() {
        takeBAway();
        QVERIFY2(view_->whyNot().contains("Type another sentence"), qPrintable(view_->whyNot()));
        QVERIFY(maps().empty());
        QVERIFY(!view_->question());
        QVERIFY(!view_->hasFigure());
    }
};

HEADSCOPE_WATCHED_TEST(CompareViewTest)
#include "compare_view_test.moc"
