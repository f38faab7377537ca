#pragma once

#include <QPen>
#include <QString>
#include <QStringList>
#include <QWidget>

#include "model/trace/run.h"
#include "widgets/animated_figure.h"
#include "widgets/view.h"
#include "widgets/views/beam_tree/beam_tree_layout.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

class QPainter;
class QScrollBar;

namespace headscope::widgets {

struct Theme;

/// Every hypothesis of a beam search, including pruned ones, step by step. The wheel zooms; dragging and the
/// scroll bar move; a click or Enter selects a hypothesis.
class BeamTreeView : public View, public AnimatedFigure {
    Q_OBJECT

  public:
    explicit BeamTreeView(QWidget* parent = nullptr);

    /// Keeps position and zoom while the same search is shown.
    void refresh() override;
    void setSpaceMarksShown(bool shown) override;
    /// The area of a node on the widget; empty if there is no such node.
    QRectF areaOf(trace::DecodeTree::NodeId id) const;
    bool isEmpty() const { return layout_.nodes.empty(); }

    std::optional<FigureBlocks> figureBlocks() const override;
    FigureText figureText() const override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    bool hasFigure() const override { return !isEmpty(); }
    trace::FigureData figureData() const override;
    QSize sizeHint() const override { return {720, 260}; }

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    void showRun(std::shared_ptr<const trace::Run> run);
    /// Shows all ranks, from the first step.
    void showAll();
    void layOut();
    void moveTo(QPointF offset, double scale);
    void setCursorPlace(std::optional<std::size_t> place);
    void showPlace(std::size_t place);
    QRectF treeArea() const;
    QPointF toTree(QPointF point) const { return (point - offset_) / scale_; }
    /// `lit`: the node under the pointer or the cursor.
    void drawTree(QPainter& painter, std::optional<std::size_t> lit, const Theme& theme) const;
    void drawLine(QPainter& painter, const BeamTreeNode& node, const Theme& theme) const;
    void drawNode(QPainter& painter, std::size_t place, bool lit, const Theme& theme) const;
    struct LegendEntry {
        QString words;
        trace::Fate fate;
        QPen line;
        QColor fill;
    };
    std::vector<LegendEntry> legend(const Theme& theme) const;
    double legendWidth() const;
    void drawLegend(QPainter& painter, const QRectF& area, const Theme& theme) const;
    /// In an animation, as far as it is decoded.
    std::span<const trace::DecodeTree::NodeId> shownPath() const;
    /// Returns true if the node is on the shown path and marks are shown.
    bool isMarked(trace::DecodeTree::NodeId id) const;

    std::shared_ptr<const trace::Run> run_;
    BeamTreeLayout layout_;
    QScrollBar* bar_;
    QPointF offset_; ///< of the tree's corner on the widget
    double scale_ = 1;
    std::optional<std::size_t> cursor_;
    std::optional<QPointF> dragFrom_;
    bool dragged_ = false;
    bool spaceMarks_ = true;
    bool opened_ = false; ///< the panel was, for a search
};

/// "pruned" and so on; one to three words, for the legend.
QString fateName(trace::Fate fate);

/// Why a hypothesis ended: "pruned: 3 others were more probable".
QString fateInWords(const trace::Run& run, trace::DecodeTree::NodeId id);

/// Everything about a hypothesis, one line each: token, step and rank; text; total log-probability with each
/// token's part; final score with its divisor; fate. For the root, its token alone.
QStringList hypothesisInWords(const trace::Run& run, trace::DecodeTree::NodeId id);

} // namespace headscope::widgets
