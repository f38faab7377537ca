#pragma once

#include "widgets/drawing/spacing.h"

#include <QPainter>
#include <QStyle>
#include <QStyleOption>

// How controls look, in the colours of the theme of their palette. WindowStyle says which control looks how.
namespace headscope::widgets {

bool isOn(const QStyleOption& option);
/// The keyboard is in it, and a person sees where.
bool hasKeys(const QStyleOption& option);
bool isHovered(const QStyleOption& option);

QRectF inner(const QRect& rect, double by = 0.5);
QColor over(const QColor& below, const QColor& above, double opacity);
QPen outlineOf(const QStyleOption& option);

void drawRounded(QPainter* painter, const QRectF& rect, const QPen& pen, const QBrush& brush,
                 double radius = space::controlRadius);
/// Draws the frame of a text field.
void drawField(QPainter* painter, const QStyleOption& option);
/// One of several side by side, of which one is chosen: the ends of the row are round, neighbours share a
/// line.
void drawJoined(QPainter* painter, const QStyleOption& option, bool isChosen, bool isFirst, bool isLast);
void drawBox(QPainter* painter, const QStyleOption& option, bool isRound);
/// An open angle, as the icons have.
void drawChevron(QPainter* painter, const QStyleOption& option, QStyle::PrimitiveElement direction);
void drawScrollBar(QPainter* painter, const QStyleOption& option, const QRect& slider, bool isHeld);
void drawSpinBox(QPainter* painter, const QStyleOptionSpinBox& option, const QRect& up, const QRect& down);
void drawSlider(QPainter* painter, const QStyleOptionSlider& option, const QRect& groove,
                const QRect& handle);
void drawProgress(QPainter* painter, const QStyleOptionProgressBar& option);

} // namespace headscope::widgets
