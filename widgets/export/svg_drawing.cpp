#include "widgets/export/svg_drawing.h"

#include "widgets/drawing/recorded_drawing.h"
#include "widgets/export/svg_attributes.h"
#include "widgets/export/xml_text.h"

#include <QBuffer>
#include <QFontMetricsF>
#include <QHash>

#include <cmath>
#include <optional>
#include <utility>

namespace headscope::widgets {

using namespace svg;

namespace {

/// A run of text that following runs on the same line are joined to.
struct SvgLine {
    recorded::Letters letters;
    QString paint;
    double end = 0; ///< x coordinate of its end
};

/// Attributes that consecutive shapes share.
struct Group {
    QString clip; ///< id of the clip path; empty: not clipped
    QTransform transform;
    friend bool operator==(const Group&, const Group&) = default;
};

class SvgWriter {
  public:
    explicit SvgWriter(PageWords* words) : words_(words) {}

    QByteArray write(const RecordedDrawing& drawing) {
        add(drawing);
        leaveGroup();
        return svg_.toUtf8();
    }

    void operator()(const QTransform& transform) { state_.transform = transform * under_.transform; }
    void operator()(const recorded::Pen& step) { state_.pen = step.pen; }
    void operator()(const recorded::Brush& step) { state_.brush = step.brush; }
    void operator()(const recorded::BrushOrigin&) {} // of patterns
    void operator()(const recorded::Composition&) {}
    void operator()(const recorded::Hints& step) { state_.hints = step.on; }
    void operator()(const recorded::Opacity& step) { state_.opacity = step.value; }
    void operator()(const recorded::Clipping& step) { state_.clips = step.on; }
    void operator()(const recorded::Clip& step) { clip(step.path, step.operation); }
    void operator()(const recorded::Area& step) {
        QPainterPath path;
        path.addRegion(step.region);
        clip(path, step.operation);
    }

    void operator()(const recorded::Rectangle& step) {
        if (step.at.isEmpty() && step.filled)
            return;
        element("rect", attribute("x", step.at.x()) + attribute("y", step.at.y()) +
                            attribute("width", step.at.width()) + attribute("height", step.at.height()) +
                            fill(state_.brush) + (step.filled ? QString() : stroke(state_.pen)) + edges());
    }
    void operator()(const recorded::Line& step) {
        element("line", attribute("x1", step.at.x1()) + attribute("y1", step.at.y1()) +
                            attribute("x2", step.at.x2()) + attribute("y2", step.at.y2()) +
                            stroke(state_.pen) + edges());
    }
    void operator()(const recorded::Point& step) {
        const double radius = std::max(1.0, state_.pen.widthF()) / 2;
        element("circle", attribute("cx", step.at.x()) + attribute("cy", step.at.y()) +
                              attribute("r", radius) + paint("fill", state_.pen.color()));
    }
    void operator()(const recorded::Ellipse& step) {
        element("ellipse", attribute("cx", step.at.center().x()) + attribute("cy", step.at.center().y()) +
                               attribute("rx", step.at.width() / 2) + attribute("ry", step.at.height() / 2) +
                               fill(state_.brush) + stroke(state_.pen));
    }
    void operator()(const recorded::Shape& step) { shape(step.path, fill(state_.brush)); }
    void operator()(const recorded::Polygon& step) {
        QPainterPath path;
        path.addPolygon(step.points);
        if (step.mode == QPaintEngine::PolylineMode)
            return shape(path, fill(Qt::NoBrush));
        path.closeSubpath();
        path.setFillRule(step.mode == QPaintEngine::OddEvenMode ? Qt::OddEvenFill : Qt::WindingFill);
        shape(path, fill(state_.brush));
    }

