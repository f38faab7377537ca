#pragma once

#include <QToolButton>

#include "model/trace/run.h"

#include <memory>
#include <optional>

namespace headscope::widgets {

/// Whether what is shown can be trusted, in words; a sign and a word carry the meaning, colour only repeats
/// it.
class SelfCheckBadge : public QToolButton {
    Q_OBJECT

  public:
    explicit SelfCheckBadge(QWidget* parent = nullptr);

    /// May be null.
    void setRun(std::shared_ptr<const trace::Run> run);

    /// The findings with their largest deviation and limit, one a line.
    QString details() const;

  protected:
    void changeEvent(QEvent* event) override;

  private:
    void showDetails();
    void refresh();

    std::optional<trace::SelfCheck> check_;
};

} // namespace headscope::widgets
