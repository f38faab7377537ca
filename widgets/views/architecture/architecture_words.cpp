#include "widgets/views/architecture/architecture_words.h"

#include "model/analysis/architecture/architecture_memory.h"
#include "widgets/drawing/token_label.h"
#include "widgets/words/captions.h"
#include "widgets/words/model_words.h"
#include "widgets/words/trace_words.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headscope::widgets {

namespace {

using analysis::ArchitectureBlock;
using analysis::BlockKind;
using analysis::Side;

struct ArchitectureWords {
    Q_DECLARE_TR_FUNCTIONS(Architecture)
};

QString lengthText(double length) {
    return QString::number(length, 'f', 2);
}

QString parametersInWords(const ArchitectureFacts& facts, const ArchitectureBlock& block) {
    if (!analysis::parametersAreKnown(*facts.model))
        return ArchitectureWords::tr("The trace does not contain the number of parameters.");
    QString words =
        ArchitectureWords::tr("Parameters: %1.").arg(QLocale().toString(qint64(block.parameters)));
    for (const auto& [one, other] : facts.architecture.ties)
        if (block.role == one || block.role == other) {
            const auto* twin = facts.architecture.find(block.role == one ? other : one);
            words +=
                QChar(' ') +
                ArchitectureWords::tr("The same weights as %1, counted once.").arg(blockName(facts, *twin));
        }
    return words;
}

/// "7.9 kB", or the formula in letters without a run.
QString activationInWords(const ArchitectureFacts& facts, const ArchitectureBlock& block) {
    const QString formula = QString::fromStdString(analysis::activationFormula(block));
    if (formula.isEmpty())
        return ArchitectureWords::tr("No computation: table lookup.");
    const auto lengths = facts.lengths();
    if (!lengths || std::isnan(analysis::activationBytes(block, *lengths)))
        return ArchitectureWords::tr("Activations: %1 bytes.").arg(formula);
    const auto at = [&](int times) {
        auto longer = *lengths;
        longer.source *= times;
        longer.target *= times;
        return bytesInWords(analysis::activationBytes(block, longer));
    };
    return ArchitectureWords::tr(
               "Activations: %1 = %2 for this sentence, %3 at twice its length, %4 at ten times: the outputs "
               "of all operations in one forward pass without gradients, in float32 (4 bytes); each number "
               "before a shape counts the tensors of that shape over all layers.")
        .arg(formula, at(1), at(2), at(10));
}

/// The token of the current row, for the side that has one.
std::optional<std::size_t> tokenOf(const ArchitectureFacts& facts, Side side) {
    return side == Side::Target ? facts.shownRow() : std::nullopt;
}

/// The values without those of padding tokens.
std::vector<double> ofTokens(const ArchitectureFacts& facts, Side side, const std::vector<double>& values) {
    if (!facts.run)
        return values;
    const auto& tokens = side == Side::Source ? facts.run->source : facts.run->target;
    std::vector<double> known;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (i >= tokens.size() || tokens[i].role != trace::TokenRole::Padding)
            known.push_back(values[i]);
    return known;
}

QString flowAtToken(const ArchitectureFacts& facts, const ArchitectureBlock& block,
                    const trace::SublayerFlow& flow) {
    const auto row = tokenOf(facts, block.side);
    if (!row || *row >= flow.before.size())
        return {};
    return QChar(' ') +
           ArchitectureWords::tr("At %1, the input of this step: %2 before, %3 added, %4 after, cosine %5.")
               .arg(quoted(tokenLabel(facts.run->target[*row])), lengthText(flow.before[*row]),
                    lengthText(flow.added[*row]), lengthText(flow.after[*row]),
                    numberText(flow.cosine[*row]));
}

QString streamInWords(const ArchitectureFacts& facts, const ArchitectureBlock& block) {
    const auto* flow = facts.flowOf(block);
    if (!flow)
        return {};
    const auto mean = [&](const std::vector<double>& values) { return meanOf(facts, block.side, values); };
    return ArchitectureWords::tr("Residual stream, norms averaged over %1 tokens: %2 before, %3 added, %4 "
                                 "after; cosine between the addition and the stream before: %5.")
               .arg(QString::number(ofTokens(facts, block.side, flow->before).size()),
                    lengthText(mean(flow->before)), lengthText(mean(flow->added)),
                    lengthText(mean(flow->after)), numberText(mean(flow->cosine))) +
           flowAtToken(facts, block, *flow);
}

QString unitsInWords(const ArchitectureFacts& facts, const ArchitectureBlock& block) {
    const auto* flow = facts.flowOf(block);
    if (!flow || flow->units == 0)
        return {};
    return ArchitectureWords::tr("Dead units: %1 of %2 (%3 %); their activation input is never above 0 in "
                                 "this sentence. Over all units and tokens, %4 % of the inputs are above 0.")
        .arg(QLocale().toString(qint64(flow->deadUnits)), QLocale().toString(qint64(flow->units)),
             QString::number(100.0 * double(flow->deadUnits) / double(flow->units), 'f', 1),
             QString::number(100 * flow->activeShare, 'f', 1));
}

/// Norms of the stream around a block of several sublayers, from the first to the last; `out` is null for
/// what only feeds the first.
struct Through {
    const std::vector<double>* in = nullptr;
    const std::vector<double>* out = nullptr;
};

std::optional<Through> throughOf(const ArchitectureFacts& facts, const ArchitectureBlock& block) {
    if (!facts.flow)
        return std::nullopt;
    const trace::ModelFlow& flow = *facts.flow;
    const bool source = block.side == Side::Source;
    const auto& in = source ? flow.sourceEmbedding : flow.targetEmbedding;
    if (block.kind == BlockKind::Stack)
        return Through{&in, source ? &flow.encoderOutput : &flow.decoderOutput};
    if (block.kind == BlockKind::Layer) {
        const auto* first = facts.flowOf(block.children.front());
        const auto* last = facts.flowOf(block.children.back());
        return first && last ? std::optional(Through{&first->before, &last->after}) : std::nullopt;
    }
    const bool feeds =
        block.kind == BlockKind::Embedding || (block.kind == BlockKind::Add && block.layer < 0);
    return feeds ? std::optional(Through{&in}) : std::nullopt;
}

QString throughInWords(const ArchitectureFacts& facts, const ArchitectureBlock& block) {
    const auto through = throughOf(facts, block);
    if (!through)
        return {};
    const QString in = lengthText(meanOf(facts, block.side, *through->in));
    if (!through->out)
        return ArchitectureWords::tr("The mean norm of the first layer's input is %1.").arg(in);
    return ArchitectureWords::tr(
               "Residual stream, norms averaged over %1 tokens: %2 at the input, %3 at the output.")
        .arg(QString::number(ofTokens(facts, block.side, *through->in).size()), in,
             lengthText(meanOf(facts, block.side, *through->out)));
}

/// All sublayers scaled to 0, in the order of the forward pass.
void addOff(const ArchitectureFacts& facts, const std::vector<ArchitectureBlock>& blocks, QStringList& off) {
    for (const auto& block : blocks) {
        const bool isSublayer = block.kind == BlockKind::SelfAttention ||
                                block.kind == BlockKind::CrossAttention ||
                                block.kind == BlockKind::FeedForward;
        if (isSublayer && facts.isOff(block.sublayer))
            off += blockName(facts, block);
        addOff(facts, block.children, off);
    }
}

/// What is highlighted besides the column of the step, and what is not.
QString litInWords(const ArchitectureFacts& facts) {
    QString words =
        facts.readsSource()
            ? QChar(' ') + ArchitectureWords::tr("The encoder is highlighted as cross-attention reads it.")
            : QString();
    QStringList off;
    addOff(facts, facts.architecture.source, off);
    addOff(facts, facts.architecture.target, off);
    return off.empty() ? words
                       : words + QChar(' ') +
                             ArchitectureWords::tr("Scaled to 0, dashed and not highlighted: %1.")
                                 .arg(off.join(ArchitectureWords::tr("; ")));
}

/// The parts of the model's memory.
QString modelBytesInWords(const trace::ModelSummary& model) {
    constexpr std::int64_t bytesOfFloat = 4;
    const QString parameters = QLocale().toString(qint64(model.parameters));
    const std::int64_t trained = bytesOfFloat * model.parameters;
    if (model.bytes < trained)
        return ArchitectureWords::tr("%1 parameters").arg(parameters);
    const QString words = ArchitectureWords::tr("%1 parameters of 4 bytes each").arg(parameters);
    return model.bytes == trained
               ? words
               : ArchitectureWords::tr("%1: %2; the other %3 are untrained tables, such as positions")
                     .arg(words, bytesInWords(double(trained)), bytesInWords(double(model.bytes - trained)));
}

/// "NAME as described by its configuration"; for a trace also what is missing.
QString asDescribed(const ArchitectureFacts& facts) {
    const QString name = modelTitle(*facts.model);
    if (!facts.model->recorded)
        return ArchitectureWords::tr("%1 as described by its configuration").arg(name);
    const QString words =
        (analysis::isBuildKnown(*facts.model)
             ? ArchitectureWords::tr("%1 as described by the trace")
             : ArchitectureWords::tr("%1: only the recorded attention; the file does not describe the rest "
                                     "of the layers, and letters stand for unknown sizes"))
            .arg(name);
    const QString lacks = facts.run ? whatIsNotHeld(*facts.run) : QString();
    return lacks.isEmpty() ? words : ArchitectureWords::tr("%1; missing and dashed: %2").arg(words, lacks);
}

QString flag(const ArchitectureFacts& facts, const char* key) {
    return QString::fromStdString(facts.model->property(key));
}

QString normTitle(const ArchitectureFacts& facts) {
    return flag(facts, "norm_kind") == "root-mean-square" ? ArchitectureWords::tr("RMS norm")
                                                          : ArchitectureWords::tr("Layer norm");
}

QString activationTitle(const ArchitectureFacts& facts, Side side) {
    const QString own = side == Side::Target ? flag(facts, "decoder_activation") : QString();
    const QString name = own.isEmpty() ? flag(facts, "activation") : own;
    return name == "relu"       ? QStringLiteral("ReLU")
           : name == "gelu"     ? QStringLiteral("GELU")
           : name == "gelu_new" ? ArchitectureWords::tr("GELU (tanh)")
           : name == "silu"     ? QStringLiteral("SiLU")
                                : ArchitectureWords::tr("Activation");
}

QString stackTitle(const ArchitectureFacts& facts, Side side) {
    return side == Side::Source ? ArchitectureWords::tr("Encoder × %1").arg(facts.model->encoderLayers)
                                : ArchitectureWords::tr("Decoder × %1").arg(facts.model->decoderLayers);
}

/// Adds how the attention itself encodes positions.
QString withPositions(const ArchitectureFacts& facts, const ArchitectureBlock& block, const QString& title) {
    const bool cross = block.sublayer && block.sublayer->kind == trace::SublayerKind::Cross;
    const auto kind = cross ? trace::PositionKind::None : facts.model->positionKind;
    const bool scores = block.kind != BlockKind::Projections;
    const bool projections = block.kind != BlockKind::Scores;
    return kind == trace::PositionKind::DistanceBias && scores
               ? ArchitectureWords::tr("%1, distance bias").arg(title)
           : kind == trace::PositionKind::Rotation && projections
               ? ArchitectureWords::tr("%1, rotated by position").arg(title)
               : title;
}

QString scaleTitle(const ArchitectureFacts& facts) {
    const QString said = flag(facts, "score_scale");
    if (said.isEmpty() && facts.model->recorded)
        return ArchitectureWords::tr("Q Kᵀ, scale unknown, mask");
    const double scale = said.toDouble();
    const double usual = 1 / std::sqrt(facts.model->headWidth);
    if (scale == 0 || scale == 1)
        return ArchitectureWords::tr("Q Kᵀ, mask");
    return std::abs(scale - usual) < 1e-6 ? ArchitectureWords::tr("Q Kᵀ / √d_k, mask")
                                          : ArchitectureWords::tr("Q Kᵀ × %1, mask").arg(scale);
}

} // namespace

