#pragma once

#include "model/trace/causal_row.h"
#include "model/trace/quantity_maps.h"
#include "widgets/explained.h"
#include "widgets/selection.h"
#include "widgets/tables/table_column.h"
#include "widgets/view.h"

#include <memory>
#include <optional>
#include <vector>

class QLabel;
class QStackedWidget;

namespace headscope::widgets {

class CardHead;
class ColumnTable;

/// What a step loses without each source token, in a decoder alone without each earlier token, beside the
/// share of the token in what the step reads; of a classifier what the class loses when a word is left out,
/// beside the token's contribution to its logit.
class SourceWordsView : public View {
    Q_OBJECT

  public:
    /// `selection` must outlive the view.
    explicit SourceWordsView(Selection* selection, QWidget* parent = nullptr);

    struct Content {
        std::shared_ptr<const trace::Run> run;
        std::optional<Explained> of;
        /// [tokens], nats; NaN: not known, or the token cannot be masked. Of a word of several tokens at the
        /// first one.
        std::vector<double> losses;
        bool isComplete = false;              ///< all losses are known
        std::vector<double> shares;           ///< [tokens], ALTI+; empty: not known
        double otherShare = 0;                ///< of the target so far, if there is a source
        std::vector<double> contributions;    ///< [tokens], logits, of a classifier; empty: not known
        std::optional<trace::Token> contrast; ///< as the model understands the name of the document
        QString whyNot;
        bool isDecoderAlone() const;
        bool isClassifier() const { return run && !run->classLogProbabilities.empty(); }
        /// Those that the step can read.
        std::vector<trace::Token> tokens() const;
        /// Of the sizes of losses and the shares, of a classifier of losses and contributions; empty until
        /// all are known.
        std::optional<double> correlation() const;
    };
    const Content& content() const { return shown_; }

    std::vector<trace::Wanted> questions() const override;
    void refresh() override;
    void setSpaceMarksShown(bool shown) override;
    QWidget* takesKeys() const override;

    std::optional<FigureBlocks> figureBlocks() const override;
    FigureText figureText() const override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    bool exportChoices(PictureOptions& picture, const Choices& chosen) const override;
    QStringList nameParts(const trace::HeadAddress& head, int step) const override;
    bool hasFigure() const override;
    trace::FigureData figureData() const override;

  private:
    /// Whose numbers these are.
    enum class Of { Model, Twin };
    trace::Request asked(trace::Request request, Of whom) const;
    std::vector<trace::Question> lossQuestions(const Explained& of, Of whom) const;
    trace::Question shareQuestion(const Explained& of, Of whom) const;
    std::optional<trace::Question> answerQuestion(Of whom) const;
    Content contentOf(Of whom) const;
    void findLosses(Content& found, Of whom) const;
    void findShares(Content& found, Of whom) const;
    void findAnswer(Content& found, Of whom) const;
    /// Uniform shares, or what the random twin has; nothing is known if there is no baseline.
    Content baseline() const;
    std::vector<TableColumn> columns(const std::vector<TokenLabel>& labels) const;
    void showRows();
    void mark();
    void pin(int row);
    TokenFocus focusOf(int row) const;
    QString baselineName() const;
    QString caption() const;
    QString ownCaption() const;
    QString whyEmpty() const override;

    Selection* selection_;
    Content shown_;
    Content baseline_;
    CardHead* head_;
    QLabel* agreement_;
    QStackedWidget* pages_;
    ColumnTable* table_;
    QLabel* hint_;
};

} // namespace headscope::widgets
