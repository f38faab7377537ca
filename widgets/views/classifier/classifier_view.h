#pragma once

#include <QString>
#include <QWidget>

#include "model/analysis/output/classifier_tokens.h"
#include "model/trace/figure_data.h"
#include "model/trace/run.h"
#include "widgets/drawing/token_label.h"
#include "widgets/selection.h"
#include "widgets/view.h"

#include <memory>
#include <optional>
#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;
class QStackedWidget;
class QTabBar;

namespace headscope::widgets {

class ColumnTable;
class ReadablePlot;
class TallArea;

/// What is said of a class of a reading.
struct ReadClass {
    const trace::Run& run;
    const trace::ClassifierReading& reading; ///< of the run
    std::size_t chosen = 0;                  ///< the class

    /// The name of the class if the model has names, else its number.
    QString name() const;
    /// The tokens of a word joined into one label.
    TokenLabel wordName(const analysis::WordEffect& word) const;
    QString answerCaption() const;
    QString wordsCaption(bool showsProbabilities, bool isSorted) const;
    /// How the two captions disagree; empty if both put the same word first.
    QString whereTheyDiffer() const;
    /// Which word matters most.
    QString reason() const;
    /// Includes the weights to every class.
    trace::DataTable featureData() const;
};

/// Explains a classifier that pools the largest value of each feature: the classes, the number of features
/// and the contribution to a class of each token, and the loss of the class without each word.
class ClassifierView : public View {
    Q_OBJECT

  public:
    enum Page { Answer, Words };

    /// `selection` must outlive the view.
    explicit ClassifierView(Selection* selection, QWidget* parent = nullptr);

    /// `run` may be null. Discards the reading of another run. For another sentence, explains its most
    /// probable class.
    void setRun(std::shared_ptr<const trace::Run> run) override;

    Page page() const;
    /// The class that is explained.
    std::size_t chosenClass() const;
    bool isSorted() const;
    bool showsProbabilities() const;
    /// The caption, or the reason why there is no picture.
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
    void setSorted(bool sorted);
    void setSpaceMarksShown(bool shown) override;

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

  private:
    void buildControls();
    void tellChosenClass();
    void buildPages();
    void connectPlots();
    void light(std::optional<std::size_t> token);
    void scrollTo(const QWidget* inside, const QRect& place);
    void fillClasses();
    ReadClass shown() const { return {.run = *run_, .reading = *reading_, .chosen = chosenClass()}; }

    void showPage();
    void showAnswer();
    void showClasses();
    void showTokens();
    void lightToken();
    void showWords();
    void fitAnswer();
    std::optional<int> litToken() const { return selection_->focus().key(trace::AttentionKind::EncoderSelf); }

    void showFeatures();
    QString whyNothing() const;
    /// Without where the pages differ.
    QString pageCaption() const;

    Selection* selection_;
    std::shared_ptr<const trace::Run> run_;
    std::shared_ptr<const trace::ClassifierReading> reading_; ///< of run_
    std::vector<analysis::WordEffect> words_;                 ///< in the order of the list
    QString whyNot_;
    bool spaceMarks_ = true;

    QTabBar* pages_;
    QComboBox* classes_;
    QComboBox* measures_;
    QCheckBox* sorted_;
    QPushButton* importance_;
    QStackedWidget* stack_;
    TallArea* answer_ = nullptr;
    ReadablePlot* classPlot_;
    ReadablePlot* tokenPlot_;
    ColumnTable* tokenTable_;
    ColumnTable* featureTable_;
    ReadablePlot* wordPlot_;
    ColumnTable* wordTable_;
    QLabel* reason_;  ///< which word matters most
    QLabel* caption_; ///< what is drawn
};

} // namespace headscope::widgets
