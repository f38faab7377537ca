#pragma once

#include <QObject>

#include "app/document/document.h"

namespace headscope::app {

class Analyses;
class CausalRows;
class Results;
class LongMaps;
class LongTiles;
class MapAnalyses;
class RandomTwin;
class ShownStatistics;
class TwinAnalyses;

/// Owns everything that is computed about a document on demand, outside the GUI thread.
class ResultParts : public QObject {
    Q_OBJECT

  public:
    /// The document must outlive this.
    explicit ResultParts(Document* document, QObject* parent = nullptr);

    Results* answers() const { return answers_; }
    Analyses* analyses() const { return analyses_; }
    MapAnalyses* maps() const { return maps_; }
    LongMaps* longMaps() const { return longMaps_; }
    LongTiles* longTiles() const { return longTiles_; }
    CausalRows* causalRows() const { return causalRows_; }
    RandomTwin* twin() const { return twin_; }
    TwinAnalyses* twinAnalyses() const { return twinAnalyses_; }
    /// Statistics of all heads.
    ShownStatistics* statistics() const { return statistics_; }

  private:
    Results* answers_;
    Analyses* analyses_;
    MapAnalyses* maps_;
    LongMaps* longMaps_;
    LongTiles* longTiles_;
    CausalRows* causalRows_;
    RandomTwin* twin_;
    TwinAnalyses* twinAnalyses_;
    ShownStatistics* statistics_;
};

} // namespace headscope::app
