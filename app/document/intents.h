#pragma once

#include "widgets/intent.h"

namespace headscope::app {

class Document;

/// Does what a person wants in a view; what concerns the window alone is the window's.
void carryOut(Document* document, const widgets::Intent& intent);

} // namespace headscope::app