    void operator()(const recorded::PlacedImage& step) {
        const QRect part = step.part.toAlignedRect();
        const QImage image = part == step.image.rect() ? step.image : step.image.copy(part);
        QByteArray png;
        QBuffer buffer(&png);
        buffer.open(QIODevice::WriteOnly);
        image.save(&buffer, "PNG");
        const bool smooth = state_.hints & QPainter::SmoothPixmapTransform;
        element("image",
                attribute("x", step.at.x()) + attribute("y", step.at.y()) +
                    attribute("width", step.at.width()) + attribute("height", step.at.height()) +
                    attribute("preserveAspectRatio", QStringLiteral("none")) +
                    (smooth ? QString() : attribute("style", QStringLiteral("image-rendering:pixelated"))) +
                    attribute("xlink:href", QStringLiteral("data:image/png;base64,") +
                                                QString::fromLatin1(png.toBase64())));
    }

    void operator()(const recorded::Letters& step) {
        recorded::Letters letters = step;
        // Bidi marks are redundant: SVG has a direction attribute.
        for (const char16_t mark :
             {u'\u2066', u'\u2067', u'\u2068', u'\u2069', u'\u200E', u'\u200F', u'\u2060'})
            letters.text.remove(QChar(mark));
        if (letters.text.isEmpty())
            return;
        const QString paint = svg::paint("fill", state_.pen.color()) + opacity();
        const double end = step.at.x() + QFontMetricsF(step.font).horizontalAdvance(letters.text);
        if (continuesLine(letters, paint)) {
            line_->letters.text += letters.text;
            line_->end = end;
            return;
        }
        writeLine();
        enterGroup();
        line_ = SvgLine{.letters = letters, .paint = paint, .end = end};
    }

    void operator()(const recorded::MapValues& step) {
        if (!words_)
            return;
        words_->maps.push_back(step);
        words_->maps.back().at = state_.transform.mapRect(step.at);
    }
    void operator()(const recorded::AreaWords& step) {
        if (!words_)
            return;
        words_->marks.push_back(step);
        for (auto& [area, words] : words_->marks.back().areas)
            area = state_.transform.mapRect(area);
    }

    /// Draws with a separate painter that starts in the current state.
    void operator()(const recorded::Long& step) {
        RecordedDrawing inner(words_ ? RecordedDrawing::Target::Page : RecordedDrawing::Target::Document);
        QPainter painter(&inner);
        step.draw(painter);
        painter.end();
        const State outer = std::exchange(under_, state_);
        const State here = state_;
        state_.pen = QPen();
        state_.brush = QBrush();
        add(inner);
        under_ = outer;
        state_ = here;
    }

  private:
    struct State {
        QTransform transform;
        QPen pen;
        QBrush brush;
        QPainter::RenderHints hints;
        double opacity = 1;
        QString clip; ///< id of the clip path; empty: not clipped
        bool clips = true;
    };

    void add(const RecordedDrawing& drawing) {
        for (const auto& step : drawing.steps())
            std::visit(*this, step);
        writeLine();
    }

    /// True if the text directly continues the current line.
    bool continuesLine(const recorded::Letters& letters, const QString& paint) const {
        return line_ && open_ == group() && line_->paint == paint && line_->letters.font == letters.font &&
               line_->letters.at.y() == letters.at.y() && !letters.rightToLeft &&
               !line_->letters.rightToLeft && std::abs(line_->end - letters.at.x()) < 1;
    }

    Group group() const { return {state_.clips ? state_.clip : QString(), state_.transform}; }
    QString opacity() const { return state_.opacity < 1 ? attribute("opacity", state_.opacity) : QString(); }
    /// Sharp edges as on the screen, unless anti-aliased.
    QString edges() const {
        return state_.hints & QPainter::Antialiasing
                   ? QString()
                   : attribute("shape-rendering", QStringLiteral("crispEdges"));
    }

    void leaveGroup() {
        if (open_)
            svg_ += QStringLiteral("</g>").repeated(open_->clip.isEmpty() ? 1 : 2) + QLatin1Char('\n');
        open_.reset();
    }
    /// The clip path is outside the group with the transform, which must not move it.
    void enterGroup() {
        const Group wanted = group();
        if (open_ == wanted)
            return;
        leaveGroup();
        if (!wanted.clip.isEmpty())
            svg_ += QStringLiteral("<g clip-path=\"url(#%1)\">").arg(wanted.clip);
        svg_ +=
            QStringLiteral("<g") +
            (wanted.transform.isIdentity() ? QString() : attribute("transform", matrix(wanted.transform))) +
            QStringLiteral(">\n");
        open_ = wanted;
    }

