#include "widgets/drawing/step_columns.h"

#include "model/analysis/output/hesitation.h"
#include "widgets/drawing/theme.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

constexpr double stepGap = 6;         ///< between columns
constexpr double narrowStep = 34 - 4; ///< where tokens are cut, with a smaller gap
constexpr double narrowGap = 4;
constexpr double chipPadding = 5;
constexpr double besideColumns = 12;

/// From the widths, beside each other.
void placeColumns(StepColumns& columns) {
    double left = columns.gutter + besideColumns;
    for (const double width : columns.widths) {
        columns.lefts.push_back(left);
        left += width + columns.gap;
    }
}

double leastColumn(const QFont& font) {
    return std::ceil(QFontMetricsF(font).horizontalAdvance(QStringLiteral("100")) + 4);
}

/// Of the second choice at a step of the shown path.
double secondWidth(const trace::Run& run, std::size_t step, const TokenLabelStyle& style) {
    if (step + 1 >= run.path.size())
        return 0;
    const auto second = analysis::hesitationAbout(run.tree.node(run.path[step + 1]).token, run, step).second;
    if (!second)
        return 0;
    const std::vector<TokenLabel> labels{tokenLabel(second->token)};
    return std::ceil(style.widths(labels).front()) + 2;
}

} // namespace

std::optional<std::size_t> StepColumns::at(double x) const {
    if (lefts.empty() || x < lefts.front() - stepGap / 2 || x > right() + stepGap / 2)
        return std::nullopt;
    const auto next = std::ranges::upper_bound(lefts, x + stepGap / 2);
    return std::max<std::ptrdiff_t>(0, next - lefts.begin() - 1);
}

StepColumns StepColumns::part(std::size_t from, std::size_t to) const {
    StepColumns some{.lefts = {}, .widths = {}, .leasts = {}, .gap = gap, .gutter = gutter, .after = after};
    for (std::size_t column = from; column < std::min(to, count()); ++column) {
        some.lefts.push_back(lefts[column] - lefts[from] + lefts.front());
        some.widths.push_back(widths[column]);
    }
    return some;
}

StepColumns StepColumns::within(double width) const {
    StepColumns fitted = *this;
    double slack = 0;
    for (std::size_t column = 0; column < leasts.size(); ++column)
        slack += widths[column] - leasts[column];
    const double share = slack > 0 ? std::clamp((this->width() - width) / slack, 0.0, 1.0) : 0;
    for (std::size_t column = 0; share > 0 && column < leasts.size(); ++column) {
        fitted.widths[column] -= std::ceil(share * (widths[column] - leasts[column]));
        if (column > 0)
            fitted.lefts[column] = fitted.lefts[column - 1] + fitted.widths[column - 1] + gap;
    }
    return fitted;
}

std::size_t StepColumns::fitting(std::size_t from, double width) const {
    const double room = width - lefts.at(0) - after;
    std::size_t to = from + 1;
    while (to < count() && lefts[to] + widths[to] - lefts[from] <= room)
        ++to;
    return to - from;
}

std::size_t StepColumns::lastFirst(double width) const {
    std::size_t first = count() > 0 ? count() - 1 : 0;
    while (first > 0 && first - 1 + fitting(first - 1, width) >= count())
        --first;
    return first;
}

StepColumns stepColumns(const analysis::PathRows& paths, const trace::Run& run,
                        const TokenLabelStyle& style) {
    const QFontMetricsF metrics(style.font);
    StepColumns columns{.lefts = {},
                        .widths = {},
                        .leasts = {},
                        .gap = 0,
                        .gutter = stepGutter(style.font),
                        .after = std::ceil(metrics.horizontalAdvance(QStringLiteral("\u2212100.00")) + 18)};
    const bool isNarrow = paths.columns > StepColumns::mostWide;
    const double least = leastColumn(style.font);
    columns.gap = isNarrow ? narrowGap : stepGap;
    columns.widths.assign(paths.columns, isNarrow ? narrowStep : least);
    columns.leasts = columns.widths;
    if (!isNarrow) {
        const TokenLabelStyle bold{.font = boldFont(style.font), .spaceMarks = style.spaceMarks};
        for (const auto& row : paths.rows) {
            std::vector<TokenLabel> labels;
            for (const auto node : row.nodes)
                labels.push_back(tokenLabel(run.tree.node(node).token));
            const auto widths = bold.widths(labels);
            const bool isDropped = row.what == analysis::PathRow::What::Dropped && row.from;
            for (std::size_t column = 0; column < widths.size(); ++column) {
                const double wide = std::ceil(widths[column] + 2 * chipPadding);
                columns.widths[column] = std::max(columns.widths[column], wide);
                columns.leasts[column] = std::max(columns.leasts[column], isDropped ? least : wide);
            }
        }
        for (std::size_t column = 0; column < paths.columns; ++column)
            columns.widths[column] =
                std::max(columns.widths[column], secondWidth(run, paths.prompt + column, bold));
    }
    placeColumns(columns);
    return columns;
}

