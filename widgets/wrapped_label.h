#pragma once

#include <QLabel>

namespace headscope::widgets {

/// A person's text as it is, in as many lines as there is room for. Where there is room for fewer than it
/// needs, as with large text in a low window, no line is cut through: the last one ends in dots, and the
/// tooltip says all of it.
class WrappedLabel : public QLabel {
    Q_OBJECT

  public:
    explicit WrappedLabel(QWidget* parent = nullptr);

    /// Some of the words have no room.
    bool isCut() const;

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
};

QLabel* wrappedLabel(QWidget* parent);

} // namespace headscope::widgets
