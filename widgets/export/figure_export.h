#pragma once

#include <QByteArray>
#include <QFont>
#include <QImage>
#include <QSize>
#include <QString>

#include "widgets/export/figure_metadata.h"
#include "widgets/figure_source.h"

#include <functional>

namespace headscope::widgets {

enum class FigureFormat { Png, Svg, Pdf };

/// What a figure says of itself beside what its view knows; empty parts are left out.
struct FigureFacts {
    QString weights;  ///< SHA-256 of the weights, or how random ones came about
    QString software; ///< "Headscope 0.1.0"
    QString command;  ///< the command line that makes the same picture
    friend bool operator==(const FigureFacts&, const FigureFacts&) = default;
};

/// How a figure is written.
struct FigureOptions {
    FigureFormat format = FigureFormat::Png;
    QSize size;    ///< in units of 1/96 inch
    int dpi = 192; ///< of PNG: dots per inch; SVG and PDF keep shapes as shapes, whatever it is
    bool dark = false;
    bool enlarged = false;        ///< as the view suggests it, made larger to fill the size: letters, too
    bool provenanceBelow = false; ///< a line under the picture that says where it comes from
    FigureParts parts = {};
    FigureFacts facts;
};

/// A saved figure, or why there is none: exactly one of the two is empty.
struct FigureBytes {
    QByteArray bytes;
    QString error;
};

/// Draws on all of the size, on any thread.
using DrawFigure = std::function<void(QPainter&, QSize)>;

/// Draws a figure into a file's bytes: a pure function of its arguments, but for the date that Qt writes into
/// PDF. PNG carries its resolution (pHYs), all formats what figureMetadata() lists. Qt says nothing of an
/// image that is too large, so sizes are refused here first, with the largest that can be had; and where
/// there is nothing to draw, that. On any thread.
FigureBytes figureBytes(const FigureOptions& options, const DrawFigure& draw, const FigureText& text);
/// With the line below the picture, if that is wanted. What takes long is prepared (prepareFigure).
FigureBytes figureBytes(const FigureOptions& options, const FigureSource& source);


/// Of a PNG. Null where there is not enough memory. On any thread.
QImage drawnImage(const FigureOptions& options, const DrawFigure& draw);
/// That there is no memory for a PNG, with the largest that there is memory for.
QString whyNoMemory(const FigureOptions& options);

/// The shorter side of any figure, in units of 1/96 inch: room for a line of letters. Nothing of a smaller
/// one can be read.
inline constexpr int leastSide = 24;

/// Why a figure of this size is not written; empty where it is.
QString whyNotThisSize(const FigureOptions& options);
/// Dots per inch with which both sides of a PNG have as many pixels as can be read.
int leastDpi(QSize size);
/// Why a figure of this size cannot be written; empty where it can.
QString whyTooLarge(const FigureOptions& options);
/// Of a PNG.
QSize pixelsOf(const FigureOptions& options);

/// Smaller letters can hardly be read on paper, in points.
inline constexpr double leastLetters = 7;

/// The view as it is now, to be drawn with the same options, by any thread, whatever becomes of the view: to
/// take it is soon done. Nothing is cut: where there is less room than FigureSource::figureSize() and the
/// line below, all of it is drawn smaller. Where that makes letters smaller than leastLetters, it is laid out
/// in less room, as far as FigureSource::narrowFigure() goes. Nothing where there is no figure.
DrawFigure takenFigure(const FigureOptions& options, const FigureSource& source);
/// How much smaller, letters too; 1 where there is room.
double figureScale(const FigureOptions& options, const FigureSource& source);
/// The same in words, without a full stop; empty where there is room.
QString scaleInWords(const FigureOptions& options, const FigureSource& source);
/// Whether that makes letters smaller than leastLetters.
bool makesLettersSmall(const FigureOptions& options, const FigureSource& source);
/// How high a figure of this width is best, in units of 1/96 inch, whatever the height of `options`: of the
/// shape that its view suggests or, where letters would be smaller than leastLetters, as high as they need.
int figureHeight(FigureOptions options, const FigureSource& source);
/// FigureSource::figureSize() of a figure with these parts.
QSize suggestedSize(const FigureSource& source, const FigureParts& parts);
/// What its letters are drawn in where there is room.
QFont figureFont(const FigureSource& source);

/// Names and values, in the order in which they are written: Title, Description, Source, Head, Quantity,
/// Weights, Software, Command.
FigureMetadata figureMetadata(const FigureText& text, const FigureFacts& facts);

} // namespace headscope::widgets
