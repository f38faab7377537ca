#pragma once

#include "model/trace/attention_site.h"
#include "model/trace/causal_row.h"
#include "model/trace/classifier_reading.h"
#include "model/trace/head_importance.h"
#include "model/trace/lens.h"
#include "model/trace/model_flow.h"
#include "model/trace/quantity_maps.h"
#include "model/trace/request.h"
#include "model/trace/row_contributions.h"
#include "model/trace/run.h"
#include "model/trace/score_terms.h"
#include "model/trace/task.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <variant>

namespace headscope::trace {

// Kinds of questions, each with the type of its answer. engine.h describes the contents.

struct RunWhat {
    using Value = Run;
    friend bool operator==(const RunWhat&, const RunWhat&) = default;
};

struct LensWhat {
    using Value = Lens;
    friend bool operator==(const LensWhat&, const LensWhat&) = default;
};

struct ImportanceWhat {
    using Value = HeadImportance;
    friend bool operator==(const ImportanceWhat&, const ImportanceWhat&) = default;
};

struct MapsWhat {
    using Value = QuantityMaps;
    MapQuantity quantity = MapQuantity::NormWeighted;
    AttentionSite site;
    std::size_t step = 0; ///< gradient only: step of the token, or index of the class
    friend bool operator==(const MapsWhat&, const MapsWhat&) = default;
};

struct ScoreTermsWhat {
    using Value = ScoreTerms;
    AttentionSite site;
    friend bool operator==(const ScoreTermsWhat&, const ScoreTermsWhat&) = default;
};

struct ContributionsWhat {
    using Value = RowContributions;
    HeadAddress head;
    std::size_t query = 0;
    friend bool operator==(const ContributionsWhat&, const ContributionsWhat&) = default;
};

struct CausalRowWhat {
    using Value = CausalRow;
    std::size_t step = 0;
    std::optional<HeadAddress> head; ///< nullopt: all cross-attention heads
    KeyRange keys;
    friend bool operator==(const CausalRowWhat&, const CausalRowWhat&) = default;
};

struct FlowWhat {
    using Value = ModelFlow;
    friend bool operator==(const FlowWhat&, const FlowWhat&) = default;
};

struct ClassifierWhat {
    using Value = ClassifierReading;
    friend bool operator==(const ClassifierWhat&, const ClassifierWhat&) = default;
};

/// A question about a request, as a value.
struct Question {
    using What = std::variant<RunWhat, LensWhat, ImportanceWhat, MapsWhat, ScoreTermsWhat, ContributionsWhat,
                              CausalRowWhat, FlowWhat, ClassifierWhat>;
    Request request;
    What what;
    friend bool operator==(const Question&, const Question&) = default;
};

/// Value of the question's type, never null.
using Answer = std::variant<std::shared_ptr<const Run>, std::shared_ptr<const Lens>,
                            std::shared_ptr<const HeadImportance>, std::shared_ptr<const QuantityMaps>,
                            std::shared_ptr<const ScoreTerms>, std::shared_ptr<const RowContributions>,
                            std::shared_ptr<const CausalRow>, std::shared_ptr<const ModelFlow>,
                            std::shared_ptr<const ClassifierReading>>;

/// Interface for answering questions; implemented by models, recorded traces and tests.
class Answers {
  public:
    virtual ~Answers() = default;

    /// Throws Refusal or Cancelled.
    virtual Answer answer(const Question& question, const Task& work) = 0;

    /// Same as answer(), with the concrete type.
    template <class What>
    std::shared_ptr<const typename What::Value> of(Request request, What what, const Task& work) {
        return std::get<std::shared_ptr<const typename What::Value>>(
            answer({.request = std::move(request), .what = std::move(what)}, work));
    }
};

} // namespace headscope::trace
