#include "widgets/views/experts/experts_view.h"

#include "model/analysis/maps/expert_load.h"
#include "widgets/controls/segments.h"
#include "widgets/controls/view_choices.h"
#include "widgets/controls/wrapped_label.h"
#include "widgets/drawing/spacing.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/view_spec.h"
#include "widgets/views/places.h"
#include "widgets/words/captions.h"
#include "widgets/words/card_words.h"
#include "widgets/words/hint_for_no_run.h"
#include "widgets/words/plain_text.h"
#include "widgets/words/trace_words.h"

#include <QComboBox>
#include <QLabel>
#include <QPainter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace headscope::widgets {

namespace {

bool hasExperts(const trace::Run& run) {
    return run.model && !run.model->property("experts").empty();
}

} // namespace

View* views::makers::experts(Selection* selection, QWidget* parent) {
    return new ExpertsView(selection, parent);
}

ExpertsView::ExpertsView(Selection* selection, QWidget* parent)
    : View(parent), selection_(selection), bar_(new QWidget(this)), line_(wrappedLabel(bar_)),
      layer_(new QComboBox(bar_)),
      pages_(new Segments(tr("What the rows are"), {tr("Tokens"), tr("Layers"), tr("Load")}, bar_)),
      stack_(new QStackedWidget(this)), map_(new ExpertMap(this)), hint_(wrappedLabel(this)) {
    setAccessibleName(tr("Experts"));
    setFocusProxy(map_);
    pages_->setToolTip(Tokens, tr("The experts of one layer that each token uses"));
    pages_->setToolTip(Layers, tr("The experts of every layer that the token of this step uses"));
    pages_->setToolTip(Load, tr("The share of the tokens that use each expert"));
    layer_->setAccessibleName(tr("Layer"));
    static_cast<WrappedLabel*>(line_)->setLines(1);
    line_->setForegroundRole(QPalette::PlaceholderText);
    hint_->setAlignment(Qt::AlignCenter);
    auto* row = new QHBoxLayout(bar_);
    row->setContentsMargins(space::xs, 0, 0, 0);
    row->addWidget(line_, 1);
    row->addWidget(layer_);
    row->addWidget(pages_);
    stack_->addWidget(map_);
    stack_->addWidget(hint_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(space::xs, space::xs, space::xs, space::xs);
    column->addWidget(bar_);
    column->addWidget(stack_, 1);
    connect(pages_, &Segments::currentChanged, this, &ExpertsView::show);
    connect(layer_, &QComboBox::activated, this, [this] {
        wantedLayer_ = layer();
        show();
    });
    connect(map_, &ExpertMap::cellDescribed, this, &ExpertsView::cellDescribed);
    connect(map_, &ExpertMap::cellClicked, this, [this](MapCell cell) {
        if (page() == Tokens)
            selection_->setStep(trace::TokenIndex(cell.row));
        else if (routing_ && cell.row < std::ssize(routing_->layers))
            setLayer(routing_->layers[cell.row].layer);
    });
    connect(selection, &Selection::stepChanged, this, &ExpertsView::show);
    show();
}

ExpertsView::Page ExpertsView::page() const {
    return static_cast<Page>(pages_->currentIndex());
}

void ExpertsView::setPage(Page page) {
    pages_->setCurrentIndex(page);
}

int ExpertsView::layer() const {
    return layer_->currentIndex() < 0 ? -1 : layer_->currentData().toInt();
}

void ExpertsView::setLayer(int layer) {
    wantedLayer_ = layer;
    if (const int at = layer_->findData(layer); at >= 0)
        layer_->setCurrentIndex(at);
    show();
}

std::optional<trace::Question> ExpertsView::question() const {
    const auto& document = *context().document;
    if (!document.request || !document.run || !hasExperts(*document.run))
        return std::nullopt;
    return trace::Question{.request = *document.request, .what = trace::RoutingWhat()};
}

std::vector<trace::Wanted> ExpertsView::questions() const {
    const auto asked = question();
    return asked ? std::vector<trace::Wanted>{*asked} : std::vector<trace::Wanted>();
}

void ExpertsView::refresh() {
    const auto asked = question();
    auto routing = asked ? context().known->of(asked->request, trace::RoutingWhat()) : nullptr;
    whyNot_ = asked ? inWords(context().known->refusalOf(*asked)) : QString();
    const bool isOther = routing != routing_;
    routing_ = std::move(routing);
    run_ = context().document->run;
    if (isOther)
        showLayers();
    show();
}

void ExpertsView::showLayers() {
    layer_->clear();
    if (routing_)
        for (const auto& layer : routing_->layers)
            layer_->addItem(tr("layer %1").arg(layer.layer), layer.layer);
    if (const int at = layer_->findData(wantedLayer_); at >= 0)
        layer_->setCurrentIndex(at);
}

const trace::LayerRouting* ExpertsView::shownLayer() const {
    if (!routing_)
        return nullptr;
    const auto found = std::ranges::find(routing_->layers, layer(), &trace::LayerRouting::layer);
    return found == routing_->layers.end() ? nullptr : &*found;
}

/// The token of the step, which is fed in its row.
std::size_t ExpertsView::token() const {
    return run_ && !run_->target.empty() ? std::min<std::size_t>(selection_->step(), run_->target.size() - 1)
                                         : 0;
}

std::vector<TokenLabel> ExpertsView::layerLabels() const {
    std::vector<TokenLabel> labels;
    for (const auto& layer : routing_->layers)
        labels.push_back({.text = tr("layer %1").arg(layer.layer)});
    return labels;
}

/// Of all layers and tokens, so that colours mean the same on every page of weights.
float ExpertsView::largestWeight() const {
    float largest = 0;
    for (const auto& layer : routing_->layers)
        for (const float weight : layer.weights)
            largest = std::max(largest, weight);
    return largest > 0 ? largest : 1;
}

ExpertMap::Content ExpertsView::ofLayer(const trace::LayerRouting& layer) const {
    const std::size_t used = routing_->used, tokens = layer.experts.size() / used;
    ExpertMap::Content content{.rows = tokenLabels(run_->target, tokens),
                               .values = trace::Matrix(tokens, routing_->experts),
                               .limit = largestWeight(),
                               .load = analysis::expertLoad(*routing_, layer, run_->target),
                               .even = double(routing_->used) / routing_->experts,
                               .step = std::optional<int>(token())};
    for (std::size_t i = 0; i < layer.experts.size(); ++i)
        content.values(i / used, layer.experts[i]) = layer.weights[i];
    content.cell = [labels = content.rows, values = content.values](MapCell cell) {
        const float weight = values(cell.row, cell.column);
        const QString token = quoted(labels[cell.row]);
        return weight > 0 ? tr("%1 uses expert %2 with weight %3")
                                .arg(token, QString::number(cell.column), numberText(weight))
                          : tr("%1 does not use expert %2").arg(token, QString::number(cell.column));
    };
    content.ofExpert = [load = content.load, even = content.even](int expert) {
        return tr("Expert %1 is used by %2 of the tokens; if all were used alike: %3")
            .arg(QString::number(expert), shareText(load[expert]), shareText(even));
    };
    return content;
}

ExpertMap::Content ExpertsView::ofToken(std::size_t token) const {
    ExpertMap::Content content{.rows = layerLabels(),
                               .values = trace::Matrix(routing_->layers.size(), routing_->experts),
                               .limit = largestWeight()};
    const std::size_t used = routing_->used;
    for (std::size_t row = 0; row < routing_->layers.size(); ++row)
        for (std::size_t i = token * used; i < (token + 1) * used; ++i)
            content.values(row, routing_->layers[row].experts[i]) = routing_->layers[row].weights[i];
    content.cell = [labels = content.rows, values = content.values](MapCell cell) {
        const float weight = values(cell.row, cell.column);
        const QString expert = QString::number(cell.column);
        return weight > 0
                   ? tr("%1: expert %2, weight %3").arg(labels[cell.row].text, expert, numberText(weight))
                   : tr("%1: expert %2 is not used").arg(labels[cell.row].text, expert);
    };
    return content;
}

ExpertMap::Content ExpertsView::ofLoad() const {
    ExpertMap::Content content{.rows = layerLabels(),
                               .values = trace::Matrix(routing_->layers.size(), routing_->experts),
                               .limit = double(routing_->used) / routing_->experts};
    for (std::size_t row = 0; row < routing_->layers.size(); ++row) {
        const auto load = analysis::expertLoad(*routing_, routing_->layers[row], run_->target);
        for (std::size_t expert = 0; expert < load.size(); ++expert)
            content.values(row, expert) = static_cast<float>(load[expert]);
        content.limit = std::max(content.limit, *std::ranges::max_element(load));
    }
    content.cell = [labels = content.rows, values = content.values](MapCell cell) {
        return tr("%1: expert %2 is used by %3 of the tokens")
            .arg(labels[cell.row].text, QString::number(cell.column),
                 shareText(values(cell.row, cell.column)));
    };
    return content;
}

void ExpertsView::show() {
    const auto* layer = shownLayer();
    ExpertMap::Content content;
    if (layer && run_)
        content = page() == Tokens ? ofLayer(*layer) : page() == Layers ? ofToken(token()) : ofLoad();
    map_->setContent(std::move(content));
    layer_->setVisible(layer && page() == Tokens);
    stack_->setCurrentWidget(map_->isEmpty() ? static_cast<QWidget*>(hint_) : map_);
    hint_->setText(whyEmpty());
    line_->setText(map_->isEmpty() ? QString() : caption());
    setPlainToolTip(pages_, line_->text());
}

QString ExpertsView::whyEmpty() const {
    if (!run_)
        return hintForNoRun(*this);
    if (!hasExperts(*run_))
        return tr("This model has no experts: one feed-forward network serves all tokens.");
    if (!whyNot_.isEmpty())
        return whyNot_;
    return question() ? tr("Recording what the routers choose...")
                      : tr("Computed when decoding is complete.");
}

QString ExpertsView::loadInWords(const std::vector<double>& load) const {
    const auto most = std::ranges::max_element(load);
    QStringList unused;
    for (std::size_t expert = 0; expert < load.size(); ++expert)
        if (load[expert] == 0)
            unused += QString::number(expert);
    const QString words = tr("Most used: expert %1, by %2 of the tokens.")
                              .arg(QString::number(most - load.begin()), shareText(*most));
    constexpr int named = 8;
    return unused.empty()          ? words
           : unused.size() > named ? words + ' ' + tr("%1 experts are not used.").arg(unused.size())
                                   : words + ' ' + tr("Not used: %1.").arg(unused.join(tr(", ")));
}

QString ExpertsView::caption() const {
    const QString used = QString::number(routing_->used), experts = QString::number(routing_->experts);
    const bool addUp = run_->model->property("expert_weights_normalised") == "yes";
    const QString weights = addUp ? tr("The weights of a token add up to 1.")
                                  : tr("A weight is the router's probability of the expert.");
    if (page() == Tokens)
        return tr("Layer %1: each token uses %2 of %3 experts. %4 %5")
            .arg(QString::number(layer()), used, experts,
                 loadInWords(analysis::expertLoad(*routing_, *shownLayer(), run_->target)), weights);
    if (page() == Layers)
        return tr("%1 (step %2): the %3 of %4 experts that it uses in each layer. %5")
            .arg(quoted(tokenLabel(run_->target, token())), QString::number(token() + 1), used, experts,
                 weights);
    return tr("Share of the tokens that use each expert, by layer. If all were used alike: %1.")
        .arg(shareText(double(routing_->used) / routing_->experts));
}

std::optional<FigureBlocks> ExpertsView::figureBlocks() const {
    if (!hasFigure())
        return std::nullopt;
    const bool withMarks = figureParts().marks;
    return FigureBlocks{
        .picture = {
            .size = [this](double width) { return map_->sizeFor(width); },
            .draw = [this, withMarks](QPainter& painter, const QRectF& area,
                                      const Theme& theme) { map_->draw(painter, area, theme, withMarks); }},
        .caption = caption(),
        .font = font()};
}

FigureText ExpertsView::figureText() const {
    if (!hasFigure())
        return {};
    return {.title = page() == Tokens   ? tr("Experts of layer %1").arg(layer())
                     : page() == Layers ? tr("Experts at step %1").arg(token() + 1)
                                        : tr("Load of the experts"),
            .caption = withModel(*run_->model, caption()),
            .provenance = provenance(*run_),
            .quantity = page() == Load ? tr("load") : tr("weight of the expert")};
}

trace::FigureData ExpertsView::figureData() const {
    if (!hasFigure())
        return {};
    const auto& shown = map_->content();
    std::vector<TokenLabel> experts(shown.values.columns());
    for (std::size_t expert = 0; expert < experts.size(); ++expert)
        experts[expert].text = QString::number(expert);
    const auto columns = dataAxis("expert", experts);
    trace::FigureData data{
        .arrays = {dataArray(page() == Load ? "load" : "weights", trace::view(shown.values), nullptr,
                             dataAxis(page() == Tokens ? "token" : "layer", shown.rows), columns)}};
    if (!shown.load.empty())
        data.arrays.push_back(dataArray("load", shown.load, columns));
    return data;
}

std::optional<PictureOptions> ExpertsView::picture(PictureOptions options) const {
    return ofView(std::move(options), "experts");
}

QStringList ExpertsView::nameParts(const trace::HeadAddress&, int step) const {
    return page() == Tokens   ? QStringList{QStringLiteral("layer-%1").arg(layer())}
           : page() == Layers ? QStringList{QStringLiteral("step-%1").arg(step + 1)}
                              : QStringList();
}

void ExpertsView::addChoices(ViewChoices& choices) {
    choices.addPage("experts", this);
    choices.addWhole(
        "experts", "layer", [this] { return routing_ ? layer() : wantedLayer_; },
        [this](int layer) { setLayer(layer); });
}

} // namespace headscope::widgets
