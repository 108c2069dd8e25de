"""What every endpoint may count on in a question, after OpenAI's reference: it refuses what differs."""

import re

NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
FIELDS = {
    "system": {"content"},
    "user": {"content"},
    "tool": {"content", "tool_call_id"},
    "assistant": {"content", "tool_calls"},  # and what endpoints of their own want to have back
}


def check(body):
    """AssertionError if an endpoint would refuse it."""
    assert isinstance(body["model"], str)
    assert body["messages"], "an endpoint refuses a question without messages"
    check_messages(body["messages"])
    for tool in body.get("tools", ()):
        assert tool.keys() == {"type", "function"} and tool["type"] == "function"
        function = tool["function"]
        assert function.keys() == {"name", "description", "parameters"} and NAME.fullmatch(function["name"])
        assert function["description"]
        check_schema(function["parameters"])
    if form := body.get("response_format"):
        assert form["type"] in ("json_schema", "json_object")
        assert form.keys() == ({"type", "json_schema"} if form["type"] == "json_schema" else {"type"})
    if named := form and form.get("json_schema"):
        assert named.keys() == {"name", "schema", "strict"} and named["strict"] is True
        assert NAME.fullmatch(named["name"])
        check_schema(named["schema"], strict=True)


def check_messages(messages):
    """A tool's answer follows the call that it answers, and each call has one."""
    assert messages[0]["role"] in ("system", "user"), "templates of some models begin with nothing else"
    open_calls = []
    for message in messages:
        fields = message.keys() - {"role"}
        assert fields >= {"content"} and (message["role"] == "assistant" or fields == FIELDS[message["role"]])
        assert isinstance(message["content"], str) or (message["content"], message["role"]) == (None, "assistant")
        if message["role"] == "tool":
            open_calls.remove(message["tool_call_id"])
        else:
            assert not open_calls, "a call was not answered"
        for call in message.get("tool_calls", ()):
            assert call["type"] == "function" and NAME.fullmatch(call["function"]["name"])
            assert isinstance(call["function"]["arguments"], str)
            open_calls.append(call["id"])
    assert not open_calls, "a call was not answered"


def check_schema(schema, strict=False):
    """Strict ones name every property as required and allow no other."""
    if schema.get("type") == "object":
        assert schema.keys() <= {"type", "properties", "required", "additionalProperties"}
        assert set(schema["required"]) <= schema["properties"].keys()
        assert not strict or (schema["additionalProperties"], set(schema["required"])) == (
            False,
            set(schema["properties"]),
        )
        for it in schema["properties"].values():
            check_schema(it, strict)
    elif schema.get("type") == "array":
        check_schema(schema["items"], strict)
    else:
        assert "enum" in schema or schema["type"] in ("string", "integer", "number", "boolean")
