#pragma once

#include <QByteArray>
#include <QObject>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

class QMainWindow;

namespace headscope::app {

/// Describes which panels of a window are open and where, as strings that can be compared. Sizes and order
/// are not part of them, as the window changes these by itself; what the user drags is tracked separately.
class PanelPlaces : public QObject {
    Q_OBJECT

  public:
    /// `window` must outlive this and already have its panels.
    explicit PanelPlaces(QMainWindow* window);

    /// Returns one string for each panel: object name, side, and further state, such as "importance right
    /// closed" or "branches bottom with beam-tree". Remembers the current sizes for set().
    std::vector<std::string> words() const;
    /// Like words(), without remembering the sizes.
    std::vector<std::string> standing() const;
    /// Restores a layout. Exact if words() returned these strings in this window; otherwise, as for those of
    /// a file, as far as the strings say. Panels that are not named stay.
    void set(const std::vector<std::string>& words) const;

    /// Returns a new string for each drag of the user, such as "resize 2" or "move 3"; empty before the
    /// first.
    std::string arrangement() const;
    /// Restores the exact layout after that drag, as last changed before the next one. Ignored for unknown
    /// strings.
    void setArrangement(const std::string& word) const;

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    /// Layouts by name, as many as undo can reach; the least recently used is dropped first.
    template <class Name>
    class Kept {
      public:
        void keep(const Name& name, QByteArray panels);
        /// Null for a layout of another window or a dropped one.
        const QByteArray* find(const Name& name) const;

      private:
        struct Panels {
            QByteArray state;
            std::uint64_t used = 0;
        };
        std::map<Name, Panels> all_;
        std::uint64_t uses_ = 0;
    };

    QMainWindow* window_;
    mutable Kept<std::vector<std::string>> seen_; ///< with their sizes
    mutable Kept<std::string> arranged_;
    mutable std::string arrangement_;
    mutable std::string dragged_; ///< drag that may be in progress: "resize" or "move"
    mutable int drags_ = 0;
};

} // namespace headscope::app
