#include "widgets/export/figure_export.h"

#include "widgets/drawing/recorded_drawing.h"
#include "widgets/drawing/theme.h"
#include "widgets/export/figure_metadata.h"
#include "widgets/export/figure_provenance.h"
#include "widgets/export/html_page.h"
#include "widgets/export/svg_drawing.h"
#include "widgets/export/xml_text.h"

#include <QApplication>
#include <QBuffer>
#include <QByteArray>
#include <QCoreApplication>
#include <QFont>
#include <QFontMetricsF>
#include <QHashSeed>
#include <QHeaderView>
#include <QImage>
#include <QImageWriter>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSize>
#include <QStringList>
#include <QTextLayout>
#include <QTextOption>
#include <QUuid>
#include <QWidget>

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

namespace headscope::widgets {

namespace {

struct FigureExportWords {
    Q_DECLARE_TR_FUNCTIONS(FigureExport)
};

// Layout of a figure on its page, and its scale.

/// Margin to the left and right of the source line and above it.
constexpr int figureLineMargin = 12;

/// Layout of a figure's parts, in units of `scale` / 96 inch.
struct FigureRooms {
    QSize picture;
    QStringList rows; ///< rows of the source line below the picture; empty if there is none
    int below = 0;
    double scale = 1;
};

/// While it exists, the view of `source`, and what is drawn of it, has text of this size.
class FigureWithFontSize {
  public:
    /// `points` is 0 for the size that it has.
    FigureWithFontSize(const FigureSource& source, double points);
    ~FigureWithFontSize();
    FigureWithFontSize(const FigureWithFontSize&) = delete;
    FigureWithFontSize& operator=(const FigureWithFontSize&) = delete;

  private:
    QWidget* view_ = nullptr; ///< null: nothing was changed
    QFont before_;
    std::vector<std::pair<QHeaderView*, QByteArray>> headers_; ///< of its tables, with widths set by hand
};

constexpr double figureNearly = 1e-6; ///< tolerance of sums of lengths
constexpr double worthwhile = 1.05;   ///< text must become this much larger to justify another layout
constexpr double nearlyWhole = 0.995; ///< scale that is displayed as 100 %
constexpr double highest = 2.8;       ///< limit of height to width, about that of a column of a printed page

/// Wraps the line into rows; only words longer than a row, such as a hash, are broken.
QStringList rowsOf(const QString& line, const QFont& font, int width) {
    QStringList rows;
    QTextLayout layout(line, font);
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    layout.beginLayout();
    for (auto row = layout.createLine(); row.isValid(); row = layout.createLine()) {
        row.setLineWidth(std::max(1, width - 2 * figureLineMargin));
        rows += line.mid(row.textStart(), row.textLength()).trimmed();
    }
    layout.endLayout();
    return rows;
}

/// Height of the source line below a picture, including its margin; 0 without one.
int provenanceHeight(const QFont& font, int width, const QString& line) {
    if (line.isEmpty())
        return 0;
    const double rows = static_cast<double>(rowsOf(line, font, width).size());
    return static_cast<int>(std::ceil(rows * QFontMetricsF(font).lineSpacing())) + figureLineMargin;
}

/// A page for one figure.
class RoomsPage {
  public:
    RoomsPage(const FigureOptions& options, const FigureSource& source)
        : given_(options.size), source_(source), figure_(source, options.parts),
          text_(source, options.fontSize), font_(figureFont(source)), isChosen_(options.fontSize > 0),
          line_(options.provenanceBelow ? provenanceLine(source.figureText(), options.facts) : QString()) {}

    /// Layout for a picture that needs this size, drawn `units` times smaller, or even smaller if it would be
    /// too large. The source line takes no room from the picture: it needs fewer rows the smaller everything
    /// is drawn.
    FigureRooms roomsFor(QSizeF needed, double units) const {
        units = std::max({units, needed.width() / given_.width(), needed.height() / given_.height()});
        const auto side = [&](double given, double needed) {
            const double all = given * units;
            return std::lround(all - needed < units ? needed : all);
        };
        const auto lineHeight = [&] { return below(side(given_.width(), needed.width())); };
        units = std::max(units, (needed.height() + lineHeight()) / given_.height());
        const int below = lineHeight();
        const QSize all(side(given_.width(), needed.width()), side(given_.height(), needed.height() + below));
        return {.picture = all - QSize(0, below),
                .rows = below > 0 ? rowsOf(line_, font_, all.width()) : QStringList(),
                .below = below,
                .scale = 1 / units};
    }

