#include "widgets/views/classifier/read_class.h"

#include "widgets/export/figure_data_parts.h"
#include "widgets/words/class_title.h"
#include "widgets/words/counting_words.h"
#include "widgets/words/trace_words.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headscope::widgets {

namespace {

struct ClassifierWords {
    Q_DECLARE_TR_FUNCTIONS(Classifier)
};

} // namespace

QString ReadClass::name() const {
    return classTitle(*run.model, chosen);
}

TokenLabel ReadClass::wordName(const analysis::WordEffect& word) const {
    TokenLabel name = tokenLabel(run.source.at(word.firstToken));
    for (std::size_t token = word.firstToken + 1; token < word.lastToken; ++token)
        name.text += tokenLabel(run.source.at(token)).text;
    return name;
}

QString ReadClass::answerCaption() const {
    const auto& given = reading.contributions[chosen];
    const double tokens = std::accumulate(given.begin(), given.end(), 0.0);
    QString words =
        ClassifierWords::tr(
            "Above: the probability of each class. Below: the contribution of each token to the "
            "logit of %2 (shade and number), and how many of the %1 pooled features it gave (bar). "
            "Tokens %3 + bias %4 = logit %5.")
            .arg(reading.positions.size())
            .arg(name(), numberText(tokens), numberText(reading.bias[chosen]),
                 numberText(tokens + reading.bias[chosen]));
    const auto padding = std::ranges::count_if(reading.positions, [this](std::size_t position) {
        return position < run.source.size() && run.source[position].role == trace::TokenRole::Padding;
    });
    if (padding > 0)
        words += QChar(' ') +
                 ClassifierWords::tr("%n features came from padding.", nullptr, static_cast<int>(padding));
    return words;
}

QString ReadClass::wordsCaption(bool showsProbabilities, bool isSorted) const {
    return ClassifierWords::tr(
               "Loss in the %1 of %2 (now %3) when the sentence is read again without a word; later words "
               "move up. Bars to the right: the word supported the class. %4.")
        .arg(showsProbabilities ? ClassifierWords::tr("probability") : ClassifierWords::tr("log-probability"),
             name(),
             numberText(showsProbabilities ? std::exp(reading.logProbabilities[chosen])
                                           : reading.logProbabilities[chosen]),
             isSorted ? ClassifierWords::tr("Largest first") : ClassifierWords::tr("In reading order"));
}

/// How the two pages disagree; empty if both put the same word first.
QString ReadClass::whereTheyDiffer() const {
    const auto apart = analysis::wordsApart(reading, chosen);
    if (!apart)
        return {};
    const auto words = analysis::wordEffects(reading, chosen);
    const QString added = quoted(wordName(words[apart->added])),
                  contribution = numberText(apart->contribution);
    if (!apart->lost)
        return ClassifierWords::
            tr("%1 contributes most to the logit of %2 (%3), but no word makes %2 less probable when left "
               "out: contributions split one reading of the sentence; leaving a word out is another "
               "reading.")
                .arg(added, name(), contribution);
    return ClassifierWords::tr(
               "%1 contributes most to the logit of %2 (%3), but leaving out %4 lowers its log-probability "
               "most (by %5): contributions split one reading of the sentence; leaving a word out is another "
               "reading.")
        .arg(added, name(), contribution, quoted(wordName(words[*apart->lost])),
             numberText(words[*apart->lost].logProbabilityLost));
}

QString ReadClass::reason() const {
    const auto words = analysis::wordEffects(reading, chosen);
    const auto most = std::ranges::max_element(words, {}, &analysis::WordEffect::logProbabilityLost);
    if (most == words.end() || most->logProbabilityLost <= 0)
        return ClassifierWords::tr("No single word matters: without any of them %1 stays as probable.")
            .arg(name());
    QString text =
        ClassifierWords::tr("Without %1, %2 falls most: from %3 to %4.")
            .arg(quoted(wordName(*most)), name(), shareInWords(std::exp(reading.logProbabilities[chosen])),
                 shareInWords(most->probabilityWithout));
    if (const auto apart = analysis::wordsApart(reading, chosen))
        text += QChar(' ') + ClassifierWords::tr("%1 contributes most to its logit (%2).")
                                 .arg(quoted(wordName(words[apart->added])), numberText(apart->contribution));
    return text;
}

/// Includes the weights to every class.
trace::DataTable ReadClass::featureData() const {
    QStringList tokens;
    std::vector<double> features, positions;
    for (std::size_t f = 0; f < reading.positions.size(); ++f) {
        features.push_back(static_cast<double>(f));
        positions.push_back(static_cast<double>(reading.positions[f]));
        tokens += tokenLabel(run.source.at(reading.positions[f])).full();
    }
    trace::DataTable table{.name = "features",
                           .columns = {dataColumn("feature", features), dataColumn("position", positions),
                                       dataColumn("token", tokens), dataColumn("value", reading.features)}};
    for (std::size_t c = 0; c < reading.weights.size(); ++c)
        table.columns.push_back(
            dataColumn(("weight_" + classTitle(*run.model, c)).toStdString(), reading.weights[c]));
    return table;
}

} // namespace headscope::widgets
