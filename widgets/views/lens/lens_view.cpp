#include "widgets/views/lens/lens_view.h"

#include "widgets/controls/card_head.h"
#include "widgets/controls/patience.h"
#include "widgets/controls/view_choices.h"
#include "widgets/drawing/spacing.h"
#include "widgets/drawing/theme.h"
#include "widgets/explained.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/figure_blocks.h"
#include "widgets/tables/column_table.h"
#include "widgets/tables/own_row.h"
#include "widgets/views/lens/lens_grid.h"
#include "widgets/views/lens/lens_step.h"
#include "widgets/views/places.h"
#include "widgets/words/captions.h"
#include "widgets/words/plain_text.h"
#include "widgets/words/shown_lens.h"

#include <QComboBox>
#include <QEvent>
#include <QFontMetricsF>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::widgets {

namespace {

constexpr double lensGap = 12;
constexpr double narrowest = 480; ///< minimum width, for the legend
constexpr double lensFigureLegendWidth = 300;
constexpr double lensRounded = 1; ///< allows for the rounding of sizes to whole units

/// A lens on a page: all rows, and the columns in as many pieces below each other as the width requires, with
/// a legend. Scaled down where there is less room. The table must outlive the block.
FigureBlock lensBlock(const LensPicture& picture) {
    const LensLayout cells(picture.measured(), {narrowest, 0});
    const double legend = std::ceil(QFontMetricsF(picture.style.font).height()) + 4;
    const auto piecesOf = [=](double wide) { return cells.pieces(std::max(wide, narrowest) + lensRounded); };
    const auto size = [=](double wide) {
        double width = narrowest, height = legend;
        for (const auto& [first, last] : piecesOf(wide)) {
            width = std::max(width, cells.headingWidth() + last - first);
            height += cells.whole().height() + lensGap;
        }
        return QSizeF(width, height);
    };
    const auto draw = [=](QPainter& painter, const QRectF& area, const Theme& theme) {
        const QSizeF wanted = size(area.width());
        const double scale = std::min({1.0, area.width() / wanted.width(), area.height() / wanted.height()});
        painter.save();
        painter.translate(area.topLeft());
        painter.scale(scale, scale);
        for (const auto& [first, last] : piecesOf(area.width())) {
            picture.draw(painter, {cells.headingWidth() + last - first, cells.whole().height()}, cells,
                         {first, 0}, theme);
            painter.translate(0, cells.whole().height() + lensGap);
        }
        if (!picture.table.areNumbers())
            drawLensLegend(painter, QRectF(0, 0, std::min(lensFigureLegendWidth, wanted.width()), legend),
                           picture.tint, picture.style.font, theme);
        painter.restore();
    };
    return {.size = size, .draw = draw, .grows = false};
}

constexpr int lensViewLegendWidth = 300;
constexpr int enoughForWords = 380; ///< below this height the caption is a single line

/// The legend next to the combo box.
class Legend : public QWidget {
  public:
    Legend(const QComboBox* tints, QWidget* parent) : QWidget(parent), tints_(tints) {
        setLayoutDirection(Qt::LeftToRight); // as numbers and steps run
        setMinimumWidth(80);
        setMaximumWidth(lensViewLegendWidth * 2);
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    }
    QSize sizeHint() const override { return {lensViewLegendWidth, fontMetrics().height() + 4}; }

  protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        drawLensLegend(painter, QRectF(rect()), tints_->currentData().value<LensTint>(), font(),
                       themeOf(palette()));
    }

  private:
    const QComboBox* tints_;
};

} // namespace

View* views::makers::lens(Selection* selection, QWidget* parent) {
    return new LensView(selection, parent);
}

