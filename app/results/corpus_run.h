#pragma once

#include <QObject>

#include "app/document/document.h"
#include "model/analysis/heads/corpus_statistics.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headscope::app {

/// What the heads of the unchanged model do over many sentences, and those of the random twin that was on
/// when they were started, which reads what the model said of each. They are run one by one, so that whatever
/// is asked for meanwhile goes first.
class CorpusRun : public QObject {
    Q_OBJECT

  public:
    using Heads = std::vector<analysis::HeadStatistics>;
    /// What is known of the heads once the sentences are through.
    struct Result {
        analysis::CorpusStatistics corpus;
        Heads heads;                           ///< by address
        std::optional<std::uint64_t> twinSeed; ///< nothing: no twin was on
        analysis::CorpusStatistics twinCorpus; ///< of the same sentences
        Heads twinHeads;
    };

    /// `document` outlives this.
    explicit CorpusRun(Document* document, QObject* parent = nullptr);

    bool isRunning() const { return running_; }
    std::size_t wanted() const { return sentences_.size(); }
    /// Sentences that are through, those among them that the model refused.
    std::size_t done() const { return done_; }
    std::size_t refused() const { return refused_; }
    /// Null where there is none of the open model.
    const std::shared_ptr<const Result>& result() const { return result_; }

  public Q_SLOTS:
    /// Takes the place of what is running.
    void start(std::vector<std::string> sentences);
    /// What is known of the sentences that are through stays.
    void stop();

  Q_SIGNALS:
    /// isRunning() or done() is another.
    void progressed();
    void resultChanged();

  private:
    void runNext();
    void runTwin(trace::Request reading, const Heads& heads);
    void add(const Heads& heads, const Heads& ofTwin);
    void followBusy();
    void passOver();
    void finish();
    void forget();

    WorkQueue* queue_;
    Document* document_;
    std::vector<std::string> sentences_;
    std::shared_ptr<Result> growing_; ///< of the sentences that are through
    std::shared_ptr<const Result> result_;
    std::size_t done_ = 0;
    std::size_t refused_ = 0;
    bool running_ = false;
};

} // namespace headscope::app