StepColumns labelColumns(const std::vector<std::vector<TokenLabel>>& columns, const TokenLabelStyle& style) {
    StepColumns made{.lefts = {},
                     .widths = {},
                     .leasts = {},
                     .gap = stepGap,
                     .gutter = stepGutter(style.font),
                     .after = besideColumns};
    const TokenLabelStyle bold{.font = boldFont(style.font), .spaceMarks = style.spaceMarks};
    for (const auto& labels : columns) {
        double widest = leastColumn(style.font);
        for (const double width : bold.widths(labels))
            widest = std::max(widest, std::ceil(width + 2 * chipPadding));
        made.widths.push_back(widest);
    }
    made.leasts = made.widths;
    placeColumns(made);
    return made;
}

double stepGutter(const QFont& font) {
    constexpr double iconAndMargins = 40;
    const double name = QFontMetricsF(boldFont(font)).horizontalAdvance(QStringLiteral("Greedy, beam 1"));
    const double remark =
        QFontMetricsF(smallFont(font)).horizontalAdvance(QStringLiteral("beam pruned it at 14"));
    return std::ceil(std::max(name, remark) + iconAndMargins);
}

QFont smallFont(const QFont& font) {
    QFont small = font;
    if (font.pixelSize() > 0)
        small.setPixelSize(std::max(11.0, std::round(font.pixelSize() * 0.86)));
    else
        small.setPointSizeF(font.pointSizeF() * 0.86);
    return small;
}

QFont boldFont(QFont font) {
    font.setBold(true);
    return font;
}

QColor mixed(const QColor& colour, const QColor& ground, double share) {
    const auto part = [share](float one, float other) {
        return static_cast<float>(share * one + (1 - share) * other);
    };
    const auto exact =
        QColor::fromRgbF(part(colour.redF(), ground.redF()), part(colour.greenF(), ground.greenF()),
                         part(colour.blueF(), ground.blueF()));
    return QColor::fromRgb(exact.rgb()); // as it is painted
}

QColor barColour(const Theme& theme) {
    return mixed(theme.accent, theme.background, 0.7);
}

QColor bandColour(const Theme& theme) {
    return mixed(theme.accent, theme.background, theme.dark ? 0.18 : 0.1);
}

void drawLock(QPainter& painter, QPointF corner, const QColor& colour) {
    painter.setPen(QPen(colour, 1.2));
    painter.setBrush(Qt::NoBrush);
    painter.drawArc(QRectF(corner + QPointF(1.5, 0), QSizeF(4, 7)), 0, 180 * 16);
    painter.fillRect(QRectF(corner + QPointF(0, 3.5), QSizeF(7, 5)), colour);
}

void drawConfidence(QPainter& painter, const QRectF& room, double probability, bool isUnsure,
                    const QColor& sure, const Theme& theme) {
    const QColor ink = isUnsure ? theme.unsure : sure;
    painter.fillRect(QRectF(room.topLeft(), QSizeF(std::max(1.0, room.width() * probability), room.height())),
                     ink);
    if (isUnsure)
        painter.fillRect(QRectF(room.left(), room.bottom() - 1, room.width(), 1), ink);
}

void drawStepChip(QPainter& painter, const QRectF& area, const TokenLabel& label,
                  const TokenLabelStyle& style, const StepChip& chip, const Theme& theme) {
    using Ink = StepChip::Ink;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const bool isCurrent = chip.ink == Ink::Current;
    QPen frame(isCurrent                ? theme.accent
               : chip.ink == Ink::Faint ? theme.line
                                        : theme.outline,
               1, chip.isDashed ? Qt::DashLine : Qt::SolidLine);
    painter.setPen(frame);
    painter.setBrush(isCurrent ? theme.accent : theme.background);
    painter.drawRoundedRect(area.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    const bool hasBar = chip.probability.has_value();
    const TokenLabelStyle own{.font = chip.ink == Ink::Bold || isCurrent ? boldFont(style.font) : style.font,
                              .spaceMarks = style.spaceMarks};
    TokenInk ink = isCurrent ? TokenInk::on(theme.accent, theme.onAccent) : TokenInk::onBackground(theme);
    if (chip.ink == Ink::Faint)
        ink.text = theme.faintText;
    own.draw(painter, area.adjusted(2, 0, -2, hasBar ? -3 : 0), Qt::AlignHCenter, label, ink);
    if (hasBar && !std::isnan(*chip.probability)) {
        const QRectF room(area.left() + 3, area.bottom() - 4, area.width() - 6, 2);
        drawConfidence(painter, room, *chip.probability, chip.isUnsure, barColour(theme), theme);
    }
    if (chip.isForced)
        drawLock(painter, area.topRight() + QPointF(-6, -1), theme.changed);
    painter.restore();
}

} // namespace headscope::widgets
