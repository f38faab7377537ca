#include "widgets/views/architecture/architecture_titles.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

using analysis::ArchitectureBlock;
using analysis::BlockKind;
using analysis::Side;

struct ArchitectureTitlesWords {
    Q_DECLARE_TR_FUNCTIONS(Architecture)
};

QString flag(const ArchitectureFacts& facts, const char* key) {
    return QString::fromStdString(facts.model->property(key));
}

QString normTitle(const ArchitectureFacts& facts) {
    return flag(facts, "norm_kind") == "root-mean-square" ? ArchitectureTitlesWords::tr("RMS norm")
                                                          : ArchitectureTitlesWords::tr("Layer norm");
}

QString activationTitle(const ArchitectureFacts& facts) {
    const QString name = flag(facts, "activation");
    return name == "relu"       ? QStringLiteral("ReLU")
           : name == "gelu"     ? QStringLiteral("GELU")
           : name == "gelu_new" ? ArchitectureTitlesWords::tr("GELU (tanh)")
           : name == "silu"     ? QStringLiteral("SiLU")
                                : ArchitectureTitlesWords::tr("Activation");
}

QString stackTitle(const ArchitectureFacts& facts, Side side) {
    return side == Side::Source ? ArchitectureTitlesWords::tr("Encoder × %1").arg(facts.model->encoderLayers)
                                : ArchitectureTitlesWords::tr("Decoder × %1").arg(facts.model->decoderLayers);
}

/// Adds how the attention itself encodes positions.
QString withPositions(const ArchitectureFacts& facts, const ArchitectureBlock& block, const QString& title) {
    const bool cross = block.sublayer && block.sublayer->kind == trace::SublayerKind::Cross;
    const auto kind = cross ? trace::PositionKind::None : facts.model->positionKind;
    const bool scores = block.kind != BlockKind::Projections;
    const bool projections = block.kind != BlockKind::Scores;
    return kind == trace::PositionKind::DistanceBias && scores
               ? ArchitectureTitlesWords::tr("%1, distance bias").arg(title)
           : kind == trace::PositionKind::Rotation && projections
               ? ArchitectureTitlesWords::tr("%1, rotated by position").arg(title)
               : title;
}

QString scaleTitle(const ArchitectureFacts& facts) {
    const QString said = flag(facts, "score_scale");
    if (said.isEmpty() && facts.model->recorded)
        return ArchitectureTitlesWords::tr("Q Kᵀ, scale unknown, mask");
    const double scale = said.toDouble();
    const double usual = 1 / std::sqrt(facts.model->headWidth);
    if (scale == 0 || scale == 1)
        return ArchitectureTitlesWords::tr("Q Kᵀ, mask");
    return std::abs(scale - usual) < 1e-6 ? ArchitectureTitlesWords::tr("Q Kᵀ / √d_k, mask")
                                          : ArchitectureTitlesWords::tr("Q Kᵀ × %1, mask").arg(scale);
}

} // namespace

QString blockTitle(const ArchitectureFacts& facts, const ArchitectureBlock& block) {
    switch (block.kind) {
    case BlockKind::Embedding:
        return ArchitectureTitlesWords::tr("Embedding");
    case BlockKind::Positions:
        if (block.role == "segment_embedding")
            return ArchitectureTitlesWords::tr("Segments");
        return flag(facts, "positions").startsWith("sinusoid") ? ArchitectureTitlesWords::tr("Sinusoids")
                                                               : ArchitectureTitlesWords::tr("Positions");
    case BlockKind::Add:
        return QStringLiteral("+");
    case BlockKind::Norm:
        return normTitle(facts);
    case BlockKind::Stack:
        return stackTitle(facts, block.side);
    case BlockKind::Layer:
        return ArchitectureTitlesWords::tr("Layer %1").arg(block.layer);
    case BlockKind::SelfAttention:
        return withPositions(facts, block,
                             block.side == Side::Source
                                 ? ArchitectureTitlesWords::tr("Self-attention")
                                 : ArchitectureTitlesWords::tr("Masked self-attention"));
    case BlockKind::CrossAttention:
        return ArchitectureTitlesWords::tr("Cross-attention");
    case BlockKind::FeedForward:
        return ArchitectureTitlesWords::tr("Feed-forward");
    case BlockKind::Projections:
        return withPositions(facts, block, ArchitectureTitlesWords::tr("Linear: Q, K, V"));
    case BlockKind::Scores:
        return withPositions(facts, block, scaleTitle(facts));
    case BlockKind::Softmax:
        return ArchitectureTitlesWords::tr("Softmax");
    case BlockKind::WeightedSum:
        return ArchitectureTitlesWords::tr("Weights × V");
    case BlockKind::OutputProjection:
        return ArchitectureTitlesWords::tr("Heads joined, linear");
    case BlockKind::Widen:
        return ArchitectureTitlesWords::tr("Linear to d_ff");
    case BlockKind::Activation:
        return activationTitle(facts);
    case BlockKind::Narrow:
        return ArchitectureTitlesWords::tr("Linear to d_model");
    case BlockKind::Generator:
        return ArchitectureTitlesWords::tr("Generator");
    case BlockKind::LogSoftmax:
        return ArchitectureTitlesWords::tr("Log-softmax");
    case BlockKind::MaxPooling:
        return ArchitectureTitlesWords::tr("Largest over tokens");
    case BlockKind::Classifier:
        return ArchitectureTitlesWords::tr("Classifier");
    }
    return {};
}

QString blockName(const ArchitectureFacts& facts, const ArchitectureBlock& block) {
    const QString title = block.kind == BlockKind::Add
                              ? block.role == "segment_sum" ? ArchitectureTitlesWords::tr("Word + segment")
                                : block.layer < 0           ? ArchitectureTitlesWords::tr("Word + position")
                                                  : ArchitectureTitlesWords::tr("Residual connection")
                              : blockTitle(facts, block);
    const bool source = block.side == Side::Source;
    if (block.kind == BlockKind::Embedding)
        return source ? ArchitectureTitlesWords::tr("Source embedding")
                      : ArchitectureTitlesWords::tr("Target embedding");
    if (block.kind == BlockKind::Stack || block.kind >= BlockKind::Generator)
        return title;
    if (block.layer < 0)
        return source ? ArchitectureTitlesWords::tr("Source: %1").arg(title)
                      : ArchitectureTitlesWords::tr("Target: %1").arg(title);
    const QString place = (source ? ArchitectureTitlesWords::tr("Encoder, layer %1")
                                  : ArchitectureTitlesWords::tr("Decoder, layer %1"))
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

} // namespace headscope::widgets
