#pragma once

#include <QObject>
#include <QPointer>

#include "app/models/weights_hash.h"
#include "app/work/work_queue.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace headscope::app {

/// The hash of the weights of a model that is open, read off the window's thread once somebody asks, for
/// all that ask: reading a large file keeps nothing else waiting.
class ModelHash : public QObject {
    Q_OBJECT

  public:
    /// Of the model that follow() was told of last.
    explicit ModelHash(WorkQueue* queue, QObject* parent = nullptr) : QObject(parent), queue_(queue) {}

    /// Null: none is open any more.
    void follow(const std::shared_ptr<const trace::ModelSummary>& model);

    /// "sha256:" and the digest; empty where it is not known (yet).
    std::string known() const;
    using Then = std::function<void(const std::string& hash)>;
    /// Calls `then`, perhaps before it returns, with the hash or why there is none, in words; not if
    /// `receiver` is gone then. If another model opens before, it is called with `ifLeft`, or where that is
    /// empty, not at all.
    void ask(QObject* receiver, Then then, std::string ifLeft = {});
    /// Whether an answer is a hash.
    static bool isHash(const std::string& answer) { return answer.starts_with("sha256:"); }

  private:
    struct Asked {
        QPointer<QObject> receiver;
        Then then;
        std::string ifLeft;
    };
    void look(const std::string& path);
    void read();

    WorkQueue* queue_;
    std::optional<WeightsFile> file_; ///< of the model that is open, once it was looked at
    std::string answer_;              ///< empty: not read
    std::vector<Asked> asked_;        ///< and not answered yet
};

} // namespace headscope::app
