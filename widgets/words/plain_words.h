#pragma once

#include <QString>

namespace headscope::widgets {

/// What leaves the program as text: without the marks that isolated() puts in, which only a screen needs.
/// Other marks of direction are a person's or a token's own, and stay.
QString withoutIsolation(const QString& words);

} // namespace headscope::widgets