QString bytesInWords(double bytes) {
    return QLocale().formattedDataSize(static_cast<qint64>(bytes), bytes < 1000 ? 0 : 1,
                                       QLocale::DataSizeSIFormat);
}

double meanOf(const ArchitectureFacts& facts, Side side, const std::vector<double>& values) {
    const auto known = ofTokens(facts, side, values);
    return known.empty() ? std::nan("")
                         : std::accumulate(known.begin(), known.end(), 0.0) / double(known.size());
}

QStringList blockInWords(const ArchitectureFacts& facts, const ArchitectureBlock& block) {
    QStringList lines{blockName(facts, block),
                      ArchitectureWords::tr("Out: %1.").arg(outInWords(facts, block, ", ")) + QChar(' ') +
                          parametersInWords(facts, block),
                      activationInWords(facts, block), streamInWords(facts, block),
                      throughInWords(facts, block)};
    if (block.kind == BlockKind::FeedForward || block.kind == BlockKind::Activation)
        lines += unitsInWords(facts, block);
    if (facts.run && !facts.flow)
        lines += facts.whyNoFlow.isEmpty() ? ArchitectureWords::tr("Measuring the residual stream...")
                                           : facts.whyNoFlow;
    lines.removeAll(QString());
    return lines;
}

namespace {

void addNorms(std::vector<BlockFact>& rows, const ArchitectureFacts& facts, const ArchitectureBlock& block) {
    const auto mean = [&](const std::vector<double>& values) {
        return lengthText(meanOf(facts, block.side, values));
    };
    const auto heading = [&](const std::vector<double>& of) {
        rows.push_back(
            {ArchitectureWords::tr("Norms, mean of %1 tokens").arg(ofTokens(facts, block.side, of).size()),
             {}});
    };
    if (const auto* flow = facts.flowOf(block)) {
        heading(flow->before);
        rows.push_back({ArchitectureWords::tr("before"), mean(flow->before)});
        rows.push_back({ArchitectureWords::tr("added"), mean(flow->added)});
        rows.push_back({ArchitectureWords::tr("after"), mean(flow->after)});
        rows.push_back(
            {ArchitectureWords::tr("cosine"), numberText(meanOf(facts, block.side, flow->cosine))});
        const auto row = tokenOf(facts, block.side);
        if (!row || *row >= flow->before.size())
            return;
        rows.push_back({ArchitectureWords::tr("At %1").arg(quoted(tokenLabel(facts.run->target[*row]))), {}});
        rows.push_back({ArchitectureWords::tr("before"), lengthText(flow->before[*row])});
        rows.push_back({ArchitectureWords::tr("added"), lengthText(flow->added[*row])});
        rows.push_back({ArchitectureWords::tr("after"), lengthText(flow->after[*row])});
        rows.push_back({ArchitectureWords::tr("cosine"), numberText(flow->cosine[*row])});
        return;
    }
    if (const auto through = throughOf(facts, block)) {
        heading(*through->in);
        rows.push_back({ArchitectureWords::tr("input"), mean(*through->in)});
        if (through->out)
            rows.push_back({ArchitectureWords::tr("output"), mean(*through->out)});
    }
}

void addActivations(std::vector<BlockFact>& rows, const ArchitectureFacts& facts,
                    const ArchitectureBlock& block) {
    rows.push_back({ArchitectureWords::tr("Activations"), {}});
    const QString formula = QString::fromStdString(analysis::activationFormula(block));
    if (formula.isEmpty())
        return rows.push_back({ArchitectureWords::tr("none"), ArchitectureWords::tr("table lookup")});
    const auto lengths = facts.lengths();
    for (const auto& [times, name] : {std::pair(1, ArchitectureWords::tr("this sentence")),
                                      std::pair(2, ArchitectureWords::tr("twice as long")),
                                      std::pair(10, ArchitectureWords::tr("ten times"))}) {
        auto longer = lengths.value_or(analysis::Lengths());
        longer.source *= times;
        longer.target *= times;
        const double bytes = lengths ? analysis::activationBytes(block, longer) : std::nan("");
        if (!std::isnan(bytes))
            rows.push_back({name, bytesInWords(bytes)});
    }
    rows.push_back({ArchitectureWords::tr("bytes"), formula});
}

} // namespace

