#pragma once

#include "tests/widgets/answered_at_once.h"
#include "tests/widgets/example_run.h"
#include "widgets/views/positions/positional_encoding_view.h"

#include <array>
#include <random>

namespace headscope::example {

/// A run with the table of a trained model that learned its positions: slow waves and noise, and dimension 5
/// does nothing.
inline std::shared_ptr<trace::Run> withLearnedPositions(const trace::Run& run) {
    auto changed = std::make_shared<trace::Run>(run);
    auto model = std::make_shared<trace::ModelSummary>(*run.model);
    trace::Matrix table(256, 64);
    std::mt19937 random(3);
    for (std::size_t position = 0; position < table.rows(); ++position)
        for (std::size_t dimension = 0; dimension < table.columns(); ++dimension) {
            const double noise = static_cast<double>(random()) / 0x80000000p0 - 1;
            const double wave =
                std::sin(static_cast<double>(position) * 0.3 / static_cast<double>(dimension + 1));
            const double loud = 0.02 * static_cast<double>(dimension);
            table(position, dimension) = dimension == 5 ? 0.5f : static_cast<float>(wave + loud * noise);
        }
    model->sourcePositions = model->targetPositions = std::make_shared<const trace::Matrix>(std::move(table));
    changed->model = std::move(model);
    return changed;
}

/// A run of a model that adds a learned number by head and distance to its scores, in eight buckets each way.
inline std::shared_ptr<trace::Run> withDistanceBias(const trace::Run& run) {
    auto changed = std::make_shared<trace::Run>(run);
    auto model = std::make_shared<trace::ModelSummary>(*run.model);
    model->positionKind = trace::PositionKind::DistanceBias;
    model->sourcePositions = model->targetPositions = nullptr;
    const auto bias = [&](int first, int last) {
        auto made = std::make_shared<trace::DistanceBias>();
        made->first = first;
        made->values = trace::Matrix(static_cast<std::size_t>(model->encoderHeads),
                                     static_cast<std::size_t>(last - first + 1));
        for (int distance = first; distance <= last; ++distance) {
            const int away =
                std::min(7, std::abs(distance) < 4 ? std::abs(distance)
                                                   : 2 + static_cast<int>(std::log2(std::abs(distance))));
            made->buckets.push_back(away + (distance > 0 ? 8 : 0));
            for (int head = 0; head < model->encoderHeads; ++head)
                made->values(static_cast<std::size_t>(head), static_cast<std::size_t>(distance - first)) =
                    static_cast<float>(2 * std::sin(head + 0.7 * away) - 0.3 * away +
                                       (distance > 0 ? 0.4 : 0));
        }
        return made;
    };
    model->encoderBias = bias(-40, 40);
    model->decoderBias = bias(-40, 0);
    changed->model = std::move(model);
    return changed;
}

/// Queries and keys that give the record's scores where they stand: waves in the first pair's plane.
inline void turnProjections(trace::AttentionRecord& record) {
    const auto heads = record.scores.heads();
    record.q = trace::HeadStack(heads, record.scores.rows(), 64);
    record.k = trace::HeadStack(heads, record.scores.columns(), 64);
    for (std::size_t h = 0; h < heads; ++h)
        for (std::size_t row = 0; row < record.q.rows(); ++row)
            for (std::size_t d = 0; d < 64; ++d) {
                record.q.at(h, row, d) = static_cast<float>(std::sin(double(row * 3 + d + h)));
                record.k.at(h, row, d) = static_cast<float>(std::cos(double(row * 5 + 2 * d + h)));
            }
    for (std::size_t h = 0; h < heads; ++h)
        for (std::size_t i = 0; i < record.q.rows(); ++i)
            for (std::size_t j = 0; j < record.k.rows(); ++j) {
                double dot = 0;
                for (std::size_t d = 0; d < 64; ++d)
                    dot += double(record.q(h, i, d)) * double(record.k(h, j, d));
                record.scores.at(h, i, j) = static_cast<float>(dot / 8);
            }
}

/// Of one that turns queries and keys 64 wide.
inline std::shared_ptr<trace::Run> withRotation(const trace::Run& run) {
    auto changed = std::make_shared<trace::Run>(run);
    auto model = std::make_shared<trace::ModelSummary>(*run.model);
    model->positionKind = trace::PositionKind::Rotation;
    model->sourcePositions = model->targetPositions = nullptr;
    for (int pair = 0; pair < 32; ++pair)
        model->rotation.push_back(std::pow(10000.0, -pair / 32.0));
    changed->model = std::move(model);
    for (auto* records : {&changed->encoder, &changed->decoder})
        for (auto& record : *records)
            turnProjections(record);
    return changed;
}

/// content + what the distance adds.
inline std::shared_ptr<const trace::ScoreTerms> distanceTerms(const trace::Run& run,
                                                              trace::AttentionSite site) {
    const auto& record = *run.record(site);
    const auto& bias =
        site.kind == trace::AttentionKind::EncoderSelf ? *run.model->encoderBias : *run.model->decoderBias;
    auto made = std::make_shared<trace::ScoreTerms>();
    made->request = run.request;
    made->site = site;
    made->tokens = run.queryTokens(site.kind);
    made->scores = record.scores;
    made->mask = record.mask;
    const auto heads = record.scores.heads();
    const auto n = record.scores.rows();
    trace::HeadStack content(heads, n, n);
    trace::HeadStack distance(heads, n, n);
    const int last = bias.first + static_cast<int>(bias.values.columns()) - 1;
    for (std::size_t h = 0; h < heads; ++h)
        for (std::size_t r = 0; r < n; ++r)
            for (std::size_t c = 0; c < n; ++c) {
                const int offset = std::clamp(static_cast<int>(c) - static_cast<int>(r), bias.first, last);
                distance.at(h, r, c) = bias.values(h, static_cast<std::size_t>(offset - bias.first));
                content.at(h, r, c) = record.scores(h, r, c) - distance(h, r, c);
            }
    using trace::ScorePart;
    made->terms.push_back(
        {.product = trace::ScoreTerm::Product{ScorePart::Content, ScorePart::Content}, .values = content});
    made->terms.push_back({.product = std::nullopt, .values = distance});
    return made;
}

/// Words of different lengths, some of which point away from their positions.
inline widgets::TokenShares shares(const std::vector<trace::Token>& tokens) {
    widgets::TokenShares made{.tokens = tokens};
    constexpr std::size_t width = 64;
    made.embedding = {trace::Matrix(tokens.size(), width), trace::Matrix(tokens.size(), width)};
    for (std::size_t token = 0; token < tokens.size(); ++token) {
        for (std::size_t i = 0; i < width; ++i)
            made.embedding.sums(token, i) = std::sin(static_cast<float>(3 * token + i * i));
        const auto sum = made.embedding.sums.row(token);
        const float word =
            static_cast<float>(token == 6 ? 1.08 : 0.5 + 0.45 * std::sin(static_cast<double>(7 * token)));
        for (std::size_t i = 0; i < width; ++i) { // that share of the sum, and something across it
            const float across = i % 2 == 0 ? sum[i + 1] : -sum[i - 1];
            made.embedding.positions(token, i) = (1 - word) * sum[i] - 0.6f * across;
        }
    }
    made.shares = analysis::embeddingShares(made.embedding);
    return made;
}

/// A first layer's scores as a sum of nine terms: waves of the words, slopes of the positions, and what is
/// the same for all keys.
inline std::shared_ptr<const trace::ScoreTerms> scoreTerms(const trace::Run& run, trace::AttentionSite site) {
    using trace::ScorePart;
    constexpr std::array parts{ScorePart::Word, ScorePart::Position, ScorePart::Bias};
    const auto& record = *run.record(site);
    auto made = std::make_shared<trace::ScoreTerms>();
    made->request = run.request;
    made->site = site;
    made->tokens = run.queryTokens(site.kind);
    made->scores = record.scores;
    made->mask = record.mask;
    const auto heads = record.scores.heads();
    const auto n = record.scores.rows();
    for (std::size_t query = 0; query < 3; ++query)
        for (std::size_t key = 0; key < 3; ++key)
            made->terms.push_back({.product = trace::ScoreTerm::Product{parts[query], parts[key]},
                                   .values = trace::HeadStack(heads, n, n)});
    for (std::size_t h = 0; h < heads; ++h)
        for (std::size_t r = 0; r < n; ++r)
            for (std::size_t c = 0; c < n; ++c) {
                float rest = record.scores(h, r, c);
                for (std::size_t term = 1; term < 9; ++term) {
                    const std::size_t across = term % 3 == 2 ? 0 : c + 1; // a key's bias has no column
                    const float value =
                        (term == 4 ? -0.1f * std::abs(float(r) - float(c)) * float(h + 1) : 0.0f) +
                        0.7f * std::sin(float(r * term + 3 * across * term + h));
                    made->terms[term].values.at(h, r, c) = value;
                    rest -= value;
                }
                made->terms[0].values.at(h, r, c) = rest;
            }
    return made;
}

/// What the page of `view` asks of `run`.
inline widgets::PositionAnswer positionAnswer(const widgets::PositionalEncodingView& view,
                                              const std::shared_ptr<const trace::Run>& run) {
    using About = widgets::PositionQuestion::About;
    using Page = widgets::PositionalEncodingView::Page;
    const auto table = view.side() == widgets::PositionSide::Source ? run->model->sourcePositions
                                                                    : run->model->targetPositions;
    widgets::PositionAnswer answer;
    if (view.page() == Page::Scores && !run->model->rotation.empty()) {
        answer.question = {.about = About::Rotation, .run = run};
        answer.projected = run;
    } else if (view.page() == Page::Scores) {
        const auto kind = view.side() == widgets::PositionSide::Source ? trace::AttentionKind::EncoderSelf
                                                                       : trace::AttentionKind::DecoderSelf;
        answer.question = {.about = About::Scores, .run = run, .site = {kind, 0}};
        answer.scores =
            run->model->encoderBias ? distanceTerms(*run, {kind, 0}) : scoreTerms(*run, {kind, 0});
        for (std::size_t head = 0; head < answer.scores->scores.heads(); ++head)
            answer.headShares.push_back(analysis::headScoreShares(*answer.scores, head));
    } else if (view.page() == Page::Words) {
        answer.question = {.about = About::Words, .run = run};
        answer.source = shares(run->source);
        answer.target = shares(run->target);
    } else if (view.page() == Page::Shift) {
        answer.question = {.about = About::Shift, .table = table, .offset = view.offset()};
        answer.shift = analysis::positionalShift(trace::view(*table), view.offset());
        if (answer.shift.map == analysis::PositionalShift::Map::Rotation)
            answer.fittedShift = analysis::fittedShift(trace::view(*table), view.offset());
    } else {
        answer.question = {.about = About::Wavelengths, .table = table};
        answer.wavelengths = analysis::positionalWavelengths(trace::view(*table));
    }
    return answer;
}

inline AnsweredAtOnce* give(widgets::PositionalEncodingView& view, const widgets::PositionAnswer& answer) {
    auto* answers = givenAnswers(&view);
    if (answer.question.run)
        answers->give(widgets::ReadAgain{answer.question}, answer);
    else
        answers->give(widgets::MeasuredTable{answer.question}, answer);
    return answers;
}

} // namespace headscope::example
