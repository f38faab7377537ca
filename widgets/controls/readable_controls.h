#pragma once

namespace headscope::widgets {

/// Tells screen readers of combo boxes and of labels with a name both the name and the text, where Qt tells
/// one of them, and that a painted widget with the keyboard's focus is a graphic. May be called repeatedly.
void installControlAccessibility();

} // namespace headscope::widgets
