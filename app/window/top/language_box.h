#pragma once

#include <QComboBox>

#include <string>
#include <vector>

namespace headscope::app {

/// A language of a multilingual model, found by typing part of its name or code. Hidden if the model has no
/// choice.
class LanguageBox : public QComboBox {
    Q_OBJECT

  public:
    /// `name` is the accessible name.
    explicit LanguageBox(const QString& name, QWidget* parent = nullptr);

    /// Lists these codes, such as "fra" or "deu_Latn", in this order, and selects the first of `wanted` that
    /// is among them, else the first entry. `hasNone` adds an entry for no language, whose code is "".
    void setLanguages(const std::vector<std::string>& codes, const QStringList& wanted, bool hasNone);
    /// Lists these codes sorted by name and selects `wanted`; nothing if it is not among them.
    void setSortedLanguages(std::vector<std::string> codes, const std::string& wanted);
    /// The code; empty for no language.
    QString language() const { return currentData().toString(); }

    /// Emits no signal. Ignored if the model does not have the language.
    void setLanguage(const QString& language);

  Q_SIGNALS:
    /// The user selected another language.
    void languageChosen(const QString& language);

  protected:
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

  private:
    void settle();
    void showChosen();

    QString chosen_; ///< the last code that was selected, not only typed
};

} // namespace headscope::app
