#pragma once

#include <QAbstractScrollArea>
#include <QBasicTimer>

#include "model/trace/run.h"
#include "widgets/figure_source.h"
#include "widgets/head_thumbnails.h"
#include "widgets/selection.h"
#include "widgets/theme.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace headscope::widgets {

/// Every head of the selected kind as a small map: layers down, heads across. One widget paints all of them.
/// Large maps take a while: those in sight come first, and until it is there a picture is an empty field.
class HeadGridView : public QAbstractScrollArea, public FigureSource {
    Q_OBJECT

  public:
    /// `selection` outlives the view.
    explicit HeadGridView(Selection* selection, QWidget* parent = nullptr);

    /// May be null.
    void setRun(std::shared_ptr<const trace::Run> run);

    /// Where a head's picture stands in the viewport; empty if there is no such head.
    QRect thumbnailRect(const trace::HeadAddress& head) const;
    std::optional<trace::HeadAddress> headAt(QPoint viewportPosition) const;
    /// True once every picture is there, also those out of sight.
    bool isComplete() const;

    void drawFigure(QPainter& painter, QSize size) const override;
    FigureText figureText() const override;
    /// As high as the pictures need.
    QSize figureSize() const override;
    bool hasFigure() const override;
    QSize sizeHint() const override { return {560, 320}; }
    QSize minimumSizeHint() const override { return {160, 120}; }

  Q_SIGNALS:
    /// Double click or Enter: the person wants to see it large.
    void headOpened(headscope::trace::HeadAddress head);

  protected:
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void timerEvent(QTimerEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    /// Where thumbnails stand, before scrolling.
    struct Grid {
        int layers = 0;
        int heads = 0;
        QSize side;    ///< of a thumbnail, pixels
        QPoint origin; ///< of the first thumbnail
        QSize whole;   ///< of everything, headings included
        QRect cell(int layer, int head) const;
    };
    Grid grid(QSize available, bool mayScroll) const;
    trace::AttentionKind kind() const { return selection_->head().site.kind; }
    int layersShown() const;
    int headsShown() const;
    QString headDescription(const trace::HeadAddress& head) const;
    QString whyEmpty() const;
    QString caption() const;
    int captionHeight(int width) const;
    void drawWords(QPainter& painter, const Grid& grid, int width, const Theme& theme) const;
    using PictureOf = std::function<QPixmap(const trace::HeadAddress&)>;
    void drawPictures(QPainter& painter, const Grid& grid, const Theme& theme,
                      const PictureOf& picture) const;
    void drawFocus(QPainter& painter, const Grid& grid, const Theme& theme) const;
    void layOutAgain();
    void headMoved();
    void describeHead();
    void forgetPictures();
    std::vector<trace::HeadAddress> inOrderOfSight() const;
    ThumbnailLook look() const;
    void makeThumbnails();

    Selection* selection_;
    std::shared_ptr<const trace::Run> run_;
    Grid grid_;
    std::optional<trace::HeadAddress> hovered_;
    trace::AttentionKind shownKind_;
    HeadThumbnails thumbnails_;
    QBasicTimer rest_; ///< runs while pictures are missing
};

} // namespace headscope::widgets
