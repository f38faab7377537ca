#pragma once

#include <string>
#include <vector>

class QMainWindow;

namespace headscope::app {

/// Describes which panels of a window are open and where, as strings that can be compared. Sizes and order
/// are not part of them, as the window changes these by itself.
class PanelPlaces {
  public:
    /// `window` must outlive this.
    explicit PanelPlaces(QMainWindow* window) : window_(window) {}

    /// Returns one string for each panel: object name, side, and further state, such as "importance right
    /// closed" or "branches bottom with beam-tree".
    std::vector<std::string> words() const;
    /// Opens, closes and moves panels as far as the strings say. Panels that are not named stay.
    void set(const std::vector<std::string>& words) const;

  private:
    QMainWindow* window_;
};

} // namespace headscope::app
