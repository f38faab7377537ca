#pragma once

#include "widgets/tiles/tile_grid.h"
#include "widgets/views/overview/overview_blocks.h"

#include <map>
#include <optional>

namespace headscope::widgets {

/// Every head of every layer and kind as a small map, all in sight at once.
class OverviewView : public TileGrid {
    Q_OBJECT

  public:
    /// `selection` outlives the view.
    explicit OverviewView(Selection* selection, QWidget* parent = nullptr);

    void orderAsInTheModel();
    /// The highest number first, within each kind.
    void orderBy(HeadTint tint);
    /// In groups of similar heads; nothing while these are unknown.
    void orderByGroups(std::optional<HeadGrouping> grouping);
    /// Progress of the comparison of heads, from 0 to 1, during which the groups are those of another run;
    /// nothing: no heads are being compared.
    void setComparing(std::optional<double> progress);
    /// For tooltips and the status bar.
    void setRoles(std::map<trace::HeadAddress, QString> roles);

    QString caption() const override;
    FigureText figureText() const override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    bool exportChoices(PictureOptions& picture, const Choices& chosen) const override;
    QSize figureSize() const override;
    QSize narrowFigure(int width) const override;
    trace::FigureData figureData() const override;
    QSize sizeHint() const override { return {640, 440}; }
    QSize minimumSizeHint() const override { return {200, 140}; }

  Q_SIGNALS:
    /// A line about the head under the pointer, or the selected one; empty if nobody looks at any.
    void headDescribed(const QString& words);

  protected:
    TileArrangement arranged() const override;
    QString purpose() const override;
    QString whyEmpty() const override;
    QStringList headInWords(const trace::HeadAddress& head) const override;
    void describe() override;

  private:
    enum class Order { Model, Ranked, Grouped };

    void setOrder(Order order);
    bool showsGroups() const { return order_ == Order::Grouped && grouping_.has_value(); }
    QString orderInWords() const;
    QString ofWholeInWords() const;
    QString groupsInWords() const;
    QString groupInWords(const trace::HeadAddress& head) const;
    QString roleOf(const trace::HeadAddress& head) const;
    /// A head's number in the order; empty if its bar has the same number, or heads have no such order.
    QString rankInWords(const trace::HeadAddress& head) const;
    QString headInALine(const trace::HeadAddress& head) const;

    Order order_ = Order::Model;
    HeadTint rank_;
    std::optional<HeadGrouping> grouping_;
    std::optional<double> comparing_;
    std::map<trace::HeadAddress, QString> roles_;
};

} // namespace headscope::widgets
