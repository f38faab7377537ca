#pragma once

#include <QString>

#include "model/analysis/compare/compare_readings.h"
#include "model/analysis/heads/head_statistics.h"
#include "model/trace/run.h"

#include <vector>

namespace headscope::widgets {

/// Log-probability of a token that is guessed; NaN where nobody knows how many there are.
double guessing(const trace::Run& run);

/// "“Haus Haus Haus”, cut off after 24 tokens": what the twin said by itself, its first path; tokens that
/// repeat are counted where they make no text.
QString twinSaidInWords(const trace::Run& twin);

/// "Mean log-probability of a token of the shown output: −0.2134 in the model, −9.1234 in the twin. Guessing
/// among all 8000 tokens would give −8.9872."
QString readingsInWords(const std::vector<analysis::TokenReading>& readings, const trace::Run& run);

/// "cross.2.5, mean entropy of a row: 0.4213 nats in the model, 2.3125 in the twin, 2.3979 at most."
QString entropiesInWords(const analysis::EntropyComparison& entropies);

} // namespace headscope::widgets
