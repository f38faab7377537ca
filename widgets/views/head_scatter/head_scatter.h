#pragma once

#include "widgets/plots/plot.h"
#include "widgets/selection.h"
#include "widgets/tables/known_heads.h"
#include "widgets/view.h"

#include <optional>
#include <vector>

class QComboBox;
class QLabel;

namespace headscope::widgets {

class ReadablePlot;

/// Every head as a point, by two of its numbers: statistics of the shown sentence, or importance. Its colour
/// is its kind of attention, or a third number.
class HeadScatter : public View {
    Q_OBJECT

  public:
    /// `selection` outlives the view.
    explicit HeadScatter(Selection* selection, QWidget* parent = nullptr);

    /// A head that has a number for both axes and, where the colour is a number, for it.
    struct Point {
        trace::HeadAddress head;
        double across = 0;
        double up = 0;
        double colour = 0; ///< 0 where the colour is no number
    };

    std::vector<trace::Wanted> questions() const override;
    void refresh() override;
    std::optional<Lacking> lacks() const override;
    /// By address.
    const std::vector<Point>& points() const { return points_; }
    QString caption() const;

    std::optional<FigureBlocks> figureBlocks() const override;
    FigureText figureText() const override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    bool hasFigure() const override { return !points_.empty(); }
    trace::FigureData figureData() const override;
    QString whyEmpty() const override;

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    /// A number that an axis can show: a statistic, or the importance.
    using Number = std::optional<analysis::Statistic>;
    const std::string& word(const char* axis) const;
    Number number(const char* axis) const;
    bool isImportance(const char* axis) const;
    /// The colour is a number.
    bool isShaded() const;
    static QString title(const Number& number);
    std::optional<double> valueOf(const analysis::HeadStatistics& head, const Number& number) const;
    PlotAxis axisOf(const Number& number, double HeadScatter::Point::*value) const;
    void showPoints();
    /// Words that find the heads within an area of the plot, by the numbers of both axes.
    QString wordsFor(const QRectF& area) const;
    /// A small map of the head beside its numbers.
    QString cardOf(const Point& point) const;
    const Point& pointAt(MapCell mark) const;
    Plot plot(bool withSelection) const;
    void addShaded(Plot& plot, const PlotSeries& kind, const std::vector<trace::HeadAddress>& heads) const;

    Selection* selection_;
    KnownStatistics statistics_;
    ShownScores scores_;
    std::vector<analysis::HeadScore> ranked_;
    std::vector<Point> points_;
    std::vector<std::vector<trace::HeadAddress>> kinds_; ///< heads of each row of the plot
    QComboBox* across_;
    QComboBox* up_;
    QComboBox* colour_;
    ReadablePlot* plot_;
    QLabel* caption_;
};

} // namespace headscope::widgets
