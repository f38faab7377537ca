#include "app/training/training_snapshots.h"

#include "model/analysis/scores/score_spread.h"
#include "widgets/controls/wrapped_label.h"
#include "widgets/drawing/step_columns.h"
#include "widgets/drawing/theme.h"
#include "widgets/map/heatmap_view.h"
#include "widgets/selection.h"
#include "widgets/tiles/head_thumbnails.h"
#include "widgets/tiles/head_tile.h"
#include "widgets/words/captions.h"
#include "widgets/words/card_words.h"
#include "widgets/words/class_title.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QIcon>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QLocale>
#include <QPixmap>
#include <QSignalBlocker>
#include <QSplitter>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace headscope::app {

namespace {

using namespace std::chrono_literals;

constexpr QSize tile(86, 86);
constexpr int stepRole = Qt::UserRole;

/// Sum of the absolute differences of a head's weights; 0 where the maps have other axes.
double changeOf(const trace::Run& one, const trace::Run& other, const trace::HeadAddress& head) {
    const auto *a = one.recordOf(head), *b = other.recordOf(head);
    if (!a || !b || a->weights.empty() || b->weights.empty() || a->queries() != b->queries() ||
        a->keys() != b->keys())
        return 0;
    const auto x = a->weights.head(head.head), y = b->weights.head(head.head);
    double sum = 0;
    for (std::size_t q = 0; q < x.rows(); ++q)
        for (std::size_t k = 0; k < x.columns(); ++k)
            sum += std::abs(x(q, k) - y(q, k));
    return sum;
}

} // namespace

TrainingSnapshots::TrainingSnapshots(WorkQueue::MakeEngine makeEngine, QWidget* parent)
    : QWidget(parent), reader_(new SnapshotReader(std::move(makeEngine), this)),
      selection_(new widgets::Selection(this)), map_(new widgets::HeatmapView(selection_, this)),
      title_(new QLabel(this)), heads_(new QComboBox(this)), sentence_(new QLineEdit(this)),
      empty_(widgets::wrappedLabel(this)), parts_(new QSplitter(Qt::Horizontal, this)),
      gallery_(new QListWidget(this)), outputs_(new QTreeWidget(this)), play_(new QToolButton(this)) {
    parts_->setChildrenCollapsible(false);
    parts_->addWidget(buildMap());
    parts_->addWidget(buildGallery());
    parts_->setStretchFactor(0, 2);
    parts_->setStretchFactor(1, 3);
    parts_->setSizes({420, 540});
    empty_->setAlignment(Qt::AlignCenter);
    empty_->setForegroundRole(QPalette::PlaceholderText);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(empty_, 1);
    column->addWidget(parts_, 1);
    connect(reader_, &SnapshotReader::changed, this, &TrainingSnapshots::showKnown);
    connect(reader_, &SnapshotReader::refused, this, [this](const trace::RefusalText& text) {
        refusal_ = text;
        showKnown();
    });
    pace_.setInterval(900ms); // long enough to see changes in a map
    connect(&pace_, &QTimer::timeout, this, [this] {
        const auto& all = reader_->readings();
        const auto next =
            std::ranges::find_if(all, [this](const auto& each) { return each.step > shownStep(); });
        next == all.end() ? play(false) : choose(next->step);
    });
    showKnown();
}

QWidget* TrainingSnapshots::buildMap() {
    auto* part = new QWidget(this);
    heads_->setAccessibleName(tr("Head to watch"));
    heads_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    connect(heads_, &QComboBox::activated, this, [this] {
        showKnown();
        if (const auto head = trace::parseHeadAddress(heads_->currentData().toString().toStdString());
            series_ && head)
            Q_EMIT headChosen(*head);
    });
    title_->setTextFormat(Qt::PlainText);
    title_->setFont(widgets::boldFont(font()));
    auto* head = new QHBoxLayout;
    head->addWidget(title_, 1);
    head->addWidget(heads_);
    sentence_->setAccessibleName(tr("Sentence to watch"));
    sentence_->setPlaceholderText(tr("Sentence to watch"));
    sentence_->setClearButtonEnabled(true);
    connect(sentence_, &QLineEdit::textEdited, this,
            [this](const QString& typed) { isSentenceTyped_ = !typed.isEmpty(); });
    connect(sentence_, &QLineEdit::editingFinished, this, &TrainingSnapshots::ask);
    map_->setBrief(true);
    auto* column = new QVBoxLayout(part);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(head);
    column->addWidget(sentence_);
    column->addWidget(map_, 1);
    return part;
}

