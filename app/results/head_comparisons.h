#pragma once

#include <QObject>

#include "app/document/decode_controller.h"
#include "app/results/run_queue.h"
#include "model/analysis/heads/head_similarity.h"
#include "widgets/selection.h"

#include <map>
#include <memory>

namespace headscope::widgets {
class ComparedHeads;
class Overview;
} // namespace headscope::widgets

namespace headscope::app {

/// Compares heads of the shown run off the window's thread: all with all where the overview groups them, and
/// the pinned ones with each other.
class HeadComparisons : public QObject {
    Q_OBJECT

  public:
    /// All of them are there for as long as this is used; one of the last two views may be null.
    HeadComparisons(RunQueue* queue, DecodeController* controller, widgets::Selection* selection,
                    widgets::Overview* overview, widgets::ComparedHeads* compared, QObject* parent = nullptr);
    ~HeadComparisons() override;

  public Q_SLOTS:
    /// Compares what is shown now.
    void followRun();
    /// As long as nobody sees it, nothing is compared for it.
    void setOverviewShown(bool shown);

  private:
    /// All kinds, a part at a time.
    struct Work;

    void followGroups();
    void goOn(const std::shared_ptr<Work>& work);
    void group();
    void comparePinned();

    using Divergences = std::map<trace::AttentionKind, analysis::HeadDivergences>;

    RunQueue* queue_;
    DecodeController* controller_;
    widgets::Selection* selection_;
    widgets::Overview* overview_;
    widgets::ComparedHeads* compared_;
    bool overviewShown_ = false;
    std::shared_ptr<const trace::Run> of_;           ///< whose divergences are there, or are on their way
    std::shared_ptr<const Divergences> divergences_; ///< null as long as they are not there
};

} // namespace headscope::app
