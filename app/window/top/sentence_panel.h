#pragma once

#include <QWidget>

#include "app/document/decode_controller.h"
#include "app/window/actions.h"
#include "widgets/selection.h"

#include <memory>

class QLabel;
class QToolButton;

namespace headscope::widgets {
class DecodeBar;
class SentenceEdit;
class SourceShareView;
class TokenStrip;
} // namespace headscope::widgets

namespace headscope::app {

class MapAnalyses;
class StripArea;
class TargetLanguageBox;

/// The sentence, its tokens, the walk through its decoding, and the tokens that come of it. The chips are
/// shaded by the current row of the selected head.
class SentencePanel : public QWidget {
    Q_OBJECT

  public:
    SentencePanel(DecodeController* controller, widgets::Selection* selection, const Actions& actions,
                  QWidget* parent = nullptr);

    widgets::SentenceEdit* edit() const { return edit_; }
    TargetLanguageBox* language() const { return language_; }
    const widgets::TokenStrip* target() const { return target_; }
    widgets::SourceShareView* sourceShare() const { return share_; }
    /// What each token of the target took from the source.
    void showShares(const MapAnalyses& maps);

  public Q_SLOTS:
    void setRun(std::shared_ptr<const headscope::trace::Run> run);
    void setSpaceMarksShown(bool shown);
    void setSourceShareShown(bool shown);
    /// Of target tokens that were chosen with less probability the bars say so.
    void setUnsureBelow(double probability);
    /// A model without a decoder has no target: no walk through its decoding either.
    void setHasTarget(bool has);

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    void connectWalk(const Actions& actions);
    void placeShare();
    void connectStrips();
    void showChoices();
    void showChanges();
    void followStep();
    void followFocus();
    void shade();

    DecodeController* controller_;
    widgets::Selection* selection_;
    std::shared_ptr<const trace::Run> run_;
    widgets::SentenceEdit* edit_;
    TargetLanguageBox* language_;
    widgets::TokenStrip* source_;
    widgets::DecodeBar* bar_;
    QToolButton* changes_; ///< that the model works with: how many, and takes them back
    double unsureBelow_ = 0;
    QLabel* wouldSay_; ///< beside the chips of a forced target
    widgets::TokenStrip* target_;
    QLabel* sourceLabel_;
    QLabel* targetLabel_;
    bool hasTarget_ = true;
    bool shareShown_ = false;
    StripArea* sourceArea_;
    StripArea* targetArea_;
    QLabel* shareLabel_;
    widgets::SourceShareView* share_; ///< under the target's tokens
};

} // namespace headscope::app
