#pragma once

#include "widgets/drawing/token_label.h"
#include "widgets/plots/readable_plot.h"

#include <vector>

namespace headscope::widgets {

/// A bar with its name to the left and its number to the right.
struct Bar {
    TokenLabel name;
    double value = 0;
    QString number;
    QString words;     ///< full description, for tooltips and screen readers
    double second = 0; ///< a striped bar below, if there are names of two values
    bool faint = false;
};

/// Horizontal bars below each other: from 0 to the right, or to both sides of a zero in the middle. With
/// little room, bars become thinner and some names are omitted.
class BarsPicture : public PlotPicture {
  public:
    /// `limit` is the largest possible absolute value; `what` names the values, of which there are one or
    /// two.
    BarsPicture(std::vector<Bar> bars, double limit, bool isSigned, QStringList what)
        : bars_(std::move(bars)), limit_(limit), signed_(isSigned), what_(std::move(what)) {}

    int rows() const override { return bars_.size(); }
    int columns() const override { return what_.size(); }
    void draw(QPainter& painter, const QRectF& area, const QFont& font, const Theme& theme) const override;
    /// The full width, so that names and numbers can be hovered too.
    QRectF place(MapCell mark, const QRectF& area, const QFont& font) const override;
    QString inWords(MapCell mark) const override { return bars_[mark.row].words; }
    QString rowName(int row) const override { return quoted(bars_[row].name); }
    QString columnName(int column) const override { return what_[column]; }
    void setSpaceMarks(bool shown) { spaceMarks_ = shown; }
    /// The row that another view highlights.
    void setLit(std::optional<int> row) { lit_ = row; }

    static double comfortableRow(const QFont& font);

  private:
    /// Of two values; draws only with a painter. Returns its height.
    double legend(QPainter* painter, const QRectF& area, const QFont& font, const Theme& theme) const;
    QRectF rowPlace(int row, const QRectF& below, const QFont& font) const;

    std::vector<Bar> bars_;
    double limit_;
    bool signed_;
    QStringList what_;
    bool spaceMarks_ = true;
    std::optional<int> lit_;
};

} // namespace headscope::widgets
