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

/// What a head's scores consist of: its terms as maps, the sum of one cell, and which heads of the layer
/// attend by content and which by position.
class ScoreTermsPage : public QWidget {
    Q_OBJECT

  public:
    /// `selection` must outlive the page.
    explicit ScoreTermsPage(Selection* selection, QWidget* parent = nullptr);

    /// `head` must belong to the site of the answer.
    void setAnswer(const PositionAnswer& answer, const trace::HeadAddress& head);
    QString caption() const;
    bool isCentred() const;
    /// The drawn terms; null while they are being prepared.
    const HeadTerms* shownTerms() const { return isShown() ? shown_.get() : nullptr; }
    void drawFigure(QPainter& painter, const QRectF& area, const Theme& theme) const;
    /// How many rows and columns of the figure are named, after a space; empty if all are.
    QString namedInWords(const QRectF& area) const;
    /// Prepares the terms of a long sentence.
    std::optional<Errand> errand();

  public Q_SLOTS:
    void setCentred(bool centred);
    void setSpaceMarksShown(bool shown);

  Q_SIGNALS:
    void cellDescribed(const QString& words);
    /// caption() has changed.
    void captionChanged();
    /// errand() may have changed.
    void questionsChanged();

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
    /// Identifies the drawn terms.
    struct Whose {
        std::shared_ptr<const trace::ScoreTerms> terms;
        int head = 0;
        bool centred = false;
        friend bool operator==(const Whose&, const Whose&) = default;
    };
    Whose whose() const { return {terms_, head_.head, isCentred()}; }
    /// False while the terms of a long sentence are being prepared.
    bool isShown() const { return shown_ && shownOf_ == whose(); }
    void sayShare(double share);
    void take(const Whose& of, std::shared_ptr<const HeadTerms> shown);

    std::shared_ptr<const HeadTerms> shown_;
    Whose shownOf_;
    Whose refused_; ///< terms that could not be prepared
    trace::HeadAddress head_;

    QCheckBox* centred_;
    QLabel* otherHead_; ///< why another head than the selected one is shown
    QPushButton* select_;
    ScoreTermMaps* maps_;
    QLabel* sum_;
    ColumnTable* cell_;
    ColumnTable* heads_;
    QWidget* numbers_;
    QBoxLayout* panes_;
};

} // namespace headscope::widgets
