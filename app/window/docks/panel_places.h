#pragma once

#include <QByteArray>
#include <QObject>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

class QMainWindow;

namespace headscope::app {

/// Which panels of a window are open and where they stand, in words that can be compared: how large they are
/// and in which order is not in them, as the window sees to that by itself, too. What a person drags is known
/// besides.
class PanelPlaces : public QObject {
    Q_OBJECT

  public:
    /// `window` outlives this, and has its panels.
    explicit PanelPlaces(QMainWindow* window);

    /// One a panel: its object's name and its side, then what else there is to say, such as "importance right
    /// closed" or "branches bottom with beam-tree".
    std::vector<std::string> words() const;
    /// The same, and their sizes are not remembered.
    std::vector<std::string> standing() const;
    /// As it was when these words were last said, to the pixel; what was never so in this window, such as
    /// that of a file, as far as words go. Panels that are not named stay.
    void set(const std::vector<std::string>& words) const;

    /// How a person dragged panels last, in a word for each time: "resize 2" or "move 3"; empty at first.
    std::string arrangement() const;
    /// As it was left then, or before anything was dragged on from there, to the pixel.
    void setArrangement(const std::string& word) const;

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    /// Of as many as undo can go back to; what was not used for longest goes first.
    template <class Name>
    class Kept {
      public:
        void keep(const Name& name, QByteArray panels);
        /// Null: of another window, or gone.
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
    mutable Kept<std::vector<std::string>> seen_; ///< with the sizes that they had
    mutable Kept<std::string> arranged_;
    mutable std::string arrangement_;
    mutable std::string dragged_; ///< what may just be done: "resize" or "move"
    mutable int drags_ = 0;
};

} // namespace headscope::app
