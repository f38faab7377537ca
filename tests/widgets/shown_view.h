#pragma once

#include <QAbstractButton>
#include <QString>
#include <QTest>
#include <QWidget>

#include "model/trace/run.h"
#include "widgets/selection.h"

#include <memory>
#include <utility>

namespace headscope::tests {

/// A view and the selection that it follows: `auto&& [selection, view] = ShownView<MaskView>(run);`
template <class View>
struct ShownView {
    widgets::Selection selection;
    View view{&selection};

    ShownView() = default;
    explicit ShownView(std::shared_ptr<const trace::Run> run) { view.setRun(std::move(run)); }
};

/// Shows it on the screen, in this size or in its own.
inline bool isSeen(QWidget& view, QSize size = {}) {
    if (size.isValid())
        view.resize(size);
    view.show();
    return QTest::qWaitForWindowExposed(&view);
}

/// The widget of this kind in `view` whose accessible name begins like this; null: there is none.
template <class Child>
Child* childNamed(const QWidget& view, const QString& name) {
    for (auto* child : view.findChildren<Child*>())
        if (child->accessibleName().startsWith(name))
            return child;
    return nullptr;
}

template <class Button = QAbstractButton>
Button* buttonOf(const QWidget& view, const QString& text) {
    for (auto* button : view.findChildren<Button*>())
        if (button->text() == text)
            return button;
    return nullptr;
}

/// Without the marks that isolate the direction of tokens.
inline QString plain(QString words) {
    return words.remove(QChar(0x2068)).remove(QChar(0x2069));
}

} // namespace headscope::tests
