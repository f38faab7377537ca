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

/// Returns the name by which the user enters a token: its text, or # and its id if a line of text cannot hold
/// that.
QString contrastName(const trace::Token& token);
/// The same for a token of this run. Where the model marks an answer, it is # and the token's position,
/// because a spelling may occur more than once in the text.
QString contrastName(const trace::Run& run, const trace::Token& token);

/// The field "compared with": a token that every chosen token is compared with. Proposes the other candidates
/// of the current step; explains below the field why a token does not exist.
class ContrastField : public QWidget {
    Q_OBJECT

  public:
    /// `selection` must outlive the field.
    explicit ContrastField(Selection* selection, QWidget* parent = nullptr);
    ~ContrastField() override;

    /// The run whose candidates are proposed; may be null.
    void setRun(std::shared_ptr<const trace::Run> run);
    /// Sets the token to compare with, and hides any refusal.
    void setContrast(const std::optional<std::string>& token);
    /// Shows why the token does not exist and what to do, until another token is entered.
    void showRefusal(const trace::RefusalText& text);

    /// Shows what the views compare with; `refusal`, of their question, once if it is of that token.
    void follow(const std::optional<std::string>& token, const std::optional<trace::RefusalText>& refusal);

  Q_SIGNALS:
    /// Emitted on Enter, on leaving the field, and for a proposal or the clear button. Empty: no comparison.
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
    std::optional<std::string> followed_;
    std::optional<std::string> refused_; ///< that was followed
    QStandardItemModel* proposals_;
    QLineEdit* line_;
    QAction* clear_;
    QLabel* refusal_;
};

} // namespace headscope::widgets
