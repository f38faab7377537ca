#pragma once

#include <QPaintDevice>

#include "widgets/drawing/recorded_steps.h"

#include <functional>
#include <memory>
#include <vector>

class QPainter;

namespace headscope::widgets {

/// What a painter is told to draw, kept to be drawn by another one, on any thread. Unlike QPicture it keeps
/// images and numbers as they are: nothing is encoded, rounded or measured again.
class RecordedDrawing final : public QPaintDevice {
  public:
    /// What it will be drawn on: pixels, or a document that keeps shapes.
    enum class Target { Pixels, Document };

    explicit RecordedDrawing(Target target);
    ~RecordedDrawing() override;

    Target target() const { return target_; }
    const std::vector<recorded::Step>& steps() const;
    /// Draws all of it, on top of the painter's own transform.
    void drawOn(QPainter& painter) const;

    QPaintEngine* paintEngine() const override;

  protected:
    int metric(PaintDeviceMetric metric) const override;

  private:
    friend void drawLater(QPainter& painter, std::function<void(QPainter&)> draw);
    class Engine;

    Target target_;
    std::unique_ptr<Engine> engine_;
};

/// True where what is drawn ends as pixels, false where a document keeps shapes.
bool drawsPixels(const QPainter& painter);

/// Draws what takes long: a recording does so as it is itself drawn, maybe by another thread, so `draw` holds
/// all that it needs. At once on anything else.
void drawLater(QPainter& painter, std::function<void(QPainter&)> draw);
/// False where drawLater() draws at once.
bool isRecorded(const QPainter& painter);

} // namespace headscope::widgets
