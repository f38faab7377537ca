// Where the parts of the map's view stand, and how much room they need.
#include "widgets/drawing/colour_bar.h"
#include "widgets/drawing/theme.h"
#include "widgets/drawing/wrapped_words.h"
#include "widgets/map/map_extras.h"
#include "widgets/map/named_labels.h"
#include "widgets/views/heatmap/heatmap_view.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

constexpr double heatmapViewLabelGap = 8; ///< between what is said of the axes and the labels
constexpr double captionGap = 12;         ///< above the caption
constexpr double hintGap = 4;             ///< between the hint and the caption of a page
// Rows of a line's height: as few and as many as a map is given before the view scrolls.
constexpr int fewestRows = 4;
constexpr int heatmapViewMostRows = 16;
constexpr double heatmapViewLeastCell = 5; ///< in which something is seen
constexpr double usualHeight = 600;        ///< of a view, which bars are a part of

} // namespace

/// Lines of the window's words have a size of their own, whatever they say: the map never moves because of
/// them, and all of them is in the tooltip.
HeatmapView::Frame HeatmapView::frame(const QRectF& area, Canvas canvas) const {
    return canvas == Canvas::Page ? pageFrame(area) : windowFrame(area);
}

HeatmapView::Frame HeatmapView::windowFrame(const QRectF& area) const {
    const QRectF inside = area.adjusted(margin, margin, -margin, -margin);
    const double line = QFontMetricsF(font()).height();
    const double hint = hasHint() ? line : 0;
    const double words = captionLines * line;
    return {.axes = QRectF(inside.left(), inside.top(), inside.width(), line),
            .map = inside.adjusted(0, line + heatmapViewLabelGap, 0, -words - captionGap),
            .hint = QRectF(inside.left(), inside.bottom() - words, inside.width(), hint),
            .caption = QRectF(inside.left(), inside.bottom() - words + hint, inside.width(), words - hint)};
}

HeatmapView::Frame HeatmapView::pageFrame(const QRectF& area) const {
    const QRectF inside = area.adjusted(margin, margin, -margin, -margin);
    const double line = QFontMetricsF(font()).height();
    const double axes = axesHeight(inside.width());
    const double gap = gapBelow(inside.width()), between = gapBetween();
    // Whole lines: a third, or more where the map does not need it, and less where nothing would be seen in
    // its cells.
    const double seen =
        leastMap(area.height()) - rowsOfLines() * (labelStyle().lineHeight() - heatmapViewLeastCell);
    const double third =
        std::clamp(inside.height() - axes - heatmapViewLabelGap - seen - gap - between - line, 2 * line,
                   std::max(2 * line, inside.height() / 3));
    const double unused = inside.height() - axes - heatmapViewLabelGap - leastMap(area.height()) - gap -
                          between - hintLines(inside.width()) * line;
    const double most = std::max(1.0, std::floor(std::max(unused, third) / line)) * line;
    const double words = std::min(most, captionHeight(inside.width()));
    const double spare =
        inside.height() - axes - heatmapViewLabelGap - leastMap(area.height()) - gap - words - between;
    const double part = std::max(spare, inside.height() / (brief_ ? 10 : 6));
    const double hintHeight =
        std::min(std::max(1.0, std::floor(part / line + 0.01)), 1.0 * hintLines(inside.width())) * line;
    const double clear = hintHeight > 0 ? between : 0;
    const double top = inside.bottom() - words;
    return {.axes = QRectF(inside.left(), inside.top(), inside.width(), axes),
            .map = inside.adjusted(0, axes + heatmapViewLabelGap, 0, -words - gap - hintHeight - clear),
            .hint = QRectF(inside.left(), top - hintHeight - clear, inside.width(), hintHeight),
            .caption = QRectF(inside.left(), top, inside.width(), words)};
}

double HeatmapView::axesHeight(double width) const {
    const QFontMetricsF metrics(font());
    // Whether numbers fit depends on the room that is left: that they do not has room anyway.
    const bool isLong = std::max(rowCount(), columnCount()) > mostNamed / 2; // not all may be named
    const QString most =
        axesInWords() + asNote(zoomForNumbers() + (isLong ? tr(" One row in 99 is named.") : QString()));
    const double whole = metrics.boundingRect(QRectF(0, 0, width, 1e4), Qt::TextWordWrap, most).height();
    return std::min((options_.numbers || isLong ? 3 : 2) * metrics.height(), whole);
}

