#pragma once

#include <QObject>

#include "app/document/document.h"

namespace headscope::app {

class CausalRows;
class Results;
class LongMaps;
class LongTiles;
class MapAnalyses;

/// Owns everything that is computed about a document on demand, outside the GUI thread.
class ResultParts : public QObject {
    Q_OBJECT

  public:
    /// The document must outlive this.
    explicit ResultParts(Document* document, QObject* parent = nullptr);

    Results* answers() const { return answers_; }
    MapAnalyses* maps() const { return maps_; }
    LongMaps* longMaps() const { return longMaps_; }
    LongTiles* longTiles() const { return longTiles_; }
    CausalRows* causalRows() const { return causalRows_; }

  private:
    Results* answers_;
    MapAnalyses* maps_;
    LongMaps* longMaps_;
    LongTiles* longTiles_;
    CausalRows* causalRows_;
};

} // namespace headscope::app
