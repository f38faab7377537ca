#include "widgets/views/masks/mask_view.h"

#include "widgets/controls/tall_area.h"
#include "widgets/controls/view_choices.h"
#include "widgets/controls/wrapped_label.h"
#include "widgets/drawing/spacing.h"
#include "widgets/drawing/theme.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/map/mask_words.h"
#include "widgets/view_spec.h"
#include "widgets/views/masks/batch_view.h"
#include "widgets/views/places.h"
#include "widgets/words/captions.h"
#include "widgets/words/counting_words.h"
#include "widgets/words/hint_for_no_run.h"
#include "widgets/words/plain_text.h"
#include "widgets/words/trace_words.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace headscope::widgets {

namespace {

constexpr int mostPadding = 64; ///< tokens; more would only make the pictures smaller

QSpinBox* paddingBox(const QString& name, QWidget* parent) {
    auto* box = new QSpinBox(parent);
    box->setRange(0, mostPadding);
    box->setAccessibleName(name);
    box->setToolTip(MaskView::tr("Padding tokens to append, as in a batch with longer sentences"));
    box->setKeyboardTracking(false);
    return box;
}

// In lines of text: what a map needs with its title and labels, and the room above and below all maps.
constexpr int maskViewLowestMap = 10;
constexpr int maskViewNarrowestMap = 8;
constexpr int besidesMaps = 2;
constexpr int besidesCells = 6; ///< title and labels of a map

} // namespace

MaskView::MaskView(Selection* selection, QWidget* parent)
    : View(parent), selection_(selection), pages_(new QTabBar(this)), stack_(new QStackedWidget(this)),
      why_(new LinkedMaps(tr("Why cells are masked"), selection, this)),
      shownEffect_(new LinkedMaps(tr("Scores and weights under the mask"), selection, this)),
      maps_(new QStackedWidget(this)), batch_(new BatchView(this)), detail_(wrappedLabel(this)),
      caption_(captionLabel(this)), sourcePadding_(paddingBox(tr("Padding tokens after the source"), this)),
      targetPadding_(paddingBox(tr("Padding tokens after the target"), this)), controls_(buildControls()) {
    setAccessibleName(tr("Masks"));
    for (const QString& title : {tr("Why Masked"), tr("Scores and weights"), tr("Batch && padding")})
        pages_->addTab(title);
    pages_->setAccessibleName(tr("Page of the masks"));
    pages_->setDrawBase(false);
    for (LinkedMaps* maps : {why_, shownEffect_})
        maps->setWords([this](auto, MapCell cell) { return maskedCellInWords(*run_, head(), cell); },
                       [this](auto kind, bool isQuery, int index) {
                           return isQuery ? queryInWords(*run_, kind, index) : keyInWords(*run_, kind, index);
                       });
    stack_->addWidget(buildMapsPage());
    stack_->addWidget(batch_);
    connect(batch_, &View::questionsChanged, this, &View::questionsChanged);
    connect(batch_, &View::intended, this, &View::intended);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(space::m, space::s, space::m, space::s);
    column->addWidget(pages_, 0, Qt::AlignLeft);
    column->addWidget(stack_, 1);
    column->addWidget(controls_);
    connect(pages_, &QTabBar::currentChanged, this, [this] {
        showPage();
        Q_EMIT questionsChanged();
    });
    connect(selection_, &Selection::headChanged, this, &MaskView::mapsChanged);
    connect(selection_, &Selection::focusChanged, this, &MaskView::followFocus);
    mapsChanged();
}

QWidget* MaskView::buildControls() {
    auto* controls = new QWidget(this);
    auto* row = new QHBoxLayout(controls);
    row->setContentsMargins(0, 0, 0, 0);
    const auto addBox = [&](const QString& words, QSpinBox* box) {
        auto* label = new QLabel(words, controls);
        label->setBuddy(box);
        row->addWidget(label);
        row->addWidget(box);
        connect(box, &QSpinBox::valueChanged, this, [this] {
            Q_EMIT intended(intents::Pad{sourcePadding_->value(), targetPadding_->value()});
        });
    };
    addBox(tr("Add padding: source"), sourcePadding_);
    row->addSpacing(16);
    addBox(tr("target"), targetPadding_);
    row->addStretch();
    return controls;
}