std::vector<BlockFact> blockFacts(const ArchitectureFacts& facts, const ArchitectureBlock& block) {
    std::vector<BlockFact> rows{{ArchitectureWords::tr("Shapes"), {}},
                                {ArchitectureWords::tr("out"), outInWords(facts, block, "\n")},
                                {ArchitectureWords::tr("Parameters"), {}}};
    if (analysis::parametersAreKnown(*facts.model))
        rows.push_back({ArchitectureWords::tr("all"), QLocale().toString(qint64(block.parameters))});
    else
        rows.push_back({ArchitectureWords::tr("all"), ArchitectureWords::tr("not in the trace")});
    for (const auto& [one, other] : facts.architecture.ties)
        if (block.role == one || block.role == other)
            rows.push_back({ArchitectureWords::tr("same as"),
                            blockName(facts, *facts.architecture.find(block.role == one ? other : one))});
    addActivations(rows, facts, block);
    addNorms(rows, facts, block);
    const auto* flow = facts.flowOf(block);
    if (flow && flow->units > 0 &&
        (block.kind == BlockKind::FeedForward || block.kind == BlockKind::Activation)) {
        rows.push_back({ArchitectureWords::tr("Dead units"), {}});
        rows.push_back(
            {ArchitectureWords::tr("never above 0"),
             ArchitectureWords::tr("%1 of %2 (%3 %)")
                 .arg(QLocale().toString(qint64(flow->deadUnits)), QLocale().toString(qint64(flow->units)),
                      QString::number(100.0 * double(flow->deadUnits) / double(flow->units), 'f', 1))});
        rows.push_back(
            {ArchitectureWords::tr("above 0"), ArchitectureWords::tr("%1 % of units × tokens")
                                                   .arg(QString::number(100 * flow->activeShare, 'f', 1))});
    }
    if (facts.run && !facts.flow)
        rows.push_back({ArchitectureWords::tr("Norms"),
                        facts.whyNoFlow.isEmpty() ? ArchitectureWords::tr("measuring...") : facts.whyNoFlow});
    return rows;
}