    void element(const char* name, const QString& attributes) {
        writeLine();
        enterGroup();
        svg_ += QLatin1Char('<') + QLatin1String(name) + attributes + opacity() + QStringLiteral("/>\n");
    }
    void shape(const QPainterPath& path, const QString& fill) {
        if (path.isEmpty())
            return;
        element("path",
                attribute("d", pathData(path)) + fill +
                    (path.fillRule() == Qt::WindingFill ? attribute("fill-rule", QStringLiteral("nonzero"))
                                                        : QString()) +
                    stroke(state_.pen));
    }

    void writeLine() {
        const auto line = std::exchange(line_, std::nullopt);
        if (!line)
            return;
        const auto& [at, text, font, rightToLeft] = line->letters;
        QString& fontAttributes = fonts_[font.key()];
        if (fontAttributes.isEmpty())
            fontAttributes = svg::font(font);
        // Right-to-left text is positioned by its left edge too.
        const char* const direction = rightToLeft ? " direction=\"rtl\" text-anchor=\"end\"" : "";
        svg_ += QStringLiteral("<text") + attribute("x", at.x()) + attribute("y", at.y()) + fontAttributes +
                line->paint + QLatin1String(direction) + QStringLiteral(" xml:space=\"preserve\">") +
                xmlText(text) + QStringLiteral("</text>\n");
    }

    void clip(const QPainterPath& path, Qt::ClipOperation operation) {
        const QString under =
            operation == Qt::IntersectClip && !state_.clip.isEmpty() ? state_.clip : under_.clip;
        state_.clips = true;
        state_.clip = under;
        if (operation == Qt::NoClip)
            return;
        const QString within =
            (under.isEmpty() ? QString() : attribute("clip-path", QStringLiteral("url(#%1)").arg(under))) +
            QStringLiteral("><path") + attribute("d", pathData(path)) +
            (path.fillRule() == Qt::OddEvenFill ? attribute("clip-rule", QStringLiteral("evenodd"))
                                                : QString()) +
            attribute("transform", matrix(state_.transform));
        QString& id = clips_[within];
        if (id.isEmpty()) {
            writeLine();
            leaveGroup();
            id = QStringLiteral("clip%1").arg(clips_.size());
            svg_ += QStringLiteral("<clipPath") + attribute("id", id) + within +
                    QStringLiteral("/></clipPath>\n");
        }
        state_.clip = id;
    }

    PageWords* words_; ///< null: not wanted
    QString svg_;
    State state_;
    State under_; ///< state in which a nested drawing started
    std::optional<Group> open_;
    std::optional<SvgLine> line_;   ///< not yet written
    QHash<QString, QString> fonts_; ///< attributes by font key
    QHash<QString, QString> clips_; ///< ids by clip path
};

} // namespace

QByteArray svgBytes(const RecordedDrawing& drawing, QSize size, const QByteArray& head) {
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + svgElement(drawing, size, head);
}

QByteArray svgElement(const RecordedDrawing& drawing, QSize size, const QByteArray& head, PageWords* words) {
    const auto millimetres = [](int side) { return number(side * 25.4 / 96); };
    const QString begin = QStringLiteral("<svg xmlns=\"http://www.w3.org/2000/svg\" "
                                         "xmlns:xlink=\"http://www.w3.org/1999/xlink\" version=\"1.1\" "
                                         "width=\"%1mm\" height=\"%2mm\" viewBox=\"0 0 %3 %4\">\n")
                              .arg(millimetres(size.width()), millimetres(size.height()))
                              .arg(size.width())
                              .arg(size.height());
    return begin.toUtf8() + head + "<g" + shapeDefaults + ">\n" + SvgWriter(words).write(drawing) +
           "</g>\n</svg>\n";
}

} // namespace headscope::widgets