double HeatmapView::gapBelow(double width) const {
    return figureParts().caption || hintLines(width) > 0 ? captionGap : 0;
}

double HeatmapView::gapBetween() const {
    return figureParts().caption ? hintGap : 0;
}

double HeatmapView::captionHeight(double width) const {
    if (!figureParts().caption)
        return 0;
    const QFontMetricsF metrics(font());
    double height = 0;
    for (const QString& words : (onPage_ ? onPage_->beside : QStringList()) + QStringList(shownCaption()))
        height = std::max(height,
                          metrics.boundingRect(QRectF(0, 0, width, 1e4), Qt::TextWordWrap, words).height());
    return height;
}

int HeatmapView::rowsOfLines() const {
    return std::clamp(rowCount(), fewestRows, heatmapViewMostRows);
}

double HeatmapView::leastMap(double height) const {
    return labels_ + rowsOfLines() * labelStyle().lineHeight() + 1 + extras(QRectF(0, 0, 1, height)).bottom();
}

int HeatmapView::heightForWidth(int) const {
    if (drawn_->shown.empty())
        return minimumSizeHint().height();
    const double line = QFontMetricsF(font()).height();
    return static_cast<int>(std::ceil(2 * margin + line + heatmapViewLabelGap + leastMap(usualHeight) +
                                      captionGap + captionLines * line));
}

int HeatmapView::pageHeight(int width) const {
    if (drawn_->shown.empty())
        return minimumSizeHint().height();
    const double inside = width - 2 * margin;
    const double hint = hintLines(inside) * QFontMetricsF(font()).height();
    return static_cast<int>(std::ceil(2 * margin + axesHeight(inside) + heatmapViewLabelGap +
                                      leastMap(usualHeight) + gapBelow(inside) + hint +
                                      (hint > 0 ? gapBetween() : 0) + captionHeight(inside)));
}

int HeatmapView::heightSaved(int width) const {
    const int drawn = pageHeight(width);
    const FigureWithParts whole(*this, {});
    return pageHeight(width) - drawn;
}

/// Large text makes a page higher: nothing of it has a tooltip there.
QSize HeatmapView::shortFigure() const {
    const QSize usual = FigureSource::figureSize();
    return {usual.width(), std::max(usual.height() - heightSaved(usual.width()), pageHeight(usual.width()))};
}

/// Larger where some dozen rows and columns are not all named otherwise.
QSize HeatmapView::figureSize() const {
    constexpr int step = 40, widest = 2400;
    const QSize usual = shortFigure();
    if (drawn_->shown.empty())
        return usual;
    const MapPicture shown = picture(lightTheme());
    const auto named = [&](QSize size) {
        return areAllNamed(layOut(shown, QRectF(QPointF(), size), Canvas::Page));
    };
    if (named(usual))
        return usual;
    const int more = std::min(rowCount(), mostNamed) - rowsOfLines();
    const double rows = rowCount() > mostNamed ? 0 : more * (labelStyle().lineHeight() + 1);
    for (int width = usual.width(); width <= widest; width += step) {
        const auto high = static_cast<int>(std::ceil(pageHeight(width) + rows));
        for (const int height : {usual.height(), std::max(usual.height(), high)})
            if (named({width, height}))
                return {width, height};
    }
    return usual;
}

/// A map whose cells are as wide as they come, all named that are named where there is room, and what is said
/// of it. Rows of more than a page of paper are thinned out.
QSize HeatmapView::narrowFigure(int width) const {
    constexpr double rowOfLines = 1.5, longest = 1.5; // in lines, and in widths of the page
    constexpr int nearly = 8;
    const QSize usual = shortFigure();
    const double line = labelStyle().lineHeight();
    if (drawn_->shown.empty() || width >= figureSize().width())
        return figureSize();
    if (width >= usual.width() || columnCount() * line > usual.width())
        return usual;
    const MapPicture shown = picture(lightTheme());
    const auto atWidth = [&](int width) {
        const double rows =
            std::min(rowCount() * rowOfLines * line, std::max<double>(rowCount(), longest * width));
        const double more = std::max(0.0, rows - rowsOfLines() * line);
        return QSize(width, static_cast<int>(std::ceil(pageHeight(width) + more)));
    };
    const auto named = [&](QSize size) {
        return layOut(shown, QRectF(QPointF(), size), Canvas::Page).labelledColumns().size();
    };
    const auto all = named(usual);
    if (named(atWidth(width)) >= all)
        return atWidth(width);
    int wide = usual.width();
    while (wide - width > nearly) {
        const int middle = (width + wide) / 2;
        (named(atWidth(middle)) >= all ? wide : width) = middle;
    }
    return wide < usual.width() ? atWidth(wide) : usual;
}

