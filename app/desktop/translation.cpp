#include "app/desktop/translation.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

#include <memory>

namespace headscope::app {

QTranslator* installTranslation(const QLocale& locale, const QString& folder) {
    const auto load = [&](const QString& name, const QString& from) -> QTranslator* {
        auto translator = std::make_unique<QTranslator>(QCoreApplication::instance());
        if (!translator->load(locale, name, QStringLiteral("_"), from))
            return nullptr;
        QCoreApplication::installTranslator(translator.get());
        return translator.release();
    };
    auto* own = load(QStringLiteral("headscope"), folder);
    if (own)
        load(QStringLiteral("qtbase"), QLibraryInfo::path(QLibraryInfo::TranslationsPath));
    return own;
}

} // namespace headscope::app
