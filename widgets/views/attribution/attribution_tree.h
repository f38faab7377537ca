#pragma once

#include <QAbstractItemModel>
#include <QString>
#include <QTreeView>

#include "model/analysis/output/attribution_groups.h"
#include "model/trace/lens.h"
#include "model/trace/model_summary.h"
#include "model/trace/run.h"
#include "widgets/selection.h"

#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace headscope::widgets {

/// The parts of a logit as a tree: one row per sublayer with its sum and, below an attention, its heads and
/// its bias; or flat, one row per part. In the order of the residual stream or by size.
class AttributionModel : public QAbstractItemModel {
    Q_OBJECT

  public:
    enum Column { Part, Bar, Value, ColumnCount };
    enum Role { ValueRole = Qt::UserRole + 1, LimitRole };

    using QAbstractItemModel::QAbstractItemModel;

    void setAttribution(const trace::LogitAttribution& attribution);
    void clear() { setAttribution({}); }
    /// Used for tooltips; may be null.
    void setModel(std::shared_ptr<const trace::ModelSummary> model) { model_ = std::move(model); }
    /// If `flat`, lists all parts in one level.
    void setFlat(bool flat);

    /// The value of a full bar. Sublayers and parts share it, so that their bars are comparable.
    double limit() const { return limit_; }
    static double limitOf(const std::vector<analysis::AttributionGroup>& groups);
    /// Returns the head of a row; nullopt if the row is not a head.
    std::optional<trace::HeadAddress> head(const QModelIndex& index) const;
    /// Returns the row of a head within its sublayer; invalid if there is none.
    QModelIndex indexOf(const trace::HeadAddress& head) const;
    /// Returns the sublayer of an expandable row, else nullopt.
    std::optional<trace::SublayerAddress> unfolds(const QModelIndex& index) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& index) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    /// Column Part sorts in the order of the stream, Bar and Value by absolute value.
    void sort(int column, Qt::SortOrder order) override;

  private:
    /// Returns true for a top-level row with several parts.
    bool isGroup(const QModelIndex& index) const;
    const analysis::AttributionGroup& groupOf(const QModelIndex& index) const;
    /// The part of a row; of a group, its first part.
    const trace::LogitPart& partOf(const QModelIndex& index) const;
    double valueOf(const QModelIndex& index) const;
    QString name(const QModelIndex& index) const;
    QString words(const QModelIndex& index) const;
    void fillRows();

    std::vector<analysis::AttributionGroup> stream_; ///< in the order of the stream
    std::vector<analysis::AttributionGroup> rows_;   ///< as shown
    double limit_ = 0;
    bool flat_ = false;
    int sortColumn_ = Part;
    Qt::SortOrder sortOrder_ = Qt::AscendingOrder;
    std::shared_ptr<const trace::ModelSummary> model_;
};

/// Returns the head of a part; nullopt if the part is not a head.
std::optional<trace::HeadAddress> headOf(const trace::LogitPart& part);

/// "cross.2.5" for a head, "bias" for an attention, "decoder-ff.1", "embedding". Addresses count from 0.
QString partName(const trace::LogitPart& part);
/// The part in full, for example "Embedding of the input token". Layers count from 0.
QString partInWords(const trace::LogitPart& part, const trace::ModelSummary* model);

/// "Logit of “Hund” compared with “Katze”"; of a model that predicts numbers, "Number “score”".
QString logitTitle(const trace::LogitAttribution& attribution, bool isNumber);
/// Sentences that describe what is split and how, with step, output length and model.
QString attributionCaption(const trace::LogitAttribution& attribution, const trace::Run& run,
                           const trace::Lens& lens, int step);
/// Where an encoder's answer is read, and what is held fixed; empty for a decoder.
QString attributionNote(const trace::Run& run, int step);
/// "sum of the parts 7.1234 = logit 7.1234"
QString attributionSum(const trace::LogitAttribution& attribution, bool isNumber);

/// The tree of parts. Selects a clicked head in all views. Sublayers stay expanded when the step changes.
class AttributionTree : public QTreeView {
    Q_OBJECT

  public:
    /// `selection` and `model` must outlive the tree.
    AttributionTree(Selection* selection, AttributionModel* model, QWidget* parent = nullptr);

    /// The top-level rows and the rows of expanded sublayers, with their depth.
    std::vector<std::pair<QModelIndex, int>> shownRows() const;

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void selectionChanged(const QItemSelection& selected, const QItemSelection& deselected) override;

  private:
    void followModel();
    void followHead();
    int widestName() const;
    void layOutColumns();

    Selection* selection_;
    AttributionModel* model_;
    std::set<trace::SublayerAddress> unfolded_;
    int place_ = 0; ///< of the scroll bar, during a model reset
};

} // namespace headscope::widgets