LensView::LensView(Selection* selection, QWidget* parent)
    : View(parent), selection_(selection), grid_(new LensGrid(selection, this)),
      head_(new CardHead(tr("Layers"), tr("logit lens"), this)),
      stages_(new ColumnTable(this, ColumnTable::NoRoom::Drop)), choices_(new QWidget(this)),
      tints_(new QComboBox(choices_)), legend_(new Legend(tints_, choices_)), whose_(new QWidget(this)),
      of_(new QComboBox(whose_)), caption_(new QLabel(this)), note_(new QLabel(this)),
      patience_(new Patience(this, [this] { showNothing(); })) {
    setAccessibleName(tr("Logit lens"));
    of_->addItems({tr("of the model"), tr("of the random twin")});
    of_->setAccessibleName(tr("Model whose layers are shown"));
    of_->setToolTip(tr("The same network with random weights reads the same output: what is learned?"));
    of_->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    auto* whose = new QHBoxLayout(whose_);
    whose->setContentsMargins(0, 0, 0, 0);
    whose->addWidget(of_);
    whose_->hide();
    setFocusProxy(grid_);
    for (const LensTint tint : lensTints)
        tints_->addItem(lensTintTitle(tint), QVariant::fromValue(tint));
    tints_->setObjectName("tint");
    tints_->setAccessibleName(tr("Tint of the cells"));
    tints_->setToolTip(tr("Tint of the cells; stronger means closer to the model's prediction"));
    tints_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    tints_->setMinimumContentsLength(24);
    tints_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    tints_->setMaximumWidth(tints_->fontMetrics().averageCharWidth() * 48);
    auto* row = new QHBoxLayout(choices_);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(tints_, 2);
    row->addWidget(legend_, 1);
    row->addStretch(0);
    caption_->setTextFormat(Qt::PlainText);
    caption_->setForegroundRole(QPalette::PlaceholderText);
    caption_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    auto* all = new QToolButton(head_);
    all->setText(tr("all steps"));
    all->setToolTip(tr("Show every step in the drawer below"));
    all->setAutoRaise(true);
    head_->add(all);
    stages_->setAccessibleName(tr("Sublayers, with the model's prediction after each"));
    stages_->setProperty(ownRowProperty, true);
    stages_->setSelectionMode(QAbstractItemView::SingleSelection);
    stages_->setSelectionBehavior(QAbstractItemView::SelectRows);
    stages_->setFitted(true);
    note_->setTextFormat(Qt::PlainText);
    note_->setForegroundRole(QPalette::PlaceholderText);
    note_->setWordWrap(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(space::s, space::s, space::s, space::xs);
    column->setSpacing(space::xs);
    column->addWidget(head_);
    column->addWidget(whose_, 0, Qt::AlignLeft);
    column->addWidget(choices_);
    column->addWidget(grid_, 1);
    column->addWidget(stages_, 1);
    column->addWidget(caption_);
    column->addWidget(note_);
    connect(all, &QToolButton::clicked, this,
            [this] { Q_EMIT intended(intents::ShowSelf{.isAsked = true}); });
    connect(selection, &Selection::stepChanged, this, [this] {
        if (!isCard())
            return;
        refresh(); // it is compared with the second choice of another step
        Q_EMIT questionsChanged();
    });
    layOutForm();
    of_->setObjectName("whose-layers");
    connect(of_, &QComboBox::currentIndexChanged, this,
            [this](int of) { Q_EMIT intended(chooseWord("logit-lens", "of", of)); });
    connect(tints_, &QComboBox::currentIndexChanged, this, &LensView::chooseTint);
    connect(grid_, &LensGrid::cellDescribed, this, &LensView::cellDescribed);
    setLens(nullptr, nullptr);
}

void LensView::setLens(std::shared_ptr<const trace::Run> run, std::shared_ptr<const trace::Lens> lens) {
    table_ = std::make_shared<const LensTable>(std::move(run), std::move(lens));
    grid_->setTable(table_);
    for (int i = 0; i < tints_->count(); ++i)
        tints_->setItemText(i, lensTintTitle(tints_->itemData(i).value<LensTint>(), contrast()));
    choices_->setVisible(hasFigure() && !isCard() && !table_->areNumbers());
    caption_->setVisible(hasFigure() && !isCard());
    showStep();
    showCaption();
}

void LensView::layOutForm() {
    head_->setVisible(isCard());
    grid_->setVisible(!isCard());
    stages_->setVisible(isCard());
    note_->setVisible(isCard());
    setFocusProxy(takesKeys());
    layout()->setContentsMargins(isCard() ? QMargins(12, 8, 12, 8) : QMargins(8, 8, 8, 4));
}

void LensView::showForm() {
    layOutForm();
    setLens(nullptr, nullptr);
    refresh();
    Q_EMIT questionsChanged();
}

void LensView::showPicture(const PictureOptions& options) {
    setCard(isChosen(options, "card", true));
}

bool LensView::hasFigure() const {
    return !table_->isEmpty() && (!isCard() || column() < table_->columns());
}

trace::TokenIndex LensView::column() const {
    return answerAt(*table_->run(), selection_->step());
}

void LensView::showStep() {
    const bool isShown = isCard() && hasFigure();
    stages_->setContent(isShown ? lensStepContent(*table_, column(), baseline()) : TableContent());
    note_->setText(isShown ? lensStepNote(*table_, column()) : whyNoLens(context(), *this));
    head_->setHelp(isShown ? caption() : QString());
}

std::optional<trace::Question> LensView::question() const {
    if (!isCard())
        return lensQuestion(*context().document);
    const auto of = explained(*context().document, selection_->step());
    return of ? std::optional(explainedLens(*of)) : std::nullopt;
}

std::vector<trace::Wanted> LensView::questions() const {
    const auto question = this->question();
    if (!question)
        return {};
    std::vector<trace::Wanted> wanted{*question};
    const auto& document = *context().document;
    if (const auto of = isCard() ? explained(document, selection_->step()) : std::nullopt)
        if (const auto twin = twinsLayers(document, *of))
            wanted.emplace_back(*twin);
    return wanted;
}

std::optional<LensBaseline> LensView::baseline() const {
    const auto& document = *context().document;
    const auto of = explained(document, selection_->step());
    const auto chosen = baselineOf(document);
    if (!of || chosen == Baseline::None || document.run->answerKind() == trace::AnswerKind::Numbers)
        return std::nullopt;
    if (chosen == Baseline::Uniform) {
        const auto& model = *document.run->model;
        const auto& marks = document.run->spanLogProbabilities; // [2, S]
        const auto among = !marks.empty()            ? static_cast<std::int64_t>(marks.columns())
                           : model.classes > 0       ? model.classes
                           : model.tokenLabels > 0   ? model.tokenLabels
                           : model.decoderLayers > 0 ? model.targetVocabulary
                                                     : model.sourceVocabulary;
        if (among == 0) // an old trace does not say
            return std::nullopt;
        return LensBaseline{.name = tr("all %1 equally probable").arg(among),
                            .probabilities = std::vector(table_->rows(), 1 / static_cast<double>(among))};
    }
    const auto question = twinsLayers(document, *of); // none where the twin has a token of its own
    const auto twin = question ? context().known->of(question->request, trace::LensWhat()) : nullptr;
    if (!twin || of->step >= twin->readings.size())
        return std::nullopt;
    LensBaseline beside{.name = tr("random twin"), .probabilities = {}};
    for (const auto& reading : twin->readings[of->step])
        beside.probabilities.push_back(std::exp(twinsLogProbability(reading)));
    return beside;
}

/// Of a run that still grows there is no lens; the one before stays for a moment.
void LensView::refresh() {
    const auto& shown = *context().document;
    whose_->setVisible(!isCard() && seedOfReadingTwin(shown).has_value());
    const QSignalBlocker quiet(of_);
    of_->setCurrentIndex(isLensOfTwin(shown) ? 1 : 0);
    const auto asked = question();
    const auto lens = asked ? context().known->of(asked->request, trace::LensWhat()) : nullptr;
    if (lens && (lens != table_->lens() || shown.run != table_->run()))
        setLens(shown.run, lens);
    else if (lens)
        showStep();
    if (lens)
        patience_->stop();
    else if (shown.run && !table_->isEmpty() && !(asked && context().known->refusalOf(*asked)))
        patience_->wait();
    else
        showNothing();
}

void LensView::setWhyEmpty(const QString& wayThere) {
    grid_->setWhyEmpty(tr("Shows the model's prediction after each sublayer."), wayThere);
}

void LensView::showNothing() {
    patience_->stop();
    setWhyEmpty(whyNoLens(context(), *this));
    if (!table_->isEmpty())
        setLens(nullptr, nullptr);
    showStep();
}

std::optional<View::Lacking> LensView::lacks() const {
    return lackingLensOfTwin(context());
}

QWidget* LensView::takesKeys() const {
    return isCard() ? static_cast<QWidget*>(stages_) : grid_;
}

void LensView::setSpaceMarksShown(bool shown) {
    grid_->setSpaceMarksShown(shown);
    stages_->setSpaceMarksShown(shown);
}

std::optional<trace::Token> LensView::contrast() const {
    return hasFigure() ? table_->lens()->contrast : std::nullopt;
}

LensTint LensView::tint() const {
    return tints_->currentData().value<LensTint>();
}

void LensView::chooseTint() {
    grid_->setTint(tint());
    legend_->update();
    showCaption();
}

QString LensView::caption() const {
    if (isCard()) {
        const auto beside = hasFigure() ? baseline() : std::nullopt;
        const QString words = hasFigure() ? lensStepCaption(*table_, column()) : QString();
        return beside ? words + ' ' + tr("Tick: %1.").arg(beside->name) : words;
    }
    return hasFigure() ? lensCaption(*table_, tint()) : QString();
}

/// A low view keeps the room for the cells and moves the rest of the caption into its tooltip.
void LensView::showCaption() {
    const QString words = caption();
    const bool isHigh = height() >= enoughForWords;
    const QString shown =
        isHigh ? words : caption_->fontMetrics().elidedText(words, Qt::ElideRight, width() - 16);
    caption_->setWordWrap(isHigh);
    caption_->setText(shown);
    caption_->setToolTip(shown == words ? QString() : plainToolTip(words));
    caption_->setAccessibleName(words);
}

void LensView::resizeEvent(QResizeEvent*) {
    showCaption();
}

void LensView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        showCaption();
}

