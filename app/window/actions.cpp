#include "app/window/actions.h"

#include <QAction>
#include <QActionGroup>
#include <QCoreApplication>
#include <QMenu>
#include <QMenuBar>

#include <algorithm>
#include <array>

namespace headscope::app {

namespace {

enum class Form { Plain, Checkable, Choice };

struct Row {
    ActionId id;
    const char* menu;
    const char* text;
    const char* shortcut; ///< portable text; several are parted by "; ", the first one is shown
    const char* tooltip;
    Form form = Form::Plain;
    const char* group = nullptr; ///< choices of one group exclude each other
    bool separatorBefore = false;
};

// Keys without Ctrl or Alt work only where no field, button, list or map has the focus: the window sees to
// it.
constexpr std::array rows{
    Row{ActionId::OpenFolder, "&File", QT_TRANSLATE_NOOP("Actions", "&Open Model Folder..."), "Ctrl+O",
        QT_TRANSLATE_NOOP("Actions", "Open a folder with weights, configuration and tokenizer")},
    Row{ActionId::OpenFile, "&File", QT_TRANSLATE_NOOP("Actions", "Open &Weights File or Trace..."),
        "Ctrl+Shift+O", QT_TRANSLATE_NOOP("Actions", "Open a .safetensors or PyTorch file, or a trace")},
    Row{ActionId::AskAgain, "&File", QT_TRANSLATE_NOOP("Actions", "&Ask Again How to Read the Model..."), "",
        QT_TRANSLATE_NOOP("Actions", "Forget what was answered about this model, and open it anew")},
    Row{ActionId::OpenSession, "&File", QT_TRANSLATE_NOOP("Actions", "Open S&ession..."), "Ctrl+Alt+O",
        QT_TRANSLATE_NOOP("Actions", "Show again what a session file holds: model, sentence, changes, views"),
        Form::Plain, nullptr, true},
    Row{ActionId::SaveSession, "&File", QT_TRANSLATE_NOOP("Actions", "Save Sess&ion"), "Ctrl+E",
        QT_TRANSLATE_NOOP("Actions", "Save everything that is seen, but not the weights, to open it again")},
    Row{ActionId::SaveSessionAs, "&File", QT_TRANSLATE_NOOP("Actions", "Save Sessio&n As..."), "Ctrl+Shift+E",
        QT_TRANSLATE_NOOP("Actions", "Save it under another name")},
    Row{ActionId::Train, "&File", QT_TRANSLATE_NOOP("Actions", "T&rain..."), "Ctrl+Shift+N",
        QT_TRANSLATE_NOOP("Actions", "Train a model on sentences of your own, or on a toy task"), Form::Plain,
        nullptr, true},
    Row{ActionId::SaveTrace, "&File", QT_TRANSLATE_NOOP("Actions", "Save &Trace..."), "Ctrl+Alt+T",
        QT_TRANSLATE_NOOP("Actions", "Save everything this run computed: opens again without the model"),
        Form::Plain, nullptr, true},
    Row{ActionId::SavePicture, "&File", QT_TRANSLATE_NOOP("Actions", "&Save Picture..."), "Ctrl+S",
        QT_TRANSLATE_NOOP("Actions", "Save the view on top as PNG, SVG or PDF")},
    Row{ActionId::SaveData, "&File", QT_TRANSLATE_NOOP("Actions", "Save &Data..."), "Ctrl+Shift+S",
        QT_TRANSLATE_NOOP("Actions",
                          "Save the numbers behind the view on top for spreadsheets and programs")},
    Row{ActionId::SaveLayer, "&File", QT_TRANSLATE_NOOP("Actions", "Save This La&yer..."), "",
        QT_TRANSLATE_NOOP("Actions", "Save the maps of all heads of the selected head's layer as a picture")},
    Row{ActionId::Quit, "&File", QT_TRANSLATE_NOOP("Actions", "&Quit"), "Ctrl+Q",
        QT_TRANSLATE_NOOP("Actions", "Close the window"), Form::Plain, nullptr, true},

    Row{ActionId::Undo, "&Edit", QT_TRANSLATE_NOOP("Actions", "&Undo"), "Ctrl+Z",
        QT_TRANSLATE_NOOP("Actions", "Take back what was done last, in the model or in a view")},
    Row{ActionId::Redo, "&Edit", QT_TRANSLATE_NOOP("Actions", "&Redo"), "Ctrl+Shift+Z; Ctrl+Y",
        QT_TRANSLATE_NOOP("Actions", "Do again what was taken back")},
    Row{ActionId::EditSentence, "&Edit", QT_TRANSLATE_NOOP("Actions", "Edit the &Sentence"), "Ctrl+L",
        QT_TRANSLATE_NOOP("Actions", "Go to the sentence field"), Form::Plain, nullptr, true},
    Row{ActionId::CopyPicture, "&Edit", QT_TRANSLATE_NOOP("Actions", "&Copy Picture"), "Ctrl+Shift+C",
        QT_TRANSLATE_NOOP("Actions", "Copy the view on top as a picture"), Form::Plain, nullptr, true},
    Row{ActionId::CopyTable, "&Edit", QT_TRANSLATE_NOOP("Actions", "Copy as Ta&ble"), "Ctrl+Alt+C",
        QT_TRANSLATE_NOOP("Actions", "Copy the numbers behind the view on top, as spreadsheets take them")},
    Row{ActionId::CopyTranslation, "&Edit", QT_TRANSLATE_NOOP("Actions", "Copy &Translation"), "Ctrl+Shift+T",
        QT_TRANSLATE_NOOP("Actions", "Copy the decoded text")},
    Row{ActionId::CopyCell, "&Edit", QT_TRANSLATE_NOOP("Actions", "Copy the Cell's &Value"), "Ctrl+Shift+V",
        QT_TRANSLATE_NOOP("Actions", "Copy what the status bar says of the cell")},
    Row{ActionId::CopyCommand, "&Edit", QT_TRANSLATE_NOOP("Actions", "Copy as C&ommand"), "Ctrl+Shift+X",
        QT_TRANSLATE_NOOP(
            "Actions",
            "Copy the headscope-cli command that draws the view on top, or gives the same numbers")},
    Row{ActionId::Unpin, "&Edit", QT_TRANSLATE_NOOP("Actions", "U&npin"), "Esc",
        QT_TRANSLATE_NOOP("Actions", "Let go of the pinned cell or token")},

    Row{ActionId::ToggleOverview, "&View", QT_TRANSLATE_NOOP("Actions", "Overvie&w or Heatmap"), "O",
        QT_TRANSLATE_NOOP("Actions", "All heads of the model at once; once more, the selected one large")},
    Row{ActionId::ViewOverview, "&View", QT_TRANSLATE_NOOP("Actions", "O&verview"), "Ctrl+1",
        QT_TRANSLATE_NOOP("Actions", "All heads of the model at once")},
    Row{ActionId::ViewHeatmap, "&View", QT_TRANSLATE_NOOP("Actions", "&Heatmap"), "Ctrl+2",
        QT_TRANSLATE_NOOP("Actions", "One head, large")},
    Row{ActionId::ViewMasks, "&View", QT_TRANSLATE_NOOP("Actions", "&Masks"), "Ctrl+3",
        QT_TRANSLATE_NOOP("Actions", "The masks the model applied")},
    Row{ActionId::ViewPositions, "&View", QT_TRANSLATE_NOOP("Actions", "&Positions"), "Ctrl+4",
        QT_TRANSLATE_NOOP("Actions", "The positional vectors the model adds")},
    Row{ActionId::ViewLines, "&View", QT_TRANSLATE_NOOP("Actions", "&Lines"), "Ctrl+5",
        QT_TRANSLATE_NOOP("Actions", "Tokens and lines between them, of one head or several")},
    Row{ActionId::ViewArchitecture, "&View", QT_TRANSLATE_NOOP("Actions", "&Architecture"), "Ctrl+6",
        QT_TRANSLATE_NOOP("Actions", "The model as a figure of its blocks, with shapes, sizes and lengths")},
    Row{ActionId::ViewScale, "&View", QT_TRANSLATE_NOOP("Actions", "S&cale"), "Ctrl+7",
        QT_TRANSLATE_NOOP("Actions", "What the factor of q k does: scores, variance, a temperature to drag")},
    Row{ActionId::ViewClassifier, "&View", QT_TRANSLATE_NOOP("Actions", "Classi&fier"), "Ctrl+9",
        QT_TRANSLATE_NOOP("Actions", "Classes, what each token gave to them, and words left out")},
    Row{ActionId::ViewCompare, "&View", QT_TRANSLATE_NOOP("Actions", "Compa&re"), "Ctrl+8",
        QT_TRANSLATE_NOOP("Actions", "Two sentences, models, branches or steps beside each other")},
    Row{ActionId::KindEncoder, "&View", QT_TRANSLATE_NOOP("Actions", "&Encoder"), "1",
        QT_TRANSLATE_NOOP("Actions", "Self-attention of the encoder"), Form::Choice, "kind", true},
    Row{ActionId::KindDecoder, "&View", QT_TRANSLATE_NOOP("Actions", "&Decoder"), "2",
        QT_TRANSLATE_NOOP("Actions", "Masked self-attention of the decoder"), Form::Choice, "kind"},
    Row{ActionId::KindCross, "&View", QT_TRANSLATE_NOOP("Actions", "Cro&ss"), "3",
        QT_TRANSLATE_NOOP("Actions", "Attention of the decoder to the source"), Form::Choice, "kind"},
    Row{ActionId::PreviousHead, "&View", QT_TRANSLATE_NOOP("Actions", "Previous Head"), "Up",
        QT_TRANSLATE_NOOP("Actions", "The head before, in this layer"), Form::Plain, nullptr, true},
    Row{ActionId::NextHead, "&View", QT_TRANSLATE_NOOP("Actions", "Next Head"), "Down",
        QT_TRANSLATE_NOOP("Actions", "The head after, in this layer")},
    Row{ActionId::PreviousLayer, "&View", QT_TRANSLATE_NOOP("Actions", "Previous Layer"), "PgUp",
        QT_TRANSLATE_NOOP("Actions", "The same head of the layer before")},
    Row{ActionId::NextLayer, "&View", QT_TRANSLATE_NOOP("Actions", "Next Layer"), "PgDown",
        QT_TRANSLATE_NOOP("Actions", "The same head of the layer after")},
    Row{ActionId::EarlierSnapshot, "&View", QT_TRANSLATE_NOOP("Actions", "Earlier in Trainin&g"), ",",
        QT_TRANSLATE_NOOP("Actions", "The snapshot of the model before this one"), Form::Plain, nullptr,
        true},
    Row{ActionId::LaterSnapshot, "&View", QT_TRANSLATE_NOOP("Actions", "Later in &Training"), ".",
        QT_TRANSLATE_NOOP("Actions", "The snapshot of the model after this one")},
    Row{ActionId::PlaySnapshots, "&View", QT_TRANSLATE_NOOP("Actions", "Play the Training"), "",
        QT_TRANSLATE_NOOP("Actions", "Show one snapshot after the other; at the end, from the first one")},
    Row{ActionId::PinHead, "&View", QT_TRANSLATE_NOOP("Actions", "Pi&n or Unpin the Head"), "P",
        QT_TRANSLATE_NOOP("Actions", "Keep the selected head in a panel beside others, four at most"),
        Form::Plain, nullptr, true},
    Row{ActionId::UnpinHeads, "&View", QT_TRANSLATE_NOOP("Actions", "&Unpin All Heads"), "",
        QT_TRANSLATE_NOOP("Actions", "Show the selected head alone again")},
    Row{ActionId::SpaceMarks, "&View", QT_TRANSLATE_NOOP("Actions", "Space Marks in T&okens"), "Ctrl+M",
        QT_TRANSLATE_NOOP("Actions", "Mark where a piece begins a word"), Form::Checkable, nullptr, true},
    Row{ActionId::ThemeSystem, "&View", QT_TRANSLATE_NOOP("Actions", "Colours of the S&ystem"), "",
        QT_TRANSLATE_NOOP("Actions", "Light or dark as the desktop is"), Form::Choice, "theme", true},
    Row{ActionId::ThemeLight, "&View", QT_TRANSLATE_NOOP("Actions", "L&ight"), "",
        QT_TRANSLATE_NOOP("Actions", "Always light"), Form::Choice, "theme"},
    Row{ActionId::ThemeDark, "&View", QT_TRANSLATE_NOOP("Actions", "Dar&k"), "",
        QT_TRANSLATE_NOOP("Actions", "Always dark"), Form::Choice, "theme"},

    Row{ActionId::ShowWeights, "&Map", QT_TRANSLATE_NOOP("Actions", "&Weights"), "Ctrl+W",
        QT_TRANSLATE_NOOP("Actions", "After mask and softmax; each row sums to 1"), Form::Choice, "show"},
    Row{ActionId::ShowScores, "&Map", QT_TRANSLATE_NOOP("Actions", "&Scores"), "Ctrl+Shift+W",
        QT_TRANSLATE_NOOP("Actions", "Scaled products of queries and keys, before the mask"), Form::Choice,
        "show"},
    Row{ActionId::ShowOpenScores, "&Map", QT_TRANSLATE_NOOP("Actions", "Scores &after the Mask"), "",
        QT_TRANSLATE_NOOP("Actions", "The scores as the softmax is given them; closed cells are hatched"),
        Form::Choice, "show"},
    Row{ActionId::ShowNormWeighted, "&Map", QT_TRANSLATE_NOOP("Actions", "&Norm-Weighted Attention"),
        "Ctrl+Alt+N",
        QT_TRANSLATE_NOOP("Actions", "How long a vector the head adds for each key (Kobayashi et al. 2020)"),
        Form::Choice, "show"},
    Row{ActionId::ShowNormShares, "&Map", QT_TRANSLATE_NOOP("Actions", "Norm-Weighted, S&hares of the Row"),
        "", QT_TRANSLATE_NOOP("Actions", "The same, each row over its sum"), Form::Choice, "show"},
    Row{ActionId::ShowRollout, "&Map", QT_TRANSLATE_NOOP("Actions", "&Roll-Out of All Heads"), "Ctrl+Alt+R",
        QT_TRANSLATE_NOOP("Actions", "Weights multiplied through all layers up to here, half of each "
                                     "sublayer passing by (Abnar and Zuidema 2020)"),
        Form::Choice, "show"},
    Row{ActionId::ShowContributions, "&Map", QT_TRANSLATE_NOOP("Actions", "A&LTI+ of All Heads"),
        "Ctrl+Alt+A",
        QT_TRANSLATE_NOOP(
            "Actions",
            "What each token contributed through all heads and layers up to here (Ferrando et al. 2022)"),
        Form::Choice, "show"},
    Row{ActionId::ShowGradient, "&Map", QT_TRANSLATE_NOOP("Actions", "&Gradient Times Attention"),
        "Ctrl+Alt+G",
        QT_TRANSLATE_NOOP(
            "Actions",
            "How much more of a weight would raise or lower the logit of the current step's token"),
        Form::Choice, "show"},
    Row{ActionId::ScaleLinear, "&Map", QT_TRANSLATE_NOOP("Actions", "L&inear Colours"), "Ctrl+G",
        QT_TRANSLATE_NOOP("Actions", "Colour grows with the value"), Form::Choice, "scale", true},
    Row{ActionId::ScaleLogarithmic, "&Map", QT_TRANSLATE_NOOP("Actions", "Logarithmi&c Colours"),
        "Ctrl+Shift+G",
        QT_TRANSLATE_NOOP("Actions", "Colour grows with the value's logarithm: small weights show"),
        Form::Choice, "scale"},
    Row{ActionId::ScaleRank, "&Map", QT_TRANSLATE_NOOP("Actions", "Colours by Ran&k"), "",
        QT_TRANSLATE_NOOP(
            "Actions", "Colour grows with the number of cells that are smaller: order shows, size does not"),
        Form::Choice, "scale"},
    Row{ActionId::MapColourPerRow, "&Map", QT_TRANSLATE_NOOP("Actions", "Colours &per Row"), "",
        QT_TRANSLATE_NOOP("Actions", "Each row up to its own largest value: compare within rows only"),
        Form::Checkable, nullptr},
    Row{ActionId::MapWithoutSpecial, "&Map", QT_TRANSLATE_NOOP("Actions", "Without Special &Tokens"),
        "Ctrl+Alt+S",
        QT_TRANSLATE_NOOP("Actions", "Leave out keys that are no text, and share out again what remains"),
        Form::Checkable, nullptr, true},
    Row{ActionId::MapWords, "&Map", QT_TRANSLATE_NOOP("Actions", "Wor&ds Instead of Pieces"), "Ctrl+Alt+W",
        QT_TRANSLATE_NOOP("Actions", "Sum over a key word's pieces, mean over a query word's"),
        Form::Checkable, nullptr},
    Row{ActionId::MapTransposed, "&Map", QT_TRANSLATE_NOOP("Actions", "T&urn the Map"), "",
        QT_TRANSLATE_NOOP("Actions", "Keys down the side, queries across"), Form::Checkable, nullptr},
    Row{ActionId::MapNumbers, "&Map", QT_TRANSLATE_NOOP("Actions", "Nu&mbers in the Cells"), "Ctrl+Alt+M",
        QT_TRANSLATE_NOOP("Actions", "Write each value in its cell where there is room"), Form::Checkable,
        nullptr},
    Row{ActionId::MapReceived, "&Map", QT_TRANSLATE_NOOP("Actions", "&Bars of What Keys Receive"),
        "Ctrl+Alt+B",
        QT_TRANSLATE_NOOP("Actions", "Show at the edge what each key receives from all rows together"),
        Form::Checkable, nullptr},
    Row{ActionId::MapLosses, "&Map", QT_TRANSLATE_NOOP("Actions", "Bars of What the Step Los&es"),
        "Ctrl+Alt+K",
        QT_TRANSLATE_NOOP("Actions", "Under a cross-attention map: how much of the current token's "
                                     "log-probability is lost without each source token (knock-out)"),
        Form::Checkable, nullptr},
    Row{ActionId::FitMap, "&Map", QT_TRANSLATE_NOOP("Actions", "&Fit the Map"), "Ctrl+0; 0",
        QT_TRANSLATE_NOOP("Actions", "Show all of the map again"), Form::Plain, nullptr, true},
    Row{ActionId::ZoomIn, "&Map", QT_TRANSLATE_NOOP("Actions", "&Zoom In"), "+; =; Ctrl++; Ctrl+=",
        QT_TRANSLATE_NOOP("Actions", "Show less of the map that has the focus, else of the one in sight, "
                                     "larger: around its cell, else its middle")},
    Row{ActionId::ZoomOut, "&Map", QT_TRANSLATE_NOOP("Actions", "Zoom &Out"), "-; Ctrl+-",
        QT_TRANSLATE_NOOP("Actions", "Show more of the map that has the focus, else of the one in sight")},

    Row{ActionId::Decode, "&Decode", QT_TRANSLATE_NOOP("Actions", "&Decode"), "Ctrl+Return",
        QT_TRANSLATE_NOOP("Actions", "Decode the sentence from its start")},
    Row{ActionId::StepByStep, "&Decode", QT_TRANSLATE_NOOP("Actions", "Step b&y Step"), "Ctrl+T",
        QT_TRANSLATE_NOOP("Actions", "Decode one token at a time, each time you step forward"),
        Form::Checkable},
    Row{ActionId::ToStart, "&Decode", QT_TRANSLATE_NOOP("Actions", "To the &Start"), "Home",
        QT_TRANSLATE_NOOP("Actions", "Go to the first step"), Form::Plain, nullptr, true},
    Row{ActionId::Back, "&Decode", QT_TRANSLATE_NOOP("Actions", "&Back"), "Left",
        QT_TRANSLATE_NOOP("Actions", "Go one step back")},
    Row{ActionId::Forward, "&Decode", QT_TRANSLATE_NOOP("Actions", "&Forward"), "Right",
        QT_TRANSLATE_NOOP("Actions",
                          "Go one step forward; at the end of what is decoded, decode one token more")},
    Row{ActionId::ToEnd, "&Decode", QT_TRANSLATE_NOOP("Actions", "To the &End"), "End",
        QT_TRANSLATE_NOOP("Actions", "Go to the last step, decoding what is missing")},
    Row{ActionId::RunTo, "&Decode", QT_TRANSLATE_NOOP("Actions", "R&un to..."), "Ctrl+R",
        QT_TRANSLATE_NOOP("Actions",
                          "Go on until the output contains a word, or a token was chosen in doubt")},
    Row{ActionId::NextUnsure, "&Decode", QT_TRANSLATE_NOOP("Actions", "&Next Unsure Token"), "U",
        QT_TRANSLATE_NOOP("Actions", "Go to the next token that was chosen with little probability, from the "
                                     "end on to the first")},
    Row{ActionId::DecodingOptions, "&Decode", QT_TRANSLATE_NOOP("Actions", "Decoding &Options..."),
        "Ctrl+Shift+D", QT_TRANSLATE_NOOP("Actions", "Greedy, beam search or sampling, lengths and repeats"),
        Form::Plain, nullptr, true},
    Row{ActionId::ForceTarget, "&Decode", QT_TRANSLATE_NOOP("Actions", "Force &a Reference..."), "Ctrl+F",
        QT_TRANSLATE_NOOP("Actions",
                          "Make the model read a whole translation, and see what it thought of it")},
    Row{ActionId::CompareBranches, "&Decode", QT_TRANSLATE_NOOP("Actions", "&Compare Branches"), "Ctrl+B",
        QT_TRANSLATE_NOOP("Actions", "Set another branch of decoding beside the shown one")},
    Row{ActionId::ShowBeamTree, "&Decode", QT_TRANSLATE_NOOP("Actions", "Beam &Tree"), "Ctrl+Shift+B",
        QT_TRANSLATE_NOOP("Actions",
                          "Every hypothesis that a beam search kept or pruned; again: close the panel")},
    Row{ActionId::RunOrStop, "&Decode", QT_TRANSLATE_NOOP("Actions", "&Run or Stop"), "Space",
        QT_TRANSLATE_NOOP("Actions", "Decode to the end, or stop decoding"), Form::Plain, nullptr, true},
    Row{ActionId::Stop, "&Decode", QT_TRANSLATE_NOOP("Actions", "Sto&p"), "Ctrl+.",
        QT_TRANSLATE_NOOP("Actions", "Stop decoding; what is there stays")},

    Row{ActionId::ToggleHead, "What-&If", QT_TRANSLATE_NOOP("Actions", "&Disable or Enable the Head"), "D",
        QT_TRANSLATE_NOOP("Actions", "Remove the selected head's output, or let it work again")},
    Row{ActionId::ClearChanges, "What-&If", QT_TRANSLATE_NOOP("Actions", "&Clear All Changes"), "",
        QT_TRANSLATE_NOOP("Actions", "Leave the model as it is")},

    Row{ActionId::RandomTwin, "&Analyse", QT_TRANSLATE_NOOP("Actions", "&Random Twin"), "Ctrl+Shift+R",
        QT_TRANSLATE_NOOP("Actions", "Set the same network with random weights beside the model: what is "
                                     "architecture, what is learned?"),
        Form::Checkable},
    Row{ActionId::HeadTable, "&Analyse", QT_TRANSLATE_NOOP("Actions", "Head &Table"), "Ctrl+Shift+H",
        QT_TRANSLATE_NOOP("Actions",
                          "Every head with its role and its statistics, to sort and to search; again: "
                          "close it")},
    Row{ActionId::HeadsFromHere, "&Analyse",
        QT_TRANSLATE_NOOP("Actions", "Heads That Loo&k from Here to There"), "",
        QT_TRANSLATE_NOOP("Actions", "List the heads that look from the pinned cell's query to its key")},
    Row{ActionId::MeasureHeads, "&Analyse", QT_TRANSLATE_NOOP("Actions", "&Measure All Heads"), "Ctrl+H",
        QT_TRANSLATE_NOOP("Actions", "Take every head away in turn, and see what it is worth to the output")},
    Row{ActionId::TintHeads, "&Analyse", QT_TRANSLATE_NOOP("Actions", "Bars of &Importance under Heads"), "",
        QT_TRANSLATE_NOOP("Actions", "Show under every small map whether the head helps or hurts"),
        Form::Checkable},
    Row{ActionId::SortHeads, "&Analyse", QT_TRANSLATE_NOOP("Actions", "&Sort Heads by Importance"), "",
        QT_TRANSLATE_NOOP("Actions", "Put the small maps in order of importance, not of layers"),
        Form::Checkable},
    Row{ActionId::OneLayer, "&Analyse", QT_TRANSLATE_NOOP("Actions", "Heads of One La&yer"), "",
        QT_TRANSLATE_NOOP("Actions", "Small maps of the selected head's layer alone, and larger"),
        Form::Checkable},
    Row{ActionId::ShowLens, "&Analyse", QT_TRANSLATE_NOOP("Actions", "Logit &Lens"), "Ctrl+Shift+L",
        QT_TRANSLATE_NOOP("Actions",
                          "What the decoder would say after each sublayer, and what every part wrote "
                          "into the logit; again: close the panel"),
        Form::Plain, nullptr, true},
    Row{ActionId::SourceShare, "&Analyse", QT_TRANSLATE_NOOP("Actions", "Sour&ce Share"), "Ctrl+Alt+H",
        QT_TRANSLATE_NOOP("Actions", "Show under the target how much of each step came from the source: is "
                                     "the model reading or free-running?"),
        Form::Checkable},
    Row{ActionId::ShowArithmetic, "&Analyse", QT_TRANSLATE_NOOP("Actions", "&Arithmetic of a Cell"),
        "Ctrl+Shift+A",
        QT_TRANSLATE_NOOP("Actions", "See how the cell under the pointer is computed, number by number; once "
                                     "more: put that away"),
        Form::Plain},

    Row{ActionId::ResetLayout, "&Window", QT_TRANSLATE_NOOP("Actions", "&Reset Layout"), "",
        QT_TRANSLATE_NOOP("Actions", "Put all panels back where they were at first")},

    Row{ActionId::CommandPalette, "&Help", QT_TRANSLATE_NOOP("Actions", "&Search..."), "Ctrl+Shift+P; Ctrl+K",
        QT_TRANSLATE_NOOP("Actions",
                          "Find an action by its name or by what it does, a panel, or a head, such as #2.5")},
    Row{ActionId::Manual, "&Help", QT_TRANSLATE_NOOP("Actions", "&Manual"), "Ctrl+F1",
        QT_TRANSLATE_NOOP("Actions", "Read and search the manual")},
    Row{ActionId::Keys, "&Help", QT_TRANSLATE_NOOP("Actions", "&Keys and Mouse"), "F1",
        QT_TRANSLATE_NOOP("Actions", "What keys and mouse do")},
    Row{ActionId::SelfCheck, "&Help", QT_TRANSLATE_NOOP("Actions", "Self-&Check"), "",
        QT_TRANSLATE_NOOP("Actions", "The figures of the self-check")},
    Row{ActionId::About, "&Help", QT_TRANSLATE_NOOP("Actions", "A&bout Headscope"), "",
        QT_TRANSLATE_NOOP("Actions", "Version, licence, and where the bundled model comes from"), Form::Plain,
        nullptr, true},
};

// For the translators' tool; menus' names are looked up in the table's own words.
[[maybe_unused]] constexpr const char* menuNames[] = {
    QT_TRANSLATE_NOOP("Actions", "&File"),    QT_TRANSLATE_NOOP("Actions", "&Edit"),
    QT_TRANSLATE_NOOP("Actions", "&View"),    QT_TRANSLATE_NOOP("Actions", "&Map"),
    QT_TRANSLATE_NOOP("Actions", "&Decode"),  QT_TRANSLATE_NOOP("Actions", "What-&If"),
    QT_TRANSLATE_NOOP("Actions", "&Analyse"), QT_TRANSLATE_NOOP("Actions", "&Window"),
    QT_TRANSLATE_NOOP("Actions", "&Help")};

/// Words that people look for and that no name has. A comma parts them.
struct Synonyms {
    ActionId id;
    const char* words;
};
constexpr std::array synonyms{
    Synonyms{ActionId::OpenFolder, QT_TRANSLATE_NOOP("Actions", "checkpoint, recent")},
    Synonyms{ActionId::OpenFile, QT_TRANSLATE_NOOP("Actions", "checkpoint")},
    Synonyms{ActionId::AskAgain, QT_TRANSLATE_NOOP("Actions", "settings, model settings")},
    Synonyms{ActionId::SavePicture, QT_TRANSLATE_NOOP("Actions", "export, font, paper, svg, figure")},
    Synonyms{ActionId::SaveData, QT_TRANSLATE_NOOP("Actions", "export, csv")},
    Synonyms{ActionId::SaveTrace, QT_TRANSLATE_NOOP("Actions", "export, recording")},
    Synonyms{ActionId::ThemeLight, QT_TRANSLATE_NOOP("Actions", "theme")},
    Synonyms{ActionId::ThemeDark, QT_TRANSLATE_NOOP("Actions", "theme, dark mode")},
    Synonyms{ActionId::ViewMasks, QT_TRANSLATE_NOOP("Actions", "why masked, allowed")},
    Synonyms{ActionId::ViewPositions,
             QT_TRANSLATE_NOOP("Actions", "wavelength, wavelengths, content, position")},
    Synonyms{ActionId::ViewClassifier, QT_TRANSLATE_NOOP("Actions", "review, class, why negative")},
    Synonyms{ActionId::EarlierSnapshot, QT_TRANSLATE_NOOP("Actions", "checkpoint")},
    Synonyms{ActionId::LaterSnapshot, QT_TRANSLATE_NOOP("Actions", "checkpoint")},
    Synonyms{ActionId::Forward, QT_TRANSLATE_NOOP("Actions", "next token")},
    Synonyms{ActionId::NextUnsure,
             QT_TRANSLATE_NOOP("Actions",
                               "hesitation, hesitate, unsure, uncertain, least certain, second choice")},
    Synonyms{ActionId::DecodingOptions, QT_TRANSLATE_NOOP("Actions", "settings, beam size, temperature")},
    Synonyms{ActionId::ToggleHead, QT_TRANSLATE_NOOP("Actions", "switch off, switch on, ablate")},
    Synonyms{ActionId::HeadTable,
             QT_TRANSLATE_NOOP("Actions", "entropy, previous token, role, align, sink, reversed")},
    Synonyms{ActionId::HeadsFromHere, QT_TRANSLATE_NOOP("Actions", "align, word")},
    Synonyms{ActionId::MeasureHeads, QT_TRANSLATE_NOOP("Actions", "importance, head importance, ablate")},
};

QString translated(const char* text) {
    return QCoreApplication::translate("Actions", text);
}

const Row& rowOf(ActionId id) {
    return *std::find_if(rows.begin(), rows.end(), [id](const Row& row) { return row.id == id; });
}

} // namespace

Actions::Actions(QWidget* window) : QObject(window) {
    std::map<QByteArray, QActionGroup*> groups;
    for (const Row& row : rows) {
        auto* action = new QAction(translated(row.text), this);
        action->setShortcuts(
            QKeySequence::listFromString(QString::fromLatin1(row.shortcut), QKeySequence::PortableText));
        action->setCheckable(row.form != Form::Plain);
        if (row.form == Form::Choice) {
            auto*& group = groups[row.group];
            if (!group)
                group = new QActionGroup(this);
            group->addAction(action);
        }
        actions_[row.id] = action;
        action->setToolTip(tooltip(row.id));
        const auto* known = std::ranges::find(synonyms, row.id, &Synonyms::id);
        if (known != synonyms.end())
            action->setProperty(synonymsProperty, translated(known->words).split(QStringLiteral(", ")));
        window->addAction(action);
    }
}

std::vector<QAction*> Actions::all() const {
    std::vector<QAction*> list;
    for (const Row& row : rows)
        list.push_back(actions_.at(row.id));
    return list;
}

void Actions::fill(QMenuBar* bar) {
    for (const Row& row : rows) {
        auto*& menu = menus_[row.menu];
        if (!menu) {
            menu = bar->addMenu(translated(row.menu));
            menu->setToolTipsVisible(true);
        }
        if (row.separatorBefore)
            menu->addSeparator();
        menu->addAction(actions_.at(row.id));
    }
}

QString Actions::tooltip(ActionId id) const {
    const QString keys = actions_.at(id)->shortcut().toString(QKeySequence::NativeText);
    const auto state = states_.find(id);
    const QString words = state != states_.end() && !state->second.tooltip.isEmpty()
                              ? state->second.tooltip
                              : translated(rowOf(id).tooltip);
    return keys.isEmpty() ? words : tr("%1 (%2)").arg(words, keys);
}

void Actions::show(ActionId id) {
    const State& state = states_[id];
    const bool enabled = state.enabled && state.withheld.isEmpty();
    actions_.at(id)->setEnabled(enabled);
    actions_.at(id)->setToolTip(enabled ? tooltip(id) : tr("%1\n%2").arg(tooltip(id), state.why()));
}

QString Actions::whyNot(const QKeySequence& keys) const {
    for (const auto& [id, state] : states_) {
        const QAction* action = actions_.at(id);
        if (!action->isEnabled() && !state.why().isEmpty() && action->shortcuts().contains(keys))
            return tr("%1: %2").arg(action->text().remove('&').remove("..."), state.why());
    }
    return {};
}

void Actions::setEnabled(ActionId id, bool enabled, const QString& whyNot) {
    states_[id].enabled = enabled;
    states_[id].whyNot = whyNot;
    show(id);
}

void Actions::withhold(ActionId id, const QString& why) {
    states_[id].withheld = why;
    show(id);
}

void Actions::rename(ActionId id, const QString& text, const QString& tooltip) {
    states_[id].tooltip = tooltip;
    actions_.at(id)->setText(text.isEmpty() ? translated(rowOf(id).text) : text);
    show(id);
}

} // namespace headscope::app
