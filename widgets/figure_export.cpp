#include "widgets/figure_export.h"

#include "widgets/figure_metadata.h"
#include "widgets/figure_rooms.h"
#include "widgets/taken_figure.h"
#include "widgets/theme.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QHashSeed>
#include <QImage>
#include <QImageWriter>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(FigureExport)
};

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

FigureBytes png(const FigureOptions& options, const DrawFigure& draw, const FigureText& text) {
    return pngBytes(drawnImage(options, draw), options, figureMetadata(text, options.facts));
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

/// Qt lists a PDF's fonts in the order of a hash, which is another one in every process.
struct HashesInOneOrder {
    HashesInOneOrder() { QHashSeed::setDeterministicGlobalSeed(); }
    ~HashesInOneOrder() { QHashSeed::resetRandomGlobalSeed(); }
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

} // namespace

QImage drawnImage(const FigureOptions& options, const DrawFigure& draw) {
    QImage image(pixelsOf(options), QImage::Format_RGB32);
    if (image.isNull())
        return image;
    image.fill(themeOf(options).background);
    setResolution(image, screenDpi); // fonts are measured in points: the painter's scale enlarges them
    QPainter painter(&image);
    const double scale = static_cast<double>(options.dpi) / screenDpi;
    painter.scale(scale, scale);
    draw(painter, options.size);
    painter.end();
    setResolution(image, options.dpi);
    return image;
}

FigureBytes pngBytes(const QImage& image, const FigureOptions& options, const FigureMetadata& metadata) {
    if (image.isNull())
        return failed(whyNoMemory(options));
    FigureBytes figure;
    QBuffer buffer(&figure.bytes);
    buffer.open(QIODevice::WriteOnly);
    QImageWriter writer(&buffer, "png");
    for (const auto& [name, value] : metadata)
        writer.setText(name, value);
    if (!writer.write(image))
        return failed(Words::tr("The picture could not be written: %1").arg(writer.errorString()));
    return figure;
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

namespace {

void drawIn(QPainter& painter, const FigureRooms& rooms, const QFont& font, const Theme& theme,
            const TakenFigure::Draw& drawView) {
    painter.save();
    painter.scale(rooms.scale, rooms.scale);
    painter.save();
    drawView(painter);
    painter.restore();
    if (!rooms.line.isEmpty()) {
        const QRectF strip(0, rooms.picture.height(), rooms.picture.width(), rooms.below);
        painter.fillRect(strip, theme.background);
        painter.setFont(font);
        painter.setPen(theme.faintText);
        painter.drawText(strip.adjusted(figureLineMargin, 0, -figureLineMargin, 0),
                         Qt::TextWordWrap | Qt::TextWrapAnywhere, rooms.line);
    }
    painter.restore();
}

} // namespace

void drawWholeFigure(QPainter& painter, const FigureOptions& options, const FigureSource& source) {
    const Theme& theme = themeOf(options);
    const FigureRooms rooms = roomsOf(options, source);
    drawIn(painter, rooms, figureFont(source), theme,
           [&](QPainter& view) { source.drawFigure(view, rooms.picture, theme); });
}

DrawFigure takenFigure(const FigureOptions& options, const FigureSource& source) {
    const auto* view = dynamic_cast<const TakenFigure*>(&source);
    if (!view || !source.hasFigure())
        return {};
    const Theme& theme = themeOf(options);
    const FigureRooms rooms = roomsOf(options, source);
    const auto taken = view->takenFigure(rooms.picture, theme);
    if (!taken)
        return {};
    return [rooms, font = figureFont(source), &theme, taken](QPainter& painter, QSize) {
        drawIn(painter, rooms, font, theme, taken);
    };
}

FigureBytes figureBytes(const FigureOptions& options, const FigureSource& source) {
    if (!source.hasFigure())
        return failed(Words::tr("There is no picture to save yet."));
    const auto draw = [&](QPainter& painter, QSize) { drawWholeFigure(painter, options, source); };
    return figureBytes(options, draw, source.figureText());
}

} // namespace headscope::widgets
