#pragma once

#include "model/network/network_config.h"
#include "model/trace/intervention.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <map>
#include <vector>

namespace headscope::network {

/// What replaces a head's output: [d_k] in every row, or [rows, d_k] row by row.
struct HeadOutput {
    trace::HeadAddress head;
    at::Tensor values;
};

/// Throws trace::Refusal naming every address among the changes that the network does not have.
void refuseMissingAddresses(const std::vector<trace::Change>& changes, const NetworkConfig& config);

/// What is changed at one attention site. Queries count from the first token that was fed.
class SiteChanges {
  public:
    /// closed [queries, keys] bool -> the same with the blocked cells, [queries, keys] or [heads, queries,
    /// keys]. Throws trace::Refusal where that closes the last open key of a row.
    at::Tensor closed(const at::Tensor& closed, std::int64_t heads, std::int64_t firstQuery) const;
    /// weights [heads, queries, keys] with the forced rows. Only keys that are open get weight: a row without
    /// one, or that is forced on another, stays as it is.
    at::Tensor weights(const at::Tensor& weights, const at::Tensor& closed, std::int64_t firstQuery) const;
    /// outputs [heads, queries, d_k], replaced, then scaled.
    at::Tensor outputs(const at::Tensor& outputs, std::int64_t firstQuery) const;
    /// What a head's output is multiplied with.
    double factor(int head) const;
    /// Whether a head's output is made of something else than its values.
    bool replaces(int head) const;
    const std::vector<trace::BlockCell>& blocked() const { return blocked_; }
    const std::vector<trace::ForceRow>& forced() const { return forced_; }

  private:
    friend class Interventions;
    std::vector<trace::BlockCell> blocked_;
    std::vector<trace::ForceRow> forced_;
    std::vector<HeadOutput> replaced_;
    std::map<int, double> factors_; ///< by head
};

/// What a person changed in the network, as the layers ask for it. None by default.
class Interventions {
  public:
    Interventions() = default;
    /// `outputs` belong to the ReplaceHead among the `changes`, in their order. Throws as
    /// refuseMissingAddresses() does.
    Interventions(const std::vector<trace::Change>& changes, std::vector<HeadOutput> outputs,
                  const NetworkConfig& config);

    bool empty() const { return empty_; }
    /// Null where nothing is changed.
    const SiteChanges* at(const trace::AttentionSite& site) const;
    double sublayerFactor(const trace::SublayerAddress& sublayer) const; ///< 1: nothing is changed
    /// The factor of q k^T instead of the model's own, the temperature inside.
    double scoreScale(double own) const;
    double temperature() const { return temperature_; } ///< that all scores are divided by
    bool liftsMask() const { return liftsMask_; }
    /// The encoder's output may differ from the undisturbed one, its embedding aside.
    bool touchesEncoder() const;
    /// The places in the positional table of n tokens from `first` on, of which `all` will be fed (0: not
    /// known); undefined: as always. [n] int64; -1: no position. Throws trace::Refusal for a shift to places
    /// outside of the table.
    at::Tensor places(std::int64_t first, std::int64_t n, std::int64_t all, std::int64_t table) const;

  private:
    void add(const trace::Change& change, std::vector<HeadOutput>& outputs);

    bool empty_ = true;
    std::map<trace::AttentionSite, SiteChanges> sites_;
    std::map<trace::SublayerAddress, double> sublayers_;
    std::optional<double> scoreScale_;
    double temperature_ = 1;
    bool liftsMask_ = false;
    std::optional<trace::ChangePositions> positions_;
};

} // namespace headscope::network
