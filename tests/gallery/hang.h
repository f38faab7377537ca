#pragma once

#include <QAnimationDriver>
#include <QApplication>
#include <QImage>
#include <QTest>

#include "tests/gallery/exhibits.h"
#include "widgets/drawing/theme.h"
#include "widgets/views/head_grid/head_grid_view.h"
#include "widgets/views/overview/overview_view.h"

#include <algorithm>
#include <memory>

/// Draws the exhibits: shared by the gallery's test and the safety net (tests/net).
namespace headscope::gallery {

/// An exhibit with its content and theme.
struct Hanging {
    int exhibit = 0; ///< of all()
    bool dark = false;
    QString content;

    /// In the order in which they are drawn: each size is the first one in one of the themes.
    QList<QSize> sizes() const {
        auto all = gallery::all()[exhibit].sizes;
        if (dark)
            std::ranges::reverse(all);
        return all;
    }
};

/// Dense screens draw only some of them.
inline QList<Hanging> hangings(bool isDense) {
    const QStringList contents =
        isDense ? QStringList{"sentence"} : QStringList{"sentence", "right-to-left", "chinese", "mixed",
                                                        "long",     "book",          "padded",  "nothing"};
    QList<Hanging> hung;
    for (int i = 0; i < all().size(); ++i)
        for (const bool dark : {false, true})
            for (const QString& content : contents) {
                if (dark && (content == "mixed" || content == "book" || content == "padded"))
                    continue; // the colours are those of the others
                if (all()[i].name.startsWith("long-") && content != "sentence" && content != "nothing")
                    continue; // they have a run of their own
                hung += {i, dark, content};
            }
    return hung;
}

/// Points that exhibits are drawn with besides the usual size.
inline constexpr int textSizes[] = {8, 24};

/// Sets the application's text size until it is destroyed.
class TextSize {
  public:
    explicit TextSize(int points) {
        QFont font = usual_;
        font.setPointSize(points);
        QApplication::setFont(font);
    }
    ~TextSize() { QApplication::setFont(usual_); }
    TextSize(const TextSize&) = delete;
    TextSize& operator=(const TextSize&) = delete;

  private:
    QFont usual_ = QApplication::font();
};

inline QString nameOf(const Hanging& hung, QSize size) {
    return QString("%1-%2-%3-%4")
        .arg(all()[hung.exhibit].name, hung.content, hung.dark ? "dark" : "light")
        .arg(size.width());
}

inline QString nameOf(const Exhibit& shown, int points) {
    return QString("%1-%2pt").arg(shown.name).arg(points);
}

/// Stops the time of all animations, such as a button that fades in, until it is destroyed: a picture must
/// not depend on when it is taken.
class StillAnimations : public QAnimationDriver {
  public:
    StillAnimations() { install(); }
    ~StillAnimations() override { uninstall(); }
    qint64 elapsed() const override { return elapsed_; }
    /// Takes running animations to their end.
    void finishAll() {
        constexpr int longest = 60'000; // milliseconds
        elapsed_ += longest;
        advance();
    }

  private:
    qint64 elapsed_ = 0;
};

/// An exhibit, made once for all of its sizes, because making it takes longer than drawing it.
class Hung {
  public:
    Hung(const Exhibit& shown, const QString& content, bool dark) {
        QApplication::setPalette(widgets::paletteOf(dark ? widgets::darkTheme() : widgets::lightTheme()));
        view_.reset(shown.make(&selection_, runOf(content)));
        if (content == "padded")
            selection_.setHover({.sourceQuery = 3, .sourceKey = 5, .targetQuery = 4, .targetKey = 2});
    }

    const QWidget& view() const { return *view_; }

    /// Returns its picture once it is complete and its animations have ended; null if that takes too long.
    QImage at(QSize size) {
        view_->resize(size);
        view_->show();
        if (!QTest::qWaitForWindowExposed(view_.get()))
            return {};
        QCoreApplication::processEvents();
        if (const auto* grid = qobject_cast<widgets::HeadGridView*>(view_.get());
            grid && !QTest::qWaitFor([&] { return grid->isComplete(); }))
            return {};
        if (const auto* overview = view_->findChild<widgets::OverviewView*>();
            overview && !QTest::qWaitFor([&] { return overview->isComplete(); }))
            return {};
        animations_.finishAll();
        return view_->grab().toImage();
    }

  private:
    StillAnimations animations_;
    widgets::Selection selection_;
    std::unique_ptr<QWidget> view_;
};

} // namespace headscope::gallery
