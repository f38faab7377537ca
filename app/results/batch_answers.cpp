#include "app/results/batch_answers.h"

#include "app/document/typed_source.h"
#include "widgets/views/batch/batch_view.h"

#include <utility>

namespace headscope::app {

namespace {

using Slot = RunQueue::Slot;

/// A typed target, fed as a whole; nothing where ids were needed and something else was typed.
std::optional<trace::DecodePath> forcedPath(const QString& text, const trace::ModelSummary& model) {
    const auto typed = typedSource(text, model);
    if (!typed)
        return std::nullopt;
    if (const auto* sentence = std::get_if<std::string>(&*typed))
        return trace::DecodePath{.forced = *sentence, .newTokens = 0};
    trace::TargetIds target{std::get<trace::SourceIds>(*typed).ids};
    if (model.special.start)
        target.ids.insert(target.ids.begin(), *model.special.start);
    return trace::DecodePath{.forced = std::move(target), .newTokens = 0};
}

bool isChanged(const trace::Run* run) {
    return run && (!effective(run->request.interventions).empty() || run->request.randomTwin);
}

/// The code of the language that the shown sentence is translated into, where it begins with one.
QString languageOf(const trace::Run* run) {
    const auto* sentence = run ? std::get_if<std::string>(&run->request.source) : nullptr;
    const QString text = sentence ? QString::fromStdString(*sentence) : QString();
    return text.startsWith(">>") && text.contains("<<") ? text.mid(2, text.indexOf("<<") - 2) : QString();
}

} // namespace

BatchAnswers::BatchAnswers(RunQueue* queue, DecodeController* controller, widgets::BatchView* view,
                           QObject* parent)
    : QObject(parent), queue_(queue), controller_(controller), view_(view) {
    connect(view, &widgets::BatchView::questionChanged, this, &BatchAnswers::follow);
    const auto showChanges = [this] { view_->setRunIsChanged(isChanged(controller_->run().get())); };
    connect(controller, &DecodeController::runChanged, this, showChanges);
    showChanges();
    connect(controller, &DecodeController::decodingChanged, this, [this] {
        queue_->stop(Slot::Batch);
        asked_.reset();
        view_->forgetAnswer();
    });
    connect(queue, &RunQueue::busyChanged, this, [this] {
        if (!queue_->isBusy(Slot::Batch))
            asked_.reset(); // it was dropped, as all work is when a model is opened
    });
    connect(queue, &RunQueue::refused, this, [this](Slot slot, const trace::RefusalText& text) {
        if (slot == Slot::Batch && asked_)
            answer({.question = *asked_, .whyNot = QString::fromStdString(trace::paragraph(text))});
    });
}

void BatchAnswers::follow() {
    auto question = view_->question();
    if (question == asked_)
        return;
    queue_->stop(Slot::Batch); // which forgets what was asked
    asked_ = std::move(question);
    if (!asked_)
        return;
    auto single = requests(*asked_);
    if (!single)
        return answer(
            {.question = *asked_,
             .whyNot =
                 tr("This model has no tokenizer: type ids, such as %1.").arg(exampleIdsText(*asked_->model))});
    queue_->ask(Slot::Batch, this,
                [this, question = *asked_, requests = std::move(*single)](engine::Engine& engine,
                                                                          std::stop_token stop) {
                    widgets::BatchAnswer found{.question = question,
                                               .sentences = runBatch(engine, requests, stop)};
                    return [this, found] { answer(found); };
                });
}

std::optional<std::vector<trace::Request>>
BatchAnswers::requests(const widgets::BatchQuestion& question) const {
    const QString language = languageOf(controller_->run().get());
    std::vector<trace::Request> all;
    for (const auto& sentence : question.sentences) {
        const auto source = typedSource(sentence.source, *question.model, language);
        const bool decodes = sentence.target.isEmpty() || question.model->decoderLayers == 0;
        const auto path = decodes ? trace::DecodePath{.newTokens = controller_->newTokens()}
                                  : forcedPath(sentence.target, *question.model);
        if (!source || !path)
            return std::nullopt;
        all.push_back({.source = *source, .paths = {*path}, .decoding = controller_->decoding()});
    }
    return all;
}

void BatchAnswers::answer(widgets::BatchAnswer answer) {
    asked_.reset();
    const bool isOfAnother =
        !answer.sentences.empty() && answer.sentences.front().run->model != answer.question.model;
    if (!isOfAnother) // a model that was opened meanwhile, of which the view will hear
        view_->setAnswer(std::move(answer));
}

std::vector<widgets::BatchedSentence>
runBatch(engine::Engine& engine, const std::vector<trace::Request>& requests, std::stop_token stop) {
    std::vector<std::shared_ptr<const trace::Run>> alone;
    std::vector<std::vector<trace::Token>> sources;
    std::vector<std::vector<trace::Token>> targets;
    for (const auto& request : requests) {
        alone.push_back(engine.run(request, stop, {}));
        sources.push_back(alone.back()->source);
        targets.push_back(analysis::wholeTarget(*alone.back()));
    }
    const auto plan = analysis::batchPlan(sources, targets);
    std::vector<widgets::BatchedSentence> batch;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        trace::Request padded = requests[i];
        padded.padding = plan.padding[i];
        if (!targets[i].empty())
            padded.paths = {analysis::batchPath(targets[i], plan.feedsLast[i])};
        const auto run = engine.run(padded, stop, {});
        batch.push_back({.run = run,
                         .row = analysis::batchRow(*run, targets[i]),
                         .effect = analysis::paddingEffect(*alone[i], *run)});
    }
    return batch;
}

} // namespace headscope::app
