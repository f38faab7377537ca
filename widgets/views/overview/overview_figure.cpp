#include "widgets/drawing/empty_state.h"
#include "widgets/drawing/theme.h"
#include "widgets/drawing/wrapped_words.h"
#include "widgets/map/change_marks.h"
#include "widgets/map/undecoded_cells.h"
#include "widgets/tiles/head_tile.h"
#include "widgets/views/overview/overview_view.h"
#include "widgets/words/captions.h"
#include "widgets/words/hint_for_no_run.h"
#include "widgets/words/statistic_words.h"

#include <QFontMetrics>
#include <QPaintEvent>
#include <QPainter>
#include <QStringList>

#include <algorithm>

namespace headscope::widgets {

namespace {

constexpr int overviewViewDrawingMargin = 12;
constexpr double fadedOpacity = 0.25;

/// Returns n such that every n-th number of a side can be written without touching the next.
int stepOf(const std::vector<OverviewLayout::Number>& numbers, int needed, bool across) {
    if (numbers.size() < 2)
        return 1;
    const QPoint away = numbers[1].area.topLeft() - numbers[0].area.topLeft();
    const int pitch = std::max(1, across ? away.x() : away.y());
    return (needed + pitch - 1) / pitch;
}

} // namespace

/// Height of caption and legend, including the distance to the pictures.
int OverviewView::wordsHeight(QSize size, Canvas canvas) const {
    const QFontMetrics metrics(font());
    const QRect room(0, 0, std::max(80, size.width() - 2 * overviewViewDrawingMargin), 1000);
    const int third = std::max(1, size.height() / 3 / metrics.height()) * metrics.height(); // in whole lines
    const int said = !figureParts().caption ? 0
                     : canvas == Canvas::Window
                         ? captionLines * metrics.height()
                         : std::min(third, metrics.boundingRect(room, Qt::TextWordWrap, caption()).height());
    const int legend = tint_.isEmpty() ? 0 : metrics.height() + 4;
    return figureParts().caption || legend > 0 ? said + 8 + legend : 0;
}

void OverviewView::drawHeadings(QPainter& painter, const OverviewLayout& layout, const Theme& theme) const {
    const QFontMetrics metrics(font());
    painter.setFont(font());
    const auto write = [&](const std::vector<OverviewLayout::Number>& numbers, bool across) {
        if (numbers.empty())
            return;
        const int needed =
            across ? metrics.horizontalAdvance(QString::number(numbers.back().number)) + 4 : metrics.ascent();
        const int step = stepOf(numbers, needed, across);
        for (std::size_t i = 0; i < numbers.size(); i += static_cast<std::size_t>(step))
            painter.drawText(numbers[i].area,
                             (across ? Qt::AlignCenter : Qt::AlignRight | Qt::AlignVCenter) |
                                 Qt::TextDontClip,
                             QString::number(numbers[i].number));
    };
    const bool areShort = std::ranges::any_of(layout.blocks, [&](const auto& block) {
        return metrics.horizontalAdvance(kindTitle(block.kind)) > block.title.width();
    });
    for (const auto& block : layout.blocks) {
        painter.setPen(theme.text);
        painter.drawText(block.title, Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(areShort ? shortKindTitle(block.kind) : kindTitle(block.kind),
                                            Qt::ElideRight, block.title.width()));
        painter.setPen(theme.faintText);
        write(block.columns, true);
        write(block.rows, false);
    }
}

void OverviewView::drawClusters(QPainter& painter, const OverviewLayout& layout, const Theme& theme) const {
    if (!showsGroups())
        return;
    const QFontMetrics metrics(font());
    painter.setFont(font());
    for (std::size_t b = 0; b < layout.blocks.size(); ++b) {
        const auto& clusters = layout.blocks[b].clusters;
        for (std::size_t c = 0; c < clusters.size(); ++c) {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(theme.faintText);
            for (const QRect& part : clusters[c].parts)
                if (blocks_[b].clusters.size() > 1)
                    painter.drawLine(part.bottomLeft() + QPoint(0, 3), part.bottomRight() + QPoint(0, 3));
            for (const QString& words : clusterCaptions(b, c))
                if (metrics.horizontalAdvance(words) <= clusters[c].caption.width()) {
                    painter.drawText(clusters[c].caption, Qt::AlignLeft | Qt::AlignVCenter, words);
                    break;
                }
        }
    }
}

void OverviewView::drawTiles(QPainter& painter, const OverviewLayout& layout, const QRect& part,
                             const Theme& theme, const MapOf& map) const {
    painter.setFont(font());
    const bool named = namesHeads(layout);
    for (const auto& tile : layout.tiles) {
        if (!part.intersects(tile.picture.united(tile.foot)))
            continue;
        const bool isFaded = matching_ && !matching_->contains(tile.head);
        painter.setOpacity(isFaded ? fadedOpacity : 1);
        drawHeadTile(painter,
                     {.cell = tile.picture,
                      .map = map(tile.head),
                      .mark = headMark(run_->request.interventions, tile.head),
                      .pin = figureParts().marks ? selection_->pinOf(tile.head) : std::nullopt,
                      .decoded = decodedPart(*run_->record(tile.head.site), rowsDecoded())},
                     theme);
        drawTintBar(painter, tile.foot, tint_, tile.head, theme);
        if (named)
            drawHeadName(painter, tile.foot, tile.head, theme);
    }
    painter.setOpacity(1);
}

void OverviewView::drawWords(QPainter& painter, const OverviewLayout& layout, QSize size, const Theme& theme,
                             Canvas canvas) const {
    const int line = QFontMetrics(font()).height();
    QRect words(overviewViewDrawingMargin, layout.bottom + 8, size.width() - 2 * overviewViewDrawingMargin,
                wordsHeight(size, canvas) - 8);
    painter.setFont(font());
    if (!tint_.isEmpty()) {
        drawTintLegend(painter, QRect(words.topLeft(), QSize(words.width(), line)), tint_, theme);
        words.setTop(words.top() + line + 4);
    }
    painter.setPen(theme.text);
    if (canvas == Canvas::Window)
        drawWrapped(painter, words, caption());
    else
        painter.drawText(words, Qt::AlignLeft | Qt::TextWordWrap, asCaption(caption()));
}

void OverviewView::paintEvent(QPaintEvent* event) {
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.fillRect(event->rect(), theme.background);
    if (layout_.isEmpty()) {
        drawEmptyState(painter, QRectF(rect()), tr("Shows every head of the model as a small map, by kind."),
                       whyEmpty(), theme);
        return;
    }
    // The first pictures are computed before painting, so that nothing flickers.
    if (!rest_.isActive())
        makeThumbnails();
    drawHeadings(painter, layout_, theme);
    drawTiles(painter, layout_, event->rect(), theme,
              [this](const auto& head) { return HeadMap{.picture = thumbnails_.picture(head)}; });
    drawClusters(painter, layout_, theme);
    drawWords(painter, layout_, size(), theme, Canvas::Window);
    if (!selection_->focus().isEmpty())
        for (const auto& tile : layout_.tiles)
            if (event->rect().intersects(tile.picture))
                drawLitTokens(painter, tile.picture, *run_->record(tile.head.site), selection_->focus(),
                              theme);
    const auto frame = [&](const trace::HeadAddress& head, const QColor& colour, int width) {
        if (const auto* tile = layout_.tileOf(head))
            drawTileFrame(painter, tile->picture, colour, width);
    };
    frame(selection_->head(), theme.accent, hasFocus() ? 4 : 3);
    if (hovered_ && *hovered_ != selection_->head())
        frame(*hovered_, theme.focus, 2);
}

/// Without a caption the figure is lower, so that the pictures keep their size.
QSize OverviewView::figureSize() const {
    constexpr QSize whole(1120, 800);
    const int drawn = wordsHeight(whole, Canvas::Page);
    const FigureWithParts all(*this, {});
    return whole - QSize(0, wordsHeight(whole, Canvas::Page) - drawn);
}

/// The height for pictures of a few text lines, or for the largest that fit a page this narrow. Groups need
/// the usual page, because they are named above their pictures.
QSize OverviewView::narrowFigure(int width) const {
    constexpr double lines = 2.5;
    const QSize usual = figureSize();
    if (!hasFigure() || showsGroups() || width >= usual.width())
        return usual;
    const QFontMetrics metrics(font());
    int side = static_cast<int>(lines * metrics.height());
    if (order_ != Order::Model) // each head is named below its picture
        for (const auto& block : blocks_)
            for (const auto& cluster : block.clusters)
                for (const auto& head : cluster.heads)
                    side = std::max(side, metrics.horizontalAdvance(shortAddress(head)));
    constexpr int any = 10000;
    OverviewWish wish = this->wish({width, any}, Canvas::Page);
    if (order_ == Order::Model)
        wish.foot -= metrics.height();
    return {width, lowestOverview(wish, side)};
}

void OverviewView::drawFigure(QPainter& painter, QSize size, const Theme& theme) const {
    painter.fillRect(QRect(QPoint(), size), theme.background);
    const OverviewLayout whole = layOut(size, Canvas::Page);
    if (whole.isEmpty())
        return;
    drawHeadings(painter, whole, theme);
    const ThumbnailLook look = figureLook(whole, theme);
    drawTiles(painter, whole, QRect(QPoint(), size), theme, [&](const auto& head) {
        return headMapOfFigure(*run_, head, [&] {
            for (const auto* made : {&figureThumbnails_, &thumbnails_})
                if (QPixmap picture = made->picture(head, look); !picture.isNull())
                    return picture;
            return headThumbnail(*run_, head, look, thumbnails_.tile(head));
        });
    });
    drawClusters(painter, whole, theme);
    drawWords(painter, whole, size, theme, Canvas::Page);
}

QString OverviewView::whyEmpty() const {
    if (!run_)
        return hintForNoRun(*this);
    return tr("No attention has been computed yet: decode the sentence.");
}

QString OverviewView::caption() const {
    if (!run_ || blocks_.empty())
        return {};
    std::size_t count = 0;
    for (const auto& block : blocks_)
        count += block.count();
    QStringList sentences{
        run_->model ? tr("All %1 heads of %2.").arg(count).arg(QString::fromStdString(run_->model->name))
                    : tr("All %1 heads.").arg(count)};
    sentences += orderInWords();
    sentences += tr("Each small map shows a whole head, queries down and keys across: weights from 0 to 1, "
                    "the largest cell per pixel; masked cells are hatched.");
    for (const auto& block : blocks_)
        if (const QString colours = thumbnailColoursInWords(*run_, block.kind);
            !colours.isEmpty() && !sentences.contains(colours))
            sentences += colours;
    if (!tint_.isEmpty()) {
        QString name = tint_.name();
        name[0] = name[0].toUpper();
        sentences += tr("Bars: %1. %2").arg(name, tint_.caption());
    }
    if (isFilmed())
        sentences += ofWholeInWords();
    sentences.removeAll(QString());
    return sentences.join(' ');
}

/// What an animation shows unchanged at every step.
QString OverviewView::ofWholeInWords() const {
    QString words = tint_.ofWholeInWords();
    if (order_ == Order::Ranked && rank_.name() != tint_.name())
        words += rank_.ofWholeInWords();
    if (showsGroups())
        words += QChar(' ') + tr("The groups are those of the whole decoding, the same at every step.");
    return words.trimmed();
}

QString OverviewView::orderInWords() const {
    if (order_ == Order::Model)
        return tr("Layers down, heads across.");
    if (order_ == Order::Grouped)
        return groupsInWords();
    return rank_.isEmpty()
               ? tr("The chosen order is not available yet.").arg(rank_.name())
               : tr("Sorted by %1 within each kind, highest first; numbers at the left are ranks. %2")
                     .arg(rank_.name(), rank_.name() == tint_.name() ? QString() : rank_.caption())
                     .trimmed();
}

QString OverviewView::groupsInWords() const {
    if (comparing_)
        return (grouping_ ? tr("Comparing all heads: %1 %. The previous groups are shown until then.")
                          : tr("Comparing all heads: %1 %."))
            .arg(static_cast<int>(*comparing_ * 100));
    if (!grouping_)
        return tr("The heads are compared when decoding is complete.");
    QStringList counts;
    for (const auto& [kind, groups] : grouping_->kinds)
        counts += tr("%1: groups %2, heads alone %3")
                      .arg(kindTitle(kind))
                      .arg(groups.alike.size())
                      .arg(groups.alone.size());
    return tr("Similar heads of one kind are grouped: average linkage of the mean Jensen-Shannon divergence "
              "of rows (0 the same, 1 nothing in common) below %1. %2.")
               .arg(QString::number(grouping_->threshold, 'f', 2), counts.join(tr("; "))) +
           (grouping_->everyRow > 1
                ? ' ' + tr("In maps this long, one row in %1 is compared.").arg(grouping_->everyRow)
                : QString());
}

std::vector<QString> OverviewView::clusterCaptions(std::size_t block, std::size_t cluster) const {
    const auto& shown = blocks_[block];
    if (!showsGroups() || comparing_)
        return {};
    const auto& heads = shown.clusters[cluster].heads;
    if (const auto found = grouping_->kinds.find(shown.kind); found != grouping_->kinds.end())
        for (const auto& group : found->second.alike)
            if (group.heads == heads)
                return groupCaptions(group);
    return aloneCaptions(heads.size());
}

QString OverviewView::groupInWords(const trace::HeadAddress& head) const {
    if (!showsGroups() || comparing_)
        return {};
    const auto found = grouping_->kinds.find(head.site.kind);
    if (found == grouping_->kinds.end())
        return {};
    for (const auto& group : found->second.alike)
        if (std::ranges::find(group.heads, head) != group.heads.end())
            return tr("One of %1").arg(groupCaptions(group).front());
    return tr("In no group of similar heads.");
}

/// For the status bar.
QString OverviewView::headInALine(const trace::HeadAddress& head) const {
    QStringList parts{QString::fromStdString(trace::toString(head))};
    if (const auto role = roles_.find(head); role != roles_.end() && !role->second.isEmpty())
        parts += role->second;
    if (const auto* value = tint_.of(head))
        parts += value->words;
    if (const auto* value = rank_.of(head); value && order_ == Order::Ranked && rank_.name() != tint_.name())
        parts += value->words;
    return parts.join(QStringLiteral("   "));
}

QString OverviewView::headDescription(const trace::HeadAddress& head) const {
    QStringList lines{QString::fromStdString(trace::toString(head)),
                      headCaption(*run_, head, Quantity::Weights) +
                          markInWords(headMark(run_->request.interventions, head))};
    if (const QString colours = thumbnailLimitInWords(thumbnailLimit(*run_, head, thumbnails_.tile(head)));
        !colours.isEmpty())
        lines += colours;
    if (const auto role = roles_.find(head); role != roles_.end() && !role->second.isEmpty())
        lines += tr("Role: %1. %2").arg(role->second, rolesInGeneral());
    if (const auto* value = tint_.of(head))
        lines += value->words;
    if (const auto* value = rank_.of(head); value && order_ == Order::Ranked && rank_.name() != tint_.name())
        lines += value->words;
    if (const QString group = groupInWords(head); !group.isEmpty())
        lines += group;
    if (const auto pin = selection_->pinOf(head))
        lines += tr("Pinned, as number %1.").arg(*pin);
    return lines.join('\n');
}

FigureText OverviewView::figureText() const {
    if (!hasFigure())
        return {};
    QStringList quantities{quantityName(Quantity::Weights), tint_.isEmpty() ? QString() : tint_.name()};
    quantities.removeAll(QString());
    return {.title = tr("Overview"),
            .caption = caption(),
            .provenance = provenance(*run_),
            .quantity = quantities.join(QStringLiteral(", "))};
}

std::optional<PictureOptions> OverviewView::picture(PictureOptions options) const {
    return ofView(std::move(options), "overview");
}

bool OverviewView::exportChoices(PictureOptions& picture, const Choices& chosen) const {
    const ChoiceValue importance = std::string("importance");
    if (!isChosen(chosen, "overview", "tint", importance) &&
        !isChosen(chosen, "overview", "order", importance))
        picture.choices.erase("importance-of");
    return true;
}

} // namespace headscope::widgets