QWidget* TrainingSnapshots::buildGallery() {
    auto* part = new QWidget(this);
    auto* title =
        new QLabel(QStringLiteral("<b>%1</b> %2")
                       .arg(tr("Snapshots"), tr("step, and mean log-probability of the newest output")),
                   part);
    play_->setText(tr("Play"));
    play_->setCheckable(true);
    play_->setToolTip(tr("Show the snapshots one after another"));
    connect(play_, &QToolButton::toggled, this, &TrainingSnapshots::play);
    auto* head = new QHBoxLayout;
    head->addWidget(title, 1);
    head->addWidget(play_);
    gallery_->setAccessibleName(tr("Snapshots"));
    gallery_->setViewMode(QListView::IconMode);
    gallery_->setMovement(QListView::Static);
    gallery_->setResizeMode(QListView::Adjust);
    gallery_->setIconSize(tile);
    gallery_->setGridSize(tile + QSize(4, 4 + fontMetrics().height()));
    gallery_->setUniformItemSizes(true);
    connect(gallery_, &QListWidget::currentItemChanged, this, [this](QListWidgetItem* item) {
        if (item)
            choose(item->data(stepRole).toLongLong());
    });
    outputs_->setAccessibleName(tr("Outputs"));
    outputs_->setColumnCount(2);
    outputs_->setHeaderLabels({tr("Step"), tr("Output")});
    outputs_->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    outputs_->setRootIsDecorated(false);
    outputs_->setUniformRowHeights(true);
    connect(outputs_, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
        if (item)
            choose(item->data(0, stepRole).toLongLong());
    });
    auto* column = new QVBoxLayout(part);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(head);
    column->addWidget(gallery_, 3);
    column->addWidget(outputs_, 2);
    return part;
}

void TrainingSnapshots::setFolders(const TrainingFolders& folders) {
    folders_ = folders;
    step_.reset();
    play(false);
    heads_->clear(); // the network may have others
    series_.reset();
    sentence_->show();
    if (!isSentenceTyped_)
        sentence_->clear(); // it was proposed for another training
    ask();
}

void TrainingSnapshots::setSeries(const OpenSeries& series) {
    if (series_ == series)
        return;
    const auto before = std::exchange(series_, series);
    if (!before || before->folder != series.folder) {
        play(false);
        folders_ = {.model = {}, .state = {}, .snapshots = series.folder};
        heads_->clear();
    }
    if (!before || before->head != series.head)
        chooseHead();
    step_ = series.step;
    sentence_->hide();
    sentence_->setText(series.sentence);
    isSentenceTyped_ = false;
    ask();
}

QString TrainingSnapshots::sentence() const {
    return sentence_->text();
}

void TrainingSnapshots::proposeSentence(const QString& sentence) {
    if (isSentenceTyped_ || sentence.isEmpty() || !sentence_->text().isEmpty())
        return;
    sentence_->setText(sentence);
    ask();
}

void TrainingSnapshots::ask() {
    refusal_ = {};
    reader_->setQuestion(folders_.snapshots, sentence_->text().trimmed());
    showKnown();
}

void TrainingSnapshots::follow() {
    reader_->follow();
    if (gallery_->count() < std::ssize(reader_->readings()))
        showKnown();
}

