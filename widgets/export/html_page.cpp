#include "widgets/export/html_page.h"

#include "widgets/drawing/recorded_drawing.h"
#include "widgets/drawing/theme.h"
#include "widgets/export/svg_drawing.h"
#include "widgets/export/xml_text.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <cmath>
#include <vector>

namespace headscope::widgets {

namespace {

struct HtmlPageWords {
    Q_DECLARE_TR_FUNCTIONS(HtmlPage)
};

/// Names what is under the pointer. Texts become text, never markup.
constexpr char pageScript[] = R"js(
"use strict";
(() => {
  const svg = document.querySelector("svg");
  const said = document.getElementById("value");
  const { labels, maps, marks } = JSON.parse(document.getElementById("cells").textContent);
  const isolated = text => "\u2068" + text + "\u2069";
  const named = (list, index) => labels[list].length ? "\u201c" + isolated(labels[list][index]) + "\u201d" : index;
  const inside = (at, [left, top, width, height]) =>
    at.x >= left && at.y >= top && at.x < left + width && at.y < top + height;
  const away = (at, [left, top, width, height]) => Math.hypot(at.x - left - width / 2, at.y - top - height / 2);
  const valueOf = (map, at) => {
    const cell = side => Math.floor(map.window[side] +
      ([at.x, at.y][side] - map.at[side]) / map.at[side + 2] * map.window[side + 2]);
    const column = Math.min(cell(0), map.width - 1);
    const row = Math.min(cell(1), Math.floor(map.values.length / map.width) - 1);
    const value = map.values[row * map.width + column];
    return (map.name ? map.name + ": " : "") + named(map.rows, row) + " \u2192 " +
      named(map.columns, column) + ": " + (value === null ? "\u2013" : String(Number(value.toPrecision(4))));
  };
  const show = event => {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    const map = maps.find(map => inside(at, map.at));
    const mark = marks.filter(mark => inside(at, mark.at)).sort((a, b) => away(at, a.at) - away(at, b.at))[0];
    said.hidden = !map && !mark;
    said.textContent = mark ? mark.words : map ? valueOf(map, at) : "";
    said.style.left = Math.max(0, Math.min(event.pageX + 12, document.documentElement.clientWidth - said.offsetWidth)) + "px";
    said.style.top = event.pageY + 16 + "px";
  };
  svg.addEventListener("pointermove", show);
  svg.addEventListener("pointerdown", show);
  svg.addEventListener("pointerleave", () => { said.hidden = true; });
})();
)js";

constexpr char pageStyle[] =
    "body{font:14px/1.5 system-ui,sans-serif;margin:1.5rem;background:%1;color:%2}"
    "h1{font-size:1.2rem}svg{max-width:100%;height:auto}"
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1rem}"
    "dd{margin:0;overflow-wrap:anywhere}"
    "#value{position:absolute;padding:.1rem .5rem;background:%2;color:%1;border-radius:3px;"
    "pointer-events:none;white-space:pre-line;max-width:40rem}#value[hidden]{display:none}";

/// Places of lists of labels, which the maps of a page share.
class LabelLists {
  public:
    std::size_t placeOf(const QStringList& labels) {
        std::size_t place = 0;
        while (place < lists_.size() && lists_[place] != labels)
            ++place;
        if (place == lists_.size())
            lists_.push_back(labels);
        return place;
    }
    QJsonArray json() const {
        QJsonArray all;
        for (const auto& list : lists_)
            all += QJsonArray::fromStringList(list);
        return all;
    }

  private:
    std::vector<QStringList> lists_;
};

QJsonArray rectangle(const QRectF& area) {
    return {area.x(), area.y(), area.width(), area.height()};
}

/// Six significant digits; null for a masked cell.
QJsonValue jsonNumber(float value) {
    return std::isfinite(value) ? QJsonValue(QString::number(value, 'g', 6).toDouble()) : QJsonValue();
}