    /// Layout in the suggested size of the view.
    FigureRooms usual() const { return roomsFor(source_.figureSize(), 1); }

    /// True if text drawn at this scale is large enough.
    bool isReadable(double scale) const { return scale >= readable() - figureNearly; }

    /// Scale at which text is just large enough; 1 if it never is, or if its size was chosen.
    double readable() const {
        const double points = font_.pointSizeF();
        return points > leastLetters && !isChosen_ ? leastLetters / points : 1;
    }

    QSize narrow(double units) const {
        return source_.narrowFigure(static_cast<int>(given_.width() * units + figureNearly));
    }

    /// Layout in less room than the view suggests, with the largest possible text up to the readable size.
    FigureRooms narrowed(const FigureRooms& usual) const {
        double low = 1 / readable(), high = 1 / usual.scale;
        const int width = narrow(low).width();
        if (width >= source_.figureSize().width())
            return usual;
        low = std::max(low, width / given_.width());
        FigureRooms best = usual;
        const auto fits = [&](double units) {
            FigureRooms rooms = roomsFor(narrow(units), units);
            const bool isWhole = rooms.scale * units > 1 - figureNearly;
            if (rooms.scale > best.scale + figureNearly)
                best = std::move(rooms);
            return isWhole;
        };
        constexpr int halvings = 5;
        if (!fits(low))
            for (int i = 0; i < halvings; ++i) {
                const double middle = (low + high) / 2;
                (fits(middle) ? high : low) = middle;
            }
        return best.scale > worthwhile * usual.scale ? best : usual;
    }

    int below(int width) const { return provenanceHeight(font_, width, line_); }

  private:
    QSizeF given_;
    const FigureSource& source_;
    FigureWithParts figure_;
    FigureWithFontSize text_;
    QFont font_;
    bool isChosen_;
    QString line_;
};

double pointsOf(const FigureOptions& options, const FigureSource& source) {
    return options.fontSize > 0 ? options.fontSize : figureFont(source).pointSizeF();
}

FigureWithFontSize::FigureWithFontSize(const FigureSource& source, double points) {
    const auto* view = dynamic_cast<const QWidget*>(&source);
    if (points <= 0 || !view || view->font().pointSizeF() == points)
        return;
    view_ = const_cast<QWidget*>(view);
    before_ = view->testAttribute(Qt::WA_SetFont) ? view->font() : QFont(); // or that of its parent
    QFont font = view->font();
    font.setPointSizeF(points);
    for (auto* header : view_->findChildren<QHeaderView*>())
        headers_.emplace_back(header, header->saveState());
    view_->setFont(font);
}

FigureWithFontSize::~FigureWithFontSize() {
    if (view_)
        view_->setFont(before_);
    for (const auto& [header, state] : headers_)
        header->restoreState(state);
}

FigureRooms roomsOf(const FigureOptions& options, const FigureSource& source) {
    const RoomsPage page(options, source);
    const FigureRooms usual = page.usual();
    return page.isReadable(usual.scale) ? usual : page.narrowed(usual);
}

// Limits of the size of figures.

constexpr int figureLimitsLongestSide = 32767; // Qt's painter silently draws nothing beyond it
constexpr qint64 mostPixels = 256LL * 1000000; // one gigabyte of memory
constexpr int longestPage = 19200;             // 200 inches, the limit of PDF readers

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
        return std::max(1, static_cast<int>(length * scale + figureNearly));
    };
    return {side(size.width()), side(size.height())};
}

