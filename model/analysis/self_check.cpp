#include "model/analysis/self_check.h"

#include <algorithm>
#include <cmath>

namespace headscope::analysis {

namespace {

using trace::CheckState;
using trace::Finding;

constexpr double rowSumLimit = 1e-5;
constexpr double maskedCellLimit = 0;
constexpr double cachedLimit = 1e-5;

/// Larger of two deviations; a NaN is larger than everything.
double worse(double a, double b) {
    return std::isnan(a) || a > b ? a : b;
}

/// Written so that a NaN fails.
Finding finding(double largest, double limit) {
    return {
        .state = largest <= limit ? CheckState::Ok : CheckState::Failed, .largest = largest, .limit = limit};
}

void measure(const trace::AttentionRecord& record, trace::RowsMeasured& worst) {
    if (record.isLeftOut()) { // measured while its rows were there
        worst = trace::worst(worst, record.rule->measured);
        return;
    }
    for (std::size_t query = 0; query < record.mask.rows(); ++query) {
        const auto open = record.mask.row(query);
        if (std::none_of(open.begin(), open.end(), [](auto cell) { return cell != 0; }))
            continue;
        ++worst.rows;
        for (std::size_t h = 0; h < record.weights.heads(); ++h) {
            const auto weights = record.weights.head(h).row(query);
            double sum = 0;
            for (std::size_t key = 0; key < weights.size(); ++key) {
                sum += weights[key];
                if (!open[key])
                    worst.maskedCell = worse(std::abs(static_cast<double>(weights[key])), worst.maskedCell);
            }
            worst.rowSum = worse(std::abs(sum - 1), worst.rowSum);
        }
    }
}

} // namespace

trace::SelfCheck selfCheck(const trace::Run& run, std::optional<double> cachedAgainstFullPass) {
    trace::RowsMeasured worst;
    for (const auto* records : {&run.encoder, &run.decoder, &run.cross})
        for (const auto& record : *records)
            measure(record, worst);
    trace::SelfCheck check;
    if (worst.rows > 0) {
        check.rowsSumToOne = finding(worst.rowSum, rowSumLimit);
        check.maskedCellsAreZero = finding(worst.maskedCell, maskedCellLimit);
    }
    const bool hasDecoder = !run.decoder.empty() || !run.model || run.model->decoderLayers > 0;
    check.cachedEqualsFullPass.limit = cachedLimit;
    if (cachedAgainstFullPass)
        check.cachedEqualsFullPass = finding(*cachedAgainstFullPass, cachedLimit);
    else if (!hasDecoder)
        check.cachedEqualsFullPass.state = CheckState::NotApplicable;
    return check;
}

trace::SelfCheck checkedAnew(const trace::SelfCheck& said, const trace::Run& run) {
    const auto counted = selfCheck(run, std::nullopt);
    if (said.rowsSumToOne.state == CheckState::NotChecked)
        return counted;
    auto check = said;
    for (const auto finding : {&trace::SelfCheck::rowsSumToOne, &trace::SelfCheck::maskedCellsAreZero})
        if ((counted.*finding).state == CheckState::Failed)
            check.*finding = counted.*finding;
    return check;
}

} // namespace headscope::analysis
