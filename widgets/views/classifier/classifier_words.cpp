#include "widgets/views/classifier/classifier_words.h"

#include "widgets/drawing/shown_number.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/words/captions.h"
#include "widgets/words/card_words.h"
#include "widgets/words/class_title.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headscope::widgets {

namespace {

struct ClassifierWords {
    Q_DECLARE_TR_FUNCTIONS(Classifier)
};

QString logitText(double value) {
    const QString size = QString::number(std::abs(value), 'f', 3);
    return shownNumber((value < 0 ? '-' : '+') + size);
}

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

QString ReadClass::sum() const {
    const auto& given = reading.contributions[chosen];
    const double tokens = std::accumulate(given.begin(), given.end(), 0.0);
    return ClassifierWords::tr("tokens %1  +  bias %2  =  logit %3")
        .arg(logitText(tokens), logitText(reading.bias[chosen]), logitText(tokens + reading.bias[chosen]));
}

QString ReadClass::tableCaption(bool showsProbabilities) const {
    const QString measure =
        showsProbabilities ? ClassifierWords::tr("probability") : ClassifierWords::tr("log-probability");
    return ClassifierWords::tr("The contribution of each token to the logit of %1 (%2), how many of the %3 "
                               "pooled features it gave, and the %4 of %1 lost when the sentence is read "
                               "again without the word.")
        .arg(name(), sum().simplified(), QString::number(reading.positions.size()), measure);
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
        words += QChar(' ') + ClassifierWords::tr("Features from padding: %n.", nullptr, padding);
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
        return ClassifierWords::tr("%1 contributes most to the logit of %2 (%3), but leaving out any one "
                                   "word does not make %2 less probable: contributions split one reading of "
                                   "the sentence; leaving a word out is another reading.")
            .arg(added, name(), contribution);
    return ClassifierWords::tr(
               "%1 contributes most to the logit of %2 (%3), but leaving out %4 lowers its log-probability "
               "most (by %5): contributions split one reading of the sentence; leaving a word out is another "
               "reading.")
        .arg(added, name(), contribution, quoted(wordName(words[*apart->lost])),
             numberText(words[*apart->lost].logProbabilityLost));
}

QString ReadClass::disagreement() const {
    const auto apart = analysis::wordsApart(reading, chosen);
    if (!apart)
        return {};
    const auto words = analysis::wordEffects(reading, chosen);
    const std::size_t word = apart->lost.value_or(apart->added);
    const auto& without = reading.leftOut[word].logProbabilities;
    const std::size_t likeliest = analysis::likeliestClass(without);
    return ClassifierWords::tr("<b>The two columns disagree on %1.</b> Contributions split one reading. "
                               "Leaving the word out is another reading: %2 then has %3.")
        .arg(quoted(wordName(words[word])).toHtmlEscaped(),
             isolated(QChar(0x201c) + classTitle(*run.model, likeliest) + QChar(0x201d)).toHtmlEscaped(),
             shareText(std::exp(without[likeliest])));
}

trace::DataTable ReadClass::tokenData(const std::vector<int>& rows) const {
    const auto shares = analysis::tokenShares(reading, chosen);
    std::vector<double> lost(shares.size(), noNumber), lostProbability(shares.size(), noNumber);
    for (const auto& word : analysis::wordEffects(reading, chosen)) {
        lost.at(word.firstToken) = word.logProbabilityLost;
        lostProbability.at(word.firstToken) = word.probabilityLost;
    }
    const auto of = [](const std::vector<double>& values) {
        return [&values](int row) { return values[row]; };
    };
    return {
        .name = "tokens",
        .columns = {dataColumn("position", rows, [](int row) { return double(row); }),
                    dataColumn("token", rows, [this](int row) { return tokenLabel(run.source, row).full(); }),
                    dataColumn("contribution", rows, [&](int row) { return shares[row].contribution; }),
                    dataColumn("features", rows, [&](int row) { return double(shares[row].features); }),
                    dataColumn("log_probability_lost", rows, of(lost)),
                    dataColumn("probability_lost", rows, of(lostProbability))}};
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
