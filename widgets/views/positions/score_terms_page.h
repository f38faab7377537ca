#pragma once

#include <QWidget>

#include "widgets/errand.h"
#include "widgets/selection.h"
#include "widgets/views/positions/position_question.h"
#include "widgets/views/positions/score_terms_words.h"

class QBoxLayout;
class QCheckBox;
class QLabel;
class QPushButton;

namespace headscope::widgets {

class ColumnTable;
class ScoreTermMaps;
struct TableColumn;
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
    /// What is drawn; null where it is still on its way.
    const HeadTerms* shownTerms() const { return isShown() ? shown_.get() : nullptr; }
    void drawFigure(QPainter& painter, const QRectF& area, const Theme& theme) const;
    /// How many of the figure's rows and columns have names, after a space; empty where all have.
    QString namedInWords(const QRectF& area) const;
    /// Of a long sentence.
    std::optional<Errand> errand();

  public Q_SLOTS:
    void setCentred(bool centred);
    void setSpaceMarksShown(bool shown);

  Q_SIGNALS:
    void cellDescribed(const QString& words);
    /// caption() is another one.
    void captionChanged();
    /// errand() may be another one.
    void errandChanged();

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    QString otherHeadInWords() const;
    void showTerms();
    void showHeads();
    void followSelection();
    void showCell();
    void fitPanes();
    int tableWidth(int columns) const;
    TableColumn shareColumn(const QString& title, const QString& toolTip,
                            const std::vector<double>& shares) const;
    trace::AttentionKind kind() const { return head_.site.kind; }
    std::optional<MapCell> shownCell() const;

    Selection* selection_;
    std::shared_ptr<const trace::ModelSummary> model_;
    std::shared_ptr<const trace::ScoreTerms> terms_;
    std::vector<analysis::HeadScoreShares> shares_; ///< [heads]
    /// Whose terms are drawn, and how.
    struct Whose {
        std::shared_ptr<const trace::ScoreTerms> terms;
        int head = 0;
        bool centred = false;
        friend bool operator==(const Whose&, const Whose&) = default;
    };
    Whose whose() const { return {terms_, head_.head, isCentred()}; }
    /// Those of long sentences come later.
    bool isShown() const { return shown_ && shownOf_ == whose(); }
    void sayShare(double share);
    void take(const Whose& of, std::shared_ptr<const HeadTerms> shown);

    std::shared_ptr<const HeadTerms> shown_;
    Whose shownOf_;
    Whose refused_; ///< what cannot be prepared
    trace::HeadAddress head_;

    QCheckBox* centred_;
    QLabel* otherHead_; ///< why another head is shown than the selected one
    QPushButton* select_;
    ScoreTermMaps* maps_;
    QLabel* sum_;
    ColumnTable* cell_;
    ColumnTable* heads_;
    QWidget* numbers_;
    QBoxLayout* panes_;
};

} // namespace headscope::widgets
