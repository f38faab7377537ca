#include "widgets/views/attribution/attribution_view.h"

#include "model/analysis/output/attribution_groups.h"
#include "widgets/controls/card_head.h"
#include "widgets/controls/contrast_field.h"
#include "widgets/controls/patience.h"
#include "widgets/controls/view_choices.h"
#include "widgets/controls/wrapped_label.h"
#include "widgets/drawing/recorded_drawing.h"
#include "widgets/drawing/signed_bar.h"
#include "widgets/drawing/spacing.h"
#include "widgets/drawing/theme.h"
#include "widgets/drawing/window_style.h"
#include "widgets/explained.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/figure_blocks.h"
#include "widgets/plots/drawn_plot.h"
#include "widgets/plots/readable_plot.h"
#include "widgets/views/attribution/attribution_tree.h"
#include "widgets/views/places.h"
#include "widgets/words/captions.h"
#include "widgets/words/plain_text.h"
#include "widgets/words/shown_lens.h"

#include <QComboBox>
#include <QEvent>
#include <QFont>
#include <QFontMetricsF>
#include <QHBoxLayout>
#include <QLabel>
#include <QModelIndex>
#include <QPainter>
#include <QRectF>
#include <QStackedWidget>
#include <QString>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace headscope::widgets {

namespace {

constexpr double attributionGap = 16; ///< between columns
constexpr double indentation = 16;
constexpr double attributionWidth = 496;

/// Draws the parts of a logit on a page, expanded and sorted as on screen. `model` must outlive the figure.
struct AttributionFigure {
    const AttributionModel& model;
    std::vector<std::pair<QModelIndex, int>> rows; ///< with their depth
    QString sum;                                   ///< text below the rows
    double limit = 0;                              ///< value of a full bar
    QFont font;

    /// Compresses the rows where there is less room.
    FigureBlock block() const {
        const QSizeF size(attributionWidth, (static_cast<double>(rows.size()) + 2) * rowHeight());
        return {.size = [=](double) { return size; },
                .draw = [*this](QPainter& painter, const QRectF& area,
                                const Theme& theme) { draw(painter, area, theme); },
                .grows = false};
    }

  private:
    double rowHeight() const { return std::ceil(QFontMetricsF(font).height()) + 4; }

    QRectF cell(const QRectF& row, int column) const {
        const QFontMetricsF metrics(font);
        const double number = metrics.horizontalAdvance(QStringLiteral("+00.0000"));
        double name = 0;
        for (const auto& [index, depth] : rows)
            name = std::max(name, metrics.horizontalAdvance(index.data().toString()) + depth * indentation);
        name = std::min(name, row.width() / 2);
        switch (column) {
        case AttributionModel::Part:
            return {row.left(), row.top(), name, row.height()};
        case AttributionModel::Bar:
            return {row.left() + name + attributionGap, row.top(),
                    std::max(0.0, row.width() - name - number - 2 * attributionGap), row.height()};
        default:
            return {row.right() - number, row.top(), number, row.height()};
        }
    }

