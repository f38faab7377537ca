#include "widgets/views/positions/score_terms_words.h"

#include "model/trace/copied_matrix.h"
#include "widgets/drawing/axis_numbers.h"
#include "widgets/drawing/token_label.h"
#include "widgets/map/map_picture.h"
#include "widgets/words/captions.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

using analysis::ScoreOrigin;
using trace::AttentionKind;
using trace::ScorePart;

struct ScoreTermsWords {
    Q_DECLARE_TR_FUNCTIONS(ScoreTermsWords)
};

QString partName(ScorePart part) {
    switch (part) {
    case ScorePart::Word:
        return ScoreTermsWords::tr("word");
    case ScorePart::Position:
        return ScoreTermsWords::tr("position");
    case ScorePart::Content:
        return ScoreTermsWords::tr("content");
    case ScorePart::Bias:
        break;
    }
    return ScoreTermsWords::tr("bias");
}

double largestOpen(const trace::Matrix& values, const trace::MaskMatrix& mask) {
    double largest = 0;
    for (std::size_t i = 0; i < values.values().size(); ++i)
        if (mask.values()[i] && std::isfinite(values.values()[i]))
            largest = std::max(largest, std::abs(static_cast<double>(values.values()[i])));
    return largest;
}

QString termPercent(double share) {
    return QString::number(std::round(100 * share)).replace('-', QChar(0x2212)) + QStringLiteral("\u00A0%");
}

QString sharesInWords(const trace::ScoreTerms& terms, const analysis::HeadScoreShares& shares) {
    if (shares.rows == 0)
        return ScoreTermsWords::tr("No row of this head has two allowed keys with different scores.");
    QStringList parts;
    for (const auto origin : originsIn(terms))
        parts += ScoreTermsWords::tr("%1 %2").arg(
            originName(origin), termPercent(shares.origins[static_cast<std::size_t>(origin)]));
    return ScoreTermsWords::
        tr("Shares of the variance of a row's scores, Cov(term, score) / Var(score), mean of %1 rows: %2.")
            .arg(shares.rows)
            .arg(parts.join(QStringLiteral(", ")));
}

} // namespace

std::shared_ptr<const HeadTerms> headTerms(const trace::ScoreTerms& terms, std::size_t head, bool centred,
                                           const trace::Task& work) {
    const auto shown = [&](const trace::HeadStack& stack) {
        return centred ? analysis::centredRows(stack.head(head), terms.mask)
                       : trace::copied(stack.head(head));
    };
    auto made = std::make_shared<HeadTerms>();
    made->scores = shown(terms.scores);
    made->ofScores = MatrixPyramid(trace::view(made->scores), &terms.mask);
    made->limit = largestOpen(made->scores, terms.mask);
    for (const auto& term : terms.terms) {
        work.report(made->terms.size() + 1, terms.terms.size() + 1);
        made->terms.push_back(shown(term.values));
        made->pyramids.emplace_back(trace::view(made->terms.back()), &terms.mask);
        made->limit = std::max(made->limit, largestOpen(made->terms.back(), terms.mask));
    }
    if (made->limit == 0)
        made->limit = 1;
    return made;
}

QString termName(const trace::ScoreTerm& term) {
    if (!term.product)
        return ScoreTermsWords::tr("distance");
    if (term.product->query == ScorePart::Content)
        return ScoreTermsWords::tr("content");
    return ScoreTermsWords::tr("%1–%2").arg(partName(term.product->query), partName(term.product->key));
}

QString shortTermName(const trace::ScoreTerm& term) {
    return termName(term).replace(partName(ScorePart::Position), ScoreTermsWords::tr("pos."));
}

QString originName(ScoreOrigin origin) {
    switch (origin) {
    case ScoreOrigin::Content:
        return ScoreTermsWords::tr("content");
    case ScoreOrigin::Position:
        return ScoreTermsWords::tr("position");
    case ScoreOrigin::Mixed:
        return ScoreTermsWords::tr("mixed");
    case ScoreOrigin::Bias:
        break;
    }
    return ScoreTermsWords::tr("bias");
}

std::vector<ScoreOrigin> originsIn(const trace::ScoreTerms& terms) {
    std::vector<ScoreOrigin> origins;
    for (std::size_t i = 0; i < analysis::scoreOrigins; ++i)
        if (const auto origin = static_cast<ScoreOrigin>(i); std::ranges::any_of(
                terms.terms, [&](const auto& term) { return analysis::originOf(term) == origin; }))
            origins.push_back(origin);
    return origins;
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
        words += sign + ScoreTermsWords::tr("%1 (%2)").arg(numberText(term == 0 ? value : std::abs(value)),
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
    return ScoreTermsWords::tr("Query %1, key %2: %3")
        .arg(label(cell.row), label(cell.column),
             open ? sumInWords(terms, shown, cell) : ScoreTermsWords::tr("masked"));
}

QString scoreTermsCaption(const trace::ModelSummary& model, const trace::ScoreTerms& terms, int head,
                          const analysis::HeadScoreShares& shares, double limit, bool centred) {
    const bool byDistance = model.positionKind == trace::PositionKind::DistanceBias;
    const QString how =
        byDistance ? ScoreTermsWords::tr("%1: each score before the mask as the exact sum of query times key "
                                         "(content) and the distance bias of the head.")
                   : ScoreTermsWords::tr(
                         "%1: each score before the mask as the exact sum of nine products, the query's part "
                         "times the key's (Dai et al. 2019, 3.3), with the divisors of norms held fixed.");
    QString words = how.arg(ofModel(model, headTitle(model, {terms.site, head})));
    words += QChar(' ') +
             ScoreTermsWords::tr("One colour scale for the %1 small maps and their sum, up to \u00B1%2.")
                 .arg(terms.terms.size())
                 .arg(axisNumber(limit));
    words += sharedPixelsInWords(Pooling::Extreme, terms.mask.rows(), terms.mask.columns());
    if (centred)
        words += QChar(' ') +
                 ScoreTermsWords::tr(
                     "Shown minus each row's mean over its allowed keys, which does not change the softmax.");
    return words + QChar(' ') + sharesInWords(terms, shares);
}

std::optional<trace::HeadAddress> nearestExactHead(const trace::ModelSummary& model, AttentionKind kind,
                                                   const trace::HeadAddress& selected) {
    if (kind == AttentionKind::Cross || model.layers(kind) == 0 || model.heads(kind) == 0)
        return std::nullopt;
    const bool anyLayer = (model.positionKind == trace::PositionKind::DistanceBias ||
                           model.positionKind == trace::PositionKind::Rotation) &&
                          selected.site.kind == kind;
    const std::size_t layer =
        anyLayer ? std::min<std::size_t>(selected.site.layer, model.layers(kind) - 1) : 0;
    return trace::HeadAddress{{kind, layer}, std::min<std::size_t>(selected.head, model.heads(kind) - 1)};
}

int highestKey(trace::MatrixView scores, const trace::MaskMatrix& mask, int row) {
    const auto values = scores.row(static_cast<std::size_t>(row));
    const auto open = mask.row(static_cast<std::size_t>(row));
    std::size_t best = 0;
    for (std::size_t key = 0; key < values.size(); ++key)
        if (open[key] && (!open[best] || values[key] > values[best]))
            best = key;
    return static_cast<int>(best);
}

} // namespace headscope::widgets
