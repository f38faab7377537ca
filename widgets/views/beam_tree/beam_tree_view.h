#pragma once

#include <QPen>
#include <QString>

#include "model/trace/run.h"
#include "widgets/animated_figure.h"
#include "widgets/controls/figure_view.h"
#include "widgets/views/beam_tree/beam_tree_layout.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

class QPainter;

namespace headscope::widgets {

struct Theme;

/// Every hypothesis of a beam search, including pruned ones, step by step.
class BeamTreeView : public FigureView, public AnimatedFigure {
    Q_OBJECT

  public:
    using FigureView::FigureView;

    void refresh() override;
    void setSpaceMarksShown(bool shown) override;
    /// The area of a node in the tree; empty if there is no such node.
    QRectF areaOf(trace::DecodeTree::NodeId id) const;
    bool isEmpty() const { return layout_.nodes.empty(); }

    std::optional<FigureBlocks> figureBlocks() const override;
    FigureText figureText() const override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    bool hasFigure() const override { return !isEmpty(); }
    trace::FigureData figureData() const override;
    QString whyEmpty() const override;

  protected:
    void changeEvent(QEvent* event) override;

  private:
    void layOut();
    void drawTree(QPainter& painter, const Theme& theme) const;
    void drawLine(QPainter& painter, const BeamTreeNode& node, const Theme& theme) const;
    void drawNode(QPainter& painter, const BeamTreeNode& node, const Theme& theme) const;
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
    bool spaceMarks_ = true;
};

/// "pruned" and so on; one to three words, for the legend.
QString fateName(trace::Fate fate);

} // namespace headscope::widgets
