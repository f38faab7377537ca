#pragma once

#include <QStringList>
#include <QWidget>

class QLabel;
class QPushButton;
class QSlider;
class QTimer;

namespace headscope::app {

/// The preview of a picture, or of the frames of an animation, with controls to play them.
class FigurePreview : public QWidget {
    Q_OBJECT

  public:
    explicit FigurePreview(QWidget* parent);

    /// False while it is too small to show anything.
    bool hasRoom() const;
    /// Resolution at which a picture of this size, in units of 1/96 inch, fills the preview.
    int dpi(QSizeF whole) const;
    /// Ignored while frames are shown.
    void setPicture(const QImage& picture);
    void clear();

    /// Shows the controls of an animation of so many frames.
    void setAnimated(bool animated, int frames);
    void setFrameTime(int milliseconds);
    /// The number of frames that are drawn so far.
    void setDrawn(int drawn, int frames);
    /// Plays frames from these files, which must stay until they are forgotten, if an animation is chosen.
    void play(const QStringList& files);
    /// True if frames are there.
    bool isPlayable() const { return !played_.isEmpty(); }
    void showFrame();
    void forgetFrames();

  Q_SIGNALS:
    /// Another size of the picture fits. Emitted once the layout is done.
    void resized();

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void start();
    void pause();

    QLabel* picture_;
    QWidget* player_;
    QPushButton* play_;
    QSlider* frame_;
    QLabel* frameWords_;
    QTimer* ticker_;
    int frameTime_ = 0;
    QStringList played_; ///< empty: not drawn yet
};

} // namespace headscope::app
