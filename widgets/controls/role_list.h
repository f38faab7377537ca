#pragma once

#include <QPointer>
#include <QWidget>

#include "model/analysis/heads/head_roles.h"
#include "model/trace/run.h"

#include <optional>
#include <vector>

class QAbstractButton;
class QGridLayout;
class QVBoxLayout;

namespace headscope::widgets {

/// The roles of the heads: a pill for each that heads have, with their number, and below a row for each that
/// none has, with the head that comes nearest, what it has and what the role needs.
class RoleList : public QWidget {
    Q_OBJECT

  public:
    explicit RoleList(QWidget* parent = nullptr);

    /// As analysis::rolesAmong() returns them. `run` spells the tokens of sinks; null for a corpus.
    void setRoles(const std::vector<analysis::RoleAmongHeads>& roles, const trace::Run* run);
    /// Presses the pill of this role and no other; nothing: none.
    void setChosen(const std::optional<analysis::RoleAmongHeads>& role);
    /// Shows how many roles no head has instead of a line for each; a click shows the lines.
    void setFolded(bool folded);
    bool isFolded() const { return folded_; }
    /// Of the lines.
    int leastWidth() const;

  Q_SIGNALS:
    /// A pill was pressed, or, with nothing, the pressed one was released. RoleAmongHeads::heads has its
    /// heads.
    void roleChosen(const std::optional<headscope::analysis::RoleAmongHeads>& role);
    void headChosen(headscope::trace::HeadAddress head);

  private:
    /// A role as it is listed.
    struct Listed {
        analysis::RoleAmongHeads role;
        QString name;
        QAbstractButton* pill = nullptr; ///< of a role that heads have
        friend bool operator==(const Listed& one, const Listed& other) {
            return one.role == other.role && one.name == other.name;
        }
    };
    QWidget* buildPills();
    QWidget* buildNearest();
    QAbstractButton* buildMore();
    void fold();
    QAbstractButton* pillOf(const Listed& listed, QWidget* parent);
    void addNearest(const Listed& listed, bool withKind, QGridLayout* rows);

    QVBoxLayout* column_;
    QPointer<QWidget> nearest_;      ///< null if every role has a head
    QPointer<QAbstractButton> more_; ///< in place of nearest_
    bool folded_ = false;
    std::vector<Listed> listed_;
};

} // namespace headscope::widgets
