#include "app/export/figure_preview.h"

#include "app/choices/picture_options.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QImage>
#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace headscope::app {

FigurePreview::FigurePreview(QWidget* parent)
    : QWidget(parent), picture_(new QLabel(this)), player_(new QWidget(this)),
      play_(new QPushButton(tr("&Play"), player_)), frame_(new QSlider(Qt::Horizontal, player_)),
      frameWords_(new QLabel(player_)), ticker_(new QTimer(this)) {
    picture_->setAlignment(Qt::AlignCenter);
    picture_->setMinimumSize(320, 240);
    picture_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    picture_->setAccessibleName(tr("Preview of the picture"));
    picture_->installEventFilter(this);
    play_->setAutoDefault(false);
    play_->setObjectName("play");
    frame_->setAccessibleName(tr("Frame"));
    auto* row = new QHBoxLayout;
    row->addWidget(play_);
    row->addWidget(frame_, 1);
    auto* lines = new QVBoxLayout(player_);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->addLayout(row);
    lines->addWidget(frameWords_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(picture_, 1);
    column->addWidget(player_);
    connect(ticker_, &QTimer::timeout, this,
            [this] { frame_->setValue(frame_->value() % frame_->maximum() + 1); });
    connect(frame_, &QSlider::valueChanged, this, &FigurePreview::showFrame);
    connect(play_, &QPushButton::clicked, this, [this] { ticker_->isActive() ? pause() : start(); });
}

bool FigurePreview::hasRoom() const {
    return picture_->width() >= 8 && picture_->height() >= 8;
}

int FigurePreview::dpi(QSizeF whole) const {
    const double scale =
        std::min({(picture_->width() - 4) / whole.width(), (picture_->height() - 4) / whole.height(), 1.0});
    return std::max(1, static_cast<int>(std::floor(96 * scale * devicePixelRatioF())));
}

void FigurePreview::setPicture(const QImage& picture) {
    if (isPlayable())
        return;
    QPixmap shown = QPixmap::fromImage(picture);
    shown.setDevicePixelRatio(devicePixelRatioF());
    picture_->setPixmap(shown);
}

void FigurePreview::clear() {
    picture_->clear();
}

/// Widgets below the preview may take room from it, such as a progress bar.
bool FigurePreview::eventFilter(QObject* watched, QEvent* event) {
    if (watched == picture_ && event->type() == QEvent::Resize)
        QMetaObject::invokeMethod(this, &FigurePreview::resized, Qt::QueuedConnection);
    return QWidget::eventFilter(watched, event);
}

void FigurePreview::setAnimated(bool animated, int frames) {
    player_->setVisible(animated);
    frame_->setRange(1, std::max(1, frames));
}

void FigurePreview::setFrameTime(int milliseconds) {
    frameTime_ = milliseconds;
    ticker_->setInterval(milliseconds);
}

void FigurePreview::setDrawn(int drawn, int frames) {
    frameWords_->setText(drawn > 0 ? tr("Drawing frame %1 of %2").arg(drawn).arg(frames)
                                   : tr("Drawing the frames..."));
}

void FigurePreview::forgetFrames() {
    pause();
    played_.clear();
    play_->setEnabled(false);
    frame_->setEnabled(false);
    frameWords_->clear();
}

void FigurePreview::play(const QStringList& files) {
    if (files.isEmpty() || player_->isHidden())
        return;
    played_ = files;
    play_->setEnabled(true);
    frame_->setEnabled(true);
    frame_->setRange(1, static_cast<int>(files.size()));
    showFrame();
    start();
}

void FigurePreview::start() {
    ticker_->start(frameTime_);
    play_->setText(tr("&Pause"));
}

void FigurePreview::pause() {
    ticker_->stop();
    play_->setText(tr("&Play"));
}

void FigurePreview::showFrame() {
    const int frame = frame_->value();
    if (frame > played_.size())
        return;
    QPixmap picture(played_.at(frame - 1));
    // The frames were drawn for the size of the preview at that time.
    const QSize room = picture_->size() * devicePixelRatioF();
    if (picture.width() > room.width() || picture.height() > room.height())
        picture = picture.scaled(room, Qt::KeepAspectRatio, Qt::SmoothTransformation);
    picture.setDevicePixelRatio(devicePixelRatioF());
    picture_->setPixmap(picture);
    frameWords_->setText(tr("Frame %1 of %2").arg(frame).arg(played_.size()));
    if (ticker_->isActive())
        ticker_->setInterval(frame == frame_->maximum() ? lastFrameTime(frameTime_) : frameTime_);
}

} // namespace headscope::app
