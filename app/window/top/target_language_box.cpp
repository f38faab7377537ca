#include "app/window/top/target_language_box.h"

#include "widgets/words/captions.h"

#include <algorithm>

namespace headscope::app {

TargetLanguageBox::TargetLanguageBox(QWidget* parent) : QComboBox(parent) {
    setAccessibleName(tr("Language to translate into"));
    setToolTip(tr("The target language. A sentence that begins with its own code, such as >>fra<<, is sent "
                  "unchanged."));
    setSizeAdjustPolicy(QComboBox::AdjustToContents);
    hide();
    connect(this, &QComboBox::activated, this, [this] { Q_EMIT languageChosen(language()); });
}

void TargetLanguageBox::setModel(const trace::ModelSummary& model, const std::optional<QString>& language) {
    clear();
    for (const auto& code : model.targetLanguages) {
        const QString plain = QString::fromStdString(code);
        const QString name = widgets::languageName(code);
        addItem(name == plain ? plain : tr("%1 (%2)", "a language's name and code").arg(name, plain), plain);
    }
    addItem(tr("as typed"), QString());
    int chosen = language ? findData(*language) : -1;
    if (chosen < 0 && !model.targetLanguage.empty())
        chosen = findData(QString::fromStdString(model.targetLanguage));
    setCurrentIndex(std::max(0, chosen));
    setVisible(!model.targetLanguages.empty());
}

void TargetLanguageBox::setLanguage(const QString& language) {
    if (const int place = findData(language); place >= 0)
        setCurrentIndex(place);
}

} // namespace headscope::app
