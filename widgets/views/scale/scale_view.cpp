#include "widgets/views/scale/scale_view.h"

#include "widgets/controls/flow_layout.h"
#include "widgets/controls/plain_spin_boxes.h"
#include "widgets/controls/wrapped_label.h"
#include "widgets/plots/readable_plot.h"
#include "widgets/tables/numbers_table.h"
#include "widgets/views/scale/softmax_pictures.h"
#include "widgets/views/scale/temperature_slider.h"
#include "widgets/words/plain_text.h"

#include <QComboBox>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

#include <algorithm>

namespace headscope::widgets {

namespace {

constexpr int scaleLeastHeight = 60; ///< of the pictures: a window with large text must fit a laptop

} // namespace

ScaleView::ScaleView(Selection* selection, QWidget* parent)
    : QWidget(parent), selection_(selection), pages_(new QTabBar(this)), scopes_(new QComboBox(this)),
      twinButton_(new QPushButton(tr("Measure the Random Twin"), this)), slider_(new TemperatureSlider(this)),
      temperatureBox_(new NumberBox(analysis::lowestTemperature, analysis::highestTemperature, 0.1, this)),
      asTrained_(new QPushButton(tr("As Trained"), this)), unscaled_(new QPushButton(tr("Unscaled"), this)),
      apply_(new QPushButton(tr("Apply to the Whole Model"), this)), area_(new QScrollArea(this)),
      stack_(new QStackedWidget(this)), scoresPlot_(new ReadablePlot(tr("How the scores lie"), this)),
      variancePlot_(new ReadablePlot(tr("Variance of the heads' products over d_k"), this)),
      varianceTable_(new NumbersTable(this)),
      rowPlot_(new ReadablePlot(tr("Soft and hard attention of the row"), this)),
      mapPlot_(new ReadablePlot(tr("The map at this temperature"), this)),
      curvePlot_(new ReadablePlot(tr("Entropy over the temperature"), this)),
      entropiesPlot_(new ReadablePlot(tr("Entropy of every head's rows"), this)),
      hardPlot_(new ReadablePlot(tr("How near every head is to hard attention"), this)),
      curvesPlot_(new ReadablePlot(tr("Every head's entropy over the temperature"), this)),
      caption_(captionLabel(this)) {
    setAccessibleName(tr("Scale"));
    buildControls();
    buildPages();
    connectPlots();
    connect(selection_, &Selection::headChanged, this, &ScaleView::headChanged);
    // What is lit or stepped to is the row.
    const auto follow = [this] {
        if (isVisible() && !showsHeads()) // else when it is shown: every move of the pointer comes here
            showTemperature();
    };
    connect(selection_, &Selection::stepChanged, this, follow);
    connect(selection_, &Selection::focusChanged, this, follow);
    headChanged();
}

/// A plot that goes tells that the pointer has left it, when there is no view to tell any more.
ScaleView::~ScaleView() {
    for (ReadablePlot* plot : findChildren<ReadablePlot*>())
        plot->disconnect(this);
}

void ScaleView::buildControls() {
    for (const QString& title : {tr("Scores"), tr("Variance"), tr("Temperature")})
        pages_->addTab(title);
    pages_->setAccessibleName(tr("What the scale is shown by"));
    pages_->setDrawBase(false);
    scopes_->addItems({tr("This head"), tr("All heads of its layer"), tr("All heads of the model")});
    scopes_->setAccessibleName(tr("Whose scores are counted"));
    connect(pages_, &QTabBar::currentChanged, this, &ScaleView::showPage);
    connect(scopes_, &QComboBox::currentIndexChanged, this, &ScaleView::showPage);
    connect(twinButton_, &QPushButton::clicked, this, [this] {
        if (measuringTwin_)
            Q_EMIT twinStopped();
        else
            Q_EMIT twinWanted();
    });
}

/// One line where there is room, more where text is large.
QWidget* ScaleView::controls() {
    temperatureBox_->setAccessibleName(tr("Temperature of the softmax, as a number"));
    temperatureBox_->setToolTip(tr("Scores are divided by it: below 1 rows sharpen, above 1 they soften"));
    temperatureBox_->setValue(temperature_);
    slider_->setTemperature(temperature_);
    slider_->setToolTip(temperatureBox_->toolTip());
    slider_->setMinimumWidth(240);
    asTrained_->setToolTip(tr("Temperature 1: the weights of the run"));
    for (QPushButton* one : {asTrained_, unscaled_}) {
        one->setCheckable(true); // down as long as its temperature is the one that is drawn
        connect(one, &QPushButton::clicked, this, [this, one] {
            setTemperature(one == asTrained_ ? 1 : droppedScale());
            showTemperatureControls(); // a second click does not let it up
        });
    }
    connect(slider_, &TemperatureSlider::temperatureChanged, this, &ScaleView::setTemperature);
    connect(temperatureBox_, &QDoubleSpinBox::valueChanged, this, &ScaleView::setTemperature);
    connect(apply_, &QPushButton::clicked, this, [this] {
        const double wanted = temperature_;
        setTemperature(1); // the run to come has it in its scores
        Q_EMIT temperatureWanted(wanted);
    });
    auto* all = new QWidget(this);
    auto* row = new FlowLayout(all);
    for (QWidget* control : std::initializer_list<QWidget*>{scopes_, twinButton_, slider_, temperatureBox_,
                                                            asTrained_, unscaled_, apply_})
        row->addWidget(control);
    return all;
}

QWidget* ScaleView::variancePage() {
    varianceTable_->setAccessibleName(tr("Variance of every head"));
    auto* page = new QWidget(this);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(variancePlot_, 3);
    column->addWidget(varianceTable_, 1);
    return page;
}

QWidget* ScaleView::temperaturePage() {
    auto* page = new QWidget(this);
    grid_ = new QGridLayout(page);
    grid_->setContentsMargins(0, 0, 0, 0);
    return page;
}

void ScaleView::buildPages() {
    stack_->addWidget(scoresPlot_);
    stack_->addWidget(variancePage());
    stack_->addWidget(temperaturePage());
    stack_->addWidget(headsPage());
    area_->setFrameShape(QFrame::NoFrame);
    area_->setFocusPolicy(Qt::NoFocus);
    area_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area_->setWidgetResizable(true);
    area_->setWidget(stack_);
    area_->setMinimumHeight(scaleLeastHeight);
    for (QWidget* clear : std::initializer_list<QWidget*>{area_->viewport(), stack_})
        clear->setAutoFillBackground(false); // what an empty view says stands behind
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 8, 12, 12);
    column->addWidget(pages_, 0, Qt::AlignLeft);
    column->addWidget(controls());
    column->addWidget(area_, 1);
    column->addWidget(caption_);
}

