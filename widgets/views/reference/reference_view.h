#pragma once

#include <QWidget>

#include "model/analysis/output/path_scores.h"
#include "widgets/tables/table_figure.h"
#include "widgets/view.h"

#include <optional>
#include <vector>

class QLabel;
class QLineEdit;
class QPushButton;
class QTableWidget;

namespace headscope::widgets {

/// Forces a whole target sentence on the model (teacher forcing) and lists, for every token, its probability
/// and the number of more probable tokens.
class ReferenceView : public View {
    Q_OBJECT

  public:
    explicit ReferenceView(QWidget* parent = nullptr);

    /// False without a tokenizer: ids are typed instead of a sentence.
    void setReadsText(bool text);
    /// Scores of the newest reference; token i was chosen in row i. Empty: none yet.
    void setScores(std::vector<analysis::TokenScore> scores);
    /// Marks the current row.
    void setStep(std::optional<int> step);
    QString summary() const;
    void startTyping();
    /// Model and sentence, for a figure.
    void setProvenance(const QString& words) { provenance_ = words; }

    bool hasFigure() const override { return !scores_.empty(); }
    void drawFigure(QPainter& painter, QSize size, const Theme& theme) const override;
    FigureText figureText() const override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    QSize figureSize() const override;
    trace::FigureData figureData() const override;

  public Q_SLOTS:
    void setSpaceMarksShown(bool shown) override;

  Q_SIGNALS:
    void submitted(const QString& text);
    void stepRequested(int step);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void fillTable();
    void submit();
    TableFigure figure() const;

    QString provenance_;
    std::vector<analysis::TokenScore> scores_;
    QLineEdit* line_;
    QPushButton* force_;
    QLabel* summary_;
    QTableWidget* table_;
};

} // namespace headscope::widgets
