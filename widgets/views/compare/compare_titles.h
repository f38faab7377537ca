#pragma once

#include <QWidget>

#include "widgets/drawing/outlined_words.h"

#include <array>
#include <vector>

namespace headscope::widgets {

class LinkedMaps;

/// What the maps below are of: A and B with their texts, whose differing words are outlined, and their
/// difference.
class CompareTitles : public QWidget {
    Q_OBJECT

  public:
    struct Title {
        QString name;                    ///< "A"
        QString result;                  ///< such as a class with its probability; empty: none
        std::vector<OutlinedWord> words; ///< of its text
        QString note;                    ///< faint, in the place of a text
        QString place;                   ///< at the right
    };

    /// Titles begin where the plots of `maps` do, which stands below and outlives this.
    CompareTitles(const LinkedMaps* maps, QWidget* parent);

    void setTitles(std::array<Title, 3> titles);
    const std::array<Title, 3>& titles() const { return titles_; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {100, sizeHint().height()}; }

  protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

  private:
    QRectF area(std::size_t title) const;

    const LinkedMaps* maps_;
    std::array<Title, 3> titles_;
};

} // namespace headscope::widgets
