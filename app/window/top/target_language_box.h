#pragma once

#include <QComboBox>

#include "model/trace/model_summary.h"

#include <optional>

namespace headscope::app {

/// Target language of a multilingual model. Hidden if the model has no choice.
class TargetLanguageBox : public QComboBox {
    Q_OBJECT

  public:
    explicit TargetLanguageBox(QWidget* parent = nullptr);

    /// Lists the model's languages and selects `language`, else the model's default, else the first. "" means
    /// that a sentence is sent as typed.
    void setModel(const trace::ModelSummary& model, const std::optional<QString>& language);
    /// A code such as "fra"; empty if sentences are sent as typed.
    QString language() const { return currentData().toString(); }

    /// Emits no signal. Ignored if the model does not have the language.
    void setLanguage(const QString& language);

  Q_SIGNALS:
    /// The user selected another language.
    void languageChosen(const QString& language);
};

} // namespace headscope::app
