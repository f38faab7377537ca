#pragma once

#include <QWidget>

#include "model/analysis/output/path_scores.h"
#include "widgets/view.h"

#include <memory>
#include <optional>
#include <vector>

class QLabel;
class QLineEdit;
class QPushButton;

namespace headscope::widgets {

/// Forces a whole target sentence on the model (teacher forcing), and says how probable it was. Its figure
/// lists for every token its probability and the number of more probable tokens.
class ReferenceView : public View {
    Q_OBJECT

  public:
    explicit ReferenceView(QWidget* parent = nullptr);

    void refresh() override;
    void setSpaceMarksShown(bool shown) override;
    QWidget* takesKeys() const override;
    QString whyNot(const std::string& action) const override;
    /// Scores of the newest reference; token i was chosen in row i. Empty: none yet.
    void setScores(std::vector<analysis::TokenScore> scores);
    /// In sentences.
    QString summary() const;

    bool hasFigure() const override { return !scores_.empty(); }
    std::optional<FigureBlocks> figureBlocks() const override;
    FigureText figureText() const override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    trace::FigureData figureData() const override;
    /// The reference, whichever path is shown.
    std::optional<std::size_t> ownPath() const override;

  private:
    void submit();

    std::shared_ptr<const trace::Run> run_;
    std::vector<analysis::TokenScore> scores_;
    QLineEdit* line_;
    QPushButton* force_;
    QLabel* result_;
    bool spaceMarks_ = true;
};

} // namespace headscope::widgets
