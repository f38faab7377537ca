#pragma once

#include <QWidget>

#include "app/desktop/actions.h"
#include "app/document/decode_controller.h"
#include "app/window/frame/window_width.h"
#include "widgets/selection.h"

#include <memory>
#include <string>
#include <vector>

class QLabel;
class QToolButton;

namespace headscope::widgets {
class DecodeBar;
class SentenceEdit;
class TokenStrip;
struct ViewContext;
class View;
class ViewChoices;
} // namespace headscope::widgets

namespace headscope::app {

class LanguageBox;
class StripArea;

/// The tokens of the sentence and of the output, with the decode bar; the line in which the sentence is typed
/// stands elsewhere. Tokens are shaded by the current row of the selected head.
class SentencePanel : public QWidget {
    Q_OBJECT

  public:
    enum class Task {
        Translate, ///< a source and a target
        Continue,  ///< a decoder alone: prompt and continuation in one strip
        Read,      ///< an encoder alone: no target, no decode bar
    };

    SentencePanel(DecodeController* controller, widgets::Selection* selection, const Actions& actions,
                  QWidget* parent = nullptr);

    /// The field of the sentence, what decodes it, and the changes to the model.
    QWidget* line() const { return line_; }
    widgets::SentenceEdit* edit() const { return edit_; }
    /// The second text of a pair; hidden if the model reads one text.
    widgets::SentenceEdit* second() const { return second_; }
    /// Nothing if the field is empty or hidden.
    std::optional<std::string> secondText() const;
    void setSecondText(const std::optional<std::string>& text);
    /// Target language of a model with a choice.
    LanguageBox* language() const { return language_; }
    /// Source language of a model that has tokens for languages.
    LanguageBox* sourceLanguage() const { return sourceLanguage_; }
    const widgets::TokenStrip* source() const { return source_; }
    const widgets::TokenStrip* target() const { return target_; }
    /// Binds the target language.
    void addChoices(widgets::ViewChoices& choices);
    /// Below the target's tokens.
    std::vector<widgets::View*> views() const;
    /// The one whose spec has this key; null if there is none.
    widgets::View* view(const std::string& key) const;

  public Q_SLOTS:
    void setRun(std::shared_ptr<const headscope::trace::Run> run);
    /// Shows of the document what is known: the run without the changes, and what each token adds to the
    /// answer of a classifier, which shades it while no row of a map is pointed at.
    void setKnown(const headscope::widgets::ViewContext& context);
    void setSpaceMarksShown(bool shown);
    void setViewShown(const std::string& key, bool shown);
    /// Underlines uncertain tokens: those chosen with a lower probability.
    void setUnsureBelow(double probability);
    void setTask(Task task);
    void setSecondShown(bool shown);
    /// A view below shows the tokens of the output.
    void setTargetElsewhere(bool isElsewhere);

  Q_SIGNALS:
    /// A head was switched off; `words`: which one, and what that did to the output.
    void headSwitchedOff(const QString& words);
    /// The menu of the token of a step, or of a mask, is wanted at `position` on the screen.
    void tokenMenuWanted(int step, QPoint position);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    /// Number of tokens that the target strip shows before the one chosen in row 0: the first token of a
    /// prompt, which no row chose.
    int chipsBefore() const { return task_ == Task::Continue ? 1 : 0; }
    bool isNarrow() const { return widthOfWindow(this) == WindowWidth::Narrow; }
    QWidget* newLine(const Actions& actions);
    void connectWalk(const Actions& actions);
    void showTargetTitle();
    /// The bar steps through the output, or through masks.
    void showBar();
    /// The target's tokens, unless a view below shows them and they are compared with nothing.
    void showTarget();
    bool hasMasks() const { return run_ && !run_->maskCandidates.empty(); }
    /// The step whose token a chip of the source is: of masks their order; empty: it is none.
    std::optional<int> maskOf(int chip) const;
    void openMenu(const widgets::TokenStrip& strip, QPoint position);
    void showViews();
    void placeViews();
    void connectStrips();
    void showChoices();
    void showUnsure();
    void showPredictions();
    void showChanges();
    /// The run without the changes of the shown one, whose output is shown above; null: none.
    void setOriginal(std::shared_ptr<const headscope::trace::Run> original);
    void showOriginal();
    void tellSwitchedOff();
    void followStep();
    void followFocus();
    void shade();

    DecodeController* controller_;
    widgets::Selection* selection_;
    std::shared_ptr<const trace::Run> run_;
    std::shared_ptr<const trace::Run> original_;
    std::shared_ptr<const trace::Run> whole_; ///< the last run that was complete
    std::vector<float> contributions_;
    QLabel* shade_; ///< what the shades of the source's tokens are
    QWidget* line_;
    widgets::SentenceEdit* edit_;
    widgets::SentenceEdit* second_;
    LanguageBox* language_;
    LanguageBox* sourceLanguage_;
    widgets::TokenStrip* source_;
    widgets::DecodeBar* bar_;
    QToolButton* options_; ///< how to decode
    QToolButton* changes_; ///< shows the number of changes to the model and undoes them
    double unsureBelow_ = 0;
    QToolButton* unsure_; ///< shows the number of unsure tokens and goes to the next
    widgets::TokenStrip* before_;
    widgets::TokenStrip* target_;
    QLabel* sourceLabel_;
    QLabel* beforeLabel_;
    QLabel* targetLabel_;
    Task task_ = Task::Translate;
    bool isTargetElsewhere_ = false;
    StripArea* sourceArea_;
    QWidget* beforeLine_; ///< hidden if the model is not changed
    StripArea* beforeArea_;
    QLabel* difference_;
    StripArea* targetArea_;
    struct Strip {
        std::string key;
        QLabel* title;
        widgets::View* view;
        bool isWanted = false;
    };
    std::vector<Strip> strips_; ///< views below the target's tokens
};

} // namespace headscope::app
