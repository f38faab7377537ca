#pragma once

#include "model/network/forward_observer.h"
#include "model/network/multi_head_attention.h"
#include "model/network/network_config.h"
#include "model/network/norm.h"

#include <ATen/ATen.h>

#include <optional>
#include <string>
#include <utility>

namespace headscope::network {

/// Modules of an attention sublayer; valid as long as the network.
struct AttentionModule {
    const MultiHeadAttention& attention;
    const Norm& norm;
    const Norm* after; ///< norm of the output, for NormScheme::Sandwich; null: none
};

/// Returns the norm of a sublayer's output if the scheme has a second norm.
inline std::optional<Norm> normAfter(ParameterList& list, const std::string& role,
                                     const NetworkConfig& config, const StackConfig& stack) {
    return stack.normScheme == NormScheme::Sandwich ? std::optional<Norm>(Norm(list, role, config, stack))
                                                    : std::nullopt;
}
inline const Norm* pointerTo(const std::optional<Norm>& norm) {
    return norm ? &*norm : nullptr;
}

/// Residual connection around a sublayer f, with its norm where the scheme places it. The contribution is
/// multiplied by `factor`; 1 leaves every bit unchanged. `after` is the second norm of NormScheme::Sandwich.
/// `observer` may be null and receives the contribution before the factor.
template <class Function>
at::Tensor addSublayer(NormScheme scheme, const Norm& norm, const Norm* after, const at::Tensor& x,
                       double factor, ForwardObserver* observer, Function&& sublayer) {
    const auto report = [&](at::Tensor added) {
        if (observer)
            observer->added(added);
        return added;
    };
    const auto f = [&](const at::Tensor& y) { return report(sublayer(y)); };
    const auto scaled = [factor](at::Tensor added) { return factor == 1 ? added : added * factor; };
    switch (scheme) {
    case NormScheme::Pre:
    case NormScheme::Parallel: // both sublayers of a layer read the same x, see addParallel()
        return x + scaled(f(norm(x)));
    case NormScheme::Post:
        return norm(x + scaled(f(x)));
    case NormScheme::PreNormedResidual: {
        const auto y = norm(x);
        return y + scaled(f(y));
    }
    case NormScheme::Sandwich:
        return x + scaled(report((*after)(sublayer(norm(x)))));
    case NormScheme::SublayerOutput:
        return x + scaled(report(norm(sublayer(x))));
    }
    return {};
}

/// Residual connection around a sublayer that reads `input`, an earlier value of the stream x, for
/// NormScheme::Parallel.
template <class Function>
at::Tensor addParallel(const Norm& norm, const at::Tensor& x, const at::Tensor& input, double factor,
                       ForwardObserver* observer, Function&& sublayer) {
    const auto added = sublayer(norm(input));
    if (observer)
        observer->added(added);
    return x + (factor == 1 ? added : added * factor);
}

} // namespace headscope::network
