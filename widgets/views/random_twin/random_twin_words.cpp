#include "widgets/views/random_twin/random_twin_words.h"

#include "widgets/drawing/token_label.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/words/captions.h"
#include "widgets/words/counting_words.h"

#include <QCoreApplication>
#include <QStringList>

#include <cmath>

namespace headscope::widgets {

namespace {

struct RandomTwinWords {
    Q_DECLARE_TR_FUNCTIONS(RandomTwinWords)
};

/// What the first path says after its start token, padding left out.
std::vector<trace::Token> saidTokens(const trace::Run& twin) {
    std::vector<trace::Token> tokens;
    for (const auto id : twin.tree.path(twin.paths.front().leaf)) {
        const auto& node = twin.tree.node(id);
        if (node.parent && node.token.role != trace::TokenRole::Padding)
            tokens.push_back(node.token);
    }
    return tokens;
}

/// "<s> 24 times, </s>"
QString counted(const std::vector<trace::Token>& tokens) {
    QStringList parts;
    for (std::size_t begin = 0, end = 0; begin < tokens.size(); begin = end) {
        while (end < tokens.size() && tokens[end].id == tokens[begin].id)
            ++end;
        const QString token = quoted(tokenLabel(tokens[begin]));
        const auto times = static_cast<int>(end - begin);
        parts += times == 1 ? token : RandomTwinWords::tr("%1 %n times", nullptr, times).arg(token);
    }
    return parts.join(QStringLiteral(", "));
}

} // namespace

QString twinSaidInWords(const trace::Run& twin) {
    if (twin.paths.empty())
        return {};
    const auto tokens = saidTokens(twin);
    if (tokens.empty())
        return RandomTwinWords::tr("nothing");
    const QString text = QString::fromStdString(twin.paths.front().output).trimmed();
    const QString said = text.isEmpty() ? counted(tokens) : quoted({.text = text});
    return tokens.back().role == trace::TokenRole::End
               ? said
               : RandomTwinWords::tr("%1, stopped after %n tokens", nullptr, static_cast<int>(tokens.size()))
                     .arg(said);
}

double guessing(const trace::Run& run) {
    const auto vocabulary = run.model->targetVocabulary;
    return vocabulary == 0 ? noNumber : -std::log(static_cast<double>(vocabulary));
}

QString readingsInWords(const std::vector<analysis::TokenReading>& readings, const trace::Run& run) {
    if (readings.empty())
        return {};
    const auto mean = analysis::meanReading(readings);
    if (run.path.empty())
        return RandomTwinWords::tr("The probability of each class in the model and in the twin.");
    const QString numbers =
        RandomTwinWords::tr(
            "Mean log-probability per token of the shown output: %1 in the model, %2 in the twin.")
            .arg(numberText(mean.first), numberText(mean.second));
    const auto vocabulary = run.model->targetVocabulary;
    return vocabulary == 0 ? numbers
                           : RandomTwinWords::tr("%1 Uniform guessing over %2 tokens gives %3.")
                                 .arg(numbers, QString::number(vocabulary), numberText(guessing(run)));
}

QString entropiesInWords(const analysis::EntropyComparison& entropies) {
    return RandomTwinWords::tr("%1, mean entropy of a row: %2 bits in the model, %3 in the twin, %4 at most.")
        .arg(address(entropies.head), numberText(entropies.first.mean), numberText(entropies.second.mean),
             numberText(entropies.first.largest));
}

} // namespace headscope::widgets
