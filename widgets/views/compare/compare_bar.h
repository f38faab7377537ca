#pragma once

#include <QWidget>

#include "model/trace/model_summary.h"
#include "widgets/intent.h"
#include "widgets/views/compare/compare_question.h"
#include "widgets/words/quantity.h"

#include <cstddef>
#include <optional>
#include <vector>

class QCheckBox;
class QComboBox;
class QHBoxLayout;
class QLineEdit;
class QMenu;
class QPushButton;
class QToolButton;

namespace headscope::widgets {

/// Chooses A and B, what the shown run is compared with, the head of each and the quantity. It only tells
/// what a person chooses: the choices are the document's.
class CompareBar : public QWidget {
    Q_OBJECT

  public:
    enum class With { Sentence, Model, Branch, Step, Unchanged };
    static constexpr int kinds = 5;

    explicit CompareBar(QWidget* parent = nullptr);

    static QString title(With with);
    static QString toolTip(With with);
    /// False if nothing in the model could ever be such a B.
    static bool has(With with, const trace::ModelSummary* model);

    With with() const { return with_; }
    /// Whether a person can choose it.
    bool isOffered(With with) const;
    QString sentence() const;
    QWidget* sentenceField() const;
    /// Branch of B, from 0; -1 for none.
    int branch() const;
    /// Step of B, from 0; -1 for none.
    int step() const;
    OtherHead otherHead() const;
    /// Filled by the window, which can open models.
    QMenu* modelMenu() const { return modelMenu_; }

    /// The shown one among them is A and cannot be B; nothing: a hypothesis of the search is A.
    void setBranches(const QStringList& names, std::optional<std::size_t> shown);
    void setSteps(const QStringList& names);
    /// Of what the shown model offers no B, the segments are disabled. Null: none is open.
    void setModel(const trace::ModelSummary* model);
    /// On the button; empty: none is open.
    void setModelName(const QString& name);
    /// The head of A among all of its model, and heads of its kind in B, and whether B has the head of A.
    /// Null: there is no B. The first is chosen where B lacks the chosen one.
    void setHeads(const trace::ModelSummary* first, const trace::ModelSummary* second,
                  const trace::HeadAddress& head, const OtherHead& chosen);
    /// Why A and B cannot be exchanged; empty: they can.
    void setWhyNotSwapped(const QString& why);

  public Q_SLOTS:
    void setWith(headscope::widgets::CompareBar::With with);
    void setSentence(const QString& sentence);
    /// As Enter does.
    void enterSentence();
    void setBranch(int branch);
    void setStep(int step);
    void setOtherHead(const headscope::widgets::OtherHead& other);
    /// One of all heads together is none of the list.
    void setQuantity(headscope::widgets::Quantity quantity);
    void setAlignedOnly(bool only);
    /// The keyboard goes to where B is chosen.
    void startChoosing();

  Q_SIGNALS:
    void chosen(const headscope::widgets::intents::Choose& choice);
    void sentenceEntered();
    void pathChosen(int path);
    void headChosen(headscope::trace::HeadAddress head);
    void swapped();

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void buildSegments();
    void buildFields();
    void buildQuantities();
    void layOut();
    void connectFields();
    void followWith();
    void choose(const char* name, ChoiceValue value);
    void fillHeads(const trace::ModelSummary* model);
    QToolButton* segment(With with) const { return segments_.at(static_cast<std::size_t>(with)); }

    With with_ = With::Sentence;
    QComboBox* first_;
    QToolButton* swap_;
    QWidget* segmentRow_;
    std::vector<QToolButton*> segments_;
    QLineEdit* sentence_;
    QPushButton* model_;
    QMenu* modelMenu_;
    QComboBox* branches_;
    QComboBox* steps_;
    QComboBox* head_;
    QComboBox* heads_;
    QComboBox* quantity_;
    QCheckBox* alignedOnly_;
    std::vector<trace::HeadAddress> all_; ///< one an entry of head_
    std::vector<OtherHead> choices_;      ///< one an entry of heads_
};

/// Why a model offers no such B; empty where it does. Branches and steps are of decoding: a model without a
/// decoder has neither. A trace holds one run, and nothing that could run another.
QString whyNotOffered(CompareBar::With with, const trace::ModelSummary* model);

/// As in sessions and commands: "same", "nearest", or the head.
std::string toString(const OtherHead& other);
OtherHead parseOtherHead(const std::string& text);

} // namespace headscope::widgets
