"""A model on this machine: what it answers, and what is said if it cannot be used."""

import hashlib
import sys
from dataclasses import replace

import httpx
import pytest

from citelsp.base.read_settings import Layer, merge
from citelsp.base.settings import Embeddings, Settings
from citelsp.meaning import fetch_model, known_models, model_folder
from citelsp.meaning.known_models import KnownModel, ModelFile
from citelsp.meaning.local_embedder import LocalEmbedder, embedder
from citelsp.meaning.local_model import LocalModel
from citelsp.meaning.model_folder import ModelError
from citelsp.sources.model_endpoints import EndpointError
from tiny_model import write_model

np = pytest.importorskip("numpy")
pytest.importorskip("onnxruntime")
pytest.importorskip("tokenizers")

CATS, BOATS = {"cat", "cats", "feline"}, {"boat", "ships", "sea"}


@pytest.fixture
def folder(tmp_path):
    return write_model(tmp_path / "tiny", CATS, BOATS)


def test_texts_on_one_thing_lie_near(folder):
    model = LocalModel(Embeddings(model=str(folder)))
    assert not model.is_loaded, "nothing is loaded before it is asked"
    titles = model.works(["Cats at home", "Ships at sea", "A treatise"])
    assert np.allclose(np.linalg.norm(titles, axis=1), 1, atol=1e-5)
    nearness = titles @ model.queries(["what a feline does"])[0]
    assert nearness.argmax() == 0
    assert model.is_loaded


def test_vectors_stand_in_the_order_of_the_texts(folder):
    model = LocalModel(Embeddings(model=str(folder)))
    texts = [("cats " * (it % 7) + "sea " * (it % 5) + "x").strip() for it in range(80)]
    together = model.works(texts)
    alone = np.concatenate([model.works([it]) for it in texts])
    assert np.allclose(together, alone, atol=1e-5)


def test_half_a_character_is_read_as_a_question_mark(folder):
    model = LocalModel(Embeddings(model=str(folder)))
    assert np.array_equal(model.works(["cats \ud83d at sea"]), model.works(["cats ? at sea"]))


def test_a_folder_says_how_one_vector_is_made_of_many(folder):
    text, settings = "sea cats cats cats", Embeddings(model=str(folder))
    mean = LocalModel(settings).works([text])[0]
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}', encoding="utf-8")
    first = LocalModel(settings).works([text])[0]
    assert mean[0] > mean[1] and first[1] > first[0]


def test_a_model_that_takes_fewer_inputs_is_given_those(tmp_path):
    folder = write_model(tmp_path / "few", CATS, inputs=("input_ids",))
    assert LocalModel(Embeddings(model=str(folder))).works(["cats"]).shape == (1, 2)


async def test_it_answers_as_an_endpoint_does(folder):
    found = embedder(Settings(embeddings=Embeddings(model=str(folder)), offline=True))
    assert isinstance(found, LocalEmbedder) and found.is_here
    [titles, abstracts] = await found.works(["Cats\nships at sea and boats", "Cats\n"])
    assert titles == abstracts, "titles alone are read"
    assert len(await found.query("feline")) == len(titles)
    assert found.vectors.startswith("tiny ")


def test_other_weights_have_vectors_of_another_name(folder, tmp_path):
    other = write_model(tmp_path / "b" / "tiny", BOATS, CATS)
    assert LocalModel(Embeddings(model=str(folder))).vectors != LocalModel(Embeddings(model=str(other))).vectors
    prefixed = Embeddings(model=str(folder), work_prefix="passage: ")
    assert LocalModel(Embeddings(model=str(folder))).vectors != LocalModel(prefixed).vectors


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (lambda it: (it / "model.onnx").unlink(), "a model's folder needs model.onnx and tokenizer.json"),
        (lambda it: (it / "tokenizer.json").unlink(), "a model's folder needs model.onnx and tokenizer.json"),
        (lambda it: (it / "model.onnx").write_bytes(b"no model"), "cannot be used as a model"),
        (lambda it: (it / "tokenizer.json").write_text("{}"), "cannot be used as a model"),
        (lambda it: (it / "model.onnx").write_bytes((it / "model.onnx").read_bytes()[:90]), "cannot be used as"),
    ],
)
async def test_a_damaged_folder_is_said_in_one_sentence(folder, harm, said):
    harm(folder)
    with pytest.raises(EndpointError, match=said) as error:
        await LocalEmbedder(LocalModel(Embeddings(model=str(folder)))).works(["cats"])
    assert len(str(error.value).replace(str(folder), "")) < 160 and "\n" not in str(error.value)


def test_what_is_no_folder_is_said_with_the_names_that_are_known():
    with pytest.raises(ModelError, match=r"bge-small-en-v1\.5"):
        model_folder.find(Embeddings(model="/nowhere"))


def test_without_the_extra_it_says_what_to_install(folder, monkeypatch):
    monkeypatch.setattr("citelsp.base.extras.find_spec", lambda _: None)
    with pytest.raises(ModelError, match=r"needs onnxruntime: .*onnxruntime~="):
        LocalModel(Embeddings(model=str(folder))).works(["cats"])


def test_no_workspace_names_a_model(folder):
    settings, problems = merge(Layer({"embeddings": {"model": str(folder)}}, trusted=False))
    assert not settings.embeddings.model
    assert problems == ["embeddings.model counts only in your own settings, not in a workspace's."]


# Fetching


