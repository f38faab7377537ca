#pragma once

#include <QPixmap>
#include <QWidget>

#include "model/trace/run.h"
#include "widgets/filmed_figure.h"
#include "widgets/map/accessible_map.h"
#include "widgets/selection.h"
#include "widgets/view.h"
#include "widgets/views/lines/line_map.h"
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

/// Queries on the left, keys on the right, and a line for every pair, the stronger the larger the weight (the
/// attention-head view of Vig 2019, "A Multiscale Visualization of Attention in the Transformer Model"). One
/// head, or several of its layer in colours. A token that is hovered or pinned shows its lines only, with the
/// weights in numbers.
class LinesView : public View, public FilmedFigure, public ReadableMap {
    Q_OBJECT

  public:
    enum class Shown {
        OneHead,  ///< the selected one
        Chosen,   ///< of the selected head's layer, mostChosen at most
        AllHeads, ///< of that layer
    };
    static constexpr std::size_t mostChosen = 8;
    static constexpr double mostThreshold = 0.05;
    /// Weights below it are no lines: in a long text, ten times what each key gets where all get the same.
    static double thresholdOf(std::size_t keys);
    static constexpr std::size_t mostLines = 400;

    /// `selection` outlives the view.
    explicit LinesView(Selection* selection, QWidget* parent = nullptr);

    /// May be null.
    void setRun(std::shared_ptr<const trace::Run> run) override;
    Shown shown() const { return shown_; }
    /// In their order, without repeats.
    const std::vector<int>& heads() const { return picture_.heads; }
    const StrongLines& lines() const { return lines_; }
    bool showsWords() const { return words_; }
    /// Where the tokens are, for tests.
    const LinesLayout& linesLayout() const { return layout_; }

    void drawFigure(QPainter& painter, QSize size, const Theme& theme) const override;
    FigureText figureText() const override;
    void showPicture(const PictureOptions& options) override;
    void addChoices(ViewChoices& choices) override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    QSize figureSize() const override;
    QSize narrowFigure(int width) const override;
    bool hasFigure() const override { return record() != nullptr; }
    trace::FigureData figureData() const override;
    int rowCount() const override { return static_cast<int>(picture_.queryLabels.size()); }
    int columnCount() const override { return static_cast<int>(picture_.keyLabels.size()); }
    QString rowName(int row) const override;
    QString columnName(int column) const override;
    QString cellInWords(MapCell cell) const override;
    QRect cellArea(MapCell cell) const override;
    std::optional<MapCell> cursorCell() const override;
    std::optional<Errand> errand() override;
    QSize sizeHint() const override { return {640, 480}; }
    QSize minimumSizeHint() const override { return {240, 180}; }

  public Q_SLOTS:
    void setShown(headscope::widgets::LinesView::Shown shown);
    void toggleHead(int head);
    /// Chosen ones, mostChosen at most; those that the layer does not have are not shown.
    void chooseHeads(std::vector<int> heads);
    void setSpaceMarksShown(bool shown) override;
    void setMapOptions(const headscope::widgets::MapOptions& options) override;
    /// Instead of pieces.
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
    /// Where the parts of the view stand within `area`.
    struct Frame {
        QRectF axes;    ///< what left and right are, in a line or two
        QRectF columns; ///< the tokens and the lines
        QRectF caption;
    };
    Frame frame(const QRectF& area, const QString& caption) const;
    QRectF pictureArea() const;
    LinesLayout layOut(const QRectF& columns, bool scrolls) const;
    /// Null where there is no row to show.
    const trace::AttentionRecord* record() const;
    /// The same, or its words.
    const trace::AttentionRecord* drawn() const { return map_.words ? &*map_.words : record(); }

    /// Whose lines are drawn: those of maps that the run left out come later.
    struct Whose {
        std::shared_ptr<const trace::Run> run;
        trace::AttentionSite site;
        std::vector<int> heads;
        bool words = false;
        friend bool operator==(const Whose&, const Whose&) = default;
    };
    Whose shownLines() const { return {run_, selection_->head().site, picture_.heads, words_}; }
    bool isCounted() const { return linesOf_ == shownLines(); }
    std::vector<int> headsToShow(int count) const;
    LinesMarks marks(const TokenFocus& focus) const;
    LinesMarks marks() const { return marks(selection_->focus()); }
    /// What is pinned, which a page shows; not what the pointer is on.
    LinesMarks pinnedMarks() const;
    std::vector<AttentionLine> linesOfFocus() const;
    std::vector<AttentionLine> linesOfToken(std::optional<int> query, std::optional<int> key) const;
    QString axesInWords() const;
    MapUnit unit() const;
    QString caption(bool isPage = false) const;
    QString figureCaption() const;
    QString captionWith(const QString& lines) const;
    QString whyEmpty() const override;
    QString weightInWords(int head, MapCell cell) const;
    QString focusInWords() const;
    TokenFocus focusAt(QPointF position) const;
    void drawWords(QPainter& painter, const Frame& parts, const LinesLayout& layout, const QString& caption,
                   const Theme& theme) const;
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
    Whose linesOf_;
    double shareCounted_ = 0; ///< of lines that come later
    QString whyNot_;          ///< the lines are not counted
    double queryWidth_ = 0;   ///< of the widest label
    double keyWidth_ = 0;
    LinesLayout layout_;
    QPixmap labels_;    ///< everything but lines and marks
    QImage linesImage_; ///< drawn while no token is lit
    QWidget* bar_;
    QComboBox* mode_;
    HeadSquares* squares_;
    QScrollBar* scrollBar_;
};

} // namespace headscope::widgets
