#pragma once

#include <QCoreApplication>

#include "model/analysis/output/hesitation.h"
#include "widgets/drawing/plot_frame.h"
#include "widgets/drawing/token_label.h"
#include "widgets/plots/readable_plot.h"

#include <vector>

namespace headscope::widgets {

/// Probability, margin and entropy below each other, with one bar per step.
class HesitationPicture : public PlotPicture {
    Q_DECLARE_TR_FUNCTIONS(HesitationPicture)

  public:
    explicit HesitationPicture(std::vector<analysis::Hesitation> steps) : steps_(std::move(steps)) {}

    enum Quantity { Probability, Margin, Entropy };

    int rows() const override { return 3; }
    int columns() const override { return static_cast<int>(steps_.size()); }
    void draw(QPainter& painter, const QRectF& area, const QFont& font, const Theme& theme) const override;
    QRectF place(MapCell mark, const QRectF& area, const QFont& font) const override;
    QString inWords(MapCell mark) const override;
    QString rowName(int row) const override;
    QString columnName(int column) const override;
    /// The highlighted step.
    void setLit(std::optional<int> step) { lit_ = step; }

  private:
    PlotFrame frameAlone(int row, const QRectF& area, const QFont& font) const;
    PlotFrame frame(int row, const QRectF& area, const QFont& font) const;
    std::optional<double> value(MapCell mark) const;

    std::vector<analysis::Hesitation> steps_;
    std::optional<int> lit_;
};

} // namespace headscope::widgets
