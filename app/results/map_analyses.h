#pragma once

#include <QObject>

#include "app/document/decode_controller.h"
#include "app/results/analyses.h"
#include "app/results/run_queue.h"
#include "widgets/selection.h"

#include <memory>
#include <optional>
#include <vector>

namespace headscope::app {

/// Maps that the shown run does not hold itself: computed for the head, site and step that are looked at,
/// again wherever these change, and kept as long as the run and what it is held against stay.
class MapAnalyses : public QObject {
    Q_OBJECT

  public:
    /// All are there for as long as this is used.
    MapAnalyses(RunQueue* queue, DecodeController* controller, Analyses* analyses,
                widgets::Selection* selection, QObject* parent = nullptr);

    using Maps = std::shared_ptr<const trace::QuantityMaps>;
    /// What the heatmap shows; null where that is on its way, refused, or the run's own.
    Maps shown() const;
    /// The same quantity at another site that is looked at too.
    Maps shownAt(const trace::AttentionSite& site) const;
    QString whyNotAt(const trace::AttentionSite& site) const;
    /// Norm-weighted attention of the site that is looked at; null as long as it is not there.
    Maps effect() const;
    /// Of another site that is looked at too.
    Maps effectAt(const trace::AttentionSite& site) const;
    /// ALTI+ after the decoder's last layer; null where it is not wanted or not there yet.
    Maps lastContributions() const;
    /// Why what is wanted cannot be had; empty where it can, or is not asked for yet.
    QString whyNot() const;
    QString whyNoContributions() const;

  public Q_SLOTS:
    /// What the heatmap shows; nothing: what the run holds.
    void setQuantity(std::optional<headscope::trace::MapQuantity> quantity);
    /// Beside the selected head's.
    void setAlsoShown(const std::vector<headscope::trace::AttentionSite>& sites);
    /// Only where someone sees the map's line about weights and effect.
    void setEffectWanted(bool wanted);
    void setLastContributionsWanted(bool wanted);
    /// Of a classifier, whose logit gradients are of; nothing: the likeliest class of each run.
    void setChosenClass(std::optional<std::size_t> chosen);

  Q_SIGNALS:
    /// One of the three is another, or is known not to come.
    void changed();

  private:
    /// What is asked of the engine, beside the request.
    struct Want {
        trace::MapQuantity quantity = trace::MapQuantity::NormWeighted;
        trace::AttentionSite site;
        std::size_t step = 0; ///< of a gradient, or the number of a class; else 0
        friend bool operator==(const Want&, const Want&) = default;
    };
    struct Answer {
        Want want;
        Maps maps;      ///< null: refused
        QString whyNot; ///< of a refusal
    };

    /// Of the shown run; nothing as long as it is not complete.
    std::optional<trace::Request> request() const;
    /// In the order in which they are wanted.
    std::vector<Want> wants() const;
    /// What a gradient is of: the step, or the class.
    std::size_t gradientOf() const;
    std::optional<Want> wantShown() const;
    std::optional<Want> wantAt(const trace::AttentionSite& site) const;
    std::optional<Want> wantEffectAt(const trace::AttentionSite& site) const;
    std::optional<Want> wantLastContributions() const;
    const Answer* answer(const std::optional<Want>& want) const;
    Maps mapsOf(const std::optional<Want>& want) const;
    QString refusalOf(const std::optional<Want>& want) const;
    void follow();
    void askNext();
    void take(Maps maps, const QString& whyNot);

    RunQueue* queue_;
    DecodeController* controller_;
    Analyses* analyses_;
    widgets::Selection* selection_;
    std::optional<trace::MapQuantity> quantity_;
    std::optional<std::size_t> chosenClass_;
    std::vector<trace::AttentionSite> alsoShown_;
    bool effectWanted_ = false;
    bool contributionsWanted_ = false;
    std::optional<trace::Request> request_; ///< what the answers are of
    std::vector<Answer> answers_;           ///< the newest last
    std::optional<Want> asked_;             ///< on its way
};

} // namespace headscope::app
