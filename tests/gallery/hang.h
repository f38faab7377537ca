#pragma once

#include <QAnimationDriver>
#include <QApplication>
#include <QImage>
#include <QTest>

#include "tests/gallery/exhibits.h"
#include "widgets/head_grid_view.h"
#include "widgets/overview_view.h"
#include "widgets/theme.h"

#include <algorithm>
#include <memory>

/// How the exhibits are hung and drawn, for whoever looks at them.
namespace headscope::gallery {

/// One of them with what it shows.
struct Hanging {
    int exhibit = 0; ///< of all()
    bool dark = false;
    QString content;

    /// One after the other; each is the first in light or dark colours.
    QList<QSize> sizes() const {
        auto all = gallery::all()[exhibit].sizes;
        if (dark)
            std::ranges::reverse(all);
        return all;
    }
};

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

/// In points, besides the usual one.
inline constexpr int textSizes[] = {8, 24};

/// For as long as it lives.
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

/// For as long as it lives, nothing moves by itself, such as a button that fades in, until it is sent to its
/// end.
class StillAnimations : public QAnimationDriver {
  public:
    StillAnimations() { install(); }
    ~StillAnimations() override { uninstall(); }
    qint64 elapsed() const override { return elapsed_; }
    void finishAll() {
        constexpr int longest = 60'000; // milliseconds
        elapsed_ += longest;
        advance();
    }

  private:
    qint64 elapsed_ = 0;
};

/// An exhibit, made once for all of its sizes: that takes longer than drawing it does.
class Hung {
  public:
    Hung(const Exhibit& shown, const QString& content, bool dark) {
        QApplication::setPalette(widgets::paletteOf(dark ? widgets::darkTheme() : widgets::lightTheme()));
        view_.reset(shown.make(&selection_, runOf(content)));
        if (content == "padded")
            selection_.setHover({.sourceQuery = 3, .sourceKey = 5, .targetQuery = 4, .targetKey = 2});
    }

    const QWidget& view() const { return *view_; }

    /// What it looks like once nothing moves any more; null where that does not come.
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
