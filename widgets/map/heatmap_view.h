#pragma once

#include <QPixmap>
#include <QTimer>

#include "model/trace/run.h"
#include "widgets/figure_source.h"
#include "widgets/filmed_figure.h"
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

/// One head's map, large, or a map that all heads of a site share. Hovering, pinning and the keyboard's cell
/// cursor move the selection's focus; every row and column that others light up is lit up here.
class HeatmapView : public MapView, public FigureSource, public FilmedFigure {
    Q_OBJECT

  public:
    /// `selection` outlives the view.
    explicit HeatmapView(Selection* selection, QWidget* parent = nullptr);

    /// May be null.
    void setRun(std::shared_ptr<const trace::Run> run);
    /// What was computed about the run for a quantity that it does not hold itself; null as long as it is on
    /// its way. The picture before stays meanwhile, greyed after a moment.
    void setMaps(std::shared_ptr<const trace::QuantityMaps> maps);
    /// What the run left out and was computed again; null as long as it is on its way. A preview is drawn
    /// until the whole map is there. Where this is never called, nobody computes any.
    void setLongMap(std::shared_ptr<const LongMap> map);
    /// Norm-weighted attention of the head's site; may be null. A line under the map says whether weights and
    /// effect of the current row agree.
    void setEffect(std::shared_ptr<const trace::QuantityMaps> normWeighted);
    /// One may come: its line has room from now on, so that the same run stands the same whatever was before.
    void expectEffect();
    /// What the current step's token loses without each source token, of a cross-attention head: a second
    /// line under the map, and bars where they are switched on.
    void setCause(const ShownCause& cause);
    /// Why there are no maps and none will come; empty: they are on their way.
    void setWhyNoMaps(const QString& why);
    /// Shows this head whatever the selection's head is, as a comparison does; nothing follows it again.
    void setFixedHead(std::optional<trace::HeadAddress> head);
    /// For one of several: its head is named beside it, so that its caption need not.
    void setBrief(bool brief);
    /// Not where another one beside the map says the same.
    void setColourBarShown(bool shown);
    /// The caption in its sentences.
    QStringList captionParts() const;
    /// A figure with another caption, since more is said of several maps at once; it has the room that each
    /// of `beside` needs.
    void drawFigureWith(const QString& caption, const QStringList& beside, QPainter& painter, QSize size,
                        const Theme& theme);
    /// Whose map it is; may be null.
    const std::shared_ptr<const trace::Run>& run() const { return run_; }
    std::shared_ptr<const trace::Run> ownRun() const override { return run_; }
    trace::HeadAddress head() const { return fixedHead_.value_or(selection_->head()); }

    const MapOptions& options() const { return options_; }
    Quantity quantity() const { return options_.quantity; }
    ColourMapping mapping() const { return options_.mapping; }

    /// Of the theme; nothing where no map is shown.
    std::optional<ColourScale> colourScale(const Theme& theme) const;
    /// What is drawn; empty where there is nothing.
    const ShownMap& shownMap() const { return drawn_->shown; }
    /// The cell of the head's own map there, for menus on a cell; nothing where what is there stands for
    /// several or for none.
    std::optional<MapCell> runCellAt(QPoint position) const;

    void drawFigure(QPainter& painter, QSize size, const Theme& theme) const override;
    FigureText figureText() const override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    bool exportChoices(PictureOptions& picture, const Choices& chosen) const override;
    QStringList nameParts(const trace::HeadAddress& head, int step) const override;
    QSize figureSize() const override;
    QSize narrowFigure(int width) const override;
    bool hasFigure() const override;
    /// Why there is no map, where there is none.
    QString whyEmpty() const;
    trace::FigureData figureData() const override;
    int rowCount() const override { return static_cast<int>(drawn_->shown.values.rows()); }
    int columnCount() const override { return static_cast<int>(drawn_->shown.values.columns()); }
    QString rowName(int row) const override;
    QString columnName(int column) const override;
    QString cellInWords(MapCell cell) const override;
    std::optional<MapCell> cursorCell() const override;
    QSize sizeHint() const override { return {640, 480}; }
    QSize minimumSizeHint() const override { return {240, 180}; }
    /// At least: for cells that can be read.
    int heightForWidth(int width) const override;

  public Q_SLOTS:
    void setOptions(const headscope::widgets::MapOptions& options);
    void setQuantity(headscope::widgets::Quantity quantity);
    void setMapping(headscope::widgets::ColourMapping mapping);

  Q_SIGNALS:
    /// colourScale() may be another.
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
    void focusOutEvent(QFocusEvent* event) override;

