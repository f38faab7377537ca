#pragma once

#include <QWidget>

#include "model/analysis/heads/head_ranking.h"
#include "model/analysis/heads/head_similarity.h"
#include "model/analysis/heads/statistics_of_heads.h"
#include "model/trace/run.h"
#include "widgets/selection.h"
#include "widgets/tables/head_filter.h"
#include "widgets/tables/known_heads.h"
#include "widgets/tiles/head_tint.h"
#include "widgets/tiles/tile_view.h"
#include "widgets/views/overview/overview_blocks.h"

#include <map>
#include <memory>
#include <optional>
#include <vector>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;

namespace headscope::widgets {

class OverviewView;

/// Maps of all heads of the model with a bar of controls: tint, order and search.
class Overview : public TileView {
    Q_OBJECT

  public:
    using Heads = std::vector<analysis::HeadStatistics>;

    /// `selection` must outlive the overview.
    explicit Overview(Selection* selection, QWidget* parent = nullptr);

    /// `run` may be null.
    void setRun(std::shared_ptr<const trace::Run> run) override;
    /// Statistics of the heads of the shown run; empty until computed.
    void setStatistics(Heads heads);
    /// `ranked` is empty if the importance was not measured; `caption` describes the measurement.
    void setImportance(const std::vector<analysis::HeadScore>& ranked, const QString& caption,
                       bool areNumbers = false);
    void setGrouping(std::optional<HeadGrouping> grouping);
    /// Progress (0 to 1) of the comparison of heads that grouping needs; nullopt if none runs.
    void setComparing(std::optional<double> progress);
    /// Clears the search.
    void forgetTyped() override;
    /// Other heads fade.
    bool findHeads(const QString& words) override;

    OverviewView* view() const { return view_; }
    QWidget* takesKeys() const override; ///< arrow keys move between heads
    bool hasImportance() const { return !importance_.isEmpty(); }
    /// Returns true if the heads are ordered by similarity.
    bool wantsGroups() const;
    double threshold() const;
    /// All heads of the run compared with each other, then grouped.
    std::vector<trace::Wanted> questions() const override;
    void refresh() override;
    std::optional<Lacking> lacks() const override;

    void addChoices(ViewChoices& choices) override;
    bool exportChoices(PictureOptions& picture, const Choices& chosen) const override;

  private:
    /// If neither is set: no bars, or the order of the model.
    struct Choice {
        bool importance = false;
        std::optional<analysis::Statistic> statistic;
    };
    bool needsStatistics() const override { return true; } ///< roles
    void showStatistics(const Heads& heads) override { setStatistics(heads); }
    void showScores(const ShownScores& scores) override;
    QWidget* buildControls();
    void fillChoices();
    void offerImportance();
    static Choice choiceOf(const QComboBox& box);
    HeadTint tintOf(const Choice& choice) const;
    /// How far all heads of a run are from each other.
    struct AllHeads {
        using Value = std::map<trace::AttentionKind, analysis::HeadDivergences>;
        static constexpr bool takesLong = true;

        std::shared_ptr<const trace::Run> run;

        Value count(const trace::Task& work) const;
        friend bool operator==(const AllHeads&, const AllHeads&) = default;
    };
    struct AlikeHeads {
        using Value = HeadGrouping;

        std::shared_ptr<const AllHeads::Value> divergences;
        double threshold = 0;

        HeadGrouping count(const trace::Task& work) const;
        friend bool operator==(const AlikeHeads&, const AlikeHeads&) = default;
    };
    /// Nothing unless heads are ordered by similarity.
    std::optional<AllHeads> comparing() const;
    void showTint();
    void showOrder();
    void showMatching();

    HeadTint importance_;
    Heads heads_;
    std::shared_ptr<const trace::Run> run_;
    std::optional<HeadGrouping> grouping_;        ///< of the run before, as long as one grows
    std::shared_ptr<const HeadGrouping> grouped_; ///< the answer that it is
    std::optional<double> compared_;              ///< share of the heads that is said
    KnownHeads known_;
    HeadFilter filter_;
    HeadFilter::Listed matching_;
    QComboBox* tint_;
    QComboBox* order_;
    QDoubleSpinBox* threshold_;
    QLineEdit* words_;
    QLabel* count_;
    QLabel* whyNone_;
    OverviewView* view_;
};

} // namespace headscope::widgets
