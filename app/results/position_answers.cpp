#include "app/results/position_answers.h"

#include "app/models/runs_beside.h"
#include "app/results/late_counts.h"
#include "model/analysis/embedding_shares.h"
#include "model/analysis/score_shares.h"
#include "widgets/views/positions/positional_encoding_view.h"
#include "widgets/views/positions/score_terms_page.h"

#include <utility>

namespace headscope::app {

using Slot = RunQueue::Slot;
using About = widgets::PositionQuestion::About;

PositionAnswers::PositionAnswers(RunQueue* queue, DecodeController* controller,
                                 widgets::PositionalEncodingView* view, QObject* parent)
    : QObject(parent), queue_(queue), controller_(controller), view_(view) {
    connect(view, &widgets::PositionalEncodingView::questionChanged, this, &PositionAnswers::follow);
    connect(queue, &RunQueue::busyChanged, this, [this] {
        if (!queue_->isBusy(Slot::Positions))
            asked_.reset(); // it was dropped, as all work is when a model is opened
    });
    connect(queue, &RunQueue::runDelivered, this, &PositionAnswers::take);
    connect(queue, &RunQueue::refused, this, [this](Slot slot, const trace::RefusalText& text) {
        if (slot == Slot::Positions && asked_)
            answer({.question = *asked_, .whyNot = QString::fromStdString(trace::paragraph(text))});
    });
    (new LateCounts(queue, this))->serve(view->scoreTerms(), Slot::ScoreTerms);
}

void PositionAnswers::follow() {
    auto question = view_->question();
    if (question == asked_)
        return;
    queue_->stop(Slot::Positions); // which forgets what was asked
    asked_ = std::move(question);
    if (!asked_)
        return;
    if (asked_->about == About::Words || asked_->about == About::Rotation)
        read();
    else if (asked_->about == About::Scores)
        takeApart();
    else
        measure();
}

/// The stream after the embedding is word + position, but a run keeps it, and queries and keys, only where it
/// is asked to.
void PositionAnswers::read() {
    if (asked_->run != controller_->run())
        return asked_.reset();
    auto request = readingRequest(controller_->shownRequest(), *asked_->run);
    if (asked_->about == About::Words)
        request.recording.residual = true;
    else
        request.recording.projections = true;
    queue_->run(Slot::Positions, std::move(request));
}

void PositionAnswers::takeApart() {
    if (asked_->run != controller_->run())
        return asked_.reset();
    auto request = readingRequest(controller_->shownRequest(), *asked_->run);
    queue_->ask(Slot::Positions, this,
                [this, question = *asked_, request = std::move(request)](engine::Engine& engine,
                                                                         std::stop_token stop) {
                    widgets::PositionAnswer found{.question = question};
                    found.scores = engine.scoreTerms(request, question.site, stop);
                    for (std::size_t head = 0; head < found.scores->scores.heads(); ++head) {
                        trace::throwIfStopped(stop);
                        found.headShares.push_back(analysis::headScoreShares(*found.scores, head));
                    }
                    return [this, found] { answer(found); };
                });
}

void PositionAnswers::measure() {
    queue_->compute(Slot::Positions, this, [this, question = *asked_] {
        widgets::PositionAnswer found{.question = question};
        const auto table = trace::view(*question.table);
        if (question.about == About::Wavelengths)
            found.wavelengths = analysis::positionalWavelengths(table);
        else
            found.shift = analysis::positionalShift(table, question.offset);
        if (found.shift.map == analysis::PositionalShift::Map::Rotation)
            found.fittedShift = analysis::fittedShift(table, question.offset);
        return [this, found] { answer(found); };
    });
}

void PositionAnswers::take(Slot slot, const std::shared_ptr<const trace::Run>& run) {
    if (slot != Slot::Positions || !asked_)
        return;
    if (asked_->about == About::Rotation)
        return answer({.question = *asked_, .projected = run});
    const auto shares = [](const auto& tokens, analysis::EmbeddingSums embedding) {
        return widgets::TokenShares{tokens, analysis::embeddingShares(embedding), std::move(embedding)};
    };
    answer({.question = *asked_,
            .source = shares(run->source, analysis::sourceEmbedding(*run)),
            .target = shares(run->target, analysis::targetEmbedding(*run))});
}

void PositionAnswers::answer(widgets::PositionAnswer answer) {
    asked_.reset();
    view_->setAnswer(std::move(answer));
}

} // namespace headscope::app
