#pragma once

#include <QObject>

#include "app/window/decode_controller.h"
#include "app/window/run_queue.h"
#include "widgets/effect_words.h"
#include "widgets/selection.h"

#include <memory>
#include <optional>
#include <vector>

namespace headscope::app {

/// What the current step's token loses without each source token: measured for the cross-attention head and
/// the step that are looked at, again wherever these change, and kept as long as the run stays.
class CausalRows : public QObject {
    Q_OBJECT

  public:
    /// All are there for as long as this is used.
    CausalRows(RunQueue* queue, DecodeController* controller, widgets::Selection* selection,
               QObject* parent = nullptr);

    /// As far as it is known; empty where it is not wanted, or the head is none of cross-attention.
    widgets::ShownCause cause() const;

  public Q_SLOTS:
    /// Only where someone sees it: it takes a pass a source token.
    void setWanted(bool wanted);

  Q_SIGNALS:
    void changed();

  private:
    struct Want {
        std::size_t step = 0;
        std::optional<trace::HeadAddress> head; ///< nothing: all cross-attention
        friend bool operator==(const Want&, const Want&) = default;
    };
    struct Answer {
        Want want;
        std::shared_ptr<const trace::CausalRow> row; ///< null: refused
        QString whyNot;
    };

    std::optional<trace::Request> request() const;
    /// In the order in which they are measured.
    std::vector<Want> wants() const;
    const Answer* answer(const Want& want) const;
    void follow();
    void askNext();
    void take(std::shared_ptr<const trace::CausalRow> row, const QString& whyNot);

    RunQueue* queue_;
    DecodeController* controller_;
    widgets::Selection* selection_;
    bool wanted_ = false;
    std::optional<trace::Request> request_; ///< what the answers are of
    std::vector<Answer> answers_;           ///< the newest last
    std::optional<Want> asked_;             ///< on its way
};

} // namespace headscope::app
