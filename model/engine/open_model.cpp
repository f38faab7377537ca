#include "model/engine/open_model.h"

#include "model/checkpoint/adapter.h"
#include "model/checkpoint/configure_network.h"
#include "model/checkpoint/describe_network.h"
#include "model/checkpoint/foreign_ids.h"
#include "model/checkpoint/load_parameters.h"
#include "model/checkpoint/missing_settings.h"
#include "model/checkpoint/model_folder.h"
#include "model/checkpoint/network_prefix.h"
#include "model/checkpoint/quantised_model.h"
#include "model/checkpoint/supported_config.h"
#include "model/checkpoint/tensor_lookup.h"
#include "model/engine/open_tokenizer.h"
#include "model/engine/random_network.h"
#include "model/engine/run_memory.h"
#include "model/engine/summarise.h"
#include "model/files/available_memory.h"
#include "model/files/file_kind.h"
#include "model/trace/answer_span.h"
#include "model/trace/class_label.h"
#include "model/trace/joined.h"
#include "model/trace/refusal.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <utility>

namespace headscope::engine {

namespace {

void checkTokenizer(const OpenedTokenizer& opened, const network::NetworkConfig& config) {
    const auto source = opened.tokenizer->size();
    const auto target = opened.tokenizer->targetSize();
    const bool isTranslator = config.decoder.layers > 0;
    // Every row needs a token: one without would be decoded to nothing.
    const auto fits = [&](std::int64_t pieces, std::int64_t rows) {
        return pieces <= rows && rows - pieces <= opened.spareRows;
    };
    const auto ofSource = config.encoder.layers > 0 ? config.sourceVocabulary : config.targetVocabulary;
    if (fits(source, ofSource) && (!isTranslator || fits(target, config.targetVocabulary)))
        return;
    const auto sizes = [&](std::int64_t one, std::int64_t other) {
        const bool differ = isTranslator && one != other;
        return std::to_string(one) + (differ ? " and " + std::to_string(other) : "") + " tokens";
    };
    throw trace::Refusal(
        {.what = "The tokenizer does not belong to this model",
         .where = opened.vocabulary.string(),
         .expected = sizes(ofSource, config.targetVocabulary) + ", as many as the embedding has rows",
         .found = sizes(source, target),
         .wayOut = "give --tokenizer with the file the model was trained with"});
}

constexpr const char* baseKey = "base"; ///< of ModelSource::settings, and of the summary's properties

struct Families {
    std::vector<checkpoint::Family> tables;
    std::vector<trace::RefusalText> broken; ///< tables that could not be read
};

/// Refuses a model without the settings that opening does not need but decoding does.
void refuseMissing(const network::NetworkConfig& config, const checkpoint::Settings& settings,
                   const std::string& where) {
    auto missing = checkpoint::missingSettings(
        config, config.firstStack().heads * config.firstStack().headWidth, settings);
    const auto isNeeded = [](const auto& setting) { return setting.need != trace::Need::Optional; };
    if (std::any_of(missing.begin(), missing.end(), isNeeded))
        throw trace::MissingSettings(std::move(missing), where);
}

/// If no family fits, the refusal also lists unreadable tables: one of them may be the intended one.
checkpoint::Family chooseFamily(const Families& families, const checkpoint::FamilyHints& hints,
                                const std::string& where) {
    try {
        return checkpoint::chooseFamily(families.tables, hints, where);
    } catch (const trace::Refusal& refusal) {
        auto text = refusal.text();
        for (const auto& table : families.broken)
            text.found += "; the table " + table.where + " could not be used: " + table.found;
        throw trace::Refusal(std::move(text));
    }
}

/// Returns the family named by the command line or, failing that, by the folder's files.
std::optional<checkpoint::Settings::Value> statedFamily(const checkpoint::ModelFolder& folder,
                                                        const ModelSource& source) {
    auto stated = checkpoint::statedFamily(folder);
    for (const auto& setting : source.settings)
        if (setting.key == "family")
            stated = {setting.value, "--family"};
    return stated;
}

/// Returns the settings of the files, overridden by those of the command line.
checkpoint::Settings settingsOf(const checkpoint::ModelFolder& folder, const checkpoint::Family& family,
                                const ModelSource& source,
                                const std::map<std::string, std::string>& values = {}) {
    auto settings = checkpoint::readSettings(folder, family.settings, family.configKeys,
                                             {.values = values, .keys = family.checkpointKeys}, family.words);
    for (const auto& [key, value] : source.settings) {
        if (key == baseKey)
            continue;
        std::string option = "--" + key;
        std::replace(option.begin(), option.end(), '_', '-');
        settings.set(key, value, option);
    }
    return settings;
}

/// Returns the shapes of all tensors, including those of dropped duplicates.
checkpoint::TensorShapes shapesIn(const files::TensorFile& file) {
    checkpoint::TensorShapes shapes;
    for (const auto& tensor : file.tensors)
        shapes.emplace(tensor.name, tensor.shape);
    for (const auto& [dropped, kept] : file.metadata)
        if (const auto found = shapes.find(kept); found != shapes.end())
            shapes.emplace(dropped, found->second);
    return shapes;
}

/// Returns the type that a folder names; that of a GGUF file is the architecture which it names itself.
std::optional<checkpoint::Settings::Value> modelType(const checkpoint::ModelFolder& folder,
                                                     const files::TensorFile& file) {
    const auto architecture = file.values.find("general.architecture");
    if (architecture == file.values.end())
        return checkpoint::modelType(folder);
    const auto name = nlohmann::json::parse(architecture->second);
    return checkpoint::Settings::Value{"GGUF " + (name.is_string() ? name.get<std::string>() : name.dump()),
                                       folder.weights.string() + ", \"general.architecture\""};
}

/// Returns what is before the names of the network's tensors, and takes the setting that may say so.
std::string takePrefix(checkpoint::Settings& settings, const checkpoint::TensorShapes& shapes,
                       const checkpoint::Family& family, const std::string& where) {
    if (const auto stated = settings.find("prefix")) {
        settings.erase("prefix");
        return stated->text;
    }
    const auto prefix = checkpoint::networkPrefix(shapes, family);
    checkpoint::refuseSeveral(prefix, where);
    return prefix.text;
}

/// Returns the language that a setting names; nullptr if there is no setting.
const text::Language* languageOf(const checkpoint::Settings& settings, const char* key,
                                 const std::vector<text::Language>& all) {
    const auto stated = settings.find(key);
    if (!stated)
        return nullptr;
    std::vector<std::string> codes;
    for (const auto& language : all)
        if (language.code == stated->text)
            return &language;
        else
            codes.push_back(language.code);
    settings.refuse(key, codes.empty() ? "none: the model has no tokens for languages"
                                       : "one of " + trace::joined(codes));
}

/// Follows the languages of the settings where the tokenizer has a token for each. Else they are those of the
/// folder, which are written into the settings.
void chooseLanguages(OpenModel& model) {
    auto& settings = model.settings;
    const auto languages = model.tokenizer ? model.tokenizer->languageTokens() : text::LanguageTokens();
    if (languages.all.empty()) {
        for (const auto* key : {sourceLanguageKey, targetLanguageKey})
            if (const auto stated = settings.find(key); stated && stated->origin.starts_with("--"))
                languageOf(settings, key, {});
        return;
    }
    if (!languageOf(settings, sourceLanguageKey, languages.all) && !languages.source.empty())
        settings.set(sourceLanguageKey, languages.source, "the tokenizer");
    auto& forced = model.generation.decoding.forcedFirst;
    if (const auto* target = languageOf(settings, targetLanguageKey, languages.all)) {
        if (languages.place == text::TargetLanguage::FirstInput)
            settings.set("start_id", std::to_string(target->id), target->code);
        else
            forced = target->id;
        return;
    }
    const bool starts = languages.place == text::TargetLanguage::FirstInput;
    const auto folders = starts ? settings.integer("start_id") : forced;
    for (const auto& language : languages.all)
        if (language.id == folders)
            settings.set(targetLanguageKey, language.code, "the folder");
}

/// Reads tokenizer and generation settings beside the weights.
void addNeighbours(OpenModel& model, const checkpoint::ModelFolder& folder) {
    const auto& config = model.network->config();
    auto opened =
        openTokenizer(folder, model.settings, config.hasCrossAttention() ? config.targetVocabulary : 0);
    if (opened.tokenizer)
        checkTokenizer(opened, config);
    model.tokenizer = std::move(opened.tokenizer);
    model.tokenizerFiles = std::move(opened.files);
    model.settings.erase("dataset"); // the tokenizer is found
    if (!model.tokenizer)            // the program that saved the model named files that are not there
        for (const char* key : {"source_vocabulary", "target_vocabulary"})
            model.settings.erase(key);
    const auto isNamed = [](const checkpoint::TokenizerFile& file) { return !file.setting.empty(); };
    if (!model.tokenizerFiles.empty() && std::ranges::none_of(model.tokenizerFiles, isNamed))
        for (const char* key : {"tokenizer", "target_vocabulary"})
            model.settings.erase(key); // its files are found by their own names
    if (config.decoder.layers > 0)
        model.generation = checkpoint::readGeneration(folder, model.settings, config);
    if (model.generation.start && !model.settings.find("start_id"))
        model.settings.set("start_id", std::to_string(*model.generation.start), "generation_config.json");
    chooseLanguages(model);
}

/// Returns the base that the command line names; refuses one for a model that is no adapter.
std::optional<std::filesystem::path> statedBase(const ModelSource& source, bool isAdapter) {
    for (const auto& [key, value] : source.settings)
        if (key == baseKey && isAdapter)
            return value;
        else if (key == baseKey)
            throw trace::Refusal({.what = "Only an adapter has a base",
                                  .where = "--base",
                                  .expected = "a folder with adapter_config.json",
                                  .found = source.path.string(),
                                  .wayOut = "leave --base out"});
    return std::nullopt;
}

/// An adapter for a task makes a model of another class than its base.
void followTask(OpenModel& model, const checkpoint::Adapter& adapter) {
    const std::string_view ending = adapter.task == "SEQ_CLS"        ? "ForSequenceClassification"
                                    : adapter.task == "TOKEN_CLS"    ? "ForTokenClassification"
                                    : adapter.task == "QUESTION_ANS" ? "ForQuestionAnswering"
                                                                     : "";
    for (const auto& name : model.family.architectures)
        if (!ending.empty() && name.ends_with(ending))
            return model.settings.set("model_class", name, adapter.config.string());
}

std::unique_ptr<OpenModel> openTrained(checkpoint::ModelFolder folder, const ModelSource& source,
                                       const Families& families, const std::stop_token& stop) {
    const auto adapter = checkpoint::findAdapter(folder.weights);
    const auto stated = statedBase(source, adapter.has_value());
    const auto base = adapter ? checkpoint::baseOf(*adapter, stated) : std::filesystem::path();
    const auto opened = folder;
    if (adapter)
        folder = checkpoint::findModel(base);
    const auto where = folder.weights.string();
    checkpoint::refuseQuantised(folder);
    auto file = files::readTensorFile(folder.weights, stop);
    trace::throwIfStopped(stop);

    const auto shapes = shapesIn(file);
    checkpoint::refuseQuantised(shapes, where);
    auto model = std::make_unique<OpenModel>();
    model->family = chooseFamily(
        families,
        {.key = statedFamily(folder, source), .modelType = modelType(folder, file), .shapes = shapes}, where);
    checkpoint::findOwnConfiguration(folder, model->family.configFile);
    checkpoint::refuseUnsupported(folder, model->family, file.values);
    model->settings = settingsOf(folder, model->family, source, file.values);
    const auto prefix = takePrefix(model->settings, shapes, model->family, where);
    std::vector<std::pair<std::string, std::string>> adapted;
    if (adapter) {
        followTask(*model, *adapter);
        auto merged = checkpoint::merge(*adapter, files::readTensorFile(opened.weights, stop),
                                        std::move(file), model->family, prefix);
        file = std::move(merged.file);
        adapted = {{"adapter", merged.words},
                   {baseKey, std::filesystem::absolute(base).lexically_normal().string()}};
    }
    const auto heads = model->settings.integer("heads").value_or(0);
    const checkpoint::TensorLookup tensors(
        file, model->family,
        {.heads = {.queries = heads, .keyValues = model->settings.integer("key_value_heads").value_or(heads)},
         .prefix = prefix,
         .tiesStacks = model->settings.yesOrNo("tied_stacks").value_or(false)});
    const auto config = checkpoint::describeNetwork(tensors, model->family, model->settings, where);
    if (source.toDecode)
        refuseMissing(config, model->settings, where);
    refuseTooLarge(
        network::Transformer::memoryOfPositions(config) + checkpoint::memoryOfCopies(config, tensors),
        {.where = where, .wayOut = "close other programs or other models"}, files::availableMemory());
    auto notes = checkpoint::removeForeignIds(model->settings, config);
    auto loaded = checkpoint::loadNetwork(config, tensors, model->family, where, stop);
    model->network = std::move(loaded.network);
    trace::throwIfStopped(stop);
    addNeighbours(*model, folder);
    model->attributionFile = folder.attribution;
    folder.name = opened.name;
    folder.weights = opened.weights;
    model->summary = summarise(*model, folder,
                               {.format = file.format,
                                .prefix = prefix,
                                .adapted = std::move(adapted),
                                .notes = std::move(notes),
                                .ignoredTensors = loaded.unused});
    return model;
}

std::unique_ptr<OpenModel> openRandom(const checkpoint::ModelFolder& folder, const ModelSource& source,
                                      const Families& families, const std::stop_token& stop) {
    const auto where = folder.config->string();
    auto model = std::make_unique<OpenModel>();
    const auto stated =
        statedFamily(folder, source).value_or(checkpoint::Settings::Value{"headscope", where});
    model->family = chooseFamily(families, {.key = stated}, where);
    model->settings = settingsOf(folder, model->family, source);
    const auto config = checkpoint::configureNetwork(model->family, model->settings, where);
    if (source.toDecode)
        refuseMissing(config, model->settings, where);
    model->network =
        makeRandomNetwork(config,
                          {.seed = *source.randomSeed,
                           .where = where,
                           .wayOut = "choose fewer layers, smaller widths or smaller vocabularies"},
                          stop);
    addNeighbours(*model, folder);
    model->summary = summarise(*model, folder,
                               {.format = "random weights, seed " + std::to_string(*source.randomSeed),
                                .ignoredKeys = checkpoint::ignoredKeys(folder, model->family.configKeys)});
    return model;
}

} // namespace

trace::Token OpenModel::token(std::int64_t id) const {
    const auto& special = summary->special;
    trace::TokenRole role = trace::TokenRole::Text;
    if (special.isEnd(id))
        role = trace::TokenRole::End;
    else if (id == special.padding)
        role = trace::TokenRole::Padding;
    else if (id == special.start)
        role = trace::TokenRole::Start;
    else if (id == special.unknown)
        role = trace::TokenRole::Unknown;
    return {.id = id, .piece = tokenizer ? tokenizer->piece(id) : "#" + std::to_string(id), .role = role};
}

trace::Token OpenModel::targetToken(std::int64_t id) const {
    auto token = this->token(id);
    if (tokenizer)
        token.piece = tokenizer->targetPiece(id);
    return token;
}

std::optional<std::int64_t> OpenModel::firstOfTargetText() const {
    const bool isFirst = !tokenizer || tokenizer->languageTokens().place != text::TargetLanguage::AfterEnd;
    return isFirst ? generation.decoding.forcedFirst : std::nullopt;
}

trace::Token OpenModel::classToken(std::int64_t index) const {
    return {.id = index, .piece = trace::classLabel(summary.get(), index)};
}

trace::Token OpenModel::answerToken(std::int64_t index) const {
    return summary->classes > 0 || summary->tokenLabels > 0 ? classToken(index) : targetToken(index);
}

trace::Token OpenModel::classNamed(const std::string& name) const {
    const auto classes = std::max(summary->classes, summary->tokenLabels);
    auto index = trace::numberNamed(name).value_or(-1);
    for (std::int64_t c = 0; index < 0 && c < classes; ++c)
        if (classToken(c).piece == name)
            index = c;
    if (index < 0 || index >= classes)
        throw trace::Refusal(
            {.what = summary->classes > 0 ? "This is no class of the model" : "This is no label of the model",
             .where = trace::contrastOption,
             .expected = (summary->classLabels.empty() ? std::string()
                                                       : trace::joined(summary->classLabels) + ", or ") +
                         "# and an index below " + std::to_string(classes),
             .found = "\"" + name + "\"",
             .wayOut = summary->classes > 0 ? "name one of its classes" : "name one of its labels"});
    return classToken(index);
}

std::optional<trace::Token> OpenModel::contrastOf(const trace::Request& request,
                                                  const std::vector<trace::Token>& source,
                                                  std::optional<trace::TokenIndex> second) const {
    if (!request.ratherThan)
        return std::nullopt;
    const std::string& name = *request.ratherThan;
    if (summary->tokenPrediction == trace::TokenPrediction::Span) {
        if (auto token = trace::placedTokenNamed(name, source, second))
            return token;
        throw trace::Refusal(
            {.what = "This is no token of the text",
             .where = trace::contrastOption,
             .expected = "a token of the text as it is spelled, or # and its place from 0 to " +
                         std::to_string(source.size() - 1),
             .found = "\"" + name + "\"",
             .wayOut = "look at the tokens of the text for their spelling"});
    }
    const bool isMasked = summary->tokenPrediction == trace::TokenPrediction::Masked;
    if (summary->classes > 0 || summary->tokenLabels > 0)
        return classNamed(name);
    if (summary->decoderLayers == 0 && !isMasked)
        throw trace::Refusal(
            {.what = "This model predicts no token to compare with",
             .where = trace::contrastOption,
             .expected =
                 "a model that decodes, classifies, labels tokens, marks an answer or predicts masked tokens",
             .found = summary->numbers > 0 ? "one that predicts a number" : "an encoder alone",
             .wayOut = std::string("leave ") + trace::contrastOption + " out"});
    const auto vocabulary = isMasked ? summary->sourceVocabulary : summary->targetVocabulary;
    std::string found = "\"" + name + "\"";
    std::int64_t id = trace::numberNamed(name).value_or(-1);
    if (id < 0 && tokenizer) {
        // A word is meant as lists show it, where a piece inside of words may have the same letters.
        const auto pieces = tokenizer->encodeTarget(name);
        if (pieces.size() == 1 && pieces.front().role == trace::TokenRole::Text)
            id = pieces.front().id;
        for (std::int64_t piece = 0; id < 0 && piece < tokenizer->targetSize(); ++piece)
            if (tokenizer->targetPiece(piece) == name)
                id = piece;
        if (id < 0 && pieces.size() > 1)
            found += ", which is " + std::to_string(pieces.size()) + " pieces";
    }
    if (id < 0 || id >= vocabulary)
        throw trace::Refusal(
            {.what = isMasked ? "This is no token of the model's vocabulary"
                              : "This is no token of the model's target vocabulary",
             .where = trace::contrastOption,
             .expected = "a word of one piece, a piece, or # and an id below " + std::to_string(vocabulary),
             .found = found,
             .wayOut = "look at the candidates of a step for pieces and ids"});
    return targetToken(id);
}

std::unique_ptr<OpenModel> openModel(const ModelSource& source,
                                     const std::vector<std::filesystem::path>& familyFolders,
                                     std::stop_token stop) {
    Families families;
    families.tables = checkpoint::loadFamilies(familyFolders, families.broken);
    const auto folder =
        source.randomSeed ? checkpoint::findConfiguration(source.path) : checkpoint::findModel(source.path);
    try {
        auto model = source.randomSeed ? openRandom(folder, source, families, stop)
                                       : openTrained(folder, source, families, stop);
        files::giveBackFreedMemory();
        return model;
    } catch (const trace::MissingSettings&) {
        throw;
    } catch (const trace::Refusal& refusal) {
        throw trace::Refusal(checkpoint::withoutLinkedContent(refusal.text(), folder));
    }
}

} // namespace headscope::engine
