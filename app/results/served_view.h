#pragma once

namespace headscope::widgets {
class View;
}

namespace headscope::app {

class Document;
class Results;

/// From now on, as long as both are there: keeps what is known of the document's run, measures its heads and
/// reads its corpus, whoever looks, where the document says so.
void connectResults(Document* document, Results* results);

/// From now on, as long as all are there: shows the view what the document shows, asks what the view wants to
/// know while it is visible, and refreshes it when something of that is known.
void serve(widgets::View* view, Document* document, Results* results);

} // namespace headscope::app
