#pragma once

#include "model/analysis/heads/head_ranking.h"
#include "model/analysis/heads/removal_orders.h"
#include "widgets/figure_blocks.h"
#include "widgets/selection.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QStackedWidget;
class QVBoxLayout;

namespace headscope::widgets {

class CardHead;
class ColumnTable;
class PlotPicture;
class ReadablePlot;
struct PointedAt;

/// The heads that help a token most and those that hurt it most, the others in one line, beside what is left
/// of the token while several are removed together.
class ImportanceCard : public QWidget {
    Q_OBJECT

  public:
    /// `selection` must outlive the card.
    ImportanceCard(Selection* selection, QWidget* parent);

    struct Content {
        std::vector<analysis::HeadScore> scores; ///< ranked; empty: not known
        std::shared_ptr<const PlotPicture> curve;
        QString verdict; ///< few words about the curve; may be empty
        QString caption;
        QString hint; ///< in the place of all that where there are no scores
        trace::Ablation::Kind removed = trace::Ablation::Kind::Zero; ///< how heads were, for the scores
        bool areNumbers = false;                                     ///< trace::HeadImportance::areNumbers
    };
    void setContent(Content content);
    /// Has the controls of how heads are removed; they go back when another widget takes them.
    void take(QComboBox* ablation, QLineEdit* sentence);
    ColumnTable* table() const { return table_; }
    FigureBlock block(const QFont& font) const;

  Q_SIGNALS:
    void headEntered();
    void headDoubleClicked(headscope::trace::HeadAddress head);
    void markDescribed(const QString& words);

  private:
    void showRows();
    void unfold(int row);

    Content shown_;
    std::vector<std::size_t> listed_; ///< indices of the scores, in rows
    std::optional<int> folded_;       ///< the row that stands for the others
    bool isUnfolded_ = false;
    CardHead* head_;
    QVBoxLayout* column_;
    QLabel* verdict_;
    QStackedWidget* pages_;
    ColumnTable* table_;
    ReadablePlot* curve_;
    QLabel* hint_;
};

} // namespace headscope::widgets
