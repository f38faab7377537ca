"""Training against the Annotated Transformer in PyTorch: the same model, vocabulary, batches and BLAS kernels.

usage: OPENBLAS_CORETYPE=SKYLAKEX /usr/bin/python3 training_speed.py HEADSCOPE_CLI DATA_DIR WORK_DIR [ROUNDS] [STEPS] [PRODUCTS]
DATA_DIR has train.tsv.gz and valid.tsv.gz. Each round is STEPS steps of one program, then of the other, both going on
from where they were. Prints the target tokens a second of each round, their ratio, and the losses of both. What is
counted is wall time within the steps: reading and splitting the corpus is left out on both sides.
"""
import csv, gzip, json, math, pathlib, random, statistics, subprocess, sys, time

import sentencepiece
import torch
from torch import nn

PAD, BOS, EOS = 0, 2, 3
WIDTH, INNER, HEADS, LAYERS, DROPOUT = 256, 1024, 8, 3, 0.1
BATCH_TOKENS, POOL, WARM_UP, RATE = 1500, 8000, 600, 1e-3

cli, data, work = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3]).resolve()
rounds = int(sys.argv[4]) if len(sys.argv) > 4 else 4
steps = int(sys.argv[5]) if len(sys.argv) > 5 else 50
products = sys.argv[6] if len(sys.argv) > 6 else "float32"
work.mkdir(parents=True, exist_ok=True)
torch.set_num_threads(2)
torch.manual_seed(7)


def ours(until):
    """Trains to step `until`; returns {step: (loss, tokens a second)}."""
    config = {
        "corpus": {"train": str(data / "train.tsv.gz"), "longest": 59},
        "vocabulary": {"kind": "unigram", "size": 8000},
        "network": {"family": "annotated-transformer", "encoder_layers": LAYERS, "model_width": WIDTH,
                    "feed_forward_width": INNER, "heads": HEADS, "positions": "sinusoid-interleaved",
                    "tied_source_target": "yes", "tied_generator": "yes"},
        "training": {"steps": until, "batch_tokens": BATCH_TOKENS, "pool": POOL, "dropout": DROPOUT,
                     "label_smoothing": 0.1, "validate_every": 1000000, "parts": 2, "products": products},
        "schedule": {"kind": "inverse-sqrt", "rate": RATE, "warm_up": WARM_UP},
        "model": str(work / "model")}
    (work / "config.json").write_text(json.dumps(config))
    subprocess.run([cli, "train", str(work / "config.json"), "--device", "cpu", "--quiet"], check=True,
                   stdout=subprocess.DEVNULL)
    with open(work / "model.training" / "log.csv") as log:
        return {int(row["step"]): (float(row["loss"]), float(row["tokens_per_second"])) for row in csv.DictReader(log)}