QString whyPageTooLarge(const FigureOptions& options) {
    const int longest = options.format == FigureFormat::Pdf ? longestPage : figureLimitsLongestSide;
    const int side = std::max(options.size.width(), options.size.height());
    if (side <= longest)
        return {};
    const QSize most = ofThisShape(options.size, static_cast<double>(longest) / side);
    return FigureExportWords::tr("The page would have %1 x %2 pixels at 96 dpi. At most %3 per side can be "
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
    const QString words = side <= longestPage ? FigureExportWords::tr("SVG and PDF need no dots per inch.")
                          : side <= figureLimitsLongestSide
                              ? FigureExportWords::tr("SVG needs no dots per inch.")
                              : QString();
    return words.isEmpty() ? words : QChar(' ') + words;
}

/// The error for a resolution that makes a sufficiently large picture unreadable.
QString whyTooCoarse(const FigureOptions& options) {
    const QSize pixels = pixelsOf(options);
    const bool isCoarse = options.format == FigureFormat::Png && options.dpi > 0 &&
                          std::min(pixels.width(), pixels.height()) < leastSide;
    if (!isCoarse)
        return {};
    const int dpi = leastDpi(options.size);
    const QSize least = pixelsOf({.size = options.size, .dpi = dpi, .facts = {}});
    return FigureExportWords::tr(
               "The picture would have %1 x %2 pixels and be unreadable. Each side needs at least %3: %4 x "
               "%5 at %6 dots per inch is the smallest size of this shape.")
        .arg(pixels.width())
        .arg(pixels.height())
        .arg(leastSide)
        .arg(least.width())
        .arg(least.height())
        .arg(dpi);
}

// Formats.

FigureBytes failed(const QString& error) {
    return {.bytes = {}, .error = error};
}

const Theme& themeWanted(const FigureOptions& options) {
    return options.dark ? darkTheme() : lightTheme();
}

void setResolution(QImage& image, int dpi) {
    const int dotsAMetre = std::lround(dpi / 0.0254);
    image.setDotsPerMeterX(dotsAMetre);
    image.setDotsPerMeterY(dotsAMetre);
}

double pixelsAUnit(const FigureOptions& options) {
    return static_cast<double>(options.dpi) / screenDpi;
}

FigureBytes png(const FigureOptions& options, const DrawFigure& draw, const FigureText& text) {
    const QImage image = drawnImage(options, draw);
    if (image.isNull())
        return failed(whyNoMemory(options));
    FigureBytes figure;
    QBuffer buffer(&figure.bytes);
    buffer.open(QIODevice::WriteOnly);
    QImageWriter writer(&buffer, "png");
    for (const auto& [name, value] : figureMetadata(text, options.facts))
        writer.setText(name, value);
    if (!writer.write(image))
        return failed(
            FigureExportWords::tr("The picture could not be written: %1").arg(writer.errorString()));
    return figure;
}

QString valueOf(const FigureMetadata& metadata, QLatin1String wanted) {
    for (const auto& [name, value] : metadata)
        if (name == wanted)
            return value;
    return {};
}

std::unique_ptr<RecordedDrawing> documentOf(const FigureOptions& options, const DrawFigure& draw) {
    using Target = RecordedDrawing::Target;
    auto drawing = std::make_unique<RecordedDrawing>(options.format == FigureFormat::Html ? Target::Page
                                                                                          : Target::Document);
    QPainter painter(drawing.get());
    draw(painter, options.size);
    return drawing;
}

FigureBytes html(const FigureOptions& options, const DrawFigure& draw, const FigureText& text) {
    const auto drawing = documentOf(options, draw);
    auto metadata = figureMetadata(text, options.facts);
    if (options.parts.caption) // which the drawing has
        metadata.removeIf([](const auto& entry) { return entry.first == QLatin1String("Description"); });
    return {.bytes = htmlPage(*drawing, options.size, metadata, options.dark)};
}

FigureBytes svg(const FigureOptions& options, const DrawFigure& draw, const FigureText& text) {
    const auto drawing = documentOf(options, draw);
    const auto metadata = figureMetadata(text, options.facts);
    const QString title = valueOf(metadata, QLatin1String("Title"));
    const QString description =
        valueOf(metadata, QLatin1String("Description")) + QChar('\n') + text.provenance;
    return {.bytes = svgBytes(*drawing, options.size,
                              "<title>" + xmlText(title).toUtf8() + "</title>\n<desc>" +
                                  xmlText(description).toUtf8() + "</desc>\n" + svgMetadata(metadata))};
}

/// Makes the order of fonts in PDF reproducible: Qt takes it from a hash whose seed differs between
/// processes. The seed is shared by all threads, so only one writes at a time.
class HashesInOneOrder {
  public:
    HashesInOneOrder() : alone_(oneAtATime()) { QHashSeed::setDeterministicGlobalSeed(); }
    ~HashesInOneOrder() { QHashSeed::resetRandomGlobalSeed(); }

  private:
    static std::mutex& oneAtATime() {
        static std::mutex mutex;
        return mutex;
    }
    std::lock_guard<std::mutex> alone_;
};

/// Makes the bytes of a PDF depend on what is drawn alone: blanks in place of the date, which is in the first
/// object, and an identifier from the content, at the end. Neither moves what the file's table points at.
void forgetWhenWritten(QByteArray& bytes) {
    for (const char* key : {"/CreationDate (", "/ModDate ("})
        if (const auto at = bytes.first(bytes.indexOf("endobj")).indexOf(key); at >= 0) {
            const auto length = bytes.indexOf(')', at) + 1 - at;
            bytes.replace(at, length, QByteArray(length, ' '));
        }
    const auto asWritten = [](QUuid id) { return id.toByteArray(QUuid::WithoutBraces).toHex(); };
    QByteArray end = bytes.sliced(bytes.lastIndexOf("trailer"));
    end.replace(asWritten(QUuid()), asWritten(QUuid::createUuidV5(QUuid(), bytes)));
    bytes.replace(bytes.size() - end.size(), end.size(), end);
}

FigureBytes pdf(const FigureOptions& options, const DrawFigure& draw, const FigureText& text) {
    const HashesInOneOrder oneOrder;
    FigureBytes figure;
    QBuffer buffer(&figure.bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    const auto metadata = figureMetadata(text, options.facts);
    writer.setTitle(valueOf(metadata, QLatin1String("Title")) + QStringLiteral(": ") +
                    valueOf(metadata, QLatin1String("Description")));
    writer.setCreator(options.facts.software + QStringLiteral("; ") + text.provenance);
    writer.setDocumentXmpMetadata(xmpPacket(metadata));
#if QT_VERSION >= QT_VERSION_CHECK(6, 8, 0)
    writer.setDocumentId(QUuid()); // until the content is known
#endif
    writer.setResolution(screenDpi); // makes points the same size as on the screen
    writer.setPageMargins(QMarginsF());
    writer.setPageSize(
        QPageSize(QSizeF(options.size) * 72 / screenDpi, QPageSize::Point, QString(), QPageSize::ExactMatch));
    QPainter painter;
    if (!painter.begin(&writer))
        return failed(FigureExportWords::tr("The PDF could not be started."));
    painter.setRenderHint(QPainter::LosslessImageRendering);
    draw(painter, options.size);
    painter.end();
    forgetWhenWritten(figure.bytes);
    return figure;
}

} // namespace

QSize suggestedSize(const FigureSource& source, const FigureParts& parts, double fontSize) {
    const FigureWithParts figure(source, parts);
    const FigureWithFontSize text(source, fontSize);
    return source.figureSize();
}

double fillingFontSize(const FigureOptions& options, const FigureSource& source) {
    const QSizeF own = suggestedSize(source, options.parts);
    const double usual = figureFont(source).pointSizeF();
    const double filling =
        usual * std::min(options.size.width() / own.width(), options.size.height() / own.height());
    return std::max(usual, std::min(largestFontSize, std::floor(10 * filling) / 10));
}

QFont figureFont(const FigureSource& source) {
    const auto* view = dynamic_cast<const QWidget*>(&source);
    return view ? view->font() : QApplication::font();
}

double figureScale(const FigureOptions& options, const FigureSource& source) {
    return roomsOf(options, source).scale;
}

QString scaleInWords(const FigureOptions& options, const FigureSource& source) {
    const double scale = figureScale(options, source);
    const double points = pointsOf(options, source) * scale;
    if (scale <= nearlyWhole)
        return FigureExportWords::tr(
                   "Drawn at %1 % of its size so that nothing is cut off: text of %2 points")
            .arg(100 * scale, 0, 'f', 0)
            .arg(points, 0, 'f', 1);
    return options.fontSize > 0 ? FigureExportWords::tr("Text of %1 points").arg(points, 0, 'f', 1)
                                : QString();
}

bool makesLettersSmall(const FigureOptions& options, const FigureSource& source) {
    constexpr double rounded = 0.05; // rounded to leastLetters when displayed
    const double scale = figureScale(options, source);
    return scale <= nearlyWhole && pointsOf(options, source) * scale < leastLetters - rounded;
}

int figureHeight(FigureOptions options, const FigureSource& source) {
    const QSizeF own = suggestedSize(source, options.parts, options.fontSize);
    options.size.setHeight(std::lround(options.size.width() * own.height() / own.width()));
    const RoomsPage page(options, source);
    if (page.isReadable(roomsOf(options, source).scale))
        return options.size.height();
    const double width = options.size.width();
    const QSize narrow = page.narrow(1 / page.readable());
    if (narrow.width() >= own.width())
        return options.size.height();
    const double units = std::max(1 / page.readable(), narrow.width() / width);
    const double needed = std::ceil((narrow.height() + page.below(narrow.width())) / units - figureNearly);
    FigureOptions high = options;
    high.size.setHeight(std::min(needed, highest * width));
    return figureScale(high, source) > worthwhile * width / own.width() ? high.size.height()
                                                                        : options.size.height();
}

QSize pixelsOf(const FigureOptions& options) {
    return (QSizeF(options.size) * options.dpi / screenDpi).toSize();
}

QString whyTooLarge(const FigureOptions& options) {
    const double wide = options.size.width(), high = options.size.height();
    if (options.size.isEmpty() || options.dpi <= 0)
        return FigureExportWords::tr("A picture needs a width, a height and a resolution above zero.");
    if (options.format != FigureFormat::Png)
        return whyPageTooLarge(options);
    const double scale = static_cast<double>(options.dpi) / screenDpi;
    const double largest = std::min(figureLimitsLongestSide / std::max(wide, high),
                                    std::sqrt(static_cast<double>(mostPixels) / (wide * high)));
    if (scale <= largest)
        return {};
    const int dpi = static_cast<int>(std::floor(largest * screenDpi));
    const QString why = FigureExportWords::tr("The picture would have %1 x %2 pixels. At most %3 per side "
                                              "and %4 million in all can be written: ")
                            .arg(wide * scale, 0, 'f', 0)
                            .arg(high * scale, 0, 'f', 0)
                            .arg(figureLimitsLongestSide)
                            .arg(mostPixels / 1000000);
    if (dpi == 0) { // no resolution is low enough
        const QSize most = ofThisShape(options.size, largest);
        return why + FigureExportWords::tr("%1 x %2 is the largest size of this shape.")
                         .arg(most.width())
                         .arg(most.height());
    }
    const QSize most = pixelsOf({.format = options.format, .size = options.size, .dpi = dpi, .facts = {}});
    return why +
           FigureExportWords::tr("%1 x %2 at %3 dots per inch is the largest size of this shape.")
               .arg(most.width())
               .arg(most.height())
               .arg(dpi) +
           withoutDots(options.size);
}

int leastDpi(QSize size) {
    const double side = std::min(size.width(), size.height());
    constexpr double rounded = 0.5; // because pixelsOf() rounds
    return static_cast<int>(std::ceil((leastSide - rounded) * screenDpi / side - figureNearly));
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
    const auto enlarged = [&](int length) {
        return static_cast<int>(std::ceil(length * scale - figureNearly));
    };
    return FigureExportWords::tr("The picture would be %1 x %2 pixels at 96 dpi and unreadable. Each side "
                                 "needs at least %3: %4 x %5 is the smallest size of this shape.")
        .arg(options.size.width())
        .arg(options.size.height())
        .arg(leastSide)
        .arg(enlarged(options.size.width()))
        .arg(enlarged(options.size.height()));
}

QString whyNoMemory(const FigureOptions& options) {
    const QSize pixels = pixelsOf(options);
    const QString why = FigureExportWords::tr("There is not enough memory for a picture of %1 x %2 pixels.")
                            .arg(pixels.width())
                            .arg(pixels.height());
    const int dpi = largestThatFits(options);
    if (dpi == 0)
        return why + QChar(' ') + FigureExportWords::tr("Close other programs.") + withoutDots(options.size);
    const QSize most = pixelsOf({.format = options.format, .size = options.size, .dpi = dpi, .facts = {}});
    return why + QChar(' ') +
           FigureExportWords::tr(
               "%1 x %2 at %3 dots per inch is the largest size of this shape that fits into memory.")
               .arg(most.width())
               .arg(most.height())
               .arg(dpi) +
           withoutDots(options.size);
}

QImage drawnImage(const FigureOptions& options, const DrawFigure& draw) {
    QImage image(pixelsOf(options), QImage::Format_RGB32);
    if (image.isNull())
        return image;
    image.fill(themeWanted(options).background);
    setResolution(image, screenDpi); // fonts are measured in points and must not be scaled twice
    QPainter painter(&image);
    painter.scale(pixelsAUnit(options), pixelsAUnit(options));
    draw(painter, options.size);
    painter.end();
    setResolution(image, options.dpi);
    return image;
}

FigureBytes figureBytes(const FigureOptions& options, const DrawFigure& draw, const FigureText& text) {
    if (!draw)
        return failed(FigureExportWords::tr("There is no picture to save yet."));
    if (const QString why = whyTooLarge(options); !why.isEmpty())
        return failed(why);
    const auto write = options.format == FigureFormat::Png   ? png
                       : options.format == FigureFormat::Svg ? svg
                       : options.format == FigureFormat::Pdf ? pdf
                                                             : html;
    FigureBytes figure = write(options, draw, text);
    if (figure.bytes.isEmpty() && figure.error.isEmpty())
        return failed(FigureExportWords::tr("Nothing was written."));
    return figure;
}

DrawFigure takenFigure(const FigureOptions& options, const FigureSource& source) {
    if (!source.hasFigure())
        return {};
    const bool pixels = options.format == FigureFormat::Png;
    const Theme& theme = themeWanted(options);
    const FigureRooms rooms = roomsOf(options, source);
    const FigureWithParts figure(source, options.parts);
    const FigureWithFontSize text(source, options.fontSize);
    using Target = RecordedDrawing::Target;
    const auto drawing =
        std::make_shared<RecordedDrawing>(pixels                                 ? Target::Pixels
                                          : options.format == FigureFormat::Html ? Target::Page
                                                                                 : Target::Document);
    QPainter painter(drawing.get());
    // Views query the scale of the device.
    const double scale = rooms.scale * (pixels ? pixelsAUnit(options) : 1);
    painter.scale(scale, scale);
    painter.save();
    source.drawFigure(painter, rooms.picture, theme);
    painter.restore();
    if (!rooms.rows.isEmpty()) {
        const QRectF strip(0, rooms.picture.height(), rooms.picture.width(), rooms.below);
        painter.fillRect(strip, theme.background);
        painter.setFont(figureFont(source));
        painter.setPen(theme.faintText);
        QRectF row = strip.adjusted(figureLineMargin, 0, -figureLineMargin, 0);
        for (const QString& words : rooms.rows) {
            painter.drawText(row, Qt::TextSingleLine | Qt::TextDontClip, words);
            row.translate(0, QFontMetricsF(painter.font()).lineSpacing());
        }
    }
    painter.end();
    return [drawing](QPainter& onto, QSize) {
        onto.resetTransform(); // the recorded transforms include the scale
        drawing->drawOn(onto);
    };
}

FigureBytes figureBytes(const FigureOptions& options, const FigureSource& source) {
    return figureBytes(options, takenFigure(options, source), source.figureText());
}

} // namespace headscope::widgets
