#pragma once

#include <QObject>

#include "app/choices/picture_work.h"
#include "app/document/document.h"
#include "app/models/weights_hash.h"
#include "app/results/results.h"
#include "widgets/export/figure_export.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

namespace headscope::app {

struct RenderedView;

/// Draws views without a window: owns the engine, the run and the computations that visible views request.
class Renderer : public QObject {
    Q_OBJECT

  public:
    /// `work` must outlive this. Loads the engine and opens the model. Throws trace::Refusal or
    /// trace::Cancelled.
    Renderer(const PictureWork& work, std::stop_token stop);
    ~Renderer() override;

    /// Throws trace::Refusal or trace::Cancelled.
    void draw(const PictureJob& job);

  private:
    void run(const PictureJob& job);
    void warn() const;
    /// Creates the view, computes its results and applies its choices.
    std::unique_ptr<RenderedView> computedView();
    void drawFrames(const PictureJob& job, const widgets::FigureOptions& options, const RenderedView& view);
    void select(const widgets::PictureOptions& options);
    /// Waits until nothing is being computed.
    void settle();
    void takeRefusal(WorkQueue::JobKind kind, const trace::RefusalText& text);
    /// Throws trace::Refusal if the open trace lacks a chosen result.
    void refuseUnlessRecorded(const RenderedView& view) const;
    void refuseAsRefused(const std::string& why) const;
    [[noreturn]] void refuseEmpty(const RenderedView& view) const;
    [[noreturn]] void refuseOfTrace(trace::RefusalText text, const RenderedView& view) const;
    /// Returns the refusal that best explains why the view is empty; null if nothing was refused.
    const trace::RefusalText* refusalOfView() const;

    const PictureWork& work_;
    std::stop_token stop_;
    Document document_;
    Results results_;
    WeightsFile weights_;
    std::optional<trace::RefusalText> refusal_; ///< of the model or the run
    /// In order of arrival.
    std::vector<std::pair<WorkQueue::JobKind, trace::RefusalText>> refusalsOfView_;
};

} // namespace headscope::app
