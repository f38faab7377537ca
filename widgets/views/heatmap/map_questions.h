#pragma once

#include "widgets/map/ready_map.h"
#include "widgets/view.h"
#include "widgets/words/effect_words.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace headscope::widgets {

class HeatmapView;

/// What the maps of heads need besides the run: quantities that it does not hold, long maps that it left out,
/// and what the step's token loses without each source token.
class MapQuestions {
  public:
    /// Source tokens whose losses are measured though nobody asked for them.
    static constexpr std::size_t longestUnasked = 128;

    /// Both outlive this.
    MapQuestions(const View& page, const Selection& selection) : page_(page), selection_(selection) {}

    /// What the maps show; may be null. Nothing is asked about another run than the shown one.
    void setRun(std::shared_ptr<const trace::Run> run) { run_ = std::move(run); }

    /// For these heads, the most urgent first.
    std::vector<trace::Wanted> of(const std::vector<trace::HeadAddress>& heads) const;
    /// Gives a map what is known for its head.
    void answer(HeatmapView& map);
    ShownCause lossesOf(const trace::HeadAddress& head);
    /// Why those in all heads together, which a trace may hold, are not there; empty if that was not refused.
    std::optional<trace::RefusalText> whyNoLosses(const trace::HeadAddress& head) const;

  private:
    using Row = std::shared_ptr<const trace::CausalRow>;
    using Head = std::optional<trace::HeadAddress>; ///< empty: masked in all cross-attention

    const trace::KnownAnswers& known() const { return *page_.context().known; }
    MapOptions options() const { return mapOptionsOf(*page_.context().document); }
    std::optional<trace::Request> request() const;
    std::optional<trace::Question> maps(std::optional<trace::MapQuantity> quantity,
                                        const trace::AttentionSite& site) const;
    std::optional<trace::Question> shown(const trace::HeadAddress& head) const;
    std::optional<trace::Question> effect(const trace::HeadAddress& head) const;
    /// A preview, where there is one, and the whole.
    std::vector<LongMapWhat> longMaps(const trace::HeadAddress& head) const;
    bool hasLosses(const trace::HeadAddress& head) const;
    bool areMeasured() const;
    std::vector<trace::Question> losses(const Head& head) const;
    Row joined(const std::vector<Row>& parts);

    const View& page_;
    const Selection& selection_;
    std::shared_ptr<const trace::Run> run_;
    std::vector<std::pair<std::vector<Row>, Row>> joined_; ///< the newest last
};

} // namespace headscope::widgets
