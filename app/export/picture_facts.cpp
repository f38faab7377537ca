#include "app/export/picture_facts.h"

#include "app/command_line_text.h"
#include "app/version.h"
#include "model/trace/intervention.h"
#include "model/trace/run_path.h"
#include "widgets/export/figure_metadata.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace headscope::app {

namespace {

static_assert(leastPictureSide == widgets::leastSide);

/// True for a trace whose rows attend to later tokens. A trace has one mask for all layers, so its earlier
/// rows are not those of their decoding step.
bool seesLater(const trace::Run& run) {
    if (run.decoder.empty())
        return false;
    const auto& mask = run.decoder.front().mask;
    for (std::size_t query = 0; query < mask.rows(); ++query)
        if (std::ranges::any_of(mask.row(query).subspan(std::min(query + 1, mask.columns())),
                                [](auto cell) { return cell != 0; }))
            return true;
    return false;
}

} // namespace

widgets::FigureFacts pictureFacts(const engine::ModelSource& model, const trace::Request& shown,
                                  const trace::Decoding& usual, const WeightsFile& weights,
                                  const widgets::PictureOptions& options, int newTokens,
                                  const std::stop_token& stop) {
    const auto command = pictureCommandText(model, shown, usual, options, newTokens);
    return {.weights = QString::fromStdString(weightsHash(weights, shown.randomTwin, stop)),
            .software = QStringLiteral("Headscope ") + QString::fromUtf8(version()),
            .command = QString::fromStdString(command.value_or(std::string()))};
}

QString weightsOfTraining() {
    return QCoreApplication::translate("FigureExporter", "several training steps");
}

widgets::FigureFacts trainingFacts(const std::filesystem::path& log, const widgets::PictureOptions& options) {
    return {.weights = weightsOfTraining(),
            .software = QStringLiteral("Headscope ") + QString::fromUtf8(version()),
            .command = QString::fromStdString(shellLine(trainingCommandWords(log, options)))};
}

files::DataNotes dataNotes(const widgets::FigureSource& figure, widgets::FigureFacts facts) {
    const auto weights = std::exchange(facts.weights, {}).toStdString();
    files::DataNotes notes;
    for (const auto& [name, text] : widgets::figureMetadata(figure.figureText(), facts))
        notes.emplace_back(name.toStdString(), text.toStdString());
    if (figure.isOfRun() && !weights.empty())
        notes.emplace_back("Weights", weights);
    return notes;
}

namespace {

/// Pairs each name of pictureParts() with its flag.
auto partsByName(auto& parts) {
    return std::array{std::pair(pictureParts()[0], &parts.caption),
                      std::pair(pictureParts()[1], &parts.notes), std::pair(pictureParts()[2], &parts.marks)};
}

} // namespace

std::vector<std::string> partsWithout(const widgets::FigureParts& parts) {
    std::vector<std::string> names;
    for (const auto& [name, isDrawn] : partsByName(parts))
        if (!*isDrawn)
            names.emplace_back(name);
    return names;
}

widgets::FigureParts figureParts(const widgets::PictureOptions& options) {
    widgets::FigureParts parts;
    for (const auto& [name, isDrawn] : partsByName(parts))
        *isDrawn = std::ranges::find(options.without, name) == options.without.end();
    return parts;
}

widgets::FigureOptions figureOptions(const widgets::PictureOptions& options, widgets::FigureFormat format,
                                     const widgets::FigureSource& source, const widgets::FigureFacts& facts) {
    const widgets::FigureParts parts = figureParts(options);
    const QSize own = widgets::suggestedSize(source, parts);
    widgets::FigureOptions figure{.format = format,
                                  .size = own,
                                  .dpi = options.dpi,
                                  .dark = options.dark,
                                  .fontSize = options.enlarged ? 0 : options.fontSize,
                                  .provenanceBelow = options.caption,
                                  .parts = parts,
                                  .facts = facts};
    if (options.height)
        figure.size = {static_cast<int>(std::lround(*options.height * double(own.width()) / own.height())),
                       *options.height};
    if (options.width)
        figure.size.setWidth(*options.width);
    if (options.width && !options.height)
        figure.size.setHeight(widgets::figureHeight(figure, source));
    if (options.enlarged)
        figure.fontSize = widgets::fillingFontSize(figure, source);
    return figure;
}

widgets::PictureOptions withFontSize(widgets::PictureOptions options, const widgets::FigureSource& source) {
    if (options.enlarged)
        options.fontSize = figureOptions(options, widgets::FigureFormat::Png, source, {}).fontSize;
    options.enlarged = false;
    return options;
}

std::size_t framesOf(const trace::Run& run) {
    // A trace has all rows but no tree, and any program may have chosen its masks.
    const bool areAsTheyWere = run.model->recorded
                                   ? !seesLater(run) && !trace::breaksCausality(run.request.interventions)
                                   : trace::canShowEveryPath(run);
    return run.complete && areAsTheyWere ? run.target.size() : 0;
}

std::optional<widgets::FigureFormat> figureFormatOf(const std::string& path) {
    const QString ending = QString::fromStdString(path).section('.', -1).toLower();
    if (ending == QLatin1String("png"))
        return widgets::FigureFormat::Png;
    if (ending == QLatin1String("svg"))
        return widgets::FigureFormat::Svg;
    if (ending == QLatin1String("pdf"))
        return widgets::FigureFormat::Pdf;
    if (ending == QLatin1String("html"))
        return widgets::FigureFormat::Html;
    return std::nullopt;
}

} // namespace headscope::app
