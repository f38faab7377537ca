#include "model/network/intervention.h"

#include "model/trace/refusal.h"
#include "model/trace/shuffle.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <type_traits>
#include <utility>

namespace headscope::network {

namespace {

using trace::AttentionKind;
using trace::SublayerKind;

int layersOf(bool encoder, const NetworkConfig& config) {
    return encoder ? config.encoder.layers : config.decoder.layers;
}

bool exists(const trace::HeadAddress& head, const NetworkConfig& config) {
    const bool encoder = head.site.kind == AttentionKind::EncoderSelf;
    if (head.site.kind == AttentionKind::Cross && !config.hasCrossAttention())
        return false;
    return head.site.layer < layersOf(encoder, config) &&
           head.head < (encoder ? config.encoder.heads : config.decoder.heads);
}

bool exists(const trace::SublayerAddress& sublayer, const NetworkConfig& config) {
    const bool encoder =
        sublayer.kind == SublayerKind::EncoderSelf || sublayer.kind == SublayerKind::EncoderFeedForward;
    if (sublayer.kind == SublayerKind::Cross && !config.hasCrossAttention())
        return false;
    return sublayer.layer < layersOf(encoder, config);
}

/// Returns the address named by a change if the network lacks it; otherwise empty.
struct MissingAddress {
    const NetworkConfig& config;

