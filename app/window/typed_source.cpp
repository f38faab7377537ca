#include "app/window/typed_source.h"

#include "model/trace/example_ids.h"

#include <QRegularExpression>
#include <QStringList>

namespace headscope::app {

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

QString exampleIds(const trace::ModelSummary& model) {
    QStringList ids;
    for (const auto id : trace::exampleIds(model).ids)
        ids += QString::number(id);
    return ids.join(' ');
}

} // namespace headscope::app
