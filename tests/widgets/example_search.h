#pragma once

#include "model/trace/run_path.h"
#include "tests/widgets/example_run.h"

#include <cmath>

/// A beam search with two hypotheses, written by hand, and branches.
namespace headscope::example {

struct Searched {
    const char* piece;
    std::size_t parent; ///< node of the tree
    double logProbability;
    int step;
    int rank;
    trace::Fate fate;
};

/// Less probable hypotheses look elsewhere: `shift` rows later in the other run.
inline std::shared_ptr<const trace::DecodeRow> rowAt(std::size_t length, const trace::Run& like,
                                                     std::size_t shift = 0) {
    auto row = std::make_shared<trace::DecodeRow>();
    const std::size_t t = std::min(length, like.target.size()) - 1;
    for (const auto& record : like.decoder) {
        trace::AttentionRecord own{.site = record.site, .mask = trace::MaskMatrix(1, t + 1, 1)};
        own.weights = trace::HeadStack(record.weights.heads(), 1, t + 1);
        for (std::size_t h = 0; h < own.weights.heads(); ++h)
            for (std::size_t c = 0; c <= t; ++c)
                own.weights.at(h, 0, c) = record.weights((h + shift) % own.weights.heads(), t, c);
        own.scores = own.weights;
        row->self.push_back(own);
        row->scoresOfEarlierQueries.push_back(trace::HeadStack(record.weights.heads(), t, 1));
    }
    for (const auto& record : like.cross)
        row->cross.push_back(trace::rowOf(record, (t + 2 * shift) % like.target.size()));
    row->candidates = candidates(like.next[t]);
    return row;
}

/// <s> Der/Ein ... with every fate that there is; the last path is the search's.
inline std::shared_ptr<trace::Run> searchedRun(int beam = 2) {
    using trace::Fate;
    auto run = example::run();
    const auto like = example::run();
    const std::vector<Searched> searched{
        {"▁Der", 0, -0.2, 0, 0, Fate::Extended},        {"▁Ein", 0, -1.9, 0, 1, Fate::Extended},
        {"▁Alt", 0, -2.6, 0, 2, Fate::Pruned},          {"</s>", 0, -7.5, 0, 3, Fate::EndedTooLow},
        {"▁alte", 1, -0.3, 1, 0, Fate::Extended},       {"▁Greis", 1, -1.8, 1, 1, Fate::Extended},
        {"▁alter", 2, -0.4, 1, 2, Fate::Pruned},        {"▁Mann", 5, -0.1, 2, 0, Fate::Extended},
        {"</s>", 6, -0.9, 2, 1, Fate::Displaced},       {"▁gab", 6, -1.1, 2, 2, Fate::Extended},
        {"▁Herr", 5, -2.9, 2, 3, Fate::Pruned},         {"</s>", 8, -0.2, 3, 0, Fate::Finished},
        {"▁schenkte", 8, -1.7, 3, 1, Fate::Unfinished}, {"</s>", 10, -0.3, 3, 2, Fate::Finished},
        {"▁gab", 8, -2.8, 3, 3, Fate::Pruned},
    };
    run->request.decoding = {.beam = beam, .lengthPenalty = 1};
    run->tree = {};
    run->tree.add({.token = token(2, "<s>", trace::TokenRole::Start), .row = rowAt(1, *like)});
    for (std::size_t i = 0; i < searched.size(); ++i) {
        const auto& [piece, parent, logProbability, step, rank, fate] = searched[i];
        const auto role = std::string(piece) == "</s>" ? trace::TokenRole::End : trace::TokenRole::Text;
        const double before = parent == 0 ? 0 : run->tree.node(parent).search->score;
        const double score = before + logProbability;
        run->tree.add({.parent = parent,
                       .token = token(role == trace::TokenRole::End ? 3 : 40 + static_cast<std::int64_t>(i),
                                      piece, role),
                       .logProbability = logProbability,
                       .rank = rank / 2,
                       .row = fate == Fate::Extended ? rowAt(static_cast<std::size_t>(step) + 2, *like,
                                                             static_cast<std::size_t>(rank))
                                                     : nullptr,
                       .search = trace::SearchRecord{.step = step,
                                                     .rank = rank,
                                                     .score = score,
                                                     .finalScore = score / (step + 1),
                                                     .fate = fate}});
    }
    run->paths = {{.leaf = 12, .searched = true, .output = "Der alte Mann"}};
    trace::showPath(*run, run->paths.back());
    return run;
}

/// Two branches of the same search: "Der alte Mann" and "Der Greis gab".
inline std::shared_ptr<trace::Run> branchedRun() {
    auto run = searchedRun();
    run->request.paths = {{}, {}};
    run->paths = {{.leaf = 12, .searched = true, .output = "Der alte Mann"},
                  {.leaf = 14, .output = "Der Greis gab"}};
    trace::showPath(*run, run->paths.back());
    return run;
}

} // namespace headscope::example
