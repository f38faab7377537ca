#pragma once

#include <QObject>

#include "app/results/analyses.h"
#include "app/results/results.h"
#include "app/results/random_twin.h"

#include <memory>
#include <optional>

namespace headscope::app {

/// What is computed about the shown run, computed of its random twin too, which reads the same output: as
/// long as the twin is on and the model's own is there.
class TwinAnalyses : public QObject {
    Q_OBJECT

  public:
    /// All of them are there for as long as this is used.
    TwinAnalyses(Results* answers, DecodeController* controller, Analyses* analyses, RandomTwin* twin,
                 QObject* parent = nullptr);

    /// Nothing where the twin is off.
    std::optional<std::uint64_t> seed() const;
    /// Null as long as not all is known.
    const std::shared_ptr<const trace::HeadImportance>& importance() const { return importance_; }
    /// Null where it was not asked for, or is not there yet.
    const std::shared_ptr<const trace::Lens>& lens() const { return lens_; }
    bool isMeasuring() const;

    /// Why there is no lens; nothing where it was not refused.
    std::optional<trace::RefusalText> whyNoLens() const;

  public Q_SLOTS:
    void stopMeasuring();
    /// As long as it is on, the twin's lens is read beside the model's.
    void readLens(bool on);

  Q_SIGNALS:
    /// The heads could not be measured, or the lens not be read.
    void refused(const headscope::trace::RefusalText& text);
    /// seed() or importance() is another.
    void importanceChanged();
    void lensChanged();

  private:
    /// The twin's request for what is known of the model's; nothing where it is not wanted.
    std::optional<trace::Request> reading(const trace::Request& known) const;
    void follow();
    void tell();

    Results* answers_;
    DecodeController* controller_;
    Analyses* analyses_;
    RandomTwin* twin_;
    std::optional<trace::Request> measured_; ///< what was last asked of
    std::optional<trace::Request> read_;     ///< what the lens was last asked of
    bool readLens_ = false;
    bool isStopped_ = false; ///< until something else is to be measured
    // As it was told last.
    std::optional<std::uint64_t> toldSeed_;
    std::shared_ptr<const trace::HeadImportance> importance_;
    std::shared_ptr<const trace::Lens> lens_;
};

} // namespace headscope::app
