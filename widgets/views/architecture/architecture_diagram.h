#pragma once

#include <QWidget>

#include "widgets/views/architecture/architecture_drawing.h"
#include "widgets/views/architecture/architecture_layout.h"
#include "widgets/views/architecture/architecture_words.h"

#include <optional>
#include <set>
#include <string>

class QScrollBar;

namespace headscope::widgets {

/// The figure of a model, with blocks that fold and unfold. The wheel zooms; dragging and the scroll bar
/// move; arrow keys move along the forward pass and between the columns; Enter, + and - fold.
class ArchitectureDiagram : public QWidget {
    Q_OBJECT

  public:
    /// `facts` must outlive the diagram. Call factsChanged() or modelChanged() after a change.
    explicit ArchitectureDiagram(const ArchitectureFacts& facts, QWidget* parent = nullptr);

    /// For another model: folds all blocks.
    void modelChanged();
    /// For another sentence, step or measurement.
    void factsChanged();

    /// The block whose numbers are shown; null if no model is open.
    const analysis::ArchitectureBlock* current() const;
    /// Selects the block, or the smallest folded block that contains it.
    void setCurrent(const std::string& role);
    bool isUnfolded(const std::string& role) const { return unfolded_.contains(role); }
    void setUnfolded(const std::string& role, bool unfolded);
    const std::set<std::string>& unfolded() const { return unfolded_; }
    /// Offset of the figure on the widget (x, y) and scale, if the user moved or zoomed; else empty.
    std::vector<double> zoom() const;
    /// Restores zoom(); any other value fits the figure.
    void setZoom(const std::vector<double>& zoom);
    /// The area of a block on the widget; empty if it is inside a folded block.
    QRectF areaOf(const std::string& role) const;
    /// The layout with unabbreviated labels, for a figure.
    ArchitectureLayout wholeLayout() const;

    QSize sizeHint() const override { return {640, 480}; }

  public Q_SLOTS:
    void setSpaceMarksShown(bool shown);
    void fit();

  Q_SIGNALS:
    /// Emitted for another current block, and for the same one after folding.
    void currentChanged();
    /// Emitted if the user chooses a block.
    void chosen(const std::string& role);
    /// Describes the block under the pointer in one line; empty if there is none.
    void blockDescribed(const QString& words);

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    void layOut();
    const ArchitectureLayout& layout() const;
    void place();
    bool needsLetters() const;
    double readableScale() const;
    double fittingScale() const;
    void moveTo(QPointF offset, double scale);
    void bringIntoSight(std::size_t box);
    void step(int along, int across);
    void choose(std::size_t box);
    void fold(bool unfold);
    void setHovered(std::optional<std::size_t> box);
    void describe(std::optional<std::size_t> box);
    std::optional<std::size_t> currentBox() const;
    QRectF picture() const;
    QPointF toFigure(QPointF point) const { return (point - offset_) / scale_; }

    const ArchitectureFacts& facts_;
    mutable bool isLaidOut_ = true; ///< layout_ is that of the facts
    mutable ArchitectureLayout layout_;
    std::set<std::string> unfolded_;
    std::string current_;
    QScrollBar* bar_;
    QPointF offset_; ///< of the figure's corner on the widget
    double scale_ = 1;
    mutable double wholeWidth_ = 0;   ///< of the layout with whole labels
    mutable bool hasLetters_ = false; ///< shapes on two lines, because whole labels do not fit
    bool fitted_ = true;              ///< until the user moves or zooms
    std::optional<std::size_t> hovered_;
    bool isSaid_ = false; ///< a block is described by blockDescribed()
    std::optional<QPointF> dragFrom_;
    bool dragged_ = false;
    bool spaceMarks_ = true;
};

} // namespace headscope::widgets
