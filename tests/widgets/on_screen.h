#pragma once

#include <QImage>
#include <QPixmap>
#include <QScreen>
#include <QWidget>

namespace headscope::tests {

/// What was painted last, which is not what a widget that is asked to draw itself draws now.
inline QImage onScreen(const QWidget& window) {
    return window.screen()->grabWindow(window.winId()).toImage().convertToFormat(QImage::Format_RGB32);
}

inline QImage drawnNow(QWidget& window) {
    return window.grab().toImage().convertToFormat(QImage::Format_RGB32);
}

} // namespace headscope::tests
