#pragma once

#include <QString>

#include "model/trace/intervention.h"
#include "model/trace/run.h"

namespace headscope::widgets {

/// What a person does by making this change, short, for menus and undo: "Disable cross.2.5". Addresses count
/// from 0.
QString changeTitle(const trace::Change& change);
/// "Enable cross.2.5"
QString enableTitle(const trace::HeadAddress& head);

/// The change in plain words: "cross.2.5: switched off". Rows and keys
/// are named by their tokens where `run` has them. May be null.
QString changeInWords(const trace::Change& change, const trace::Run* run);

/// The command line's option: "--disable-head cross.2.5".
QString changeOption(const trace::Change& change);

/// "Decoder feed-forward, layer 1", counted from 0; attention as its kind.
QString sublayerTitle(const trace::SublayerAddress& sublayer);

} // namespace headscope::widgets
