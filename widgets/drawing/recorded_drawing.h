#pragma once

#include <QPaintDevice>

#include "widgets/drawing/recorded_steps.h"

#include <functional>
#include <memory>
#include <vector>

class QPainter;

namespace headscope::widgets {

/// A paint device that records drawing commands and replays them on another painter, on any thread. Unlike
/// QPicture it stores images and numbers unchanged: nothing is encoded, rounded or laid out again.
class RecordedDrawing final : public QPaintDevice {
  public:
    /// What the recording will be replayed on: pixels, or a document that keeps shapes.
    /// A page is a document that has the values of maps and words of marks as well.
    enum class Target { Pixels, Document, Page };

    explicit RecordedDrawing(Target target);
    ~RecordedDrawing() override;

    Target target() const { return target_; }
    const std::vector<recorded::Step>& steps() const;
    /// Replays all steps on top of the painter's current transform.
    void drawOn(QPainter& painter) const;

    QPaintEngine* paintEngine() const override;

  protected:
    int metric(PaintDeviceMetric metric) const override;

  private:
    friend void drawLater(QPainter& painter, std::function<void(QPainter&)> draw);
    friend void noteForPage(QPainter& painter, const std::function<recorded::Step()>& note);
    class Engine;

    Target target_;
    std::unique_ptr<Engine> engine_;
};

/// Returns true if the drawing ends as pixels, false if a document keeps shapes.
bool drawsPixels(const QPainter& painter);

/// Defers expensive drawing: if `painter` records, `draw` runs when the recording is replayed, possibly on
/// another thread, so it must own everything it uses. Otherwise `draw` runs at once.
void drawLater(QPainter& painter, std::function<void(QPainter&)> draw);
/// Calls `note` if `painter` records a page, and keeps what it returns: recorded::MapValues or AreaWords.
void noteForPage(QPainter& painter, const std::function<recorded::Step()>& note);
/// Returns true if drawLater() defers.
bool isRecorded(const QPainter& painter);

} // namespace headscope::widgets
