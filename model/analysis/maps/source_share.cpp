#include "model/analysis/maps/source_share.h"

namespace headscope::analysis {

std::vector<double> sourceShares(const trace::QuantityMaps& contributions) {
    std::vector<double> shares(contributions.values.rows());
    for (std::size_t t = 0; t < shares.size(); ++t)
        for (std::size_t c = 0; c < contributions.values.columns(); ++c) {
            // In an undefined row all allowed cells are NaN; target columns pass it on as NaN * 0.
            const double value = contributions.mask(t, c) ? contributions.values(0, t, c) : 0;
            shares[t] += c < contributions.sourceColumns ? value : value * 0;
        }
    return shares;
}

} // namespace headscope::analysis
