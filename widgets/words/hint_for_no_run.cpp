#include "widgets/words/hint_for_no_run.h"

#include <QCoreApplication>
#include <QWidget>

namespace headscope::widgets {

namespace {

struct WayToARunWords {
    Q_DECLARE_TR_FUNCTIONS(headscope::widgets::WayToARun)
};

} // namespace

bool isModelMissing(const QWidget& view) {
    for (const QWidget* widget = &view; widget; widget = widget->parentWidget()) // floating panels too
        if (const auto* window = dynamic_cast<const ModelWindow*>(widget))
            return window->isModelMissing();
    return false;
}

QString hintForNoRun(const QWidget& view) {
    return isModelMissing(view) ? WayToARunWords::tr("No model is open: choose one with File, Open Model "
                                                     "Folder (Ctrl+O), or with the button at the top left.")
                                : WayToARunWords::tr("Type a sentence and press Enter to decode it.");
}

QString fixForNoRun(const QWidget& view) {
    return isModelMissing(view)
               ? WayToARunWords::tr(
                     "open a model with File, Open Model Folder (Ctrl+O), or with the button at the top left")
               : WayToARunWords::tr("type a sentence and press Enter first");
}

} // namespace headscope::widgets
