#include "app/render/renderer.h"

#include "app/export/picture_facts.h"
#include "app/models/engine_loader.h"
#include "app/render/frame_files.h"
#include "app/render/picture_files.h"
#include "app/render/picture_views.h"
#include "app/results/served_view.h"
#include "app/sessions/choice_text.h"
#include "app/traces/model_or_trace.h"
#include "model/analysis/heads/head_statistics.h"
#include "model/trace/run_path.h"
#include "widgets/animated_figure.h"
#include "widgets/words/trace_words.h"

#include <QApplication>
#include <QEventLoop>

#include <algorithm>
#include <utility>

namespace headscope::app {

namespace fs = std::filesystem;
using JobKind = WorkQueue::JobKind;

namespace {

std::unique_ptr<FrameFiles> framesFor(const PictureJob& job, std::string_view still, std::size_t frames,
                                      int milliseconds) {
    if (job.isFolder)
        return std::make_unique<NumberedFrames>(job.out);
    return std::make_unique<Animation>(job.out, still, frames, milliseconds);
}

void refuseUnlessThere(const trace::Run& run, const trace::HeadAddress& head, const char* option) {
    if (run.record(head.site) && head.head < run.model->heads(head.site.kind))
        return;
    if (run.model->recorded && !run.record(head.site))
        throw trace::Refusal({.what = "This trace holds no such attention",
                              .where = option,
                              .expected = "a head of what it holds",
                              .found = trace::toString(head),
                              .wayOut = "leave " + std::string(option) + " out, or name such as " +
                                        trace::toString(analysis::bestAligningHead(run))});
    throw trace::Refusal(
        {.what = "This model has no such head",
         .where = option,
         .expected = "encoder, decoder or cross, a layer below " +
                     std::to_string(std::max(run.model->encoderLayers, run.model->decoderLayers)) +
                     " and a head below " + std::to_string(run.model->heads(head.site.kind)),
         .found = trace::toString(head),
         .wayOut = "name one that it has, such as encoder.0.0"});
}

} // namespace

Renderer::Renderer(const PictureWork& work, std::stop_token stop)
    : work_(work), stop_(std::move(stop)),
      document_([&work] { return withTraces([&work] { return loadEngine(work.engine); }); }),
      results_(document_.queue()) {
    connectResults(&document_, &results_);
    auto* queue = document_.queue();
    document_.setHeadFollowsRun(false);
    connect(queue, &WorkQueue::modelOpened, this, [this](const auto& model) {
        weights_ = weightsFile(model->path, model->property("base"));
        document_.adopt(model);
        document_.controller()->clear(*model);
    });
    connect(queue, &WorkQueue::settingsMissing, this,
            [this](const trace::MissingSettings& missing) { refusal_ = missing.text(); });
    connect(queue, &WorkQueue::refused, this, &Renderer::takeRefusal);
    document_.start();
    queue->open(work.model);
    settle();
}

Renderer::~Renderer() = default;

void Renderer::settle() {
    const auto isBusy = [this] { return document_.queue()->isBusy(); };
    const std::stop_callback wake(stop_, [this] {
        QMetaObject::invokeMethod(
            this, [] {}, Qt::QueuedConnection); // wakes up the event loop
    });
    do {
        QCoreApplication::processEvents(QEventLoop::AllEvents);
        while (isBusy() && !stop_.stop_requested())
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        QCoreApplication::processEvents(QEventLoop::AllEvents);
        trace::throwIfStopped(stop_);
    } while (isBusy());
    if (refusal_)
        throw trace::Refusal(*std::exchange(refusal_, std::nullopt));
}

void Renderer::run(const PictureJob& job) {
    const auto request = job.request(*document_.model());
    document_.controller()->setDecoding(request.decoding, job.newTokens(*document_.model()));
    document_.controller()->setRatherThan(QString::fromStdString(request.ratherThan.value_or(std::string())));
    document_.queue()->run(JobKind::Main, request);
    settle();
    warn();
}

/// Pictures with failed checks are drawn with a warning.
void Renderer::warn() const {
    const auto& run = document_.controller()->run();
    if (!run)
        return;
    const auto wrong = widgets::failuresInWords(run->selfCheck);
    if (!wrong.isEmpty() && work_.warned)
        work_.warned(run->model->path +
                     ": the self-check failed: " + wrong.join(QStringLiteral("; ")).toStdString());
    if (!run->selfCheck.isFinite() && work_.notFinite)
        work_.notFinite();
}

/// Selects the requested head, step, cell and pinned heads.
void Renderer::select(const widgets::PictureOptions& options) {
    const auto& run = *document_.controller()->run();
    const auto head = options.head.value_or(analysis::bestAligningHead(run));
    refuseUnlessThere(run, head, "--head");
    const auto* record = run.record(head.site);
    const auto refuseNumber = [](const char* option, std::size_t below, int found) {
        throw trace::Refusal({.what = "There is no such row or key",
                              .where = option,
                              .expected = "0 to " + std::to_string(below > 0 ? below - 1 : 0),
                              .found = std::to_string(found),
                              .wayOut = "count from 0, the start token first"});
    };
    if (run.steps() == 0 && options.step > 0)
        throw trace::Refusal(
            {.what = "Nothing is decoded here, and there are no steps",
             .where = "--step",
             .expected = "none of a model that reads its sentence at once, as classifiers do",
             .found = std::to_string(options.step),
             .wayOut = "leave --step out"});
    const auto steps = std::max<std::size_t>(1, run.steps());
    if (options.step < 0 || std::cmp_greater_equal(options.step, steps))
        refuseNumber("--step", steps, options.step);
    document_.selection()->setHead(head);
    document_.selection()->setStep(options.step);
    document_.selection()->clearPinned();
    for (const auto& pin : options.pinned)
        refuseUnlessThere(run, pin, "--pin");
    document_.selection()->setPinnedHeads(options.pinned);
    const auto query = options.cell ? options.cell->first : options.query;
    const auto key = options.cell ? options.cell->second : options.key;
    if (query && (*query < 0 || std::cmp_greater_equal(*query, record->queries())))
        refuseNumber(options.cell ? "--cell" : "--query", record->queries(), *query);
    if (key && (*key < 0 || std::cmp_greater_equal(*key, record->keys())))
        refuseNumber(options.cell ? "--cell" : "--key", record->keys(), *key);
    if (query || key)
        document_.selection()->togglePinned(widgets::TokenFocus::cell(head.site.kind, query, key));
}

void Renderer::draw(const PictureJob& job) {
    const auto& options = work_.options;
    run(job);
    select(options);
    auto view = computedView();
    refuseUnlessRecorded(*view);
    if (!view->view->hasFigure())
        refuseEmpty(*view);
    engine::ModelSource named = work_.model;
    named.path = work_.modelName;
    auto shown = document_.controller()->shownRequest();
    shown.ratherThan = document_.controller()->ratherThan();
    const auto facts =
        pictureFacts(named, shown, document_.model()->decoding, weights_, withFontSize(options, *view->view),
                     document_.controller()->newTokens(), stop_);
    if (!options.animate)
        return writePicture(work_, job, *view->view, facts, stop_);
    const auto animation = figureOptions(options, widgets::FigureFormat::Png, *view->view, facts);
    drawFrames(job, animation, *view);
}

std::unique_ptr<RenderedView> Renderer::computedView() {
    refusalsOfView_.clear();
    auto view = renderedView(&document_, &results_, work_.options);
    settle();
    view->choose();
    settle();
    return view;
}

/// All frames have the size and layout of the complete picture. The last frame is drawn first, because it is
/// the still picture for programs that cannot animate.
void Renderer::drawFrames(const PictureJob& job, const widgets::FigureOptions& options,
                          const RenderedView& view) {
    const auto whole = document_.controller()->run();
    const std::size_t steps = framesOf(*whole);
    if (steps == 0)
        throw trace::Refusal({.what = "There is no decoding to be shown step by step",
                              .where = "--animate",
                              .expected = "a model that decodes, and masks that hide what comes later",
                              .wayOut = "leave --animate out"});
    std::size_t drawn = 0;
    const auto draw = [&](std::size_t step) {
        document_.selection()->setStep(step);
        settle();
        if (auto* animation = dynamic_cast<widgets::AnimatedFigure*>(view.view))
            animation->setRowsDecoded(step + 1);
        auto frame = pictureBytes(work_, *view.view, options, job.out, stop_);
        if (work_.drawn)
            work_.drawn(++drawn, steps);
        return frame;
    };
    const auto last = draw(steps - 1);
    const auto files = framesFor(job, last, steps, work_.options.frameTime);
    for (std::size_t step = 0; step + 1 < steps; ++step)
        files->add(draw(step));
    files->add(last);
    files->commit();
    if (work_.written)
        work_.written(job.out);
    warnIfHardToRead(work_, job.out, options, *view.view);
    const auto next = job.out / numberedPicture(steps + 1, "png");
    if (std::error_code ignored; job.isFolder && work_.warned && fs::exists(next, ignored))
        work_.warned(next.string() + " is there from before: it and what follows it are of a longer film");
}

namespace {

const char* const openTheModel = "open the model that it was recorded from";

/// True if the text says how to record what the trace lacks.
bool saysHowToRecord(const std::string& words) {
    return words.find("headscope-cli trace ") != std::string::npos;
}

std::string wayOutOf(const trace::RefusalText& refusal) {
    return saysHowToRecord(refusal.wayOut) ? refusal.wayOut + "; or " + openTheModel : refusal.wayOut;
}

} // namespace

void Renderer::takeRefusal(JobKind kind, const trace::RefusalText& text) {
    if (kind == JobKind::Model || kind == JobKind::Main)
        refusal_ = text;
    else
        refusalsOfView_.emplace_back(kind, text);
}

/// Prefers refusals that say how to record the missing data to those that need the model.
const trace::RefusalText* Renderer::refusalOfView() const {
    if (refusalsOfView_.empty())
        return nullptr;
    const auto found = std::ranges::find_if(
        refusalsOfView_, [](const auto& refusal) { return saysHowToRecord(refusal.second.wayOut); });
    return &(found == refusalsOfView_.end() ? refusalsOfView_.back() : *found).second;
}

/// Without the chosen result, the picture would not show what was asked for.
void Renderer::refuseUnlessRecorded(const RenderedView& view) const {
    const auto lacking = view.view->lacks();
    if (!document_.model()->recorded || !view.canBeOfModel || !lacking)
        return;
    std::string option = "--" + lacking->choice;
    if (work_.options.choices.contains(lacking->choice)) {
        const auto given = optionOf(work_.options, lacking->choice);
        option = given.second.empty() ? given.first : given.first + " " + given.second;
    }
    trace::RefusalText text{
        .what = "This trace does not hold what was chosen", .where = option, .wayOut = openTheModel};
    if (lacking->why) {
        text.found = lacking->why->what;
        text.wayOut = wayOutOf(*lacking->why);
    }
    text.wayOut += "; or leave " + option + " out";
    throw trace::Refusal(std::move(text));
}

/// A view that is empty because of a refusal repeats it, "B: " before it where it is of the second model. It
/// is then all that is to be said.
void Renderer::refuseAsRefused(const std::string& why) const {
    const auto repeat = [&](trace::RefusalText text) {
        const auto said = trace::paragraph(text);
        if (!why.ends_with(said))
            return;
        text.what.insert(0, why.substr(0, why.size() - said.size()));
        throw trace::Refusal(std::move(text));
    };
    if (const auto& refused = document_.state().second.refused)
        repeat(*refused);
    for (const auto& [kind, text] : refusalsOfView_)
        if (!document_.model()->recorded)
            repeat(text);
}

void Renderer::refuseEmpty(const RenderedView& view) const {
    refuseAsRefused(view.view->whyEmpty().toStdString());
    trace::RefusalText text{.what = "This view has nothing to show",
                            .where = "--view " + work_.options.view,
                            .expected = view.needs,
                            .found = view.view->whyEmpty().toStdString(),
                            .wayOut = "choose another view, or another model, input or way to decode"};
    if (document_.model()->recorded && view.canBeOfModel)
        refuseOfTrace(std::move(text), view);
    if (const QString wayOut = view.view->wayOutOfCommand(); !wayOut.isEmpty())
        text.wayOut = wayOut.toStdString();
    throw trace::Refusal(std::move(text));
}

/// Explains what the trace lacks, rather than how the model is built.
void Renderer::refuseOfTrace(trace::RefusalText text, const RenderedView& view) const {
    const auto* refusal = refusalOfView();
    text.expected.clear();
    if (refusal)
        text.found = refusal->what;
    else if (text.found.empty())
        text.found = "a trace that does not hold this";
    if (refusal && saysHowToRecord(refusal->wayOut))
        text.wayOut = wayOutOf(*refusal);
    else if (*view.ofTrace)
        text.wayOut = view.ofTrace;
    else if (refusal)
        text.wayOut = refusal->wayOut;
    else if (!view.view->wayOutOfCommand().isEmpty())
        text.wayOut = view.view->wayOutOfCommand().toStdString();
    else
        text.wayOut =
            saysHowToRecord(text.found) ? std::string("record it as said, or ") + openTheModel : openTheModel;
    throw trace::Refusal(std::move(text));
}

} // namespace headscope::app
