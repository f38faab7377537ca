#pragma once

#include <QObject>

#include "app/choices/picture_work.h"
#include "app/document/decode_controller.h"
#include "app/document/what_if.h"
#include "app/models/weights_hash.h"
#include "app/results/analyses.h"
#include "app/results/errands.h"
#include "app/results/random_twin.h"
#include "app/results/run_queue.h"
#include "widgets/export/figure_export.h"
#include "widgets/selection.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

namespace headscope::app {

struct RenderedView;
struct ViewContext;

/// What stands behind the views in the window, without the window: the engine, the run and what is computed
/// of it for whatever is in sight.
class Renderer : public QObject {
    Q_OBJECT

  public:
    /// `work` outlives it. Loads the engine and opens the model. Throws trace::Refusal, or trace::Cancelled.
    Renderer(const PictureWork& work, std::stop_token stop);
    ~Renderer() override;

    /// Throws trace::Refusal, or trace::Cancelled.
    void draw(const PictureJob& job);

  private:
    void run(const PictureJob& job);
    void warn() const;
    /// One of the steps, with what there was at it.
    void goBackTo(const std::shared_ptr<const trace::Run>& whole, std::size_t step);
    /// With everything that it shows and what is chosen in it.
    std::unique_ptr<RenderedView> viewOnStage(const ViewContext& scene);
    void drawFrames(const PictureJob& job, const ViewContext& scene, const widgets::FigureOptions& options,
                    std::unique_ptr<RenderedView>& view);
    void look(const widgets::PictureOptions& options);
    /// Until nothing is computed any more.
    void settle();
    void takeRefusal(RunQueue::Slot slot, const trace::RefusalText& text);
    /// Of a trace, what was chosen and is computed.
    void refuseUnlessHeld(const RenderedView& view) const;
    [[noreturn]] void refuseEmpty(const RenderedView& view) const;
    [[noreturn]] void refuseOfTrace(trace::RefusalText text, const RenderedView& view) const;
    /// What explains best why the view is empty; null: nothing was refused.
    const trace::RefusalText* refusalOfView() const;

    const PictureWork& work_;
    std::stop_token stop_;
    RunQueue queue_;
    widgets::Selection selection_;
    DecodeController controller_;
    Analyses analyses_;
    WhatIf whatIf_;
    RandomTwin twin_;
    Errands errands_;
    std::shared_ptr<const trace::ModelSummary> model_;
    WeightsFile weights_;
    std::optional<trace::RefusalText> refusal_; ///< of the model or the run
    /// Of what it asked for, the last one last.
    std::vector<std::pair<RunQueue::Slot, trace::RefusalText>> refusalsOfView_;
};

} // namespace headscope::app
