#pragma once

#include "model/analysis/maps/cell_closed.h"
#include "model/trace/run.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace headscope::analysis {

/// The factor of q k^T.
struct ScoreScale {
    double factor = 1;          ///< own or changed, divided by the temperature; NaN: not known
    double temperature = 1;     ///< 1: none
    bool isInverseRoot = false; ///< without temperature it is 1/sqrt(d_k) (Vaswani et al. 2017, equation 1)
    bool isChanged = false;     ///< by hand, the temperature aside
    bool isKnown = true;        ///< false of a trace that does not say it
};

/// Of `run` with heads of this width, 0 where that is not known; the paper's where the model does not say its
/// own, but of a trace, which may be of any model.
ScoreScale scoreScale(const trace::Run& run, std::size_t width);

/// What a person did to the places of the tokens; nothing where they were left alone.
std::optional<trace::PositionChange> positionChange(const trace::Run& run);

/// What a stack's table adds to the scores of its self-attention; null where the model adds none.
const trace::DistanceBias* distanceBias(const trace::Run& run, trace::AttentionKind kind);
/// Of a key `offset` places after the query; beyond the table's ends all are alike.
double valueAt(const trace::DistanceBias& bias, std::size_t head, int offset);

/// One key of the query's row.
struct KeyTerm {
    bool open = true;
    double score = 0;       ///< q k scale, and what the distance adds
    double exponential = 0; ///< exp(score - largest open score); 0 where closed
    double weight = 0;      ///< its part of the sum
};

/// How one cell of a head's map comes about: softmax(q k^T scale + distance + mask), and what it is
/// multiplied with
/// (Vaswani et al. 2017, equation 1). In double precision from the q, k and v that the network computed in
/// single precision.
struct CellArithmetic {
    trace::HeadAddress head;
    std::size_t query = 0;
    std::size_t key = 0;

    /// The model turns queries and keys by their places (Su et al. 2021), and q and k are the turned ones.
    bool isTurned = false;
    std::vector<double> q;        ///< [d_k]
    std::vector<double> k;        ///< [d_k]
    std::vector<double> products; ///< [d_k] q times k
    double dot = 0;               ///< their sum
    ScoreScale scale;
    double distance = 0; ///< what a model adds by distance (trace::DistanceBias)
    /// The run does not tell where shuffled places are: the distance's part is what the score has beyond the
    /// product, and no check of it.
    bool isDistanceReadOff = false;
    double score = 0; ///< dot times scale, plus distance

    std::optional<CellClosed> closed; ///< nothing where the cell is open
    bool rowIsClosed = false;         ///< then every key got the same fill, and the same weight
    std::vector<KeyTerm> row;         ///< [keys]
    double largest = 0;               ///< open score of the row, taken from all before exp
    double sum = 0;                   ///< of the row's exponentials
    double weight = 0;                ///< after softmax, and after forcing
    bool isForced = false;            ///< the row's weights were replaced by hand

    std::vector<double> v;      ///< [d_k]
    std::vector<double> adds;   ///< [d_k] weight times v: this key's part of the head's output
    std::vector<double> output; ///< [d_k] the sum of the row's parts, before changes by hand
    double factor = 1;          ///< that changes by hand multiply it with; 0: the head is off
    bool isReplaced = false;    ///< another output was put in its place by hand

    double shownScore = 0; ///< what the map says
    double shownWeight = 0;
};

/// `projected` is `shown` with its projections recorded. Nothing where one of them has no such cell, there
/// are no projections, or the factor of q k is not known.
std::optional<CellArithmetic> cellArithmetic(const trace::Run& shown, const trace::Run& projected,
                                             const trace::HeadAddress& head, std::size_t query,
                                             std::size_t key);

/// Euclidean.
double length(const std::vector<double>& vector);

} // namespace headscope::analysis
