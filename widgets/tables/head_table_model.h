#pragma once

#include <QAbstractTableModel>

#include "model/analysis/heads/head_ranking.h"
#include "model/analysis/heads/head_roles.h"
#include "model/trace/run.h"
#include "widgets/tables/head_search.h"

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace headscope::widgets {

/// A cell of the maps of one kind of attention.
struct WatchedCell {
    trace::AttentionKind kind = trace::AttentionKind::Cross;
    int query = 0;
    int key = 0;
    friend bool operator==(const WatchedCell&, const WatchedCell&) = default;
};

/// Every head with what it does, a row a head: address, role, statistics, importance where it was measured,
/// and the weight at one cell where one is watched. The random twin's numbers are in the tooltips.
class HeadTableModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum FixedColumn { Head, Role, Here, Importance, FirstStatistic };
    /// SortRole: a number, an address as a number, or nothing. SearchRole: all that a person may type of a
    /// row.
    enum DataRole { SortRole = Qt::UserRole + 1, SearchRole, KindRole };

    using QAbstractTableModel::QAbstractTableModel;

    /// Null where nothing is shown; for titles, and for the weight at a cell.
    void setRun(std::shared_ptr<const trace::Run> run);
    /// By address.
    void setStatistics(std::vector<analysis::HeadStatistics> heads);
    /// Of the random twin, by address; empty where there is none.
    void setTwin(const std::vector<analysis::HeadStatistics>& heads);
    /// Empty where it was not measured.
    void setImportance(const std::vector<analysis::HeadScore>& scores);
    /// Nothing: the column is empty.
    void setCell(std::optional<WatchedCell> cell);
    /// What the listed numbers are held against: each is written so that it stands on its side of the limit.
    void setConditions(std::vector<HeadCondition> conditions);

    const std::vector<analysis::HeadStatistics>& statistics() const { return heads_; }
    /// Null where the head is not known.
    const analysis::HeadStatistics* of(const trace::HeadAddress& head) const;
    const analysis::HeadStatistics* twinOf(const trace::HeadAddress& head) const;
    std::optional<double> importanceOf(const trace::HeadAddress& head) const;
    const std::optional<WatchedCell>& cell() const { return cell_; }
    /// Weight of a head at the watched cell; nothing where it has no such cell, or it is closed.
    std::optional<double> weightAtCell(const trace::HeadAddress& head) const;
    trace::HeadAddress head(int row) const { return heads_[static_cast<std::size_t>(row)].head; }
    std::optional<int> rowOf(const trace::HeadAddress& head) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// The statistic of a column; nothing for the first ones.
    static std::optional<analysis::Statistic> statisticAt(int column);

  private:
    void refresh();
    std::optional<double> number(int row, int column) const;
    QString text(int row, int column) const;
    QString numberText(double value, int column) const;
    QString tip(int row, int column) const;

    std::shared_ptr<const trace::Run> run_;
    std::vector<analysis::HeadStatistics> heads_;
    std::vector<QString> roles_; ///< of each head; deciding on them takes longer than a repaint should
    std::map<trace::HeadAddress, analysis::HeadStatistics> twin_;
    std::map<trace::HeadAddress, double> importance_;
    std::optional<WatchedCell> cell_;
    std::vector<HeadCondition> conditions_;
};

} // namespace headscope::widgets
