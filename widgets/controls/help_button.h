#pragma once

#include <QToolButton>

namespace headscope::widgets {

/// The "?" beside the title of a card: shows what the card is about, in sentences.
class HelpButton : public QToolButton {
    Q_OBJECT

  public:
    explicit HelpButton(QWidget* parent);

    /// Hidden without words.
    void setWords(const QString& words);
};

} // namespace headscope::widgets
