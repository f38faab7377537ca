#pragma once

#include <QScrollArea>

#include <string>
#include <vector>

namespace headscope::widgets {
struct Place;
class View;
} // namespace headscope::widgets

namespace headscope::app {

class ViewSlot;

/// Cards beside and below each other, all of them seen together: in rows as wide as the area, with fewer
/// cards where it is narrow, and scrolled where it is low.
class CardArea : public QScrollArea {
    Q_OBJECT

  public:
    explicit CardArea(QWidget* parent);

    /// Right of those before, or below them. The view must outlive this.
    ViewSlot* add(const widgets::Place& place, widgets::View* view);
    void setShown(const std::string& view, bool isShown);
    /// The card with the keys in it, else the first one that is shown; empty: none is.
    std::string front() const;

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

  private:
    class Frame;
    /// How much larger cards are than their places say, because of the size of the text.
    double growth() const;
    /// Shown cards, in rows.
    std::vector<std::vector<Frame*>> rows(int width) const;
    void layOut();
    void followFocus(QWidget* now);

    std::vector<Frame*> cards_;
    std::string front_;
};

} // namespace headscope::app
