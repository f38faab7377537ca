#include "widgets/score_terms_words.h"

#include "widgets/captions.h"
#include "widgets/token_label.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

using analysis::ScoreOrigin;
using trace::AttentionKind;
using trace::ScorePart;

QString tr(const char* text) {
    return QCoreApplication::translate("headscope::widgets::ScoreTermsWords", text);
}

QString partName(ScorePart part) {
    switch (part) {
    case ScorePart::Word:
        return tr("word");
    case ScorePart::Position:
        return tr("position");
    case ScorePart::Bias:
        break;
    }
    return tr("bias");
}

double largestOpen(const trace::Matrix& values, const trace::MaskMatrix& mask) {
    double largest = 0;
    for (std::size_t i = 0; i < values.values().size(); ++i)
        if (mask.values()[i] && std::isfinite(values.values()[i]))
            largest = std::max(largest, std::abs(static_cast<double>(values.values()[i])));
    return largest;
}

trace::Matrix copied(trace::MatrixView view) {
    trace::Matrix matrix(view.rows(), view.columns());
    for (std::size_t row = 0; row < view.rows(); ++row)
        std::ranges::copy(view.row(row), &matrix(row, 0));
    return matrix;
}

QString percent(double share) {
    return QString::number(std::round(100 * share)).replace('-', QChar(0x2212)) + QStringLiteral(" %");
}

QString sharesInWords(const analysis::HeadScoreShares& shares) {
    if (shares.rows == 0)
        return tr("No row of this head has two open keys whose scores differ.");
    QStringList parts;
    for (std::size_t origin = 0; origin < analysis::scoreOrigins; ++origin)
        parts +=
            tr("%1 %2").arg(originName(static_cast<ScoreOrigin>(origin)), percent(shares.origins[origin]));
    return tr("Shares of what makes a row's scores differ, Cov(term, score) / Var(score) over its open keys, "
              "add up to 1; one below 0 works against the row. Here, mean of %1 rows: %2.")
        .arg(shares.rows)
        .arg(parts.join(QStringLiteral(", ")));
}

} // namespace

HeadTerms headTerms(const trace::ScoreTerms& terms, std::size_t head, bool centred) {
    const auto shown = [&](const trace::HeadStack& stack) {
        return centred ? analysis::centredRows(stack.head(head), terms.mask) : copied(stack.head(head));
    };
    HeadTerms made{.terms = {}, .scores = shown(terms.scores), .limit = 0};
    made.limit = largestOpen(made.scores, terms.mask);
    for (const auto& term : terms.terms) {
        made.terms.push_back(shown(term.values));
        made.limit = std::max(made.limit, largestOpen(made.terms.back(), terms.mask));
    }
    if (made.limit == 0)
        made.limit = 1;
    return made;
}

QString termName(const trace::ScoreTerm& term) {
    if (!term.product)
        return tr("distance");
    return tr("%1–%2").arg(partName(term.product->query), partName(term.product->key));
}

QString originName(ScoreOrigin origin) {
    switch (origin) {
    case ScoreOrigin::Content:
        return tr("content");
    case ScoreOrigin::Position:
        return tr("position");
    case ScoreOrigin::Mixed:
        return tr("mixed");
    case ScoreOrigin::Bias:
        break;
    }
    return tr("bias");
}

QString sumInWords(const trace::ScoreTerms& terms, const HeadTerms& shown, MapCell cell) {
    const auto row = static_cast<std::size_t>(cell.row);
    const auto column = static_cast<std::size_t>(cell.column);
    QString words = numberText(shown.scores(row, column));
    for (std::size_t term = 0; term < shown.terms.size(); ++term) {
        const double value = shown.terms[term](row, column);
        const QString sign = term == 0   ? QStringLiteral(" = ")
                             : value < 0 ? QStringLiteral(" \u2212 ")
                                         : QStringLiteral(" + ");
        words += sign + tr("%1 (%2)").arg(numberText(term == 0 ? value : std::abs(value)),
                                          termName(terms.terms[term]));
    }
    return words;
}

QString cellInWords(const trace::ScoreTerms& terms, const HeadTerms& shown, MapCell cell) {
    const auto label = [&](int index) {
        return quoted(tokenLabel(terms.tokens, static_cast<std::size_t>(index)));
    };
    const bool open =
        terms.mask(static_cast<std::size_t>(cell.row), static_cast<std::size_t>(cell.column)) != 0;
    return tr("%1 looks at %2: %3")
        .arg(label(cell.row), label(cell.column),
             open ? sumInWords(terms, shown, cell) : tr("closed by the mask"));
}

QString scoreTermsCaption(const trace::ModelSummary& model, const trace::ScoreTerms& terms, int head,
                          const analysis::HeadScoreShares& shares, bool centred) {
    QString words =
        tr("%1: each score, as the softmax gets it before the mask, is exactly the sum of nine products. The "
           "stream is still word + position here, so that the query is the sum of what its word, its "
           "position "
           "and biases alone give, and the key too (Dai et al. 2019); norms keep the divisor they had. One "
           "scale for all maps.")
            .arg(headTitle(model, {terms.site, head}));
    if (centred)
        words += QChar(' ') + tr("Each row is shown less its mean over the open keys, which the softmax does "
                                 "not see: what is the same for all keys is 0.");
    return words + QChar(' ') + sharesInWords(shares);
}

std::optional<trace::HeadAddress> nearestExactHead(const trace::ModelSummary& model, AttentionKind kind,
                                                   const trace::HeadAddress& selected) {
    if (kind == AttentionKind::Cross || model.layers(kind) == 0 || model.heads(kind) == 0)
        return std::nullopt;
    return trace::HeadAddress{{kind, 0}, std::clamp(selected.head, 0, model.heads(kind) - 1)};
}

int highestKey(const trace::ScoreTerms& terms, std::size_t head, int row) {
    const auto scores = terms.scores.head(head).row(static_cast<std::size_t>(row));
    const auto open = terms.mask.row(static_cast<std::size_t>(row));
    std::size_t best = 0;
    for (std::size_t key = 0; key < scores.size(); ++key)
        if (open[key] && (!open[best] || scores[key] > scores[best]))
            best = key;
    return static_cast<int>(best);
}

} // namespace headscope::widgets
