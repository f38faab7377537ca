#pragma once

#include <QString>

namespace headscope::widgets {

/// Escapes text for an XML element or attribute. Characters that XML 1.0 cannot represent are omitted:
/// control characters and unpaired surrogates.
QString xmlText(const QString& text);

} // namespace headscope::widgets
