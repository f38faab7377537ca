#pragma once

#include <QComboBox>

#include "model/trace/model_summary.h"

#include <optional>

namespace headscope::app {

/// Which language a multilingual model translates into. Hidden where the model has no choice.
class TargetLanguageBox : public QComboBox {
    Q_OBJECT

  public:
    explicit TargetLanguageBox(QWidget* parent = nullptr);

    /// Shows the model's languages with `language` chosen; if it has none of that name the one that the model
    /// states, or else its first. "" is the choice to send a sentence as it is typed.
    void setModel(const trace::ModelSummary& model, const std::optional<QString>& language);
    /// A code such as "fra"; empty where sentences are sent as they are typed.
    QString language() const { return currentData().toString(); }

    /// Emits nothing; one that the model does not have is passed over.
    void setLanguage(const QString& language);

  Q_SIGNALS:
    /// The person chose another.
    void languageChosen(const QString& language);
};

} // namespace headscope::app
