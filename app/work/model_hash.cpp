#include "app/work/model_hash.h"

#include "model/trace/refusal.h"

#include <utility>

namespace headscope::app {

using JobKind = WorkQueue::JobKind;

void ModelHash::follow(const std::shared_ptr<const trace::ModelSummary>& model) {
    file_.reset();
    answer_.clear();
    queue_->stop(JobKind::Background, this);
    const auto left = std::exchange(asked_, {});
    if (model)
        look(model->path);
    for (const auto& [receiver, then, ifLeft] : left)
        if (receiver && !ifLeft.empty())
            then(ifLeft);
}

std::string ModelHash::known() const {
    return isHash(answer_) ? answer_ : std::string();
}

/// As it is when the model is opened: whether it is still that file is seen later.
void ModelHash::look(const std::string& path) {
    queue_->compute(JobKind::Background, this, [this, path] {
        return [this, file = weightsFile(path)] {
            file_ = file;
            if (!asked_.empty())
                read();
        };
    });
}

void ModelHash::ask(QObject* receiver, Then then, std::string ifLeft) {
    if (!answer_.empty())
        return then(answer_);
    asked_.push_back({.receiver = receiver, .then = std::move(then), .ifLeft = std::move(ifLeft)});
    if (file_ && asked_.size() == 1)
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
            for (const auto& [receiver, then, ifLeft] : std::exchange(asked_, {}))
                if (receiver)
                    then(answer);
        };
    });
}

} // namespace headscope::app