void MaskView::setRun(std::shared_ptr<const trace::Run> run) {
    run_ = std::move(run);
    batch_->setRun(run_);
    const QSignalBlocker quietSource(sourcePadding_);
    const QSignalBlocker quietTarget(targetPadding_);
    sourcePadding_->setValue(run_ ? run_->request.padding.source : 0);
    targetPadding_->setValue(run_ ? run_->request.padding.target : 0);
    const bool canPad = !run_ || !run_->model || run_->model->special.padding.has_value();
    for (auto [box, tip] : {std::pair(sourcePadding_, tr("Pad tokens after the source")),
                            std::pair(targetPadding_, tr("Pad tokens after the target"))}) {
        const bool decoder = box == sourcePadding_ || !run_ || !run_->model || run_->model->decoderLayers > 0;
        box->setEnabled(canPad && decoder);
        box->setToolTip(!canPad    ? tr("This model does not define a padding token (pad_id).")
                        : !decoder ? tr("This model has an encoder only.")
                                   : tip);
    }
    if (run_)
        setModel(run_->model);
    mapsChanged();
}

void MaskView::setContext(const ViewContext& context) {
    View::setContext(context);
    batch_->setContext(context);
}

void MaskView::noteIntent(const Intent& intent) {
    batch_->noteIntent(intent);
}

void MaskView::showPicture(const PictureOptions& options) {
    if (page() == Page::Batch)
        batch_->showPicture(options);
}

QString MaskView::whyEmpty() const {
    return page() == Page::Batch ? batch_->caption() : QString();
}

void MaskView::setModel(std::shared_ptr<const trace::ModelSummary> model) {
    batch_->setModel(std::move(model));
}

void MaskView::setSpaceMarksShown(bool shown) {
    why_->setSpaceMarksShown(shown);
    shownEffect_->setSpaceMarksShown(shown);
    batch_->setSpaceMarksShown(shown);
}

MaskView::Page MaskView::page() const {
    return static_cast<Page>(pages_->currentIndex());
}

void MaskView::setPage(Page page) {
    pages_->setCurrentIndex(page);
}

bool MaskView::hasMasks() const {
    const trace::AttentionRecord* record = run_ ? run_->recordOf(head()) : nullptr;
    return record && record->queries() > 0;
}

LinkedMaps* MaskView::mapsInSight() const {
    return page() == Page::Why ? why_ : page() == Page::Effect ? shownEffect_ : nullptr;
}

/// Maps of a long sentence take time, so they are built when first visible.
void MaskView::mapsChanged() {
    effect_ = {};
    counted_.clear();
    for (LinkedMaps* maps : {why_, shownEffect_})
        maps->setMaps({});
    setEmptyStates();
    showPage();
    Q_EMIT questionsChanged();
}

QString MaskView::whyNotCounted() const {
    const auto question = counting();
    if (!question)
        return tr("Masks of an input this long are counted when decoding is complete.");
    const auto refusal = context().known->refusalOf(trace::Counted(*question));
    const double share = context().known->shareOf(trace::Counted(*question));
    return refusal ? inWords(refusal)
                   : tr("Counting the masks of this long input: %1.").arg(shareInWords(share));
}

void MaskView::setEmptyStates() {
    missing_ = isLong() ? whyNotCounted() : QString();
    const QString wayThere =
        isLong() ? missing_
        : run_   ? tr("This attention has not been computed yet: choose another head, or decode.")
                 : hintForNoRun(*this);
    why_->setEmptyState(
        tr("Shows the subsequent mask, the padding mask, and the mask that the model applied."), wayThere);
    shownEffect_->setEmptyState(tr("Shows the scores before and after the mask, and the resulting weights."),
                                wayThere);
}

void MaskView::buildMaps() {
    if (!isVisible() || page() == Page::Batch || !hasMasks())
        return;
    if (isLong())
        return;
    if (effect_.empty())
        effect_ = analysis::maskEffect(*run_, head());
    if (page() == Page::Why && why_->isEmpty())
        why_->setMaps(maskParts(*run_, head()));
    else if (page() == Page::Effect && shownEffect_->isEmpty())
        shownEffect_->setMaps(effectParts(*run_, head(), effect_));
}

