#pragma once

#include <QWidget>

class QLabel;

namespace headscope::widgets {

class HelpButton;

/// The first line of a card: its title, what that is in other words, and controls at the right; in a narrow
/// card they stand on further lines.
class CardHead : public QWidget {
    Q_OBJECT

  public:
    CardHead(const QString& title, const QString& subtitle, QWidget* parent);

    /// Further right than what was added before. The control may be hidden.
    void add(QWidget* control);
    void setTitle(const QString& title);
    void setSubtitle(const QString& subtitle);
    /// What the card shows, in sentences.
    void setHelp(const QString& words);

  protected:
    bool event(QEvent* event) override;

  private:
    void fit();

    QLabel* title_;
    QLabel* subtitle_; ///< hidden where there is no room for all of it
    HelpButton* help_;
};

/// A word of the question above a canvas or cards.
QLabel* headlineLabel(const QString& words, QWidget* parent);
/// A label with a frame around few words.
QLabel* newPill(QWidget* parent);

} // namespace headscope::widgets
