#pragma once

#include <QObject>

#include "app/document/document.h"
#include "app/window/settings.h"

#include <optional>

namespace headscope::app {

class SentencePanel;

/// What stands in the sentence field: what a model is opened with, and what becomes a run of what a person
/// types.
class TypedSentence : public QObject {
    Q_OBJECT

  public:
    /// All of them outlive this. `first`: what the first model that reads it is opened with.
    TypedSentence(Document* document, Settings* settings, SentencePanel* panel, std::optional<QString> first,
                  QObject* parent);

    QString text() const;
    /// In the model's own words where it has some, else in English.
    static QStringList samples(const trace::ModelSummary* model);

    /// The field holds ids, or words of a model's own, only as long as a model needs them; a sentence comes
    /// back for the next one that reads text.
    void choose();
    /// The one run that a trace holds is about to be shown.
    void showRecorded();
    /// What was to be opened with is the session's.
    void forgetFirst() { first_.reset(); }
    /// Another sentence, decoded; not as one that was typed.
    void decode(const QString& text);
    /// False where nothing is decoded; why is refused, or there is no model yet.
    bool decode();

  public Q_SLOTS:
    /// As typed by a person, which is remembered for this model.
    void submit();

  Q_SIGNALS:
    void refused(const headscope::trace::RefusalText& text);
    /// What was said of the sentence before is out of date, and so is what was on its way.
    void aboutToDecode();
    /// The recorded run is to be shown again.
    void recordedWanted();

  private:
    void followModel(const std::shared_ptr<const trace::ModelSummary>& model);
    bool refuse(const trace::RefusalText& text);
    bool decodeRecorded(const QString& text);
    void leaveCells();

    Document* document_;
    Settings* settings_;
    SentencePanel* panel_;
    std::optional<QString> first_;
    QString kept_; ///< typed before ids or a trace's took its place
};

} // namespace headscope::app