const SnapshotReading* TrainingSnapshots::chosen() const {
    const auto& all = reader_->readings();
    const auto known = [](const SnapshotReading& reading) { return reading.common != nullptr; };
    const auto own = std::ranges::find_if(
        all, [&](const auto& reading) { return step_ && reading.step == *step_ && known(reading); });
    if (own != all.end())
        return &*own;
    const auto newest = std::find_if(all.rbegin(), all.rend(), known);
    return newest == all.rend() ? nullptr : &*newest;
}

std::optional<std::int64_t> TrainingSnapshots::shownStep() const {
    const auto* reading = chosen();
    return reading ? std::optional(reading->step) : std::nullopt;
}

std::optional<trace::HeadAddress> TrainingSnapshots::shownHead() const {
    if (!chosen() || heads_->count() == 0)
        return std::nullopt;
    const auto head = trace::parseHeadAddress(heads_->currentData().toString().toStdString());
    return head ? *head : mostChanged();
}

/// Between the two newest snapshots; the first head of all while there is one only.
trace::HeadAddress TrainingSnapshots::mostChanged() const {
    std::vector<const SnapshotReading*> known;
    for (const auto& reading : reader_->readings())
        if (reading.common)
            known.push_back(&reading);
    const auto heads = analysis::headsOf(*known.back()->common);
    if (known.size() < 2)
        return heads.front();
    const auto& before = *known[known.size() - 2]->common;
    return *std::ranges::max_element(
        heads, {}, [&](const auto& head) { return changeOf(before, *known.back()->common, head); });
}

void TrainingSnapshots::showKnown() {
    const auto* reading = chosen();
    parts_->setVisible(!folders_.snapshots.isEmpty());
    empty_->setVisible(folders_.snapshots.isEmpty());
    empty_->setText(tr("Train with snapshots, or open a series of snapshots, to watch heads learn."));
    if (reading && heads_->count() == 0)
        fillHeads(*reading->common);
    fillGallery();
    fillOutputs();
    map_->setRun(reading ? reading->common : nullptr);
    const auto head = shownHead();
    map_->setFixedHead(head);
    if (!reading) {
        title_->setText(!refusal_.what.empty()        ? QString::fromStdString(refusal_.what)
                        : sentence_->text().isEmpty() ? tr("Type a sentence to watch.")
                        : series_                     ? tr("Reading the snapshots...")
                                                      : tr("The first snapshots will appear soon."));
        title_->setToolTip(QString::fromStdString(trace::paragraph(refusal_)));
        return;
    }
    const QString name =
        QStringLiteral("%1 %2").arg(widgets::kindTitle(head->site.kind), widgets::shortAddress(*head));
    title_->setToolTip({});
    title_->setText(step_ && reading->step == *step_
                        ? tr("%1, step %2").arg(name, QLocale().toString(qlonglong(reading->step)))
                        : tr("%1, newest").arg(name));
}

void TrainingSnapshots::fillHeads(const trace::Run& run) {
    heads_->addItem(tr("Most changed head"));
    for (const auto& head : analysis::headsOf(run))
        heads_->addItem(QString::fromStdString(trace::toString(head)),
                        QString::fromStdString(trace::toString(head)));
    chooseHead();
}

/// The one that is shown elsewhere; else the first one of cross-attention.
void TrainingSnapshots::chooseHead() {
    const int shown = series_ ? heads_->findData(QString::fromStdString(trace::toString(series_->head))) : -1;
    heads_->setCurrentIndex(shown >= 0 ? shown : std::max(1, heads_->findData(QStringLiteral("cross.0.0"))));
}

