#pragma once

#include <QStringList>
#include <QWidget>

class QLabel;
class QLineEdit;
class QMenu;
class QToolButton;

namespace headscope::widgets {

/// The line with the sentence, with samples and the person's history to choose from.
class SentenceEdit : public QWidget {
    Q_OBJECT

  public:
    /// Four thousand tokens and more. The rest is cut off and said in words: each key would stall the window,
    /// and QLineEdit copies as much as it takes of a longer paste once for every character of it.
    static constexpr int longestSentence = 25000;

    explicit SentenceEdit(QWidget* parent = nullptr);

    /// Line breaks and tabs are spaces.
    QString text() const;
    QLineEdit* lineEdit() const { return line_; }

  public Q_SLOTS:
    /// Emits nothing.
    void setText(const QString& text);
    void setSamples(const QStringList& sentences);
    /// Newest first.
    void setHistory(const QStringList& sentences);

  Q_SIGNALS:
    /// Enter, or a sentence chosen from the list. Not emitted for an empty line.
    void submitted(const QString& text);

  private:
    void submit();
    void fillMenu();
    void saySentenceWasCut(bool cut);

    QLineEdit* line_;
    QToolButton* choose_;
    QMenu* menu_;
    QLabel* notice_;
    QStringList samples_;
    QStringList history_;
};

} // namespace headscope::widgets
