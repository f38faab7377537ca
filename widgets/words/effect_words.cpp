#include "widgets/words/effect_words.h"

#include "model/analysis/maps/recomputed_map.h"
#include "model/analysis/maps/weights_and_cause.h"
#include "widgets/drawing/shown_number.h"
#include "widgets/drawing/token_label.h"
#include "widgets/words/captions.h"
#include "widgets/words/plain_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace headscope::widgets {

namespace {

using analysis::WeightsAndCause;
using trace::AttentionKind;
using trace::CausalRow;

struct EffectWords {
    Q_DECLARE_TR_FUNCTIONS(EffectWords)
};

/// Rounds to three decimals; zero has no sign.
QString rounded(double value) {
    const QString text = QString::number(std::abs(value), 'f', 3);
    return value < 0 && text != QLatin1String("0.000") ? shownNumber('-' + text) : text;
}

QString rounded(const std::optional<double>& value) {
    return value ? rounded(*value) : EffectWords::tr("not defined");
}

/// The token's text without its space mark, as sentences name it.
std::string_view bare(const trace::Token& token) {
    std::string_view piece = token.piece;
    if (piece.starts_with(trace::spaceMark))
        piece.remove_prefix(trace::spaceMark.size());
    return piece;
}

/// Adds the position if another token has the same name.
QString key(const trace::Run& run, AttentionKind kind, std::size_t k) {
    const QString name = keyInWords(run, kind, k);
    const auto& tokens = run.keyTokens(kind);
    const auto isNamesake = [&](const trace::Token& token) { return bare(token) == bare(tokens[k]); };
    return std::ranges::count_if(tokens, isNamesake) < 2
               ? name
               : EffectWords::tr("%1 at position %2").arg(name).arg(k);
}

std::optional<WeightsAndCause> compared(const trace::Run& run, const trace::HeadAddress& head,
                                        std::size_t step, const std::shared_ptr<const CausalRow>& row) {
    const auto* record = run.record(head.site);
    const auto h = head.head;
    if (!row || !record || row->step != step || (row->head && *row->head != head) || h >= record->heads() ||
        step >= record->queries() || row->drops.size() != record->keys())
        return std::nullopt;
    const auto ofHead = analysis::headRow(*record, h, step);
    return analysis::compareWithCause(ofHead.weights, ofHead.open, row->drops);
}

/// "falls by 2.31", "rises by 0.04"
QString changeInWords(double drop) {
    if (drop == 0)
        return EffectWords::tr("does not change");
    if (std::abs(drop) < 0.00005)
        return EffectWords::tr("changes by less than 0.0001");
    return drop < 0 ? EffectWords::tr("rises by %1").arg(numberText(-drop))
                    : EffectWords::tr("falls by %1").arg(numberText(drop));
}

} // namespace

QString effectInWords(const trace::Run& run, AttentionKind kind, const QString& row,
                      const analysis::WeightsAndEffect& compared) {
    if (!compared.disagree())
        return EffectWords::tr("%1: weights and contributions agree (%2 bits apart).")
            .arg(row, rounded(compared.divergence));
    return EffectWords::tr("\u26A0 %1: most weight is on %2 (%3, contribution %4), but %5 contributes "
                           "most (%6, weight %7); %8 bits apart.")
        .arg(row, key(run, kind, compared.largestWeight), rounded(compared.weight),
             rounded(compared.shareOfWeight), key(run, kind, compared.largestShare), rounded(compared.share),
             rounded(compared.weightOfShare), rounded(compared.divergence));
}

QString causeInWords(const trace::Run& run, const trace::HeadAddress& head, std::size_t step,
                     const ShownCause& cause) {
    const auto all = compared(run, head, step, cause.everywhere);
    const auto one = compared(run, head, step, cause.here);
    const QString where = EffectWords::tr("Step %1: ").arg(step + 1);
    if (!all && run.model && run.model->recorded) // another program's model cannot be run again here
        return cause.whyNot.isEmpty() || run.model->family.empty()
                   ? QString()
                   : EffectWords::tr("This trace has no knock-out losses: record it with headscope-cli trace "
                                     "--knock-out.");
    if (!all)
        return !cause.whyNot.isEmpty() ? where + cause.whyNot
               : cause.isAwaited
                   ? where + EffectWords::tr("measuring the knock-out loss of each source token...")
                   : QString();
    const auto named = [&](std::size_t k, double value) {
        return EffectWords::tr("%1 (%2)").arg(key(run, head.site.kind, k), rounded(value));
    };
    const auto falls = [&](const WeightsAndCause& of) {
        const QString token = named(of.largestDrop, -of.drop);
        if (!of.anyMatters())
            return EffectWords::tr("changes by less than 0.001 without any one token");
        if (std::abs(of.drop) < WeightsAndCause::least)
            return EffectWords::tr("falls by less than 0.001 without any one token, but rises without some");
        return of.drop > 0 ? EffectWords::tr("falls most without %1").arg(token)
                           : EffectWords::tr("rises without each token, least without %1").arg(token);
    };
    const QString most = named(all->largestWeight, all->weight);
    const auto& contrast = cause.everywhere->contrast;
    const QString what =
        contrast ? EffectWords::tr("log-probability compared with %1").arg(quoted(tokenLabel(*contrast)))
                 : EffectWords::tr("log-probability");
    const QString words = one ? EffectWords::tr("%1 %2; in this head alone it %3; most weight is on %4.")
                                    .arg(what, falls(*all), falls(*one), most)
                              : EffectWords::tr("%1 %2; most weight is on %3.").arg(what, falls(*all), most);
    const auto correlation = [](const WeightsAndCause& of) {
        return of.anyMatters()
                   ? EffectWords::tr("%1 over %2 tokens").arg(rounded(of.correlation)).arg(of.allowedKeys)
                   : EffectWords::tr("none (nothing to rank)");
    };
    const QString ranks =
        one ? EffectWords::tr("Rank correlation of weights and losses (Spearman): %1; in this head alone %2.")
                  .arg(correlation(*all), correlation(*one))
            : EffectWords::tr("Rank correlation of weights and losses (Spearman): %1.")
                  .arg(correlation(*all));
    const bool disagree = all->disagree() || (one && one->disagree());
    return where + words + QChar('\n') + (disagree ? QStringLiteral("\u26A0 ") : QString()) + ranks;
}

QString lossInWords(const ShownCause& cause, std::size_t key) {
    const auto dropOf = [key](const std::shared_ptr<const CausalRow>& row) -> std::optional<double> {
        if (!row || key >= row->drops.size())
            return std::nullopt;
        return row->drops[key];
    };
    const auto all = dropOf(cause.everywhere);
    const auto one = dropOf(cause.here);
    if (!all)
        return {};
    if (std::isnan(*all))
        return EffectWords::tr("The effect of masking this key cannot be measured: no other key is allowed, "
                               "or it is already masked.");
    const auto& row = *cause.everywhere;
    const QString token = quoted(tokenLabel(row.token));
    const QString which =
        row.contrast ? EffectWords::tr("%1 compared with %2").arg(token, quoted(tokenLabel(*row.contrast)))
                     : token;
    const QString words = EffectWords::tr("Without this token, the log-probability of %1 at step %2 %3")
                              .arg(which, QString::number(row.step + 1), changeInWords(*all));
    return one && !std::isnan(*one)
               ? EffectWords::tr("%1; masked in this head alone, it %2.").arg(words, changeInWords(*one))
               : words + '.';
}

} // namespace headscope::widgets
