#pragma once

#include "model/analysis/compare/aligned_maps.h"
#include "model/analysis/compare/head_changes.h"
#include "model/analysis/compare/run_comparison.h"
#include "model/analysis/compare/said_comparison.h"
#include "model/trace/question.h"
#include "widgets/words/quantity.h"

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

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

/// The run of another request, of the shown model or of the second one.
struct OtherRun {
    using Value = std::shared_ptr<const trace::Run>;
    static constexpr bool takesLong = true;

    trace::Request request;
    std::shared_ptr<const trace::ModelSummary> secondModel; ///< null: of the shown one

    Value ask(trace::Answers& answers, const trace::Task& work) const {
        return answers.of(request, trace::RunWhat(), work);
    }
    static std::size_t bytes(const Value& value);
    friend bool operator==(const OtherRun&, const OtherRun&) = default;
};

/// Another path of the shown run.
struct OtherBranch {
    using Value = std::shared_ptr<const trace::Run>;

    std::shared_ptr<const trace::Run> run;
    std::size_t path = 0;

    Value count(const trace::Task& work) const;
    friend bool operator==(const OtherBranch&, const OtherBranch&) = default;
};

/// The next-token distributions of A and B, step by step, where B reads what A does.
struct ComparedSteps {
    using Value = std::vector<analysis::StepComparison>;
    static constexpr bool takesLong = true;

    std::shared_ptr<const trace::Run> first;                ///< A with whole distributions
    trace::Request request;                                 ///< B reading A's output
    std::shared_ptr<const trace::ModelSummary> secondModel; ///< null: of the shown one

    Value ask(trace::Answers& answers, const trace::Task& work) const {
        return analysis::compareSteps(*first, *answers.of(request, trace::RunWhat(), work));
    }
    friend bool operator==(const ComparedSteps&, const ComparedSteps&) = default;
};

/// Which head of B stands beside a head of A.
struct OtherHead {
    /// Usual: of the same address, and where B has no such head the nearest one.
    enum class Choice { Usual, Nearest, This };
    Choice choice = Choice::Usual;
    trace::HeadAddress head; ///< of Choice::This
    friend bool operator==(const OtherHead&, const OtherHead&) = default;
};

struct CompareAnswer;

/// The maps of a head of A, of one of B, and their difference. Aligns whole runs and may look at every head
/// of B.
struct CompareQuestion {
    using Value = CompareAnswer;
    static constexpr bool takesLong = true;

    ComparedPair pair;
    trace::HeadAddress head; ///< of A
    OtherHead other;

    CompareAnswer count(const trace::Task& work) const;
    friend bool operator==(const CompareQuestion&, const CompareQuestion&) = default;
};

/// All heads, by how much they changed.
struct ComparedHeads {
    using Value = std::vector<analysis::HeadChange>;
    static constexpr bool takesLong = true;

    ComparedPair pair;

    Value count(const trace::Task& work) const;
    friend bool operator==(const ComparedHeads&, const ComparedHeads&) = default;
};

/// Small maps of the differences of some heads.
struct ChangedMaps {
    struct Map {
        trace::Matrix values; ///< empty where there is none
        trace::MaskMatrix mask;
        double largest = 0; ///< magnitude
    };
    using Value = std::vector<Map>; ///< of each of `heads`
    static constexpr bool takesLong = true;

    ComparedPair pair;
    std::vector<std::pair<trace::HeadAddress, trace::HeadAddress>> heads; ///< of A and of B

    Value count(const trace::Task& work) const;
    friend bool operator==(const ChangedMaps&, const ChangedMaps&) = default;
};

/// Heads with a comparable row, most changed first.
std::vector<analysis::HeadChange> mostChangedFirst(std::vector<analysis::HeadChange> changes);

/// The maps of A, of B, and their difference on some places of the axes; a cell stands for several, of which
/// it is the one furthest from zero.
struct ComparedPicture {
    std::vector<std::size_t> rows; ///< places of the answer's axes
    std::vector<std::size_t> columns;
    std::size_t tokens = 1; ///< rows and columns that a cell stands for
    std::array<trace::Matrix, 3> values;
    std::array<trace::MaskMatrix, 3> masks;
};

struct CompareAnswer {
    CompareQuestion question;
    analysis::RunAlignment alignment;
    std::optional<trace::HeadAddress> other; ///< the head of B; nothing where none can stand there
    std::optional<double> nearest;           ///< its mean divergence where it was chosen as the nearest one
    /// Of maps too long to be kept without their cells.
    analysis::AlignedMaps maps;
    /// Of those alone: of all places, and of those with a counterpart.
    std::vector<ComparedPicture> pictures;
    analysis::SaidComparison said;
    /// What the maps show; tables and divergences are of weights, which `maps` are.
    Quantity quantity = Quantity::Weights;
    analysis::AlignedMaps others;                     ///< of another quantity; empty for weights
    double limit = 1;                                 ///< of the colours of A and B
    std::array<std::optional<trace::Token>, 2> about; ///< whose logits gradients are of

    const analysis::AlignedMaps& drawn() const { return quantity == Quantity::Weights ? maps : others; }
};

/// Another quantity of a head of B, which its run does not hold.
struct OtherMaps {
    using Value = std::shared_ptr<const trace::QuantityMaps>;
    static constexpr bool takesLong = true;

    trace::Request request;
    trace::MapsWhat what;
    std::shared_ptr<const trace::ModelSummary> secondModel; ///< null: of the shown one

    Value ask(trace::Answers& answers, const trace::Task& work) const {
        return answers.of(request, what, work);
    }
    static std::size_t bytes(const Value& value) { return value->values.values().size_bytes(); }
    friend bool operator==(const OtherMaps&, const OtherMaps&) = default;
};

/// The same comparison in another quantity than weights.
struct ComparedQuantity {
    using Value = CompareAnswer;
    using Maps = std::shared_ptr<const trace::QuantityMaps>; ///< null if the run holds the quantity

    std::shared_ptr<const CompareAnswer> weights;
    Quantity quantity = Quantity::Scores;
    Maps first;
    Maps second;

    CompareAnswer count(const trace::Task& work) const;
    friend bool operator==(const ComparedQuantity&, const ComparedQuantity&) = default;
};

/// Least end of a colour scale of differences: smaller ones stay pale, as they are next to none.
inline constexpr double leastComparedScale = 0.01;
/// Cells of a map that is kept; of larger ones smaller pictures are.
inline constexpr std::size_t mostKeptCells = 2'000'000;
/// Of larger ones there are no maps: those of both heads do not fit into memory beside the runs.
inline constexpr std::size_t mostComparedCells = 64'000'000;
bool canBeDrawn(const CompareAnswer& answer);
/// Its cells are not kept. Weights alone have smaller pictures then.
bool isLong(const CompareAnswer& answer);
/// Whether any row and any key of A has one in B; else there is no difference of the maps.
bool haveCommonAxes(const CompareAnswer& answer);

/// The places of an axis that are shown.
std::vector<std::size_t> shownPlaces(const std::vector<analysis::AlignedPlace>& places, bool alignedOnly);

/// One row of maps that are not kept, computed again: soon there, of long maps too.
analysis::AlignedMaps comparedRow(const CompareAnswer& answer, std::size_t place);

/// Of the same pair.
analysis::RunAlignment alignmentOf(const ComparedPair& pair, const std::stop_token& stop = {});

} // namespace headscope::widgets
