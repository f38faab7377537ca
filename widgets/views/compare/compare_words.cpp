#include "widgets/views/compare/compare_words.h"

#include "model/trace/run_path.h"
#include "widgets/map/map_picture.h"
#include "widgets/words/captions.h"
#include "widgets/words/class_title.h"
#include "widgets/words/counting_words.h"
#include "widgets/words/importance_words.h"
#include "widgets/words/trace_words.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>

namespace headscope::widgets {

namespace {

using analysis::AlignBy;
using trace::AttentionKind;

struct CompareWords {
    Q_DECLARE_TR_FUNCTIONS(CompareWords)
};

constexpr qsizetype longestSentence = 48;

QString alignmentInWords(const CompareAnswer& answer) {
    if (answer.question.pair.steps)
        return CompareWords::tr("Two rows of one run over the same keys.");
    if (answer.alignment.by == AlignBy::Words)
        return CompareWords::tr("The tokenizers differ: equal words are matched (longest common "
                                "subsequence), with weights summed over a key's tokens and averaged over a "
                                "query's; differing parts of equal length are matched one by one.");
    return CompareWords::tr("Equal tokens are matched (longest common subsequence); differing parts of equal "
                            "length are matched one by one.");
}

} // namespace

QString quotedSentence(const QString& sentence) {
    const QString cut = sentence.size() > longestSentence
                            ? sentence.left(longestSentence).trimmed() + QChar(0x2026)
                            : sentence;
    return quoted({.text = cut});
}

TokenLabel unitLabel(const std::vector<trace::Token>& tokens, const analysis::AxisUnit& unit) {
    if (unit.tokens.last - unit.tokens.first == 1)
        return tokenLabel(tokens, unit.tokens.first);
    trace::Token word{.role = unit.role};
    for (std::size_t t = unit.tokens.first; t < unit.tokens.last; ++t)
        word.piece += tokens.at(t).piece;
    return tokenLabel(word);
}

std::vector<TokenLabel> placeLabels(const analysis::AlignedAxis& axis, const std::vector<trace::Token>& first,
                                    const std::vector<trace::Token>& second) {
    const QString nothing(QChar(0x2013));
    std::vector<TokenLabel> labels;
    for (const auto& place : axis.places) {
        if (place.same) {
            labels.push_back(unitLabel(first, axis.first[*place.first]));
            continue;
        }
        const QString left = place.first ? unitLabel(first, axis.first[*place.first]).text : nothing;
        const QString right = place.second ? unitLabel(second, axis.second[*place.second]).text : nothing;
        labels.push_back({.text = isolated(left) + QStringLiteral(" | ") + isolated(right)});
    }
    return labels;
}

QString compareTitle(const CompareAnswer& answer) {
    const auto other = answer.other.value_or(answer.question.head);
    const QString heads =
        other == answer.question.head
            ? address(other)
            : CompareWords::tr("%1 and %2").arg(address(answer.question.head), address(other));
    return answer.quantity == Quantity::Weights
               ? CompareWords::tr("%1, difference").arg(heads)
               : CompareWords::tr("%1, difference of %2").arg(heads, quantityName(answer.quantity));
}

QString compareKey(const CompareAnswer& answer, bool alignedOnly) {
    if (answer.maps.empty())
        return {};
    const QString hatched = alignedOnly ? CompareWords::tr("Hatched: masked.")
                                        : CompareWords::tr("Hatched: masked or unmatched.");
    if (answer.question.pair.steps)
        return hatched;
    return CompareWords::tr("Labels: A | B, \u2013 unmatched.") + ' ' + hatched;
}

QString compareKeyInLine(const CompareAnswer& answer, bool alignedOnly) {
    const auto& rows = answer.maps.rows;
    const QString key = compareKey(answer, alignedOnly);
    return answer.question.pair.steps || key.isEmpty()
               ? key
               : key + ' ' +
                     CompareWords::tr("Rows with equal tokens: %1 of %2.")
                         .arg(std::ranges::count_if(rows, &analysis::AlignedPlace::same))
                         .arg(rows.size());
}

namespace {

std::vector<OutlinedWord> outlined(const std::vector<trace::Token>& tokens,
                                   const std::vector<analysis::AxisUnit>& units,
                                   const std::vector<analysis::AlignedPlace>& places,
                                   std::optional<std::size_t> analysis::AlignedPlace::*side) {
    std::vector<bool> isSame(tokens.size(), true);
    for (const auto& place : places)
        if (const auto& at = place.*side; at && !place.same)
            for (std::size_t t = units[*at].tokens.first; t < units[*at].tokens.last; ++t)
                isSame[t] = false;
    return wordsOf(tokens, analysis::outputWords(tokens, isSame));
}

std::array<std::vector<OutlinedWord>, 2> outlined(const analysis::AlignedAxis& axis,
                                                  const std::vector<trace::Token>& first,
                                                  const std::vector<trace::Token>& second) {
    return {outlined(first, axis.first, axis.places, &analysis::AlignedPlace::first),
            outlined(second, axis.second, axis.places, &analysis::AlignedPlace::second)};
}

} // namespace

std::array<std::vector<OutlinedWord>, 2> comparedTexts(const CompareAnswer& answer, const PairNames& names) {
    const auto& pair = answer.question.pair;
    const auto& said = answer.said;
    const auto read = [&](AttentionKind kind) {
        return outlined(answer.alignment.keysOf(kind), pair.first->keyTokens(kind),
                        pair.second->keyTokens(kind));
    };
    const auto has = [&](AttentionKind kind) {
        return pair.first->record({kind, 0}) && pair.second->record({kind, 0});
    };
    if (pair.steps)
        return {{{{names.first}}, {{names.second}}}};
    if (has(AttentionKind::Cross) && !said.axis.places.empty())
        return outlined(said.axis, said.first.tokens, said.second.tokens);
    if (has(AttentionKind::DecoderSelf))
        return read(AttentionKind::DecoderSelf);
    return read(AttentionKind::EncoderSelf);
}

QString classInWords(const trace::Run& run) {
    const auto& classes = run.classLogProbabilities;
    if (classes.empty() || !run.model)
        return {};
    const auto best = std::ranges::max_element(classes);
    return CompareWords::tr("%1 %2 %").arg(classTitle(*run.model, best - classes.begin()),
                                           QString::number(100 * std::exp(double{*best}), 'f', 1));
}

namespace {

/// What the numbers are, except for weights, and whose logits gradients are of.
QString quantityOf(const CompareAnswer& answer) {
    if (answer.quantity == Quantity::Weights)
        return {};
    const auto& [first, second] = answer.about;
    const auto name = [&](const trace::Run& run, const trace::Token& token) {
        return run.classLogProbabilities.empty() ? quoted(tokenLabel(token))
                                                 : quoted({.text = classTitle(*run.model, token.id)});
    };
    const QString words = quantityInWords(answer.quantity);
    if (!first || !second)
        return words;
    const auto& pair = answer.question.pair;
    return words + ' ' +
           CompareWords::tr("The logit here is that of %1 in A and of %2 in B.")
               .arg(name(*pair.first, *first), name(*pair.second, *second));
}

} // namespace

QString compareCaption(const CompareAnswer& answer, const PairNames& names, bool alignedOnly) {
    if (answer.maps.empty() || !answer.other)
        return {};
    QString other = address(*answer.other);
    if (answer.nearest)
        other = CompareWords::tr("%1 (the nearest: mean divergence %2 of 1)")
                    .arg(other, numberText(*answer.nearest));
    QStringList parts{CompareWords::tr("A: %6 of %1, %2. B: %3, %4. B \u2212 A: orange (+), more in B; blue "
                                       "(\u2212), more in A; at most %5.")
                          .arg(address(answer.question.head), names.first, other, names.second,
                               numberText(answer.drawn().largest), quantityName(answer.quantity)),
                      quantityOf(answer), alignmentInWords(answer)};
    parts.removeAll(QString());
    if (alignedOnly)
        parts += CompareWords::tr(
            "Unmatched tokens are hidden and nothing is renormalised: rows may sum to less than 1.");
    return parts.join(' ') +
           sharedPixelsInWords(Pooling::Extreme, answer.maps.rows.size(), answer.maps.columns.size());
}

namespace {

constexpr std::array allKinds{AttentionKind::EncoderSelf, AttentionKind::DecoderSelf, AttentionKind::Cross};

} // namespace

QString whatBothLack(const trace::ModelSummary& first, const trace::ModelSummary& second) {
    QStringList parts;
    for (const auto& [lacking, having] : {std::pair(&first, &second), std::pair(&second, &first)}) {
        QStringList kinds;
        for (const auto kind : allKinds)
            if (lacking->layers(kind) == 0 && having->layers(kind) > 0)
                kinds += shortKindTitle(kind).toLower();
        if (!kinds.isEmpty())
            parts += CompareWords::tr("%1 has no %2 attention")
                         .arg(QString::fromStdString(lacking->name),
                              kinds.join(CompareWords::tr(" and no ", "between kinds of attention")));
    }
    return parts.isEmpty() ? QString() : parts.join(QStringLiteral("; ")) + '.';
}

bool haveCommonKind(const trace::ModelSummary& first, const trace::ModelSummary& second) {
    return std::ranges::any_of(allKinds,
                               [&](auto kind) { return first.layers(kind) > 0 && second.layers(kind) > 0; });
}

QString whyNoMaps(const CompareAnswer& answer) {
    const auto& [pair, head, chosen] = answer.question;
    if (pair.steps && head.site.kind == AttentionKind::EncoderSelf)
        return CompareWords::tr("The encoder reads the whole source at once and has no steps. Choose a head "
                                "of the decoder or of cross-attention (2 or 3).");
    const auto keptOut = [](const trace::Run& run, const trace::AttentionSite& site) {
        const auto* record = run.record(site);
        return record && !record->isRecomputed() && record->weights.empty() && !record->mask.empty();
    };
    if (keptOut(*pair.first, head.site) || (answer.other && keptOut(*pair.second, answer.other->site)))
        return CompareWords::tr("Weights of inputs this long are not stored. Compare shorter sentences.");
    if (!canBeDrawn(answer))
        return CompareWords::tr("These maps are too large to compare: at most %1 million cells each. Compare "
                                "shorter sentences, or use the table of all heads.")
            .arg(mostComparedCells / 1'000'000);
    if (!pair.first->record(head.site))
        return whyNoHead(*pair.first, head);
    if (!pair.second->record({head.site.kind, 0}))
        return whatBothLack(*pair.first->model, *pair.second->model) + ' ' +
               CompareWords::tr("Choose another kind (1, 2 or 3).");
    if (!answer.other)
        return CompareWords::tr("No row of B can be compared with this head.");
    return CompareWords::tr("No tokens can be compared.");
}

namespace {

/// What a cell is in A and in B.
std::array<QString, 2> bothSides(const analysis::AlignedMaps& maps, std::size_t row, std::size_t column) {
    const auto side = [&](const trace::Matrix& values, const trace::MaskMatrix& open, bool exists) {
        return !exists             ? CompareWords::tr("missing")
               : open(row, column) ? numberText(values(row, column))
                                   : CompareWords::tr("masked");
    };
    const auto& [firstRow, secondRow, sameRow] = maps.rows[row];
    const auto& [firstColumn, secondColumn, sameColumn] = maps.columns[column];
    return {side(maps.first, maps.firstOpen, firstRow && firstColumn),
            side(maps.second, maps.secondOpen, secondRow && secondColumn)};
}

} // namespace

QString compareCellInWords(const analysis::AlignedMaps& maps, std::size_t row, std::size_t column,
                           const QString& place) {
    const auto [first, second] = bothSides(maps, row, column);
    QString words = CompareWords::tr("%1: A %2, B %3").arg(place, first, second);
    if (maps.both(row, column))
        words += CompareWords::tr(", change %1").arg(signedNumberText(maps.change(row, column)));
    return words;
}

QString compareCellTip(const analysis::AlignedMaps& maps, std::size_t row, std::size_t column,
                       const QString& place) {
    const auto [first, second] = bothSides(maps, row, column);
    QStringList lines{place, CompareWords::tr("A %1   B %2").arg(first, second)};
    if (!maps.both(row, column))
        return lines.join('\n');
    const double change = maps.change(row, column);
    lines.back() += CompareWords::tr("   B \u2212 A %1").arg(signedNumberText(change));
    if (maps.rows.size() > 1 && std::abs(change) >= maps.largest && change != 0)
        lines += change > 0 ? CompareWords::tr("largest gain in this head")
                            : CompareWords::tr("largest loss in this head");
    lines[1].replace(' ', QChar::Nbsp); // the line stays whole
    return lines.join('\n');
}

QString saidInWords(const analysis::SaidComparison& said) {
    if (said.first.tokens.empty() && said.second.tokens.empty())
        return CompareWords::tr("No output: these models have no decoder.");
    if (said.first.areClasses || said.second.areClasses)
        return CompareWords::tr("Classes of A and B.");
    const auto one = [](const QString& name, const analysis::SaidOutput& output) {
        const QString text =
            QString::fromStdString(output.text.empty() ? trace::joinedText(output.tokens) : output.text);
        if (std::isnan(output.sum))
            return CompareWords::tr("%1: %2, log-probability not recorded.").arg(name, quotedSentence(text));
        return CompareWords::tr("%1: %2, log-probability %3, %4 per token.")
            .arg(name, quotedSentence(text), numberText(output.sum),
                 numberText(output.tokens.empty() ? 0 : output.sum / double(output.tokens.size())));
    };
    return one(CompareWords::tr("A"), said.first) + ' ' + one(CompareWords::tr("B"), said.second);
}

QString stepsInWords(std::size_t steps) {
    if (steps == 0)
        return CompareWords::tr("Log-probabilities (natural), each given the preceding output. A dash: no "
                                "token, or not recorded.");
    return CompareWords::tr(
        "Log-probabilities (natural), each given the preceding output. A dash: no token, or not recorded. "
        "KL(A \u2016 B) in nats compares the next-token distributions, with A's output forced on B.");
}

} // namespace headscope::widgets
