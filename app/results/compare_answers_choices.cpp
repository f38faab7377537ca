// What B is for each choice of a person.
#include "app/results/compare_answers.h"
#include "app/results/results.h"
#include "model/trace/recorded_runs.h"
#include "model/trace/run_path.h"
#include "widgets/words/captions.h"
#include "widgets/words/typed_source.h"

#include <algorithm>
#include <utility>

namespace headscope::app {

using JobKind = WorkQueue::JobKind;

namespace {

QString sentenceOf(const trace::Run& run) {
    const auto* text = std::get_if<std::string>(&run.request.source);
    return text ? widgets::quotedSentence(QString::fromStdString(*text))
                : widgets::quotedSentence(QString::fromStdString(trace::joinedText(run.source)));
}

/// What `model` is fed of what another one was; nothing where it cannot read that.
std::optional<trace::Source> readBy(const trace::ModelSummary& model, trace::Source source) {
    if (std::holds_alternative<trace::SourceEmbeddings>(source) || model.sourceVocabulary == 0)
        return std::nullopt;
    auto* text = std::get_if<std::string>(&source);
    if (!text)
        return source;
    if (model.tokenizer.empty())
        return std::nullopt;
    if (const auto code = widgets::languageCode(source); !code.empty() && model.targetLanguages.empty()) {
        text->erase(0, code.size() + 4);
        text->erase(0, std::min(text->find_first_not_of(' '), text->size()));
    }
    return source;
}

QString whatATraceIsComparedWith(const trace::ModelSummary& model) {
    return trace::holdsOriginal(model)
               ? CompareAnswers::tr("Choose two steps or two heads of this run, the run without its changes, "
                                    "or another model or trace.")
               : CompareAnswers::tr("Choose two steps or two heads of this run, or another model or trace.");
}

} // namespace

CompareAnswers::WhyNone CompareAnswers::whyNoOtherSentence(const trace::ModelSummary& model) {
    return {.fact = tr("A trace holds one run, and no model that could read another sentence."),
            .wayOut = whatATraceIsComparedWith(model)};
}

void CompareAnswers::followSentence() {
    const auto& run = controller_->run();
    if (run->model->recorded) {
        wanted_.reset();
        return showNone(whyNoOtherSentence(*run->model));
    }
    const QString text = view_->bar()->sentence();
    if (text.isEmpty()) {
        wanted_.reset();
        return showNone(
            {.wayOut = tr("Type another sentence and press Enter to compare it with the shown one.")});
    }
    const auto source = widgets::typedSource(
        text, *run->model, QString::fromStdString(widgets::languageCode(run->request.source)));
    if (!source) {
        wanted_.reset();
        return showNone({.fact = tr("This model has no tokenizer: type ids, such as %1.")
                                     .arg(widgets::exampleIdsText(*run->model))});
    }
    auto request = controller_->shownRequest();
    request.source = *source;
    request.paths = {{.newTokens = controller_->newTokens()}};
    make({.run = run, .request = std::move(request)},
         {.first = sentenceOf(*run), .second = widgets::quotedSentence(text)}, tr("Decoding B..."));
}

void CompareAnswers::followModel() {
    const auto& run = controller_->run();
    if (!otherModel_) {
        wanted_.reset();
        if (!queue_->isBusy(JobKind::OtherModel) && (shownWhy_ == WhyNone() || view_->pair()))
            showNone({.wayOut = tr("Choose a model. It is opened as well and reads the same sentence.")});
        return;
    }
    const QString shownName = QString::fromStdString(run->model->name);
    if (const auto& recorded = otherModel_->recorded) // a trace: there is the one run that it holds
        return make({.run = run, .request = *recorded, .model = otherModel_},
                    {.first = shownName,
                     .second = tr("%1, as recorded").arg(QString::fromStdString(otherModel_->name))},
                    tr("Reading B..."));
    auto source = readBy(*otherModel_, run->request.source);
    if (!source) {
        wanted_.reset();
        return showNone({.fact = tr("%1 cannot read this input: one of the models has no tokenizer.")
                                     .arg(QString::fromStdString(otherModel_->name))});
    }
    const trace::Request request{.source = std::move(*source),
                                 .second = otherModel_->readsPairs ? run->request.second : std::nullopt,
                                 .paths = {{.newTokens = otherModel_->newTokens}},
                                 .decoding = otherModel_->decoding};
    make({.run = run, .request = request, .model = otherModel_},
         {.first = shownName, .second = tr("%1, original").arg(QString::fromStdString(otherModel_->name))},
         tr("Decoding B..."));
}

void CompareAnswers::followBranch() {
    const auto& run = controller_->run();
    const auto branch = view_->bar()->branch();
    const int count = run->paths.size();
    if (run->model->recorded) {
        wanted_.reset();
        return showNone(
            {.fact = tr("A trace contains the maps of one branch only and no model to decode another."),
             .wayOut = whatATraceIsComparedWith(*run->model)});
    }
    if (count < 2 || branch < 0 || branch >= count) {
        wanted_.reset();
        return showNone(
            {.fact = tr("There is one branch only."),
             .wayOut = tr("Double-click another next token at any step: the new branch is compared.")});
    }
    if (!trace::canShowEveryPath(*run)) {
        wanted_.reset();
        return showNone({.fact = tr("The subsequent mask is lifted: each row depends on the whole target, so "
                                    "branches share no rows."),
                         .wayOut = tr("Switch this change off to compare branches.")});
    }
    const QStringList names = branchNames_(*run);
    const int shown = trace::shownPath(*run).value_or(0);
    make({.run = run, .branch = branch},
         {.first = widgets::quotedSentence(names.value(shown)),
          .second = widgets::quotedSentence(names.value(branch))},
         {});
}

void CompareAnswers::followStep() {
    const auto& run = controller_->run();
    const int other = view_->bar()->step();
    wanted_.reset();
    if (run->target.empty() || other < 0)
        return showNone({.fact = tr("This model does not decode and has no steps.")});
    const auto words = [&](int step) {
        return tr("step %1, %2")
            .arg(step + 1)
            .arg(widgets::queryInWords(*run, trace::AttentionKind::Cross, step));
    };
    const int step = selection_->step();
    if (step == other)
        return showNone({.fact = tr("A and B are the same step."),
                         .wayOut = tr("Choose another above, or step with Left and Right.")});
    show({.first = run,
          .second = run,
          .steps = std::pair(static_cast<std::size_t>(step), static_cast<std::size_t>(other))},
         {.first = words(step), .second = words(other)});
}

void CompareAnswers::followUnchanged() {
    const auto& run = controller_->run();
    wanted_.reset();
    const bool changed = std::ranges::any_of(run->request.interventions, &trace::Intervention::on);
    if (run->model->recorded && !trace::holdsOriginal(*run->model))
        return showNone(
            changed ? WhyNone{.fact = tr("This trace does not contain the original run."),
                              .wayOut = tr("Record it with headscope-cli trace --undisturbed, or open the "
                                           "model.")}
                    : WhyNone{.fact = tr("This trace was recorded without changes to the model."),
                              .wayOut = whatATraceIsComparedWith(*run->model)});
    if (!changed)
        return showNone({.fact = tr("Nothing is changed in the model."),
                         .wayOut = tr("Press D to switch the selected head off, or add a change under What "
                                      "if.")});
    const auto question = widgets::changeEffectQuestion(*view_->context().document);
    results_->want(this, question ? Results::Questions{trace::Counted(*question)} : Results::Questions());
    const auto effect = question ? results_->of(*question) : nullptr;
    if (!effect)
        return showNone({.fact = tr("Decoding the original...")});
    show({.first = run, .second = effect->original},
         {.first = tr("with the changes"), .second = tr("original")});
}

} // namespace headscope::app
