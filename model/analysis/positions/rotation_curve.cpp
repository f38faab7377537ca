#include "model/analysis/positions/rotation_curve.h"

#include "model/analysis/maps/cell_arithmetic.h"
#include "model/analysis/maps/recomputed_map.h"

#include <charconv>
#include <cmath>
#include <string>
#include <string_view>

namespace headscope::analysis {

namespace {

std::string flagOf(const trace::ModelSummary& model, std::string_view flag) {
    for (const auto& [name, text] : model.architecture)
        if (name == flag)
            return text;
    return {};
}

/// Returns the radians per position of each pair; layers with an attention window may have a base of their
/// own.
std::vector<double> frequenciesOf(const trace::ModelSummary& model, int layer) {
    const auto base = flagOf(model, "window_position_base");
    const auto windowed = ", " + flagOf(model, "windowed_layers") + ",";
    double number = 0; // parsed by from_chars, which ignores the locale
    const bool isNumber =
        std::from_chars(base.data(), base.data() + base.size(), number).ec == std::errc() && number > 1;
    if (!isNumber || windowed.find(", " + std::to_string(layer) + ",") == windowed.npos)
        return model.rotation;
    std::vector<double> frequencies;
    for (std::size_t pair = 0; pair < model.rotation.size(); ++pair)
        frequencies.push_back(
            std::pow(number, -static_cast<double>(pair) / static_cast<double>(model.rotation.size())));
    return frequencies;
}

} // namespace

RotationCurve rotationCurve(const trace::Run& run, const trace::HeadAddress& head, std::size_t query,
                            std::size_t key, int reach) {
    RotationCurve curve;
    const auto* record = run.record(head.site);
    const auto frequencies = frequenciesOf(*run.model, head.site.layer);
    const auto h = head.head;
    if (!record || head.site.kind == trace::AttentionKind::Cross || frequencies.empty() ||
        h >= record->q.heads() || query >= record->q.rows() || key >= record->k.rows() ||
        record->q.columns() < 2 * frequencies.size() || !scoreScale(run, record->q.columns()).isKnown)
        return curve;
    const auto q = record->q.head(h).row(query);
    const auto k = record->k.head(h).row(key);
    const std::size_t half = frequencies.size();
    curve.own = trace::TokenIndex(key) - query;
    const auto row = headRow(*record, h, query);
    if (key >= row.scores.size())
        return curve;
    curve.score = static_cast<double>(row.scores[key]);
    curve.first = -reach;
    // Dot and cross products of each pair; a rotation of the key mixes them.
    std::vector<double> along, across;
    const bool interleaved = run.model->rotatesInterleaved();
    for (std::size_t m = 0; m < half; ++m) {
        const auto one = interleaved ? 2 * m : m;
        const auto other = interleaved ? one + 1 : m + half;
        const double q0 = q[one], q1 = q[other], k0 = k[one], k1 = k[other];
        along.push_back(q0 * k0 + q1 * k1);
        across.push_back(q1 * k0 - q0 * k1);
    }
    double still = 0; // of the dimensions that do not rotate
    for (std::size_t m = 2 * half; m < q.size(); ++m)
        still += static_cast<double>(q[m]) * static_cast<double>(k[m]);
    const double scale = scoreScale(run, q.size()).factor;
    for (int distance = -reach; distance <= reach; ++distance) {
        double sum = still;
        for (std::size_t m = 0; m < half; ++m) {
            const double angle = frequencies[m] * (distance - curve.own);
            sum += along[m] * std::cos(angle) + across[m] * std::sin(angle);
        }
        curve.values.push_back(sum * scale);
    }
    return curve;
}

} // namespace headscope::analysis
