#pragma once

#include <QAbstractItemModel>

#include "model/analysis/output/attribution_groups.h"
#include "model/trace/model_summary.h"

#include <memory>
#include <optional>
#include <vector>

namespace headscope::widgets {

/// The parts of a logit: a row a sublayer with its sum, below it the heads and the bias of an attention; or
/// every part in a row of its own. In the order of the stream or by size.
class AttributionModel : public QAbstractItemModel {
    Q_OBJECT

  public:
    enum Column { Part, Bar, Value, ColumnCount };
    enum Role { ValueRole = Qt::UserRole + 1, LimitRole };

    using QAbstractItemModel::QAbstractItemModel;

    void setAttribution(const trace::LogitAttribution& attribution);
    void clear();
    /// For the words of tooltips; may be null.
    void setModel(std::shared_ptr<const trace::ModelSummary> model) { model_ = std::move(model); }
    /// True: no sublayers, every part by itself.
    void setFlat(bool flat);

    /// What a full bar stands for: of sublayers and parts alike, so that bars can be compared.
    double limit() const { return limit_; }
    static double limitOf(const std::vector<analysis::AttributionGroup>& groups);
    /// The head of a row; nothing where it is none.
    std::optional<trace::HeadAddress> head(const QModelIndex& index) const;
    /// The row of a head, in its sublayer; invalid where there is none.
    QModelIndex indexOf(const trace::HeadAddress& head) const;
    /// The sublayer of a row that can be unfolded.
    std::optional<trace::SublayerAddress> unfolds(const QModelIndex& index) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& index) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    /// By Part: in the order of the stream. By Bar or Value: by size, whatever the sign.
    void sort(int column, Qt::SortOrder order) override;

  private:
    /// A row at the top that stands for several parts.
    bool isGroup(const QModelIndex& index) const;
    const analysis::AttributionGroup& groupOf(const QModelIndex& index) const;
    /// The part of a row, the first one of a group.
    const trace::LogitPart& partOf(const QModelIndex& index) const;
    double valueOf(const QModelIndex& index) const;
    QString name(const QModelIndex& index) const;
    QString words(const QModelIndex& index) const;
    void fillRows();

    std::vector<analysis::AttributionGroup> stream_; ///< in its order
    std::vector<analysis::AttributionGroup> rows_;   ///< as shown
    double limit_ = 0;
    bool flat_ = false;
    int sortColumn_ = Part;
    Qt::SortOrder sortOrder_ = Qt::AscendingOrder;
    std::shared_ptr<const trace::ModelSummary> model_;
};

} // namespace headscope::widgets
