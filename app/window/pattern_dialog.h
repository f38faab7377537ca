#pragma once

#include <QDialog>

#include "app/work/work_queue.h"
#include "model/trace/token.h"

#include <string>
#include <vector>

class QLabel;
class QLineEdit;
class QPushButton;
class QTimer;

namespace headscope::widgets {
class TokenStrip;
}

namespace headscope::app {

/// Asks for the regular expression that splits a model's text, and shows the tokens of a sentence as the open
/// model would read them.
class PatternDialog : public QDialog {
    Q_OBJECT

  public:
    /// The queue must outlive this. An empty `pattern` stands for the splitting of the model's files.
    PatternDialog(WorkQueue* queue, const QString& pattern, const QString& sentence, QWidget* parent);

    QString pattern() const;

  private:
    void edited();
    void ask();
    void showTokens(const std::vector<trace::Token>& tokens);
    void say(const QString& words, bool isUsable);

    WorkQueue* queue_;
    std::string sentence_;
    QLineEdit* field_;
    widgets::TokenStrip* strip_;
    QLabel* says_;
    QPushButton* use_;
    QTimer* settle_;
};

} // namespace headscope::app
