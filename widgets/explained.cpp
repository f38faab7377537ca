#include "widgets/explained.h"

#include "model/analysis/output/classifier_tokens.h"
#include "model/analysis/runs_beside.h"
#include "model/trace/answer_span.h"
#include "model/trace/class_label.h"
#include "model/trace/run_path.h"

#include <QCoreApplication>

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

namespace headscope::widgets {

namespace {

/// Most probable first; what was chosen is among them if it is probable enough.
std::vector<trace::Candidate> candidatesOf(const trace::Run& run, std::size_t step) {
    if (step < run.next.size() && run.tree.node(run.path[step]).row)
        return run.row(step).candidates;
    if (run.answerKind() == trace::AnswerKind::Ends)
        return trace::candidatesOfEnd(run, step);
    if (run.answerKind() == trace::AnswerKind::Tokens)
        return std::next(run.maskCandidates.begin(), static_cast<std::ptrdiff_t>(step))->second;
    std::vector<trace::Candidate> classes;
    for (std::size_t c = 0; c < run.classLogProbabilities.size(); ++c)
        classes.push_back(
            {.token = {.id = static_cast<std::int64_t>(c), .piece = trace::classLabel(run.model.get(), c)},
             .logProbability = run.classLogProbabilities[c]});
    std::ranges::stable_sort(classes, std::greater(), &trace::Candidate::logProbability);
    return classes;
}

bool isNamed(const trace::Token& token, const std::string& name) {
    const bool hasMark = token.piece.starts_with(trace::spaceMark);
    return name == numberOf(token) || name == token.piece ||
           (hasMark && name == token.piece.substr(trace::spaceMark.size()));
}

} // namespace

std::optional<double> Explained::lead() const {
    return chosenLogProbability && otherLogProbability
               ? std::optional(*chosenLogProbability - *otherLogProbability)
               : std::nullopt;
}

std::string numberOf(const trace::Token& token) {
    return '#' + std::to_string(token.id);
}

trace::TokenIndex answerAt(const trace::Run& run, trace::TokenIndex step) {
    const trace::TokenIndex last = std::max<std::size_t>(1, run.steps()) - 1;
    return run.target.empty() ? std::min(step, last) : step;
}

std::optional<Explained> explained(const DocumentState& document, trace::TokenIndex at) {
    if (!document.request)
        return std::nullopt;
    const auto& run = *document.run;
    const std::size_t step = answerAt(run, at);
    const auto ofEncoder = run.target.empty() ? run.answers() : std::vector<trace::Token>();
    const auto& answers = run.target.empty() ? ofEncoder : run.next; // which may be long
    if (step >= answers.size())
        return std::nullopt;
    const auto candidates = candidatesOf(run, step);
    Explained of{.step = step, .chosen = answers[step], .request = *document.request};
    const auto take = [&](const trace::Candidate& other) {
        of.other = other.token;
        of.otherLogProbability = other.logProbability;
        if (of.rather.empty())
            of.rather = numberOf(other.token);
    };
    for (const auto& candidate : candidates)
        if (candidate.token.id == of.chosen.id)
            of.chosenLogProbability = candidate.logProbability;
    const auto& named = document.ratherThan;
    const bool isEnd = run.answerKind() == trace::AnswerKind::Ends;
    const auto meant = named && isEnd ? trace::placedTokenNamed(*named, run.source, run.secondText)
                                      : std::optional<trace::Token>();
    const auto is = [&](const trace::Token& token) {
        return isEnd ? meant && token.id == meant->id : isNamed(token, *named);
    };
    if (named && !is(of.chosen)) {
        of.rather = *named;
        for (const auto& candidate : candidates)
            if (is(candidate.token))
                take(candidate);
    } else if (const bool isTrace = run.model && run.model->recorded; // which holds what it was asked for
               !isTrace && !(run.model && run.model->areClassesSeparate) && // which are not chosen instead
               chosenWord(document, "why", "unnamed") == 0) {
        const auto second = std::ranges::find_if(
            candidates, [&](const auto& candidate) { return candidate.token.id != of.chosen.id; });
        if (second != candidates.end())
            take(*second);
    }
    of.request.ratherThan = of.rather.empty() ? std::nullopt : std::optional(of.rather);
    return of;
}

std::vector<trace::Candidate> alternatives(const DocumentState& document, trace::TokenIndex step) {
    const auto of = explained(document, step);
    auto found = of ? candidatesOf(*document.run, of->step) : std::vector<trace::Candidate>();
    std::erase_if(found, [&](const auto& candidate) { return candidate.token.id == of->chosen.id; });
    return found;
}

std::optional<trace::Question> answerQuestion(const DocumentState& document) {
    const auto& run = document.run;
    if (!run || !run->complete || run->classLogProbabilities.empty())
        return std::nullopt;
    return trace::Question{.request = run->request, .what = trace::ClassifierWhat()};
}

ReadAnswer shownAnswer(const ViewContext& context) {
    const auto& document = *context.document;
    const auto question = answerQuestion(document);
    ReadAnswer shown;
    if (question)
        shown.reading = context.known->of(question->request, trace::ClassifierWhat());
    if (!shown.reading || shown.reading->logProbabilities.empty())
        return {};
    const auto& classes = shown.reading->logProbabilities;
    shown.chosen = document.chosenClass && *document.chosenClass < classes.size()
                       ? *document.chosenClass
                       : analysis::likeliestClass(classes);
    return shown;
}

std::vector<float> shownContributions(const ViewContext& context) {
    const auto [reading, chosen] = shownAnswer(context);
    if (!reading)
        return {};
    const auto& given = reading->contributions.at(chosen);
    return {given.begin(), given.end()};
}

QString contributionsInWords(const ViewContext& context) {
    const auto [reading, chosen] = shownAnswer(context);
    return reading ? QCoreApplication::translate("Explained", "shade: contribution to %1")
                         .arg(QChar(0x201c) +
                              QString::fromStdString(
                                  trace::classLabel(context.document->run->model.get(), chosen)) +
                              QChar(0x201d))
                   : QString();
}

trace::Question explainedLens(const Explained& of) {
    return {of.request, trace::LensWhat()};
}

bool isBesideTwin(const DocumentState& document, const Explained& of) {
    const auto& run = *document.run;
    const bool isOfReference = !run.target.empty() && trace::readsReference(run);
    return baselineOf(document) == Baseline::Twin && !(isOfReference && of.step + 1 == run.target.size());
}

trace::Request toTwin(const DocumentState& document, trace::Request request) {
    return analysis::twinReadingRequest(std::move(request), *document.run, document.twinSeed);
}

std::optional<trace::Question> twinsParts(const DocumentState& document, const Explained& of) {
    return isBesideTwin(document, of)
               ? std::optional(trace::Question{toTwin(document, of.request), trace::LensWhat()})
               : std::nullopt;
}

std::optional<trace::Question> twinsLayers(const DocumentState& document, const Explained& of) {
    auto question = twinsParts(document, of);
    if (question)
        question->request.ratherThan = numberOf(of.chosen);
    return question;
}

double twinsLogProbability(const trace::LensReading& reading) {
    return static_cast<double>(reading.chosenLogProbability) -
           reading.lead.value_or(std::numeric_limits<float>::quiet_NaN());
}

trace::Question explainedImportance(const DocumentState& document, const Explained& of) {
    return {of.request, trace::ImportanceWhat{ablationOf(document)}};
}

} // namespace headscope::widgets
