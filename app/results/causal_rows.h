#pragma once

#include <QObject>

#include "app/document/decode_controller.h"
#include "app/work/work_queue.h"
#include "widgets/selection.h"
#include "widgets/words/effect_words.h"

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

namespace headscope::app {

/// What the current step's token loses without each source token: measured for the cross-attention heads and
/// the step that are looked at, again wherever these change, and kept as long as the run stays. It is
/// measured some tokens at a time, so that more urgent work goes between; of a long source only where a
/// person asked for it.
class CausalRows : public QObject {
    Q_OBJECT

  public:
    /// All are there for as long as this is used.
    CausalRows(WorkQueue* queue, DecodeController* controller, widgets::Selection* selection,
               QObject* parent = nullptr);

    static constexpr std::size_t longestUnasked = 128; ///< source tokens

    /// For a head that is looked at, as far as it is known; empty where it is not wanted, or the head is none
    /// of cross-attention.
    widgets::ShownCause causeAt(const trace::HeadAddress& head) const;
    /// Why it cannot be measured; nothing where that was not refused.
    std::optional<trace::RefusalText> refusalAt(const trace::HeadAddress& head) const;
    /// True while more is to be measured than one job holds.
    bool isMeasuring() const { return asked_ && (measured_ > 0 || sourceTokens() > longestUnasked); }

  public Q_SLOTS:
    /// Only where someone sees it: it takes a pass a source token.
    void setWanted(bool wanted);
    /// Beside the selected head.
    void setAlsoShown(const std::vector<headscope::trace::HeadAddress>& heads);
    /// A person asked for the numbers of every token.
    void setAskedFor(bool asked);
    /// What is measured now, until another step or head is looked at or it is asked for again.
    void stopMeasuring();

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
        std::optional<trace::RefusalText> refused;
    };

    std::optional<trace::Request> request() const;
    /// What a head's bars need; nothing where it has none.
    std::vector<Want> wantsOf(const trace::HeadAddress& head) const;
    /// In the order in which they are measured.
    std::vector<Want> wants() const;
    const Answer* answer(const Want& want) const;
    std::size_t sourceTokens() const;
    /// Why nothing is measured that could be; empty where it is.
    QString whyNotMeasured() const;
    void follow();
    void lookElsewhere();
    void askNext();
    void measure(trace::KeyRange keys);
    void add(const trace::CausalRow& part, trace::KeyRange keys, std::chrono::steady_clock::duration time);
    void take(std::shared_ptr<const trace::CausalRow> row, std::optional<trace::RefusalText> refused);

    WorkQueue* queue_;
    DecodeController* controller_;
    widgets::Selection* selection_;
    bool wanted_ = false;
    bool askedFor_ = false;
    std::vector<trace::HeadAddress> alsoShown_;
    std::optional<std::size_t> stoppedAt_;   ///< source tokens that were measured when a person stopped it
    std::optional<trace::Request> request_;  ///< what the answers are of
    std::vector<Answer> answers_;            ///< the newest last
    std::optional<Want> asked_;              ///< on its way
    std::shared_ptr<trace::CausalRow> part_; ///< of it, as far as it is measured; null before
    std::size_t measured_ = 0;               ///< source tokens in that
};

} // namespace headscope::app