QString modelInShort(const ArchitectureFacts& facts) {
    const auto& model = *facts.model;
    QStringList parts{layersInWords(model)};
    if (const int heads = std::max(model.encoderHeads, model.decoderHeads); heads > 0)
        parts += heads == 1 ? ArchitectureWords::tr("1 head") : ArchitectureWords::tr("%1 heads").arg(heads);
    if (analysis::parametersAreKnown(model))
        parts += ArchitectureWords::tr("%1 parameters").arg(QLocale().toString(qint64(model.parameters)));
    return parts.join(QStringLiteral(", "));
}

QString memoryInWords(const ArchitectureFacts& facts) {
    const auto& model = *facts.model;
    QStringList parts;
    if (analysis::parametersAreKnown(model))
        parts += (model.recorded ? ArchitectureWords::tr("the recorded model %1 (%2), not open")
                                 : ArchitectureWords::tr("the open model %1 (%2)"))
                     .arg(bytesInWords(double(model.bytes)), modelBytesInWords(model));
    if (const auto lengths = facts.lengths()) {
        parts += ArchitectureWords::tr("this run's maps %1 (weights of every head, and scores if available)")
                     .arg(bytesInWords(analysis::mapBytes(*facts.run)));
        const double pass = analysis::activationBytes(facts.architecture, *lengths);
        if (!std::isnan(pass) && analysis::isBuildKnown(model))
            parts += ArchitectureWords::tr("one full pass would compute %1").arg(bytesInWords(pass));
    }
    return ArchitectureWords::tr("Memory: %1.").arg(parts.join(QStringLiteral("; ")));
}

