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

/// One of several maps that stand beside each other.
struct LinkedMap {
    enum class Tone {
        Open,    ///< a mask: what is open has one colour
        Scores,  ///< around zero, with a legend where there is room
        Weights, ///< zero to one, with a legend where there is room
    };

    QString title;
    QString words; ///< above the pictures where there are no values
    trace::AttentionKind kind = trace::AttentionKind::EncoderSelf;
    Tone tone = Tone::Open;
    Pooling pooling = Pooling::Extreme; ///< of cells that share one, or a pixel
    double limit = 1;                   ///< of scores: the magnitude at the scale's ends
    trace::Matrix values;               ///< [queries, keys]
    trace::MaskMatrix mask;             ///< [queries, keys]; 0 is hatched. Empty: all is open
    std::vector<TokenLabel> rowLabels;
    std::vector<TokenLabel> columnLabels;
    int tokensACell = 1; ///< queries and keys that a cell stands for; of all maps beside each other the same
};

/// Of a long map a smaller one, `side` cells a side at most: of the open cells that one stands for the one
/// that its pooling says; closed where all are.
LinkedMap pooled(LinkedMap map, int side, const trace::Task& work = {});

/// Labels of all tokens become those of the first token that each cell stands for.
void thinLabels(LinkedMap& map, std::size_t tokens);

/// The map of a mask: a cell is open or hatched.
LinkedMap openCells(trace::MaskMatrix mask);

/// What the cells of pictures stand for where they stand for several, after a space; else empty.
QString cellsInWords(const std::vector<LinkedMap>& maps);

/// The numbers of maps, by title; those without values as masks.
void addLinkedMaps(trace::FigureData& data, const std::vector<LinkedMap>& maps);

/// Maps in a row, or in as many rows as make their cells largest. Those of one kind beside each other share
/// the row labels of the first, and those in a row one legend where they have one scale. A cell, row or
/// column that a person points at lights in all maps that have it. Maps of one kind of attention have the
/// same axes; readers are told of each kind's axes once, one kind's rows after the other's.
class LinkedMaps : public MapView {
    Q_OBJECT

  public:
    /// A cell in words; `cell` is of a map of `kind`.
    using Describe = std::function<QString(trace::AttentionKind kind, MapCell cell)>;
    /// A row or a column, from 0.
    using NameToken = std::function<QString(trace::AttentionKind kind, bool isQuery, int index)>;

    /// `selection` outlives the widget.
    LinkedMaps(const QString& name, Selection* selection, QWidget* parent = nullptr);

    void setMaps(std::vector<LinkedMap> maps);
    void setWords(Describe describe, NameToken nameToken);
    /// Which rows and columns a figure has come to that shows a decoding step by step; null: all.
    using IsDecoded = std::function<bool(trace::AttentionKind kind, bool isQuery, int index)>;
    void setDecoded(IsDecoded isDecoded) { isDecoded_ = std::move(isDecoded); }
    /// What stands there as long as there are no maps.
    void setEmptyState(const QString& whatItShows, const QString& wayThere);
    /// Only as many beside each other as leave no place in the last row empty.
    void setWholeRows(bool whole);

    bool isEmpty() const { return maps_.empty(); }
    /// What to do, or to wait for, as long as it is.
    const QString& wayThere() const { return wayThere_; }
    const std::vector<LinkedMap>& maps() const { return maps_; }
    /// Of one of maps(), in the widget's pixels.
    QRectF cellRect(std::size_t map, MapCell cell) const {
        return places_.at(map).layout.cellRect(cell.row, cell.column);
    }
    /// How high they need to be at this width for titles and labels to be whole.
    double heightFor(double width) const;
    /// A page of them with words at its foot, which also say how many rows and columns have no names.
    void drawPage(QPainter& painter, QSize size, const QString& caption, const FigureParts& parts,
                  const Theme& theme) const;
    /// How many rows and columns have names there, after a space; empty where all have.
    QString namedInWords(const QRectF& area) const;
    /// Of at least such a size, or as much lower as its caption is high where that is not drawn: with room
    /// for the names of some dozen rows and columns.
    QSize pageSize(QSize least, const QString& caption, const FigureParts& parts) const;
    /// About so wide, and as high as names and caption need there.
    QSize narrowPage(int width, const QString& caption, const FigureParts& parts) const;
    /// Without what is lit.
    void draw(QPainter& painter, const QRectF& area, const Theme& theme) const;
    /// Of the lit cell, row or column; empty where nothing is.
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
    /// Where every name has room, `least` or more; nothing where none of a few tried is enough.
    std::optional<int> pageHeight(int width, int least, const QString& caption) const;
    /// Where a map stands: its title, and the picture under it.
    struct Place {
        QRectF area;
        MapLayout layout;
        bool hasRowLabels = false;
        bool hasLegend = false;
    };
    /// What the plots leave room for.
    struct Frame {
        double plot = 0;   ///< how wide each plot is
        double labels = 0; ///< how wide row labels may be
        double legend = 0; ///< how wide a legend is
    };
    /// The axes of one kind among the rows that readers are told of.
    struct Axes {
        std::size_t map = 0; ///< the first that has them
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
    /// A map that holds words alone counts for nothing.
    int tokensACell() const { return axes_.empty() ? 1 : maps_[axes_.front().map].tokensACell; }
    /// The first token that a row or column stands for, and the row or column of a token.
    std::optional<int> tokenOf(std::optional<int> cell) const;
    std::optional<int> cellOf(std::optional<int> token) const;
    QString inWords(const TokenFocus& focus) const;

    int heightDrawn(QSize page) const;
    bool areAllNamed(const QRectF& area) const;
    double titleHeight() const;
    QRectF legendArea(const QRectF& area) const;
    std::vector<Place> place(const QRectF& area) const;
    std::vector<Place> placeIn(const QRectF& area, const std::vector<std::size_t>& shown, int columns) const;
    std::vector<Place> shares(const std::vector<std::size_t>& shown, int columns, double width) const;
    Frame frame(const std::vector<Place>& places, const std::vector<std::size_t>& shown, int columns,
                double width) const;
    double smallestCell(const std::vector<Place>& places) const;

    std::vector<LinkedMap> maps_;
    std::vector<Axes> axes_;
    std::vector<Place> places_;
    Describe describe_;
    NameToken nameToken_;
    IsDecoded isDecoded_;
    QString whatItShows_;
    QString wayThere_;
    bool wholeRows_ = false;
};

} // namespace headscope::widgets
