#pragma once

#include <QWidget>

#include "model/trace/refusal.h"
#include "model/trace/run.h"
#include "widgets/selection.h"

#include <memory>
#include <optional>
#include <string>

class QAction;
class QLabel;
class QLineEdit;
class QStandardItemModel;

namespace headscope::widgets {

/// How a person names a token: its piece, or where a line of text cannot hold that, # and its id.
QString contrastName(const trace::Token& token);

/// "rather than": the token that every chosen one is held against. Proposes the other candidates of the
/// current step; one that does not exist is explained below the field.
class ContrastField : public QWidget {
    Q_OBJECT

  public:
    /// `selection` outlives the field.
    explicit ContrastField(Selection* selection, QWidget* parent = nullptr);
    ~ContrastField() override;

    /// Whose candidates are proposed; may be null.
    void setRun(std::shared_ptr<const trace::Run> run);
    /// What is held against; takes back a refusal.
    void setContrast(const std::optional<std::string>& token);
    /// Why there is no such token, and what to do; stays until another one is chosen.
    void showRefusal(const trace::RefusalText& text);

  Q_SIGNALS:
    /// Enter, leaving the field, a proposal, or the clear button; empty: the tokens alone.
    void contrastChosen(const QString& token);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    void propose();
    void choose(const QString& token);
    void paintRefusal();

    Selection* selection_;
    std::shared_ptr<const trace::Run> run_;
    QString chosen_;
    QStandardItemModel* proposals_;
    QLineEdit* line_;
    QAction* clear_;
    QLabel* refusal_;
};

} // namespace headscope::widgets
