#pragma once

#include "model/trace/attention_site.h"
#include "model/trace/causal_row.h"
#include "model/trace/classifier_reading.h"
#include "model/trace/expert_routing.h"
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
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

namespace headscope::trace {

// Kinds of questions, each with the type of its answer. All are about the run of the request, which is run
// first.

struct RunWhat {
    using Value = Run;
    friend bool operator==(const RunWhat&, const RunWhat&) = default;
};

/// What the model predicts after each sublayer, at each step of a decoder or for each answer of an encoder.
struct LensWhat {
    using Value = Lens;
    friend bool operator==(const LensWhat&, const LensWhat&) = default;
};

/// What the prediction loses without each head.
struct ImportanceWhat {
    using Value = HeadImportance;
    Ablation ablation;
    friend bool operator==(const ImportanceWhat&, const ImportanceWhat&) = default;
};

/// What is left of the prediction while heads are removed one after the other.
struct RemovalWhat {
    using Value = RemovalCurve;
    std::vector<HeadAddress> order;   ///< the first is removed first
    std::vector<std::size_t> removed; ///< numbers of removed heads to measure at, at most those of `order`
    Ablation ablation;
    friend bool operator==(const RemovalWhat&, const RemovalWhat&) = default;
};

/// A quantity at one attention site along the shown path.
struct MapsWhat {
    using Value = QuantityMaps;
    MapQuantity quantity = MapQuantity::NormWeighted;
    AttentionSite site;
    std::size_t step = 0; ///< gradient only: step of the token, or index of the class
    friend bool operator==(const MapsWhat&, const MapsWhat&) = default;
};

/// The scores of a self-attention layer, split into content and position.
struct ScoreTermsWhat {
    using Value = ScoreTerms;
    AttentionSite site;
    friend bool operator==(const ScoreTermsWhat&, const ScoreTermsWhat&) = default;
};

/// What a head adds to the residual stream in one row.
struct ContributionsWhat {
    using Value = RowContributions;
    HeadAddress head;
    std::size_t query = 0;
    friend bool operator==(const ContributionsWhat&, const ContributionsWhat&) = default;
};

/// What one step of the shown path loses without each source token, in a decoder alone without each earlier
/// token: masked in one cross-attention head, or in all of them. Long sources are processed in ranges of
/// `keys`.
struct CausalRowWhat {
    using Value = CausalRow;
    std::size_t step = 0;
    std::optional<HeadAddress> head; ///< nullopt: all heads
    KeyRange keys;
    friend bool operator==(const CausalRowWhat&, const CausalRowWhat&) = default;
};

/// The size of the residual stream along the shown path.
struct FlowWhat {
    using Value = ModelFlow;
    friend bool operator==(const FlowWhat&, const FlowWhat&) = default;
};

/// The logits of a classifier, split into contributions, and its answer without each word.
struct ClassifierWhat {
    using Value = ClassifierReading;
    friend bool operator==(const ClassifierWhat&, const ClassifierWhat&) = default;
};

/// Which experts each token uses along the shown path.
struct RoutingWhat {
    using Value = ExpertRouting;
    friend bool operator==(const RoutingWhat&, const RoutingWhat&) = default;
};

/// A question about a request, as a value.
struct Question {
    using What = std::variant<RunWhat, LensWhat, ImportanceWhat, RemovalWhat, MapsWhat, ScoreTermsWhat,
                              ContributionsWhat, CausalRowWhat, FlowWhat, ClassifierWhat, RoutingWhat>;
    Request request;
    What what;
    /// Most questions are about the same request, which takes longer to compare.
    friend bool operator==(const Question& a, const Question& b) {
        return a.what == b.what && a.request == b.request;
    }
};

/// Value of the question's type, never null.
using Answer = std::variant<std::shared_ptr<const Run>, std::shared_ptr<const Lens>,
                            std::shared_ptr<const HeadImportance>, std::shared_ptr<const RemovalCurve>,
                            std::shared_ptr<const QuantityMaps>, std::shared_ptr<const ScoreTerms>,
                            std::shared_ptr<const RowContributions>, std::shared_ptr<const CausalRow>,
                            std::shared_ptr<const ModelFlow>, std::shared_ptr<const ClassifierReading>,
                            std::shared_ptr<const ExpertRouting>>;

/// Functions for std::visit, one of which is chosen by the kind of the question.
template <class... Functions>
struct ByKind : Functions... {
    using Functions::operator()...;
};
template <class... Functions>
ByKind(Functions...) -> ByKind<Functions...>;

/// Receives what is known of an answer so far: whole values, each consistent in itself. Called from the
/// working thread.
using Partial = std::function<void(Answer)>;

/// Interface for answering questions; implemented by models, recorded traces and tests.
class Answers {
  public:
    virtual ~Answers() = default;

    /// `partial`, which may be null, receives the run of a RunWhat after each decoded token, and of an
    /// ImportanceWhat the heads measured so far, and of a RemovalWhat the points. `work` receives the
    /// progress of reading source and forced target. Throws Refusal or Cancelled.
    virtual Answer answer(const Question& question, const Task& work, const Partial& partial) = 0;

    /// Same as answer(), with the concrete type.
    template <class What, class Pointer = std::shared_ptr<const typename What::Value>>
    Pointer of(Request request, What what, const Task& work = {},
               const std::function<void(std::type_identity_t<Pointer>)>& partial = {}) {
        Partial untyped;
        if (partial)
            untyped = [&](const Answer& known) { partial(std::get<Pointer>(known)); };
        return std::get<Pointer>(
            answer({.request = std::move(request), .what = std::move(what)}, work, untyped));
    }
};

} // namespace headscope::trace
