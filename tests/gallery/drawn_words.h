#pragma once

#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>
#include <QPolygonF>
#include <QString>

#include <algorithm>
#include <vector>

namespace headscope::gallery {

/// A page that remembers what is written on it and where, and forgets all else.
class DrawnWords : public QPaintDevice {
  public:
    struct Word {
        QString text;
        QPolygonF shape; ///< of its small letters, on the page
    };

    explicit DrawnWords(QSize size) : size_(size), engine_(words_) {}

    const std::vector<Word>& words() const { return words_; }
    /// What is written over something else, or beyond the page's edge, in words; empty where nothing is.
    QString collision() const;

    QPaintEngine* paintEngine() const override { return &engine_; }

  protected:
    int metric(PaintDeviceMetric metric) const override {
        constexpr int dpi = 96;
        switch (metric) {
        case PdmWidth:
            return size_.width();
        case PdmHeight:
            return size_.height();
        case PdmWidthMM:
            return size_.width() * 254 / (10 * dpi);
        case PdmHeightMM:
            return size_.height() * 254 / (10 * dpi);
        case PdmDpiX:
        case PdmDpiY:
        case PdmPhysicalDpiX:
        case PdmPhysicalDpiY:
            return dpi;
        case PdmDepth:
            return 32;
        case PdmDevicePixelRatio:
            return 1;
        default:
            return QPaintDevice::metric(metric);
        }
    }

  private:
    class Engine : public QPaintEngine {
      public:
        explicit Engine(std::vector<Word>& words) : QPaintEngine(AllFeatures), words_(words) {}
        bool begin(QPaintDevice*) override { return true; }
        bool end() override { return true; }
        void updateState(const QPaintEngineState&) override {}
        void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
        void drawPath(const QPainterPath&) override {}
        void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
        void drawTextItem(const QPointF& at, const QTextItem& item) override {
            const double high = item.ascent() * 0.55;
            const QRectF letters(at.x(), at.y() - high, item.width(), high);
            const QString text = item.text().remove(QChar(0x2060)); // no sign, but a rule for lines
            if (std::ranges::any_of(text, [](QChar sign) { return sign.isPrint() && !sign.isSpace(); }))
                words_.push_back({text, painter()->combinedTransform().map(QPolygonF(letters))});
        }
        Type type() const override { return User; }

      private:
        std::vector<Word>& words_;
    };

    QSize size_;
    std::vector<Word> words_;
    mutable Engine engine_;
};

inline QString DrawnWords::collision() const {
    const QRectF page = QRectF(QPointF(), size_).adjusted(-1, -1, 1, 1);
    for (std::size_t i = 0; i < words_.size(); ++i) {
        if (!page.contains(words_[i].shape.boundingRect()))
            return QStringLiteral("\"%1\" is cut by the edge").arg(words_[i].text);
        for (std::size_t j = 0; j < i; ++j) {
            // What is marked is written once more, on itself.
            if (words_[i].text == words_[j].text ||
                !words_[i].shape.boundingRect().intersects(words_[j].shape.boundingRect()))
                continue;
            const QRectF both = words_[i].shape.intersected(words_[j].shape).boundingRect();
            if (std::min(both.width(), both.height()) > 1)
                return QStringLiteral("\"%1\" lies on \"%2\"").arg(words_[i].text, words_[j].text);
        }
    }
    return {};
}

} // namespace headscope::gallery
