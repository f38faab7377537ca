#pragma once

#include <QObject>

#include "app/desktop/settings.h"
#include "app/document/document.h"

#include <optional>

namespace headscope::app {

class SentencePanel;

/// The content of the sentence field: chooses the initial sentence of a model, and decodes typed sentences.
class TypedSentence : public QObject {
    Q_OBJECT

  public:
    /// All objects must outlive this. `first`: initial sentence of the first model that is opened.
    TypedSentence(Document* document, Settings* settings, SentencePanel* panel, std::optional<QString> first,
                  QObject* parent);

    QString text() const;

    /// Fills the field for a model that was just opened: ids or the model's own words if it needs them, else
    /// the sentence that they replaced.
    void choose();
    /// Fills the field for the run of a trace.
    void showRecorded();
    /// Drops the initial sentence, because a session provides one.
    void forgetFirst() { first_.reset(); }
    /// Decodes `text` without adding it to the history.
    void decode(const QString& text);
    /// Returns false if nothing is decoded: there is no model yet, or refused() gives the reason.
    bool decode();

  public Q_SLOTS:
    /// Decodes the typed sentence and adds it to the model's history.
    void submit();

  Q_SIGNALS:
    void refused(const headscope::trace::RefusalText& text);
    /// A new sentence is about to be decoded: messages and requests for the previous one are obsolete.
    void aboutToDecode();
    /// The run of the trace is to be shown again.
    void recordedWanted();

  private:
    void followModel(const std::shared_ptr<const trace::ModelSummary>& model);
    void showLanguages(const trace::ModelSummary& model);
    void showOpenLanguages();
    void followLanguage(const QString& language);
    void openLanguages();
    bool refuse(const trace::RefusalText& text);
    bool decodeRecorded(const QString& text);
    void leaveCells();

    Document* document_;
    Settings* settings_;
    SentencePanel* panel_;
    std::optional<QString> first_;
    QString kept_; ///< sentence replaced by ids or by the text of a trace
};

} // namespace headscope::app
