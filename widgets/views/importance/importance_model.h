#pragma once

#include <QAbstractTableModel>

#include "model/analysis/heads/head_ranking.h"
#include "model/trace/model_summary.h"

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace headscope::widgets {

/// Heads with what each is worth, a row a head: rank among all heads, address, signed bar, importance and
/// divergence in nats, and beside it the importance of the same head in the model's random twin. Can be
/// sorted by every column and show one kind of attention alone.
class ImportanceModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Column { Rank, Head, Bar, Importance, Twin, Divergence, ColumnCount };
    enum Role { ValueRole = Qt::UserRole + 1, LimitRole };

    using QAbstractTableModel::QAbstractTableModel;

    /// In any order. `tokens`: how many the scores are summed over.
    void setScores(std::vector<analysis::HeadScore> scores, std::size_t tokens);
    /// Of the same heads and tokens in the random twin, in any order: empty where they are not known, nothing
    /// where there is no twin.
    void setTwinScores(const std::optional<std::vector<analysis::HeadScore>>& scores);
    bool hasTwin() const { return hasTwin_; }
    /// For the words of tooltips; may be null.
    void setModel(std::shared_ptr<const trace::ModelSummary> model) { model_ = std::move(model); }
    /// Nothing: every kind.
    void setKind(std::optional<trace::AttentionKind> kind);

    /// Ranked, all of them whatever is shown.
    const std::vector<analysis::HeadScore>& scores() const { return scores_; }
    /// What a full bar stands for.
    double limit() const { return limit_; }
    trace::HeadAddress head(int row) const { return scoreOf(row).head; }
    /// Nothing where the head is not among the rows.
    std::optional<int> rowOf(const trace::HeadAddress& head) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

  private:
    const analysis::HeadScore& scoreOf(int row) const {
        return scores_[rows_[static_cast<std::size_t>(row)]];
    }
    void fillRows();
    QString text(int row, int column) const;
    QString words(int row) const;
    /// Nothing where it is not known.
    std::optional<double> twinOf(const trace::HeadAddress& head) const;

    std::vector<analysis::HeadScore> scores_;   ///< by rank
    std::vector<std::size_t> rows_;             ///< what is shown, as places in scores_
    std::map<trace::HeadAddress, double> twin_; ///< importance in the twin
    bool hasTwin_ = false;
    std::size_t tokens_ = 0;
    double limit_ = 0;
    std::shared_ptr<const trace::ModelSummary> model_;
    std::optional<trace::AttentionKind> kind_;
    int sortColumn_ = Rank;
    Qt::SortOrder sortOrder_ = Qt::AscendingOrder;
};

} // namespace headscope::widgets
