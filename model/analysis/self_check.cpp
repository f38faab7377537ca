#include "model/analysis/self_check.h"

#include "model/analysis/maps/map_kernels.h"
#include "model/analysis/maps/mask_effect.h"
#include "model/trace/kernels.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

namespace headscope::analysis {

namespace {

using trace::CheckState;
using trace::Finding;

constexpr double rowSumLimit = 1e-5;
constexpr double maskedCellLimit = 0;
constexpr double softmaxLimit = 1e-5;
constexpr double float32 = 0x1p-24;          // largest relative error of one rounding
constexpr double logProbabilityLimit = 1e-4; // for a sum of 58,101 terms in float32
constexpr double cachedLimit = 1e-5;         // for scores up to 8
/// Beyond, per unit of the largest score: float32 computes scores with an error of 6e-7 of the largest one
/// (PyTorch's own, see tests/reference), those of two passes differ by twice as much, and a weight of a
/// softmax by at most half of that; twice that is accepted.
constexpr double cachedShare = 1.2e-6;

/// Returns the larger of two deviations; NaN is largest.
double worse(double a, double b) {
    return std::isnan(a) || a > b ? a : b;
}

/// Written so that a NaN fails.
Finding finding(double largest, double limit) {
    return {
        .state = largest <= limit ? CheckState::Ok : CheckState::Failed, .largest = largest, .limit = limit};
}

bool seesNothing(std::span<const std::uint8_t> open) {
    return std::none_of(open.begin(), open.end(), [](auto cell) { return cell != 0; });
}

/// Returns the largest score, in size, of cells that have weight. Of a map that is not stored it is a bound
/// from the longest query and the longest key, without biases by distance.
double largestScore(const trace::AttentionRecord& record) {
    if (!record.isRecomputed()) {
        // Cells with less weight stay so small that an error of their scores changes no weight noticeably.
        constexpr float leastWeight = 1e-7F;
        const auto weights = record.weights.values();
        const auto scores = record.scores.values();
        double size = 0;
        for (std::size_t cell = 0; cell < std::min(weights.size(), scores.size()); ++cell)
            if (weights[cell] > leastWeight && std::isfinite(scores[cell]))
                size = std::max(size, std::abs(static_cast<double>(scores[cell])));
        return size;
    }
    const auto longest = [](const trace::HeadStack& vectors) {
        double squares = 0;
        for (std::size_t head = 0; head < vectors.heads(); ++head)
            for (std::size_t row = 0; row < vectors.rows(); ++row) {
                double sum = 0;
                for (const float number : vectors.head(head).row(row))
                    sum += static_cast<double>(number) * static_cast<double>(number);
                squares = std::isfinite(sum) ? std::max(squares, sum) : squares;
            }
        return std::sqrt(squares);
    };
    return longest(record.q) * longest(record.k) * std::abs(record.rule->scale);
}

void measure(const trace::AttentionRecord& record, trace::RowsMeasured& worst) {
    if (record.isRecomputed()) { // measured when its rows were computed
        worst = trace::worst(worst, record.rule->measured);
        return;
    }
    for (std::size_t query = 0; query < record.mask.rows(); ++query) {
        const auto open = record.mask.row(query);
        if (seesNothing(open))
            continue;
        ++worst.rows;
        for (std::size_t h = 0; h < record.weights.heads(); ++h) {
            const auto weights = record.weights.head(h).row(query);
            double sum = 0;
            for (std::size_t key = 0; key < weights.size(); ++key) {
                sum += weights[key];
                if (!open[key])
                    worst.maskedCell = worse(std::abs(static_cast<double>(weights[key])), worst.maskedCell);
                else if (weights[key] < 0)
                    worst.rowSum = worse(-static_cast<double>(weights[key]), worst.rowSum);
            }
            worst.rowSum = worse(std::abs(sum - 1), worst.rowSum);
        }
    }
}

/// Compares weights with the softmax of their scores.
class SoftmaxCheck {
  public:
    SoftmaxCheck(const trace::Run& run, double roundoff) : run_(run), roundoff_(roundoff) {
        for (const auto& change : trace::effective(run.request.interventions))
            if (const auto* forced = std::get_if<trace::ForceRow>(&change))
                forced_.push_back(*forced);
            else if (const auto* blocked = std::get_if<trace::BlockCell>(&change))
                blocked_.push_back(blocked->head);
    }

    void measure(const trace::AttentionRecord& record) {
        if (record.isRecomputed() || record.scores.empty())
            return;
        measured_ = true;
        for (std::size_t h = 0; h < record.weights.heads(); ++h) {
            const trace::HeadAddress head{.site = record.site, .head = h};
            if (std::ranges::find(blocked_, head) == blocked_.end()) {
                measure(record, head, record.mask);
                continue;
            }
            auto open = record.mask;
            closeBlocked(run_, head, 0, open);
            measure(record, head, open);
        }
    }

    Finding result() const {
        return measured_ ? finding(worst_, limit_) : Finding{.state = CheckState::NotApplicable};
    }

  private:
    void measure(const trace::AttentionRecord& record, const trace::HeadAddress& head,
                 const trace::MaskMatrix& mask) {
        const auto h = head.head;
        for (std::size_t query = 0; query < mask.rows(); ++query) {
            const auto open = mask.row(query);
            if (seesNothing(open) || isForced(head, query))
                continue;
            const auto scores = record.scores.head(h).row(query);
            const auto weights = record.weights.head(h).row(query);
            row_.assign(scores.begin(), scores.end());
            kernels::softmaxRow(row_.data(), open.data(), row_.size(), std::numeric_limits<float>::lowest());
            // An error of a score changes its weight by as much, relative to the weight. Scores have the
            // error with which they are stored, and s - max is rounded once in each of the two softmaxes.
            double largest = 0;
            for (std::size_t key = 0; key < row_.size(); ++key) {
                worst_ = worse(std::abs(static_cast<double>(weights[key]) - row_[key]), worst_);
                if (open[key])
                    largest = std::max(largest, std::abs(static_cast<double>(scores[key])));
            }
            if (std::isfinite(largest))
                limit_ = std::max(limit_, softmaxLimit + (roundoff_ + 2 * float32) * (1 + 2 * largest));
        }
    }

