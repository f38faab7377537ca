#include "widgets/views/attribution/attribution_view.h"

#include "model/analysis/output/attribution_groups.h"
#include "widgets/controls/contrast_field.h"
#include "widgets/controls/patience.h"
#include "widgets/controls/view_choices.h"
#include "widgets/controls/wrapped_label.h"
#include "widgets/drawing/theme.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/views/attribution/attribution_figure.h"
#include "widgets/views/attribution/attribution_model.h"
#include "widgets/views/attribution/attribution_tree.h"
#include "widgets/views/attribution/attribution_words.h"
#include "widgets/views/places.h"
#include "widgets/words/captions.h"
#include "widgets/words/plain_text.h"
#include "widgets/words/shown_lens.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace headscope::widgets {

namespace {

QString partColumnName(const trace::LogitPart& part) {
    using Kind = trace::LogitPart::Kind;
    const QString place = part.sublayer ? QString::fromStdString(trace::toString(*part.sublayer)) : QString();
    switch (part.kind) {
    case Kind::Bias:
        return QStringLiteral("bias");
    case Kind::Embedding:
        return QStringLiteral("embedding");
    case Kind::Position:
        return QStringLiteral("position");
    case Kind::Head:
        return QStringLiteral("%1.%2").arg(place).arg(part.head);
    case Kind::AttentionBias:
        return place + QStringLiteral(".bias");
    case Kind::FeedForward:
        return place;
    }
    return {};
}

} // namespace

View* views::makers::attribution(Selection* selection, QWidget* parent) {
    return new AttributionView(selection, parent);
}

AttributionView::AttributionView(Selection* selection, QWidget* parent)
    : View(parent), selection_(selection), model_(new AttributionModel(this)),
      contrast_(new ContrastField(selection, this)), grouping_(new QComboBox(this)),
      title_(wrappedLabel(this)), pages_(new QStackedWidget(this)),
      tree_(new AttributionTree(selection, model_, this)), hint_(wrappedLabel(this)),
      sum_(wrappedLabel(this)), patience_(new Patience(this, [this] { showNothing(); })) {
    setAccessibleName(tr("Direct logit attribution"));
    setFocusProxy(tree_);
    grouping_->addItems({tr("by sublayer"), tr("single heads")});
    grouping_->setObjectName("parts");
    grouping_->setAccessibleName(tr("Grouping of the parts"));
    grouping_->setToolTip(tr("Sublayers with their sums, expandable into heads; or all parts in one list, to "
                             "find the strongest head"));
    hint_->setAlignment(Qt::AlignCenter);
    pages_->addWidget(tree_);
    pages_->addWidget(hint_);
    auto* choices = new QHBoxLayout;
    choices->addWidget(title_, 1);
    choices->addWidget(grouping_, 0, Qt::AlignTop);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 4);
    column->setSpacing(4);
    column->addWidget(contrast_);
    column->addLayout(choices);
    column->addWidget(pages_, 1);
    column->addWidget(sum_);
    connect(grouping_, &QComboBox::currentIndexChanged, this,
            [this](int index) { model_->setFlat(index == 1); });
    connect(selection_, &Selection::stepChanged, this, &AttributionView::showStep);
    connect(contrast_, &ContrastField::contrastChosen, this,
            [this](const QString& token) { Q_EMIT intended(intents::CompareWith{token.toStdString()}); });
    showStep();
}

void AttributionView::setLens(std::shared_ptr<const trace::Run> run,
                              std::shared_ptr<const trace::Lens> lens) {
    run_ = std::move(run);
    lens_ = std::move(lens);
    measureAgain();
    contrast_->setRun(run_);
    model_->setModel(run_ ? run_->model : nullptr);
    showStep();
}

std::vector<trace::Wanted> AttributionView::questions() const {
    const auto question = lensQuestion(*context().document);
    return question ? std::vector<trace::Wanted>{*question} : std::vector<trace::Wanted>();
}

/// Of a run that still grows there is nothing; what was shown before stays for a moment.
void AttributionView::refresh() {
    const auto& shown = *context().document;
    showContrast();
    const auto lens = shownLens(context());
    if (lens && (lens != lens_ || shown.run != run_))
        setLens(shown.run, lens);
    if (lens)
        patience_->stop();
    else if (shown.run && lens_ && !whyLensRefused(context()))
        patience_->wait();
    else
        showNothing();
}

void AttributionView::showNothing() {
    patience_->stop();
    if (lens_)
        setLens(nullptr, nullptr);
    setWhyEmpty(whyNoLens(context(), *this));
}

void AttributionView::setWhyEmpty(const QString& wayThere) {
    wayThere_ = wayThere;
    showWords();
}

