#pragma once

#include <QWidget>

#include "widgets/numbers_table.h"
#include "widgets/position_question.h"
#include "widgets/score_terms_words.h"
#include "widgets/selection.h"

class QBoxLayout;
class QCheckBox;
class QLabel;
class QPushButton;

namespace headscope::widgets {

class ScoreTermMaps;
struct Theme;

/// What a head's scores are made of: its terms as maps, the sum of one cell number by number, and which heads
/// of the layer look by content and which by place.
class ScoreTermsPage : public QWidget {
    Q_OBJECT

  public:
    /// `selection` outlives the page.
    explicit ScoreTermsPage(Selection* selection, QWidget* parent = nullptr);

    /// `head` is of the answer's site.
    void setAnswer(const PositionAnswer& answer, const trace::HeadAddress& head);
    QString caption() const;
    bool isCentred() const;
    void drawFigure(QPainter& painter, const QRectF& area, const Theme& theme) const;

  public Q_SLOTS:
    void setCentred(bool centred);

  Q_SIGNALS:
    void cellDescribed(const QString& words);
    /// caption() is another one.
    void captionChanged();

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void showTerms();
    void showHeads();
    void followSelection();
    void showCell();
    int tableWidth(int columns) const;
    NumberColumn shareColumn(const QString& title, const QString& toolTip,
                             const std::vector<double>& shares) const;
    trace::AttentionKind kind() const { return head_.site.kind; }
    std::optional<MapCell> shownCell() const;

    Selection* selection_;
    std::shared_ptr<const trace::ModelSummary> model_;
    std::shared_ptr<const trace::ScoreTerms> terms_;
    std::vector<analysis::HeadScoreShares> shares_; ///< [heads]
    HeadTerms shown_;
    trace::HeadAddress head_;

    QCheckBox* centred_;
    QLabel* otherHead_; ///< why another head is shown than the selected one
    QPushButton* select_;
    ScoreTermMaps* maps_;
    QLabel* sum_;
    NumbersTable* cell_;
    NumbersTable* heads_;
    QWidget* numbers_;
    QBoxLayout* panes_;
};

} // namespace headscope::widgets