    bool isForced(const trace::HeadAddress& head, std::size_t query) const {
        return std::ranges::any_of(forced_,
                                   [&](const auto& row) { return row.head == head && row.query == query; });
    }

    const trace::Run& run_;
    double roundoff_;
    std::vector<trace::ForceRow> forced_;
    std::vector<trace::HeadAddress> blocked_;
    std::vector<float> row_;
    bool measured_ = false;
    double worst_ = 0;
    double limit_ = softmaxLimit;
};

/// Returns by how much the sum of the probabilities differs from 1. Raises `limit` by the possible effect of
/// rounding each log-probability to `roundoff`.
double missing(std::span<const float> logProbabilities, double roundoff, double& limit) {
    double sum = 0;
    double rounded = 0;
    for (const float value : logProbabilities) {
        const double probability = std::exp(static_cast<double>(value));
        sum += probability;
        if (probability > 0)
            rounded += probability * std::abs(static_cast<double>(value)) * roundoff;
    }
    limit = std::max(limit, logProbabilityLimit + 2 * rounded);
    return std::abs(sum - 1);
}

Finding checkLogProbabilities(const trace::Run& run, double roundoff) {
    bool any = !run.classLogProbabilities.empty();
    double worst = 0;
    double limit = logProbabilityLimit;
    if (any && run.model && run.model->areClassesSeparate)
        worst = std::max(0.0F, *std::ranges::max_element(run.classLogProbabilities));
    else if (any)
        worst = missing(run.classLogProbabilities, roundoff, limit);
    for (std::size_t row = 0; row < run.spanLogProbabilities.rows(); ++row) {
        any = true;
        worst = worse(missing(run.spanLogProbabilities.row(row), roundoff, limit), worst);
    }
    for (std::size_t row = 0; row < run.sourceLogProbabilities.rows(); ++row) {
        any = true;
        worst = worse(missing(run.sourceLogProbabilities.row(row), roundoff, limit), worst);
    }
    for (const auto& node : run.tree.nodes()) {
        if (!node.row)
            continue;
        if (const auto& all = node.row->logProbabilities; !all.empty()) {
            any = true;
            worst = worse(missing(all, roundoff, limit), worst);
        }
        for (const auto& candidate : node.row->candidates) {
            any = true;
            if (!(candidate.logProbability <= 0)) // also true for NaN
                worst = worse(candidate.logProbability, worst);
        }
    }
    return any ? finding(worst, limit) : Finding{.state = CheckState::NotApplicable};
}

} // namespace

trace::SelfCheck selfCheck(const trace::Run& run, std::optional<double> cachedAgainstFullPass,
                           const NumberOrigin& origin) {
    trace::RowsMeasured worst;
    SoftmaxCheck softmax(run, origin.roundoff);
    std::size_t keys = 0;
    for (const auto* records : {&run.encoder, &run.decoder, &run.cross})
        for (const auto& record : *records) {
            measure(record, worst);
            keys = std::max(keys, record.keys());
            if (run.complete)
                softmax.measure(record);
        }
    trace::SelfCheck check{.kernels = trace::nameOf(trace::kernelsInUse())};
    if (worst.rows > 0) {
        // Weights are rounded relative to their size; the smallest float16 weights by up to 2^-25.
        const double rounded =
            origin.roundoff > 0 ? origin.roundoff + 0x1p-25 * static_cast<double>(keys) : 0;
        check.rowsSumToOne = finding(worst.rowSum, rowSumLimit + rounded);
        check.maskedCellsAreZero = finding(worst.maskedCell, maskedCellLimit);
        if (run.complete)
            check.weightsAreSoftmax = softmax.result();
    }
    check.logProbabilities = checkLogProbabilities(run, origin.roundoff);
    const bool hasDecoder = !run.decoder.empty() || !run.model || run.model->decoderLayers > 0;
    check.cachedEqualsFullPass.limit = cachedLimit;
    if (cachedAgainstFullPass) {
        double scores = 0;
        for (const auto* records : {&run.decoder, &run.cross})
            for (const auto& record : *records)
                scores = std::max(scores, largestScore(record));
        check.cachedEqualsFullPass =
            finding(*cachedAgainstFullPass, std::max(cachedLimit, cachedShare * scores));
    } else if (!hasDecoder)
        check.cachedEqualsFullPass.state = CheckState::NotApplicable;
    return check;
}

trace::SelfCheck checkedAnew(const trace::SelfCheck& recorded, const trace::Run& run,
                             const std::optional<NumberOrigin>& origin) {
    auto check = origin ? selfCheck(run, std::nullopt, *origin) : recorded;
    check.kernels = recorded.kernels;
    if (check.cachedEqualsFullPass.state != CheckState::NotApplicable)
        check.cachedEqualsFullPass = recorded.cachedEqualsFullPass;
    for (const auto finding : trace::allFindings) {
        const bool isRecorded = !origin || finding == &trace::SelfCheck::cachedEqualsFullPass;
        if (isRecorded && (check.*finding).state == CheckState::Ok)
            (check.*finding).state = CheckState::Recorded;
        else if ((recorded.*finding).state == CheckState::Failed)
            check.*finding = recorded.*finding;
    }
    return check;
}

} // namespace headscope::analysis
