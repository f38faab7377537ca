#include "widgets/figure_export.h"

#include "widgets/figure_metadata.h"
#include "widgets/recorded_drawing.h"
#include "widgets/theme.h"

#include <QApplication>
#include <QBuffer>
#include <QCoreApplication>
#include <QFontMetricsF>
#include <QHashSeed>
#include <QImage>
#include <QImageWriter>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <QWidget>

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>

namespace headscope::widgets {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(FigureExport)
};

constexpr int margin = 12;

FigureBytes failed(const QString& error) {
    return {.bytes = {}, .error = error};
}

const Theme& themeOf(const FigureOptions& options) {
    return options.dark ? darkTheme() : lightTheme();
}

void setResolution(QImage& image, int dpi) {
    const int dotsAMetre = static_cast<int>(std::lround(dpi / 0.0254));
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
        return failed(Words::tr("The picture could not be written: %1").arg(writer.errorString()));
    return figure;
}

FigureBytes svg(const FigureOptions& options, const DrawFigure& draw, const FigureText& text) {
    FigureBytes figure;
    QBuffer buffer(&figure.bytes);
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(screenDpi);
    generator.setSize(options.size);
    generator.setViewBox(QRect(QPoint(), options.size));
    // The generator escapes neither of the two.
    generator.setTitle(text.title.toHtmlEscaped());
    generator.setDescription((text.caption + QChar('\n') + text.provenance).toHtmlEscaped());
    QPainter painter;
    if (!painter.begin(&generator))
        return failed(Words::tr("The drawing could not be begun as SVG."));
    draw(painter, options.size);
    painter.end();
    buffer.close();
    addSvgMetadata(figure.bytes, figureMetadata(text, options.facts));
    return figure;
}

/// Qt lists a PDF's fonts in the order of a hash, which is another one in every process. All threads share
/// its seed: one of them writes at a time.
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

FigureBytes pdf(const FigureOptions& options, const DrawFigure& draw, const FigureText& text) {
    const HashesInOneOrder oneOrder;
    FigureBytes figure;
    QBuffer buffer(&figure.bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    const auto metadata = figureMetadata(text, options.facts);
    writer.setTitle(text.title + QStringLiteral(": ") + text.caption);
    writer.setCreator(options.facts.software + QStringLiteral("; ") + text.provenance);
    writer.setDocumentXmpMetadata(xmpPacket(metadata));
    writer.setResolution(screenDpi); // so that points mean what they mean on the screen
    writer.setPageMargins(QMarginsF());
    writer.setPageSize(
        QPageSize(QSizeF(options.size) * 72 / screenDpi, QPageSize::Point, QString(), QPageSize::ExactMatch));
    QPainter painter;
    if (!painter.begin(&writer))
        return failed(Words::tr("The drawing could not be begun as PDF."));
    painter.setRenderHint(QPainter::LosslessImageRendering);
    draw(painter, options.size);
    painter.end();
    return figure;
}

QString provenanceLine(const FigureText& text, const FigureFacts& facts) {
    QStringList parts{text.provenance, text.head, text.quantity};
    if (!facts.weights.isEmpty())
        parts += Words::tr("weights %1").arg(facts.weights);
    parts += facts.software;
    parts.removeAll(QString());
    return parts.join(QStringLiteral("; "));
}

/// Room of the line below a picture, with the distance to it; 0 without one.
int provenanceHeight(const QFont& font, int width, const QString& line) {
    if (line.isEmpty())
        return 0;
    const QRectF room(0, 0, std::max(1, width - 2 * margin), 100000);
    const auto flags = Qt::TextWordWrap | Qt::TextWrapAnywhere;
    return static_cast<int>(std::ceil(QFontMetricsF(font).boundingRect(room, flags, line).height())) + margin;
}

/// Where a figure's parts lie, in units of which `scale` are 1/96 inch.
struct Rooms {
    QSize picture;
    QString line; ///< below it
    int below = 0;
    double scale = 1;
};

/// The line takes no room from what the picture needs: it has fewer rows the smaller all is drawn.
Rooms roomsOf(const FigureOptions& options, const FigureSource& source) {
    const QString line =
        options.provenanceBelow ? provenanceLine(source.figureText(), options.facts) : QString();
    const QFont font = figureFont(source);
    const QSizeF given = options.size, needed = source.figureSize();
    double units = std::max({1.0, needed.width() / given.width(), needed.height() / given.height()});
    const auto side = [&](double given, double needed) {
        const double all = given * units;
        return static_cast<int>(std::lround(all - needed < units ? needed : all));
    };
    const auto lineHeight = [&] { return provenanceHeight(font, side(given.width(), needed.width()), line); };
    units = std::max(units, (needed.height() + lineHeight()) / given.height());
    const int below = lineHeight();
    const QSize all(side(given.width(), needed.width()), side(given.height(), needed.height() + below));
    return {.picture = all - QSize(0, below), .line = line, .below = below, .scale = 1 / units};
}

} // namespace

