#pragma once

#include <QString>

namespace headscope::widgets {

/// Escaped for an element or an attribute. What XML 1.0 has no way to say is left out: control characters,
/// and halves of pairs.
QString xmlText(const QString& text);

} // namespace headscope::widgets
