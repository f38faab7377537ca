#include "widgets/views/random_twin/random_twin_panel.h"

#include "widgets/controls/plain_spin_boxes.h"
#include "widgets/map/heatmap_view.h"
#include "widgets/views/random_twin/random_twin_words.h"
#include "widgets/views/random_twin/two_readings_table.h"
#include "widgets/words/hint_for_no_run.h"
#include "widgets/words/plain_text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QStringList>
#include <QVBoxLayout>

#include <algorithm>

namespace headscope::widgets {

namespace {

constexpr int wordsWidth = 460;

} // namespace

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
    connect(seed_, &SeedBox::valueChanged, this, &RandomTwinPanel::seedChosen);
    setRuns(nullptr, nullptr);
}

void RandomTwinPanel::buildWords() {
    auto* row = new QHBoxLayout;
    auto* label = new QLabel(tr("Random &weights, seed"), words_);
    label->setBuddy(seed_);
    seed_->setAccessibleName(tr("Seed of the random weights"));
    seed_->setToolTip(tr("Another seed, another twin"));
    row->addWidget(label);
    row->addWidget(seed_);
    row->addStretch();
    auto* column = new QVBoxLayout(words_);
    column->setContentsMargins(8, 4, 8, 8);
    column->setSpacing(8);
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
    seed_->setValue(seed);
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

} // namespace headscope::widgets
