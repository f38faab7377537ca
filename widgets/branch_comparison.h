#pragma once

#include <QWidget>

#include "model/analysis/path_comparison.h"
#include "model/trace/run.h"
#include "widgets/difference_map.h"

#include <memory>

class QComboBox;
class QLabel;
class QTableWidget;

namespace headscope::widgets {

/// Two branches side by side: their tokens, aligned; what became of the probability of those that both have;
/// and how the selected head's map differs.
class BranchComparison : public QWidget {
    Q_OBJECT

  public:
    explicit BranchComparison(QWidget* parent = nullptr);

    /// What can be chosen, and what is. Fewer than two: there is nothing to compare.
    void setNames(const QStringList& names, int first, int second);
    /// Why there are no runs although there are branches; empty: because there is one only.
    void setWhyNot(const QString& words) { whyNot_ = words; }
    /// Two runs of one source that show the two branches; null: none.
    void setRuns(std::shared_ptr<const trace::Run> first, std::shared_ptr<const trace::Run> second);
    /// The sentence above the table: for how long they agree, and where they part.
    QString summary() const;
    DifferenceMap* map() const { return map_; }

  public Q_SLOTS:
    void setHead(headscope::trace::HeadAddress head);
    void setSpaceMarksShown(bool shown);

  Q_SIGNALS:
    /// Branches count from 0.
    void pairChosen(int first, int second);

  private:
    void fillTable();
    void fillMap();
    QString summaryText() const;
    QString nameOf(const QComboBox* box) const;
    std::vector<TokenLabel> labels(const std::vector<analysis::AlignedPlace>& places, bool keys) const;
    void setToken(int row, int column, const TokenLabel& label, bool same);
    void setNumber(int row, int column, const QString& text);

    std::shared_ptr<const trace::Run> first_;
    std::shared_ptr<const trace::Run> second_;
    analysis::PathComparison compared_;
    QString whyNot_;
    trace::HeadAddress head_;
    QComboBox* firstName_;
    QComboBox* secondName_;
    QLabel* summary_;
    QTableWidget* table_;
    DifferenceMap* map_;
};

} // namespace headscope::widgets
