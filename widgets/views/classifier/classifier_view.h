#pragma once

#include <QString>
#include <QWidget>

#include "model/trace/run.h"
#include "widgets/selection.h"
#include "widgets/tables/known_heads.h"
#include "widgets/view.h"
#include "widgets/views/classifier/classifier_words.h"

#include <memory>
#include <optional>
#include <vector>

class QButtonGroup;
class QComboBox;
class QFrame;
class QLabel;
class QPushButton;
class QToolButton;

namespace headscope::widgets {

class ColumnTable;
class ReadingHeads;

/// "Why this class?": of a classifier that pools the largest value of each feature, or reads the first token,
/// a row for each token: its contribution to the class, the number of features it gave, and what the class
/// loses when its word is left out; below, the heads that read the token that is pointed at or pinned.
class ClassifierView : public View {
    Q_OBJECT

  public:
    /// What a picture shows.
    enum Page { Answer, Words, Table };
    /// Of the rows.
    enum class Order { Reading, Contribution, Loss };

    /// `selection` must outlive the view.
    explicit ClassifierView(Selection* selection, QWidget* parent = nullptr);

    /// `run` may be null. Discards the reading of another run. For another sentence, explains its most
    /// probable class.
    void setRun(std::shared_ptr<const trace::Run> run) override;

    Page page() const { return page_; }
    /// The class that is explained.
    std::size_t chosenClass() const;
    Order order() const;
    bool isSorted() const { return order() == Order::Loss; }
    bool showsProbabilities() const;
    /// The token whose heads are shown: pointed at or pinned, else the one that tells most.
    std::optional<std::size_t> shownToken() const;
    /// The caption of the picture, or the reason why there is none.
    QString caption() const;
    std::vector<trace::Wanted> questions() const override;
    void refresh() override;

    std::optional<FigureBlocks> figureBlocks() const override;
    FigureText figureText() const override;
    void addChoices(ViewChoices& choices) override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    bool hasFigure() const override;
    trace::FigureData figureData() const override;

  public Q_SLOTS:
    void setPage(headscope::widgets::ClassifierView::Page page);
    void setChosenClass(std::size_t chosen);
    void setOrder(headscope::widgets::ClassifierView::Order order);
    void setSorted(bool sorted);
    void setSpaceMarksShown(bool shown) override;

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    void buildHeadline();
    void buildTable();
    void fillMenu(QToolButton* button);
    void tellChosenClass();
    void connectTable();
    void light(std::optional<std::size_t> token);
    void pin(std::size_t token);
    void openHead();
    void fillClasses();
    void showClasses();
    bool isRead() const;
    ReadClass shown() const { return {.run = *run_, .reading = *reading_, .chosen = chosenClass()}; }

    void showAll();
    void showRows();
    void showNote();
    void showHeads();
    void mark();
    void fit();
    std::vector<int> rowOrder() const;
    std::vector<analysis::WordEffect> wordsInOrder() const;
    double lossOf(const analysis::WordEffect& word) const;

    QString whyNothing() const;
    /// Without where contributions and losses differ.
    QString pageCaption() const;

    Selection* selection_;
    std::shared_ptr<const trace::Run> run_;
    std::shared_ptr<const trace::ClassifierReading> reading_; ///< of run_
    KnownStatistics statistics_;
    std::optional<std::size_t> followed_; ///< class of the document that was seen last
    QString whyNot_;
    bool spaceMarks_ = true;
    Page page_ = Page::Table;

    QWidget* headline_;
    QWidget* segments_; ///< a button a class
    QButtonGroup* buttons_;
    QComboBox* classes_; ///< where there are too many for buttons
    QComboBox* order_;
    QComboBox* measures_; ///< of the loss
    QFrame* framed_;      ///< table and sum
    ColumnTable* table_;
    QLabel* sum_;
    QLabel* note_; ///< where the columns disagree, or why there are no losses
    QWidget* below_;
    QLabel* headsTitle_;
    QPushButton* open_;
    ReadingHeads* heads_;
};

} // namespace headscope::widgets
