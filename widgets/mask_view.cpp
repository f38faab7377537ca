#include "widgets/mask_view.h"

#include "widgets/captions.h"
#include "widgets/empty_state.h"
#include "widgets/map_marks.h"
#include "widgets/mask_parts.h"
#include "widgets/plain_text.h"
#include "widgets/theme.h"

#include <QEvent>
#include <QFontMetricsF>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace headscope::widgets {

namespace {

using trace::AttentionKind;

constexpr double margin = 12;
constexpr int mostPadding = 64; ///< tokens; more would only make the pictures smaller

std::vector<TokenLabel> labelsOf(const std::vector<trace::Token>& tokens, std::size_t count) {
    auto labels = tokenLabels(tokens);
    labels.resize(count);
    return labels;
}

trace::Matrix valuesOf(const trace::MaskMatrix& mask) {
    trace::Matrix values(mask.rows(), mask.columns());
    std::ranges::transform(mask.values(), values.values().begin(),
                           [](std::uint8_t open) { return open ? 1.0f : 0.0f; });
    return values;
}

QSpinBox* paddingBox(const QString& name, QWidget* parent) {
    auto* box = new QSpinBox(parent);
    box->setRange(0, mostPadding);
    box->setAccessibleName(name);
    box->setToolTip(MaskView::tr("Padding tokens appended, as in a batch with longer sentences"));
    box->setKeyboardTracking(false);
    return box;
}

} // namespace

