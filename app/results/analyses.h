#pragma once

#include <QObject>

#include "app/document/decode_controller.h"
#include "app/results/results.h"

#include <memory>
#include <optional>
#include <string>

namespace headscope::app {

/// What is computed about the shown run only when a person asks for it: what each head is worth, and what the
/// decoder's layers hold. Of a run that is no longer shown there is nothing.
class Analyses : public QObject {
    Q_OBJECT

  public:
    /// Both are there for as long as this is used.
    Analyses(Results* answers, DecodeController* controller, QObject* parent = nullptr);

    /// Null where it was not measured; not complete while it is.
    const std::shared_ptr<const trace::HeadImportance>& importance() const { return importance_; }
    /// What was measured last, as long as only the changes of the model are others since: for who switches
    /// heads off one after the other by a list. Null where importance() is known, or is being measured.
    struct Earlier {
        std::shared_ptr<const trace::Run> run;
        std::shared_ptr<const trace::HeadImportance> importance;
        friend bool operator==(const Earlier&, const Earlier&) = default;
    };
    Earlier earlier() const;
    bool isMeasuring() const;
    /// Null where it was not read, or is not there yet.
    const std::shared_ptr<const trace::Lens>& lens() const { return lens_; }

    /// Why there is none; nothing where it was not refused.
    std::optional<trace::RefusalText> whyNoLens() const;
    std::optional<trace::RefusalText> whyNoImportance() const;

  public Q_SLOTS:
    /// Takes away every head of the shown run in turn; nothing where that is known, or the run is not there.
    void measureImportance();
    void stopMeasuring();
    /// As long as it is on, the lens is read of every run that is shown.
    void readLens(bool on);

  Q_SIGNALS:
    void importanceChanged();
    /// isMeasuring() is another.
    void measuringChanged();
    void lensChanged();
    void lensRefused(const headscope::trace::RefusalText& text);
    void importanceRefused(const headscope::trace::RefusalText& text);

  private:
    /// Of the shown run; nothing as long as it is not complete.
    std::optional<trace::Request> request() const;
    void follow();
    void followBusy();
    void followContrast();
    void want();
    void tell();
    void tellRefusal(const trace::Wanted& question, const trace::RefusalText& text);

    Results* answers_;
    DecodeController* controller_;
    std::optional<trace::Request> of_;       ///< what is shown, until another run is whole
    std::optional<trace::Request> measured_; ///< what importance was last asked of
    bool readLens_ = false;
    // As it was told last.
    std::shared_ptr<const trace::HeadImportance> importance_;
    std::shared_ptr<const trace::HeadImportance> earlierShown_; ///< of earlier()
    std::shared_ptr<const trace::Lens> lens_;
    Earlier last_; ///< measured completely
    bool wasMeasuring_ = false;
    bool wasDecoding_ = false;
};

} // namespace headscope::app
