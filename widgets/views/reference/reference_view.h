#pragma once

#include <QWidget>

#include "model/analysis/output/path_scores.h"
#include "widgets/selection.h"
#include "widgets/view.h"

#include <memory>
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
    /// `selection` must outlive the view.
    explicit ReferenceView(Selection* selection, QWidget* parent = nullptr);

    void refresh() override;
    void setSpaceMarksShown(bool shown) override;
    QWidget* takesKeys() const override;
    QString whyNot(const std::string& action) const override;
    /// Scores of the newest reference; token i was chosen in row i. Empty: none yet.
    void setScores(std::vector<analysis::TokenScore> scores);
    QString summary() const;

    bool hasFigure() const override { return !scores_.empty(); }
    std::optional<FigureBlocks> figureBlocks() const override;
    FigureText figureText() const override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    trace::FigureData figureData() const override;
    /// The reference, whichever path is shown.
    std::optional<std::size_t> ownPath() const override;

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void fillTable();
    void submit();
    void followStep();
    void goTo(int step);

    Selection* selection_;
    std::shared_ptr<const trace::Run> run_;
    std::vector<analysis::TokenScore> scores_;
    QLineEdit* line_;
    QPushButton* force_;
    QLabel* summary_;
    QTableWidget* table_;
};

} // namespace headscope::widgets
