#include "widgets/words/typed_source.h"

#include "model/trace/example_ids.h"

#include <QRegularExpression>
#include <QStringList>

namespace headscope::widgets {

std::optional<trace::Source> typedSource(const QString& text, const trace::ModelSummary& model,
                                         const QString& language) {
    if (!model.tokenizer.empty()) {
        const bool hasCode = text.startsWith(">>") && text.contains("<<");
        const QString code = language.isEmpty() || hasCode ? QString() : ">>" + language + "<< ";
        return (code + text).toStdString();
    }
    trace::SourceIds source;
    for (const QString& word : text.split(QRegularExpression("[\\s,]+"), Qt::SkipEmptyParts)) {
        bool isNumber = false;
        source.ids.push_back(word.toLongLong(&isNumber));
        if (!isNumber)
            return std::nullopt;
    }
    return source;
}

std::string languageCode(const trace::Source& source) {
    const auto* text = std::get_if<std::string>(&source);
    const auto end = text && text->starts_with(">>") ? text->find("<<") : std::string::npos;
    return end == std::string::npos ? std::string() : text->substr(2, end - 2);
}

QString typedText(const trace::Source& source) {
    if (const auto* text = std::get_if<std::string>(&source))
        return QString::fromStdString(*text);
    QStringList words;
    if (const auto* ids = std::get_if<trace::SourceIds>(&source))
        for (const auto id : ids->ids)
            words += QString::number(id);
    return words.join(' ');
}

QString exampleIdsText(const trace::ModelSummary& model) {
    return typedText(trace::exampleIds(model));
}

} // namespace headscope::widgets
