#include "widgets/views/compare/chosen_other.h"

#include "model/analysis/runs_beside.h"
#include "model/trace/recorded_runs.h"
#include "model/trace/run_path.h"
#include "widgets/words/captions.h"
#include "widgets/words/typed_source.h"

#include <QCoreApplication>

#include <algorithm>
#include <filesystem>

namespace headscope::widgets {

namespace {

using With = CompareBar::With;

struct ChosenOtherWords {
    Q_DECLARE_TR_FUNCTIONS(ChosenOtherWords)
};

QString sentenceOf(const trace::Run& run) {
    const auto* text = std::get_if<std::string>(&run.request.source);
    return text ? quotedSentence(QString::fromStdString(*text))
                : quotedSentence(QString::fromStdString(trace::joinedText(run.source)));
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
    if (const auto code = languageCode(source); !code.empty() && model.targetLanguages.empty()) {
        text->erase(0, code.size() + 4);
        text->erase(0, std::min(text->find_first_not_of(' '), text->size()));
    }
    return source;
}

QString whatATraceIsComparedWith(const trace::ModelSummary& model) {
    return trace::holdsOriginal(model)
               ? ChosenOtherWords::tr("Choose two steps or two heads of this run, the run without its "
                                      "changes, or another model or trace.")
               : ChosenOtherWords::tr(
                     "Choose two steps or two heads of this run, or another model or trace.");
}

ChosenOther ofSentence(const DocumentState& document) {
    const auto& run = *document.run;
    if (run.model->recorded)
        return {.why = ChosenOtherWords::tr(
                    "A trace holds one run but no model, so it cannot read another sentence."),
                .wayOut = whatATraceIsComparedWith(*run.model)};
    const auto text =
        QString::fromStdString(chosenOr<std::string>(document, "compare", "sentence", {})).trimmed();
    if (text.isEmpty())
        return {.wayOut = ChosenOtherWords::tr(
                    "Type another sentence and press Enter to compare it with the shown one.")};
    const auto source =
        typedSource(text, *run.model, QString::fromStdString(languageCode(run.request.source)));
    if (!source)
        return {.why = ChosenOtherWords::tr("This model has no tokenizer: type ids, such as %1.")
                           .arg(exampleIdsText(*run.model))};
    auto request = *document.request;
    request.source = *source;
    request.ratherThan.reset();
    request.paths = {{.newTokens = document.newTokens}};
    return {.question = OtherRun{.request = std::move(request), .secondModel = nullptr},
            .names = {.first = sentenceOf(run), .second = quotedSentence(text)},
            .doing = ChosenOtherWords::tr("Decoding B...")};
}

ChosenOther ofModel(const DocumentState& document) {
    const auto& [name, model, refused] = document.second;
    if (refused)
        return {.why = QString::fromStdString(trace::paragraph(*refused))};
    if (!name.empty() && !model)
        return {.why = ChosenOtherWords::tr("Opening %1...")
                           .arg(QString::fromStdString(std::filesystem::path(name).filename().string()))};
    if (!model)
        return {.wayOut = ChosenOtherWords::tr("Choose a second model. It reads the same sentence.")};
    const auto& run = *document.run;
    if (!haveCommonKind(*run.model, *model))
        return {.why = whatBothLack(*run.model, *model),
                .wayOut = ChosenOtherWords::tr("Choose a model that shares a kind of attention with A.")};
    const QString first = QString::fromStdString(run.model->name);
    const QString second = QString::fromStdString(model->name);
    if (const auto& recorded = model->recorded) // a trace: there is the one run that it holds
        return {.question = OtherRun{.request = *recorded, .secondModel = model},
                .names = {.first = first, .second = ChosenOtherWords::tr("%1, as recorded").arg(second)},
                .doing = ChosenOtherWords::tr("Reading B...")};
    auto source = readBy(*model, run.request.source);
    if (!source)
        return {.why = ChosenOtherWords::tr("%1 cannot read this input: one of the models has no tokenizer.")
                           .arg(second)};
    // Its own limit, unless the user has set one.
    const int newTokens = document.newTokens == run.model->newTokens ? model->newTokens : document.newTokens;
    return {.question = OtherRun{.request = {.source = std::move(*source),
                                             .second = model->readsPairs ? run.request.second : std::nullopt,
                                             .paths = {{.newTokens = newTokens}},
                                             .decoding = model->decoding},
                                 .secondModel = model},
            .names = {.first = first, .second = ChosenOtherWords::tr("%1, original").arg(second)},
            .doing = ChosenOtherWords::tr("Decoding B...")};
}

ChosenOther ofBranch(const DocumentState& document) {
    const auto& run = *document.run;
    const int branch = shownBranch(document);
    if (run.model->recorded)
        return {.why = ChosenOtherWords::tr(
                    "A trace contains the maps of one path only and no model to decode another."),
                .wayOut = whatATraceIsComparedWith(*run.model)};
    const auto shown = trace::shownPath(run);
    if ((run.paths.size() < 2 && shown) || branch < 0)
        return {.why = ChosenOtherWords::tr("There is only one path."),
                .wayOut = ChosenOtherWords::tr(
                    "Double-click another next token at any step to compare the new path.")};
    if (!trace::canShowEveryPath(run))
        return {.why = ChosenOtherWords::tr("The subsequent mask is lifted: each row depends on the whole "
                                            "target, so branches share no rows."),
                .wayOut = ChosenOtherWords::tr("Switch this change off to compare branches.")};
    const std::size_t path = branch;
    const auto named = [&](std::size_t which) {
        return quotedSentence(QString::fromStdString(document.branches.names.at(which)));
    };
    return {.question = OtherBranch{.run = document.run, .path = path},
            .names = {.first = shown ? named(*shown) : ChosenOtherWords::tr("a hypothesis of the search"),
                      .second = named(path)}};
}

ChosenOther ofStep(const DocumentState& document, int step) {
    const auto& run = *document.run;
    const int other = shownOtherStep(document, step);
    if (other < 0)
        return {.why = ChosenOtherWords::tr("This model does not decode and has no steps.")};
    if (step == other)
        return {.why = ChosenOtherWords::tr("A and B are the same step."),
                .wayOut = ChosenOtherWords::tr("Choose another step above, or press Left or Right.")};
    const auto words = [&](int which) {
        return ChosenOtherWords::tr("step %1, %2")
            .arg(which + 1)
            .arg(queryInWords(run, trace::AttentionKind::Cross, which));
    };
    return {.steps = std::pair<std::size_t, std::size_t>(step, other),
            .names = {.first = words(step), .second = words(other)}};
}

ChosenOther ofUnchanged(const DocumentState& document) {
    const auto& run = *document.run;
    const bool changed = std::ranges::any_of(run.request.interventions, &trace::Intervention::on);
    const bool isLacking = run.model->recorded && !trace::holdsOriginal(*run.model);
    if (isLacking && changed)
        return {.why = ChosenOtherWords::tr("This trace does not contain the original run."),
                .wayOut = ChosenOtherWords::tr("Record it with headscope-cli trace --undisturbed, or open "
                                               "the model.")};
    if (isLacking)
        return {.why = ChosenOtherWords::tr("This trace was recorded without changes to the model."),
                .wayOut = whatATraceIsComparedWith(*run.model)};
    if (!changed)
        return {.why = ChosenOtherWords::tr("Nothing is changed in the model."),
                .wayOut = ChosenOtherWords::tr(
                    "Press D to switch the selected head off, or add a change under What if.")};
    ChosenOther chosen{.names = {.first = ChosenOtherWords::tr("with the changes"),
                                 .second = ChosenOtherWords::tr("original")},
                       .doing = ChosenOtherWords::tr("Decoding the original...")};
    if (const auto question = changeEffectQuestion(document))
        chosen.question = *question;
    else
        chosen.why = chosen.doing;
    return chosen;
}

} // namespace

std::shared_ptr<const trace::Run> runOf(const ChosenOther::Question& question,
                                        const trace::KnownAnswers& known) {
    using Run = std::shared_ptr<const trace::Run>;
    return std::visit(trace::ByKind{[](const std::monostate&) { return Run(); },
                                    [&](const analysis::ChangeEffectWhat& what) {
                                        const auto effect = known.of(what);
                                        return effect ? effect->original : Run();
                                    },
                                    [&](const auto& what) {
                                        const auto run = known.of(what);
                                        return run ? *run : Run();
                                    }},
                      question);
}

std::optional<trace::Wanted> wanted(const ChosenOther::Question& question) {
    using Question = std::optional<trace::Wanted>;
    return std::visit(trace::ByKind{[](const std::monostate&) { return Question(); },
                                    [](const auto& what) { return Question(trace::Counted(what)); }},
                      question);
}

ChosenOther chosenOther(const DocumentState& document, int step) {
    switch (shownWith(document)) {
    case With::Sentence:
        return ofSentence(document);
    case With::Model:
        return ofModel(document);
    case With::Branch:
        return ofBranch(document);
    case With::Step:
        return ofStep(document, step);
    case With::Unchanged:
        return ofUnchanged(document);
    }
    return {};
}

With shownWith(const DocumentState& document) {
    return static_cast<With>(chosenWord(document, "compare", "with"));
}

int shownBranch(const DocumentState& document) {
    const auto& [run, names, given] = document.branches;
    const std::int64_t last = std::ssize(names) - 1;
    if (last < 0)
        return -1;
    // No path is shown where a hypothesis of the search is: each path can be B then.
    const auto shown = document.run ? trace::shownPath(*document.run) : trace::shownPath(*run);
    const auto chosen =
        std::clamp<std::int64_t>(chosenOr<std::int64_t>(document, "compare", "branch", 0), 0, last);
    return !shown || chosen != std::int64_t(*shown) || last == 0 ? chosen : chosen == 0 ? 1 : 0;
}

int shownOtherStep(const DocumentState& document, int step) {
    const std::int64_t last = document.run ? std::ssize(document.run->target) - 1 : -1;
    const auto chosen = chosenOr<std::int64_t>(document, "compare", "step", -1);
    const int before = shownWith(document) == With::Step && step > 0 ? step - 1 : 1;
    return std::min(chosen < 0 ? before : chosen, last);
}

std::optional<std::pair<OtherRun, OtherRun>> bothReading(const DocumentState& document,
                                                         const trace::Run& other) {
    const auto& run = *document.run;
    if (!document.request || run.path.empty())
        return std::nullopt;
    auto request = *document.request;
    request.ratherThan.reset();
    OtherRun first{.request = analysis::readingRequest(std::move(request), run), .secondModel = nullptr};
    first.request.recording = {.logProbabilities = true};
    OtherRun second = first;
    switch (shownWith(document)) {
    case With::Sentence:
        second.request.source = other.request.source;
        return std::pair(first, second);
    case With::Unchanged:
        second.request.interventions.clear();
        return std::pair(first, second);
    case With::Model:
        if (analysis::alignedBy(run, other) != analysis::AlignBy::Pieces)
            return std::nullopt;
        second = {.request = other.request, .secondModel = document.second.model};
        second.request.paths = first.request.paths;
        second.request.recording = first.request.recording;
        return std::pair(first, second);
    case With::Branch:
    case With::Step:
        break; // of one model and one prefix there is one distribution
    }
    return std::nullopt;
}

QString waysToCompare(const trace::Run& run) {
    const QString step = QStringLiteral("--step 0 --choose with=step --choose step=1");
    const QString model = QStringLiteral("--choose with=model --choose model=MODEL");
    const bool hasSteps = run.target.size() > 1;
    if (run.model->recorded) {
        QString ways =
            hasSteps ? QStringLiteral("compare two steps of this run, %1, or ").arg(step) : QString();
        if (trace::holdsOriginal(*run.model))
            ways +=
                QStringLiteral("compare it with the run without its changes, --choose with=unchanged, or ");
        return ways + QStringLiteral("set a model or another trace beside it, %1").arg(model);
    }
    const QString others =
        QStringLiteral("compare it with another sentence, --beside SENTENCE, or another model, %1")
            .arg(model);
    return hasSteps ? QStringLiteral("%1, or two of its steps, %2").arg(others, step) : others;
}

} // namespace headscope::widgets
