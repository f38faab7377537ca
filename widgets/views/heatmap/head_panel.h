#pragma once

#include <QFrame>

#include "model/trace/run.h"
#include "widgets/selection.h"

#include <memory>
#include <optional>

class QLabel;
class QToolButton;

namespace headscope::widgets {

class HeatmapView;
struct Theme;

/// One of the heads that are compared: its name, what is said of it, the number in the lit cell, a button
/// that lets it go, and its map.
class HeadPanel : public QFrame {
    Q_OBJECT

  public:
    /// `selection` outlives the panel.
    explicit HeadPanel(Selection* selection, QWidget* parent = nullptr);

    /// May be null.
    void setRun(std::shared_ptr<const trace::Run> run);
    /// `pin` counts from 1; nothing: the head is only selected.
    void setHead(trace::HeadAddress head, std::optional<int> pin);
    /// Two short lines, and all that they stand for.
    void setWords(const QString& brief, const QString& whole);
    /// How high the short lines are in a panel of this width, and how high they are at least.
    int wordsNeed(int width) const;
    void setWordsRoom(int height);
    QString title() const;
    HeatmapView* map() const { return map_; }
    /// As narrow as can be, whatever it says: those beside each other are then equally wide.
    QSize sizeHint() const override { return {minimumSizeHint().width(), QFrame::sizeHint().height()}; }

  protected:
    void changeEvent(QEvent* event) override;

  private:
    void markSelected();
    void showValue();

    Selection* selection_;
    std::shared_ptr<const trace::Run> run_;
    std::optional<trace::HeadAddress> head_; ///< nothing as long as it was never told
    std::optional<int> pin_;
    QToolButton* name_;
    QLabel* value_;
    QToolButton* unpin_;
    QWidget* wordsRoom_; ///< a label would remember that it once had to be high
    QLabel* words_;
    HeatmapView* map_;
    const Theme* theme_ = nullptr; ///< that the marks were made for
};

} // namespace headscope::widgets
