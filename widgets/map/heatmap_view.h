#pragma once

#include <QPixmap>
#include <QTimer>

#include "model/trace/run.h"
#include "widgets/animated_figure.h"
#include "widgets/figure_source.h"
#include "widgets/map/map_marks.h"
#include "widgets/map/map_options.h"
#include "widgets/map/map_view.h"
#include "widgets/map/ready_map.h"
#include "widgets/map/shown_map.h"
#include "widgets/words/captions.h"
#include "widgets/words/effect_words.h"

#include <memory>
#include <optional>

namespace headscope::widgets {

struct Received;

/// The map of one head, or one that all heads of a site share. Pointer and keys change the focus of the
/// selection, and the focus is highlighted whichever view has set it.
class HeatmapView : public MapView, public FigureSource, public AnimatedFigure {
    Q_OBJECT

  public:
    /// `selection` outlives the view.
    explicit HeatmapView(Selection* selection, QWidget* parent = nullptr);

    /// May be null.
    void setRun(std::shared_ptr<const trace::Run> run);
    /// Values of a quantity that the run does not hold; null while they are computed. Meanwhile the previous
    /// picture stays, greyed after a moment.
    void setMaps(std::shared_ptr<const trace::QuantityMaps> maps);
    /// A recomputed map that the run does not store; null while it is computed. A preview is drawn until the
    /// whole map is known. If this is never called, no map is awaited.
    void setLongMap(std::shared_ptr<const LongMap> map);
    /// Norm-weighted attention of the head's site; may be null. A line below the map says whether weights and
    /// effect of the current row agree.
    void setEffect(std::shared_ptr<const trace::QuantityMaps> normWeighted);
    /// setEffect() may follow: its line has room from now on, so that the map does not move.
    void expectEffect();
    /// Knock-out losses of the current step per source token, for a cross-attention head: a second line below
    /// the map, and bars if they are switched on.
    void setCause(const ShownCause& cause);
    /// Why maps cannot be computed; empty while they are computed.
    void setWhyNoMaps(const QString& why);
    /// Shows this head instead of the selected one; nothing: the selected one again.
    void setFixedHead(std::optional<trace::HeadAddress> head);
    /// For one of several maps: the head is named beside it, so the caption need not.
    void setBrief(bool brief);
    /// False if a bar beside several maps says the same.
    void setColourBarShown(bool shown);
    /// The sentences of the caption.
    QStringList captionParts() const;
    /// The figure without the caption: titles of the axes, the map, and what is said of the current row.
    FigureBlock block() const;
    /// May be null.
    const std::shared_ptr<const trace::Run>& run() const { return run_; }
    std::shared_ptr<const trace::Run> ownRun() const override { return run_; }
    trace::HeadAddress head() const { return fixedHead_.value_or(selection_->head()); }

    const MapOptions& options() const { return options_; }
    Quantity quantity() const { return options_.quantity; }
    ColourMapping mapping() const { return options_.mapping; }

    /// Nothing if no map is shown.
    std::optional<ColourScale> colourScale(const Theme& theme) const;
    /// Empty if no map is shown.
    const ShownMap& shownMap() const { return drawn_->shown; }
    /// The cell of the head's map at a position; nothing if the shown cell stands for several or for none.
    std::optional<MapCell> runCellAt(QPoint position) const;

    /// Of the whole map: a head.
    std::optional<PointedAt> pointedAt(QPoint position) const override;
    std::optional<FigureBlocks> figureBlocks() const override;
    FigureText figureText() const override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    bool isZoomed() const override;
    QStringList nameParts(const trace::HeadAddress& head, int step) const override;
    bool hasFigure() const override;
    /// Why no map is shown.
    QString whyEmpty() const;
    trace::FigureData figureData() const override;
    int rowCount() const override { return drawn_->shown.values.rows(); }
    int columnCount() const override { return drawn_->shown.values.columns(); }
    QString rowName(int row) const override;
    QString columnName(int column) const override;
    QString cellInWords(MapCell cell) const override;
    std::optional<MapCell> cursorCell() const override;
    QSize sizeHint() const override { return {640, 480}; }
    QSize minimumSizeHint() const override { return {240, 180}; }
    /// The least height for legible cells.
    int heightForWidth(int width) const override;

  public Q_SLOTS:
    void setOptions(const headscope::widgets::MapOptions& options);
    void setQuantity(headscope::widgets::Quantity quantity);
    void setMapping(headscope::widgets::ColourMapping mapping);

  Q_SIGNALS:
    /// colourScale() may have changed.
    void dataShown();

  protected:
    void paintStill(QPainter& painter, const Theme& theme) const override;
    void paintMoving(QPainter& painter, const Theme& theme) const override;
    TokenFocus focusAt(QPointF position) const override;
    TokenFocus focusOf(MapCell cell) const override;
    Words wordsAt(QPointF position) const override;
    QString litInWords() const override;
    std::optional<MapCell> entry() const override;
    void pictureChanged() override;
    void focusMoved() override;
    void goTo(MapCell cell) override;
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

