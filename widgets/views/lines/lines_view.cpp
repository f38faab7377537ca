#include "widgets/views/lines/lines_view.h"

#include "widgets/tiles/head_squares.h"
#include "widgets/views/lines/lines_words.h"
#include "widgets/words/captions.h"

#include <QComboBox>
#include <QFontMetricsF>
#include <QHBoxLayout>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace headscope::widgets {

namespace {

constexpr double linesViewMargin = 12;

/// Of thousands of labels those with the most letters are measured.
double widest(const LinesPicture& picture, const std::vector<TokenLabel>& labels) {
    constexpr std::ptrdiff_t mostMeasured = 400;
    std::vector<const TokenLabel*> longest;
    for (const TokenLabel& label : labels)
        longest.push_back(&label);
    const auto end = longest.begin() + std::min(mostMeasured, std::ssize(longest));
    std::ranges::nth_element(longest, end, std::ranges::greater(),
                             [](const TokenLabel* label) { return label->text.size(); });
    double width = 0;
    for (auto label = longest.begin(); label != end; ++label)
        width = std::max(width, picture.style.width(**label));
    return width;
}

} // namespace

LinesView::LinesView(Selection* selection, QWidget* parent)
    : QWidget(parent), selection_(selection), bar_(new QWidget(this)), mode_(new QComboBox(bar_)),
      squares_(new HeadSquares(bar_)), scrollBar_(new QScrollBar(Qt::Vertical, this)) {
    teachReadersAboutMaps();
    setAccessibleName(tr("Attention as lines"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    mode_->setAccessibleName(tr("Heads that are drawn"));
    mode_->setToolTip(tr("Whose lines are drawn: the selected head's, those of heads you choose by their "
                         "squares, or of all heads of the layer"));
    mode_->addItems({tr("Selected head"), tr("Chosen heads"), tr("All heads of the layer")});
    mode_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    mode_->setMinimumWidth(fontMetrics().averageCharWidth() * 10); // where its words have no room
    scrollBar_->hide();
    auto* row = new QHBoxLayout(bar_);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(mode_);
    row->addWidget(squares_);
    row->addStretch(1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 8, 12, 0);
    column->setSizeConstraint(QLayout::SetNoConstraint); // large letters must not widen the window
    column->addWidget(bar_);
    column->addStretch(1);
    connect(mode_, &QComboBox::activated, this, [this](int index) { setShown(static_cast<Shown>(index)); });
    connect(squares_, &HeadSquares::headToggled, this, &LinesView::toggleHead);
    connect(scrollBar_, &QScrollBar::valueChanged, this, &LinesView::pictureChanged);
    connect(selection_, &Selection::headChanged, this, &LinesView::headsChanged);
    connect(selection_, &Selection::stepChanged, this, &LinesView::followStep);
    connect(selection_, &Selection::focusChanged, this, &LinesView::focusMoved);
    headsChanged();
}

void LinesView::setRun(std::shared_ptr<const trace::Run> run) {
    run_ = std::move(run);
    headsChanged();
    followStep();
}

void LinesView::setShown(Shown shown) {
    if (shown == Shown::Chosen && chosen_.empty())
        chosen_ = picture_.heads;
    shown_ = shown;
    headsChanged();
}

/// A square means the heads that are to be seen: from any of the three on, they are chosen ones.
void LinesView::toggleHead(int head) {
    std::vector<int> next = picture_.heads;
    if (const auto found = std::ranges::find(next, head); found != next.end())
        next.erase(found);
    else
        next.push_back(head);
    chooseHeads(std::move(next));
}

void LinesView::chooseHeads(std::vector<int> heads) {
    if (heads.size() > mostChosen)
        heads.resize(mostChosen);
    std::ranges::sort(heads);
    if (!heads.empty())
        chosen_ = std::move(heads);
    setShown(Shown::Chosen);
}

void LinesView::setSpaceMarksShown(bool shown) {
    picture_.style.spaceMarks = shown;
    labelsChanged();
}

void LinesView::setWordsShown(bool shown) {
    if (std::exchange(words_, shown) != shown)
        headsChanged();
}

const trace::AttentionRecord* LinesView::record() const {
    const auto* site = run_ ? run_->record(selection_->head().site) : nullptr;
    const int head = selection_->head().head;
    const bool exists = site && head >= 0 && static_cast<std::size_t>(head) < site->heads();
    return exists && site->queries() > 0 && site->keys() > 0 ? site : nullptr;
}

std::vector<int> LinesView::headsToShow(int count) const {
    if (shown_ == Shown::OneHead)
        return {selection_->head().head};
    std::vector<int> heads;
    if (shown_ == Shown::Chosen)
        std::ranges::copy_if(chosen_, std::back_inserter(heads), [&](int head) { return head < count; });
    else {
        heads.resize(static_cast<std::size_t>(count));
        std::iota(heads.begin(), heads.end(), 0);
    }
    return heads.empty() ? std::vector{selection_->head().head} : heads;
}

void LinesView::headsChanged() {
    const auto* site = record();
    const int count = site ? static_cast<int>(site->heads()) : 0;
    picture_.heads = headsToShow(count);
    const bool full = shown_ == Shown::Chosen && picture_.heads.size() >= mostChosen;
    squares_->setHeads(count, picture_.heads, full ? static_cast<int>(mostChosen) : count);
    mode_->setCurrentIndex(static_cast<int>(shown_));
    bar_->setVisible(site != nullptr);
    map_ = site ? lineMap(*run_, *site, picture_.heads, words_) : LineMap();
    picture_.queryLabels = map_.axes.queries.labels;
    picture_.keyLabels = map_.axes.keys.labels;
    if (!isCounted()) {
        take({});
        linesOf_ = {};
        shareCounted_ = 0;
        whyNot_.clear();
    }
    if (site && !site->isLeftOut() && !isCounted()) {
        take(strongLines(*drawn(), picture_.heads, thresholdOf(site->keys()), mostLines));
        linesOf_ = shownLines();
    }
    labelsChanged();
    focusMoved();
    Q_EMIT workChanged();
}

double LinesView::thresholdOf(std::size_t keys) {
    constexpr double timesEven = 10;
    return keys == 0 ? mostThreshold : std::min(mostThreshold, timesEven / static_cast<double>(keys));
}

CountsLater::Work LinesView::workInSight() {
    const auto* site = record();
    if (!isVisible() || !site || !site->isLeftOut() || isCounted())
        return {};
    return [this, whose = shownLines()](const trace::LongWork& work) -> std::function<void()> {
        const auto& record = *whose.run->record(whose.site);
        auto lines = strongLines(record, whose.heads, thresholdOf(record.keys()), mostLines, work);
        return [this, whose, lines = std::move(lines)] {
            if (whose != shownLines())
                return; // another question is on its way
            linesOf_ = whose;
            take(lines);
            pictureChanged();
            focusMoved();
        };
    };
}

void LinesView::setShareCounted(double share) {
    shareCounted_ = share;
    pictureChanged();
}

void LinesView::setWhyNotCounted(const QString& words) {
    whyNot_ = words;
    pictureChanged();
}

void LinesView::labelsChanged() {
    picture_.style.font = font();
    queryWidth_ = widest(picture_, picture_.queryLabels);
    keyWidth_ = widest(picture_, picture_.keyLabels);
    pictureChanged();
}

QRectF LinesView::pictureArea() const {
    const double top = bar_->isHidden() ? 0 : bar_->sizeHint().height() + 8;
    return QRectF(rect()).adjusted(0, top, 0, 0);
}

LinesView::Frame LinesView::frame(const QRectF& area, const QString& caption) const {
    const QFontMetricsF metrics(font());
    const QRectF inside = area.adjusted(linesViewMargin, linesViewMargin, -linesViewMargin, -linesViewMargin);
    const auto heightOf = [&](const QString& words) {
        return metrics.boundingRect(inside, Qt::TextWordWrap, words).height();
    };
    const double axes = std::min(2 * metrics.height(), heightOf(axesInWords()));
    const double captionHeight = caption.isEmpty() ? 0 : std::min(inside.height() / 3, heightOf(caption));
    const double gap = caption.isEmpty() ? 0 : 12;
    return {.axes = QRectF(inside.left(), inside.top(), inside.width(), axes),
            .columns = inside.adjusted(0, axes + 8, 0, -captionHeight - gap),
            .caption = QRectF(inside.left(), inside.bottom() - captionHeight, inside.width(), captionHeight)};
}

LinesLayout LinesView::layOut(const QRectF& columns, bool scrolls) const {
    LinesLayoutInput input{.area = columns,
                           .queries = rowCount(),
                           .keys = columnCount(),
                           .queryLabelWidth = queryWidth_,
                           .keyLabelWidth = keyWidth_,
                           .numbersWidth = numbersWidth(picture_, columns.width() / 6),
                           .lineHeight = picture_.style.lineHeight(),
                           .scrolls = scrolls};
    if (scrolls)
        input.scrolled = scrollBar_->value();
    return LinesLayout(input);
}

void LinesView::pictureChanged() {
    labels_ = QPixmap();
    picture_.style.font = font();
    const QRectF columns = frame(pictureArea(), caption()).columns;
    const int extent = scrollBar_->sizeHint().width();
    layout_ = layOut(columns, true);
    const bool scrolls = !layout_.empty() && layout_.contentHeight() > columns.height() + 0.5;
    if (scrolls)
        layout_ = layOut(columns.adjusted(0, 0, -extent, 0), true);
    const QSignalBlocker silent(scrollBar_);
    scrollBar_->setVisible(scrolls);
    scrollBar_->setRange(0, scrolls ? static_cast<int>(layout_.contentHeight() - columns.height()) + 1 : 0);
    scrollBar_->setPageStep(static_cast<int>(columns.height()));
    scrollBar_->setSingleStep(static_cast<int>(layout_.rowHeight()));
    scrollBar_->setGeometry(
        QRectF(columns.right() - extent + linesViewMargin / 2, columns.top(), extent, columns.height())
            .toRect());
    if (!layout_.empty())
        layout_ =
            layOut(scrolls ? columns.adjusted(0, 0, -extent, 0) : columns, true); // as far as it goes now
    update();
}

QString LinesView::caption(bool isPage) const {
    if (!record())
        return {};
    return captionWith(
        isCounted() ? leftOutInWords(lines_, isPage)
        : !whyNot_.isEmpty()
            ? whyNot_
            : tr("The lines of this long attention are being counted: %1.").arg(shareInWords(shareCounted_)));
}

/// `lines` says which of them are drawn.
QString LinesView::captionWith(const QString& lines) const {
    QString words = headsCaption(*run_, record()->site, picture_.heads, unit()) + QChar(' ') + lines;
    if (picture_.most > 1)
        words += ' ' + tr("Lines are strongest at a weight of %1.").arg(picture_.most);
    if (map_.words)
        words += ' ' + tr("Words: the sum over a key word's pieces, the mean over a query word's.");
    else if (words_)
        words += ' ' + tr("Pieces: of an attention as long as this no words are made.");
    return words;
}

MapUnit LinesView::unit() const {
    return map_.words ? MapUnit::Word : MapUnit::Piece;
}

QString LinesView::axesInWords() const {
    const auto kind = selection_->head().site.kind;
    return record() ? tr("Left: %1. Right: %2.")
                          .arg(queryAxisTitle(*run_, kind, unit()), keyAxisTitle(*run_, kind, unit()))
                    : QString();
}

} // namespace headscope::widgets
