#pragma once

#include <QObject>

#include "app/document/document.h"

namespace headscope::app {

class Results;
class MapAnalyses;

/// Owns everything that is computed about a document on demand, outside the GUI thread.
class ResultParts : public QObject {
    Q_OBJECT

  public:
    /// The document must outlive this.
    explicit ResultParts(Document* document, QObject* parent = nullptr);

    Results* answers() const { return answers_; }
    MapAnalyses* maps() const { return maps_; }

  private:
    Results* answers_;
    MapAnalyses* maps_;
};

} // namespace headscope::app
