"""A model server on this machine: the OpenAI wire format, answers from a script; remembers what was asked."""

import asyncio
import json
import threading
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field

import model_questions


@dataclass
class Answer:
    body: object  # JSON, or text to send as it is
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    pause: float = 0.0  # after each byte
    cut: int = 0  # bytes, after which the connection is closed


@dataclass
class Server:
    answers: list
    url: str = ""
    asked: list = field(default_factory=list)
    paths: set = field(default_factory=set)
    reached: asyncio.Event = field(default_factory=asyncio.Event)
    writers: list = field(default_factory=list)

    def answer(self, body):
        """The next answer; a function of the question is asked."""
        found = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        found = found(body) if callable(found) else found
        return found if isinstance(found, Answer) else Answer(found)

    async def serve(self, reader, writer):
        self.writers.append(writer)
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                lengths = [it for it in head.lower().split(b"\r\n") if it.startswith(b"content-length:")]
                body = json.loads(await reader.readexactly(int(lengths[0].partition(b":")[2])) if lengths else b"null")
                self.asked.append(body)
                self.paths.add(head.split()[1].decode())
                self.reached.set()
                answer = self.answer(body)
                await asyncio.sleep(answer.delay)
                await self.send(writer, answer)
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()
        finally:
            writer.close()

    @staticmethod
    async def send(writer, answer):
        content = written(answer)
        for at in range(len(content) if answer.pause else 0):
            writer.write(content[at : at + 1])
            await writer.drain()
            await asyncio.sleep(answer.pause)
        writer.write(b"" if answer.pause else content[: answer.cut or None])
        await writer.drain()
        if answer.cut:
            writer.close()

    @property
    def messages(self):
        return [it["messages"] for it in self.asked]


def written(answer):
    text = answer.body if isinstance(answer.body, str) else json.dumps(answer.body)
    content = text.encode()
    headers = {"content-type": "application/json", "content-length": str(len(content))} | answer.headers
    lines = [f"HTTP/1.1 {answer.status} Said", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
    return "\r\n".join(lines).encode() + content


@asynccontextmanager
async def serving(*answers):
    server = Server(list(answers))
    listener = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    server.url = f"http://127.0.0.1:{listener.sockets[0].getsockname()[1]}/v1"
    try:
        yield server
    finally:
        listener.close()
        for writer in server.writers:
            writer.close()
        await asyncio.sleep(0)
    assert server.paths <= {"/v1/chat/completions"}
    for body in filter(None, server.asked):
        model_questions.check(body)


def completion(content=None, *, calls=(), finish="stop", usage=(100, 10), **message):
    """What an endpoint answers with this text, or with these (name, arguments) as tool calls."""
    said = {"role": "assistant", "content": content, **message}
    if calls:
        said["tool_calls"] = [
            {"id": f"c{n}", "type": "function", "function": {"name": name, "arguments": arguments}}
            for n, (name, arguments) in enumerate(calls)
        ]
    counted = {"prompt_tokens": usage[0], "completion_tokens": usage[1]} if usage else None
    return {
        "id": "x",
        "object": "chat.completion",
        "model": "m",
        "choices": [{"index": 0, "finish_reason": finish, "message": said}],
        "usage": counted,
    }


def failure(message, status=400, **more):
    return Answer({"error": {"message": message, **more}}, status)


@contextmanager
def serving_in_thread(*answers):
    """As `serving`, in a thread with a loop of its own, for tests that wait without one."""
    started, ended, server, loop = threading.Event(), None, None, asyncio.new_event_loop()

    async def serve():
        nonlocal ended, server
        ended = asyncio.Event()
        async with serving(*answers) as server:
            started.set()
            await ended.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    started.wait()
    try:
        yield server
    finally:
        loop.call_soon_threadsafe(ended.set)
        thread.join()
        loop.close()
