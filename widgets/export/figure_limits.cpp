// Limits of the size of figures.
#include "widgets/export/figure_export.h"

#include <QCoreApplication>
#include <QImage>
#include <QtMath>

#include <algorithm>
#include <cmath>
#include <memory>
#include <new>

namespace headscope::widgets {

namespace {

struct FigureLimitsWords {
    Q_DECLARE_TR_FUNCTIONS(FigureExport)
};

constexpr int figureLimitsLongestSide = 32767; // Qt's painter silently draws nothing beyond it
constexpr qint64 mostPixels = 256LL * 1000000; // one gigabyte of memory
constexpr int longestPage = 19200;             // 200 inches, the limit of PDF readers
constexpr double figureLimitsNearly = 1e-6;    // tolerance of lengths

/// True if there is memory for the image and for its file, which rarely exceeds a quarter of it. Memory that
/// is only reserved and never written costs nothing.
bool fitsNow(FigureOptions options, int dpi) {
    options.dpi = dpi;
    const QImage image(pixelsOf(options), QImage::Format_RGB32);
    const std::unique_ptr<char[]> file(
        new (std::nothrow) char[static_cast<std::size_t>(std::max<qsizetype>(4, image.sizeInBytes()) / 4)]);
    return !image.isNull() && file;
}

/// Returns the highest resolution below the requested one that fits into memory; 0 if none does.
int largestThatFits(const FigureOptions& options) {
    int fits = 0, tooMany = options.dpi;
    while (tooMany - fits > 1) {
        const int middle = fits + (tooMany - fits) / 2;
        (fitsNow(options, middle) ? fits : tooMany) = middle;
    }
    return fits;
}

/// Returns `size` times `scale`, rounded down and at least 1 on each side.
QSize ofThisShape(QSizeF size, double scale) {
    const auto side = [&](double length) {
        return std::max(1, static_cast<int>(length * scale + figureLimitsNearly));
    };
    return {side(size.width()), side(size.height())};
}

QString whyPageTooLarge(const FigureOptions& options) {
    const int longest = options.format == FigureFormat::Pdf ? longestPage : figureLimitsLongestSide;
    const int side = std::max(options.size.width(), options.size.height());
    if (side <= longest)
        return {};
    const QSize most = ofThisShape(options.size, static_cast<double>(longest) / side);
    return FigureLimitsWords::tr("The page would have %1 x %2 pixels at 96 dpi. At most %3 per side can be "
                                 "written: %4 x %5 is the largest size of this shape.")
        .arg(options.size.width())
        .arg(options.size.height())
        .arg(longest)
        .arg(most.width())
        .arg(most.height());
}

/// A sentence, with a leading space, that recommends vector formats if they allow this size; empty if they do
/// not.
QString withoutDots(QSize size) {
    const int side = std::max(size.width(), size.height());
    const QString words = side <= longestPage ? FigureLimitsWords::tr("SVG and PDF need no dots.")
                          : side <= figureLimitsLongestSide ? FigureLimitsWords::tr("SVG needs no dots.")
                                                            : QString();
    return words.isEmpty() ? words : QChar(' ') + words;
}

} // namespace

QSize pixelsOf(const FigureOptions& options) {
    return (QSizeF(options.size) * options.dpi / screenDpi).toSize();
}

QString whyTooLarge(const FigureOptions& options) {
    const double wide = options.size.width(), high = options.size.height();
    if (options.size.isEmpty() || options.dpi <= 0)
        return FigureLimitsWords::tr("A picture needs a width, a height and a resolution above zero.");
    if (options.format != FigureFormat::Png)
        return whyPageTooLarge(options);
    const double scale = static_cast<double>(options.dpi) / screenDpi;
    const double largest = std::min(figureLimitsLongestSide / std::max(wide, high),
                                    std::sqrt(static_cast<double>(mostPixels) / (wide * high)));
    if (scale <= largest)
        return {};
    const int dpi = qFloor(largest * screenDpi);
    const QString why = FigureLimitsWords::tr("The picture would have %1 x %2 pixels. At most %3 per side "
                                              "and %4 million in all can be written: ")
                            .arg(wide * scale, 0, 'f', 0)
                            .arg(high * scale, 0, 'f', 0)
                            .arg(figureLimitsLongestSide)
                            .arg(mostPixels / 1000000);
    if (dpi == 0) { // no resolution is low enough
        const QSize most = ofThisShape(options.size, largest);
        return why + FigureLimitsWords::tr("%1 x %2 is the largest size of this shape.")
                         .arg(most.width())
                         .arg(most.height());
    }
    const QSize most = pixelsOf({.format = options.format, .size = options.size, .dpi = dpi, .facts = {}});
    return why +
           FigureLimitsWords::tr("%1 x %2 at %3 dots per inch is the largest size of this shape.")
               .arg(most.width())
               .arg(most.height())
               .arg(dpi) +
           withoutDots(options.size);
}

namespace {

/// The error for a resolution that makes a sufficiently large picture unreadable.
QString whyTooCoarse(const FigureOptions& options) {
    const QSize pixels = pixelsOf(options);
    const bool isCoarse = options.format == FigureFormat::Png && options.dpi > 0 &&
                          std::min(pixels.width(), pixels.height()) < leastSide;
    if (!isCoarse)
        return {};
    const int dpi = leastDpi(options.size);
    const QSize least = pixelsOf({.size = options.size, .dpi = dpi, .facts = {}});
    return FigureLimitsWords::tr(
               "The picture would have %1 x %2 pixels and be unreadable. Each side needs at least %3: %4 x "
               "%5 at %6 dots per inch is the smallest size of this shape.")
        .arg(pixels.width())
        .arg(pixels.height())
        .arg(leastSide)
        .arg(least.width())
        .arg(least.height())
        .arg(dpi);
}

} // namespace

int leastDpi(QSize size) {
    const double side = std::min(size.width(), size.height());
    constexpr double rounded = 0.5; // because pixelsOf() rounds
    return qCeil((leastSide - rounded) * screenDpi / side - figureLimitsNearly);
}

QString whyNotThisSize(const FigureOptions& options) {
    const int side = std::min(options.size.width(), options.size.height());
    if (side <= 0)
        return whyTooLarge(options);
    if (side >= leastSide) {
        const QString why = whyTooCoarse(options);
        return why.isEmpty() ? whyTooLarge(options) : why;
    }
    const double scale = static_cast<double>(leastSide) / side;
    const auto enlarged = [&](int length) { return qCeil(length * scale - figureLimitsNearly); };
    return FigureLimitsWords::tr("The picture would be %1 x %2 pixels at 96 dpi and unreadable. Each side "
                                 "needs at least %3: %4 x %5 is the smallest size of this shape.")
        .arg(options.size.width())
        .arg(options.size.height())
        .arg(leastSide)
        .arg(enlarged(options.size.width()))
        .arg(enlarged(options.size.height()));
}

QString whyNoMemory(const FigureOptions& options) {
    const QSize pixels = pixelsOf(options);
    const QString why = FigureLimitsWords::tr("There is not enough memory for a picture of %1 x %2 pixels.")
                            .arg(pixels.width())
                            .arg(pixels.height());
    const int dpi = largestThatFits(options);
    if (dpi == 0)
        return why + QChar(' ') + FigureLimitsWords::tr("Close other programs.") + withoutDots(options.size);
    const QSize most = pixelsOf({.format = options.format, .size = options.size, .dpi = dpi, .facts = {}});
    return why + QChar(' ') +
           FigureLimitsWords::tr(
               "%1 x %2 at %3 dots per inch is the largest size of this shape that fits into memory.")
               .arg(most.width())
               .arg(most.height())
               .arg(dpi) +
           withoutDots(options.size);
}

} // namespace headscope::widgets
