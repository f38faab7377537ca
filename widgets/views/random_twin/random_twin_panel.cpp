#include "widgets/views/random_twin/random_twin_panel.h"

#include "widgets/controls/plain_spin_boxes.h"
#include "widgets/controls/view_choices.h"
#include "widgets/drawing/spacing.h"
#include "widgets/drawing/theme.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/map/heatmap_view.h"
#include "widgets/map/map_options.h"
#include "widgets/tables/table_figure.h"
#include "widgets/views/places.h"
#include "widgets/views/random_twin/random_twin_words.h"
#include "widgets/views/random_twin/two_readings_table.h"
#include "widgets/words/captions.h"
#include "widgets/words/counting_words.h"
#include "widgets/words/hint_for_no_run.h"
#include "widgets/words/plain_text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QScrollArea>
#include <QSplitter>
#include <QStringList>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>

namespace headscope::widgets {

namespace {

constexpr int wordsWidth = 460;

} // namespace

View* views::makers::random_twin(Selection* selection, QWidget* parent) {
    return new RandomTwinPanel(selection, parent);
}

RandomTwinPanel::RandomTwinPanel(Selection* selection, QWidget* parent)
    : View(parent), seed_(new SeedBox(this)), words_(new QWidget(this)), said_(new QLabel(this)),
      probabilities_(new QLabel(this)), entropy_(new QLabel(this)),
      table_(new TwoReadingsTable(selection, this)), map_(new HeatmapView(selection, this)),
      sides_(new QSplitter(Qt::Horizontal, this)) {
    setAccessibleName(tr("Random twin of the model"));
    map_->setAccessibleName(tr("Attention map of the same head in the random twin"));
    buildWords();
    sides_->addWidget(scrolled(words_));
    sides_->addWidget(map_);
    sides_->setChildrenCollapsible(false);
    sides_->setStretchFactor(1, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSizeConstraint(QLayout::SetNoConstraint); // narrow, the map goes below the words
    column->addWidget(sides_);
    connect(seed_, &SeedBox::valueChanged, this,
            [this](std::uint64_t seed) { Q_EMIT intended(intents::SeedTwin{seed}); });
    connect(selection, &Selection::headChanged, this, &View::questionsChanged);
    setRuns(nullptr, nullptr);
}

void RandomTwinPanel::buildWords() {
    auto* row = new QHBoxLayout;
    auto* label = new QLabel(tr("Random &weights, seed"), words_);
    label->setBuddy(seed_);
    seed_->setAccessibleName(tr("Seed of the random weights"));
    seed_->setToolTip(tr("A different seed gives a different twin"));
    row->addWidget(label);
    row->addWidget(seed_);
    row->addStretch();
    auto* column = new QVBoxLayout(words_);
    column->setContentsMargins(space::s, space::xs, space::s, space::s);
    column->setSpacing(space::s);
    column->addLayout(row);
    for (QLabel* text : {said_, probabilities_, entropy_}) {
        text->setWordWrap(true);
        text->setTextFormat(Qt::PlainText);
        text->setTextInteractionFlags(Qt::TextSelectableByMouse);
        text->setContextMenuPolicy(Qt::NoContextMenu); // the panel's
    }
    column->addWidget(said_);
    column->addWidget(probabilities_);
    column->addWidget(table_);
    column->addWidget(entropy_);
    column->addStretch();
}

QWidget* RandomTwinPanel::scrolled(QWidget* content) {
    auto* scroll = new QScrollArea(this);
    scroll->setWidget(content);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setMinimumWidth(260);
    return scroll;
}

void RandomTwinPanel::setSeed(std::uint64_t seed) {
    const QSignalBlocker quiet(seed_);
    seed_->setValue(seed);
}

std::vector<trace::Wanted> RandomTwinPanel::questions() const {
    std::vector<trace::Wanted> questions;
    if (const auto twin = twinRunQuestion(*context().document))
        questions.push_back(*twin);
    if (twin_)
        questions.push_back(trace::Counted(entropies()));
    return questions;
}

EntropiesWhat RandomTwinPanel::entropies() const {
    return {.run = run_, .twin = twin_, .head = context().selection->head()};
}

/// What stands beside the run before stays until there is something new, so that nothing blinks.
void RandomTwinPanel::refresh() {
    const auto& shown = *context().document;
    setSeed(shown.twinSeed);
    auto options = mapOptionsOf(shown);
    if (computedFor(options.quantity)) // which is done for the model only
        options.quantity = Quantity::Weights;
    map_->setOptions(options);
    const auto question = twinRunQuestion(shown);
    const auto twin = question ? context().known->of(question->request, trace::RunWhat()) : nullptr;
    const auto refusal = question ? context().known->refusalOf(*question) : std::nullopt;
    if (twin && (twin != twin_ || shown.run != run_))
        setRuns(shown.run, twin);
    else if (!hasTwin(shown) || !shown.run)
        setRuns(nullptr, nullptr);
    else if (refusal)
        showRefusal(*refusal);
    if (!twin_)
        return;
    if (const auto known = context().known->of(entropies()); known && std::exchange(known_, known) != known)
        setEntropies(*known);
}

void RandomTwinPanel::fit() {
    map_->fit();
}

void RandomTwinPanel::addChoices(ViewChoices& choices) {
    choices.addText(
        "random-twin", "seed", [this] { return QString::number(context().document->twinSeed); },
        [this](const QString& digits) {
            bool isNumber = false;
            if (const auto seed = digits.toULongLong(&isNumber); isNumber)
                Q_EMIT intended(intents::SeedTwin{seed});
        });
}

void RandomTwinPanel::setRuns(std::shared_ptr<const trace::Run> run, std::shared_ptr<const trace::Run> twin) {
    run_ = std::move(run);
    twin_ = std::move(twin);
    map_->setRun(twin_);
    const bool comes = twin_ && map_->isHidden();
    map_->setVisible(twin_ != nullptr);
    showWords();
    if (!twin_)
        setEntropies(std::nullopt);
    if (comes)
        arrange();
}

void RandomTwinPanel::showRefusal(const trace::RefusalText& text) {
    setRuns(nullptr, nullptr);
    said_->setText(QString::fromStdString(trace::paragraph(text)));
}

void RandomTwinPanel::showWords() {
    const bool both = run_ && twin_;
    readings_ = both ? analysis::compareReadings(*run_, *twin_) : std::vector<analysis::TokenReading>();
    if (!both)
        said_->setText(tr("Compares the model with a random twin: the same network and tokenizer with random "
                          "weights. What both do is architecture; what only the model does was learned. %1")
                           .arg(hintForNoRun(*this)));
    else if (!twin_->path.empty())
        said_->setText(breakable(tr("On its own, the twin writes %1.").arg(twinSaidInWords(*twin_))));
    else if (readings_.empty())
        said_->setText(tr("Encoder-only model: only the maps of model and twin are compared."));
    said_->setVisible(!both || !twin_->path.empty() || readings_.empty());
    probabilities_->setText(both ? readingsInWords(readings_, *run_) : QString());
    probabilities_->setVisible(!probabilities_->text().isEmpty());
    table_->setReadings(readings_, both && !run_->path.empty());
    table_->setVisible(!readings_.empty());
}

/// Maps of long sentences have many cells.
EntropiesWhat::Value EntropiesWhat::count(const trace::Task&) const {
    return analysis::compareEntropy(*run, *twin, head);
}

void RandomTwinPanel::setEntropies(const std::optional<analysis::EntropyComparison>& entropies) {
    entropies_ = entropies;
    entropy_->setText(entropies ? entropiesInWords(*entropies) : QString());
    entropy_->setVisible(entropies.has_value());
}

QString RandomTwinPanel::words() const {
    QStringList words;
    for (const QLabel* label : {said_, probabilities_, entropy_})
        if (!label->isHidden())
            words += label->text();
    return words.join('\n');
}

void RandomTwinPanel::setSpaceMarksShown(bool shown) {
    spaceMarks_ = shown;
    table_->setSpaceMarksShown(shown);
    map_->setSpaceMarksShown(shown);
}

void RandomTwinPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (sides_->orientation() != (width() < height() ? Qt::Vertical : Qt::Horizontal))
        arrange();
}

/// The map stands below the words where there is no room beside them.
void RandomTwinPanel::arrange() {
    if (width() < height()) {
        const int words = std::min(words_->heightForWidth(width()), height() / 2);
        sides_->setOrientation(Qt::Vertical);
        sides_->setSizes({words, height() - words});
    } else {
        const int words = std::min(wordsWidth, width() / 2);
        sides_->setOrientation(Qt::Horizontal);
        sides_->setSizes({words, width() - words});
    }
}

FigureBlock RandomTwinPanel::tableBlock() const {
    TableColumn token{.title = run_->path.empty() ? tr("Class") : tr("Token")};
    TableColumn model{.title = tr("Model"), .atRight = true};
    TableColumn twin{.title = tr("Twin"), .atRight = true};
    for (const auto& reading : readings_) {
        token.tokens.push_back(tokenLabel(reading.token));
        model.texts += probabilityText(reading.first);
        twin.texts += probabilityText(reading.second);
    }
    return TableFigure{.columns = {token, model, twin}, .font = font(), .spaceMarks = spaceMarks_}.block();
}

/// The map as it is exported alone, at the top where the table beside it is much longer.
FigureBlock RandomTwinPanel::mapBlock() const {
    const FigureWithParts parts(*map_, figureParts());
    const QSizeF natural = map_->figureSize();
    return {.size = [=](double) { return natural; },
            .draw =
                [=, this](QPainter& painter, const QRectF& area, const Theme& theme) {
                    const FigureWithParts parts(*map_, figureParts());
                    const double highest =
                        std::max(natural.height(), area.width() * natural.height() / natural.width());
                    painter.save();
                    painter.translate(area.topLeft());
                    map_->drawFigure(painter, QSizeF(area.width(), std::min(area.height(), highest)).toSize(),
                                     theme);
                    painter.restore();
                }};
}

std::optional<FigureBlocks> RandomTwinPanel::figureBlocks() const {
    if (!hasFigure())
        return std::nullopt;
    FigureBlock picture = mapBlock();
    double width = picture.size(0).width();
    if (!readings_.empty()) {
        const FigureBlock table = tableBlock();
        const double ofTable = table.size(0).width();
        picture = beside({table, picture}, {ofTable, width});
        width += ofTable + figureGap;
        picture.size = [width, size = picture.size](double) { return size(width); }; // no narrower
    }
    const QString what = // of classes the words say it
        readings_.empty() || run_->path.empty()
            ? QString()
            : tr("The probability of each token in the model and in the random twin.") + QChar('\n');
    return FigureBlocks{.picture = picture, .caption = what + words(), .font = font(), .width = width};
}

void RandomTwinPanel::setRowsDecoded(std::optional<std::size_t> rows) {
    map_->setRowsDecoded(rows);
}

FigureText RandomTwinPanel::figureText() const {
    if (!hasFigure())
        return {};
    const auto map = map_->figureText();
    const auto seed = twin_->request.randomTwin;
    return {.title = seed ? tr("Random twin, seed %1").arg(*seed) : tr("Random twin"),
            .caption = withoutBreaks(words()).replace('\n', ' ') + ' ' + map.caption,
            .provenance = provenance(*run_),
            .head = map.head,
            .quantity = map.quantity};
}

/// What the model thought and what its twin did, what the twin said by itself, and the twin's map.
trace::FigureData RandomTwinPanel::figureData() const {
    if (!hasFigure())
        return {};
    trace::FigureData data = map_->figureData();
    QStringList tokens;
    std::vector<double> ids, model, twin;
    for (const auto& reading : readings_) {
        tokens += tokenLabel(reading.token).full();
        ids.push_back(static_cast<double>(reading.token.id));
        model.push_back(reading.first);
        twin.push_back(reading.second);
    }
    const auto mean = analysis::meanReading(readings_);
    if (!readings_.empty())
        data.tables.push_back(
            {.name = "readings",
             .columns = {dataColumn("token", tokens), dataColumn("id", ids),
                         dataColumn("log_probability", model), dataColumn("log_probability_in_twin", twin)}});
    if (!readings_.empty() && !run_->path.empty())
        data.tables.push_back(
            {.name = "mean_readings",
             .columns = {dataColumn("log_probability", std::vector{mean.first}),
                         dataColumn("log_probability_in_twin", std::vector{mean.second}),
                         dataColumn("log_probability_of_guessing", std::vector{guessing(*run_)})}});
    const QString said = twinSaidInWords(*twin_).remove(QChar(0x2068)).remove(QChar(0x2069)); // isolates
    if (!twin_->path.empty())
        data.tables.push_back({.name = "said_by_twin", .columns = {dataColumn("said", {said})}});
    if (entropies_)
        data.tables.push_back(
            {.name = "entropies",
             .columns = {dataColumn("head", {address(entropies_->head)}),
                         dataColumn("mean_bits", std::vector{entropies_->first.mean}),
                         dataColumn("mean_bits_in_twin", std::vector{entropies_->second.mean}),
                         dataColumn("largest_bits", std::vector{entropies_->first.largest})}});
    return data;
}

std::optional<PictureOptions> RandomTwinPanel::picture(PictureOptions options) const {
    // Whatever is drawn of the head is drawn of its twin, too.
    options.view = "random-twin";
    options.pinned.clear(); // one map
    return options;
}

} // namespace headscope::widgets
