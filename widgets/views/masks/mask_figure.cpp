#include "widgets/drawing/theme.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/map/linked_maps.h"
#include "widgets/map/mask_words.h"
#include "widgets/view_spec.h"
#include "widgets/views/masks/batch_view.h"
#include "widgets/views/masks/mask_view.h"
#include "widgets/words/captions.h"

#include <QPainter>

#include <utility>

namespace headscope::widgets {

bool MaskView::isLong() const {
    return hasMasks() && run_->record(head().site)->isRecomputed();
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

void MaskView::drawFigure(QPainter& painter, QSize size, const Theme& theme) const {
    if (page() == Page::Batch) {
        const FigureWithParts batch(*batch_, figureParts());
        return batch_->drawFigure(painter, size, theme);
    }
    if (hasFigure())
        return mapsInSight()->drawPage(painter, size, caption(), figureParts(), theme);
    painter.fillRect(QRect(QPoint(), size), theme.background);
}

QSize MaskView::figureSize() const {
    constexpr QSize usual(1000, 420);
    const FigureWithParts batch(*batch_, figureParts());
    return page() == Page::Batch ? batch_->figureSize()
           : hasFigure()         ? mapsInSight()->pageSize(usual, caption(), figureParts())
                                 : usual;
}

QSize MaskView::narrowFigure(int width) const {
    const QSize usual = figureSize();
    if (page() == Page::Batch || !hasFigure() || width >= usual.width())
        return usual;
    return mapsInSight()->narrowPage(width, caption(), figureParts());
}

void MaskView::setRowsDecoded(std::optional<std::size_t> rows) {
    using trace::AttentionKind;
    AnimatedFigure::setRowsDecoded(rows);
    for (LinkedMaps* maps : {why_, shownEffect_})
        maps->setDecoded([this](AttentionKind kind, bool isQuery, int token) {
            const bool isOfTarget =
                isQuery ? kind != AttentionKind::EncoderSelf : kind == AttentionKind::DecoderSelf;
            return !isOfTarget || isDecoded(static_cast<std::size_t>(token));
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
    return ofView(std::move(options), "masks", pageName("masks", static_cast<int>(page())));
}

} // namespace headscope::widgets
