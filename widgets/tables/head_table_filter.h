#pragma once

#include <QSortFilterProxyModel>

#include "model/trace/attention_site.h"
#include "widgets/tables/head_search.h"
#include "widgets/words/statistic_words.h"

#include <optional>
#include <vector>

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
    /// "cross 2" or "cross.2.5" is an address or its beginning, "entropy < 1" holds a number of a head
    /// against a limit; other words must all occur in what is said of a head. All of it has to be true.
    void setWords(const QString& words);
    /// Why no head is like the words, which may name nothing that a head can be; empty where one is. Of a
    /// role that no head has it says what the role needs: then the heads that come nearest are listed.
    QString whyNone() const;
    /// Only heads whose weight at the watched cell is at least this.
    void setLeastWeight(double weight);

  protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

  private:
    /// The role that is searched, and the kinds of attention that are.
    struct WantedRole {
        SearchedRole role;
        QStringList kinds;
    };
    std::optional<WantedRole> wantedRole() const;
    void refilter();
    std::vector<std::pair<double, trace::HeadAddress>> nearestHeads() const;
    bool isHit(int row) const;
    bool isOffered(const trace::HeadAddress& head) const;
    bool matchesWords(const QModelIndex& index) const;
    bool meetsConditions(const trace::HeadAddress& head) const;
    QString whyNoWords() const;

    HeadTableModel* model_;
    std::optional<trace::AttentionKind> kind_;
    HeadSearch search_;
    QString words_; ///< of it, without conditions
    double leastWeight_ = 0;
    std::vector<trace::HeadAddress> nearest_; ///< to a role that no head has, the nearest first
    std::vector<double> nearness_;            ///< of these: the share of what the role needs
};

} // namespace headscope::widgets
