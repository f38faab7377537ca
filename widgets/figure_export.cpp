#include "widgets/figure_export.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QImage>
#include <QImageWriter>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>

#include <cmath>

namespace headscope::widgets {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(FigureExport)
};

using Draw = std::function<void(QPainter&, QSize)>;

constexpr int screenDpi = 96;
constexpr int longestSide = 32767;             // beyond it Qt's painter draws nothing and says nothing
constexpr qint64 mostPixels = 256LL * 1000000; // one gigabyte of memory

FigureBytes failed(const QString& error) {
    return {.bytes = {}, .error = error};
}

void setResolution(QImage& image, int dpi) {
    const int dotsAMetre = static_cast<int>(std::lround(dpi / 0.0254));
    image.setDotsPerMeterX(dotsAMetre);
    image.setDotsPerMeterY(dotsAMetre);
}

FigureBytes png(QSize size, int dpi, const Draw& draw, const FigureText& text) {
    const double scale = static_cast<double>(dpi) / screenDpi;
    const QSizeF pixels = QSizeF(size) * scale;
    if (pixels.width() > longestSide || pixels.height() > longestSide ||
        pixels.width() * pixels.height() > static_cast<double>(mostPixels))
        return failed(
            Words::tr("The picture would have %1 x %2 pixels. At most %3 a side and %4 million in all can "
                      "be written: choose fewer dots per inch, or SVG or PDF.")
                .arg(pixels.width(), 0, 'f', 0)
                .arg(pixels.height(), 0, 'f', 0)
                .arg(longestSide)
                .arg(mostPixels / 1000000));
    QImage image(pixels.toSize(), QImage::Format_RGB32);
    if (image.isNull())
        return failed(Words::tr("There is not enough memory for a picture of %1 x %2 pixels.")
                          .arg(pixels.width(), 0, 'f', 0)
                          .arg(pixels.height(), 0, 'f', 0));
    image.fill(Qt::white);
    setResolution(image, screenDpi); // fonts are measured in points: the painter's scale enlarges them
    QPainter painter(&image);
    painter.scale(scale, scale);
    draw(painter, size);
    painter.end();
    setResolution(image, dpi);

    FigureBytes figure;
    QBuffer buffer(&figure.bytes);
    buffer.open(QIODevice::WriteOnly);
    QImageWriter writer(&buffer, "png");
    writer.setText(QStringLiteral("Title"), text.title);
    writer.setText(QStringLiteral("Description"), text.caption);
    writer.setText(QStringLiteral("Source"), text.provenance);
    writer.setText(QStringLiteral("Software"), QStringLiteral("Headscope"));
    if (!writer.write(image))
        return failed(Words::tr("The picture could not be written: %1").arg(writer.errorString()));
    return figure;
}

FigureBytes svg(QSize size, const Draw& draw, const FigureText& text) {
    FigureBytes figure;
    QBuffer buffer(&figure.bytes);
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(screenDpi);
    generator.setSize(size);
    generator.setViewBox(QRect(QPoint(), size));
    // The generator escapes neither of the two.
    generator.setTitle(text.title.toHtmlEscaped());
    generator.setDescription((text.caption + QChar('\n') + text.provenance).toHtmlEscaped());
    QPainter painter;
    if (!painter.begin(&generator))
        return failed(Words::tr("The drawing could not be begun as SVG."));
    draw(painter, size);
    painter.end();
    return figure;
}

FigureBytes pdf(QSize size, const Draw& draw, const FigureText& text) {
    FigureBytes figure;
    QBuffer buffer(&figure.bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setTitle(text.title + QStringLiteral(": ") + text.caption);
    writer.setCreator(QStringLiteral("Headscope; ") + text.provenance);
    writer.setResolution(screenDpi); // so that points mean what they mean on the screen
    writer.setPageMargins(QMarginsF());
    writer.setPageSize(
        QPageSize(QSizeF(size) * 72 / screenDpi, QPageSize::Point, QString(), QPageSize::ExactMatch));
    QPainter painter;
    if (!painter.begin(&writer))
        return failed(Words::tr("The drawing could not be begun as PDF."));
    draw(painter, size);
    painter.end();
    return figure;
}

} // namespace

FigureBytes figureBytes(FigureFormat format, QSize pixelsAt96Dpi, int dpi, const Draw& draw,
                        const FigureText& text) {
    if (pixelsAt96Dpi.isEmpty() || dpi <= 0)
        return failed(Words::tr("A picture needs a width, a height and a resolution above zero."));
    const FigureBytes figure = format == FigureFormat::Png   ? png(pixelsAt96Dpi, dpi, draw, text)
                               : format == FigureFormat::Svg ? svg(pixelsAt96Dpi, draw, text)
                                                             : pdf(pixelsAt96Dpi, draw, text);
    if (figure.bytes.isEmpty() && figure.error.isEmpty())
        return failed(Words::tr("Nothing was written."));
    return figure;
}

FigureBytes figureBytes(FigureFormat format, QSize pixelsAt96Dpi, int dpi, const FigureSource& source) {
    if (!source.hasFigure())
        return failed(Words::tr("There is no picture to save yet."));
    const auto draw = [&](QPainter& painter, QSize size) { source.drawFigure(painter, size); };
    return figureBytes(format, pixelsAt96Dpi, dpi, draw, source.figureText());
}

} // namespace headscope::widgets
