#pragma once

#include <QWidget>

#include "model/analysis/heads/head_statistics.h"
#include "model/analysis/scores/score_distribution.h"

#include <optional>

namespace headscope::widgets {

/// The distribution of a head's scores in two runs: original as filled bars, changed as an outline. Hidden
/// without values.
class ScoreHistogram : public QWidget {
    Q_OBJECT

  public:
    static constexpr std::size_t bins = 40;

    explicit ScoreHistogram(QWidget* parent = nullptr);

    void setScores(analysis::ScoreComparison scores,
                   const std::optional<analysis::EntropyComparison>& entropies = {});
    /// "Standard deviation of the scores: 1.2034 original, 6.8071 changed. ..."
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
