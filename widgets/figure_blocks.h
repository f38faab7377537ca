#pragma once

#include <QFont>
#include <QRectF>
#include <QSize>
#include <QString>

#include <functional>
#include <vector>

class QPainter;

namespace headscope::widgets {

struct Theme;

/// Optional parts of a figure. Labels, axis titles, legends, colour bars and marks about the run itself, such
/// as that of a disabled head, are always drawn.
struct FigureParts {
    bool caption = true; ///< sentences below the picture; FigureText::caption always has them
    /// Other remarks beside the picture about how it was made or how to read it, such as the number of rows
    /// without names.
    bool notes = true;
    bool marks = true; ///< of the current step, and of pinned and selected items
    friend bool operator==(const FigureParts&, const FigureParts&) = default;
};

/// Something drawn in a figure. Sizes are in units of 1/96 inch.
struct FigureBlock {
    /// The size it needs where there is room for `width`: wider if it cannot be narrower, narrower if it
    /// needs no more.
    std::function<QSizeF(double width)> size;
    /// In less room than size() it is drawn smaller or closer.
    std::function<void(QPainter&, const QRectF& area, const Theme&)> draw;
    bool grows = true; ///< fills a higher page
    /// Another remark below the words, after a space: " One row in 8 is labelled."
    std::function<QString(const QRectF& area)> note = {};
};

/// Between blocks, and above the words.
inline constexpr double figureGap = 12;
/// Height / width of a plot or a map on a page.
inline constexpr double plotShape = 0.72;

/// The size of a block that fills any width from `least` and has this height / width.
std::function<QSizeF(double width)> shaped(double shape, double least = 0);

/// Words on as many lines as they need.
FigureBlock wordsBlock(const QString& words, const QFont& font);
/// Blocks below each other. Those that grow share more height than they need, all share less.
FigureBlock stacked(const std::vector<FigureBlock>& blocks);
/// Blocks beside each other, all as high as the highest, with these shares of the width.
FigureBlock beside(const std::vector<FigureBlock>& blocks, const std::vector<double>& shares);

/// `wide` where there is the width that a page usually has, else `high`.
FigureBlock eitherOf(const FigureBlock& wide, const FigureBlock& high);

/// A figure: a block with words below it. Without the words the figure is lower.
struct FigureBlocks {
    FigureBlock picture;
    QString caption;
    QFont font;
    double width = usualWidth; ///< of the picture on a page that is wide enough

    static constexpr double usualWidth = 776;

    /// On a page with room for `wide`.
    QSize size(const FigureParts& parts, double wide = 1e4) const;
    void draw(QPainter& painter, QSize size, const FigureParts& parts, const Theme& theme) const;

  private:
    /// Includes the distance to the picture.
    double wordsHeight(const QString& words, double width) const;
    /// The picture's area above these words.
    QRectF above(const QString& words, const QRectF& inside) const;
};

/// A figure's `caption` and, as a note, what is said of names, " One row in 8 is named.", below a picture.
/// What is said takes room itself, so that fewer may be named: `namedAbove` says it of the picture that
/// leaves room for some words.
QString wordsWithNamed(const QString& caption, const FigureParts& parts,
                       const std::function<QString(const QString& wordsBelow)>& namedAbove);

} // namespace headscope::widgets
