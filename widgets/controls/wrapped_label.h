#pragma once

#include <QLabel>

namespace headscope::widgets {

/// A label for plain text that wraps. If there is room for fewer lines than needed, as with large fonts in a
/// low window, the last line ends in an ellipsis, and the tooltip shows the full text.
class WrappedLabel : public QLabel {
    Q_OBJECT

  public:
    explicit WrappedLabel(QWidget* parent = nullptr);

    /// True if the text does not fit.
    bool isCut() const;
    /// Fixes the height to this number of lines, so that neighbours never move.
    void setLines(int lines);

  protected:
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

  private:
    void fitLines();

    int lines_ = 0; ///< 0: as many as the text needs
};

QLabel* wrappedLabel(QWidget* parent);
/// A label for a figure's caption, with captionLines lines.
QLabel* captionLabel(QWidget* parent);

} // namespace headscope::widgets
