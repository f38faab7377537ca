#pragma once

#include "model/trace/matrix.h"
#include "model/trace/task.h"
#include "widgets/drawing/plot_legend.h"
#include "widgets/figure_source.h"
#include "widgets/map/map_picture.h"
#include "widgets/map/map_view.h"

#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace headscope::widgets {

/// One of several maps beside each other.
struct LinkedMap {
    enum class Tone {
        Open,    ///< a mask: allowed cells have one colour
        Scores,  ///< around zero, with a colour bar if there is room
        Weights, ///< from zero, as Scores
    };

    QString title;
    QString words; ///< shown instead if there are no values
    trace::AttentionKind kind = trace::AttentionKind::EncoderSelf;
    Tone tone = Tone::Open;
    Pooling pooling = Pooling::Extreme; ///< of cells that share a cell or a pixel
    double limit = 1;                   ///< the magnitude at the ends of the scale
    trace::Matrix values;               ///< [queries, keys]
    trace::MaskMatrix mask;             ///< [queries, keys]; 0 is hatched. Empty: all are allowed
    std::vector<TokenLabel> rowLabels;
    std::vector<TokenLabel> columnLabels;
    int tokensACell = 1; ///< queries and keys of a cell; the same for all maps beside each other
};

/// Returns a map of at most `side` x `side` cells. Each cell has the pooled value of the allowed cells that
/// it represents, and is masked if all of them are.
LinkedMap pooled(LinkedMap map, int side, const trace::Task& work = {});

/// Keeps the label of the first token of each cell.
void thinLabels(LinkedMap& map, std::size_t tokens);

/// The map of a mask: masked cells are hatched.
LinkedMap allowedCells(trace::MaskMatrix mask);

/// Describes what a cell represents, after a space; empty if it represents a single cell.
QString cellsInWords(const std::vector<LinkedMap>& maps);

/// Adds the numbers of maps by title; maps without values are added as masks.
void addLinkedMaps(trace::FigureData& data, const std::vector<LinkedMap>& maps);

/// Maps in a row, or in as many rows as make their cells largest. Neighbours of one kind share the row labels
/// of the first, and maps of a row with the same scale share a colour bar. The focus is highlighted in all
/// maps that have it. Maps of one kind of attention have the same axes; the accessible table has the rows of
/// each kind once, one kind after the other.
class LinkedMaps : public MapView {
    Q_OBJECT

  public:
    /// Describes a cell of a map of `kind`, whose row and column are tokens, counted from 0.
    using Describe = std::function<QString(trace::AttentionKind kind, MapCell cell)>;
    /// Names a row or a column; `token` counts from 0.
    using NameToken = std::function<QString(trace::AttentionKind kind, bool isQuery, int token)>;

    /// `selection` must outlive the view.
    LinkedMaps(const QString& name, Selection* selection, QWidget* parent = nullptr);

    void setMaps(std::vector<LinkedMap> maps);
    void setWords(Describe describe, NameToken nameToken);
    /// Lines of the tooltip of a cell; without, cells have none.
    void setTips(Describe tip) { tip_ = std::move(tip); }
    /// Tokens, counted from 0, that are decoded so far, for animations; null: all.
    using IsDecoded = std::function<bool(trace::AttentionKind kind, bool isQuery, int token)>;
    void setDecoded(IsDecoded isDecoded) { isDecoded_ = std::move(isDecoded); }
    /// Text shown if there are no maps.
    void setEmptyState(const QString& whatItShows, const QString& wayThere);
    /// Allows only arrangements that fill the last row.
    void setWholeRows(bool whole);
    /// In the window alone: one row of maps, whose titles another widget shows, and no colour bar from 0
    /// to 1. Figures are complete.
    void setBare(bool bare);
    /// The row of the current step is marked in all maps; from 0, nothing: none is.
    void setStepRow(std::optional<int> row);

    bool isEmpty() const { return maps_.empty(); }
    /// What the user can do or wait for while there are no maps.
    const QString& wayThere() const { return wayThere_; }
    const std::vector<LinkedMap>& maps() const { return maps_; }
    /// The area of a cell of one of maps(), in widget pixels.
    QRectF cellRect(std::size_t map, MapCell cell) const {
        return places_.at(map).layout.cellRect(cell.row, cell.column);
    }
    /// The area of all cells of one of maps(), in widget pixels.
    QRectF plot(std::size_t map) const { return places_.at(map).layout.plot(); }
    /// The height that titles and labels need at this width.
    double heightFor(double width) const;
    /// How many rows and columns are named in `area`, after a space; empty if all are.
    QString namedInWords(const QRectF& area) const;
    /// The maps in a figure, with room for the names of up to mostNamed rows and columns: at least `least`.
    FigureBlock block(QSizeF least) const;
    /// The maps, with the caption at their foot and how many rows and columns are named.
    FigureBlocks figure(const QString& caption, QSizeF least) const;
    /// Draws all but the focus.
    void draw(QPainter& painter, const QRectF& area, const Theme& theme) const;
    /// Describes the focused cell, row or column; empty if there is none.
    QString focusInWords() const { return inWords(selection_->focus()); }

