#pragma once

#include "model/network/transformer.h"

#include <cstdint>
#include <stop_token>

namespace headscope::network {

/// Fills every parameter with random numbers: matrices Xavier uniform (Glorot & Bengio 2010, equation 16),
/// embeddings and positional tables normal with deviation d_model^-1/2, gains 0.9 to 1.1, biases normal with
/// deviation 0.02, so that the effect of each is visible. The same seed gives the same numbers on every
/// machine, except for the last digits of logarithm and cosine. Throws trace::Cancelled.
void randomise(const Transformer& network, std::uint64_t seed, std::stop_token stop = {});

} // namespace headscope::network