/// Pictures keep the room that they need at this text size; where there is less, they scroll.
void ScaleView::fit() {
    const int line = fontMetrics().height();
    const bool isNarrow = width() < 40 * line;
    grid_->addWidget(rowPlot_, 0, 0, 1, isNarrow ? 2 : 1);
    grid_->addWidget(mapPlot_, isNarrow ? 1 : 0, isNarrow ? 0 : 1, 1, isNarrow ? 2 : 1);
    grid_->addWidget(curvePlot_, 2, 0, 1, 2);
    for (int row = 0; row < 3; ++row)
        grid_->setRowStretch(row, row == 2 ? 2 : row == 0 || isNarrow ? 3 : 0);
    for (const int column : {0, 1})
        grid_->setColumnStretch(column, 1);
    fitHeads(isNarrow);
    const int lines = page() == Page::Scores ? 12 : page() == Page::Variance ? 16 : isNarrow ? 36 : 22;
    stack_->setMinimumHeight(lines * line);
    // The plot can be read as a table, too: two that scroll are one too many.
    varianceTable_->setVisible(area_->height() >= 22 * line);
}

void ScaleView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    layout()->activate(); // before the area's height is asked for
    fit();
}

void ScaleView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange && grid_)
        fit();
}

void ScaleView::connectPlots() {
    for (ReadablePlot* plot : findChildren<ReadablePlot*>())
        connect(plot, &ReadablePlot::markDescribed, this, &ScaleView::cellDescribed);
    connectHeads();
    connect(variancePlot_, &ReadablePlot::markChosen, this, [this](MapCell mark) {
        if (const auto* answer = known())
            selection_->setHead(answer->spreads[static_cast<std::size_t>(mark.column)].head);
    });
    connect(curvePlot_, &ReadablePlot::markChosen, this, [this](MapCell mark) {
        const auto& curve = known()->curve;
        setTemperature(curve.temperatures[static_cast<std::size_t>(mark.column)]);
    });
    // The row under the pointer is the one that the bars show.
    connect(mapPlot_, &ReadablePlot::cursorMoved, this, [this](std::optional<MapCell> mark) {
        const int keys = mapPlot_->columnCount() - 1;
        light(mark ? std::optional(mark->row) : std::nullopt,
              mark && mark->column < keys ? std::optional(mark->column) : std::nullopt);
    });
    connect(rowPlot_, &ReadablePlot::cursorMoved, this, [this](std::optional<MapCell> mark) {
        light(mark ? std::optional(row()) : std::nullopt, mark ? std::optional(mark->row) : std::nullopt);
    });
    connect(mapPlot_, &ReadablePlot::markChosen, this, [this](MapCell mark) {
        const auto kind = selection_->head().site.kind;
        if (kind == trace::AttentionKind::EncoderSelf)
            selection_->togglePinned(TokenFocus::cell(kind, mark.row, std::nullopt));
        else
            selection_->setStep(mark.row);
    });
}

