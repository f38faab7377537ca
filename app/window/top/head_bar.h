#pragma once

#include <QWidget>

#include "app/desktop/actions.h"
#include "model/trace/model_summary.h"
#include "widgets/selection.h"

#include <memory>
#include <vector>

class QComboBox;
class QLabel;
class QToolButton;

namespace headscope::app {

/// Selects the head and the quantity of its map: kind, head, quantity, colour scale.
class HeadBar : public QWidget {
    Q_OBJECT

  public:
    HeadBar(widgets::Selection* selection, const Actions& actions, QWidget* parent = nullptr);

    /// Shows the role of the selected head; clickable if `toolTip` is not empty.
    void setRole(const QString& role, const QString& toolTip);

  Q_SIGNALS:
    void roleClicked();

  public Q_SLOTS:
    void setModel(std::shared_ptr<const headscope::trace::ModelSummary> model);

  private:
    void fillHeads();
    void followHead();
    QToolButton* optionsButton(const Actions& actions);
    QComboBox* choiceOf(const QString& name, const QStringList& shown, const std::vector<QAction*>& actions);

    widgets::Selection* selection_;
    std::shared_ptr<const trace::ModelSummary> model_;
    QComboBox* heads_;
    QToolButton* role_;
    trace::AttentionKind filledKind_ = trace::AttentionKind::EncoderSelf;
};

} // namespace headscope::app