MaskView::MaskView(Selection* selection, QWidget* parent)
    : QWidget(parent), selection_(selection),
      sourcePadding_(paddingBox(tr("Padding tokens after the source"), this)),
      targetPadding_(paddingBox(tr("Padding tokens after the target"), this)) {
    setAccessibleName(tr("Masks"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    auto* row = new QHBoxLayout;
    const auto addBox = [&](const QString& words, QSpinBox* box) {
        auto* label = new QLabel(words, this);
        label->setBuddy(box);
        row->addWidget(label);
        row->addWidget(box);
        connect(box, &QSpinBox::valueChanged, this,
                [this] { Q_EMIT paddingChanged(sourcePadding_->value(), targetPadding_->value()); });
    };
    addBox(tr("Add padding: source"), sourcePadding_);
    row->addSpacing(16);
    addBox(tr("target"), targetPadding_);
    row->addStretch();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(static_cast<int>(margin), 0, static_cast<int>(margin), 8);
    column->addStretch();
    column->addLayout(row);
    connect(selection_, &Selection::headChanged, this, &MaskView::buildParts);
    connect(selection_, &Selection::focusChanged, this, qOverload<>(&QWidget::update));
    buildParts();
}

void MaskView::setRun(std::shared_ptr<const trace::Run> run) {
    run_ = std::move(run);
    const QSignalBlocker quietSource(sourcePadding_);
    const QSignalBlocker quietTarget(targetPadding_);
    sourcePadding_->setValue(run_ ? run_->request.padding.source : 0);
    targetPadding_->setValue(run_ ? run_->request.padding.target : 0);
    const bool canPad = !run_ || !run_->model || run_->model->special.padding.has_value();
    for (auto [box, tip] : {std::pair(sourcePadding_, tr("Pad tokens after the source")),
                            std::pair(targetPadding_, tr("Pad tokens after the target"))}) {
        const bool decoder = box == sourcePadding_ || !run_ || !run_->model || run_->model->decoderLayers > 0;
        box->setEnabled(canPad && decoder);
        box->setToolTip(!canPad    ? tr("This model does not say which token is padding (pad_id).")
                        : !decoder ? tr("This model has an encoder only.")
                                   : tip);
    }
    buildParts();
}

void MaskView::setSpaceMarksShown(bool shown) {
    spaceMarks_ = shown;
    buildParts();
}

void MaskView::buildParts() {
    parts_ = {};
    still_ = QPixmap();
    if (hasFigure()) {
        const trace::MaskMatrix& applied = run_->record(selection_->head().site)->mask;
        auto& [subsequent, padding, combined] = parts_;
        subsequent.title = tr("Subsequent mask");
        if (kind() == AttentionKind::DecoderSelf)
            subsequent.mask = subsequentMask(applied.rows());
        else if (kind() == AttentionKind::EncoderSelf)
            subsequent.words = tr("Does not apply: the encoder reads the whole sentence at once.");
        else
            subsequent.words = tr("Does not apply: the source is complete before the first piece is chosen.");
        padding.title = tr("Padding mask");
        padding.mask = paddingMask(applied.rows(), run_->keyTokens(kind()));
        combined.title = tr("Mask the model applied");
        combined.mask = applied;
        for (Part& part : parts_) {
            part.values = valuesOf(part.mask);
            part.rowLabels = labelsOf(run_->queryTokens(kind()), part.mask.rows());
            part.columnLabels = labelsOf(run_->keyTokens(kind()), part.mask.columns());
        }
        layOutParts(parts_, pictureArea());
    }
    describeForReaders(this, verdict());
    update();
}

QString MaskView::verdict() const {
    if (!hasFigure())
        return {};
    const auto& [subsequent, padding, combined] = parts_;
    const bool causal = !subsequent.mask.empty();
    const trace::MaskMatrix expected = causal && subsequent.mask.columns() == padding.mask.columns()
                                           ? intersection(subsequent.mask, padding.mask)
                                           : padding.mask;
    const auto cell = firstDifference(combined.mask, expected);
    if (!cell)
        return causal ? tr("The mask that the model applied is the subsequent mask and the padding mask "
                           "together: a "
                           "cell is open where both are.")
                      : tr("The mask that the model applied is the padding mask alone.");
    const auto row = static_cast<std::size_t>(cell->row);
    const bool open = combined.mask(row, static_cast<std::size_t>(cell->column)) != 0;
    return tr("The mask that the model applied is not what these masks make together. First cell that "
              "differs: row "
              "%1, column %2 [%3]; the model has it %4.")
        .arg(cell->row + 1)
        .arg(cell->column + 1)
        .arg(cellStatus(*run_, selection_->head(), cell->row, cell->column, Quantity::Weights),
             open ? tr("open") : tr("closed"));
}

QRectF MaskView::pictureArea() const {
    const double controls = sourcePadding_->sizeHint().height() + 16;
    return QRectF(rect()).adjusted(0, 0, 0, -controls);
}

void MaskView::layOutParts(std::array<Part, 3>& parts, const QRectF& area) const {
    const QFontMetricsF metrics(font());
    const QRectF inside = area.adjusted(margin, margin, -margin, -margin);
    const double words = metrics.boundingRect(inside, Qt::TextWordWrap, verdict()).height();
    const double width = (inside.width() - 2 * 16) / 3;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const QRectF column(inside.left() + static_cast<double>(i) * (width + 16), inside.top(), width,
                            inside.height() - words - 12);
        const MapPicture shown = picture(parts[i], lightTheme());
        const TokenLabelStyle style{.font = font(), .spaceMarks = spaceMarks_};
        MapLayoutInput input = layoutInput(shown, style, column.adjusted(0, metrics.height() + 8, 0, 0));
        // What does not apply takes the place of a picture.
        parts[i].area = column;
        parts[i].layout = MapLayout(input);
    }
}

MapPicture MaskView::picture(const Part& part, const Theme& theme) const {
    MapPicture picture{.values = trace::view(part.values), .mask = &part.mask};
    if (part.mask.empty())
        return picture;
    // Open cells are of the scale's middle: marks and hatching stay visible beside them.
    picture.scale = ColourScale::sequential(0, 1.8, ColourMapping::Linear, theme.dark);
    picture.rowLabels = part.rowLabels;
    picture.columnLabels = part.columnLabels;
    return picture;
}

void MaskView::drawParts(QPainter& painter, const std::array<Part, 3>& parts, const QRectF& area,
                         const Theme& theme) const {
    const QFontMetricsF metrics(font());
    const TokenLabelStyle style{.font = font(), .spaceMarks = spaceMarks_};
    painter.setFont(font());
    for (const Part& part : parts) {
        painter.setPen(theme.text);
        painter.drawText(QRectF(part.area.left(), part.area.top(), part.area.width(), metrics.height()),
                         Qt::AlignLeft, metrics.elidedText(part.title, Qt::ElideRight, part.area.width()));
        if (part.mask.empty()) {
            painter.setPen(theme.faintText);
            painter.drawText(part.area.adjusted(0, metrics.height() + 8, 0, 0),
                             Qt::AlignLeft | Qt::TextWordWrap, part.words);
            continue;
        }
        const MapPicture shown = picture(part, theme);
        drawMapCells(painter, shown, part.layout, theme);
        drawMapLabels(painter, shown, part.layout, style, theme);
    }
    painter.setPen(theme.text);
    painter.drawText(area.adjusted(margin, margin, -margin, -margin), Qt::AlignBottom | Qt::TextWordWrap,
                     verdict());
}

void MaskView::drawFocus(QPainter& painter, const Theme& theme) const {
    const auto within = [](std::optional<int> index, std::size_t count) {
        return index && *index >= 0 && static_cast<std::size_t>(*index) < count ? index : std::nullopt;
    };
    for (const Part& part : parts_)
        if (!part.mask.empty())
            drawMapMarks(painter, picture(part, theme), part.layout,
                         {.row = within(selection_->focus().query(kind()), part.mask.rows()),
                          .column = within(selection_->focus().key(kind()), part.mask.columns())},
                         {.font = font(), .spaceMarks = spaceMarks_}, theme);
}

void MaskView::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.fillRect(rect(), theme.background);
    if (!hasFigure()) {
        drawEmptyState(
            painter, pictureArea(),
            tr("Here the masks stand side by side: subsequent, padding, and what the model applied."),
            run_ ? tr("Nothing of this attention has been computed yet: choose another head, or decode.")
                 : tr("Type a sentence and press Enter to decode it."),
            theme);
        return;
    }
    if (still_.isNull() || still_.devicePixelRatio() != devicePixelRatioF()) {
        still_ = QPixmap(size() * devicePixelRatioF());
        still_.setDevicePixelRatio(devicePixelRatioF());
        still_.fill(theme.background);
        QPainter stillPainter(&still_);
        drawParts(stillPainter, parts_, pictureArea(), theme);
    }
    painter.drawPixmap(0, 0, still_);
    drawFocus(painter, theme);
    if (hasFocus()) {
        painter.setPen(QPen(theme.accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void MaskView::drawFigure(QPainter& painter, QSize size) const {
    const QRectF area(QPoint(), size);
    painter.fillRect(area, lightTheme().background);
    if (!hasFigure())
        return;
    std::array<Part, 3> parts = parts_;
    layOutParts(parts, area);
    drawParts(painter, parts, area, lightTheme());
}

FigureText MaskView::figureText() const {
    return {.title = tr("Masks of %1").arg(QString::fromStdString(trace::toString(selection_->head().site))),
            .caption = verdict(),
            .provenance = run_ ? provenance(*run_) : QString()};
}

bool MaskView::hasFigure() const {
    const trace::AttentionRecord* record = run_ ? run_->record(selection_->head().site) : nullptr;
    return record && !record->mask.empty();
}

} // namespace headscope::widgets