  private:
    /// Positions of the parts of the window.
    struct Frame {
        QRectF map;   ///< the map with its labels and colour bar
        QRectF words; ///< one line at the bottom
    };

    static constexpr double margin = 12;

    Frame frame() const;
    int hintLines(double width) const;
    /// Height, in lines, of the map before the view scrolls.
    int rowsOfLines() const;
    /// Height of a map with so many rows of a line's height each, labels of this height above and bars below.
    double heightFor(double rows, double labels) const;
    /// The size of a figure's map.
    QSizeF mapSize(double width) const;
    /// Room beside the map for bars and for the names of source and target.
    QMarginsF extras(const QRectF& area) const;
    double barLength(const QRectF& area) const;
    double lossLength(const QRectF& area) const;
    static QString lossesEverywhere() { return tr("everywhere"); }
    static QString lossesHere() { return tr("this head"); }
    double lossNamesWidth() const;
    /// Distance of the losses from the keys, and their area.
    double lossesAway(const QRectF& area) const;
    QRectF lossesArea(const QRectF& area, const MapLayout& layout) const;
    /// `map` is the part of `area` for the map.
    MapLayoutInput roomOf(const MapPicture& picture, const QRectF& area, const QRectF& map) const;
    MapLayout layOut(const MapPicture& picture, const QRectF& area, const QRectF& map) const;
    MapLayout layOutFigure(const QRectF& area) const;

    /// Everything but the layout.
    MapPicture picture(const Theme& theme) const;
    void drawStepsLosses(QPainter& painter, const QRectF& area, const MapLayout& layout,
                         const Theme& theme) const;
    MapMarks marks(const TokenFocus& lit) const;
    void drawMap(QPainter& painter, const QRectF& area, const MapPicture& picture, const MapLayout& layout,
                 const Theme& theme) const;
    bool isQueryDecoded(int query) const;
    /// In an animation, from the rows decoded so far.
    Received received() const;
    void drawNames(QPainter& painter, const MapPicture& picture, const MapLayout& layout,
                   const Theme& theme) const;
    void drawChanges(QPainter& painter, const MapLayout& layout, const Theme& theme) const;
    /// Draws what depends on the step and the focus, but the hint.
    void drawMoving(QPainter& painter, const QRectF& area, const MapLayout& layout, const TokenFocus& lit,
                    const Theme& theme) const;
    /// The line of words, directly below the map of the window rather than at the bottom.
    QRectF lineBelow() const;
    QString details() const;
    void drawLate(QPainter& painter, const Theme& theme) const;

    QString queryName(int query) const;
    QString keyName(int key) const;
    QString standingInWords(MapCell cell) const;
    QString tooltip(MapCell cell) const;
    QString keyTooltip(int key) const;
    QString caption() const;
    QString axesInWords() const;
    bool framesKeysAhead() const;
    QStringList viewInWords() const;
    /// `words`, with a space before, if numbers are wanted and the cells are too small.
    QString withoutNumbers(const MapLayout& layout, const QString& words) const;
    QString axesInWindow() const;
    MapUnit unit() const;
    QString gradientInWords() const;
    QString lossContrast() const;
    QString rowInHint(std::size_t row) const;
    QString tokensInHint() const;
    QString effectHint(const TokenFocus& lit) const;
    QString causeHint() const;
    QString hint(const TokenFocus& lit) const;
    QString lossOf(int key) const;
    bool isAwaited() const;
    bool hasLongMap() const;
    bool isPreview() const;
    void dataChanged();
    /// Whether weights and effect can be compared, and both are known.
    bool comparesEffect() const;
    bool hasCauseLines() const;
    bool showsLosses() const;

    std::shared_ptr<const trace::Run> run_;
    std::shared_ptr<const trace::QuantityMaps> maps_;
    std::shared_ptr<const trace::QuantityMaps> effect_;
    ShownCause cause_;
    QString whyNoMaps_;
    std::optional<trace::HeadAddress> fixedHead_;
    MapOptions options_;
    bool brief_ = false;
    bool colourBar_ = true;
    bool hasHintLine_ = false; ///< true from the first effect on, so that the map does not jump
    bool hasCauses_ = false;   ///< likewise from the first cause on

    std::shared_ptr<const ReadyMap> drawn_ = std::make_shared<ReadyMap>(); ///< never null
    bool longMapsCome_ = false;
    std::shared_ptr<const LongMap> long_; ///< a map that the run does not store
    double labels_ = 0;                   ///< height of turned column labels
    QPixmap before_;                      ///< previous picture, shown while maps are computed
    QTimer late_;                         ///< until the previous picture is greyed
};

} // namespace headscope::widgets
