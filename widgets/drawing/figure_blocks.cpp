// What the interfaces of figures promise.
#include "widgets/drawing/theme.h"
#include "widgets/figure_source.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QRegularExpression>
#include <QtMath>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace headscope::widgets {

namespace {

constexpr double figureMargin = 12;
constexpr double leastWords = 480;       ///< width, below a narrow picture
constexpr double highestFigure = 16'000; ///< higher images cannot be written at twice the resolution

/// `areas` are those of the blocks.
FigureBlock arranged(const std::vector<FigureBlock>& blocks, std::function<QSizeF(double width)> size,
                     const std::function<std::vector<QRectF>(const QRectF& area)>& areas) {
    return {.size = std::move(size),
            .draw =
                [=](QPainter& painter, const QRectF& area, const Theme& theme) {
                    const auto places = areas(area);
                    for (std::size_t i = 0; i < blocks.size(); ++i)
                        blocks[i].draw(painter, places[i], theme);
                },
            .grows = std::ranges::any_of(blocks, &FigureBlock::grows),
            .note =
                [=](const QRectF& area) {
                    const auto places = areas(area);
                    QString words;
                    for (std::size_t i = 0; i < blocks.size(); ++i)
                        words += blocks[i].note ? blocks[i].note(places[i]) : QString();
                    return words;
                }};
}

/// Qt ends lines after the first dot of "cross.2.5", too.
QString withWholeAddresses(QString words) {
    static const QRegularExpression dot(QStringLiteral("(?<=[a-z])\\.(?=\\d)"));
    return words.replace(dot, QStringLiteral(".\u2060"));
}

/// Of words as high as they need.
double heightOf(const QString& words, const QFont& font, double width) {
    const QRectF room(0, 0, width, 1e5);
    return std::ceil(
        QFontMetricsF(font).boundingRect(room, Qt::TextWordWrap, withWholeAddresses(words)).height());
}

double gapsOf(std::size_t blocks) {
    return figureGap * static_cast<double>(blocks - 1);
}

} // namespace

std::function<QSizeF(double width)> shaped(double shape, double least) {
    return [=](double width) {
        const double wide = std::max(width, least);
        return QSizeF(wide, shape * wide);
    };
}

FigureBlock wordsBlock(const QString& words, const QFont& font) {
    return {.size = [=](double width) { return QSizeF(width, heightOf(words, font, width)); },
            .draw =
                [=](QPainter& painter, const QRectF& area, const Theme& theme) {
                    painter.setFont(font);
                    painter.setPen(theme.text);
                    painter.drawText(area, Qt::TextWordWrap | Qt::TextDontClip, withWholeAddresses(words));
                },
            .grows = false};
}

FigureBlock stacked(const std::vector<FigureBlock>& blocks) {
    const auto sizes = [=](double width) {
        std::vector<QSizeF> sizes;
        for (const auto& block : blocks)
            sizes.push_back(block.size(width));
        return sizes;
    };
    const auto size = [=](double width) {
        QSizeF all(0, gapsOf(blocks.size()));
        for (const QSizeF each : sizes(width))
            all = {std::max(all.width(), each.width()), all.height() + each.height()};
        return all;
    };
    return arranged(blocks, size, [=](const QRectF& area) {
        const auto natural = sizes(area.width());
        double all = 0, growing = 0;
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            all += natural[i].height();
            growing += blocks[i].grows ? natural[i].height() : 0;
        }
        const double room = area.height() - gapsOf(blocks.size());
        const bool isLow = room < all || growing == 0;
        const double scale = isLow ? std::min(1.0, room / all) : 1 + (room - all) / growing;
        std::vector<QRectF> areas;
        double top = area.top();
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            const double height = natural[i].height() * (isLow || blocks[i].grows ? scale : 1);
            areas.emplace_back(area.left(), top, area.width(), height);
            top = areas.back().bottom() + figureGap;
        }
        return areas;
    });
}

