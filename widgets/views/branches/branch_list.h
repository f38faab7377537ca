#pragma once

#include <QWidget>

#include "widgets/tables/table_figure.h"
#include "widgets/view.h"

#include <vector>

class QLabel;
class QPushButton;
class QTreeWidget;

namespace headscope::widgets {

/// A path of a request as listed.
struct Branch {
    QString name;
    QString text;              ///< its output
    double logProbability = 0; ///< sum over its tokens, without a prompt
    std::size_t tokens = 0;
    bool shown = false;
};

/// The list of branches. Selecting one shows it; F2 or a double click on its name renames it.
class BranchList : public View {
    Q_OBJECT

  public:
    explicit BranchList(QWidget* parent = nullptr);

    void setBranches(const std::vector<Branch>& branches);
    /// Model and sentence, for a figure.
    void setProvenance(const QString& words) { provenance_ = words; }

    bool hasFigure() const override { return !branches_.empty(); }
    void drawFigure(QPainter& painter, QSize size, const Theme& theme) const override;
    FigureText figureText() const override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    QSize figureSize() const override;
    trace::FigureData figureData() const override;

  Q_SIGNALS:
    /// Rows count from 0.
    void showRequested(int row);
    void renamed(int row, const QString& name);
    void removeRequested(int row);
    /// Compare with the shown branch, or with another one if `row` is shown.
    void compareRequested(int row);

    /// The arrow keys step, as in other views, instead of scrolling the list.
    void stepRequested(bool forward);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void followRow();
    int currentRow() const;
    TableFigure figure() const;

    std::vector<Branch> branches_;
    QString provenance_;
    QTreeWidget* list_;
    QLabel* hint_;
    QPushButton* compare_;
    QPushButton* rename_;
    QPushButton* remove_;
    bool filling_ = false;
};

} // namespace headscope::widgets
