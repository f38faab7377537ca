#pragma once

#include <QPixmap>
#include <QWidget>

class QVariantAnimation;

namespace headscope::app {

/// Lets a part of a page slide in or out at its lower edge: pictures move over the page, which is laid out
/// once. Does nothing where nothing may move (QStyle::SH_Widget_Animation_Duration).
class SlideOver : public QWidget {
    Q_OBJECT

  public:
    explicit SlideOver(QWidget* page);

    /// Before the page is another.
    void keep();
    /// `place`: of the part while it is open; `closed`: its height otherwise.
    void slideIn(const QRect& place, int closed);
    void slideOut(const QRect& place, int closed);

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    void start(const QRect& place, int from, int to);

    QPixmap before_; ///< the page; null: nothing moves
    QPixmap below_;
    QPixmap moving_;
    QVariantAnimation* motion_;
};

} // namespace headscope::app