FigureBlock beside(const std::vector<FigureBlock>& blocks, const std::vector<double>& shares) {
    const double all = std::accumulate(shares.begin(), shares.end(), 0.0);
    const auto areas = [=](const QRectF& area) {
        std::vector<QRectF> areas;
        double left = area.left();
        for (const double share : shares) {
            const double width = (area.width() - gapsOf(blocks.size())) * share / all;
            areas.emplace_back(left, area.top(), width, area.height());
            left = areas.back().right() + figureGap;
        }
        return areas;
    };
    const auto size = [=](double width) {
        const auto places = areas(QRectF(0, 0, width, 0));
        double height = 0;
        for (std::size_t i = 0; i < blocks.size(); ++i)
            height = std::max(height, blocks[i].size(places[i].width()).height());
        return QSizeF(width, height);
    };
    return arranged(blocks, size, areas);
}

FigureBlock eitherOf(const FigureBlock& wide, const FigureBlock& high) {
    const auto fitting = [=](const QRectF& area) {
        constexpr double tall = 1.5;
        return area.height() > tall * area.width() ? high : wide;
    };
    return {
        .size = [=](double width) { return (width < FigureBlocks::usualWidth ? high : wide).size(width); },
        .draw = [=](QPainter& painter, const QRectF& area,
                    const Theme& theme) { fitting(area).draw(painter, area, theme); },
        .grows = wide.grows,
        .note = [=](const QRectF& area) { return fitting(area).note(area); }};
}

double FigureBlocks::wordsHeight(const QString& words, double width) const {
    return words.isEmpty() ? 0 : heightOf(words, font, width) + figureGap;
}

QRectF FigureBlocks::above(const QString& words, const QRectF& inside) const {
    const double room = inside.height() - wordsHeight(words, inside.width());
    const double height =
        picture.grows ? room : std::min(room, std::ceil(picture.size(inside.width()).height()));
    return {inside.left(), inside.top(), inside.width(), height};
}

QSize FigureBlocks::size(const FigureParts& parts, double wide) const {
    const double room = std::min(wide - 2 * figureMargin, width);
    QSizeF drawn = picture.size(room);
    const QString words = wordsWithNamed(caption, parts, [&](const QString&) {
        return picture.note ? picture.note(QRectF(QPointF(), drawn)) : QString();
    });
    if (!words.isEmpty())
        drawn.setWidth(std::max(drawn.width(), std::min(room, leastWords)));
    const double around = wordsHeight(words, drawn.width()) + 2 * figureMargin;
    // Words that fill most of the highest figure have too large letters: it is too high, and refused.
    const double highest = std::max(highestFigure - around, highestFigure / 2);
    return {qCeil(drawn.width() + 2 * figureMargin),
            static_cast<int>(std::min(std::ceil(drawn.height()), highest) + around)};
}

void FigureBlocks::draw(QPainter& painter, QSize size, const FigureParts& parts, const Theme& theme) const {
    const QRectF inside =
        QRectF(QPointF(), size).adjusted(figureMargin, figureMargin, -figureMargin, -figureMargin);
    const QString words = wordsWithNamed(caption, parts, [&](const QString& below) {
        return picture.note ? picture.note(above(below, inside)) : QString();
    });
    const QRectF area = above(words, inside);
    painter.setFont(font);
    picture.draw(painter, area, theme);
    painter.setFont(font);
    painter.setPen(theme.text);
    painter.drawText(QRectF(QPointF(inside.left(), area.bottom() + figureGap), inside.bottomRight()),
                     Qt::TextWordWrap | Qt::TextDontClip, withWholeAddresses(words));
}

QString wordsWithNamed(const QString& caption, const FigureParts& parts,
                       const std::function<QString(const QString& wordsBelow)>& namedAbove) {
    const QString words = parts.caption ? caption : QString();
    if (!parts.notes)
        return words;
    const auto with = [&](const QString& named) { return parts.caption ? words + named : named.trimmed(); };
    return with(namedAbove(with(namedAbove(words))));
}

void FigureSource::drawFigure(QPainter& painter, QSize size, const Theme& theme) const {
    painter.fillRect(QRect(QPoint(), size), theme.background);
    if (const auto blocks = figureBlocks())
        blocks->draw(painter, size, parts_, theme);
}

QSize FigureSource::figureSize() const {
    const auto blocks = figureBlocks();
    return blocks ? blocks->size(parts_) : QSize(800, 640);
}

QSize FigureSource::narrowFigure(int width) const {
    const auto blocks = figureBlocks();
    return blocks ? blocks->size(parts_, width) : figureSize();
}

} // namespace headscope::widgets
