#pragma once

#include <QPixmap>
#include <QWidget>

#include "model/trace/run.h"
#include "widgets/animated_figure.h"
#include "widgets/map/accessible_map.h"
#include "widgets/map/shown_map.h"
#include "widgets/selection.h"
#include "widgets/view.h"
#include "widgets/views/lines/lines_drawing.h"
#include "widgets/words/captions.h"

#include <memory>
#include <optional>
#include <vector>

class QComboBox;
class QScrollBar;

namespace headscope::widgets {

class HeadSquares;
struct Theme;

/// The maps drawn as lines: between the run's tokens, or between words.
struct LineMap {
    /// Labels of rows and columns, without values.
    ShownMap axes;
    /// Weights and mask by words, of the requested heads; nullopt: use the run's record.
    std::optional<trace::AttentionRecord> words;
};

/// What determines the lines. Those of maps that are not stored take long to be counted.
struct LinesQuestion {
    using Value = StrongLines;
    static constexpr bool takesLong = true;

    std::shared_ptr<const trace::Run> run;
    trace::AttentionSite site;
    std::vector<int> heads;
    bool words = false;

    StrongLines count(const trace::Task& work) const;
    friend bool operator==(const LinesQuestion&, const LinesQuestion&) = default;
};

/// Queries on the left, keys on the right, and a line for every pair, stronger for larger weights (the
/// attention-head view of Vig 2019, "A Multiscale Visualization of Attention in the Transformer Model").
/// Shows one head, or several heads of its layer in colours. A hovered or pinned token shows only its own
/// lines, with their weights as numbers.
class LinesView : public View, public AnimatedFigure, public ReadableMap {
    Q_OBJECT

  public:
    enum Shown {
        OneHead,  ///< the selected head
        Chosen,   ///< up to mostChosen heads of its layer
        AllHeads, ///< all heads of its layer
    };
    static constexpr std::size_t mostChosen = 8;
    static constexpr double mostThreshold = 0.05;
    /// Returns the weight below which lines are hidden: 0.05, or ten times the uniform weight if that is
    /// less.
    static double thresholdOf(std::size_t keys);
    static constexpr std::size_t mostLines = 400;

    /// `selection` must outlive the view.
    explicit LinesView(Selection* selection, QWidget* parent = nullptr);

    /// `run` may be null.
    void setRun(std::shared_ptr<const trace::Run> run) override;
    Shown shown() const { return shown_; }
    /// Ascending, without duplicates.
    const std::vector<int>& heads() const { return picture_.heads; }
    const StrongLines& lines() const { return lines_; }
    /// For tests.
    const LinesLayout& linesLayout() const { return layout_; }

    std::optional<FigureBlocks> figureBlocks() const override;
    FigureText figureText() const override;
    void showPicture(const PictureOptions& options) override;
    void addChoices(ViewChoices& choices) override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    bool hasFigure() const override { return record() != nullptr; }
    trace::FigureData figureData() const override;
    int rowCount() const override { return picture_.queryLabels.size(); }
    int columnCount() const override { return picture_.keyLabels.size(); }
    QString rowName(int row) const override;
    QString columnName(int column) const override;
    QString cellInWords(MapCell cell) const override;
    QRect cellArea(MapCell cell) const override;
    std::optional<MapCell> cursorCell() const override;
    std::vector<trace::Wanted> questions() const override;
    void refresh() override;
    QSize sizeHint() const override { return {640, 480}; }
    QSize minimumSizeHint() const override { return {240, 180}; }

  public Q_SLOTS:
    void setShown(headscope::widgets::LinesView::Shown shown);
    void toggleHead(int head);
    /// Shows these heads: at most mostChosen, without those that the layer does not have.
    void chooseHeads(std::vector<int> heads);
    void setSpaceMarksShown(bool shown) override;
    /// Groups tokens into words.
    void setWordsShown(bool shown);

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    /// Parts of the view.
    struct Frame {
        QRectF axes;    ///< titles of left and right, one or two lines
        QRectF columns; ///< tokens and lines
        QRectF caption;
    };
    Frame frame(const QRectF& area, const QString& caption) const;
    QRectF pictureArea() const;
    LinesLayout layOut(const QRectF& columns, bool scrolls) const;
    /// The record of the selected head's layer; null if there is no row to show.
    const trace::AttentionRecord* record() const;
    /// record(), or its grouping into words.
    const trace::AttentionRecord* drawn() const { return map_.words ? &*map_.words : record(); }

    LinesQuestion shownLines() const { return {run_, selection_->head().site, picture_.heads, words_}; }
    /// Its maps are not stored.
    bool isLong() const { return record() && record()->isRecomputed(); }
    QString whyNotCounted() const;
    bool isCounted() const { return linesOf_ == shownLines(); }
    std::vector<int> headsToShow(int count) const;
    LinesMarks marks(const TokenFocus& focus) const;
    LinesMarks marks() const { return marks(selection_->focus()); }
    /// The pinned tokens, which figures show; the pointer is ignored.
    LinesMarks pinnedMarks() const;
    std::vector<AttentionLine> linesOfFocus() const;
    std::vector<AttentionLine> linesOfToken(std::optional<int> query, std::optional<int> key) const;
    QString axesInWords() const;
    MapUnit unit() const { return map_.words ? MapUnit::Word : MapUnit::Piece; }
    QString caption(bool isPage = false) const;
    QString figureCaption() const;
    QString captionWith(const QString& lines) const;
    QString whyEmpty() const override;
    QString weightInWords(int head, MapCell cell) const;
    QString focusInWords() const;
    TokenFocus focusAt(QPointF position) const;
    void drawWords(QPainter& painter, const Frame& parts, const LinesLayout& layout, const QString& caption,
                   const Theme& theme) const;
    /// Of a figure, below the legend of its heads.
    Frame figureFrame(const QRectF& area) const;
    QSizeF linesSize(double wide) const;
    void drawLinesFigure(QPainter& painter, const QRectF& area, const Theme& theme) const;
    void drawPictures(const Theme& theme);
    LinesPicture decodedPicture() const;
    std::vector<AttentionLine> decodedLines(std::vector<AttentionLine> lines) const;
    bool hasQuery(std::size_t query) const;
    bool hasKey(std::size_t key) const;
    double drawFigureLegend(QPainter* painter, const QRectF& area, const Theme& theme) const;

    void headsChanged();
    void take(StrongLines lines);
    void labelsChanged();
    void pictureChanged();
    void focusMoved();
    void followStep();
    void showRow(int row);
    void moveCursor(bool onKeys, int row);

    Selection* selection_;
    std::shared_ptr<const trace::Run> run_;
    Shown shown_ = Shown::OneHead;
    std::vector<int> chosen_;
    bool words_ = false;
    LineMap map_;
    LinesPicture picture_;
    StrongLines lines_;
    LinesQuestion linesOf_;
    QString missing_;       ///< what is said instead of lines that are not counted
    double queryWidth_ = 0; ///< of the widest label
    double keyWidth_ = 0;
    LinesLayout layout_;
    QPixmap labels_;    ///< everything but lines and marks
    QImage linesImage_; ///< shown while no token is highlighted
    QWidget* bar_;
    QComboBox* mode_;
    HeadSquares* squares_;
    QScrollBar* scrollBar_;
};

} // namespace headscope::widgets
