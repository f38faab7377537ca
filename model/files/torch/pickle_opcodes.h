#pragma once

namespace headscope::files {

/// The opcodes that torch.save writes, with the names of Python's pickletools. They can only build values.
enum PickleOpcode : unsigned char {
    Proto = 0x80,
    Frame = 0x95,
    Stop = '.',
    Mark = '(',
    None = 'N',
    NewTrue = 0x88,
    NewFalse = 0x89,
    BinInt = 'J',
    BinInt1 = 'K',
    BinInt2 = 'M',
    Long1 = 0x8a,
    BinFloat = 'G',
    ShortBinString = 'U',
    BinUnicode = 'X',
    ShortBinUnicode = 0x8c,
    BinUnicode8 = 0x8d,
    EmptyDict = '}',
    EmptyList = ']',
    EmptyTuple = ')',
    Tuple = 't',
    Tuple1 = 0x85,
    Tuple2 = 0x86,
    Tuple3 = 0x87,
    SetItem = 's',
    SetItems = 'u',
    Append = 'a',
    Appends = 'e',
    BinPut = 'q',
    LongBinPut = 'r',
    Memoize = 0x94,
    BinGet = 'h',
    LongBinGet = 'j',
    Global = 'c',
    StackGlobal = 0x93,
    Reduce = 'R',
    NewObj = 0x81,
    Build = 'b',
    BinPersId = 'Q',
};

} // namespace headscope::files
