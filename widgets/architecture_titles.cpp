#include "widgets/architecture_titles.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

using analysis::ArchitectureBlock;
using analysis::BlockKind;
using analysis::Side;

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Architecture)
};

QString flag(const ArchitectureFacts& facts, const char* key) {
    return QString::fromStdString(analysis::architectureFlag(*facts.model, key));
}

QString normTitle(const ArchitectureFacts& facts) {
    return flag(facts, "norm_kind") == "root-mean-square" ? Words::tr("RMS norm") : Words::tr("Layer norm");
}

QString activationTitle(const ArchitectureFacts& facts) {
    const QString name = flag(facts, "activation");
    return name == "relu"       ? QStringLiteral("ReLU")
           : name == "gelu"     ? QStringLiteral("GELU")
           : name == "gelu_new" ? Words::tr("GELU (tanh)")
           : name == "silu"     ? QStringLiteral("SiLU")
                                : Words::tr("Activation");
}

QString stackTitle(const ArchitectureFacts& facts, Side side) {
    return side == Side::Source ? Words::tr("Encoder × %1").arg(facts.model->encoderLayers)
                                : Words::tr("Decoder × %1").arg(facts.model->decoderLayers);
}

/// The positions that an attention knows by itself.
QString withPositions(const ArchitectureFacts& facts, const ArchitectureBlock& block, const QString& title) {
    const bool cross = block.sublayer && block.sublayer->kind == trace::SublayerKind::Cross;
    const auto kind = cross ? trace::PositionKind::None : facts.model->positionKind;
    const bool scores = block.kind != BlockKind::Projections;
    const bool projections = block.kind != BlockKind::Scores;
    return kind == trace::PositionKind::DistanceBias && scores ? Words::tr("%1, distance bias").arg(title)
           : kind == trace::PositionKind::Rotation && projections
               ? Words::tr("%1, rotated by place").arg(title)
               : title;
}

QString scaleTitle(const ArchitectureFacts& facts) {
    const QString said = flag(facts, "score_scale");
    if (said.isEmpty() && facts.model->recorded)
        return Words::tr("Q Kᵀ, scale not said, mask");
    const double scale = said.toDouble();
    const double usual = 1 / std::sqrt(facts.model->headWidth);
    if (scale == 0 || scale == 1)
        return Words::tr("Q Kᵀ, mask");
    return std::abs(scale - usual) < 1e-6 ? Words::tr("Q Kᵀ / √d_k, mask")
                                          : Words::tr("Q Kᵀ × %1, mask").arg(scale);
}

} // namespace

QString blockTitle(const ArchitectureFacts& facts, const ArchitectureBlock& block) {
    switch (block.kind) {
    case BlockKind::Embedding:
        return Words::tr("Embedding");
    case BlockKind::Positions:
        return flag(facts, "positions").startsWith("sinusoid") ? Words::tr("Sinusoids")
                                                               : Words::tr("Positions");
    case BlockKind::Add:
        return QStringLiteral("+");
    case BlockKind::Norm:
        return normTitle(facts);
    case BlockKind::Stack:
        return stackTitle(facts, block.side);
    case BlockKind::Layer:
        return Words::tr("Layer %1").arg(block.layer);
    case BlockKind::SelfAttention:
        return withPositions(facts, block,
                             block.side == Side::Source ? Words::tr("Self-attention")
                                                        : Words::tr("Masked self-attention"));
    case BlockKind::CrossAttention:
        return Words::tr("Cross-attention");
    case BlockKind::FeedForward:
        return Words::tr("Feed-forward");
    case BlockKind::Projections:
        return withPositions(facts, block, Words::tr("Linear: Q, K, V"));
    case BlockKind::Scores:
        return withPositions(facts, block, scaleTitle(facts));
    case BlockKind::Softmax:
        return Words::tr("Softmax");
    case BlockKind::WeightedSum:
        return Words::tr("Weights × V");
    case BlockKind::OutputProjection:
        return Words::tr("Heads joined, linear");
    case BlockKind::Widen:
        return Words::tr("Linear to d_ff");
    case BlockKind::Activation:
        return activationTitle(facts);
    case BlockKind::Narrow:
        return Words::tr("Linear to d_model");
    case BlockKind::Generator:
        return Words::tr("Generator");
    case BlockKind::LogSoftmax:
        return Words::tr("Log-softmax");
    case BlockKind::MaxPooling:
        return Words::tr("Largest over tokens");
    case BlockKind::Classifier:
        return Words::tr("Classifier");
    }
    return {};
}

QString blockName(const ArchitectureFacts& facts, const ArchitectureBlock& block) {
    const QString title = block.kind == BlockKind::Add ? block.layer < 0 ? Words::tr("Word + position")
                                                                         : Words::tr("Residual connection")
                                                       : blockTitle(facts, block);
    const bool source = block.side == Side::Source;
    if (block.kind == BlockKind::Embedding)
        return source ? Words::tr("Source embedding") : Words::tr("Target embedding");
    if (block.kind == BlockKind::Stack || block.kind >= BlockKind::Generator)
        return title;
    if (block.layer < 0)
        return source ? Words::tr("Source: %1").arg(title) : Words::tr("Target: %1").arg(title);
    const QString place =
        (source ? Words::tr("Encoder, layer %1") : Words::tr("Decoder, layer %1")).arg(block.layer);
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

} // namespace headscope::widgets
