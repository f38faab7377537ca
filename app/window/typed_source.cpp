#include "app/window/typed_source.h"

#include <QRegularExpression>
#include <QStringList>

#include <algorithm>

namespace headscope::app {

std::optional<trace::Source> typedSource(const QString& text, const trace::ModelSummary& model) {
    if (!model.tokenizer.empty())
        return text.toStdString();
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
    constexpr std::int64_t most = 8;
    const auto vocabulary = model.sourceVocabulary;
    QStringList ids;
    for (std::int64_t i = 0; i < std::min(most, vocabulary); ++i)
        ids += QString::number((vocabulary / 2 + i) % vocabulary);
    for (const auto id : model.special.sourceSuffix)
        ids += QString::number(id);
    return ids.join(' ');
}

} // namespace headscope::app