void MaskView::showPage() {
    if (!isVisible())
        return; // showEvent() does it
    const bool isBatch = page() == Page::Batch;
    stack_->setCurrentIndex(isBatch ? 1 : 0);
    if (!isBatch)
        maps_->setCurrentWidget(mapsInSight());
    buildMaps();
    controls_->setVisible(!isBatch);
    caption_->setVisible(!isBatch && hasFigure());
    detail_->setVisible(!isBatch && hasFigure());
    caption_->setText(isBatch ? QString() : caption());
    setFocusProxy(isBatch ? static_cast<QWidget*>(batch_) : mapsInSight());
    keepHeights();
    followFocus();
}

QString MaskView::caption() const {
    if (page() == Page::Batch)
        return batch_->caption();
    if (!hasFigure())
        return {};
    if (isLong())
        return counted_.at(page())->caption;
    if (page() == Page::Effect)
        return effectCaption(*run_, head(), effect_.empty() ? analysis::maskEffect(*run_, head()) : effect_);
    return maskCaption(*run_, head());
}

QString MaskView::detail() const {
    const LinkedMaps* maps = mapsInSight();
    return maps && !maps->isEmpty() ? maps->focusInWords() : QString();
}

void MaskView::followFocus() {
    LinkedMaps* maps = mapsInSight();
    if (!maps)
        return;
    const QString words = detail();
    detail_->setText(words.isEmpty()
                         ? tr("Hover a cell, or use the arrow keys, to see why it is masked or allowed.")
                         : words);
    describeForReaders(maps, words.isEmpty() ? caption() : words);
}

void MaskView::paintEvent(QPaintEvent*) {
    if (page() != Page::Batch) // whose cards have a background of their own
        QPainter(this).fillRect(rect(), themeOf(palette()).background);
}

void MaskView::showEvent(QShowEvent* event) {
    View::showEvent(event);
    showPage();
}

void MaskView::resizeEvent(QResizeEvent*) {
    keepHeights();
}

void MaskView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        keepHeights();
}

/// Scrolls if there is not enough room for maps and text.
QWidget* MaskView::buildMapsPage() {
    maps_->addWidget(why_);
    maps_->addWidget(shownEffect_);
    detail_->setAlignment(Qt::AlignLeft | Qt::AlignBottom);
    auto* content = new QWidget(this);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(maps_, 1);
    column->addWidget(detail_);
    column->addWidget(caption_);
    return new TallArea(content, this);
}

/// Keeps maps at the size they need for this font, in as many rows as the width requires. If cells would be
/// narrower than half a line, uses two rows. Cells are not lower than that either, and the page scrolls.
void MaskView::keepHeights() {
    const int line = fontMetrics().height();
    for (LinkedMaps* each : {why_, shownEffect_}) {
        int pictures = 0;
        int cells = 0, high = 0; ///< most columns and rows; maps drawn as images do not count
        int words = 0;           ///< height of the texts that replace missing pictures
        for (const LinkedMap& map : each->maps()) {
            if (map.values.empty()) {
                const QRect room(0, 0, std::max(1, width() - 2 * line), QWIDGETSIZE_MAX);
                words += 2 * line + fontMetrics().boundingRect(room, Qt::TextWordWrap, map.words).height();
                continue;
            }
            ++pictures;
            if (!isDrawnAsCells(map.values.rows(), map.values.columns()))
                continue;
            cells = std::max<int>(cells, map.values.columns());
            high = std::max<int>(high, map.values.rows());
        }
        int columns = std::max(1, std::min(pictures, width() / (maskViewNarrowestMap * line)));
        if (const int two = std::max(1, (pictures + 1) / 2);
            columns > two && (width() - besidesCells * line) / columns < cells * line / 2)
            columns = two;
        const int lines = std::max(maskViewLowestMap, besidesCells + high / 2);
        const int rows = (pictures + columns - 1) / columns;
        each->setMinimumHeight(each == mapsInSight() ? (rows * lines + besidesMaps) * line + words : 0);
    }
    reserveDetail();
}

/// Reserves room for the description of any cell, so that the maps do not move with the pointer.
void MaskView::reserveDetail() {
    if (effect_.empty() && !isLong())
        return;
    QString longest;
    const auto& record = *run_->record(head().site);
    const int last = record.keys() - 1;
    const int rows = record.queries();
    for (int row = 0; row < rows; row += std::max(1, rows / 24)) // a sample of rows suffices
        for (const int column : {0, last})
            if (const QString words = maskedCellInWords(*run_, head(), {row, column});
                words.size() > longest.size())
                longest = words;
    const int width = std::max(80, this->width() - 24);
    const QFontMetrics metrics = detail_->fontMetrics();
    const int wanted = metrics.boundingRect(0, 0, width, 10000, Qt::TextWordWrap, longest).height();
    detail_->setMinimumHeight(std::min(wanted, 3 * metrics.height())); // limits the height of a narrow view
}

