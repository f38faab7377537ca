#pragma once

#include <QObject>
#include <QStringList>

#include "app/document/decode_controller.h"
#include "app/models/reading_trials.h"
#include "app/work/work_queue.h"
#include "widgets/views/compare/compare_view.h"

#include <functional>
#include <memory>
#include <optional>

namespace headscope::app {

class Results;

/// Makes B, what the view of the comparison holds against the shown run, as long as somebody looks: another
/// sentence, model, branch or step, or the run without its changes. Aligns and compares both off the window's
/// thread.
class CompareAnswers : public QObject {
    Q_OBJECT

  public:
    using Names = std::function<QStringList(const trace::Run&)>;
    /// What a person said of a model that does not say it itself.
    using AnswersOf = std::function<ModelSettings(const QString& path)>;

    /// All of them are there for as long as this is used. `branchNames`: of a run, in order.
    CompareAnswers(WorkQueue* queue, DecodeController* controller, Results* results, AnswersOf answersOf,
                   widgets::Selection* selection, widgets::CompareView* view, Names branchNames,
                   QObject* parent = nullptr);
    ~CompareAnswers() override;

    /// The second model; null as long as none is open.
    const std::shared_ptr<const trace::ModelSummary>& otherModel() const { return otherModel_; }
    /// Of the second model, as a bundled one's name or its path; empty as long as none is open or opened.
    QString otherName() const { return nameOf(otherPath_); }
    static QString nameOf(const QString& path);
    /// The reverse: an absolute path.
    static QString pathOf(const QString& pathOrName);
    /// Something is opened, decoded or compared.
    bool isBusy() const;
    /// The second model, which is none of the view's own choices.
    void addChoices(widgets::ViewChoices& choices);
    /// What is so where there is no B, without what a person does about it in the window; may be empty.
    const QString& whyNone() const { return shownWhy_.fact; }

  public Q_SLOTS:
    /// Opens a second model, in an engine of its own, and compares with it.
    void openOther(const QString& pathOrName);
    /// Gives its memory back.
    void closeOther();
    void stop();

  Q_SIGNALS:
    /// otherModel() is another.
    void otherModelChanged();

  private:
    /// What B is made of; nothing is made twice.
    struct Wanted {
        std::shared_ptr<const trace::Run> run;
        std::optional<trace::Request> request; ///< nothing: another branch of the run
        int branch = -1;
        std::shared_ptr<const trace::ModelSummary> model; ///< the second one, where that runs the request
        friend bool operator==(const Wanted&, const Wanted&) = default;
    };
    /// Why there is no B: what is so, and the way out in the window.
    struct WhyNone {
        QString fact;
        QString wayOut;
        QString words() const { return wayOut.isEmpty() ? fact : (fact + ' ' + wayOut).trimmed(); }
        friend bool operator==(const WhyNone&, const WhyNone&) = default;
    };
    // compare_answers.cpp
    void follow();
    void fillBar();
    void make(Wanted wanted, const widgets::PairNames& names, const QString& busy);
    void take(const std::shared_ptr<const trace::Run>& other, const widgets::PairNames& names);
    void show(const widgets::ComparedPair& pair, const widgets::PairNames& names);
    void showNone(const WhyNone& why);
    void showPair(const widgets::ComparedPair& pair, const widgets::PairNames& names, const WhyNone& why);
    void setBusy(const QString& words);
    void showShare(WorkQueue::JobKind kind, double share);
    /// Callbacks that show why B cannot be computed, or why A and B cannot be compared.
    WorkQueue::Heard heardOfOther();
    WorkQueue::Heard heardOfSteps();
    void followSteps();
    std::optional<trace::Request> readingOfOther(const trace::Request& reading) const;
    void compareSteps(const trace::Request& reading, const trace::Request& ofOther);

    // compare_answers_choices.cpp
    void followSentence();
    static WhyNone whyNoOtherSentence(const trace::ModelSummary& model);
    void followModel();
    void followBranch();
    void followStep();
    void followUnchanged();

    WorkQueue* queue_;
    DecodeController* controller_;
    Results* results_;
    AnswersOf answersOf_;
    widgets::Selection* selection_;
    widgets::CompareView* view_;
    Names branchNames_;
    std::shared_ptr<const trace::ModelSummary> otherModel_;
    QString otherPath_;
    std::optional<Wanted> wanted_;            ///< last
    std::shared_ptr<const trace::Run> other_; ///< of wanted_; null as long as it is not there
    WhyNone shownWhy_;
    QString busy_;                            ///< what is done for B
    std::shared_ptr<const trace::Run> named_; ///< whose steps stand in the bar
    bool following_ = false;
    std::optional<widgets::ComparedPair> askedSteps_; ///< and not answered yet
};

} // namespace headscope::app
