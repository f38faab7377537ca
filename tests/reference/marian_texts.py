"""What the Marian recordings are fed: plain sentences, and strings that tokenizers stumble over."""

SENTENCES = [
    "The dogs are hungry.", "Where is the key to the garden gate?", "I have never seen such a small frog!", "Yes.",
    "At 7:45 we were waiting for 20 people.", "Nobody knows what happened to the old bridge.", "Please close the door.",
    "She said she would come, but she didn't.", "It's raining again, isn't it?", "Do you like green apples?",
    "My brother plays the piano very badly.", "What a beautiful day!", "He wrote three letters and sent none.",
    "The train from Zurich is late, as usual.", "How much is that?", "We will see.", ">>de<< The bread is still warm.",
    "If I were you, I would not open that box.", "Tea or coffee?", "A long, long time ago a king lived on this hill.",
]
NASTY = [
    "", " ", "   \n\t ", "Hello world", "  two  spaces   inside  ", "first line\nsecond line\r\nthird", "tab\there",
    ">>de<< Hello", ">>de<<Hello", ">>fr<< >>de<< two codes", " >>de<< a space before", "in the middle >>de<< of it",
    ">>xx<< an unknown code", ">>de< broken", ">>de<<", ">><<", ">>de<< a << b", "<< a >> b", ">> a << b",
    "</s>", "Hello </s> world", "a</s>b", "<pad>", "<unk> and <pad>.", "<s> is no special token", "▁ is the mark", "a▁b",
    "😀", "I love 😀😀 this", "👩‍👩‍👧", "漢字とかな", "你好吗?", "שלום עולם", "مرحبا بالعالم", "ﷺ", "नमस्ते", "Ωmega Ж",
    "cafe\u0301", "café", "A\u0308rger", "Ärger Straße ẞ", "z\u0351\u0352 stacked", "\u0301 alone", "ﬁsh oﬃce ﬀ", "１２３ ＡＢＣ！",
    "ｱｲｳ", "no\u00a0break", "thin\u2009space", "ideographic\u3000space", "zero\u200bwidth", "soft\u00adhyphen", "\ufeffmark",
    "ell…ipsis", "½ ² ™ ① Å", "“quotes” ‘and’ „more“", "don't", "it´s", "a-b–c—d", "x" * 60, "\x00nul", "\x07bell",
    "\U0010fffd last plane", "e\u0301" * 3,
]
