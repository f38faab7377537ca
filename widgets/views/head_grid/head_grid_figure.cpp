#include "widgets/drawing/wrapped_words.h"
#include "widgets/map/change_marks.h"
#include "widgets/map/undecoded_cells.h"
#include "widgets/tiles/head_tile.h"
#include "widgets/views/head_grid/head_grid_view.h"
#include "widgets/words/captions.h"

#include <QFontMetrics>
#include <QPainter>

#include <algorithm>

namespace headscope::widgets {

namespace {

constexpr int headGridViewDrawingMargin = HeadGridLayout::margin;
constexpr int headGridViewGap = HeadGridLayout::gap;

/// Of numbers in a row only every n-th is written where all would touch.
int everyNth(int wide, int pitch) {
    return std::max(1, (wide + pitch - 1) / pitch);
}

} // namespace

QString HeadGridView::caption() const {
    const QString shown = layerOnly_ ? layerTitle(*run_->model, shownSite_) : kindTitle(kind());
    const QString maps = (tr("%1. Rows: %2. Columns: %3. Weights from 0 to 1 in each picture. ")
                              .arg(ofModel(*run_->model, tr("%1, every head").arg(shown)),
                                   queryAxisTitle(*run_, kind()), keyAxisTitle(*run_, kind())) +
                          thumbnailColoursInWords(*run_, kind()))
                             .trimmed();
    if (!isTinted() && !isSorted())
        return maps;
    const QString order = isSorted() ? tr(" Sorted by %1.").arg(tint().name()) : QString();
    QString name = tint().name();
    name[0] = name[0].toUpper();
    const QString words = tr("%1%2 %3: %4").arg(maps, order, name, tint().caption());
    return isFilmed() ? words + tint().ofWholeInWords() : words;
}

int HeadGridView::footHeight() const {
    return (isTinted() ? tintBarHeight : 0) + (isListed() ? QFontMetrics(font()).height() : 0);
}

/// Of caption and legend, with the distance to the pictures.
int HeadGridView::wordsHeight(int width, Canvas canvas) const {
    const QFontMetrics metrics(font());
    const QRect room(0, 0, std::max(80, width - 2 * headGridViewDrawingMargin), 1000);
    const int said = !figureParts().caption ? 0
                     : canvas == Canvas::Window
                         ? captionLines * metrics.height()
                         : metrics.boundingRect(room, Qt::TextWordWrap, caption()).height();
    const int legend = isTinted() ? metrics.height() + headGridViewGap : 0;
    return figureParts().caption || legend > 0 ? said + 8 + legend : 0;
}

void HeadGridView::drawHeadings(QPainter& painter, const HeadGridLayout& grid, const Theme& theme) const {
    if (isListed())
        return;
    painter.setFont(font());
    painter.setPen(theme.faintText);
    const QFontMetrics metrics(font());
    const int line = metrics.height();
    const QString last = tr("head %1").arg(grid.columns - 1);
    const bool roomForWords = metrics.horizontalAdvance(last) <= grid.side.width();
    const int widest = metrics.horizontalAdvance(roomForWords ? last : QString::number(grid.columns - 1));
    const int headEvery = everyNth(widest + metrics.averageCharWidth(), grid.side.width() + headGridViewGap);
    for (int head = 0; head < grid.columns; head += headEvery) {
        const QRect top(grid.cell(head).left(), grid.origin.y() - headGridViewGap - line, grid.side.width(),
                        line);
        painter.drawText(top, Qt::AlignCenter | Qt::TextDontClip,
                         roomForWords ? tr("head %1").arg(head) : QString::number(head));
    }
    const int layerEvery = everyNth(line, grid.side.height() + grid.foot + headGridViewGap);
    for (int layer = 0; layer < grid.rows(); layer += layerEvery) {
        const QRect first = grid.cell(layer * grid.columns);
        painter.drawText(QRect(headGridViewDrawingMargin, first.top(),
                               first.left() - headGridViewDrawingMargin - 8, first.height()),
                         Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip, tr("layer %1").arg(layer));
    }
}

void HeadGridView::drawWords(QPainter& painter, const HeadGridLayout& grid, int width, const Theme& theme,
                             Canvas canvas) const {
    const int line = QFontMetrics(font()).height();
    const int high = wordsHeight(width, canvas);
    QRect words(headGridViewDrawingMargin, grid.whole.height() - high + 4,
                width - 2 * headGridViewDrawingMargin, high - 4);
    painter.setFont(font());
    if (isTinted()) {
        drawTintLegend(painter, QRect(words.topLeft(), QSize(words.width(), line)), tint(), theme);
        words.setTop(words.top() + line + headGridViewGap);
    }
    painter.setPen(theme.text);
    if (canvas == Canvas::Window)
        drawWrapped(painter, words, caption());
    else
        painter.drawText(words, Qt::AlignLeft | Qt::TextWordWrap, asCaption(caption()));
}

void HeadGridView::drawFoot(QPainter& painter, const HeadGridLayout& grid, int place,
                            const Theme& theme) const {
    const auto& head = grid.heads[static_cast<std::size_t>(place)];
    if (isTinted())
        drawTintBar(painter, grid.footOf(place), tint(), head, theme);
    if (isListed()) // the kind is said in the caption
        drawHeadName(painter, grid.footOf(place), head, theme);
}

void HeadGridView::drawPictures(QPainter& painter, const HeadGridLayout& grid, const Theme& theme,
                                const MapOf& map) const {
    painter.setFont(font());
    for (int place = 0; place < grid.count(); ++place) {
        const auto& head = grid.heads[static_cast<std::size_t>(place)];
        drawHeadTile(painter,
                     {.cell = grid.cell(place),
                      .map = map(head),
                      .mark = headMark(run_->request.interventions, head),
                      .pin = figureParts().marks ? selection_->pinOf(head) : std::nullopt,
                      .decoded = decodedPart(*run_->record(head.site), rowsDecoded())},
                     theme);
        drawFoot(painter, grid, place, theme);
    }
}

/// The focused row and column in every picture.
void HeadGridView::drawFocus(QPainter& painter, const HeadGridLayout& grid, const Theme& theme) const {
    const trace::AttentionRecord* record = run_->record({kind(), 0});
    for (int place = 0; place < grid.count(); ++place)
        drawLitTokens(painter, grid.cell(place), *record, selection_->focus(), theme);
}

void HeadGridView::drawFigure(QPainter& painter, QSize size, const Theme& theme) const {
    painter.fillRect(QRect(QPoint(), size), theme.background);
    const HeadGridLayout whole = layOut(size, false, Canvas::Page);
    if (whole.isEmpty())
        return;
    // What does not fit at its smallest is drawn smaller: nothing is cut.
    const double fit = std::min({1.0, static_cast<double>(size.width()) / whole.whole.width(),
                                 static_cast<double>(size.height()) / whole.whole.height()});
    painter.scale(fit, fit);
    drawHeadings(painter, whole, theme);
    drawWords(painter, whole, size.width(), theme, Canvas::Page);
    const ThumbnailLook look{.side = whole.side, .pixelRatio = 2, .theme = &theme};
    drawPictures(painter, whole, theme, [&](const auto& head) {
        return headMapOfFigure(*run_, head,
                               [&] { return headThumbnail(*run_, head, look, thumbnails_.tile(head)); });
    });
}

std::optional<PictureOptions> HeadGridView::picture(PictureOptions options) const {
    return ofView(std::move(options), "contact-sheet");
}

bool HeadGridView::exportChoices(PictureOptions& picture, const Choices& chosen) const {
    const bool byImportance = isChosen(chosen, "heads", "by", std::string("importance"));
    if (!byImportance)
        picture.choices.erase("importance-of");
    else if (!hasTint())
        for (const char* choice : {"tinted", "sorted", "importance-of"})
            picture.choices.erase(choice);
    return true;
}

} // namespace headscope::widgets
