#pragma once

#include <QByteArray>

#include <map>
#include <string>
#include <vector>

class QMainWindow;

namespace headscope::app {

/// Which panels of a window are open and where they stand, in words that can be compared: how large they are
/// is not in them, as the window sees to that by itself, too.
class PanelPlaces {
  public:
    /// `window` outlives this.
    explicit PanelPlaces(QMainWindow* window) : window_(window) {}

    /// One a panel: its object's name and its side, then what else there is to say, such as "importance right
    /// closed" or "branches bottom with beam-tree".
    std::vector<std::string> words() const;
    /// As it was when these words were last said, to the pixel; what was never so in this window, such as
    /// that of a file, as far as words go. Panels that are not named stay.
    void set(const std::vector<std::string>& words) const;

  private:
    QMainWindow* window_;
    mutable std::map<std::vector<std::string>, QByteArray> seen_; ///< with the sizes that they had
};

} // namespace headscope::app