/// JSON for a script element, which only "<" could end.
QByteArray wordsJson(const PageWords& words) {
    LabelLists labels;
    QJsonArray maps, marks;
    for (const auto& group : words.marks)
        for (const auto& [area, said] : group.areas)
            marks += QJsonObject{{"at", rectangle(area)}, {"words", said}};
    for (const auto& map : words.maps) {
        QJsonArray values;
        for (const float value : map.values)
            values += jsonNumber(value);
        maps += QJsonObject{{"name", map.name},
                            {"at", rectangle(map.at)},
                            {"window", rectangle(map.window)},
                            {"width", qint64(map.width)},
                            {"rows", qint64(labels.placeOf(map.rows))},
                            {"columns", qint64(labels.placeOf(map.columns))},
                            {"values", values}};
    }
    return QJsonDocument(QJsonObject{{"labels", labels.json()}, {"maps", maps}, {"marks", marks}})
        .toJson(QJsonDocument::Compact)
        .replace('<', "\\u003c");
}

QString valueNamed(const FigureMetadata& metadata, QLatin1String name) {
    const auto found = std::ranges::find(metadata, name, &QPair<QString, QString>::first);
    return found == metadata.end() ? QString() : found->second;
}

/// Text of an element, which cannot turn around what is beside it: characters that change the direction are
/// written as their codes.
QByteArray pageText(const QString& text) {
    QString plain;
    for (const QChar c : text)
        plain += (c >= u'\u202A' && c <= u'\u202E') || (c >= u'\u2066' && c <= u'\u2069')
                     ? QStringLiteral("[U+%1]").arg(+c.unicode(), 4, 16).toUpper()
                     : QString(c);
    return xmlText(plain).toUtf8();
}

} // namespace

QByteArray htmlPage(const RecordedDrawing& drawing, QSize size, const FigureMetadata& metadata, bool dark) {
    const Theme& theme = dark ? darkTheme() : lightTheme();
    const QString model = valueNamed(metadata, QLatin1String("Source")).section(QLatin1String("; "), 0, 0);
    const QByteArray title = pageText(valueNamed(metadata, QLatin1String("Title")) +
                                      (model.isEmpty() ? QString() : QStringLiteral(", ") + model));
    PageWords words;
    // Without a <title>, which browsers show under the pointer.
    const QByteArray svg = svgElement(drawing, size, {}, &words);
    std::size_t count = 0;
    for (const auto& map : words.maps)
        count += map.values.size();
    if (count > mostCellsOfPage)
        words.maps.clear();
    std::size_t marks = 0;
    for (const auto& group : words.marks)
        marks += group.areas.size();
    if (marks > mostMarksOfPage)
        words.marks.clear();
    const bool hasWords = !words.maps.empty() || !words.marks.empty();
    const auto hash = QCryptographicHash::hash(pageScript, QCryptographicHash::Sha256).toBase64();
    QByteArray page =
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; "
        "style-src 'unsafe-inline'; script-src 'sha256-" +
        hash + "'; base-uri 'none'; form-action 'none'\">\n" +
        "<meta name=\"viewport\" content=\"width=device-width\">\n<title>" + title + "</title>\n<style>" +
        QString::fromLatin1(pageStyle).arg(theme.background.name(), theme.text.name()).toUtf8() +
        "</style>\n</head>\n<body>\n<h1>" + title + "</h1>\n" + svg + "<dl>\n";
    for (const auto& [name, value] : metadata)
        if (name != QLatin1String("Title"))
            page += "<dt>" + name.toUtf8() + "</dt><dd dir=\"auto\">" + pageText(value) + "</dd>\n";
    page += "</dl>\n";
    if (count > mostCellsOfPage)
        page += "<p>" +
                HtmlPageWords::tr("The map has %1 cells: too many for values under the pointer.")
                    .arg(count)
                    .toUtf8() +
                "</p>\n";
    if (marks > mostMarksOfPage)
        page += "<p>" +
                HtmlPageWords::tr("The picture has %1 marks: too many for words under the pointer.")
                    .arg(marks)
                    .toUtf8() +
                "</p>\n";
    if (hasWords)
        page += "<output id=\"value\" hidden></output>\n<script type=\"application/json\" id=\"cells\">" +
                wordsJson(words) + "</script>\n<script>" + pageScript + "</script>\n";
    return page + "</body>\n</html>\n";
}

} // namespace headscope::widgets
