#pragma once

#include "model/analysis/aligned_maps.h"
#include "model/analysis/head_changes.h"
#include "model/analysis/said_comparison.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>

namespace headscope::widgets {

/// Two things that are compared: A, which the window shows, and B.
struct ComparedPair {
    std::shared_ptr<const trace::Run> first;
    std::shared_ptr<const trace::Run> second;
    /// Two steps of one run, which is then both.
    std::optional<std::pair<std::size_t, std::size_t>> steps;

    explicit operator bool() const { return first && second; }
    friend bool operator==(const ComparedPair&, const ComparedPair&) = default;
};

/// Which head of B stands beside a head of A.
struct OtherHead {
    /// Usual: of the same address, and where B has no such head the nearest one.
    enum class Choice { Usual, Nearest, This };
    Choice choice = Choice::Usual;
    trace::HeadAddress head; ///< of Choice::This
    friend bool operator==(const OtherHead&, const OtherHead&) = default;
};

/// What the view of the comparison needs to know. Somebody else answers it, off the window's thread.
struct CompareQuestion {
    ComparedPair pair;
    trace::HeadAddress head; ///< of A
    OtherHead other;
    friend bool operator==(const CompareQuestion&, const CompareQuestion&) = default;
};

struct CompareAnswer {
    CompareQuestion question;
    analysis::RunAlignment alignment;
    std::optional<trace::HeadAddress> other; ///< the head of B; nothing where none can stand there
    std::optional<double> nearest;           ///< its mean divergence where it was chosen as the nearest one
    analysis::AlignedMaps maps;
    analysis::SaidComparison said;
};

/// Cells of a map that can be drawn while a person waits for it; of larger ones there are no maps.
inline constexpr std::size_t mostComparedCells = 2'000'000;
bool canBeDrawn(const CompareAnswer& answer);

/// Aligns whole runs and may look at every head of B: not for the window's thread. Throws trace::Cancelled.
CompareAnswer answerOf(const CompareQuestion& question, std::stop_token stop = {});

/// Of the same pair.
analysis::RunAlignment alignmentOf(const ComparedPair& pair);

} // namespace headscope::widgets
