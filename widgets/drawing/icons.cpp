#include "widgets/drawing/icons.h"

#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QSvgRenderer>

#include <map>
#include <utility>

namespace headscope::widgets {

namespace {

const char* elementsOf(const std::string& name) {
    static const std::map<std::string, const char*> all{
#define ICON(name, elements) {name, elements},
#include "widgets/drawing/icons.def"
#undef ICON
    };
    const auto found = all.find(name);
    return found == all.end() ? nullptr : found->second;
}

/// Drawn anew each time, so that it follows the palette.
class DrawnIcon : public QIconEngine {
  public:
    explicit DrawnIcon(const char* elements) : elements_(elements) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override {
        const auto group = mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Active;
        const auto role = mode == QIcon::Selected                         ? QPalette::HighlightedText
                          : state == QIcon::On && mode != QIcon::Disabled ? QPalette::Highlight
                                                                          : QPalette::ButtonText;
        const QString colour = QGuiApplication::palette().color(group, role).name();
        const QString picture = QStringLiteral("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'>"
                                               "<g fill='none' stroke='{c}' stroke-width='1.3' "
                                               "stroke-linecap='round' stroke-linejoin='round'>%1</g></svg>")
                                    .arg(QLatin1String(elements_))
                                    .replace(QLatin1String("{c}"), colour);
        QSvgRenderer(picture.toUtf8()).render(painter, rect);
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        QPixmap page(size);
        page.fill(Qt::transparent);
        QPainter painter(&page);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return page;
    }
    QIconEngine* clone() const override { return new DrawnIcon(elements_); }

  private:
    const char* elements_;
};

} // namespace

QIcon icon(const std::string& name) {
    const char* elements = elementsOf(name);
    return elements ? QIcon(new DrawnIcon(elements)) : QIcon();
}

} // namespace headscope::widgets