class Norm(nn.Module):
    def __init__(self):
        super().__init__()
        self.gain, self.bias = nn.Parameter(torch.ones(WIDTH)), nn.Parameter(torch.zeros(WIDTH))

    def forward(self, x):
        return self.gain * (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + 1e-6) + self.bias


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.maps = nn.ModuleList(nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.drop = nn.Dropout(DROPOUT)

    def forward(self, x, memory, mask):
        n = x.size(0)
        q, k, v = (m(y).view(n, -1, HEADS, WIDTH // HEADS).transpose(1, 2)
                   for m, y in zip(self.maps, (x, memory, memory)))
        scores = (q @ k.transpose(-2, -1) / math.sqrt(WIDTH // HEADS)).masked_fill(~mask.unsqueeze(1), -1e9)
        return self.maps[3]((self.drop(scores.softmax(-1)) @ v).transpose(1, 2).reshape(n, -1, WIDTH))


class Layer(nn.Module):
    def __init__(self, cross):
        super().__init__()
        self.attention, self.cross = Attention(), Attention() if cross else None
        self.inner = nn.Sequential(nn.Linear(WIDTH, INNER), nn.ReLU(), nn.Dropout(DROPOUT), nn.Linear(INNER, WIDTH))
        self.norms = nn.ModuleList(Norm() for _ in range(3 if cross else 2))
        self.drop = nn.Dropout(DROPOUT)

    def forward(self, x, mask, memory=None, memory_mask=None):
        y = self.norms[0](x)
        x = x + self.drop(self.attention(y, y, mask))
        if self.cross is not None:
            x = x + self.drop(self.cross(self.norms[1](x), memory, memory_mask))
        return x + self.drop(self.inner(self.norms[-1](x)))


class Model(nn.Module):
    def __init__(self, vocabulary):
        super().__init__()
        self.encoder = nn.ModuleList(Layer(False) for _ in range(LAYERS))
        self.decoder = nn.ModuleList(Layer(True) for _ in range(LAYERS))
        self.norms = nn.ModuleList((Norm(), Norm()))
        self.embedding = nn.Embedding(vocabulary, WIDTH)
        self.bias = nn.Parameter(torch.zeros(vocabulary))
        self.drop = nn.Dropout(DROPOUT)
        for parameter in self.parameters():
            if parameter.dim() > 1:
                nn.init.xavier_uniform_(parameter)
        nn.init.normal_(self.embedding.weight, std=WIDTH ** -0.5)
        place = torch.arange(100).unsqueeze(1) * torch.exp(torch.arange(0, WIDTH, 2) * -(math.log(10000.0) / WIDTH))
        self.register_buffer("places", torch.stack((place.sin(), place.cos()), -1).reshape(100, WIDTH))

    def embed(self, ids):
        return self.drop(self.embedding(ids) * math.sqrt(WIDTH) + self.places[:ids.size(1)])

    def forward(self, source, target):
        open_source = (source != PAD).unsqueeze(-2)
        n = target.size(1)
        open_target = (target != PAD).unsqueeze(-2) & torch.ones(1, n, n, dtype=torch.bool).tril()
        x = self.embed(source)
        for layer in self.encoder:
            x = layer(x, open_source)
        memory = self.norms[0](x)
        x = self.embed(target)
        for layer in self.decoder:
            x = layer(x, open_target, memory, open_source)
        return self.norms[1](x)


def padded(sentences):
    longest = max(map(len, sentences))
    return torch.tensor([s + [PAD] * (longest - len(s)) for s in sentences])


def batches(pairs, seed):
    random.Random(seed).shuffle(pairs)
    found = []
    for at in range(0, len(pairs), POOL):
        batch = []
        for pair in sorted(pairs[at:at + POOL], key=lambda p: (len(p[1]), len(p[0]))):
            batch.append(pair)
            if len(pair[1]) * len(batch) >= BATCH_TOKENS:
                found.append(batch)
                batch = []
        if batch:
            found.append(batch)
    random.Random(seed + 1).shuffle(found)
    return found


first = ours(1)  # makes the vocabulary that both share
pieces = sentencepiece.SentencePieceProcessor(model_file=str(work / "model.training" / "spm.model"))
with gzip.open(data / "train.tsv.gz", "rt", encoding="utf-8") as lines:
    pairs = [line.rstrip("\n").split("\t")[:2] for line in lines]
pairs = [(s + [EOS], [BOS] + t + [EOS]) for s, t in zip(*(pieces.encode([p[i] for p in pairs]) for i in (0, 1)))
         if len(s) < 60 and len(t) < 60]
work_left = iter(batches(pairs, 1))
model = Model(pieces.get_piece_size())
optimizer = torch.optim.Adam(model.parameters(), lr=RATE, betas=(0.9, 0.98), eps=1e-9)
criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
model.train()
step, ratios = 0, []
print("round  step  PyTorch tokens/s  ours  ratio   PyTorch loss  ours", flush=True)
for number in range(rounds):
    tokens, total, begun = 0, 0.0, time.time()
    for _ in range(steps):
        batch = next(work_left)
        step += 1
        for group in optimizer.param_groups:
            group["lr"] = RATE * (step / WARM_UP if step < WARM_UP else math.sqrt(WARM_UP / step))
        source, target = padded([p[0] for p in batch]), padded([p[1] for p in batch])
        answers = model(source, target[:, :-1])
        wanted = target[:, 1:]
        counted = wanted != PAD
        loss = criterion(nn.functional.linear(answers[counted], model.embedding.weight, model.bias), wanted[counted])
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        tokens += int(counted.sum())
        total += loss.item() * int(counted.sum())
    theirs = tokens / (time.time() - begun)
    log = ours(step)
    loss, speed = log[step]
    ratios.append(speed / theirs)
    print(f"{number:5}  {step:4}  {theirs:16.0f}  {speed:4.0f}  {ratios[-1]:5.2f}  {total / tokens:13.4f}  {loss:.4f}",
          flush=True)
print(f"median ratio {statistics.median(ratios):.2f}, least {min(ratios):.2f}")