QImage drawnImage(const FigureOptions& options, const DrawFigure& draw) {
    QImage image(pixelsOf(options), QImage::Format_RGB32);
    if (image.isNull())
        return image;
    image.fill(themeOf(options).background);
    setResolution(image, screenDpi); // fonts are measured in points: the painter's scale enlarges them
    QPainter painter(&image);
    painter.scale(pixelsAUnit(options), pixelsAUnit(options));
    draw(painter, options.size);
    painter.end();
    setResolution(image, options.dpi);
    return image;
}

FigureBytes figureBytes(const FigureOptions& options, const DrawFigure& draw, const FigureText& text) {
    if (const QString why = whyTooLarge(options); !why.isEmpty())
        return failed(why);
    const auto write = options.format == FigureFormat::Png   ? png
                       : options.format == FigureFormat::Svg ? svg
                                                             : pdf;
    FigureBytes figure = write(options, draw, text);
    if (figure.bytes.isEmpty() && figure.error.isEmpty())
        return failed(Words::tr("Nothing was written."));
    return figure;
}

QFont figureFont(const FigureSource& source) {
    const auto* view = dynamic_cast<const QWidget*>(&source);
    return view ? view->font() : QApplication::font();
}

double figureScale(const FigureOptions& options, const FigureSource& source) {
    return roomsOf(options, source).scale;
}

DrawFigure takenFigure(const FigureOptions& options, const FigureSource& source) {
    if (!source.hasFigure())
        return {};
    const bool pixels = options.format == FigureFormat::Png;
    const Theme& theme = themeOf(options);
    const Rooms rooms = roomsOf(options, source);
    using Target = RecordedDrawing::Target;
    const auto drawing = std::make_shared<RecordedDrawing>(pixels ? Target::Pixels : Target::Document);
    QPainter painter(drawing.get());
    // Views look at how large their units are on the device.
    const double scale = rooms.scale * (pixels ? pixelsAUnit(options) : 1);
    painter.scale(scale, scale);
    painter.save();
    source.drawFigure(painter, rooms.picture, theme);
    painter.restore();
    if (!rooms.line.isEmpty()) {
        const QRectF strip(0, rooms.picture.height(), rooms.picture.width(), rooms.below);
        painter.fillRect(strip, theme.background);
        painter.setFont(figureFont(source));
        painter.setPen(theme.faintText);
        painter.drawText(strip.adjusted(margin, 0, -margin, 0), Qt::TextWordWrap | Qt::TextWrapAnywhere,
                         rooms.line);
    }
    painter.end();
    return [drawing](QPainter& onto, QSize) {
        onto.resetTransform(); // the scale is in the recorded ones
        drawing->drawOn(onto);
    };
}

FigureBytes figureBytes(const FigureOptions& options, const FigureSource& source) {
    const auto draw = takenFigure(options, source);
    return draw ? figureBytes(options, draw, source.figureText())
                : failed(Words::tr("There is no picture to save yet."));
}

} // namespace headscope::widgets
