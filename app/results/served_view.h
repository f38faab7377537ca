#pragma once

namespace headscope::widgets {
class View;
}

namespace headscope::app {

class Document;
class Results;

/// Connects both until one is destroyed: results of the document's run are kept, and its heads are measured
/// and its corpus is read if requested, regardless of the visible views.
void connectResults(Document* document, Results* results);

/// Connects the three until one is destroyed: the view follows the document, its questions are asked while it
/// is visible, and it is refreshed when results change.
void serve(widgets::View* view, Document* document, Results* results);

} // namespace headscope::app