QString architectureCaption(const ArchitectureFacts& facts) {
    QString words =
        facts.model->isDecoderAlone()
            ? ArchitectureWords::tr("%1, decoder only, from bottom to top.").arg(asDescribed(facts))
        : facts.model->decoderLayers > 0
            ? ArchitectureWords::tr("%1, from bottom to top: encoder left, decoder right.")
                  .arg(asDescribed(facts))
            : ArchitectureWords::tr("%1, encoder only, from bottom to top.").arg(asDescribed(facts));
    const auto lengths = facts.lengths();
    words += QChar(' ');
    if (!lengths && facts.model->isDecoderAlone())
        return words + ArchitectureWords::tr("Each arrow shows the tensor's shape: N sentences of T tokens.");
    if (!lengths)
        return words +
               ArchitectureWords::tr(
                   "Each arrow shows the tensor's shape: N sentences of S source and T target tokens.");
    words +=
        facts.model->isDecoderAlone()
            ? ArchitectureWords::tr("Each arrow shows the tensor's shape: N = 1 sentence, T = %1 fed tokens.")
                  .arg(lengths->target)
        : facts.model->decoderLayers > 0
            ? ArchitectureWords::tr("Each arrow shows the tensor's shape: N = 1 sentence, S = %1 source and "
                                    "T = %2 fed target tokens.")
                  .arg(lengths->source)
                  .arg(lengths->target)
            : ArchitectureWords::tr("Each arrow shows the tensor's shape: N = 1 sentence, S = %1 tokens.")
                  .arg(lengths->source);
    if (const auto row = facts.shownRow())
        words += QChar(' ') +
                 ArchitectureWords::tr("Highlighted: the path of step %1, which was fed %2 and chose %3.")
                     .arg(QString::number(*row + 1), quoted(tokenLabel(facts.run->target[*row])),
                          quoted(tokenLabel(facts.run->next[*row]))) +
                 litInWords(facts);
    return words;
}

