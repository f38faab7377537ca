#pragma once

#include "model/analysis/maps/recomputed_map.h"
#include "widgets/animated_figure.h"
#include "widgets/tables/known_heads.h"
#include "widgets/view.h"

#include <memory>
#include <vector>

namespace headscope::widgets {

class Selection;
class TileGrid;

/// Question for the pooled map of a head whose map the run does not store.
struct TileWhat {
    using Value = analysis::PooledMap;

    std::shared_ptr<const trace::Run> run;
    trace::HeadAddress head;

    Value count(const trace::Task& work) const;
    static std::size_t bytes(const Value& tile) { return tile.values.values().size() * sizeof(float); }
    friend bool operator==(const TileWhat&, const TileWhat&) = default;
};

/// A view whose figure is a grid of small maps. Asks for maps that the run does not store, and for data about
/// the heads.
class TileView : public View, public AnimatedFigure {
    Q_OBJECT

  public:
    TileView(Selection* selection, QWidget* parent);

    void setRun(std::shared_ptr<const trace::Run> run) override;
    std::vector<trace::Wanted> questions() const override;
    void refresh() override;

    void drawFigure(QPainter& painter, QSize size, const Theme& theme) const override;
    void prepareFigure(const Theme& theme, const std::function<void()>& ready) override;
    FigureText figureText() const override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    bool exportChoices(PictureOptions& picture, const Choices& chosen) const override;
    QSize figureSize() const override;
    QSize narrowFigure(int width) const override;
    bool hasFigure() const override;
    void setRowsDecoded(std::optional<std::size_t> rows) override;
    trace::FigureData figureData() const override;
    QString whyNoData() const override;
    std::optional<PointedAt> pointedAt(QPoint position) const override;

  protected:
    /// Called once. The grid is a child of this.
    void setGrid(TileGrid* grid);
    /// The shown picture needs statistics of the heads; another view may know them anyway.
    virtual bool needsStatistics() const = 0;
    virtual void showStatistics(const std::vector<analysis::HeadStatistics>& heads) = 0;
    virtual void showScores(const ShownScores& scores) = 0;

  private:
    /// Returns the first few missing tiles.
    std::vector<TileWhat> tiles() const;

    Selection* selection_;
    std::shared_ptr<const trace::Run> run_;
    TileGrid* grid_ = nullptr;
    KnownStatistics statistics_;
    ShownScores scores_;
};

} // namespace headscope::widgets
