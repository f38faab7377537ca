#pragma once

#include <QObject>
#include <QTimer>

#include "app/desktop/actions.h"
#include "app/document/document.h"

#include <functional>
#include <vector>

namespace headscope::app {

class FigureExporter;
class SentencePanel;
class TourBubble;
class TourFrame;
class Workbench;

/// A tour through the window that waits for what the person does: everything else stays usable meanwhile.
/// What the open model lacks has no step.
class Tour : public QObject {
    Q_OBJECT

  public:
    /// All objects must outlive this.
    struct Parts {
        QWidget* window;
        Document* document;
        Actions* actions;
        Workbench* workbench;
        SentencePanel* sentence;
        FigureExporter* exporter;
    };
    explicit Tour(const Parts& parts);
    ~Tour() override;

    void start();
    void end();
    bool isRunning() const { return running_ != nullptr; }

  protected:
    /// Esc ends it.
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    enum class Deed { Token, Head, Step, Choice, Switch, Export };
    struct Step {
        Deed asksFor;
        QString ask;
        QString done;
        std::function<QRect()> target; ///< in the window; empty: not in sight
    };
    std::vector<Step> stepsOf(const trace::ModelSummary& model);
    void note(Deed deed);
    void noteRun();
    void go(int by);
    void prepare();
    void reveal(const char* spot);
    void show();
    void point();
    QRect token() const;
    QRect spot(const char* name) const;
    QRect buttonOf(ActionId id) const;
    QRect placeOf(const QWidget* widget, const QRect& part) const;

    Parts parts_;
    TourFrame* frame_ = nullptr; ///< null before the first start
    TourBubble* bubble_ = nullptr;
    std::vector<Step> steps_;
    int now_ = 0;
    bool isDone_ = false;
    int token_ = 0;         ///< that the first step points at
    std::size_t paths_ = 0; ///< of the run when the step began
    std::size_t changes_ = 0;
    QTimer pointing_;            ///< what it points at may move
    QObject* running_ = nullptr; ///< of its connections; null: it does not run
};

} // namespace headscope::app
