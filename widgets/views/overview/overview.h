#pragma once

#include <QWidget>

#include "model/analysis/heads/head_ranking.h"
#include "model/analysis/heads/head_similarity.h"
#include "model/analysis/heads/statistics_of_heads.h"
#include "model/trace/run.h"
#include "widgets/filmed_figure.h"
#include "widgets/selection.h"
#include "widgets/tables/head_filter.h"
#include "widgets/tables/known_heads.h"
#include "widgets/tiles/head_tint.h"
#include "widgets/view.h"
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

/// The whole model at once, and above it, in a row, what it is tinted by, how it is ordered, and which heads
/// are searched.
class Overview : public View, public FilmedFigure {
    Q_OBJECT

  public:
    using Heads = std::vector<analysis::HeadStatistics>;

    /// `selection` outlives the overview.
    explicit Overview(Selection* selection, QWidget* parent = nullptr);

    /// May be null.
    void setRun(std::shared_ptr<const trace::Run> run) override;
    /// Of the shown run; empty as long as they are not known.
    void setStatistics(Heads heads);
    /// Ranked, and what it is of; empty where it was not measured.
    void setImportance(const std::vector<analysis::HeadScore>& ranked, const QString& caption);
    void setGrouping(std::optional<HeadGrouping> grouping);
    /// Of the comparison that a grouping needs, so much of 1 is done; nothing: none is on its way.
    void setComparing(std::optional<double> progress);
    /// No head fades any more.
    void forgetTyped() override;
    /// As if it was typed: other heads fade.
    void search(const QString& words);

    OverviewView* view() const { return view_; }
    QWidget* takesKeys() const override; ///< arrows go from head to head
    bool hasImportance() const { return !importance_.isEmpty(); }
    /// Heads are to be grouped.
    bool wantsGroups() const;
    double threshold() const;
    /// Comparing all heads of the run with each other, then grouping them.
    std::optional<Errand> errand() override;

    void drawFigure(QPainter& painter, QSize size, const Theme& theme) const override;
    void prepareFigure(const Theme& theme, const std::function<void()>& ready) override;
    FigureText figureText() const override;
    void addChoices(ViewChoices& choices) override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    bool exportChoices(PictureOptions& picture, const Choices& chosen) const override;
    QSize figureSize() const override;
    QSize narrowFigure(int width) const override;
    bool hasFigure() const override;
    void setRowsDecoded(std::optional<std::size_t> rows) override;
    trace::FigureData figureData() const override;
    QString whyNoData() const override;

  private:
    /// Nothing of the two: none, or as in the model.
    struct Choice {
        bool importance = false;
        std::optional<analysis::Statistic> statistic;
    };
    QWidget* buildControls();
    void fillChoices();
    void offerImportance();
    static Choice choiceOf(const QComboBox& box);
    HeadTint tintOf(const Choice& choice) const;
    using Divergences = std::map<trace::AttentionKind, analysis::HeadDivergences>;
    Errand comparing();
    Errand grouping();
    void showTint();
    void showOrder();
    void showMatching();

    HeadTint importance_;
    Heads heads_;
    std::shared_ptr<const trace::Run> run_;
    std::shared_ptr<const trace::Run> divergencesOf_;
    std::shared_ptr<const Divergences> divergences_; ///< null as long as they are not there
    std::optional<HeadGrouping> grouping_;           ///< of the run before, as long as one grows
    std::shared_ptr<const Divergences> grouped_;     ///< what it is of
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
