#pragma once

#include <QString>

#include "model/trace/run.h"
#include "widgets/words/quantity.h"

#include <vector>

namespace headscope::widgets {

/// "German" for "de"; the code itself where no language has it; empty for an empty code.
QString languageName(const std::string& code);

/// What rows and columns of a map stand for.
enum class MapUnit { Piece, Word };

/// "Cross-attention cross.2.5 (of 3 layers, 8 heads per layer) of tatoeba-en-de: what the model reads while
/// choosing each German piece. Weights, each row sums to 1." A run of the random twin says so first.
QString headCaption(const trace::Run& run, const trace::HeadAddress& address, Quantity quantity,
                    MapUnit unit = MapUnit::Piece);

/// The same of several heads of one layer: "Cross-attention cross.2 (of 3 layers), heads 0, 3 and 5: where
/// ...".
QString headsCaption(const trace::Run& run, const trace::AttentionSite& site, const std::vector<int>& heads,
                     MapUnit unit = MapUnit::Piece);

/// "Cross-attention"
QString kindTitle(trace::AttentionKind kind);
/// "Encoder": for where that has no room.
QString shortKindTitle(trace::AttentionKind kind);

/// "Cross-attention cross.2.5 (of 3 layers, 8 heads per layer)": the address, and among how many.
QString headTitle(const trace::ModelSummary& model, const trace::HeadAddress& address);

/// "Cross-attention cross.2 (of 3 layers)"
QString layerTitle(const trace::ModelSummary& model, const trace::AttentionSite& site);

/// "Cross-attention cross.2.5 (of 3 layers, 8 heads per layer) of tatoeba-en-de", for captions; as it is
/// where the model has no name.
QString ofModel(const trace::ModelSummary& model, const QString& what);

/// The same at the end of a caption that is about no head: "... Model: tatoeba-en-de."
QString withModel(const trace::ModelSummary& model, const QString& caption);

/// What the rows and the columns of a map are, such as "chosen German token" and "English token read".
QString queryAxisTitle(const trace::Run& run, trace::AttentionKind kind, MapUnit unit = MapUnit::Piece);
QString keyAxisTitle(const trace::Run& run, trace::AttentionKind kind, MapUnit unit = MapUnit::Piece);

/// A query row in words: "after “seiner”, choosing “Tochter”" for cross-attention, else the token.
QString queryInWords(const trace::Run& run, trace::AttentionKind kind, int query);

/// A key in words: its token.
QString keyInWords(const trace::Run& run, trace::AttentionKind kind, int key);

/// "cross.2.5 [after “seiner”, choosing “Tochter” → “daughter”] 0.6142"; a masked cell is named as masked.
/// Empty where there is no such cell. Addresses count from 0. Of weights and scores, which the run holds.
QString cellStatus(const trace::Run& run, const trace::HeadAddress& address, int query, int key,
                   Quantity quantity);

/// Four decimals, a real minus sign; "not a number" and "infinite" in words.
QString numberText(double value);

/// "tatoeba-en-de; The old man gave his daughter a red book."
QString provenance(const trace::Run& run);

/// True if nothing in this row of a map is open: it is hatched whole and left out of statistics.
bool isRowClosed(const trace::AttentionRecord& record, std::size_t row);

} // namespace headscope::widgets
