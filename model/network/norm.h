#pragma once

#include "model/network/network_config.h"
#include "model/network/parameters.h"

#include <string>

namespace headscope::network {

/// Normalises the last dimension: [..., d_model] -> [..., d_model]. See NormKind for the formulas.
class Norm {
  public:
    /// Of the vectors of a stack.
    Norm(ParameterList& list, const std::string& role, const NetworkConfig& config, const StackConfig& stack)
        : Norm(list, role, config, stack.normEpsilon, config.widthOf(stack)) {}
    /// Normalises `width` numbers.
    Norm(ParameterList& list, const std::string& role, const NetworkConfig& config, double epsilon,
         std::int64_t width);

    at::Tensor operator()(const at::Tensor& x) const;

    /// A norm with its divisor kept fixed, which makes it linear: norm(sum of parts) = sum of gain * (part -
    /// mean(part)) / divisor, plus bias; without the mean for RootMeanSquare.
    struct Frozen {
        at::Tensor gain;    ///< [d_model]
        at::Tensor bias;    ///< [d_model]; undefined: none
        at::Tensor divisor; ///< [..., 1]
        bool centres = true;

        /// [..., d_model] -> [..., d_model], without the bias.
        at::Tensor linear(const at::Tensor& part) const;
        /// Returns the reading of the norm's input that gives what `reading` of its result gives.
        LinearReading before(const LinearReading& reading) const;
        /// Returns the norm of one row, with divisor [1].
        Frozen row(std::int64_t row) const {
            return {.gain = gain, .bias = bias, .divisor = divisor[row], .centres = centres};
        }
    };
    Frozen freeze(const at::Tensor& x) const;

  private:
    at::Tensor gain() const; // [width]

    NormKind kind_;
    bool hasUnitOffset_;
    double epsilon_;
    at::Tensor gain_; // [d_model]
    at::Tensor bias_; // [d_model]; undefined: none
};

} // namespace headscope::network
