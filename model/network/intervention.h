#pragma once

#include "model/network/network_config.h"
#include "model/trace/intervention.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <map>
#include <vector>

namespace headscope::network {

/// Replacement of a head's output: [d_k] for every row, or [rows, d_k] row by row.
struct HeadOutput {
    trace::HeadAddress head;
    at::Tensor values;
};

/// Throws trace::Refusal that lists all addresses in `changes` that the network does not have.
void refuseMissingAddresses(const std::vector<trace::Change>& changes, const NetworkConfig& config);

/// Changes at one attention site. Queries count from the first fed token.
class SiteChanges {
  public:
    /// Adds the blocked cells to closed [queries, keys] bool. Returns [queries, keys] or
    /// [heads, queries, keys]. Throws trace::Refusal if this masks the last allowed key of a row.
    at::Tensor closed(const at::Tensor& closed, std::int64_t heads, std::int64_t firstQuery) const;
    /// Returns weights [heads, queries, keys] with the forced rows. Only allowed keys get weight: a row
    /// without any, or forced on a masked key, is unchanged.
    at::Tensor weights(const at::Tensor& weights, const at::Tensor& closed, std::int64_t firstQuery) const;
    /// Returns outputs [heads, queries, d_k], first replaced, then scaled.
    at::Tensor outputs(const at::Tensor& outputs, std::int64_t firstQuery) const;
    /// Returns the factor of a head's output.
    double factor(int head) const;
    /// Returns true if the head's output is replaced, so that it is not a sum over its values.
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

/// A user's changes to the network, in the form that the layers need. None by default.
class Interventions {
  public:
    Interventions() = default;
    /// `outputs` are those of the ReplaceHead in `changes`, in their order. Throws as
    /// refuseMissingAddresses() does.
    Interventions(const std::vector<trace::Change>& changes, std::vector<HeadOutput> outputs,
                  const NetworkConfig& config);

    bool empty() const { return empty_; }
    /// Returns null if nothing is changed at the site.
    const SiteChanges* at(const trace::AttentionSite& site) const;
    double sublayerFactor(const trace::SublayerAddress& sublayer) const; ///< 1: unchanged
    /// Returns the factor of q k^T that replaces the model's `own`, temperature included.
    double scoreScale(double own) const;
    double temperature() const { return temperature_; } ///< divides all scores
    bool liftsMask() const { return liftsMask_; }
    /// Returns true if layers of the encoder are changed. Changes of its embedding are not considered.
    bool touchesEncoder() const;
    /// Returns the positions of n tokens starting at `first` in a positional table of `table` rows, [n]
    /// int64; -1: no position. Undefined if positions are not changed. `all` is the number of tokens that
    /// will be fed in total; 0: unknown. Throws trace::Refusal for a shift beyond the table.
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
