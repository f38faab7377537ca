#pragma once

#include <QWidget>

#include "widgets/views/compare/compare_question.h"

#include <vector>

class QHBoxLayout;
class QLabel;
class QToolButton;

namespace headscope::widgets {

class ChangeTile;

/// The heads that changed most, as small difference maps. It keeps their order whichever of them is selected.
class ChangeStrip : public QWidget {
    Q_OBJECT

  public:
    static constexpr std::size_t mostTiles = 12;

    explicit ChangeStrip(QWidget* parent);

    /// The first mostTiles are shown, most changed first. `all`: number of all heads.
    void setChanges(const std::vector<analysis::HeadChange>& changes, std::size_t all);
    /// Of the same heads, in the same order.
    void setMaps(const ChangedMaps::Value& maps);
    /// Shown in the place of tiles, as long as there are none.
    void setWords(const QString& words);
    void setSelected(const trace::HeadAddress& head);
    /// Those that have room.
    std::vector<trace::HeadAddress> heads() const;

  Q_SIGNALS:
    void headChosen(headscope::trace::HeadAddress head);
    void allWanted();

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void fit();

    QLabel* subtitle_;
    QToolButton* all_;
    QLabel* words_;
    QHBoxLayout* row_;
    std::vector<ChangeTile*> tiles_;
    std::size_t shown_ = 0;
};

} // namespace headscope::widgets
