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

enum class FigureFormat { Png, Svg, Pdf, Html };

/// Metadata of a figure that its view does not know; empty parts are omitted.
struct FigureFacts {
    QString weights;  ///< SHA-256 of the weights, or how random weights were generated
    QString software; ///< "Headscope 0.1.0"
    QString command;  ///< the command that draws the same picture
    friend bool operator==(const FigureFacts&, const FigureFacts&) = default;
};

/// How a figure is exported.
struct FigureOptions {
    FigureFormat format = FigureFormat::Png;
    QSize size;    ///< in units of 1/96 inch
    int dpi = 192; ///< dots per inch of PNG; the others are vector graphics
    bool dark = false;
    /// Size of the text in points, reduced only if the text does not fit. 0: the view's own size; the picture
    /// is then scaled down, with its text, while the text stays readable.
    double fontSize = 0;
    bool provenanceBelow = false; ///< adds a source line below the picture
    FigureParts parts = {};
    FigureFacts facts;
};

/// Bytes of an exported figure, or an error: exactly one of the two is empty.
struct FigureBytes {
    QByteArray bytes;
    QString error;
};

/// Draws the full size; can be called on any thread.
using DrawFigure = std::function<void(QPainter&, QSize)>;

/// Draws a figure and encodes it. A pure function of its arguments, except for the date in PDF. PNG contains
/// its resolution (pHYs), all formats contain figureMetadata(). Returns an error if there is nothing to draw,
/// or if the size is too large, with the largest possible one, as Qt does not report that. Can be called on
/// any thread.
FigureBytes figureBytes(const FigureOptions& options, const DrawFigure& draw, const FigureText& text);
/// Draws the figure with its source line if requested. Call prepareFigure() first.
FigureBytes figureBytes(const FigureOptions& options, const FigureSource& source);

/// Draws the image of a PNG; null if there is not enough memory. Can be called on any thread.
QImage drawnImage(const FigureOptions& options, const DrawFigure& draw);
/// The error for missing memory, with the largest PNG that fits.
QString whyNoMemory(const FigureOptions& options);

/// Minimum of the shorter side of a figure, in units of 1/96 inch: one line of text. Smaller figures are
/// unreadable.
inline constexpr int leastSide = 24;

/// Why a figure of this size is not exported; empty if it is.
QString whyNotThisSize(const FigureOptions& options);
/// Returns the lowest resolution, in dots per inch, at which both sides of a PNG are readable.
int leastDpi(QSize size);
/// Why a figure of this size is too large to be exported; empty if it is not.
QString whyTooLarge(const FigureOptions& options);
/// Size of a PNG in pixels.
QSize pixelsOf(const FigureOptions& options);

/// Minimum size of text in points; smaller text is hard to read on paper.
inline constexpr double leastLetters = 7;

/// Takes a fast snapshot of the view, to be drawn with the same options on any thread, independent of later
/// changes to the view. Nothing is cut: if there is less room than FigureSource::figureSize() and the source
/// line need, everything is drawn smaller. If text would then be smaller than was chosen, or than
/// leastLetters, the figure is laid out in less room, down to FigureSource::narrowFigure(). Null if there is
/// no figure.
DrawFigure takenFigure(const FigureOptions& options, const FigureSource& source);
/// Returns the font size, in points, with which the figure fills the size of `options`, as on a poster; at
/// least that of the view.
double fillingFontSize(const FigureOptions& options, const FigureSource& source);
/// Scale of the figure and its text; 1 if there is enough room.
double figureScale(const FigureOptions& options, const FigureSource& source);
/// Describes the scale and the chosen font size, without a full stop; empty if there is enough room and no
/// size was chosen.
QString scaleInWords(const FigureOptions& options, const FigureSource& source);
/// True if the scale makes text smaller than leastLetters.
bool makesLettersSmall(const FigureOptions& options, const FigureSource& source);
/// Returns the best height for the width of `options`, in units of 1/96 inch, ignoring their height: that of
/// the view's aspect ratio or, if text would be too small, the height that the text needs.
int figureHeight(FigureOptions options, const FigureSource& source);
/// Returns FigureSource::figureSize() for a figure with these parts and, unless it is 0, this font size.
QSize suggestedSize(const FigureSource& source, const FigureParts& parts, double fontSize = 0);
/// Font of the figure's text at scale 1, unless FigureOptions::fontSize is chosen.
QFont figureFont(const FigureSource& source);

/// Returns names and values in the order in which they are written: Title, Description, Source, Head,
/// Quantity, Weights, Software, Command. Empty values are omitted.
FigureMetadata figureMetadata(const FigureText& text, const FigureFacts& facts);

} // namespace headscope::widgets