  private:
    /// Where the parts of the view stand within `area`.
    struct Frame {
        QRectF axes;    ///< what rows and columns are
        QRectF map;     ///< the map with its labels and colour bar
        QRectF hint;    ///< empty where weights and effect are never compared
        QRectF caption; ///< at the bottom
    };

    static constexpr double margin = 12;

    Frame frame(const QRectF& area, Canvas canvas) const;
    Frame windowFrame(const QRectF& area) const;
    Frame pageFrame(const QRectF& area) const;
    /// At least, for cells that can be read and all that is said about them.
    int pageHeight(int width) const;
    QSize shortFigure() const;
    bool hasHint() const;
    int hintLines(double width) const;
    double axesHeight(double width) const;
    /// Below the map of a page: above what is said there, and between the hint and the caption.
    double gapBelow(double width) const;
    double gapBetween() const;
    /// How much lower a page is without the parts that are not drawn.
    int heightSaved(int width) const;
    double captionHeight(double width) const;
    /// That a map is given before the view scrolls.
    int rowsOfLines() const;
    /// Of a map whose cells can be read, with the labels above and the bars below.
    double leastMap(double height) const;
    /// Room beside the map for bars and the names of two sides.
    QMarginsF extras(const QRectF& area) const;
    double barLength(const QRectF& area) const;
    double lossLength(const QRectF& area) const;
    static QString lossesEverywhere() { return tr("everywhere"); }
    static QString lossesHere() { return tr("this head"); }
    double lossNamesWidth() const;
    /// How far from the keys the losses begin, and where they stand.
    double lossesAway(const QRectF& area) const;
    QRectF lossesArea(const QRectF& area, const MapLayout& layout) const;
    MapLayoutInput roomOf(const MapPicture& picture, const QRectF& area, Canvas canvas) const;
    MapLayout layOut(const MapPicture& picture, const QRectF& area, Canvas canvas) const;

    /// Everything about the picture but where it stands.
    MapPicture picture(const Theme& theme) const;
    void drawStepsLosses(QPainter& painter, const QRectF& area, const MapLayout& layout,
                         const Theme& theme) const;
    MapMarks marks(const TokenFocus& lit) const;
    /// Everything but the marks and the hint.
    void drawStill(QPainter& painter, const QRectF& area, const MapPicture& shown, const MapLayout& layout,
                   const Theme& theme, Canvas canvas) const;
    void drawMap(QPainter& painter, const QRectF& area, const MapPicture& picture, const MapLayout& layout,
                 const Theme& theme) const;
    bool isQueryDecoded(int query) const;
    /// Of a film, by the rows that it has come to.
    Received received() const;
    void drawNames(QPainter& painter, const MapPicture& picture, const MapLayout& layout,
                   const Theme& theme) const;
    void drawChanges(QPainter& painter, const MapLayout& layout, const Theme& theme) const;
    void drawHint(QPainter& painter, const QRectF& area, const MapLayout& layout, const TokenFocus& lit,
                  const Theme& theme, Canvas canvas) const;
    /// What follows the step and what is lit.
    void drawMoving(QPainter& painter, const QRectF& area, const MapLayout& layout, const TokenFocus& lit,
                    const Theme& theme, Canvas canvas) const;
    void drawLate(QPainter& painter, const Theme& theme) const;

    QString queryName(int query) const;
    QString keyName(int key) const;
    QString standingInWords(MapCell cell) const;
    QString tooltip(MapCell cell) const;
    QString keyTooltip(int key) const;
    QString caption() const;
    QString axesInWords() const;
    QStringList viewInWords() const;
    /// Not in the caption, whose height decides how large the cells of a page are.
    QString zoomForNumbers() const;
    QString numbersInWords(const MapLayout& layout, Canvas canvas) const;
    /// caption(), unless it is given another one.
    QString shownCaption() const { return asCaption(onPage_ ? onPage_->own : caption()); }
    MapUnit unit() const;
    QString gradientInWords() const;
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
    /// Whether weights and effect can be compared where this is shown, and are there to be.
    bool isAboutEffect() const;
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
    struct PageCaption {
        QString own;
        QStringList beside;
    };
    std::optional<PageCaption> onPage_; ///< as long as it is drawn with that
    bool hasHintLine_ = false;          ///< from the first effect on, so that the map does not jump
    bool hasCauses_ = false;            ///< the same from the first cause on

    std::shared_ptr<const ReadyMap> drawn_ = std::make_shared<ReadyMap>(); ///< never null
    bool longMapsCome_ = false;
    std::shared_ptr<const LongMap> long_; ///< of what the run left out
    double labels_ = 0;                   ///< how high turned ones of the columns are
    QPixmap before_;                      ///< what was shown before maps that are on their way
    QTimer late_;                         ///< they are not there at once
};

} // namespace headscope::widgets