    int rowCount() const override;
    int columnCount() const override;
    QString rowName(int row) const override;
    QString columnName(int column) const override;
    QString cellInWords(MapCell cell) const override;
    QRect cellArea(MapCell cell) const override;
    std::optional<MapCell> cursorCell() const override;
    QSize sizeHint() const override { return {720, 300}; }
    QSize minimumSizeHint() const override { return {200, 90}; }

  Q_SIGNALS:
    /// plot() may have changed.
    void placed();

  protected:
    void paintStill(QPainter& painter, const Theme& theme) const override;
    void paintMoving(QPainter& painter, const Theme& theme) const override;
    TokenFocus focusAt(QPointF position) const override;
    TokenFocus focusOf(MapCell cell) const override;
    Words wordsAt(QPointF position) const override;
    QString litInWords() const override { return focusInWords(); }
    std::optional<MapCell> entry() const override { return std::nullopt; }
    void pictureChanged() override;
    void goTo(MapCell cell) override;

  private:
    /// A height of at least `least` that has room for every name; nothing if none of the tried ones has.
    std::optional<double> heightWithNames(double width, double least) const;
    QSizeF sizeWithNames(double width, QSizeF least) const;
    /// The area of a map: its title, and the picture below.
    struct Place {
        QRectF area;
        MapLayout layout;
        bool hasTitle = true;
        bool hasRowLabels = false;
        bool hasLegend = false;
    };
    /// Widths.
    struct Frame {
        double plot = 0;   ///< of each plot
        double labels = 0; ///< of row labels at most
        double legend = 0; ///< of a colour bar
    };
    /// The axes of one kind among the rows of the accessible table.
    struct Axes {
        std::size_t map = 0; ///< the first that has these axes
        int firstRow = 0;
    };

    MapPicture picture(const LinkedMap& map, const Place& place, const Theme& theme) const;
    void drawStill(QPainter& painter, const QRectF& area, const std::vector<Place>& places,
                   const Theme& theme) const;
    void drawNames(QPainter& painter, const LinkedMap& map, const MapPicture& shown, const MapLayout& layout,
                   const Theme& theme) const;
    std::vector<LegendEntry> legend(const Theme& theme) const;

    void showCursor();
    const Axes* axesOfRow(int row) const;
    /// Maps without values do not count.
    int tokensACell() const { return axes_.empty() ? 1 : maps_[axes_.front().map].tokensACell; }
    /// The first token of a row or column, and the row or column of a token.
    std::optional<int> tokenOf(std::optional<int> cell) const;
    std::optional<int> cellOf(std::optional<int> token) const;
    QString inWords(const TokenFocus& focus) const;

    double heightDrawn(const QRectF& area) const;
    bool areAllNamed(const QRectF& area) const;
    double titleHeight() const;
    QRectF legendArea(const QRectF& area) const;
    std::vector<Place> place(const QRectF& area, Canvas canvas = Canvas::Page) const;
    bool isBare(Canvas canvas) const { return bare_ && canvas == Canvas::Window; }
    std::vector<Place> placeIn(const QRectF& area, const std::vector<std::size_t>& shown, int columns,
                               Canvas canvas = Canvas::Page) const;
    std::vector<Place> shares(const std::vector<std::size_t>& shown, int columns, double width,
                              Canvas canvas) const;
    Frame frame(const std::vector<Place>& places, const std::vector<std::size_t>& shown, int columns,
                double width) const;
    double smallestCell(const std::vector<Place>& places) const;

    std::vector<LinkedMap> maps_;
    std::vector<Axes> axes_;
    std::vector<Place> places_;
    Describe describe_;
    Describe tip_;
    NameToken nameToken_;
    IsDecoded isDecoded_;
    QString whatItShows_;
    QString wayThere_;
    bool wholeRows_ = false;
    bool bare_ = false;
    std::optional<int> stepRow_;
};

} // namespace headscope::widgets
