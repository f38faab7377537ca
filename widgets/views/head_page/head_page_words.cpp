#include "widgets/views/head_page/head_page_words.h"

#include "widgets/words/captions.h"
#include "widgets/words/importance_words.h"
#include "widgets/words/statistic_words.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

using analysis::Statistic;

struct HeadPageWords {
    Q_DECLARE_TR_FUNCTIONS(HeadPage)
};

/// "0.46 (95 % interval 0.41 to 0.52; uniform 0.09, random twin 0.22)"
QString withEvidence(const HeadFacts& facts, Statistic statistic) {
    QStringList beside;
    if (const auto interval =
            facts.intervals ? (*facts.intervals)[static_cast<std::size_t>(statistic)] : std::nullopt)
        beside += HeadPageWords::tr("95 % interval %1 to %2")
                      .arg(statisticText(interval->low), statisticText(interval->high));
    if (const auto& even = facts.statistics.uniform[statistic])
        beside += HeadPageWords::tr("uniform %1").arg(statisticText(even));
    if (const auto twin = facts.twin ? facts.twin->values[statistic] : std::nullopt)
        beside += HeadPageWords::tr("random twin %1").arg(statisticText(twin));
    const QString value = statisticText(facts.statistics.values[statistic]);
    return beside.isEmpty() ? value
                            : HeadPageWords::tr("%1 (%2)").arg(value, beside.join(HeadPageWords::tr(", ")));
}

QString sentenceAbout(const HeadFacts& facts, Statistic statistic) {
    return HeadPageWords::tr("%1: %2.").arg(statisticTip(statistic), withEvidence(facts, statistic));
}

QString direction(double offset) {
    if (std::abs(offset) < 0.005)
        return HeadPageWords::tr("as far back as ahead");
    return offset < 0 ? HeadPageWords::tr("%1 tokens back on average").arg(statisticText(-offset))
                      : HeadPageWords::tr("%1 tokens ahead on average").arg(statisticText(offset));
}

QStringList reach(const HeadFacts& facts) {
    const auto& values = facts.statistics.values;
    QStringList said;
    if (const auto& keys = values[Statistic::EffectiveKeys])
        said += HeadPageWords::tr("Effective keys: %1 (mean of 2 to the power of a row's entropy); mean "
                                  "entropy %2 bits, %3 of the maximum.")
                    .arg(statisticText(keys), statisticText(values[Statistic::Entropy]),
                         statisticText(values[Statistic::NormalisedEntropy]));
    if (const auto& distance = values[Statistic::Distance])
        said += HeadPageWords::tr("Mean attention distance: %1 tokens, %2.")
                    .arg(statisticText(distance), direction(values[Statistic::Offset].value_or(0)));
    return said;
}

/// For a single sentence, whose tokens can be named.
QStringList aboutKeys(const analysis::HeadStatistics& statistics, const trace::Run& run) {
    const auto kind = statistics.head.site.kind;
    QStringList said;
    QStringList sinks;
    for (const auto key : statistics.sinks)
        sinks += HeadPageWords::tr("%1 %2").arg(keyInWords(run, kind, static_cast<int>(key)),
                                                statisticText(statistics.received[key]));
    if (!sinks.isEmpty())
        said += HeadPageWords::tr("Sinks (mean weight above %1): %2.")
                    .arg(statisticText(analysis::sinkThreshold), sinks.join(HeadPageWords::tr(", ")));
    const auto& keys = run.source;
    if (kind != trace::AttentionKind::Cross || statistics.received.size() != keys.size())
        return said;
    std::optional<std::size_t> least;
    for (std::size_t key = 0; key < keys.size(); ++key)
        if (!isSpecial(keys[key].role) && (!least || statistics.received[key] < statistics.received[*least]))
            least = key;
    if (least)
        said += HeadPageWords::tr("Least covered token: %1, with a total weight of %2 over all steps.")
                    .arg(keyInWords(run, kind, static_cast<int>(*least)),
                         statisticText(statistics.received[*least] * static_cast<double>(statistics.rows)));
    return said;
}

} // namespace

QString rolesInWords(const HeadFacts& facts) {
    const QString scope = scopeText(facts.statistics);
    const auto roles = analysis::rolesOf(facts.statistics);
    const QString breadth = breadthInWords(facts.statistics, facts.twin ? &*facts.twin : nullptr);
    if (roles.empty()) {
        const QString none =
            HeadPageWords::tr("No role %1 (rows: %2).").arg(scope).arg(facts.statistics.rows);
        return breadth.isEmpty() ? none : none + '\n' + breadth;
    }
    QStringList said;
    for (const auto& role : roles)
        said += roleInWords(role, facts.twin ? &*facts.twin : nullptr);
    if (!breadth.isEmpty())
        said += breadth;
    said += analysis::speaksOfCorpus(facts.statistics)
                ? HeadPageWords::tr("Measured %1 (rows: %2).").arg(scope).arg(facts.statistics.rows)
                : HeadPageWords::tr("Measured %1 (rows: %2): too few for a general statement.")
                      .arg(scope)
                      .arg(facts.statistics.rows);
    return said.join('\n');
}

QString statisticsInWords(const HeadFacts& facts, const trace::Run* run) {
    QStringList said = reach(facts);
    for (const auto statistic :
         {Statistic::Confidence, Statistic::Diagonal, Statistic::Previous, Statistic::Next, Statistic::First,
          Statistic::Last, Statistic::End, Statistic::Start, Statistic::Punctuation, Statistic::Sink,
          Statistic::SameToken, Statistic::DuplicateToken, Statistic::Induction, Statistic::FirstReadsSecond,
          Statistic::SecondReadsFirst, Statistic::ScaledDiagonal, Statistic::Monotony})
        if (facts.statistics.values[statistic])
            said += sentenceAbout(facts, statistic);
    if (run)
        said += aboutKeys(facts.statistics, *run);
    if (facts.importance)
        said +=
            (run && run->answerKind() == trace::AnswerKind::Numbers
                 ? HeadPageWords::tr("Importance: %1 (what the predicted number loses without this head).")
                 : HeadPageWords::tr(
                       "Importance: %1 nats (log-probability that the output loses without this head)."))
                .arg(signedNumberText(*facts.importance));
    if (facts.statistics.sentences > 1 && facts.importance)
        said += HeadPageWords::tr("The importance refers to the shown sentence only.");
    if (facts.statistics.sentences > 1 && facts.twin)
        said += HeadPageWords::tr("The random twin read the same sentences and the model's outputs.");
    return said.join('\n');
}

} // namespace headscope::widgets