class Hub(httpx.AsyncBaseTransport):
    """Gives files by address, sends each through one redirect; what is in `cut` it sends in part."""

    def __init__(self, files):
        self.files, self.asked, self.cut = files, [], 10**9

    async def handle_async_request(self, request):
        self.asked.append(str(request.url))
        if request.url.host == "hub.test":
            return httpx.Response(302, headers={"location": f"https://cdn.test{request.url.path}"})
        return httpx.Response(200, content=self.files[request.url.path][: self.cut])


@pytest.fixture
def known(folder, tmp_path, monkeypatch):
    """A known model whose files are those of the folder, and who serves them."""
    files = []
    for name in (known_models.WEIGHTS, known_models.TOKENIZER):
        data = (folder / name).read_bytes()
        files.append(ModelFile(name, f"https://hub.test/{name}", len(data), hashlib.sha256(data).hexdigest()))
    model = KnownModel("toy", "MIT", "English", tuple(files), "mean")
    monkeypatch.setitem(model_folder.MODELS, "toy", model)
    monkeypatch.setattr(model_folder, "models_directory", lambda: tmp_path / "models")
    monkeypatch.setattr(fetch_model, "models_directory", lambda: tmp_path / "models")
    return model, Hub({f"/{it}": (folder / it).read_bytes() for it in ("model.onnx", "tokenizer.json")})


async def test_a_known_model_is_fetched_once_and_used(known):
    model, hub = known
    with pytest.raises(ModelError, match="is not on this machine yet: `citelsp corpus embed --fetch` fetches it"):
        LocalModel(Embeddings(model="toy")).works(["cats"])
    assert await fetch_model.fetch(model, Settings(), transport=hub) == 2
    assert len(LocalModel(Embeddings(model="toy")).works(["cats"])) == 1
    asked = len(hub.asked)
    assert await fetch_model.fetch(model, Settings(), transport=hub) == 0
    assert len(hub.asked) == asked, "what is there is not fetched again"


async def test_what_is_sent_in_part_is_not_stored(known, tmp_path):
    model, hub = known
    hub.cut = 50
    with pytest.raises(ModelError, match=r"hub\.test: 50 bytes of [\d,]+; run it again"):
        await fetch_model.fetch(model, Settings(), transport=hub)
    assert list((tmp_path / "models" / "toy").iterdir()) == []


async def test_other_bytes_of_the_same_length_are_not_stored(known, tmp_path):
    model, hub = known
    hub.files["/model.onnx"] = bytes(model.files[0].size)
    with pytest.raises(ModelError, match="is not the file expected: nothing was stored"):
        await fetch_model.fetch(model, Settings(), transport=hub)
    assert list((tmp_path / "models" / "toy").iterdir()) == []


class Breaking(httpx.AsyncByteStream):
    """A body of which the connection ends."""

    async def __aiter__(self):
        yield b"half"
        raise httpx.RemoteProtocolError("peer closed connection")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda: httpx.Response(200, stream=Breaking()), r"hub\.test: peer closed connection; run it again"),
        (lambda: httpx.Response(404), r"hub\.test: HTTP 404; run it again"),
        (lambda: httpx.Response(302, headers={"location": "http://cdn.test/model.onnx"}), r"hub\.test: not https"),
        (lambda: httpx.Response(302, headers={"location": "https://hub.test/model.onnx"}), "too many redirects"),
        (lambda: httpx.Response(200, content=b"x" * 100_000), r"hub\.test: more than [\d,]+ bytes"),
    ],
)
async def test_whatever_a_host_does_is_one_sentence_and_stores_nothing(known, tmp_path, answer, said):
    model, _ = known
    with pytest.raises(ModelError, match=said) as problem:
        await fetch_model.fetch(model, Settings(), transport=httpx.MockTransport(lambda _: answer()))
    assert "\n" not in str(problem.value)
    assert list((tmp_path / "models" / "toy").iterdir()) == []


async def test_offline_nothing_is_fetched(known):
    model, hub = known
    with pytest.raises(ModelError, match="offline"):
        await fetch_model.fetch(model, replace(Settings(), offline=True), transport=hub)
    assert not hub.asked


async def test_a_disk_that_cannot_be_written_is_said(known, tmp_path):
    model, hub = known
    (tmp_path / "models").write_text("a file in the place of the folder")
    with pytest.raises(ModelError, match="not all was stored"):
        await fetch_model.fetch(model, Settings(), transport=hub)


@pytest.mark.parametrize("harm", [lambda data: data[:-3], lambda data: data[:-3] + b"xyz"])
async def test_weights_that_changed_on_disk_are_fetched_again(known, harm):
    model, hub = known
    await fetch_model.fetch(model, Settings(), transport=hub)
    weights = model_folder.models_directory() / "toy" / "model.onnx"
    weights.write_bytes(harm(weights.read_bytes()))
    with pytest.raises(ModelError, match="fetches it again"):
        LocalModel(Embeddings(model="toy")).works(["cats"])
    assert await fetch_model.fetch(model, Settings(), transport=hub) == 1
    assert len(LocalModel(Embeddings(model="toy")).works(["cats"])) == 1


def test_size_licence_and_host_are_said_before(known):
    model, _ = known
    said = fetch_model.announce(model)
    assert "toy" in said and "hub.test" in said and "licence MIT" in said and "MB" in said


def test_nothing_of_the_extra_is_imported_before_it_is_used():
    import subprocess

    code = (
        "import sys, citelsp.meaning.local_embedder, citelsp.corpus.ranking_endpoints;"
        " assert not {'numpy', 'onnxruntime', 'tokenizers'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
