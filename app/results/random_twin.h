#pragma once

#include <QObject>

#include "app/document/decode_controller.h"
#include "app/results/results.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace headscope::app {

/// As long as it is on, the same network with random weights beside every run that is shown. Off, nothing is
/// computed.
class RandomTwin : public QObject {
    Q_OBJECT

  public:
    /// Both are there for as long as this is used.
    RandomTwin(Results* answers, DecodeController* controller, QObject* parent = nullptr);

    bool isOn() const { return on_; }
    std::uint64_t seed() const { return seed_; }
    /// The run that is shown, and what the twin made of it (twinRequest); both null where it is not there.
    const std::shared_ptr<const trace::Run>& shown() const { return shown_; }
    const std::shared_ptr<const trace::Run>& run() const { return run_; }
    /// Why there is none; nothing where it was not refused.
    std::optional<trace::RefusalText> whyNone() const;

  public Q_SLOTS:
    void setOn(bool on);
    /// Another seed, another twin.
    void setSeed(std::uint64_t seed);

  Q_SIGNALS:
    /// It is on or off, or of another seed.
    void switched();
    /// run() is another one, or gone.
    void runChanged();
    /// The twin could not be made, or not run.
    void refused(const headscope::trace::RefusalText& text);

  private:
    void follow();
    void take();
    void drop();

    Results* answers_;
    DecodeController* controller_;
    bool on_ = false;
    std::uint64_t seed_ = 1;
    std::optional<trace::Request> wanted_; ///< of the run that is shown
    std::shared_ptr<const trace::Run> shown_;
    std::shared_ptr<const trace::Run> run_;
};

} // namespace headscope::app
