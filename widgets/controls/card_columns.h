#pragma once

#include <QFrame>
#include <QScrollArea>

#include <vector>

namespace headscope::widgets {

/// A card on the background of pictures, which tables in it have, too.
class CardFrame : public QFrame {
    Q_OBJECT

  public:
    explicit CardFrame(QWidget* parent);
};

/// Cards in two columns, which share the width; below each other where that is too little. Cards that do not
/// fit scroll.
class CardColumns : public QScrollArea {
    Q_OBJECT

  public:
    /// Widths of the columns, in proportion.
    CardColumns(int left, int right, QWidget* parent);

    /// Below the cards of its column, whose height they share in proportion to `share`. It has at least the
    /// height that its content needs, and so many lines of text.
    CardFrame* add(int column, QWidget* content, int share, int leastLines);
    /// Hides a card, and gives its room to the others.
    void setShown(CardFrame* card, bool isShown);

    QSize minimumSizeHint() const override;

  Q_SIGNALS:
    /// A widget in a card has got the keys.
    void entered(QWidget* widget);

  protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    struct Card {
        CardFrame* frame = nullptr;
        int column = 0;
        int share = 1;
        int leastLines = 0;
    };
    void layOut();
    int heightOf(const Card& card, int width) const;

    int left_;
    int right_;
    std::vector<Card> cards_;
};

} // namespace headscope::widgets