    void drawHeader(QPainter& painter, const QRectF& row, const Theme& theme) const {
        painter.setPen(theme.faintText);
        for (int column = 0; column < AttributionModel::ColumnCount; ++column)
            painter.drawText(cell(row, column),
                             model.headerData(column, Qt::Horizontal, Qt::TextAlignmentRole).toInt() |
                                 Qt::TextDontClip,
                             model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
        painter.fillRect(QRectF(row.left(), row.bottom() - 1, row.width(), 1), theme.line);
    }

    void drawRow(QPainter& painter, const QRectF& row, const QModelIndex& index, int depth,
                 const Theme& theme) const {
        const auto at = [&](int column) { return index.siblingAtColumn(column); };
        const QRectF name = cell(row, AttributionModel::Part).adjusted(depth * indentation, 0, 0, 0);
        painter.setPen(depth > 0 ? theme.faintText : theme.text);
        painter.drawText(
            name, Qt::AlignLeft | Qt::AlignVCenter,
            QFontMetricsF(font).elidedText(index.data().toString(), Qt::ElideRight, name.width()));
        drawSignedBar(painter, cell(row, AttributionModel::Bar).adjusted(0, 3, 0, -3),
                      model.data(index, AttributionModel::ValueRole).toDouble(), limit, theme);
        painter.drawText(cell(row, AttributionModel::Value),
                         Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip,
                         at(AttributionModel::Value).data().toString());
    }

    void draw(QPainter& painter, const QRectF& area, const Theme& theme) const {
        const double lines = static_cast<double>(rows.size()) + 2; // includes the header and the sum
        const double height = std::min(rowHeight(), area.height() / lines);
        const auto row = [&](std::size_t line) {
            return QRectF(area.left(), area.top() + static_cast<double>(line) * height, area.width(), height);
        };
        drawHeader(painter, row(0), theme);
        for (std::size_t i = 0; i < rows.size(); ++i)
            drawRow(painter, row(i + 1), rows[i].first, rows[i].second, theme);
        noteForPage(painter, [&] {
            recorded::AreaWords words;
            for (std::size_t i = 0; i < rows.size(); ++i)
                words.areas.emplace_back(row(i + 1), rows[i].first.data(Qt::AccessibleTextRole).toString());
            return words;
        });
        const QRectF foot = row(rows.size() + 1);
        painter.fillRect(QRectF(foot.left(), foot.top(), foot.width(), 1), theme.line);
        painter.setPen(theme.text);
        painter.drawText(foot, Qt::AlignRight | Qt::AlignVCenter, sum);
    }
};
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
      sum_(wrappedLabel(this)), note_(wrappedLabel(this)),
      head_(new CardHead(tr("Parts"), tr("the difference as an exact sum"), this)),
      sublayers_(new QToolButton(this)), heads_(new QToolButton(this)),
      bars_(new ReadablePlot(tr("Contributions to the logit"), this)),
      patience_(new Patience(this, [this] { showNothing(); })) {
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
    column->setContentsMargins(space::s, space::s, space::s, space::xs);
    column->setSpacing(space::xs);
    column->addWidget(head_);
    column->addWidget(contrast_);
    column->addLayout(choices);
    column->addWidget(pages_, 1);
    column->addWidget(sum_);
    buildCard(column);
    note_->setForegroundRole(QPalette::PlaceholderText);
    column->addWidget(note_);
    connect(grouping_, &QComboBox::currentIndexChanged, this, [this](int index) {
        model_->setFlat(index == 1);
        showBars();
    });
    connect(selection_, &Selection::stepChanged, this, [this] {
        if (!isCard())
            return showStep();
        refresh(); // it is compared with the second choice of another step
        Q_EMIT questionsChanged();
    });
    connect(contrast_, &ContrastField::contrastChosen, this,
            [this](const QString& token) { Q_EMIT intended(intents::CompareWith{token.toStdString()}); });
    layOutForm();
    showStep();
}

void AttributionView::buildCard(QVBoxLayout* column) {
    sublayers_->setText(tr("Sublayers"));
    heads_->setText(tr("Heads"));
    auto* segments = new QWidget(head_);
    auto* row = new QHBoxLayout(segments);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    head_->add(segments);
    for (auto* segment : {sublayers_, heads_}) {
        segment->setCheckable(true);
        setLook(segment, ButtonLook::Segment);
        row->addWidget(segment);
        connect(segment, &QToolButton::clicked, this, [this, segment] {
            unfolded_.clear();
            grouping_->setCurrentIndex(segment == heads_ ? 1 : 0);
            showBars();
        });
    }
    column->addWidget(bars_, 1);
    connect(bars_, &ReadablePlot::markDescribed, this, &View::cellDescribed);
    connect(bars_, &ReadablePlot::markChosen, this, [this](MapCell mark) { chooseBar(mark.column); });
}

void AttributionView::layOutForm() {
    head_->setVisible(isCard());
    contrast_->setVisible(!isCard());
    setFocusProxy(takesKeys());
    layout()->setContentsMargins(isCard() ? QMargins(12, 8, 12, 8) : QMargins(8, 8, 8, 4));
}

void AttributionView::showForm() {
    layOutForm();
    setLens(nullptr, nullptr);
    refresh();
    Q_EMIT questionsChanged();
}

void AttributionView::showPicture(const PictureOptions& options) {
    setCard(isChosen(options, "card", true));
}

QWidget* AttributionView::takesKeys() const {
    return isCard() ? static_cast<QWidget*>(bars_) : tree_;
}

void AttributionView::showBars() {
    const bool isFlat = grouping_->currentIndex() == 1;
    sublayers_->setChecked(!isFlat);
    heads_->setChecked(isFlat);
    const auto* shown = isCard() ? attribution() : nullptr;
    waterfall_ = shown ? waterfall(*shown, unfolded_, isFlat, run_->model.get()) : Waterfall();
    if (const auto* twin = shown && !isFlat ? twinsAttribution() : nullptr)
        for (const auto& step : waterfall(*twin, unfolded_, isFlat, run_->model.get()).steps)
            waterfall_.twin.push_back(step.value);
    bars_->setPicture(shown ? std::make_shared<DrawnPlot>(waterfall_.plot()) : nullptr);
    head_->setHelp(shown ? figureText().caption : QString());
}

const trace::LogitAttribution* AttributionView::twinsAttribution() const {
    const auto& document = *context().document;
    const auto of = explained(document, selection_->step());
    const auto question = of ? twinsParts(document, *of) : std::nullopt;
    const auto lens = question ? context().known->of(question->request, trace::LensWhat()) : nullptr;
    const bool isSame = lens && of->step < lens->attributions.size() &&
                        lens->attributions[of->step].token.id == of->chosen.id;
    return isSame ? &lens->attributions[of->step] : nullptr;
}

/// A head is selected everywhere; a sublayer is unfolded.
void AttributionView::chooseBar(std::size_t place) {
    if (place >= waterfall_.steps.size())
        return;
    const auto step = waterfall_.steps[place];
    if (step.head)
        selection_->setHead(*step.head);
    if (!step.unfolds)
        return;
    unfolded_.insert(*step.unfolds);
    showBars();
}

std::optional<trace::Question> AttributionView::question() const {
    if (!isCard())
        return lensQuestion(*context().document);
    const auto of = explained(*context().document, selection_->step());
    return of ? std::optional(explainedLens(*of)) : std::nullopt;
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
    const auto asked = question();
    if (!asked)
        return {};
    std::vector<trace::Wanted> wanted{*asked};
    const auto& document = *context().document;
    if (const auto of = isCard() ? explained(document, selection_->step()) : std::nullopt)
        if (const auto twin = twinsParts(document, *of))
            wanted.emplace_back(*twin);
    return wanted;
}

/// Of a run that still grows there is nothing; what was shown before stays for a moment.
void AttributionView::refresh() {
    const auto& shown = *context().document;
    const auto asked = question();
    const auto refusal = asked ? context().known->refusalOf(*asked) : std::nullopt;
    contrast_->follow(shown.ratherThan, refusal);
    const auto lens = asked ? context().known->of(asked->request, trace::LensWhat()) : nullptr;
    if (lens && (lens != lens_ || shown.run != run_))
        setLens(shown.run, lens);
    else if (lens && isCard())
        showStep();
    if (lens)
        patience_->stop();
    else if (shown.run && lens_ && !refusal)
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

std::optional<View::Lacking> AttributionView::lacks() const {
    return lackingLensOfTwin(context());
}

const trace::LogitAttribution* AttributionView::attribution() const {
    const bool isThere = run_ && lens_ && answer() < std::ssize(lens_->attributions);
    return isThere ? &lens_->attributions[answer()] : nullptr;
}

trace::TokenIndex AttributionView::answer() const {
    return answerAt(*run_, selection_->step());
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
    pages_->setVisible(!isCard() || !shown);
    bars_->setVisible(isCard() && shown);
    hint_->setText(hint());
    grouping_->setVisible(shown && !isCard());
    title_->setVisible(shown && !isCard());
    note_->setVisible(shown && run_->target.empty());
    sum_->setVisible(shown && (!isCard() || !analysis::partsSumToLogit(*shown)));
    showBars();
    if (!shown)
        return;
    head_->setSubtitle(lens_->areNumbers ? tr("the number as an exact sum")
                       : shown->contrast ? tr("the difference as an exact sum")
                                         : tr("the logit as an exact sum"));
    const QString caption = attributionCaption(*shown, *run_, *lens_, answer());
    title_->setText(run_->steps() == 0 || lens_->areNumbers
                        ? logitTitle(*shown, lens_->areNumbers)
                        : tr("%1 at %2").arg(logitTitle(*shown, false), answerName(*run_, answer())));
    note_->setText(attributionNote(*run_, answer()));
    title_->setToolTip(plainToolTip(caption));
    describeForReaders(tree_, caption);
    sum_->setText(attributionSum(*shown, lens_->areNumbers));
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
        return tr("This output cannot be split into parts. %1").arg(why);
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
    if (isCard())
        return FigureBlocks{.picture = plotBlock(bars_->picture(), font(), shaped(0.36, 1000)),
                            .caption = figureText().caption,
                            .font = font(),
                            .width = 1100};
    const AttributionFigure figure{
        .model = *model_, .rows = tree_->shownRows(), .sum = sum_->text(), .limit = limit(), .font = font()};
    return FigureBlocks{.picture = figure.block(), .caption = figureText().caption, .font = font()};
}

FigureText AttributionView::figureText() const {
    if (!hasFigure())
        return {};
    return {
        .title = (lens_->areNumbers ? tr("Parts of %1") : tr("Logit at %1")).arg(answerName(*run_, answer())),
        .caption = attributionCaption(*attribution(), *run_, *lens_, answer()) +
                   (isCard() && !waterfall_.twin.empty() ? ' ' + tr("Thin bars: random twin.") : QString()),
        .provenance = provenance(*run_),
        .quantity = lens_->areNumbers ? tr("number") : tr("logit")};
}

trace::FigureData AttributionView::figureData() const {
    const auto* shown = attribution();
    if (!shown)
        return {};
    return {.tables = {{.name = "parts",
                        .columns = {dataColumn("part", shown->parts, partColumnName),
                                    dataColumn(lens_->areNumbers ? "number" : "logit", shown->parts,
                                               &trace::LogitPart::value)}}}};
}

std::optional<PictureOptions> AttributionView::picture(PictureOptions options) const {
    options = ofView(std::move(options), "attribution");
    if (isCard())
        options.choices["card"] = true;
    return options;
}

bool AttributionView::exportChoices(PictureOptions& picture, const Choices& chosen) const {
    sayBaseline(picture, chosen, isCard());
    if (isChosen(chosen, "logit-lens", "of", std::string("twin")))
        sayTwin(picture, chosen);
    return true;
}

QStringList AttributionView::nameParts(const trace::HeadAddress& head, int step) const {
    auto parts = FigureSource::nameParts(head, step);
    return run_ && run_->target.empty() ? parts : parts << QStringLiteral("step-%1").arg(step + 1);
}

void AttributionView::addChoices(ViewChoices& choices) {
    choices.add("logit-lens", "parts", control<QComboBox>(this, "parts"));
}

} // namespace headscope::widgets
