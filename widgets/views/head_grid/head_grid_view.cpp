#include "widgets/views/head_grid/head_grid_view.h"

#include "model/analysis/scores/score_spread.h"
#include "widgets/words/captions.h"
#include "widgets/words/plain_words.h"
#include "widgets/words/trace_words.h"

#include <QFontMetrics>

#include <algorithm>
#include <utility>

namespace headscope::widgets {

HeadGridView::HeadGridView(Selection* selection, QWidget* parent) : TileGrid(selection, parent) {
    setAccessibleName(tr("Attention maps of all heads"));
}

void HeadGridView::setImportance(const std::vector<analysis::HeadScore>& ranked, const QString& caption,
                                 bool areNumbers) {
    importance_ = tintByImportance(ranked, caption, areNumbers);
    showNumbers();
}

void HeadGridView::setStatistic(std::optional<HeadTint> statistic) {
    statistic_ = std::move(statistic);
    showNumbers();
}

void HeadGridView::showNumbers() {
    setTint(tinted_ ? numbers() : HeadTint());
}

void HeadGridView::setTinted(bool tinted) {
    if (std::exchange(tinted_, tinted) != tinted)
        showNumbers();
}

void HeadGridView::setSorted(bool sorted) {
    if (std::exchange(sorted_, sorted) != sorted)
        followHead();
}

void HeadGridView::setOneKind(bool oneKind) {
    if (std::exchange(oneKind_, oneKind) != oneKind)
        followHead();
}

void HeadGridView::setLayerOnly(bool layerOnly) {
    if (std::exchange(layerOnly_, layerOnly) != layerOnly)
        followHead();
}

void HeadGridView::setCaptioned(bool captioned) {
    if (std::exchange(captioned_, captioned) != captioned && run())
        arrange();
}

TileArrangement HeadGridView::arranged() const {
    auto heads = analysis::headsOf(*run());
    std::erase_if(heads, [this](const auto& head) {
        return layerOnly_ ? head.site != site() : oneKind_ && head.site.kind != site().kind;
    });
    const auto blocks = blocksAsInTheModel(run()->model.get(), heads);
    TileArrangement all{.style = blocks.size() > 1 ? TileArrangement::Style::Kinds
                                                   : TileArrangement::Style::Layers,
                        .blocks = blocks,
                        .captioned = captioned_,
                        .sides = {.least = 8, .most = 240, .wide = 1, .high = 1.5, .readable = 56}};
    if (layerOnly_ || isSorted()) {
        all.style = TileArrangement::Style::List;
        all.blocks = blocksInOrder(heads, isSorted() ? numbers() : HeadTint());
        all.named = true;
    }
    return all;
}

QString HeadGridView::purpose() const {
    return tr("Shows every head as a small map: layers down, heads across.");
}

QString HeadGridView::whyEmpty() const {
    if (run()->model && run()->model->recorded && !run()->record({.kind = site().kind, .layer = 0}))
        return whyNoHead(*run(), selection().head());
    return tr("No attention of this kind has been computed. Choose another kind, or decode.");
}

QStringList HeadGridView::headInWords(const trace::HeadAddress& head) const {
    QStringList lines = TileGrid::headInWords(head);
    lines.front() = tr("%1 (counted from 0)").arg(lines.front());
    if (const auto* value = numbers().of(head))
        lines += value->words;
    return lines;
}

QString HeadGridView::caption() const {
    QStringList sentences;
    if (layerOnly_ || oneKind_) {
        const QString shown = layerOnly_ ? layerTitle(*run()->model, site()) : kindTitle(site().kind);
        sentences += tr("%1. Rows: %2. Columns: %3. Weights from 0 to 1 in each picture.")
                         .arg(ofModel(*run()->model, tr("%1, every head").arg(shown)),
                              queryAxisTitle(*run(), site().kind), keyAxisTitle(*run(), site().kind));
    } else {
        sentences += tr("%1. Queries down, keys across; weights from 0 to 1 in each picture.")
                         .arg(ofModel(*run()->model, tr("Every head")));
    }
    for (const auto& block : arrangement().blocks)
        if (const QString colours = thumbnailColoursInWords(*run(), block.kind); !sentences.contains(colours))
            sentences += colours;
    sentences += sharingInWords();
    const QString maps = sentences.join(' ').simplified();
    if (tint().isEmpty() && !isSorted())
        return maps;
    const QString order = isSorted() ? tr(" Sorted by %1.").arg(numbers().name()) : QString();
    const QString words =
        tr("%1%2 %3: %4").arg(maps, order, capitalised(numbers().name()), numbers().caption());
    return isAnimated() ? words + numbers().ofWholeInWords() : words;
}

FigureText HeadGridView::figureText() const {
    if (!layerOnly_ && !oneKind_)
        return figureTextOf(tr("All heads"), {});
    const auto name = layerOnly_ ? trace::toString(site()) : std::string(trace::name(site().kind));
    const QString shown = QString::fromStdString(name);
    return figureTextOf(tr("All heads of %1").arg(shown), shown);
}

QSize HeadGridView::figureSize() const {
    QSize most = TileGrid::figureSize();
    if (!hasFigure())
        return most;
    most.rheight() -= heightSaved(most.width()); // pictures are as large as above one
    const auto height = [&](bool mayScroll) {
        return sizeOf(layOut(most, Canvas::Page, mayScroll), most.width(), Canvas::Page).height();
    };
    const int whole = height(false);
    // Of many layers, pictures in which something is seen need more height.
    return {most.width(), whole <= most.height() ? whole : std::max(most.height(), height(true))};
}

/// Pictures as large as the width makes them, up to some lines of words.
QSize HeadGridView::narrowFigure(int width) const {
    constexpr int lines = 5;
    constexpr int smallest = 20; // a picture and its distance to the next
    const QSize usual = figureSize();
    if (!hasFigure() || width >= usual.width())
        return usual;
    int columns = 1;
    for (const auto& block : arrangement().blocks)
        columns = std::max(columns, block.columns);
    const int least = tileLayout().tiles.front().picture.left() + columns * smallest + tileMargin;
    return lowestFigure(std::clamp(width, std::min(least, usual.width()), usual.width()),
                        lines * QFontMetrics(font()).height());
}

std::optional<PictureOptions> HeadGridView::picture(PictureOptions options) const {
    return ofView(std::move(options), "contact-sheet");
}

bool HeadGridView::exportChoices(PictureOptions& picture, const Choices& chosen) const {
    const bool byImportance = isChosen(chosen, "heads", "by", std::string("importance"));
    const auto leaveOut = [&](const std::vector<const char*>& choices) {
        for (const char* choice : choices)
            picture.choices.erase(choice);
    };
    if (!byImportance || !hasTint())
        leaveOut({"importance-of", "ablation", "ablation-sentence"});
    if (byImportance && !hasTint())
        leaveOut({"tinted", "sorted"});
    return true;
}

} // namespace headscope::widgets
