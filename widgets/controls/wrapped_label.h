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
    /// Always so high, however many lines the words have: what is beside it never moves.
    void setLines(int lines);

  protected:
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

  private:
    void fitLines();

    int lines_ = 0; ///< 0: as many as the words need
};

QLabel* wrappedLabel(QWidget* parent);
/// What is said beside a map, in captionLines.
QLabel* captionLabel(QWidget* parent);

} // namespace headscope::widgets
