#!/usr/bin/env bash
# Fuzzes every reader of files and prints a table: tests/fuzz/run.sh [RUNS] [SECONDS]
# Each target gets RUNS inputs (2000000), from the kept corpus on. After SECONDS it stops, and the next call goes on
# there: what it has done lies in build/fuzz/state. TARGETS="npy npz" does these alone. Needs clang and llvm 14.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
RUNS=${1:-2000000}
END=$(( $(date +%s) + ${2:-1000000} ))
STATE=build/fuzz/state

# target, longest input in bytes, dictionary, the sources whose lines are counted (of model/ and app/)
TABLE="
safetensors 4096 safetensors files/safetensors_header files/stored_tensor
gguf 8192 gguf files/gguf_header files/gguf files/block_values hugging_face/gguf_tokenizer
unpickler 4096 pickle files/unpickler files/pickle_input files/pickle_stack files/torch_objects files/pickled_values
torch_zip 4096 pickle files/torch_zip files/torch_storage files/pickled_tensors
torch_legacy 4096 pickle files/torch_legacy
tensor_file 8192 tensor_file files/file_kind files/saved_object
zip_archive 4096 zip files/zip_archive
configuration 2048 configuration files/limited_json files/json_members checkpoint/settings checkpoint/architecture_settings checkpoint/configure_network checkpoint/supported_config checkpoint/generation_config
shard_index 2048 shard_index files/shard_index
family 4096 family checkpoint/family checkpoint/network_prefix
json_vocabulary 2048 json text/piece_vocabulary
tokenizer_json 6144 tokenizer hugging_face/[a-z_]*
tokenizer_config 2048 tokenizer hugging_face/tokenizer_settings hugging_face/special_tokens
older_tokenizer 8192 - hugging_face/sentence_piece_file hugging_face/converted_sentence_piece
tiktoken_file 4096 word_list hugging_face/tiktoken_file
word_list 2048 word_list text/word_tokenizer text/split_words text/lower_case
pickled_vocabulary 4096 pickle text/pickled_vocabulary
characters 1024 pickle text/character_tokenizer
sentence_piece 8192 - text/sentence_piece_check text/sentence_piece_module
npy 1024 npy files/npy_header files/npy
npz 2048 npy files/npz
trace_words 4096 json plain/json_fields plain/trace_metadata plain/trace_flow plain/trace_lens plain/trace_importance plain/request_json
session 4096 session plain/session plain/json_fields plain/request_json
"
table() { grep -E "${TARGETS:+^(${TARGETS// /|}) }" <<<"$TABLE" | sed '/^$/d'; }

build() { # preset
    cmake --preset "$1" >/dev/null
    cmake --build --preset "$1" --parallel "$(nproc)" >/dev/null
}

number() { # name of a statistic in the log on standard input
    sed -n "s/^stat::$1: *//p"
}

fuzz() { # target, longest input, dictionary
    local state=$STATE/$1 done inputs seconds dictionary=()
    mkdir -p "$state/corpus" "$state/findings"
    done=$(cat "$state/inputs" 2>/dev/null || echo 0)
    seconds=$((END - $(date +%s)))
    if ((done >= RUNS || seconds < 1)); then return; fi
    if [[ $3 != - ]]; then dictionary=(-dict="tests/fuzz/dictionaries/$3.dict"); fi
    # Another seed for every sitting, and the same ones in the same order each time it is done anew.
    build/fuzz/bin/fuzz."$1" -seed=$((done + 1)) -runs=$((RUNS - done)) -max_total_time="$seconds" -max_len="$2" \
        -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 "${dictionary[@]}" \
        -artifact_prefix="$state/findings/" "$state/corpus" "tests/fuzz/corpus/$1" >"$state/log" 2>&1 ||
        echo "$1: ended early, see $state/log" >&2
    inputs=$(number number_of_executed_units <"$state/log")
    echo $((done + ${inputs:-0})) >"$state/inputs"
    number average_exec_per_sec <"$state/log" >"$state/speed"
}

replayForCoverage() {
    local target rest objects=()
    mkdir -p build/fuzz-coverage/profiles
    while read -r target rest; do
        LLVM_PROFILE_FILE=build/fuzz-coverage/profiles/$target.profraw \
            build/fuzz-coverage/bin/fuzz."$target" "tests/fuzz/corpus/$target" "$STATE/$target/corpus" \
            >/dev/null 2>&1 || echo "$target: the replay ended early" >&2
        objects+=(-object "build/fuzz-coverage/bin/fuzz.$target")
    done < <(table)
    llvm-profdata-14 merge -o build/fuzz-coverage/all.profdata build/fuzz-coverage/profiles/*.profraw
    llvm-cov-14 report "${objects[@]:1}" -instr-profile=build/fuzz-coverage/all.profdata "$PWD"/model "$PWD"/app \
        >build/fuzz-coverage/report 2>/dev/null
}

covered() { # sources
    local pattern
    pattern=$(printf '|%s[.]cpp' "$@")
    awk -v pattern="(${pattern:1})\$" \
        '$1 ~ pattern { lines += $8; missed += $9 } END { if (lines) printf "%.1f %%", 100 * (lines - missed) / lines }' \
        build/fuzz-coverage/report
}

build fuzz
while read -r target length dictionary sources; do
    fuzz "$target" "$length" "$dictionary"
done < <(table)
build fuzz-coverage
replayForCoverage
printf '%-20s %10s %10s %9s %14s\n' target inputs inputs/s findings "lines reached"
while read -r target length dictionary sources; do
    state=$STATE/$target
    # shellcheck disable=SC2086 # the sources are words
    printf '%-20s %10s %10s %9s %14s\n' "$target" "$(cat "$state/inputs" 2>/dev/null)" \
        "$(cat "$state/speed" 2>/dev/null)" "$(find "$state/findings" -type f 2>/dev/null | wc -l)" "$(covered $sources)"
done < <(table)