    std::string operator()(const trace::ScaleSublayer& change) const {
        return exists(change.sublayer, config) ? "" : trace::toString(change.sublayer);
    }
    template <class OfHead>
    std::string operator()(const OfHead& change) const {
        if constexpr (requires { change.head; })
            return exists(change.head, config) ? "" : trace::toString(change.head);
        return {};
    }
};

/// Target tokens are shuffled in blocks of this size, because their final number is unknown.
constexpr std::int64_t neighbours = 16;

/// Returns a permutation of 0 .. n - 1.
std::vector<std::int64_t> shuffled(std::int64_t n, std::uint64_t seed) {
    std::vector<std::int64_t> order(n);
    std::iota(order.begin(), order.end(), 0);
    std::mt19937_64 random(seed);
    trace::shuffle(order, random);
    return order;
}

void refuseFarShift(std::int64_t distance, std::int64_t first, std::int64_t n, std::int64_t table) {
    if (distance >= -first && distance <= table - first - n)
        return;
    throw trace::Refusal({.what = "The model has no position that far away",
                          .where = "--positions",
                          .expected = "places from 0 to " + std::to_string(table - 1),
                          .found = "places " + std::to_string(first) + " to " +
                                   std::to_string(first + n - 1) + ", shifted by " + std::to_string(distance),
                          .wayOut = "shift by less"});
}

} // namespace

void refuseMissingAddresses(const std::vector<trace::Change>& changes, const NetworkConfig& config) {
    std::string missing;
    for (const auto& change : changes)
        if (const auto address = std::visit(MissingAddress{config}, change); !address.empty())
            missing += (missing.empty() ? "" : ", ") + address;
    if (missing.empty())
        return;
    throw trace::Refusal(
        {.what = "The model has no such head or sublayer",
         .where = "the what-if options",
         .expected = "encoder layers below " + std::to_string(config.encoder.layers) + " with " +
                     std::to_string(config.encoder.heads) + " heads, decoder layers below " +
                     std::to_string(config.decoder.layers) + " with " + std::to_string(config.decoder.heads),
         .found = missing,
         .wayOut = "count layers and heads from 0"});
}

at::Tensor SiteChanges::closed(const at::Tensor& closed, std::int64_t heads, std::int64_t firstQuery) const {
    const auto queries = closed.size(0);
    const auto keys = closed.size(1);
    at::Tensor changed;
    for (const auto& cell : blocked_) {
        const auto query = static_cast<std::int64_t>(cell.query) - firstQuery;
        const auto key = static_cast<std::int64_t>(cell.key);
        if (query < 0 || query >= queries || key >= keys)
            continue;
        if (!changed.defined())
            changed = closed.unsqueeze(0).expand({heads, queries, keys}).clone();
        changed[cell.head.head][query][key] = true;
        if (changed[cell.head.head][query].all().item<bool>() && !closed[query].all().item<bool>())
            throw trace::Refusal(
                {.what = "A row's last open cell cannot be blocked",
                 .where = trace::toString(cell.head) + ", query " + std::to_string(cell.query),
                 .expected = "at least one key that stays open",
                 .found = "none",
                 .wayOut = "take one of the row's blocked cells back, or disable the head"});
    }
    return changed.defined() ? changed : closed;
}

at::Tensor SiteChanges::weights(const at::Tensor& weights, const at::Tensor& closed,
                                std::int64_t firstQuery) const {
    at::Tensor changed;
    for (const auto& row : forced_) {
        const auto query = static_cast<std::int64_t>(row.query) - firstQuery;
        const auto key = static_cast<std::int64_t>(row.key);
        if (query < 0 || query >= weights.size(1))
            continue;
        const auto open = (closed.dim() == 3 ? closed[row.head.head][query] : closed[query]).logical_not();
        const bool isOpen = row.pattern == trace::RowPattern::Key
                                ? key < open.size(0) && open[key].item<bool>()
                                : open.any().item<bool>();
        if (!isOpen)
            continue;
        if (!changed.defined())
            changed = weights.clone();
        auto values = changed[row.head.head][query]; // [keys]
        if (row.pattern == trace::RowPattern::Uniform) {
            values.copy_(open / open.sum());
        } else {
            const auto chosen =
                row.pattern == trace::RowPattern::Key ? key : values.argmax().item<std::int64_t>();
            values.zero_();
            values[chosen] = 1;
        }
    }
    return changed.defined() ? changed : weights;
}

at::Tensor SiteChanges::outputs(const at::Tensor& outputs, std::int64_t firstQuery) const {
    if (replaced_.empty() && factors_.empty())
        return outputs;
    auto changed = outputs.clone();
    for (const auto& [head, values] : replaced_) {
        auto rows = changed[head.head]; // [queries, d_k]
        if (values.dim() == 1) {
            rows.copy_(values);
            continue;
        }
        const auto known = std::min(values.size(0) - firstQuery, rows.size(0));
        if (known > 0)
            rows.narrow(0, 0, known).copy_(values.narrow(0, firstQuery, known));
    }
    for (const auto& [head, factor] : factors_)
        changed[head].mul_(factor);
    return changed;
}

double SiteChanges::factor(int head) const {
    const auto found = factors_.find(head);
    return found == factors_.end() ? 1 : found->second;
}

bool SiteChanges::replaces(int head) const {
    return std::any_of(replaced_.begin(), replaced_.end(),
                       [head](const HeadOutput& output) { return output.head.head == head; });
}

Interventions::Interventions(const std::vector<trace::Change>& changes, std::vector<HeadOutput> outputs,
                             const NetworkConfig& config)
    : empty_(changes.empty()) {
    refuseMissingAddresses(changes, config);
    std::reverse(outputs.begin(), outputs.end()); // taken from the back
    for (const auto& change : changes)
        add(change, outputs);
}

void Interventions::add(const trace::Change& change, std::vector<HeadOutput>& outputs) {
    const auto headFactor = [this](const trace::ScaleHead& scaled) {
        const auto [at, isNew] = sites_[scaled.head.site].factors_.emplace(scaled.head.head, scaled.factor);
        if (!isNew)
            at->second *= scaled.factor;
    };
    const auto sublayerFactor = [this](const trace::ScaleSublayer& scaled) {
        const auto [at, isNew] = sublayers_.emplace(scaled.sublayer, scaled.factor);
        if (!isNew)
            at->second *= scaled.factor;
    };
    if (const auto* scaled = std::get_if<trace::ScaleHead>(&change))
        headFactor(*scaled);
    else if (const auto* sublayer = std::get_if<trace::ScaleSublayer>(&change))
        sublayerFactor(*sublayer);
    else if (const auto* cell = std::get_if<trace::BlockCell>(&change))
        sites_[cell->head.site].blocked_.push_back(*cell);
    else if (const auto* row = std::get_if<trace::ForceRow>(&change))
        sites_[row->head.site].forced_.push_back(*row);
    else if (const auto* replaced = std::get_if<trace::ReplaceHead>(&change)) {
        sites_[replaced->head.site].replaced_.push_back(std::move(outputs.back()));
        outputs.pop_back();
    } else if (const auto* scale = std::get_if<trace::ScaleScores>(&change))
        scoreScale_ = scale->factor.value_or(1);
    else if (const auto* softmax = std::get_if<trace::SoftmaxTemperature>(&change))
        temperature_ *= softmax->temperature;
    else if (const auto* positions = std::get_if<trace::ChangePositions>(&change))
        positions_ = *positions;
    else
        liftsMask_ = true;
}

const SiteChanges* Interventions::at(const trace::AttentionSite& site) const {
    const auto found = sites_.find(site);
    return found == sites_.end() ? nullptr : &found->second;
}

double Interventions::sublayerFactor(const trace::SublayerAddress& sublayer) const {
    const auto found = sublayers_.find(sublayer);
    return found == sublayers_.end() ? 1 : found->second;
}

bool Interventions::touchesEncoder() const {
    const auto ofEncoder = [](const auto& entry) {
        if constexpr (std::is_same_v<decltype(entry.first), const trace::AttentionSite>)
            return entry.first.kind == AttentionKind::EncoderSelf;
        else
            return entry.first.kind == SublayerKind::EncoderSelf ||
                   entry.first.kind == SublayerKind::EncoderFeedForward;
    };
    return scoreScale_ || temperature_ != 1 || std::any_of(sites_.begin(), sites_.end(), ofEncoder) ||
           std::any_of(sublayers_.begin(), sublayers_.end(), ofEncoder);
}

double Interventions::scoreScale(double own) const {
    return scoreScale_.value_or(own) / temperature_;
}

at::Tensor Interventions::places(std::int64_t first, std::int64_t n, std::int64_t all,
                                 std::int64_t table) const {
    if (!positions_)
        return {};
    if (positions_->change == trace::PositionChange::None)
        return at::full({n}, -1, at::kLong);
    if (positions_->change == trace::PositionChange::Shift) {
        refuseFarShift(positions_->number, first, n, table);
        return at::arange(first, first + n, at::kLong) + positions_->number;
    }
    std::vector<std::int64_t> places;
    for (std::int64_t i = first; i < first + n; ++i) {
        const auto block = all > 0 ? all : std::min(neighbours, table);
        const auto begin = i / block * block;
        const auto size = std::min(block, table - begin);
        const auto seed = static_cast<std::uint64_t>(positions_->number);
        places.push_back(begin + shuffled(size, seed)[i - begin]);
    }
    return at::tensor(places, at::kLong);
}

} // namespace headscope::network
