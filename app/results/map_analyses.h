#pragma once

#include <QObject>

#include "app/document/decode_controller.h"
#include "app/results/results.h"
#include "widgets/selection.h"

#include <memory>
#include <optional>
#include <vector>

namespace headscope::app {

/// Maps that the shown run does not hold itself: computed for the head, site and step that are looked at,
/// again wherever these change.
class MapAnalyses : public QObject {
    Q_OBJECT

  public:
    /// All are there for as long as this is used.
    MapAnalyses(Results* answers, DecodeController* controller, widgets::Selection* selection,
                QObject* parent = nullptr);

    using Maps = std::shared_ptr<const trace::QuantityMaps>;
    /// What the map of a site that is looked at shows; null where that is on its way, refused, or the run's
    /// own.
    Maps shownAt(const trace::AttentionSite& site) const;
    /// Why what is wanted cannot be had; empty where it can, or is not asked for yet.
    QString whyNotAt(const trace::AttentionSite& site) const;
    /// Norm-weighted attention there; null as long as it is not there.
    Maps effectAt(const trace::AttentionSite& site) const;

  public Q_SLOTS:
    /// What the heatmap shows; nothing: what the run holds.
    void setQuantity(std::optional<headscope::trace::MapQuantity> quantity);
    /// Beside the selected head's.
    void setAlsoShown(const std::vector<headscope::trace::AttentionSite>& sites);
    /// Only where someone sees the map's line about weights and effect.
    void setEffectWanted(bool wanted);
    /// Of a classifier, whose logit gradients are of; nothing: the likeliest class of each run.
    void setChosenClass(std::optional<std::size_t> chosen);

  Q_SIGNALS:
    /// One of the two is another, or is known not to come.
    void changed();

  private:
    /// Of the shown run; nothing as long as it is not complete.
    std::optional<trace::Request> request() const;
    /// What a gradient is of: the step, or the class.
    std::size_t gradientOf() const;
    using Want = std::optional<trace::MapsWhat>;
    Want wantAt(const trace::AttentionSite& site) const;
    Want wantEffectAt(const trace::AttentionSite& site) const;
    Maps mapsOf(const Want& want) const;
    QString refusalOf(const Want& want) const;
    void follow();
    void tell();

    Results* answers_;
    DecodeController* controller_;
    widgets::Selection* selection_;
    std::optional<trace::MapQuantity> quantity_;
    std::optional<std::size_t> chosenClass_;
    std::vector<trace::AttentionSite> alsoShown_;
    bool effectWanted_ = false;
    std::optional<trace::Request> request_;  ///< what the answers are of
    std::vector<trace::Question> questions_; ///< wanted
    std::vector<std::pair<Maps, bool>>
        told_; ///< of each the answer, and whether it was refused, as told last
};

} // namespace headscope::app
