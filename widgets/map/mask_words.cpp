#include "widgets/map/mask_words.h"

#include "model/analysis/architecture/architecture_blocks.h"
#include "model/analysis/maps/recomputed_map.h"
#include "widgets/map/mask_parts.h"
#include "widgets/words/captions.h"
#include "widgets/words/counting_words.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::widgets {

namespace {

using analysis::MaskEffect;
using analysis::WhyMasked;
using trace::AttentionKind;

struct MaskWords {
    Q_DECLARE_TR_FUNCTIONS(Masks)
};

constexpr int mostCells = trace::longestStoredMap; ///< per side of a picture

/// While decoding runs, the token chosen last may still be missing.
void label(LinkedMap& map, const trace::Run& run, AttentionKind kind) {
    map.kind = kind;
    map.rowLabels = tokenLabels(run.queryTokens(kind), map.values.rows());
    map.columnLabels = tokenLabels(run.keyTokens(kind), map.values.columns());
}

trace::MaskMatrix appliedAt(const trace::Run& run, const trace::HeadAddress& head) {
    return analysis::maskOf(*run.record(head.site));
}

QString fillText(const trace::Run& run) {
    const auto fill = run.model ? analysis::maskFill(*run.model) : std::nullopt;
    if (!fill)
        return MaskWords::tr("a value that the model does not specify");
    if (std::isinf(*fill))
        return MaskWords::tr("\u2212\u221E");
    return *fill == -1e9F ? MaskWords::tr("\u22121e9") : MaskWords::tr("the lowest float, \u22123.4e38");
}

/// Describes the softmax of a fully masked row, as in the run.
QString closedRowInWords(const MaskEffect& effect, std::size_t row) {
    return std::isnan(effect.weights(row, 0))
               ? MaskWords::tr("the softmax of fill values only is not a number")
               : MaskWords::tr("all keys have the same fill value and get the same weight, %1")
                     .arg(numberText(static_cast<double>(effect.weights(row, 0))));
}

LinkedMap scoreMap(trace::Matrix values, double limit) {
    LinkedMap map{.tone = LinkedMap::Tone::Scores, .pooling = Pooling::Largest, .limit = limit};
    map.values = std::move(values);
    return map;
}

/// Pools maps one by one, because several complete maps of a long sentence do not fit into memory.
class MaskParts {
  public:
    MaskParts(const trace::Run& run, AttentionKind kind, std::size_t count, const trace::Task& work)
        : run_(run), kind_(kind), count_(count), work_(work) {}

    /// Throws trace::Cancelled.
    void add(LinkedMap part, const QString& title) {
        const auto work = work_.part(parts_.size(), count_);
        work.report(0);
        part.title = title;
        label(part, run_, kind_);
        parts_.push_back(pooled(std::move(part), mostCells, work));
    }

    std::vector<LinkedMap> made() && { return std::move(parts_); }

  private:
    const trace::Run& run_;
    AttentionKind kind_;
    std::size_t count_; ///< total number of maps
    trace::Task work_;
    std::vector<LinkedMap> parts_;
};

} // namespace

QString closedInWords(WhyMasked why) {
    switch (why) {
    case WhyMasked::LaterToken:
        return MaskWords::tr("masked, because the key comes later than the query");
    case WhyMasked::OutsideWindow:
        return MaskWords::tr("masked, because the key comes before the layer's attention window");
    case WhyMasked::PaddingKey:
        return MaskWords::tr("masked, because the key is padding");
    case WhyMasked::LaterPadding:
        return MaskWords::tr("masked twice, because the key comes later than the query and is padding");
    case WhyMasked::PaddingQuery:
        return MaskWords::tr("masked, because the query is padding");
    case WhyMasked::BlockedByHand:
        return MaskWords::tr("masked by a what-if");
    case WhyMasked::Otherwise:
        break;
    }
    return MaskWords::tr("masked by the model");
}

std::vector<LinkedMap> maskParts(const trace::Run& run, const trace::HeadAddress& head,
                                 const trace::Task& work) {
    const auto kind = head.site.kind;
    MaskParts parts(run, kind, 3, work);
    auto applied = appliedAt(run, head);
    const auto queries = applied.rows();
    if (kind == AttentionKind::DecoderSelf)
        parts.add(allowedCells(subsequentMask(queries)), MaskWords::tr("Subsequent mask"));
    else
        parts.add(
            {.words = kind == AttentionKind::EncoderSelf
                          ? MaskWords::tr(
                                "Not used for this attention: the encoder reads the whole sentence at once.")
                          : MaskWords::tr("Not used for this attention: the whole source is known.")},
            MaskWords::tr("Subsequent mask"));
    auto padding = paddingMask(queries, run.keyTokens(kind));
    if (std::ranges::count(padding.values(), 0) == 0) // a sentence suffices and leaves room for the others
        parts.add({.words = kind == AttentionKind::DecoderSelf
                                ? MaskWords::tr("Masks nothing: no token of the target is padding.")
                                : MaskWords::tr("Masks nothing: no token of the source is padding.")},
                  MaskWords::tr("Padding mask"));
    else
        parts.add(allowedCells(std::move(padding)), MaskWords::tr("Padding mask"));
    parts.add(allowedCells(std::move(applied)), MaskWords::tr("Mask the model applied"));
    return std::move(parts).made();
}

