#pragma once

#include <QObject>

#include "app/document/decode_controller.h"
#include "app/results/run_queue.h"
#include "widgets/views/batch/batch_question.h"

#include <optional>
#include <vector>

namespace headscope::widgets {
class BatchView;
}

namespace headscope::app {

/// Runs the sentences of the padded batch while it is in sight, each by itself and then with the padding that
/// the longest of them makes, and hands the runs to the view. The model runs as it is, without what-ifs.
class BatchAnswers : public QObject {
    Q_OBJECT

  public:
    /// All of them are there for as long as this is used.
    BatchAnswers(RunQueue* queue, DecodeController* controller, widgets::BatchView* view,
                 QObject* parent = nullptr);

  private:
    void follow();
    /// One request a sentence, without padding. Nothing where ids were needed and something else was typed.
    std::optional<std::vector<trace::Request>> requests(const widgets::BatchQuestion& question) const;
    void answer(widgets::BatchAnswer answer);

    RunQueue* queue_;
    DecodeController* controller_;
    widgets::BatchView* view_;
    std::optional<widgets::BatchQuestion> asked_; ///< and not answered yet
};

/// The runs of a batch: each of `requests` alone, then padded to the longest. Throws what the engine does.
std::vector<widgets::BatchedSentence>
runBatch(engine::Engine& engine, const std::vector<trace::Request>& requests, std::stop_token stop);

} // namespace headscope::app
