#pragma once

#include <QString>

#include "model/trace/lens.h"
#include "model/trace/run.h"
#include "widgets/words/quantity.h"

#include <vector>

namespace headscope::widgets {

/// Returns "German" for "de"; the code itself if it is no known language; empty for an empty code.
QString languageName(const std::string& code);

/// Unit of rows and columns of a map.
enum class MapUnit { Piece, Word };

/// "Cross-attention cross.2.5 (of 3 layers, 8 heads per layer) of tatoeba-en-de: what the model reads while
/// choosing each German token. Weights; each row sums to 1." For the random twin, starts with that.
QString headCaption(const trace::Run& run, const trace::HeadAddress& address, Quantity quantity,
                    MapUnit unit = MapUnit::Piece);

/// The same for several heads of a layer: "Cross-attention cross.2 (of 3 layers), heads 0, 3 and 5 of
/// tatoeba-en-de: what the model reads ..."
QString headsCaption(const trace::Run& run, const trace::AttentionSite& site, const std::vector<int>& heads,
                     MapUnit unit = MapUnit::Piece);

/// "Cross-attention"
QString kindTitle(trace::AttentionKind kind);
/// "Encoder": the short form.
QString shortKindTitle(trace::AttentionKind kind);

/// "Cross-attention cross.2.5 (of 3 layers, 8 heads per layer)"
QString headTitle(const trace::ModelSummary& model, const trace::HeadAddress& address);

/// "Cross-attention cross.2 (of 3 layers)"
QString layerTitle(const trace::ModelSummary& model, const trace::AttentionSite& site);

/// "Cross-attention cross.2.5 (of 3 layers, 8 heads per layer) of tatoeba-en-de", for captions; unchanged if
/// the model has no name.
QString ofModel(const trace::ModelSummary& model, const QString& what);

/// Name of the model that the lens reads: the run's, or its random twin.
QString lensModelName(const trace::Run& run, const trace::Lens& lens);

/// Adds the model to a caption that is about no head: "... Model: tatoeba-en-de."
QString withModel(const trace::ModelSummary& model, const QString& caption);

/// Titles of the axes of a map, such as "chosen German token" and "English token read".
QString queryAxisTitle(const trace::Run& run, trace::AttentionKind kind, MapUnit unit = MapUnit::Piece);
QString keyAxisTitle(const trace::Run& run, trace::AttentionKind kind, MapUnit unit = MapUnit::Piece);

/// Names one of trace::Run::answers(): "step 5", "mask 2", or "class “positive”".
QString answerName(const trace::Run& run, int answer);
/// Describes a query row: "after “seiner”, choosing “Tochter”" for cross-attention, else the token.
QString queryInWords(const trace::Run& run, trace::AttentionKind kind, int query);

/// Describes a key by its token.
QString keyInWords(const trace::Run& run, trace::AttentionKind kind, int key);

/// "cross.2.5 [after “seiner”, choosing “Tochter” → “daughter”] 0.6142"; masked cells are described as
/// masked. Empty if there is no such cell. For weights and scores, which the run contains.
QString cellStatus(const trace::Run& run, const trace::HeadAddress& address, int query, int key,
                   Quantity quantity);

/// Four decimals and a real minus sign; "not a number" and "infinite" as words.
QString numberText(double value);

/// "tatoeba-en-de; The old man gave his daughter a red book."
QString provenance(const trace::Run& run);

/// True if all keys of a map's row are masked: it is drawn hatched and not counted in statistics.
bool isRowClosed(const trace::AttentionRecord& record, std::size_t row);

} // namespace headscope::widgets
