#include "model/files/csv.h"

#include <array>
#include <charconv>
#include <cmath>
#include <vector>

namespace headscope::files {

namespace {

void addLine(std::string& text, const std::vector<std::string>& fields) {
    for (std::size_t i = 0; i < fields.size(); ++i)
        text += (i > 0 ? "," : "") + fields[i];
    text += "\r\n";
}

std::string labelOf(const trace::DataAxis& axis, std::size_t place) {
    return axis.labels.empty() ? std::to_string(place) : csvField(axis.labels.at(place));
}

std::string matrixText(const trace::DataArray& array) {
    const std::size_t columns = array.shape[1];
    std::vector<std::string> line{csvField(array.axes[0].name + "/" + array.axes[1].name)};
    for (std::size_t column = 0; column < columns; ++column)
        line.push_back(labelOf(array.axes[1], column));
    std::string text;
    addLine(text, line);
    for (std::size_t row = 0; row < array.shape[0]; ++row) {
        line = {labelOf(array.axes[0], row)};
        for (std::size_t column = 0; column < columns; ++column)
            line.push_back(csvField(array.values.at(row * columns + column)));
        addLine(text, line);
    }
    return text;
}

/// Converts a row-major index to an index on each axis.
std::vector<std::size_t> placesOf(std::size_t number, const std::vector<std::size_t>& shape) {
    std::vector<std::size_t> places(shape.size());
    for (std::size_t side = shape.size(); side-- > 0; number /= shape[side])
        places[side] = number % shape[side];
    return places;
}

} // namespace

std::string csvField(std::string_view text) {
    std::string field(text);
    if (!field.empty() && std::string_view("=+-@\t\r\n").find(field.front()) != std::string_view::npos)
        field.insert(field.begin(), '\'');
    const bool spaceOutside = !field.empty() && (field.front() == ' ' || field.back() == ' ');
    if (field.find_first_of(",\"\r\n") == std::string::npos && !spaceOutside)
        return field;
    std::string quoted = "\"";
    for (const char c : field)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

std::string csvField(double number) {
    if (std::isnan(number))
        return {};
    std::array<char, 32> digits{};
    return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr};
}

std::string csvText(const trace::DataArray& array) {
    if (array.shape.size() == 2)
        return matrixText(array);
    std::vector<std::string> line;
    for (const auto& axis : array.axes)
        line.push_back(csvField(axis.name));
    line.push_back(csvField(array.name));
    std::string text;
    addLine(text, line);
    for (std::size_t number = 0; number < array.values.size(); ++number) {
        line.clear();
        const auto places = placesOf(number, array.shape);
        for (std::size_t side = 0; side < places.size(); ++side)
            line.push_back(labelOf(array.axes[side], places[side]));
        line.push_back(csvField(array.values[number]));
        addLine(text, line);
    }
    return text;
}

std::string csvText(const trace::DataTable& table) {
    std::vector<std::string> line;
    for (const auto& column : table.columns)
        line.push_back(csvField(column.title));
    std::string text;
    addLine(text, line);
    for (std::size_t row = 0; row < table.rows(); ++row) {
        line.clear();
        for (const auto& column : table.columns)
            line.push_back(
                std::visit([&](const auto& values) { return csvField(values.at(row)); }, column.values));
        addLine(text, line);
    }
    return text;
}

} // namespace headscope::files
