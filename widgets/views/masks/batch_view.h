#pragma once

#include <QStringList>
#include <QWidget>

#include "widgets/selection.h"
#include "widgets/view.h"
#include "widgets/views/masks/batch_question.h"

#include <array>
#include <memory>
#include <optional>

class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QTabBar;

namespace headscope::widgets {

class BatchGrid;
class CardColumns;
class CardFrame;
class CardHead;
class LinkedMaps;

/// Two or three typed sentences as a padded batch: their sources, the inputs and labels of the decoder, and
/// the masks caused by padding. Runs the model without what-if changes.
class BatchView : public View {
    Q_OBJECT

  public:
    explicit BatchView(QWidget* parent = nullptr);

    /// Fills the fields with examples for this model.
    void setModel(std::shared_ptr<const trace::ModelSummary> model) override;
    /// The shown run, which provides the target language; may be null.
    void setRun(std::shared_ptr<const trace::Run> run) override;
    /// The shown sentence and the others, decoded alike. Throws trace::Refusal if its target cannot be typed.
    void showPicture(const PictureOptions& options) override;
    /// Equivalent to typing the sentences and pressing Enter.
    void setSentences(const std::vector<BatchSentence>& sentences);
    const std::vector<BatchSentence>& sentences() const { return sentences_; }

    std::vector<trace::Wanted> questions() const override;
    void refresh() override;
    /// Nullopt if nothing is typed.
    std::optional<BatchQuestion> question() const;
    /// The sentence whose masks are shown, from 0.
    int chosen() const;
    QString caption() const;

    QWidget* canvasLine() const override;
    QString whyEmpty() const override { return caption(); }
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    /// Other sentences were typed where the batch stands, too.
    void noteIntent(const Intent& intent) override;
    std::optional<FigureBlocks> figureBlocks() const override;
    FigureText figureText() const override;
    void addChoices(ViewChoices& choices) override;
    bool hasFigure() const override { return answer_ && !answer_->sentences.empty(); }
    trace::FigureData figureData() const override;

  public Q_SLOTS:
    void setSpaceMarksShown(bool shown) override;
    void choose(int sentence);

  protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    struct Field {
        QLabel* name = nullptr;
        QLineEdit* source = nullptr;
        QLineEdit* target = nullptr;
    };
    QWidget* buildFields();
    void showWayThere();
    QWidget* buildGrid();
    QWidget* buildMasks();
    void fillFields();
    void showFields();
    void setCount(std::size_t count);
    /// Takes over the text of the fields (Enter).
    void commit();
    /// Requests without padding; empty if a field does not hold ids although the model needs them.
    std::vector<trace::Request> requests() const;
    const BatchedSentence* shown() const;
    void showAnswer();
    QString masksCaption() const;
    void showMasks();
    void followFocus();
    void fitWidth();
    QString wayThere() const;

    std::shared_ptr<const trace::ModelSummary> model_;
    std::size_t count_ = 2; ///< number of visible fields
    std::vector<BatchSentence> sentences_;
    std::shared_ptr<const BatchAnswer> answer_; ///< also to the previous question, until the next is there
    QString whyNot_;
    bool runIsChanged_ = false;  ///< by what-ifs, which do not apply to the batch
    std::string targetLanguage_; ///< of the shown sentence, if it begins with a language
    trace::Decoding decoding_;
    int newTokens_ = trace::ModelSummary().newTokens;
    Selection* focus_; ///< for this batch only

    std::array<Field, 3> fields_;
    QPushButton* add_;
    QPushButton* remove_;
    QLabel* line_; ///< on padding in the model
    CardColumns* cards_;
    CardHead* gridHead_;
    BatchGrid* grid_;
    QLabel* missing_; ///< why there is no grid
    CardHead* masksHead_;
    CardFrame* masksFrame_ = nullptr;
    QTabBar* tabs_;
    LinkedMaps* masks_;
    QLabel* detail_;
};

} // namespace headscope::widgets
