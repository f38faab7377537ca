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
    /// The whole sentence, which is elided where the badge is narrow.
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
    bool isTrace_ = false;           ///< whose file says what was checked when it was recorded
    std::size_t rowsWithoutKey_ = 0; ///< of the target, before the first with an open one
};

} // namespace headscope::widgets
