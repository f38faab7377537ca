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
class QScrollArea;
class QTabBar;

namespace headscope::widgets {

class BatchGrid;
class LinkedMaps;

/// Two or three sentences of a person's own as one padded batch: their sources, what the decoder is fed and
/// scored on, and the masks that padding causes. The model runs them as it is, without the changes of a
/// person.
class BatchView : public View {
    Q_OBJECT

  public:
    explicit BatchView(QWidget* parent = nullptr);

    /// Sentences to begin with, and the code of their language.
    void setSamples(const QStringList& samples, const QString& language);
    /// Fills the fields with examples that this model reads, unless a person has typed something it can read.
    void setModel(std::shared_ptr<const trace::ModelSummary> model);
    /// The shown one, which says the language to translate into; may be null.
    void setRun(std::shared_ptr<const trace::Run> run) override;
    /// How sentences without a target are decoded from now on.
    void setDecoding(const trace::Decoding& decoding, int newTokens);
    /// As if they were typed and Enter pressed.
    void setSentences(const std::vector<BatchSentence>& sentences);
    const std::vector<BatchSentence>& sentences() const { return sentences_; }
    /// Ignored unless it answers question().
    void setAnswer(BatchAnswer answer);

    std::optional<Errand> errand() override;
    /// The same as a value: what is still to be known; nothing as long as the view is hidden.
    std::optional<BatchQuestion> question() const;
    /// Whose masks are shown, from 0.
    int chosen() const;
    QString caption() const;

    void drawFigure(QPainter& painter, QSize size, const Theme& theme) const override;
    QSize figureSize() const override;
    FigureText figureText() const override;
    void addChoices(ViewChoices& choices) override;
    bool hasFigure() const override { return answer_ && !answer_->sentences.empty(); }
    trace::FigureData figureData() const override;

  public Q_SLOTS:
    void setSpaceMarksShown(bool shown) override;
    void choose(int sentence);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    struct Field {
        QLabel* name = nullptr;
        QLineEdit* source = nullptr;
        QLineEdit* target = nullptr;
    };
    QWidget* buildFields();
    QWidget* buildPicture();
    void fillFields();
    void showFields();
    void setCount(std::size_t count);
    /// Enter: what stands in the fields is asked about.
    void commit();
    std::optional<BatchQuestion> wanted() const;
    /// Without padding. Nothing where ids were needed and something else was typed.
    std::optional<std::vector<trace::Request>> requests(const BatchQuestion& question) const;
    const BatchedSentence* shown() const;
    void showAnswer();
    QString masksCaption() const;
    void showMasks();
    void followFocus();
    void fitWidth();
    QString wayThere() const;

    QStringList samples_;
    QString language_; ///< of the samples
    std::shared_ptr<const trace::ModelSummary> model_;
    std::size_t count_ = 2; ///< fields in sight
    std::vector<BatchSentence> sentences_;
    std::vector<BatchSentence> filled_; ///< what the fields were filled with
    std::optional<BatchAnswer> answer_;
    bool runIsChanged_ = false;  ///< it has changes, which a batch has not
    std::string targetLanguage_; ///< that the shown sentence is translated into, where it begins with one
    trace::Decoding decoding_;
    int newTokens_ = trace::ModelSummary().newTokens;
    Selection* focus_; ///< of this batch alone

    std::array<Field, 3> fields_;
    QPushButton* add_;
    QPushButton* remove_;
    QScrollArea* scroll_;
    BatchGrid* grid_;
    QLabel* gridCaption_;
    QTabBar* tabs_;
    LinkedMaps* masks_;
    QLabel* masksCaption_;
    QLabel* detail_;
};

} // namespace headscope::widgets