bool HeatmapView::hasHint() const {
    return (hasHintLine_ && isAboutEffect()) || hasCauseLines();
}

/// As many as a hint may need at this width, whatever it says, so that the map of a film does not jump from
/// step to step.
int HeatmapView::hintLines(double width) const {
    if (!figureParts().notes)
        return 0;
    const double one = QFontMetricsF(font()).averageCharWidth();
    const double filled = std::max(one, width - 5 * one); // a line ends before the word that does not fit
    const auto lines = [&](int characters) { return static_cast<int>(std::ceil(characters * one / filled)); };
    const int effect = hasHintLine_ && isAboutEffect() ? lines(120) : 0;
    const int cause = hasCauseLines() ? lines(150) + lines(80) : 0;
    const bool countsOthers = options_.words || options_.withoutSpecial; // a sentence more
    return effect + cause + (countsOthers && effect + cause > 0 ? lines(60) : 0);
}

QMarginsF HeatmapView::extras(const QRectF& area) const {
    QMarginsF room = extrasRoom(drawn_->shown, barLength(area), font());
    if (showsLosses())
        (drawn_->shown.transposed ? room += QMarginsF(0, 0, 2 * lossesRoom(lossLength(area)), 0)
                                  : room += QMarginsF(0, 0, 0, 2 * lossesRoom(lossLength(area))));
    return room;
}

double HeatmapView::lossLength(const QRectF& area) const {
    return std::clamp(area.height() * 0.07, 16.0, 40.0);
}

double HeatmapView::lossesAway(const QRectF& area) const {
    const QMarginsF others = extrasRoom(drawn_->shown, barLength(area), font());
    return drawn_->shown.transposed ? others.right() : others.bottom();
}

QRectF HeatmapView::lossesArea(const QRectF& area, const MapLayout& layout) const {
    const QRectF plot = layout.plot();
    const double away = lossesAway(area);
    const double room = 2 * lossesRoom(lossLength(area));
    return drawn_->shown.transposed ? QRectF(plot.right() + away, plot.top(), room, plot.height())
                                    : QRectF(plot.left(), plot.bottom() + away, plot.width(), room);
}

double HeatmapView::barLength(const QRectF& area) const {
    return options_.received ? std::clamp(area.height() * 0.06, 12.0, 36.0) : 0;
}

MapLayoutInput HeatmapView::roomOf(const MapPicture& picture, const QRectF& area, Canvas canvas) const {
    const QMarginsF beside = extras(area);
    MapLayoutInput input =
        layoutInput(picture, labelStyle(), frame(area, canvas).map.adjusted(0, 0, 0, -beside.bottom()));
    // Without a bar there is still the mark of the current step, and how much is lost at most.
    const double clear = showsLosses() ? 10 + QFontMetricsF(font()).horizontalAdvance("\u00B10.000") : 10;
    input.rightMargin = (colourBar_ ? colourBarWidth(picture.scale, font()) : clear) + beside.right();
    input.window = window_;
    return input;
}

MapLayout HeatmapView::layOut(const MapPicture& picture, const QRectF& area, Canvas canvas) const {
    MapLayoutInput room = roomOf(picture, area, canvas);
    MapLayout layout(room);
    if (!showsLosses() || drawn_->shown.transposed || layout.empty())
        return layout;
    // Names of losses stand before the bars or after them, with a number of some digits.
    const double name = lossNamesWidth();
    const double after = name + QFontMetricsF(font()).horizontalAdvance(QStringLiteral(" \u00B10.0000"));
    if (area.right() - layout.plot().right() >= after || layout.plot().left() >= name + 2 * margin)
        return layout;
    room.area.setLeft(room.area.left() + name + 2 * margin - layout.plot().left());
    return MapLayout(room);
}

double HeatmapView::lossNamesWidth() const {
    const QFontMetricsF metrics(font());
    return std::max(metrics.horizontalAdvance(lossesEverywhere()), metrics.horizontalAdvance(lossesHere()));
}

} // namespace headscope::widgets