/// Snapshots that are not there yet have their steps only.
void TrainingSnapshots::fillGallery() {
    const auto& readings = reader_->readings();
    std::vector<std::int64_t> steps;
    for (const auto& reading : readings)
        steps.push_back(reading.step);
    for (const auto step : folders_.snapshotSteps)
        if (std::ranges::find(steps, step) == steps.end())
            steps.push_back(step);
    std::ranges::sort(steps);
    const QLocale locale;
    const QSignalBlocker quiet(gallery_);
    while (gallery_->count() > std::ssize(steps))
        delete gallery_->takeItem(gallery_->count() - 1);
    const widgets::ThumbnailLook look{
        .side = tile, .pixelRatio = devicePixelRatioF(), .theme = &widgets::themeOf(palette())};
    const auto head = shownHead();
    const auto shown = shownStep();
    QPixmap none(tile * look.pixelRatio);
    none.setDevicePixelRatio(look.pixelRatio);
    none.fill(look.theme->line);
    for (int i = 0; i < std::ssize(steps); ++i) {
        if (i >= gallery_->count())
            gallery_->addItem(new QListWidgetItem);
        auto* item = gallery_->item(i);
        const auto reading = std::ranges::find(readings, steps[i], &SnapshotReading::step);
        const bool isKnown = reading != readings.end() && reading->common && head;
        const auto score = isKnown ? reading->score(readings.back()) : std::nullopt;
        item->setData(stepRole, qlonglong(steps[i]));
        const QPixmap picture = isKnown ? widgets::headThumbnail(*reading->common, *head, look) : none;
        QIcon icon(picture);
        icon.addPixmap(picture, QIcon::Selected); // not in the colour of the selection
        item->setIcon(icon);
        item->setText(
            score ? tr("%1   %2").arg(locale.toString(qlonglong(steps[i])), widgets::shortNumberText(*score))
                  : locale.toString(qlonglong(steps[i])));
        item->setToolTip(isKnown                     ? outputOf(*reading->own)
                         : reading == readings.end() ? tr("Not saved yet.")
                                                     : tr("Not read yet."));
        item->setFlags(isKnown ? Qt::ItemIsEnabled | Qt::ItemIsSelectable : Qt::NoItemFlags);
        if (isKnown && reading->step == shown)
            gallery_->setCurrentItem(item);
    }
}

QString TrainingSnapshots::outputOf(const trace::Run& run) {
    const auto& answers = run.classLogProbabilities;
    if (!answers.empty()) {
        const auto answer = std::ranges::max_element(answers) - answers.begin();
        return QStringLiteral("%1, %2").arg(widgets::classTitle(*run.model, answer),
                                            widgets::shareText(std::exp(answers[answer])));
    }
    return run.output.empty() ? tr("(nothing)") : QString::fromStdString(run.output);
}

/// A row a snapshot.
void TrainingSnapshots::fillOutputs() {
    const auto& readings = reader_->readings();
    const QSignalBlocker quiet(outputs_);
    while (outputs_->topLevelItemCount() > std::ssize(readings))
        delete outputs_->takeTopLevelItem(outputs_->topLevelItemCount() - 1);
    for (int i = 0; i < std::ssize(readings); ++i) {
        if (i >= outputs_->topLevelItemCount())
            outputs_->addTopLevelItem(new QTreeWidgetItem);
        auto* item = outputs_->topLevelItem(i);
        item->setText(0, QLocale().toString(qlonglong(readings[i].step)));
        item->setData(0, stepRole, qlonglong(readings[i].step));
        item->setTextAlignment(0, Qt::AlignRight);
        item->setText(1, readings[i].own ? outputOf(*readings[i].own) : QString());
        if (readings[i].step == shownStep())
            outputs_->setCurrentItem(item);
    }
    outputs_->scrollToItem(outputs_->currentItem());
}

/// The newest one follows those to come.
void TrainingSnapshots::choose(std::int64_t step) {
    const auto& readings = reader_->readings();
    const auto reading = std::ranges::find(readings, step, &SnapshotReading::step);
    if (reading == readings.end() || !reading->common)
        return;
    step_ = !series_ && step == readings.back().step ? std::nullopt : std::optional(step);
    showKnown();
    if (series_)
        Q_EMIT stepChosen(step);
}

void TrainingSnapshots::play(bool on) {
    const QSignalBlocker quiet(play_);
    play_->setChecked(on);
    if (!on)
        return pace_.stop();
    if (!reader_->readings().empty())
        choose(reader_->readings().front().step);
    pace_.start();
}

void TrainingSnapshots::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        fillGallery();
}

} // namespace headscope::app
