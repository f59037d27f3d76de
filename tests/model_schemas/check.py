"""Plays the endpoint of a language model for the service, and checks the JSON Schema in each of its requests with the
converters that model servers use. Exits non-zero if a converter refuses a schema.

    check.py PROGRAM LLAMA_CPP    the service, and the converter that llama_cpp.cpp becomes
"""

import importlib.util
import json
import re
import subprocess
import sys
import tempfile
import threading
import types
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import llguidance

USER_ID = "0123456789abcdef01234567"
GROUPS = "time people_and_materials quantities variables order safety prediction level_and_topic".split()

# Two lessons with a contradiction. The second one has so many values that the enumeration of their paths in a schema is
# almost as long as the service allows.
SMALL = {"title": "Cress", "steps": [{"text": "Give 30 ml."}], "safety": ["Give no water."]}
LARGE = {**SMALL, "steps": SMALL["steps"] + [{"text": f"Step {number}.", "minutes": 1} for number in range(120)]}
FINDING = {
    "pathA": "steps.0.text", "quoteA": "Give 30 ml.", "pathB": "title", "quoteB": "Cress",
    "reading": "", "reason": "They differ.", "sure": True, "suggestion": None, "alsoAt": [],
}


class Endpoint(BaseHTTPRequestHandler):
    """Answers every question so that the service continues, and keeps the schemas."""

    schemas = {}
    answers = {
        "sum": {"sum": 5},
        "findings": {**{group: [] for group in GROUPS}, "time": [FINDING]},
        "proposal": {"edits": [], "message": "Nothing has to change."},
        "split": {"places": []},
    }

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        asked = request["response_format"]["json_schema"]
        self.schemas[json.dumps(asked, sort_keys=True)] = asked
        text = json.dumps(self.answers[asked["name"]])
        body = json.dumps({"choices": [{"message": {"content": text}, "finish_reason": "stop"}]}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def asked_schemas(program):
    """Makes the service ask every kind of question, and returns the schemas of its questions."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    model = ["--assistant", "openai-compatible", "--assistant-model", "m", "--assistant-rate-limit", "0"]
    model += ["--resolve-rate-limit", "0", "--assistant-base-url", f"http://127.0.0.1:{server.server_port}/v1"]
    with tempfile.TemporaryDirectory() as data:
        command = [program, "serve", "--data", data, "--listen", "127.0.0.1:0", *model]
        service = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            address = next(found[0] for line in service.stdout if (found := re.search(r"http://127\.0\.0\.1:\d+", line)))
            threading.Thread(target=service.stdout.read, daemon=True).start()
            token = [program, "token", "--data", data, "--user", USER_ID]
            token = subprocess.run(token, check=True, capture_output=True, text=True).stdout.strip()

            def post(path, body):
                headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}
                request = urllib.request.Request(address + path, json.dumps(body).encode(), headers)
                try:
                    with urllib.request.urlopen(request) as response:
                        return json.load(response)
                except urllib.error.HTTPError as failed:
                    # The service reports that the answers resolve no contradiction. Only the questions matter here.
                    return json.load(failed)

            for lesson in (SMALL, LARGE):
                created = post("/api/investigation", lesson)
                one = f"/api/investigation/{created['data']['_id']}"
                post(f"{one}/resolve-contradiction", {"fieldName": "steps"})
                post(f"{one}/regenerate", {"fieldName": "title"})
                post(f"{one}/chat", {"content": "Is it?"})
            post("/api/investigation/split", {"text": "Cress\n\nGive water."})
            subprocess.run([program, "doctor", "--data", data, *model], capture_output=True, check=False)
        finally:
            service.terminate()
            service.wait()
    return list(Endpoint.schemas.values())


def xgrammar():
    """Returns the grammars of xgrammar, without its package, which imports PyTorch (2 GB) for other purposes."""
    package = types.ModuleType("xgrammar")
    package.__path__ = list(importlib.util.find_spec("xgrammar").submodule_search_locations)
    sys.modules["xgrammar"] = package
    importlib.import_module("xgrammar.load_binding")
    return importlib.import_module("xgrammar.grammar").Grammar


def openai(asked):
    """Checks what OpenAI requires of a strict schema."""

    def check(schema, depth):
        assert depth <= 10, "is nested too deep"
        if "$ref" in schema:
            return
        assert "type" in schema, f"has no type: {schema}"
        unknown = schema.keys() - {"type", "properties", "required", "additionalProperties", "items", "enum", "$defs"}
        assert not unknown, f"has keywords that are not supported: {unknown}"
        assert len(schema.get("enum", [])) <= 1000, "has too many names"
        names = sum(map(len, schema.get("enum", [])))
        assert len(schema.get("enum", [])) <= 250 or names <= 15_000, "has too long names"
        if schema["type"] == "object":
            assert schema.get("additionalProperties") is False, "has an object with any properties"
            assert set(schema["required"]) == set(schema["properties"]), "has optional properties"
        assert schema["type"] != "array" or "items" in schema, "has a list of anything"
        for inner in [*schema.get("properties", {}).values(), *filter(None, [schema.get("items")])]:
            check(inner, depth + 1)
        for inner in schema.get("$defs", {}).values():
            check(inner, depth)

    if asked["strict"]:
        check(asked["schema"], 1)


def main():
    program, llama_cpp = sys.argv[1:]
    grammar = xgrammar()

    def guidance(asked):
        matcher = llguidance.LLMatcher
        fault = matcher.validate_grammar(matcher.grammar_from_json_schema(json.dumps(asked["schema"])))
        assert not fault, fault

    def llama(asked):
        schema = json.dumps(asked["schema"])
        done = subprocess.run([llama_cpp], input=schema, capture_output=True, text=True, check=False)
        assert done.returncode == 0 and done.stdout, done.stderr

    converters = {
        "llama.cpp and Ollama": llama,
        "vLLM (xgrammar)": lambda asked: grammar.from_json_schema(json.dumps(asked["schema"])),
        "vLLM (llguidance)": guidance,
        "OpenAI": openai,
    }
    wrong = {"name": "wrong", "strict": True, "schema": {"type": "object", "properties": {"a": {"$ref": "#/$defs/b"}}}}
    schemas = asked_schemas(program)
    failed = False
    for title, convert in converters.items():
        # A converter that accepts everything would prove nothing.
        for asked in [*schemas, wrong]:
            try:
                convert(asked)
                accepted, fault = True, ""
            except Exception as error:
                accepted, fault = False, f": {error}"
            if asked is wrong:
                failed |= accepted
                continue
            failed |= not accepted
            size = len(json.dumps(asked["schema"]))
            print(f"{'accepted' if accepted else 'REFUSED':9} {title:21} {asked['name']}, {size} bytes{fault}")
        if accepted:
            print(f"{'BLIND':9} {title:21} accepts a schema that is wrong")
    kinds = {asked["name"] for asked in schemas}
    if kinds != Endpoint.answers.keys() or len(schemas) != 6:
        failed = True
        print(f"not all questions were asked: {sorted(asked['name'] for asked in schemas)}")
    sys.exit(failed)


main()