QString architectureTableCaption(const ArchitectureFacts& facts) {
    QString words = ArchitectureWords::tr("%1, block by block in forward order: the shape of the output, and "
                                          "the number of parameters including inner blocks.")
                        .arg(asDescribed(facts));
    if (facts.lengths())
        words += QChar(' ') + ArchitectureWords::tr("Activations in float32 of one full pass of this "
                                                    "sentence, and of sentences two and ten times as long.");
    if (facts.flow)
        words += QChar(' ') +
                 ArchitectureWords::tr("Norms of the residual stream before each sublayer, of the addition "
                                       "and of the stream after it, averaged over all tokens; the cosine "
                                       "between the first two; and units that are never above 0.");
    return words;
}

QString blockTitle(const ArchitectureFacts& facts, const ArchitectureBlock& block) {
    switch (block.kind) {
    case BlockKind::Embedding:
        return ArchitectureWords::tr("Embedding");
    case BlockKind::Positions:
        if (block.role.ends_with("segment_embedding"))
            return ArchitectureWords::tr("Segments");
        return flag(facts, "positions").startsWith("sinusoid") ? ArchitectureWords::tr("Sinusoids")
                                                               : ArchitectureWords::tr("Positions");
    case BlockKind::Add:
        return QStringLiteral("+");
    case BlockKind::Norm:
        return normTitle(facts);
    case BlockKind::Stack:
        return stackTitle(facts, block.side);
    case BlockKind::Layer:
        return ArchitectureWords::tr("Layer %1").arg(block.layer);
    case BlockKind::SelfAttention:
        return withPositions(facts, block,
                             block.side == Side::Source ? ArchitectureWords::tr("Self-attention")
                                                        : ArchitectureWords::tr("Masked self-attention"));
    case BlockKind::CrossAttention:
        return ArchitectureWords::tr("Cross-attention");
    case BlockKind::FeedForward:
        return ArchitectureWords::tr("Feed-forward");
    case BlockKind::Projections:
        return withPositions(facts, block, ArchitectureWords::tr("Linear: Q, K, V"));
    case BlockKind::Scores:
        return withPositions(facts, block, scaleTitle(facts));
    case BlockKind::Softmax:
        return ArchitectureWords::tr("Softmax");
    case BlockKind::WeightedSum:
        return ArchitectureWords::tr("Weights × V");
    case BlockKind::OutputProjection:
        return ArchitectureWords::tr("Heads joined, linear");
    case BlockKind::Router:
        return ArchitectureWords::tr("Router: %1 of %2 experts")
            .arg(flag(facts, "experts_per_token"), flag(facts, "experts"));
    case BlockKind::Widen:
        return ArchitectureWords::tr("Linear to d_ff");
    case BlockKind::Activation:
        return activationTitle(facts, block.side);
    case BlockKind::Narrow:
        return ArchitectureWords::tr("Linear to d_model");
    case BlockKind::Generator:
        return ArchitectureWords::tr("Generator");
    case BlockKind::LogSoftmax:
        return ArchitectureWords::tr("Log-softmax");
    case BlockKind::MaxPooling:
        return ArchitectureWords::tr("Largest over tokens");
    case BlockKind::Classifier:
        return ArchitectureWords::tr("Classifier");
    }
    return {};
}

