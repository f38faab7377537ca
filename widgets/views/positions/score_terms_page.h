#pragma once

#include <QWidget>

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

/// The maps of the terms of a long sentence.
struct PreparedTerms {
    using Value = std::shared_ptr<const HeadTerms>;
    static constexpr bool takesLong = true;

    std::shared_ptr<const trace::ScoreTerms> terms;
    std::size_t head = 0;
    bool centred = false;

    Value count(const trace::Task& work) const;
    friend bool operator==(const PreparedTerms&, const PreparedTerms&) = default;
};

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
    FigureBlock block() const;
    /// The terms of a long sentence; nullopt of a short one, whose are there at once.
    std::optional<PreparedTerms> preparing() const;
    /// Takes what is known of it.
    void refresh(const trace::KnownAnswers& known);

  public Q_SLOTS:
    void setCentred(bool centred);
    void setSpaceMarksShown(bool shown);

  Q_SIGNALS:
    void cellDescribed(const QString& words);
    /// caption() has changed.
    void captionChanged();
    /// preparing() may have changed.
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
    PreparedTerms whose() const { return {terms_, head_.head, isCentred()}; }
    bool isLong() const;
    /// False while the terms of a long sentence are being prepared.
    bool isShown() const { return shown_ && shownOf_ == whose(); }
    void sayMissing(const QString& words);
    void take(std::shared_ptr<const HeadTerms> shown);

    std::shared_ptr<const HeadTerms> shown_;
    PreparedTerms shownOf_;
    QString missing_; ///< what is said instead of terms that are not prepared
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
