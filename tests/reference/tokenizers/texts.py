"""Texts that tokenizers are trained on and compared with."""

import random

SENTENCES = """The boats were tied up for the night, and nobody spoke.
We'll see whether they've left; I don't think she'd mind.
In 1987 the bridge carried 12,500 cars a day, in 2024 about 40,250.
A cat, two dogs and three horses walked down the road to the harbour.
It isn't raining today, but it was raining yesterday and the day before.
    for row in rows:
        print(row["name"], row["value"] * 2)
She said "yes", then (after a while) "no" -- and then nothing at all.
Die Boote waren für die Nacht festgemacht, und niemand sprach.
Größe, Straße, Übung, Äpfel und Öl: das sind fünf deutsche Wörter.
Er weiß nicht, ob wir morgen kommen oder erst übermorgen.
Les bateaux étaient amarrés pour la nuit et personne ne parlait.
L'été dernier, nous sommes allés à la mer où l'eau était très claire.
Ça ne fait rien, répondit-elle, c'est déjà fini.
Лодки были привязаны на ночь, и никто не говорил.
Мы пойдём домой завтра или послезавтра.
船は夜のあいだつながれていて、誰も話さなかった。
我们明天回家，或者后天回家。
كانت القوارب مربوطة ليلا ولم يتكلم أحد.
เรือถูกผูกไว้ตอนกลางคืนและไม่มีใครพูด
배는 밤새 묶여 있었고 아무도 말하지 않았다.
Visit https://example.org/a/b?c=1&d=2 or write to someone@example.org.
""".splitlines()

# Two words of every alphabet, to make others of.
ALPHABETS = {
    "cyrillic": "абвгдежзийклмнопрстуфхцчшщыьэюяё",
    "cjk": "的一是不了人我在有他这中大来上国日月水火木金土学生先見行食飲山川田目耳手足あいうえおかきくけこのはをにがですアイウエオ",
    "arabic": "ابتثجحخدذرزسشصضطظعغفقكلمنهويةىءأإ",
    "thai": "กขคงจฉชซญดตถทธนบปผพฟภมยรลวสหอฮะาิีึืุูเแโไใ่้",
}


def generated(alphabet, count, seed):
    """Sentences of random words of an alphabet, of which a few hundred come again and again."""
    lots = random.Random(seed)
    letters = ALPHABETS[alphabet]
    spaced = alphabet in ("cyrillic", "arabic")
    words = ["".join(lots.choice(letters) for _ in range(lots.randint(1, 7))) for _ in range(400)]
    ends = {"cyrillic": ".", "cjk": "。", "arabic": "؟", "thai": ""}
    sentences = []
    for _ in range(count):
        chosen = [words[min(int(lots.expovariate(0.02)), 399)] for _ in range(lots.randint(3, 15))]
        text = (" " if spaced else "").join(chosen)
        if lots.random() < 0.2:
            text += " " + str(lots.randint(0, 99999))
        sentences.append(text + ends[alphabet])
    return sentences


# The inputs that tokenizers stumble over. What is no UTF-8 cannot be given to the reference and is not among them.
NASTY = [
    "", " ", "  a  b  ", "\t", "\n", "\r\n", "\f", "a\tb\nc\r\nd\fe\vf", "a\u00a0b\u3000c\u2028d\u0085e",
    "a\u200bb\ufeffc\u00add\u180ee", "a\0b\u0007c", "e\u0301", "a\u0300\u0301", "\ufb01\u0301", "½ ² Ⅷ ① ٣",
    "12345 1,000.50", "I'LL we'll don’t 'ſ", "İSTANBUL ΟΔΟΣ STRASSE ß", "한국어", "\u1112\u1161\u11ab", "ＡＢ１ ｶﾞ", "\u337f",
    "\ufdfa", "word日本語word", "\U00020000", "ภาษาไทย ที่นี่", "\u0958", "مُحَمَّد", "😀", "👨‍👩‍👧‍👦", "🇩🇪🇫🇷", "❤\ufe0f", "👍🏽",
    "<s>ab</s>cd", "[MASK]", "<|endoftext|>", "a <mask> b", "a<mask>b", "a [MASK] b[MASK]", "▁a", "Ġa", "##a",
    "<0x41>", "<extra_id_0>", "a<extra_id_1> b", ">>deu<< a", "x" * 100, "x" * 101, "x" * 999,
    " " * 2 + "a" + " " * 3 + "b" + " " * 30 + "c", "\n \n \n  \n", "$a+b^c °№·—", "\u2e52", "\ue000", "\u0378",
    "\U0010ffff", "\ufeffa", "a\u200e\u200fb", "https://example.org/ä?b=c#d", "    def f(x):\n        return  x\n",
    "``a'' `b'", "a--b-c-", "'s 'S", "\u0130\u0307", "\u1e9b\u0323", "\u00c5\u212b\u2126", "\u0344\u0385",
    "Hello World! Hello  World!", "a\u0338=\u0338", "\u061d\u2e5d", "( a ) . b , c n't 's", "eng_Latn x", "__en__ x",
    "<unk>", "<pad>a", "hello<unk> b", "1/2 and 3\u20444", "  <s>  a  </s>  ", "Ωµå", "ǅ ǆ", "\u2029a\u2003b",
]
