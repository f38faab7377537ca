#pragma once

#include <QToolButton>

#include "model/trace/run.h"

#include <memory>
#include <optional>

namespace headscope::widgets {

/// Shows whether the shown numbers passed the self-check. A symbol and text carry the meaning; colour only
/// repeats it.
class SelfCheckBadge : public QToolButton {
    Q_OBJECT

  public:
    explicit SelfCheckBadge(QWidget* parent = nullptr);

    /// `run` may be null.
    void setRun(std::shared_ptr<const trace::Run> run);

    /// Returns all findings with largest deviation and limit, one per line.
    QString details() const;
    /// The full text, which is elided if the badge is narrow.
    QString words() const { return words_; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void showDetails();
    QString findings() const;
    void refresh();
    void elide();

    QString words_;

    std::optional<trace::SelfCheck> check_;
    bool isTrace_ = false;           ///< findings may come from the trace's file
    std::size_t rowsWithoutKey_ = 0; ///< leading target rows without an allowed key
};

} // namespace headscope::widgets