void ScaleView::light(std::optional<int> query, std::optional<int> key) {
    selection_->setHover(query || key ? TokenFocus::cell(selection_->head().site.kind, query, key)
                                      : TokenFocus());
}

void ScaleView::setRun(std::shared_ptr<const trace::Run> run) {
    run_ = std::move(run);
    twin_.clear();
    twinRefusal_.clear();
    refused_.reset();
    headChanged();
}

void ScaleView::headChanged() {
    scores_ = run_ && !isLong() ? analysis::openScores(*run_, selection_->head()) : std::nullopt;
    showPage();
}

ScaleView::Page ScaleView::page() const {
    return static_cast<Page>(pages_->currentIndex());
}

ScoreScope ScaleView::scope() const {
    return static_cast<ScoreScope>(scopes_->currentIndex());
}

int ScaleView::row() const {
    const auto kind = selection_->head().site.kind;
    const int step = kind == trace::AttentionKind::EncoderSelf ? 0 : selection_->step();
    const int rows = scores_ ? static_cast<int>(scores_->scores.rows()) : 0;
    return std::clamp(selection_->focus().query(kind).value_or(step), 0, std::max(0, rows - 1));
}

void ScaleView::setPage(Page page) {
    pages_->setCurrentIndex(static_cast<int>(page));
}

void ScaleView::setScope(ScoreScope scope) {
    scopes_->setCurrentIndex(static_cast<int>(scope));
}

void ScaleView::setTemperature(double temperature) {
    temperature = std::clamp(temperature, analysis::lowestTemperature, analysis::highestTemperature);
    if (temperature == temperature_)
        return;
    temperature_ = temperature;
    slider_->setTemperature(temperature);
    const QSignalBlocker quiet(temperatureBox_);
    temperatureBox_->setValue(temperature);
    showTemperatureControls();
    showTemperature();
    if (page() == Page::Variance && hasFigure())
        showVariance();
    caption_->setText(caption());
    if (showsHeads() || page() == Page::Scores)
        Q_EMIT questionChanged();
}

void ScaleView::setSpaceMarksShown(bool shown) {
    spaceMarks_ = shown;
    showTemperature();
}

} // namespace headscope::widgets
