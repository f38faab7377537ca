#include "app/work/model_hash.h"

#include "model/trace/refusal.h"

#include <utility>

namespace headscope::app {

using JobKind = WorkQueue::JobKind;

void ModelHash::follow(const std::shared_ptr<const trace::ModelSummary>& model) {
    file_.reset();
    answer_.clear();
    queue_->stop(JobKind::Background, this);
    const auto abandoned = std::exchange(pending_, {});
    if (model)
        locate(model->path, model->property("base"));
    for (const auto& [receiver, then, ifAbandoned] : abandoned)
        if (receiver && !ifAbandoned.empty())
            then(ifAbandoned);
}

std::string ModelHash::known() const {
    return isHash(answer_) ? answer_ : std::string();
}

/// Remembers the state of the file when the model is opened; weightsHash() detects later changes.
void ModelHash::locate(const std::string& path, const std::string& base) {
    queue_->compute(JobKind::Background, this, [this, path, base] {
        return [this, file = weightsFile(path, base)] {
            file_ = file;
            if (!pending_.empty())
                read();
        };
    });
}

void ModelHash::ask(QObject* receiver, Then then, std::string ifAbandoned) {
    if (!answer_.empty())
        return then(answer_);
    pending_.push_back(
        {.receiver = receiver, .then = std::move(then), .ifAbandoned = std::move(ifAbandoned)});
    if (file_ && pending_.size() == 1)
        read();
}

void ModelHash::read() {
    queue_->compute(JobKind::Background, this, [this, file = *file_](const std::stop_token& stop) {
        std::string answer;
        try {
            answer = weightsHash(file, std::nullopt, stop);
        } catch (const trace::Refusal& refusal) {
            answer = refusal.text().what;
        }
        return [this, answer] {
            answer_ = answer;
            for (const auto& [receiver, then, ifAbandoned] : std::exchange(pending_, {}))
                if (receiver)
                    then(answer);
        };
    });
}

} // namespace headscope::app
