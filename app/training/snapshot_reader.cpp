#include "app/training/snapshot_reader.h"

#include "app/models/model_series.h"
#include "model/analysis/output/path_scores.h"
#include "model/analysis/runs_beside.h"
#include "model/files/snapshot_names.h"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace headscope::app {

namespace {

using Pointer = std::shared_ptr<const trace::Run>;

bool isCommon(const SnapshotReading& reading, const Pointer& output) {
    return reading.common && analysis::decodedIds(*reading.common) == analysis::decodedIds(*output);
}

} // namespace

std::optional<double> SnapshotReading::score(const SnapshotReading& newest) const {
    if (!common || !newest.own)
        return std::nullopt;
    const auto& answers = newest.own->classLogProbabilities;
    if (!answers.empty()) {
        const auto answer = std::ranges::max_element(answers) - answers.begin();
        return common->classLogProbabilities[answer];
    }
    if (common->path.empty())
        return std::nullopt;
    return analysis::meanLogProbability(analysis::tokenScores(common->tree, common->path.back()));
}

SnapshotReader::SnapshotReader(WorkQueue::MakeEngine makeEngine, QObject* parent)
    : QObject(parent), queue_(new WorkQueue(std::move(makeEngine), this)) {}

void SnapshotReader::setQuestion(const QString& folder, const QString& sentence) {
    if (folder == folder_ && sentence == sentence_)
        return follow();
    queue_->stop(WorkQueue::JobKind::Answers);
    isReading_ = false;
    folder_ = folder;
    sentence_ = sentence;
    readings_.clear();
    follow();
    Q_EMIT changed();
}

void SnapshotReader::follow() {
    if (folder_.isEmpty() || sentence_.isEmpty())
        return;
    if (const auto series = modelSeries(folder_.toStdString()))
        for (const auto& snapshot : series->snapshots)
            if (!std::ranges::count(readings_, snapshot.step, &SnapshotReading::step))
                readings_.push_back({.step = snapshot.step});
    std::ranges::sort(readings_, {}, &SnapshotReading::step);
    if (!isReading_)
        readNext();
}

void SnapshotReader::readNext() {
    if (readings_.empty())
        return;
    const auto& newest = readings_.back();
    if (!newest.own)
        return read(readings_.size() - 1, nullptr);
    for (std::size_t i = readings_.size(); i-- > 0;)
        if (!readings_[i].own || !isCommon(readings_[i], newest.own))
            return read(i, newest.own);
}

void SnapshotReader::read(std::size_t index, Pointer output) {
    if (!std::exchange(isStarted_, true))
        queue_->start(); // LibTorch is loaded when it is needed
    isReading_ = true;
    const auto path =
        std::filesystem::path(folder_.toStdString()) / files::snapshotName(readings_[index].step);
    const auto job = [this, path, step = readings_[index].step, source = sentence_.toStdString(),
                      own = readings_[index].own, output = std::move(output)](
                         engine::Engine& engine, const trace::Task& work) -> std::function<void()> {
        const auto model = engine.open({.path = path, .settings = {}}, work.stop());
        trace::Request request{.source = source};
        request.paths.front().newTokens = std::min(request.paths.front().newTokens, model->newTokens);
        const auto its = own ? own : engine.of(request, trace::RunWhat{}, work);
        const bool isOwn =
            !output || its->path.empty() || analysis::decodedIds(*its) == analysis::decodedIds(*output);
        const auto common =
            isOwn ? its : engine.of(analysis::readingRequest(request, *output), trace::RunWhat{}, work);
        return [this, step, its, common] { take(step, its, common); };
    };
    queue_->ask(WorkQueue::JobKind::Answers, this, job,
                {.refused =
                     [this](const trace::RefusalText& text) {
                         isReading_ = false; // until follow(), as a snapshot may be being written
                         Q_EMIT refused(text);
                     },
                 .progressed = {}});
}

void SnapshotReader::take(std::int64_t step, Pointer own, Pointer common) {
    const auto reading = std::ranges::find(readings_, step, &SnapshotReading::step);
    if (reading == readings_.end())
        return;
    reading->own = std::move(own);
    reading->common = std::move(common);
    isReading_ = false;
    Q_EMIT changed();
    follow();
}

} // namespace headscope::app
