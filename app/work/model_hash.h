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

/// Computes the hash of the open model's weights on a worker thread, at the first request, once for all
/// requests.
class ModelHash : public QObject {
    Q_OBJECT

  public:
    explicit ModelHash(WorkQueue* queue, QObject* parent = nullptr) : QObject(parent), queue_(queue) {}

    /// Sets the open model; null if none is open.
    void follow(const std::shared_ptr<const trace::ModelSummary>& model);

    /// Returns "sha256:" and the digest; empty if not known (yet).
    std::string known() const;
    using Then = std::function<void(const std::string& hash)>;
    /// Calls `then`, possibly before returning, with the hash or with the reason why there is none. Not
    /// called if `receiver` is destroyed. If another model is opened first, `then` is called with
    /// `ifAbandoned`, or not at all if that is empty.
    void ask(QObject* receiver, Then then, std::string ifAbandoned = {});
    /// True if an answer is a hash, not a reason.
    static bool isHash(const std::string& answer) { return answer.starts_with("sha256:"); }

  private:
    struct Request {
        QPointer<QObject> receiver;
        Then then;
        std::string ifAbandoned;
    };
    void locate(const std::string& path, const std::string& base);
    void read();

    WorkQueue* queue_;
    std::optional<WeightsFile> file_; ///< of the open model; empty until located
    std::string answer_;              ///< empty until read
    std::vector<Request> pending_;
};

} // namespace headscope::app
