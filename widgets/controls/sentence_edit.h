#pragma once

#include <QStringList>
#include <QWidget>

class QLabel;
class QLineEdit;
class QMenu;
class QToolButton;

namespace headscope::widgets {

/// The sentence field, with samples and the user's history to choose from.
class SentenceEdit : public QWidget {
    Q_OBJECT

  public:
    /// More than four thousand tokens. Longer text is cut off with a notice, as every key stroke would stall
    /// the window: QLineEdit copies the accepted part of a longer paste once per character.
    static constexpr int longestSentence = 25000;

    explicit SentenceEdit(QWidget* parent = nullptr);

    /// The text, with line breaks and tabs replaced by spaces.
    QString text() const;
    QLineEdit* lineEdit() const { return line_; }
    /// Gives the field another accessible name and placeholder. Enter then submits an empty line, too.
    void makeOptional(const QString& name, const QString& placeholder);

  public Q_SLOTS:
    /// Emits no signal.
    void setText(const QString& text);
    /// `phenomena`: what each sentence is an example of; empty: they are not named.
    void setSamples(const QStringList& sentences, const QStringList& phenomena = {});
    /// The newest sentence comes first.
    void setHistory(const QStringList& sentences);

  Q_SIGNALS:
    /// Emitted on Enter, and for a sentence chosen from the list; for an empty line only if it is optional.
    void submitted(const QString& text);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void submit();
    void fillMenu();
    void saySentenceWasCut(bool cut);

    QLineEdit* line_;
    QToolButton* choose_;
    QMenu* menu_;
    QLabel* notice_;
    QStringList samples_;
    QStringList phenomena_;
    QStringList history_;
    bool isOptional_ = false;
};

} // namespace headscope::widgets
