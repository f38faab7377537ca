#pragma once

#include <QString>
#include <QWidget>

#include "widgets/drawing/outlined_words.h"

#include <vector>

namespace headscope::widgets {

/// Texts below each other, with the words outlined in which they differ.
class TextBand : public QWidget {
    Q_OBJECT

  public:
    using Word = OutlinedWord;
    struct Line {
        QString name;
        std::vector<Word> words;
        QString score;
        bool isFaint = false;
    };

    explicit TextBand(QWidget* parent);

    void setLines(std::vector<Line> lines);
    const std::vector<Line>& lines() const { return lines_; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {100, sizeHint().height()}; }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    double lineHeight() const;

    std::vector<Line> lines_;
};

} // namespace headscope::widgets
