#pragma once

#include <QString>

#include "model/trace/intervention.h"
#include "model/trace/run.h"

namespace headscope::widgets {

/// Short name of the action that makes this change, for menus and undo: "Disable cross.2.5".
QString changeTitle(const trace::Change& change);
/// "Enable cross.2.5"
QString enableTitle(const trace::HeadAddress& head);

/// Describes the change: "cross.2.5: switched off". Rows and keys are named by their tokens if `run`, which
/// may be null, has them.
QString changeInWords(const trace::Change& change, const trace::Run* run);

/// As a command line option: "--disable-head cross.2.5".
QString changeOption(const trace::Change& change);

/// "Decoder feed-forward, layer 1", counted from 0; attention is named by its kind.
QString sublayerTitle(const trace::SublayerAddress& sublayer);

} // namespace headscope::widgets
