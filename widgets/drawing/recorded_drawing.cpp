#include "widgets/drawing/recorded_drawing.h"

#include "widgets/figure_source.h"

#include <QPixmap>

#include <limits>
#include <type_traits>

namespace headscope::widgets {

using namespace recorded;

class RecordedDrawing::Engine final : public QPaintEngine {
  public:
    Engine() : QPaintEngine(AllFeatures) {}

    const std::vector<Step>& steps() const { return steps_; }

    bool begin(QPaintDevice*) override { return true; }
    bool end() override { return true; }
    Type type() const override { return User; }

    void updateState(const QPaintEngineState& state) override {
        const DirtyFlags changed = state.state();
        if (changed & DirtyTransform)
            add(state.transform());
        if (changed & DirtyPen)
            add(Pen{state.pen()});
        if (changed & DirtyBrush)
            add(Brush{state.brush()});
        if (changed & DirtyBrushOrigin)
            add(BrushOrigin{state.brushOrigin()});
        if (changed & DirtyCompositionMode)
            add(Composition{state.compositionMode()});
        if (changed & DirtyHints)
            add(Hints{state.renderHints()});
        if (changed & DirtyOpacity)
            add(Opacity{state.opacity()});
        if (changed & DirtyClipEnabled)
            add(Clipping{state.isClipEnabled()});
        if (changed & DirtyClipRegion)
            add(Area{state.clipRegion(), state.clipOperation()});
        if (changed & DirtyClipPath)
            add(Clip{state.clipPath(), state.clipOperation()});
    }

    void drawRects(const QRectF* rects, int count) override {
        const bool filled = painter()->pen().style() == Qt::NoPen;
        for (int i = 0; i < count; ++i)
            add(Rectangle{rects[i], filled});
    }
    void drawLines(const QLineF* lines, int count) override {
        for (int i = 0; i < count; ++i)
            add(Line{lines[i]});
    }
    void drawPoints(const QPointF* points, int count) override {
        for (int i = 0; i < count; ++i)
            add(Point{points[i]});
    }
    void drawEllipse(const QRectF& at) override { add(Ellipse{at}); }
    void drawPath(const QPainterPath& path) override { add(Shape{path}); }
    void drawPolygon(const QPointF* points, int count, PolygonDrawMode mode) override {
        add(Polygon{QPolygonF(QList<QPointF>(points, points + count)), mode});
    }
    void drawImage(const QRectF& at, const QImage& image, const QRectF& part,
                   Qt::ImageConversionFlags) override {
        add(PlacedImage{at, image, part});
    }
    /// Converts to an image because pixmaps may only be used on the GUI thread.
    void drawPixmap(const QRectF& at, const QPixmap& pixmap, const QRectF& part) override {
        add(PlacedImage{at, pixmap.toImage(), part});
    }
    void drawTextItem(const QPointF& at, const QTextItem& item) override {
        QFont font = item.font();
        font.setUnderline(false); // these lines are recorded as separate steps
        font.setOverline(false);
        font.setStrikeOut(false);
        add(Letters{at, item.text(), font, bool(item.renderFlags() & QTextItem::RightToLeft)});
    }

    /// A step that the engine does not know.
    template <class Part>
    void addOwn(Part&& part) {
        syncState();
        add(std::forward<Part>(part));
    }

  private:
    template <class Part>
    void add(Part&& part) {
        steps_.emplace_back(std::forward<Part>(part));
    }

    std::vector<Step> steps_;
};

RecordedDrawing::RecordedDrawing(Target target) : target_(target), engine_(std::make_unique<Engine>()) {}

RecordedDrawing::~RecordedDrawing() = default;

QPaintEngine* RecordedDrawing::paintEngine() const {
    return engine_.get();
}

/// The resolution of a figure, with practically unlimited size.
int RecordedDrawing::metric(PaintDeviceMetric metric) const {
    switch (metric) {
    case PdmWidth:
    case PdmHeight:
        return std::numeric_limits<int>::max() / 2;
    case PdmDpiX:
    case PdmDpiY:
    case PdmPhysicalDpiX:
    case PdmPhysicalDpiY:
        return screenDpi;
    case PdmDevicePixelRatio:
        return 1;
    case PdmDevicePixelRatioScaled:
        return static_cast<int>(devicePixelRatioFScale());
    case PdmNumColors:
        return std::numeric_limits<int>::max();
    case PdmDepth:
        return 32;
    default:
        return QPaintDevice::metric(metric);
    }
}

const std::vector<Step>& RecordedDrawing::steps() const {
    return engine_->steps();
}

void RecordedDrawing::drawOn(QPainter& painter) const {
    painter.save();
    const QTransform under = painter.worldTransform();
    // The state of a new painter, which the recording assumes.
    painter.setPen(QPen());
    painter.setBrush(QBrush());
    const auto draw = [&](const auto& step) {
        if constexpr (std::is_same_v<decltype(step), const QTransform&>)
            painter.setWorldTransform(step * under);
        else
            step.drawOn(painter);
    };
    for (const Step& step : steps())
        std::visit(draw, step);
    painter.restore();
}

namespace {

const RecordedDrawing* recordingOf(const QPainter& painter) {
    return dynamic_cast<const RecordedDrawing*>(painter.device());
}

} // namespace

bool drawsPixels(const QPainter& painter) {
    const auto* recording = recordingOf(painter);
    return recording ? recording->target() == RecordedDrawing::Target::Pixels
                     : painter.paintEngine()->type() == QPaintEngine::Raster;
}

bool isRecorded(const QPainter& painter) {
    return recordingOf(painter) != nullptr;
}

void noteForPage(QPainter& painter, const std::function<Step()>& note) {
    if (const auto* recording = recordingOf(painter);
        recording && recording->target() == RecordedDrawing::Target::Page)
        recording->engine_->addOwn(note());
}

void MapValues::drawOn(QPainter& painter) const {
    noteForPage(painter, [this] { return *this; });
}

void AreaWords::drawOn(QPainter& painter) const {
    noteForPage(painter, [this] { return *this; });
}

void drawLater(QPainter& painter, std::function<void(QPainter&)> draw) {
    if (const auto* recording = recordingOf(painter))
        recording->engine_->addOwn(Long{std::move(draw)});
    else
        recorded::Long{std::move(draw)}.drawOn(painter);
}

} // namespace headscope::widgets
