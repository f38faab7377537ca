#pragma once

#include <QWidget>

#include "model/trace/model_summary.h"
#include "widgets/intent.h"
#include "widgets/views/compare/compare_question.h"

#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QMenu;
class QPushButton;

namespace headscope::widgets {

class WrappedLabel;

/// Chooses B, what the shown run is compared with, and the head of B. It only tells what a person chooses:
/// the choices are the document's.
class CompareBar : public QWidget {
    Q_OBJECT

  public:
    enum class With { Sentence, Model, Branch, Step, Unchanged };

    explicit CompareBar(QWidget* parent = nullptr);

    With with() const;
    QString sentence() const;
    /// Branch of B, from 0; -1 for none.
    int branch() const;
    /// Step of B, from 0; -1 for none.
    int step() const;
    OtherHead otherHead() const;
    /// Filled by the window, which can open models.
    QMenu* modelMenu() const { return modelMenu_; }

    /// The shown one among them cannot be B.
    void setBranches(const QStringList& names, int shown);
    void setSteps(const QStringList& names);
    /// Of what the shown model offers no B, the entries are disabled. Null: none is open.
    void setModel(const trace::ModelSummary* model);
    /// On the button; empty: none is open.
    void setModelName(const QString& name);
    /// Heads of this kind in B, and whether B has the head of A. Null: there is no B. The first is chosen
    /// where B lacks the chosen one.
    void setHeads(const trace::ModelSummary* model, const trace::HeadAddress& head, const OtherHead& chosen);
    /// What is being done for B; empty: nothing.
    void setBusy(const QString& words);

  public Q_SLOTS:
    void setWith(headscope::widgets::CompareBar::With with);
    void setSentence(const QString& sentence);
    /// As Enter does.
    void enterSentence();
    void setBranch(int branch);
    void setStep(int step);
    void setOtherHead(const headscope::widgets::OtherHead& other);
    void setAlignedOnly(bool only);
    /// The keyboard goes to where B is chosen.
    void startChoosing();

  Q_SIGNALS:
    void chosen(const headscope::widgets::intents::Choose& choice);
    void sentenceEntered();

  private:
    void followWith();
    void choose(const char* name, ChoiceValue value);

    QComboBox* with_;
    QLineEdit* sentence_;
    QPushButton* model_;
    QMenu* modelMenu_;
    QComboBox* branches_;
    QComboBox* steps_;
    QLabel* headLabel_;
    QComboBox* heads_;
    QCheckBox* alignedOnly_;
    WrappedLabel* busy_;
    std::vector<OtherHead> choices_; ///< one an entry of heads_
};

/// Why a model offers no such B; empty where it does. Branches and steps are of decoding: a model without a
/// decoder has neither. A trace holds one run, and nothing that could run another.
QString whyNotOffered(CompareBar::With with, const trace::ModelSummary* model);

/// As in sessions and commands: "same", "nearest", or the head.
std::string toString(const OtherHead& other);
OtherHead parseOtherHead(const std::string& text);

} // namespace headscope::widgets
