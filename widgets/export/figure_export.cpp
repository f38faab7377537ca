#include "widgets/export/figure_export.h"

#include "widgets/drawing/recorded_drawing.h"
#include "widgets/drawing/theme.h"
#include "widgets/export/figure_metadata.h"
#include "widgets/export/figure_rooms.h"
#include "widgets/export/svg_drawing.h"
#include "widgets/export/xml_text.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QFontMetricsF>
#include <QHashSeed>
#include <QImage>
#include <QImageWriter>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QUuid>

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>

namespace headscope::widgets {

namespace {

struct FigureExportWords {
    Q_DECLARE_TR_FUNCTIONS(FigureExport)
};

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

FigureBytes svg(const FigureOptions& options, const DrawFigure& draw, const FigureText& text) {
    RecordedDrawing drawing(RecordedDrawing::Target::Document);
    QPainter painter(&drawing);
    draw(painter, options.size);
    painter.end();
    const auto metadata = figureMetadata(text, options.facts);
    const QString title = valueOf(metadata, QLatin1String("Title"));
    const QString description =
        valueOf(metadata, QLatin1String("Description")) + QChar('\n') + text.provenance;
    return {.bytes = svgBytes(drawing, options.size,
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
        return failed(FigureExportWords::tr("The drawing could not be begun as PDF."));
    painter.setRenderHint(QPainter::LosslessImageRendering);
    draw(painter, options.size);
    painter.end();
    forgetWhenWritten(figure.bytes);
    return figure;
}

} // namespace

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
                                                             : pdf;
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
    const auto drawing = std::make_shared<RecordedDrawing>(pixels ? Target::Pixels : Target::Document);
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
