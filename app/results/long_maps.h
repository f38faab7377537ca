#pragma once

#include <QObject>

#include "app/document/decode_controller.h"
#include "app/work/work_queue.h"
#include "widgets/map/ready_map.h"
#include "widgets/selection.h"

#include <memory>
#include <optional>
#include <vector>

namespace headscope::app {

/// The maps of heads that are looked at and that the shown run left out because they are long: computed again
/// from queries and keys off the window's thread, a preview first. A few are kept for who goes back and
/// forth.
class LongMaps : public QObject {
    Q_OBJECT

  public:
    /// All are there for as long as this is used.
    LongMaps(WorkQueue* queue, DecodeController* controller, widgets::Selection* selection,
             QObject* parent = nullptr);

    using Map = std::shared_ptr<const widgets::LongMap>;
    /// As the views are to show it; null where it is on its way, or the run has the map itself.
    Map of(const trace::HeadAddress& head) const;

    /// Why none will come; empty: it will, or is there.
    const QString& whyNot() const { return whyNot_; }

  public Q_SLOTS:
    void setOptions(const headscope::widgets::MapOptions& options);
    /// Beside the selected head.
    void setAlsoShown(const std::vector<headscope::trace::HeadAddress>& heads);

  Q_SIGNALS:
    void changed();

  private:
    void follow();
    void askNext();
    void take(Map map);
    /// Only what nobody looks at.
    void forgetOldest();
    std::vector<trace::HeadAddress> wanted() const;

    WorkQueue* queue_;
    DecodeController* controller_;
    widgets::Selection* selection_;
    widgets::MapOptions options_;
    std::vector<trace::HeadAddress> alsoShown_;
    std::vector<Map> known_;                  ///< the one that was looked at last is the last
    std::optional<trace::HeadAddress> asked_; ///< on its way
    QString whyNot_;
};

} // namespace headscope::app
