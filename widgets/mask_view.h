#pragma once

#include <QPixmap>
#include <QWidget>

#include "model/trace/run.h"
#include "widgets/figure_source.h"
#include "widgets/map_picture.h"
#include "widgets/selection.h"

#include <array>
#include <memory>
#include <optional>

class QSpinBox;

namespace headscope::widgets {

struct Theme;

/// The masks of the selected head's attention: the subsequent mask, the padding mask, and the mask that the
/// model really applied. Says so in words when the third is not the first two together.
class MaskView : public QWidget, public FigureSource {
    Q_OBJECT

  public:
    /// `selection` outlives the view.
    explicit MaskView(Selection* selection, QWidget* parent = nullptr);

    /// May be null. The spin boxes follow the run's padding without emitting anything.
    void setRun(std::shared_ptr<const trace::Run> run);

    /// The sentence under the pictures, with the first cell that disagrees.
    QString verdict() const;

    void drawFigure(QPainter& painter, QSize size) const override;
    FigureText figureText() const override;
    QSize figureSize() const override { return {1000, 420}; }
    bool hasFigure() const override;
    QSize sizeHint() const override { return {720, 360}; }

  public Q_SLOTS:
    void setSpaceMarksShown(bool shown);

  Q_SIGNALS:
    /// A person asked for padding; counts are tokens appended.
    void paddingChanged(int source, int target);

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    struct Part {
        QString title;
        QString words; ///< shown instead of a picture where the mask does not apply
        trace::MaskMatrix mask;
        trace::Matrix values; ///< 1 where open
        QRectF area;          ///< the title and the picture under it
        MapLayout layout;
        std::vector<TokenLabel> rowLabels;
        std::vector<TokenLabel> columnLabels;
    };
    void buildParts();
    void layOutParts(std::array<Part, 3>& parts, const QRectF& area) const;
    void drawFocus(QPainter& painter, const Theme& theme) const;
    void drawParts(QPainter& painter, const std::array<Part, 3>& parts, const QRectF& area,
                   const Theme& theme) const;
    MapPicture picture(const Part& part, const Theme& theme) const;
    QRectF pictureArea() const;
    /// What the pointer would light up there: a cell, or the row or column of a label.
    TokenFocus focusAt(QPointF position) const;
    QString focusInWords(const TokenFocus& focus) const;
    trace::AttentionKind kind() const { return selection_->head().site.kind; }

    Selection* selection_;
    std::shared_ptr<const trace::Run> run_;
    std::array<Part, 3> parts_; ///< subsequent, padding, applied
    QPixmap still_;             ///< everything that hovering does not change
    QSpinBox* sourcePadding_;
    QSpinBox* targetPadding_;
    bool spaceMarks_ = true;
};

} // namespace headscope::widgets
