#pragma once

#include <QWidget>

#include "model/analysis/heads/head_statistics.h"
#include "model/analysis/scores/score_distribution.h"

#include <optional>

namespace headscope::widgets {

/// How a head's scores lie in two runs: the undisturbed one as filled bars, the changed one as an outline.
/// Without values it takes no place.
class ScoreHistogram : public QWidget {
    Q_OBJECT

  public:
    static constexpr std::size_t bins = 40;

    explicit ScoreHistogram(QWidget* parent = nullptr);

    void setScores(analysis::ScoreComparison scores,
                   const std::optional<analysis::EntropyComparison>& entropies = {});
    /// "Standard deviation of the scores 1.2034, changed 6.8071; ..."
    QString inWords() const;

    QSize sizeHint() const override { return {260, 110}; }
    QSize minimumSizeHint() const override { return {120, 110}; }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    analysis::ScoreComparison scores_;
    std::optional<analysis::EntropyComparison> entropies_;
};

} // namespace headscope::widgets
