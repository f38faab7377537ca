#include "widgets/words/statistic_words.h"

#include "widgets/drawing/shown_number.h"
#include "widgets/words/plain_words.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <vector>

namespace headscope::widgets {

namespace {

using analysis::HeadRole;
using analysis::HeadStatistics;
using analysis::RoleKind;
using analysis::Statistic;

struct StatisticWords {
    Q_DECLARE_TR_FUNCTIONS(StatisticWords)
};

struct Named {
    const char* title;
    const char* tip;
};

// lupdate sees through no macro of our own.
constexpr std::array<Named, analysis::statisticCount> names{{
    {QT_TRANSLATE_NOOP("StatisticWords", "Entropy"),
     QT_TRANSLATE_NOOP("StatisticWords", "Entropy of a row in bits: how spread the weight is")},
    {QT_TRANSLATE_NOOP("StatisticWords", "Spread"),
     QT_TRANSLATE_NOOP("StatisticWords", "Entropy of a row relative to its maximum over the allowed keys: 0 "
                                         "for one key, 1 for uniform attention")},
    {QT_TRANSLATE_NOOP("StatisticWords", "Keys"),
     QT_TRANSLATE_NOOP("StatisticWords", "Effective keys: 2 to the power of the entropy")},
    {QT_TRANSLATE_NOOP("StatisticWords", "Confidence"),
     QT_TRANSLATE_NOOP("StatisticWords", "Largest weight on a non-special token, mean over rows")},
    {QT_TRANSLATE_NOOP("StatisticWords", "Distance"),
     QT_TRANSLATE_NOOP("StatisticWords", "Mean attention distance in tokens")},
    {QT_TRANSLATE_NOOP("StatisticWords", "Offset"),
     QT_TRANSLATE_NOOP("StatisticWords",
                       "Mean attention offset in tokens: negative if back, positive if ahead")},
    {QT_TRANSLATE_NOOP("StatisticWords", "Diagonal"),
     QT_TRANSLATE_NOOP("StatisticWords", "Weight on the token itself")},
    {QT_TRANSLATE_NOOP("StatisticWords", "Previous"),
     QT_TRANSLATE_NOOP("StatisticWords", "Weight on the previous token, in rows that have one")},
    {QT_TRANSLATE_NOOP("StatisticWords", "Next"),
     QT_TRANSLATE_NOOP("StatisticWords",
                       "Weight on the next token, in rows where it is allowed (masked in a decoder)")},
    {QT_TRANSLATE_NOOP("StatisticWords", "First"),
     QT_TRANSLATE_NOOP("StatisticWords", "Weight on the first token")},
    {QT_TRANSLATE_NOOP("StatisticWords", "Last"),
     QT_TRANSLATE_NOOP("StatisticWords", "Weight on the last real token")},
    {QT_TRANSLATE_NOOP("StatisticWords", "End"),
     QT_TRANSLATE_NOOP("StatisticWords", "Weight on the end of the sentence")},
    {QT_TRANSLATE_NOOP("StatisticWords", "Start"),
     QT_TRANSLATE_NOOP("StatisticWords", "Weight on the start token")},
    {QT_TRANSLATE_NOOP("StatisticWords", "Punctuation"),
     QT_TRANSLATE_NOOP("StatisticWords", "Weight on punctuation")},
    {QT_TRANSLATE_NOOP("StatisticWords", "Sink"),
     QT_TRANSLATE_NOOP("StatisticWords", "Mean weight on the token with the largest column total")},
    {QT_TRANSLATE_NOOP("StatisticWords", "Same token"),
     QT_TRANSLATE_NOOP("StatisticWords",
                       "Weight on the same token at other positions, in rows that have one")},
    {QT_TRANSLATE_NOOP("StatisticWords", "Scaled diagonal"),
     QT_TRANSLATE_NOOP("StatisticWords", "Weight within a tenth of the scaled diagonal")},
    {QT_TRANSLATE_NOOP("StatisticWords", "Monotony"),
     QT_TRANSLATE_NOOP(
         "StatisticWords",
         "Rank correlation of a row's position with its mean key position (1 in order, −1 in reverse)")},
    {QT_TRANSLATE_NOOP("StatisticWords", "Duplicate token"),
     QT_TRANSLATE_NOOP("StatisticWords",
                       "Weight on earlier occurrences of the token, in rows that have one")},
    {QT_TRANSLATE_NOOP("StatisticWords", "Induction"),
     QT_TRANSLATE_NOOP(
         "StatisticWords",
         "Weight on the tokens that followed earlier occurrences of the token, in rows that have one")},
    {QT_TRANSLATE_NOOP("StatisticWords", "A reads B"),
     QT_TRANSLATE_NOOP("StatisticWords", "Weight on the second text, in rows of the first text")},
    {QT_TRANSLATE_NOOP("StatisticWords", "B reads A"),
     QT_TRANSLATE_NOOP("StatisticWords", "Weight on the first text, in rows of the second text")},
}};

QString percent(double share) {
    return shownNumber(StatisticWords::tr("%1 %").arg(std::lround(share * 100)));
}

QString withSign(int offset) {
    return shownNumber(offset > 0 ? QStringLiteral("+%1").arg(offset) : QString::number(offset));
}

QString positionName(int offset) {
    switch (offset) {
    case -1:
        return StatisticWords::tr("previous token");
    case 0:
        return StatisticWords::tr("own token");
    case 1:
        return StatisticWords::tr("next token");
    default:
        return StatisticWords::tr("fixed offset");
    }
}

/// The token that a sink attends to.
QString sinkName(analysis::SinkToken token) {
    switch (token) {
    case analysis::SinkToken::End:
        return StatisticWords::tr("end token");
    case analysis::SinkToken::Start:
        return StatisticWords::tr("start token");
    case analysis::SinkToken::Punctuation:
        return StatisticWords::tr("punctuation");
    case analysis::SinkToken::Text:
        break;
    }
    return StatisticWords::tr("text");
}

/// "</s>" where the run has such a token; else words.
QString sinkSpelling(analysis::SinkToken token, const trace::Run* run) {
    const auto role = token == analysis::SinkToken::End     ? std::optional(trace::TokenRole::End)
                      : token == analysis::SinkToken::Start ? std::optional(trace::TokenRole::Start)
                                                            : std::nullopt;
    if (run && role)
        for (const auto* tokens : {&run->source, &run->target})
            if (const auto found = std::ranges::find(*tokens, *role, &trace::Token::role);
                found != tokens->end() && !found->piece.empty())
                return QString::fromStdString(found->piece);
    return sinkName(token);
}

QString roleName(const HeadRole& role) {
    const QString name = listedRoleName(role.kind, role.offset, nullptr);
    switch (role.kind) {
    case RoleKind::Positional:
        return StatisticWords::tr("%1 (%2)").arg(positionName(role.offset), withSign(role.offset));
    case RoleKind::Aligning:
    case RoleKind::Reversed:
        return StatisticWords::tr("%1 (by shape)").arg(name);
    default:
        return name;
    }
}

/// Explains the number of a role.
QString evidence(const HeadRole& role) {
    switch (role.kind) {
    case RoleKind::Positional:
        return StatisticWords::tr(
                   "the largest weight, not counting the end token, is at this offset in %1 of the rows")
            .arg(percent(role.number));
    case RoleKind::Aligning:
        return StatisticWords::tr("follows the source in order (monotony %1, confidence %2); not checked "
                                  "against human alignment")
            .arg(statisticText(role.number), statisticText(role.confidence));
    case RoleKind::Reversed:
        return StatisticWords::tr("follows the source in reverse order (monotony %1, confidence %2); not "
                                  "checked against human alignment")
            .arg(statisticText(role.number), statisticText(role.confidence));
    case RoleKind::End:
        return StatisticWords::tr("%1 of the weight on the end of the sentence").arg(percent(role.number));
    case RoleKind::Start:
        return StatisticWords::tr("%1 of the weight on the start token").arg(percent(role.number));
    case RoleKind::Punctuation:
        return StatisticWords::tr("%1 of the weight on punctuation").arg(percent(role.number));
    case RoleKind::Sink:
        return StatisticWords::tr("%1 of the weight on one token (%2)")
            .arg(percent(role.number), sinkName(role.sinkToken));
    case RoleKind::Induction:
        return (role.rows == 1
                    ? StatisticWords::tr("%1 of the weight on the tokens that followed earlier occurrences "
                                         "of the token, in a single row")
                    : StatisticWords::tr("%1 of the weight on the tokens that followed earlier occurrences "
                                         "of the token, in %n rows",
                                         nullptr, role.rows))
            .arg(percent(role.number));
    case RoleKind::DuplicateToken:
        return StatisticWords::tr("%1 of the weight on earlier occurrences of the token")
            .arg(percent(role.number));
    case RoleKind::SameToken:
        break;
    }
    return StatisticWords::tr("%1 of the weight on the same token elsewhere").arg(percent(role.number));
}

QString numberText(const HeadRole& role, double number) {
    return analysis::needsOf(role.kind).confidence ? statisticText(number) : percent(number);
}

/// A number beside the one that it is held against: with so many decimals that they differ, as they do.
QString shortOf(double number, double needed, bool isShare) {
    const auto written = [isShare](double value, int more) {
        return isShare ? StatisticWords::tr("%1 %").arg(statisticText(100 * value, more))
                       : statisticText(value, statisticDecimals + more);
    };
    constexpr int most = 6;
    int more = 0;
    while (more < most && number != needed && written(number, more) == written(needed, more))
        ++more;
    return written(number, more);
}

std::optional<double> entropyOf(const HeadStatistics& statistics) {
    return statistics.values[Statistic::NormalisedEntropy];
}

/// A sink on one token whose kind is a role of the head, too.
bool isSaidBy(const std::vector<HeadRole>& roles, const HeadRole& role) {
    const auto kindOf = [](analysis::SinkToken token) {
        return token == analysis::SinkToken::End           ? RoleKind::End
               : token == analysis::SinkToken::Start       ? RoleKind::Start
               : token == analysis::SinkToken::Punctuation ? RoleKind::Punctuation
                                                           : RoleKind::Sink;
    };
    return role.kind == RoleKind::Sink && role.sinkToken != analysis::SinkToken::Text &&
           std::ranges::find(roles, kindOf(role.sinkToken), &HeadRole::kind) != roles.end();
}

/// Nearness to an offset without a name of its own.
std::optional<double> nearnessToAnyOffset(const HeadStatistics& statistics) {
    const auto best = statistics.offsets.best();
    if (!best || std::abs(best->offset) <= 1)
        return std::nullopt;
    return best->share / analysis::needsOf(RoleKind::Positional).number;
}

/// The threshold of a role, to follow "needs".
QString needsInWords(RoleKind kind) {
    const auto needs = analysis::needsOf(kind);
    switch (kind) {
    case RoleKind::Positional:
        return StatisticWords::tr("the largest weight at that offset in at least %1 of the rows")
            .arg(percent(needs.number));
    case RoleKind::Aligning:
        return StatisticWords::tr("a monotony of at least %1 and a confidence of at least %2")
            .arg(statisticText(needs.number), statisticText(needs.confidence));
    case RoleKind::Reversed:
        return StatisticWords::tr("a monotony of at most %1 and a confidence of at least %2")
            .arg(statisticText(needs.number), statisticText(needs.confidence));
    default:
        return StatisticWords::tr("at least %1 of the weight").arg(percent(needs.number));
    }
}

} // namespace

QString statisticTitle(Statistic statistic) {
    return QCoreApplication::translate("StatisticWords", names[static_cast<std::size_t>(statistic)].title);
}

QString statisticTip(Statistic statistic) {
    return QCoreApplication::translate("StatisticWords", names[static_cast<std::size_t>(statistic)].tip);
}

QString statisticText(const std::optional<double>& value, int decimals) {
    if (!value || !std::isfinite(*value))
        return QStringLiteral("\u2013");
    const QString text = QString::number(std::abs(*value), 'f', decimals);
    return *value < 0 && text.toDouble() != 0 ? shownNumber('-' + text) : text;
}

QString scopeText(const HeadStatistics& statistics) {
    const int count = statistics.sentences;
    if (count == 1)
        return StatisticWords::tr("on this sentence");
    return analysis::speaksOfCorpus(statistics) ? StatisticWords::tr("on %1 sentences").arg(count)
                                                : StatisticWords::tr("on these %1 sentences").arg(count);
}

QString listedRoleName(RoleKind kind, int offset, const trace::Run* run) {
    const auto sink = [run](analysis::SinkToken token) {
        return StatisticWords::tr("sink %1", "</s>, or punctuation").arg(sinkSpelling(token, run));
    };
    switch (kind) {
    case RoleKind::Positional:
        return std::abs(offset) > 1 ? StatisticWords::tr("%1 %2", "fixed offset -5")
                                          .arg(positionName(offset), withSign(offset))
                                    : positionName(offset);
    case RoleKind::Aligning:
        return StatisticWords::tr("aligns words");
    case RoleKind::Reversed:
        return StatisticWords::tr("reversed order");
    case RoleKind::End:
        return sink(analysis::SinkToken::End);
    case RoleKind::Start:
        return sink(analysis::SinkToken::Start);
    case RoleKind::Punctuation:
        return sink(analysis::SinkToken::Punctuation);
    case RoleKind::Sink:
        return StatisticWords::tr("sink, any token");
    case RoleKind::Induction:
        return StatisticWords::tr("induction");
    case RoleKind::DuplicateToken:
        return StatisticWords::tr("duplicate token");
    case RoleKind::SameToken:
        break;
    }
    return StatisticWords::tr("same token");
}

QString heldRoleName(const HeadRole& role) {
    return role.kind == RoleKind::Sink ? StatisticWords::tr("sink (%1)").arg(sinkName(role.sinkToken))
                                       : roleName(role);
}

HasAndNeeds hasAndNeeds(const HeadRole& nearest) {
    const auto needs = analysis::needsOf(nearest.kind);
    const bool isShare = !needs.confidence;
    const QString wanted = numberText(nearest, needs.number);
    const QString has = shortOf(nearest.number, needs.number, isShare);
    HasAndNeeds words{.has = has, .needs = wanted, .both = {}};
    if (needs.confidence) {
        const double confidence = nearest.confidence.value_or(0);
        words.both = StatisticWords::tr("Monotony %1, needs %2. Confidence %3, needs %4.")
                         .arg(has, wanted, shortOf(confidence, *needs.confidence, isShare),
                              statisticText(needs.confidence));
        // The number that is missing more.
        if (confidence / *needs.confidence < nearest.number / needs.number) {
            words.has = shortOf(confidence, *needs.confidence, isShare);
            words.needs = statisticText(needs.confidence);
        }
    } else {
        words.both = nearest.kind == RoleKind::Sink
                         ? StatisticWords::tr("Has %1 (%3), needs %2.", "31 %, punctuation")
                               .arg(has, wanted, sinkName(nearest.sinkToken))
                         : StatisticWords::tr("Has %1, needs %2.").arg(has, wanted);
        if (nearest.uniform)
            words.both +=
                StatisticWords::tr(" Uniform attention: %1.").arg(numberText(nearest, *nearest.uniform));
    }
    words.both = StatisticWords::tr("%1. %2", "what was measured, has and needs")
                     .arg(capitalised(evidence(nearest)), words.both);
    return words;
}

QString rolesText(const HeadStatistics& statistics) {
    QStringList all;
    const auto roles = analysis::rolesOf(statistics);
    for (const auto& role : roles)
        if (!isSaidBy(roles, role))
            all += StatisticWords::tr("%1 %2").arg(heldRoleName(role), numberText(role, role.number));
    if (all.isEmpty()) {
        if (!analysis::isBroad(statistics))
            return {};
        all += StatisticWords::tr("none; broad %1", "no role, though").arg(percent(*entropyOf(statistics)));
    }
    return analysis::speaksOfCorpus(statistics)
               ? all.join(QStringLiteral("; "))
               : StatisticWords::tr("%1, %2").arg(all.join(QStringLiteral("; ")), scopeText(statistics));
}

QString roleInWords(const HeadRole& role, const HeadStatistics* twin) {
    QString words = StatisticWords::tr("%1: %2.").arg(capitalised(heldRoleName(role)), evidence(role));
    if (role.uniform)
        words += StatisticWords::tr(" Uniform attention: %1.").arg(numberText(role, *role.uniform));
    if (const auto other = twin ? analysis::numberBehind(role, *twin) : std::nullopt)
        words += StatisticWords::tr(" Random twin: %1.").arg(numberText(role, *other));
    return words;
}

std::optional<SearchedRole> roleLike(const QStringList& words) {
    if (words.isEmpty())
        return std::nullopt;
    std::vector<SearchedRole> all;
    const auto add = [&](const HeadRole& role) {
        all.push_back({.name = roleName(role),
                       .needs = needsInWords(role.kind),
                       .nearness = [role](const auto& head) { return analysis::nearness(role, head); },
                       .has =
                           [role](const auto& head) {
                               auto near = role;
                               near.number = analysis::numberBehind(role, head).value_or(0);
                               near.confidence = head.values[Statistic::Confidence];
                               return hasAndNeeds(near).has;
                           }});
    };
    for (const int offset : {-1, 0, 1})
        add({.kind = RoleKind::Positional, .offset = offset, .confidence = {}, .uniform = {}});
    // The sink on any token first, which "sink" alone means.
    for (const auto kind :
         {RoleKind::Aligning, RoleKind::Reversed, RoleKind::Sink, RoleKind::End, RoleKind::Start,
          RoleKind::Punctuation, RoleKind::SameToken, RoleKind::Induction, RoleKind::DuplicateToken})
        add({.kind = kind, .confidence = {}, .uniform = {}});
    all.push_back({.name = positionName(2), // an offset without a name of its own
                   .needs = needsInWords(RoleKind::Positional),
                   .nearness = nearnessToAnyOffset,
                   .has = [](const auto& head) {
                       const auto best = head.offsets.best();
                       return best ? percent(best->share) : QString();
                   }});
    all.push_back({.name = StatisticWords::tr("broad"),
                   .needs = StatisticWords::tr("an entropy of at least %1 of the maximum")
                                .arg(percent(analysis::broadEntropy)),
                   .nearness = [](const auto& head) -> std::optional<double> {
                       const auto entropy = entropyOf(head);
                       return entropy ? std::optional(*entropy / analysis::broadEntropy) : std::nullopt;
                   },
                   .has = [](const auto& head) { return percent(entropyOf(head).value_or(0)); }});
    const auto found = std::ranges::find_if(all, [&](const SearchedRole& role) {
        return std::ranges::all_of(
            words, [&](const QString& word) { return role.name.contains(word, Qt::CaseInsensitive); });
    });
    return found == all.end() ? std::nullopt : std::optional(*found);
}

QString rolesInGeneral() {
    return StatisticWords::tr(
        "Previous, own or next token: the largest weight is on this token in nine of ten rows. Sink on end "
        "tokens, start tokens, punctuation or any single token; same token; induction (what followed the "
        "same "
        "token before); duplicate token (the same token before): half of the weight is on these tokens. "
        "Aligns words: the rows follow the source in order. Reversed order: the rows follow the source "
        "backwards. Broad: nearly uniform, which is not a role.");
}

QString breadthInWords(const HeadStatistics& statistics, const HeadStatistics* twin) {
    if (!analysis::isBroad(statistics))
        return {};
    QString words = StatisticWords::tr("Broad: the entropy is %1 of the maximum. Random weights are nearly "
                                       "uniform, too, so this is not a role.")
                        .arg(percent(*entropyOf(statistics)));
    if (const auto other = twin ? entropyOf(*twin) : std::nullopt)
        words += StatisticWords::tr(" Random twin: %1.").arg(percent(*other));
    return words;
}

} // namespace headscope::widgets