QString blockName(const ArchitectureFacts& facts, const ArchitectureBlock& block) {
    const QString title = block.kind == BlockKind::Add
                              ? block.role.ends_with("segment_sum") ? ArchitectureWords::tr("Word + segment")
                                : block.layer < 0                   ? ArchitectureWords::tr("Word + position")
                                                  : ArchitectureWords::tr("Residual connection")
                              : blockTitle(facts, block);
    const bool source = block.side == Side::Source;
    if (block.kind == BlockKind::Embedding)
        return source ? ArchitectureWords::tr("Source embedding") : ArchitectureWords::tr("Target embedding");
    if (block.kind == BlockKind::Stack || block.kind >= BlockKind::Generator)
        return title;
    if (block.layer < 0)
        return source ? ArchitectureWords::tr("Source: %1").arg(title)
                      : ArchitectureWords::tr("Target: %1").arg(title);
    const QString place =
        (source ? ArchitectureWords::tr("Encoder, layer %1") : ArchitectureWords::tr("Decoder, layer %1"))
            .arg(block.layer);
    return block.kind == BlockKind::Layer ? place : place + QStringLiteral(": ") + title;
}

QString tensorInLetters(const analysis::FlowingTensor& tensor) {
    return (tensor.name.empty() ? QString() : QString::fromStdString(tensor.name) + QChar(' ')) +
           QString::fromStdString(analysis::letters(tensor.shape));
}

QString tensorInWords(const ArchitectureFacts& facts, const analysis::FlowingTensor& tensor) {
    QString words = tensorInLetters(tensor);
    if (const auto lengths = facts.lengths())
        words += QStringLiteral(" = ") + QString::fromStdString(analysis::numbers(tensor.shape, *lengths));
    return words;
}

QString outInWords(const ArchitectureFacts& facts, const ArchitectureBlock& block, const char* between) {
    QStringList out;
    for (const auto& tensor : block.out)
        out += tensorInWords(facts, tensor);
    return out.join(QLatin1String(between));
}

} // namespace headscope::widgets
