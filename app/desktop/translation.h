#pragma once

#include <QString>

class QLocale;
class QTranslator;

namespace headscope::app {

/// Installs headscope_LANGUAGE.qm of the folder in the application for its lifetime, and Qt's own
/// translation. Returns null, and installs neither, if there is none for the locale: texts are English then.
QTranslator* installTranslation(const QLocale& locale, const QString& folder);

} // namespace headscope::app
