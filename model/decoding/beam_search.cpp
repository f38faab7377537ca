#include "model/decoding/beam_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope::decoding {

namespace {

using trace::BeamRule;
using trace::Fate;

struct Continuation {
    double score;
    std::int64_t token;
    std::size_t age; ///< index of the continued live hypothesis, oldest first
};

bool isBetter(const Continuation& a, const Continuation& b) {
    if (a.score != b.score)
        return a.score > b.score;
    return a.token != b.token ? a.token < b.token : a.age < b.age;
}

/// Keeps the best `count` of all offered continuations.
class Best {
  public:
    explicit Best(std::size_t count) : count_(count) {}

    void offer(const Continuation& continuation) {
        if (heap_.size() == count_ && !isBetter(continuation, heap_.front()))
            return;
        if (heap_.size() == count_) {
            std::pop_heap(heap_.begin(), heap_.end(), isBetter);
            heap_.pop_back();
        }
        heap_.push_back(continuation);
        std::push_heap(heap_.begin(), heap_.end(), isBetter);
    }

    std::vector<Continuation> sorted() && {
        std::sort_heap(heap_.begin(), heap_.end(), isBetter);
        return std::move(heap_);
    }

  private:
    std::size_t count_;
    std::vector<Continuation> heap_; ///< worst one in front
};

class BeamSearch {
  public:
    BeamSearch(NextTokenScorer& scorer, const SearchStart& start, const trace::Decoding& decoding)
        : scorer_(scorer), start_(start), decoding_(decoding), rules_(decoding, start),
          width_(decoding.beam) {}

    SearchTree run(const std::function<void(const SearchTree&)>& afterStep) {
        for (int step = 0; step < start_.newTokens && !isOver(step); ++step) {
            advance(step);
            if (afterStep)
                afterStep(tree_);
        }
        conclude();
        return std::move(tree_);
    }

  private:
    std::vector<std::int64_t> fed(std::optional<std::size_t> node) const {
        std::vector<std::int64_t> reversed;
        for (; node; node = tree_.nodes[*node].parent)
            reversed.push_back(tree_.nodes[*node].token);
        auto fed = start_.fed;
        fed.insert(fed.end(), reversed.rbegin(), reversed.rend());
        return fed;
    }

    /// Returns the hypotheses to continue. At step 0 that is the empty one, which is not a node.
    std::vector<std::optional<std::size_t>> hypotheses(int step) const {
        if (step == 0)
            return {std::nullopt};
        return {tree_.living.begin(), tree_.living.end()};
    }

    std::vector<Continuation> bestContinuations(const std::vector<std::optional<std::size_t>>& parents) {
        // So many that K are left even if all ends are among the best of every hypothesis.
        Best best((1 + std::max<std::size_t>(1, start_.ends.size())) * width_);
        for (std::size_t age = 0; age < parents.size(); ++age) {
            const auto tokens = fed(parents[age]);
            const double soFar = parents[age] ? tree_.nodes[*parents[age]].record.score : 0;
            const auto values = rules_.apply(scorer_.logProbabilities(tokens), tokens);
            for (std::size_t token = 0; token < values.size(); ++token)
                if (values[token] != impossible)
                    best.offer({soFar + values[token], static_cast<std::int64_t>(token), age});
        }
        return std::move(best).sorted();
    }

    void advance(int step) {
        const auto parents = hypotheses(step);
        const auto best = bestContinuations(parents);
        for (const auto parent : parents)
            if (parent)
                tree_.nodes[*parent].record.fate = Fate::Extended;
        tree_.living.clear();
        for (std::size_t rank = 0; rank < best.size(); ++rank) {
            const auto& [score, token, age] = best[rank];
            const std::size_t node = tree_.nodes.size();
            tree_.nodes.push_back({.parent = parents[age],
                                   .token = token,
                                   .record = {.step = step,
                                              .rank = static_cast<int>(rank),
                                              .score = score,
                                              .finalScore = score / lengthNorm(step + 1)}});
            place(node);
        }
    }

    /// Sets the fate of a new node.
    void place(std::size_t node) {
        auto& [step, rank, score, finalScore, fate] = tree_.nodes[node].record;
        const bool atTheEnd = std::ranges::find(start_.ends, tree_.nodes[node].token) != start_.ends.end();
        const bool likeGenerate = decoding_.rule != BeamRule::Plain;
        // generate() counts a hypothesis at the maximum length as finished, with or without an end token.
        const bool ends = atTheEnd || (likeGenerate && !start_.mayContinue && step + 1 == start_.newTokens);
        if (ends && likeGenerate && rank >= decoding_.beam)
            fate = Fate::EndedTooLow;
        else if (ends)
            finish(node);
        else if (tree_.living.size() < width_) {
            fate = Fate::Unfinished;
            tree_.living.push_back(node);
        } else
            fate = Fate::Pruned;
    }

    void finish(std::size_t node) {
        auto& ranking = tree_.ranking;
        tree_.nodes[node].record.fate = Fate::Finished;
        const auto scoreOf = [this](std::size_t id) { return tree_.nodes[id].record.finalScore; };
        ranking.insert(std::find_if(ranking.begin(), ranking.end(),
                                    [&](std::size_t other) { return scoreOf(other) < scoreOf(node); }),
                       node);
        if (decoding_.rule == BeamRule::Plain || ranking.size() <= width_)
            return;
        tree_.nodes[ranking.back()].record.fate = Fate::Displaced;
        ranking.pop_back();
    }

    double lengthNorm(int length) const { return std::pow(length, decoding_.lengthPenalty); }

    /// Called before step `step`, when live hypotheses have `step` tokens.
    bool isOver(int step) const {
        if (step > 0 && tree_.living.empty())
            return true;
        if (tree_.ranking.size() < width_)
            return false;
        if (decoding_.rule == BeamRule::Plain || decoding_.rule == BeamRule::GenerateEarly)
            return true;
        const bool reachesFar = decoding_.rule == BeamRule::GenerateNever && decoding_.lengthPenalty > 0;
        const double best = tree_.nodes[tree_.living.front()].record.score;
        return best / lengthNorm(reachesFar ? start_.newTokens : step) <=
               tree_.nodes[tree_.ranking.back()].record.finalScore;
    }

    void conclude() {
        if (!tree_.ranking.empty())
            return;
        tree_.ranking = tree_.living;
        std::stable_sort(tree_.ranking.begin(), tree_.ranking.end(), [this](std::size_t a, std::size_t b) {
            return tree_.nodes[a].record.finalScore > tree_.nodes[b].record.finalScore;
        });
    }

    NextTokenScorer& scorer_;
    const SearchStart& start_;
    const trace::Decoding& decoding_;
    TokenRules rules_;
    std::size_t width_;
    SearchTree tree_;
};

} // namespace

SearchTree beamSearch(NextTokenScorer& scorer, const SearchStart& start, const trace::Decoding& decoding,
                      const std::function<void(const SearchTree&)>& afterStep) {
    return BeamSearch(scorer, start, decoding).run(afterStep);
}

} // namespace headscope::decoding
