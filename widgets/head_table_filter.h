#pragma once

#include <QSortFilterProxyModel>

#include "model/trace/attention_site.h"

#include <optional>

namespace headscope::widgets {

class HeadTableModel;

/// Which heads of a HeadTableModel are listed, and in which order. Heads that a statistic does not apply to
/// come last, whichever way it is sorted.
class HeadTableFilter : public QSortFilterProxyModel {
    Q_OBJECT

  public:
    explicit HeadTableFilter(HeadTableModel* model, QObject* parent = nullptr);

    /// Nothing: every kind.
    void setKind(std::optional<trace::AttentionKind> kind);
    /// "cross 2" or "cross.2.5" is an address or its beginning; other words must all occur in what is said of
    /// a head.
    void setWords(const QString& words);
    /// Why no head is like the words, which may name nothing that a head can be; empty where one is.
    QString whyNone() const;
    /// Only heads whose weight at the watched cell is at least this.
    void setLeastWeight(double weight);

  protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

  private:
    bool matchesWords(const QModelIndex& index) const;

    HeadTableModel* model_;
    std::optional<trace::AttentionKind> kind_;
    QString words_;
    double leastWeight_ = 0;
};

} // namespace headscope::widgets
