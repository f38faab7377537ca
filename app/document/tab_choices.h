#pragma once

#include "app/document/view_choices.h"

namespace headscope::widgets {
class ArchitectureView;
class ArithmeticView;
class AttributionView;
class BatchView;
class ClassifierView;
class CompareView;
class HeadTable;
class ImportanceView;
class LensView;
class LinesView;
class MaskView;
class Overview;
class PositionalEncodingView;
class ScaleView;
} // namespace headscope::widgets

namespace headscope::app {

class CompareAnswers;
class DecodeController;

// What can be chosen in a view, for sessions, undo and `render`. All of it outlives the choices.

void bindLines(ViewChoices& choices, widgets::LinesView* lines);
void bindMasks(ViewChoices& choices, widgets::MaskView* masks);
void bindBatch(ViewChoices& choices, widgets::BatchView* batch);
void bindScale(ViewChoices& choices, widgets::ScaleView* scale);
void bindClassifier(ViewChoices& choices, widgets::ClassifierView* classifier);
void bindArchitecture(ViewChoices& choices, widgets::ArchitectureView* architecture);
void bindPositions(ViewChoices& choices, widgets::PositionalEncodingView* positions);
void bindCompare(ViewChoices& choices, widgets::CompareView* compare, CompareAnswers* answers);
void bindOverview(ViewChoices& choices, widgets::Overview* overview);
void bindArithmetic(ViewChoices& choices, widgets::ArithmeticView* arithmetic);
void bindAttribution(ViewChoices& choices, widgets::AttributionView* attribution);
void bindHeadTable(ViewChoices& choices, widgets::HeadTable* table, DecodeController* controller);
void bindImportance(ViewChoices& choices, widgets::ImportanceView* importance);
void bindLens(ViewChoices& choices, widgets::LensView* lens);

} // namespace headscope::app