QString maskVerdict(const trace::Run& run, const trace::HeadAddress& head) {
    const auto kind = head.site.kind;
    const auto applied = appliedAt(run, head);
    const auto padding = paddingMask(applied.rows(), run.keyTokens(kind));
    const bool causal = kind == AttentionKind::DecoderSelf && applied.rows() == padding.columns();
    const auto expected = causal ? intersection(subsequentMask(applied.rows()), padding) : padding;
    const auto cell = firstDifference(applied, expected);
    const bool masksNothing =
        kind == AttentionKind::EncoderSelf && run.model && run.model->property("encoder_mask") == "none";
    if (!cell && masksNothing)
        return MaskWords::tr(
            "Every cell is allowed: this model masks no padding, and the sentence has none.");
    if (!cell)
        return causal ? MaskWords::tr("The mask that the model applied combines the subsequent mask and the "
                                      "padding mask: a cell is allowed if both allow it.")
                      : MaskWords::tr("The mask that the model applied is the padding mask alone.");
    const bool open = applied(cell->row, cell->column) != 0;
    return MaskWords::tr("The mask that the model applied differs from the combination of these masks. First "
                         "different cell: row %1, column %2 [%3]; in the model it is %4.")
        .arg(cell->row)
        .arg(cell->column)
        .arg(cellStatus(run, head, cell->row, cell->column, Quantity::Weights),
             open ? MaskWords::tr("allowed") : MaskWords::tr("masked"));
}

QString maskCaption(const trace::Run& run, const trace::HeadAddress& head) {
    const QString title =
        run.model ? ofModel(*run.model, headTitle(*run.model, head)) : kindTitle(head.site.kind);
    return MaskWords::tr("%1. %2").arg(title, maskVerdict(run, head));
}

std::vector<LinkedMap> effectParts(const trace::Run& run, const trace::HeadAddress& head, MaskEffect effect,
                                   const trace::Task& work) {
    double limit = 0;
    for (std::size_t row = 0; row < effect.before.rows(); ++row) {
        trace::throwIfStopped(work.stop());
        for (const float score : effect.before.row(row))
            if (std::isfinite(score))
                limit = std::max(limit, std::abs(static_cast<double>(score)));
    }
    limit = limit > 0 ? limit : 1;
    MaskParts parts(run, head.site.kind, 4, work);
    parts.add(scoreMap(std::move(effect.before), limit), MaskWords::tr("1. Scores"));
    parts.add(allowedCells(effect.open), MaskWords::tr("2. Mask"));
    auto after = scoreMap(std::move(effect.after), limit);
    after.mask = effect.open;
    parts.add(std::move(after), MaskWords::tr("3. Masked"));
    parts.add({.tone = LinkedMap::Tone::Weights,
               .values = std::move(effect.weights),
               .mask = std::move(effect.open)},
              MaskWords::tr("4. Weights"));
    return std::move(parts).made();
}

QString effectCaption(const trace::Run& run, const trace::HeadAddress& head, const MaskEffect& effect) {
    QString words =
        MaskWords::tr("%1: scaled scores before the mask, the mask, scores after the mask (same scale), and "
                      "the weights after the softmax. Masked cells (hatched) are filled with %2.")
            .arg(run.model ? ofModel(*run.model, headTitle(*run.model, head)) : kindTitle(head.site.kind),
                 fillText(run));
    std::size_t closed = 0;
    std::optional<std::size_t> first;
    for (std::size_t row = 0; row < effect.open.rows(); ++row)
        if (effect.isRowClosed(row)) {
            ++closed;
            first = first.value_or(row);
        }
    const bool isForced = std::ranges::any_of(effective(run.request.interventions), [&](const auto& change) {
        const auto* row = std::get_if<trace::ForceRow>(&change);
        return row && row->head == head;
    });
    if (isForced)
        words += ' ' + MaskWords::tr("Rows forced by a what-if have the weights of the what-if.");
    if (first)
        words += ' ' + MaskWords::tr("Fully masked rows: %1 of %2; there %3.")
                           .arg(QString::number(closed), QString::number(effect.open.rows()),
                                closedRowInWords(effect, *first));
    words += sharedPixelsInWords(Pooling::Largest, effect.before.rows(), effect.before.columns());
    return words;
}

QString maskedCellInWords(const trace::Run& run, const trace::HeadAddress& head, MapCell cell) {
    const std::size_t query = std::max(0, cell.row);
    const std::size_t column = std::max(0, cell.column);
    const auto effect = analysis::maskEffectOfRow(run, head, query);
    constexpr std::size_t row = 0;
    if (effect.empty() || column >= effect.open.columns())
        return {};
    const auto kind = head.site.kind;
    const auto why = analysis::whyClosed(run, head, query, column);
    const QString score = numberText(static_cast<double>(effect.before(row, column)));
    const QString scores = why ? MaskWords::tr("Score %1 before the mask, %2 after").arg(score, fillText(run))
                               : MaskWords::tr("Score %1 before and after the mask").arg(score);
    const QString sum =
        effect.isRowClosed(row)
            ? MaskWords::tr("The whole row is masked: %1.").arg(closedRowInWords(effect, row))
            : MaskWords::tr("The row's weights on its %1 allowed keys (of %2) sum to %3.")
                  .arg(QString::number(effect.allowedKeys(row)), QString::number(effect.open.columns()),
                       numberText(effect.openSum(row)));
    return MaskWords::tr("%1 [%2 \u2192 %3]: %4. %5; weight %6. %7")
        .arg(address(head), queryInWords(run, kind, cell.row), keyInWords(run, kind, cell.column),
             why ? closedInWords(*why) : MaskWords::tr("allowed"), scores,
             numberText(static_cast<double>(effect.weights(row, column))), sum);
}

} // namespace headscope::widgets