std::optional<FigureBlocks> LensView::figureBlocks() const {
    if (!hasFigure())
        return std::nullopt;
    if (isCard()) {
        TableFigure figure = stages_->figure();
        figure.caption = caption();
        figure.font = font();
        return figure.blocks();
    }
    constexpr double usualWidth = 999;
    LensPicture picture = grid_->picture();
    picture.decoded = rowsDecoded();
    return FigureBlocks{
        .picture = lensBlock(picture), .caption = caption(), .font = font(), .width = usualWidth};
}

FigureText LensView::figureText() const {
    if (!hasFigure())
        return {};
    return {.title = isCard() ? (table_->areNumbers() ? tr("Layers of %1") : tr("Layers at %1"))
                                    .arg(answerName(*table_->run(), column()))
                              : tr("Logit lens"),
            .caption = caption(),
            .provenance = provenance(*table_->run()),
            .quantity = table_->areNumbers() ? tr("number")
                        : isCard()           ? tr("probability")
                                             : lensTintTitle(tint(), contrast())};
}

trace::FigureData LensView::figureData() const {
    if (!hasFigure())
        return {};
    const auto& lens = *table_->lens();
    trace::DataAxis stages{.name = "stage"}, steps{.name = "step"};
    trace::FigureData data;
    std::array<std::vector<double>, 3> numbers;
    std::vector<double> leads;
    QStringList stageOf, best;
    std::vector<double> stepOf, probability;
    for (int column = 0; column < table_->columns(); ++column)
        steps.labels.push_back(table_->chosen(column).full().toStdString());
    for (int row = 0; row < table_->rows(); ++row) {
        const auto& stage = lens.stages[table_->rows() - 1 - row];
        stages.labels.push_back(stage);
        for (int column = 0; column < table_->columns(); ++column) {
            const auto& reading = table_->reading({row, column});
            numbers[0].push_back(reading.chosenLogProbability);
            numbers[1].push_back(static_cast<double>(reading.chosenRank));
            numbers[2].push_back(reading.divergence);
            if (reading.lead)
                leads.push_back(*reading.lead);
            stageOf += QString::fromStdString(stage);
            stepOf.push_back(column);
            best += table_->piece({row, column}).full();
            probability.push_back(reading.candidates.empty() ? noNumber
                                                             : reading.candidates.front().logProbability);
        }
    }
    const std::vector<std::size_t> shape{stages.labels.size(), steps.labels.size()};
    if (table_->areNumbers())
        return {
            .arrays = {{.name = "number", .axes = {stages, steps}, .shape = shape, .values = numbers[0]},
                       {.name = "distance", .axes = {stages, steps}, .shape = shape, .values = numbers[2]}}};
    for (const auto& [name, values] :
         {std::pair("chosen_log_probability", numbers[0]), std::pair("chosen_rank", numbers[1]),
          std::pair("divergence", numbers[2]), std::pair("lead", leads)})
        if (!values.empty())
            data.arrays.push_back({.name = name, .axes = {stages, steps}, .shape = shape, .values = values});
    data.tables.push_back(
        {.name = "most_probable",
         .columns = {dataColumn("stage", stageOf), dataColumn("step", stepOf), dataColumn("token", best),
                     dataColumn("log_probability", probability)}});
    return data;
}

std::optional<PictureOptions> LensView::picture(PictureOptions options) const {
    options = ofView(std::move(options), "logit-lens");
    if (isCard())
        options.choices["card"] = true;
    return options;
}

QStringList LensView::nameParts(const trace::HeadAddress& head, int step) const {
    auto parts = FigureSource::nameParts(head, step);
    const auto& run = table_->run();
    return isCard() && run && !run->target.empty() ? parts << QStringLiteral("step-%1").arg(step + 1) : parts;
}

bool LensView::exportChoices(PictureOptions& picture, const Choices& chosen) const {
    sayBaseline(picture, chosen, isCard());
    if (isChosen(chosen, "logit-lens", "of", std::string("twin")))
        sayTwin(picture, chosen);
    return true;
}

void LensView::addChoices(ViewChoices& choices) {
    choices.add("logit-lens", "tint", control<QComboBox>(this, "tint"));
}

} // namespace headscope::widgets
