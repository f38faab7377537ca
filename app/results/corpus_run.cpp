#include "app/results/corpus_run.h"

#include "model/analysis/runs_beside.h"

#include <utility>

namespace headscope::app {

using JobKind = WorkQueue::JobKind;

CorpusRun::CorpusRun(Document* document, QObject* parent)
    : QObject(parent), queue_(document->queue()), document_(document) {
    connect(queue_, &WorkQueue::modelOpened, this, &CorpusRun::forget);
    connect(queue_, &WorkQueue::busyChanged, this, &CorpusRun::followBusy);
}

void CorpusRun::start(std::vector<std::string> sentences) {
    sentences_ = std::move(sentences);
    growing_ = std::make_shared<Result>();
    if (widgets::hasTwin(document_->state()))
        growing_->twinSeed = document_->state().twinSeed;
    done_ = refused_ = 0;
    running_ = true;
    runNext();
}

void CorpusRun::runNext() {
    Q_EMIT progressed();
    if (done_ == sentences_.size())
        return finish();
    trace::Request request{.source = sentences_[done_],
                           .paths = {{.newTokens = document_->state().newTokens}},
                           .decoding = document_->state().decoding,
                           .candidates = 1};
    const auto seed = growing_->twinSeed;
    queue_->runAndCompute(JobKind::Corpus, request, this,
                          [=, this](const trace::Run& run) {
                              std::optional<trace::Request> reading;
                              if (seed)
                                  reading = analysis::twinReadingRequest(request, run, *seed);
                              return [this, reading, heads = analysis::statisticsOfHeads(run)] {
                                  reading ? runTwin(*reading, heads) : add(heads, {});
                              };
                          },
                          {.refused = [this](const trace::RefusalText&) { passOver(); }});
}

/// What the model refuses is counted, and the others go on.
void CorpusRun::passOver() {
    ++refused_;
    ++done_;
    runNext();
}

void CorpusRun::runTwin(trace::Request reading, const Heads& heads) {
    queue_->runAndCompute(JobKind::Corpus, std::move(reading), this,
                          [this, heads](const trace::Run& run) {
                              return [this, heads, ofTwin = analysis::statisticsOfHeads(run)] {
                                  add(heads, ofTwin);
                              };
                          },
                          {.refused = [this](const trace::RefusalText&) { passOver(); }});
}

/// Both at once: they are always of the same sentences.
void CorpusRun::add(const Heads& heads, const Heads& ofTwin) {
    growing_->corpus.add(sentences_[done_], heads);
    if (growing_->twinSeed)
        growing_->twinCorpus.add(sentences_[done_], ofTwin);
    ++done_;
    runNext();
}

/// Means over thousands of sentences take a moment, too.
void CorpusRun::finish() {
    if (growing_->corpus.sentences() == 0)
        return stop();
    queue_->compute(JobKind::Corpus, this, [this, result = growing_] {
        result->heads = result->corpus.heads();
        result->twinHeads = result->twinCorpus.heads();
        return [this, result] {
            running_ = false;
            result_ = result;
            Q_EMIT progressed();
            Q_EMIT resultChanged();
        };
    });
}

void CorpusRun::stop() {
    const bool keeps = running_ && done_ > refused_ && done_ < sentences_.size();
    running_ = false;
    queue_->stop(JobKind::Corpus);
    if (keeps) {
        sentences_.resize(done_);
        running_ = true;
        finish();
    }
    Q_EMIT progressed();
}

/// The queue drops work when another model is opened.
void CorpusRun::followBusy() {
    if (!running_ || queue_->isBusy(JobKind::Corpus))
        return;
    running_ = false;
    Q_EMIT progressed();
}

void CorpusRun::forget() {
    if (std::exchange(result_, nullptr))
        Q_EMIT resultChanged();
}

} // namespace headscope::app