std::optional<MaskQuestion> MaskView::counting() const {
    if (page() == Page::Batch || !isLong() || !run_->complete)
        return std::nullopt; // while decoding runs, the result of one step is outdated at the next
    return MaskQuestion{.run = run_, .head = head(), .isOfEffect = page() == Page::Effect};
}

MaskQuestion::Value MaskQuestion::count(const trace::Task& work) const {
    Value counted;
    if (isOfEffect) {
        auto effect = analysis::maskEffect(*run, head, work.between(0, 0.6));
        counted.caption = effectCaption(*run, head, effect);
        counted.maps = effectParts(*run, head, std::move(effect), work.between(0.6, 1));
    } else {
        counted.maps = maskParts(*run, head, work);
        work.report(1);
        counted.caption = maskCaption(*run, head);
    }
    work.report(1);
    counted.caption += cellsInWords(counted.maps);
    return counted;
}

std::vector<trace::Wanted> MaskView::questions() const {
    if (page() == Page::Batch)
        return batch_->questions();
    const auto question = counting();
    return question ? std::vector<trace::Wanted>{trace::Counted(*question)} : std::vector<trace::Wanted>();
}

void MaskView::refresh() {
    if (page() == Page::Batch)
        return batch_->refresh();
    const auto question = counting();
    if (!question || isCounted())
        return;
    if (auto counted = context().known->of(*question)) {
        mapsInSight()->setMaps(counted->maps);
        counted_[page()] = std::move(counted);
        showPage();
    } else if (missing_ != whyNotCounted()) {
        setEmptyStates();
    }
}

std::optional<FigureBlocks> MaskView::figureBlocks() const {
    constexpr QSizeF least(976, 340);
    if (page() == Page::Batch)
        return batch_->figureBlocks();
    return hasFigure() ? std::optional(mapsInSight()->figure(caption(), least)) : std::nullopt;
}

void MaskView::setRowsDecoded(std::optional<std::size_t> rows) {
    using trace::AttentionKind;
    AnimatedFigure::setRowsDecoded(rows);
    for (LinkedMaps* maps : {why_, shownEffect_})
        maps->setDecoded([this](AttentionKind kind, bool isQuery, int token) {
            const bool isOfTarget =
                isQuery ? kind != AttentionKind::EncoderSelf : kind == AttentionKind::DecoderSelf;
            return !isOfTarget || isDecoded(token);
        });
}

FigureText MaskView::figureText() const {
    if (page() == Page::Batch)
        return batch_->figureText();
    const QString about =
        QString::fromStdString(page() == Page::Why ? trace::toString(head().site) : trace::toString(head()));
    return {.title = tr("Masks of %1").arg(about),
            .caption = caption(),
            .provenance = run_ ? provenance(*run_) : QString(),
            .head = about,
            .quantity = page() == Page::Why ? tr("masks")
                                            : tr("%1, %2").arg(quantityName(Quantity::Scores),
                                                               quantityName(Quantity::Weights))};
}

bool MaskView::hasFigure() const {
    return page() == Page::Batch ? batch_->hasFigure() : hasMasks() && (!isLong() || isCounted());
}

trace::FigureData MaskView::figureData() const {
    if (page() == Page::Batch)
        return batch_->figureData();
    trace::FigureData data;
    if (hasFigure())
        addLinkedMaps(data, mapsInSight()->maps());
    return data;
}

std::optional<PictureOptions> MaskView::picture(PictureOptions options) const {
    if (page() == Page::Batch)
        return ofView(std::move(options), "inputs");
    return ofView(std::move(options), "masks", pageName("masks", page()));
}

void MaskView::addChoices(ViewChoices& choices) {
    choices.addPage("masks", this);
    batch_->addChoices(choices);
}

View* views::makers::masks(Selection* selection, QWidget* parent) {
    return new MaskView(selection, parent);
}

} // namespace headscope::widgets