void AttributionView::showContrast() {
    const auto& contrast = context().document->ratherThan;
    if (std::exchange(shownContrast_, contrast) != contrast) {
        contrast_->setContrast(contrast);
        refusedContrast_.reset();
    }
    const auto refusal = whyLensRefused(context());
    const bool isOfContrast = refusal && refusal->where == trace::contrastOption;
    if (isOfContrast && std::exchange(refusedContrast_, contrast) != contrast)
        contrast_->showRefusal(*refusal);
}

std::optional<View::Lacking> AttributionView::lacks() const {
    return lackingLensOfTwin(context());
}

const trace::LogitAttribution* AttributionView::attribution() const {
    const int step = selection_->step();
    const bool isThere = run_ && lens_ && step >= 0 && step < static_cast<int>(lens_->attributions.size());
    return isThere ? &lens_->attributions[static_cast<std::size_t>(step)] : nullptr;
}

void AttributionView::showStep() {
    if (const auto* shown = attribution())
        model_->setAttribution(*shown);
    else
        model_->clear();
    showWords();
}

void AttributionView::showWords() {
    const auto* shown = attribution();
    pages_->setCurrentWidget(shown ? static_cast<QWidget*>(tree_) : hint_);
    hint_->setText(hint());
    grouping_->setVisible(shown != nullptr);
    title_->setVisible(shown != nullptr);
    sum_->setVisible(shown != nullptr);
    if (!shown)
        return;
    const QString caption = attributionCaption(*shown, *run_, *lens_, selection_->step());
    title_->setText(tr("%1 at step %2").arg(logitTitle(*shown), QString::number(selection_->step() + 1)));
    title_->setToolTip(plainToolTip(caption));
    describeForReaders(tree_, caption);
    sum_->setText(attributionSum(*shown));
    QPalette colours = palette();
    if (!analysis::partsSumToLogit(*shown))
        colours.setColor(QPalette::WindowText, themeOf(palette()).bad);
    sum_->setPalette(colours);
}

QString AttributionView::whyEmpty() const {
    return lens_ ? QString::fromStdString(lens_->whyNoAttribution) : QString();
}

QString AttributionView::hint() const {
    if (const QString why = whyEmpty(); !why.isEmpty())
        return tr("The logit of this token cannot be split. %1").arg(why);
    return tr("Splits the logit of the chosen token into the contributions of heads and sublayers. %1")
        .arg(wayThere_);
}

void AttributionView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        showWords();
}

void AttributionView::measureAnimation() {
    animationLimit_ = 0;
    if (lens_)
        for (const auto& each : lens_->attributions)
            animationLimit_ =
                std::max(animationLimit_, AttributionModel::limitOf(analysis::attributionGroups(each)));
}

/// All frames of an animation share one scale.
double AttributionView::limit() const {
    return isAnimated() ? std::max(model_->limit(), animationLimit_) : model_->limit();
}

std::optional<FigureBlocks> AttributionView::figureBlocks() const {
    if (!hasFigure())
        return std::nullopt;
    const AttributionFigure figure{
        .model = *model_, .rows = tree_->shownRows(), .sum = sum_->text(), .limit = limit(), .font = font()};
    return FigureBlocks{.picture = figure.block(), .caption = figureText().caption, .font = font()};
}

FigureText AttributionView::figureText() const {
    if (!hasFigure())
        return {};
    return {.title = tr("Logit at step %1").arg(selection_->step() + 1),
            .caption = attributionCaption(*attribution(), *run_, *lens_, selection_->step()),
            .provenance = provenance(*run_),
            .quantity = tr("logit")};
}

trace::FigureData AttributionView::figureData() const {
    const auto* shown = attribution();
    if (!shown)
        return {};
    QStringList names;
    std::vector<double> values;
    for (const auto& part : shown->parts) {
        names += partColumnName(part);
        values.push_back(part.value);
    }
    return {
        .tables = {{.name = "parts", .columns = {dataColumn("part", names), dataColumn("logit", values)}}}};
}

std::optional<PictureOptions> AttributionView::picture(PictureOptions options) const {
    return ofView(std::move(options), "attribution");
}

bool AttributionView::exportChoices(PictureOptions& picture, const Choices& chosen) const {
    picture.choices.erase("twin-seed");
    if (isChosen(chosen, "logit-lens", "of", std::string("twin")))
        sayTwin(picture, chosen);
    return true;
}

QStringList AttributionView::nameParts(const trace::HeadAddress& head, int step) const {
    return FigureSource::nameParts(head, step) << QStringLiteral("step-%1").arg(step + 1);
}

void AttributionView::addChoices(ViewChoices& choices) {
    choices.add("logit-lens", "parts", control<QComboBox>(this, "parts"));
}

} // namespace headscope::widgets
