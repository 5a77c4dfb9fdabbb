#!/usr/bin/env python3
"""The page's API is called by a client that is made from its OpenAPI document alone.

  openapi.py LUCENA

A validator finds the document valid. Queries with the required parameters alone, and with each optional one, get
answers that fit their schemas; without one of the required parameters they are refused. A job with a wrong field is
refused, and the field is named.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

# Values by name, for parameters whose schemas leave the value open.
VALUES = {
    "fen": "8/8/8/8/8/1k6/8/K1R5 w - - 0 1",
    "player": "exact",
    "with": "theory",
    "material": "KRvK",
    "move": "Rc8",
    "instead": "Rc8",
    "moves": "c1c8,b3a3",
    "pgn": "1. e4 e5 *",
    "verb": "prove",
    "open": "0",
    "class": "draw",
    "answered": "draw",
    "set": "geometric",
}
# Values for one path.
VALUES_OF = {
    "/api/answer": {"player": "search:depth=1"},
    "/api/leaf": {"leaf": 7},
    "/api/lesson": {"player": "strategy"},
    "/api/lesson.html": {"player": "strategy"},
    "/api/lesson/rules": {"material": "KPvK"},
}
# Optional parameters of which one has to be there: OpenAPI cannot say so, the descriptions do.
ONE_OF_SEVERAL = {"/api/data/confusion": "player", "/api/data/confusion/boards": "player"}
# Jobs that are refused, and the word that names what is wrong.
WRONG_JOBS = [
    ({}, "verb"),
    ({"verb": 7}, "verb"),
    ({"verb": None}, "verb"),
    ({"verb": "mine"}, "verb"),
    ({"verb": "train", "games": -1}, "games"),
    ({"verb": "train", "field": {"games": "9"}}, "field"),
    ({"verb": "train", "fields": "games"}, "fields"),
    ({"verb": "train", "fields": {"games": -1}}, "games"),
    ({"verb": "train", "fields": {"games": None}}, "games"),
    ({"verb": "train", "fields": {"games": "-1"}}, "games"),
    ({"verb": "train", "fields": {"gamse": "1"}}, "gamse"),
    ({"verb": "train", "fields": {"hidden": "65"}}, "hidden"),
    ({"verb": "measure", "fields": {"look": "99"}}, "look"),
]


def expect(holds, sentence):
    if not holds:
        sys.exit(f"openapi: {sentence}")


class Client:
    """A client made from a document."""

    def __init__(self, address):
        self.address = address
        self.document = json.loads(self.send("GET", "/api/openapi.json")[2])

    def send(self, method, target, body=None):
        """The status, the media type and the body of an answer."""
        data = None if body is None else json.dumps(body).encode()
        headers = {} if body is None else {"content-type": "application/json"}
        request = urllib.request.Request(self.address + target, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=300) as answer:
                return answer.status, answer.headers.get_content_type(), answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.headers.get_content_type(), error.read()

    def call(self, method, path, query=None, body=None, names=None):
        """The status and the answer, which has a schema that it fits."""
        target = path.format(**(names or {}))
        if query:
            target += "?" + urllib.parse.urlencode(query)
        begun = time.monotonic()
        status, kind, text = self.send(method, target, body)
        while status == 202 and time.monotonic() - begun < 300:
            time.sleep(0.1)
            status, kind, text = self.send(method, target, body)
        responses = self.document["paths"][path][method.lower()]["responses"]
        expect(str(status) in responses, f"{target}: {status} is not described: {text[:300]}")
        content = responses[str(status)]["content"]
        expect(kind in content, f"{target}: {kind} is not described")
        if kind != "application/json":
            return status, text.decode()
        answer = json.loads(text)
        schema = {**content[kind]["schema"], "components": self.document["components"]}
        wrong = next(Draft202012Validator(schema).iter_errors(answer), None)
        expect(wrong is None, f"{target}: {wrong and (wrong.json_path, wrong.message[:300])}")
        return status, answer


def value(path, parameter):
    """A value that the parameter's schema allows."""
    name, schema = parameter["name"], parameter["schema"]
    usual = 1 if schema["type"] == "integer" else "x"
    open_values = {**VALUES, **VALUES_OF.get(path, {})}
    found = schema["enum"][0] if "enum" in schema else open_values.get(name, usual)
    wrong = next(Draft202012Validator(schema).iter_errors(found), None)
    expect(wrong is None, f"{name} does not take {found!r}: {schema}")
    return found


def check_queries(client):
    """Returns the numbers of required and of optional parameters."""
    counts = [0, 0]
    for path, item in client.document["paths"].items():
        if "{" in path or "get" not in item:
            continue
        parameters = [one for one in item["get"].get("parameters", []) if one.get("style") != "form"]
        required = {one["name"]: value(path, one) for one in parameters if one["required"]}
        taken = {one["name"]: value(path, one) for one in parameters if one["name"] == ONE_OF_SEVERAL.get(path)}
        taken.update(required)
        status, answer = client.call("GET", path, taken)
        expect(status == 200, f"{path} with {taken} is refused with {status}: {answer}")
        for name in required:
            rest = {key: given for key, given in required.items() if key != name}
            status, answer = client.call("GET", path, rest)
            # The page asks for the command line of a form that is not complete yet.
            refused = status == 400 or path == "/api/command" and answer["error"]
            expect(refused, f"{path} answers without {name}")
        for one in parameters:
            if not one["required"]:
                # What cannot be, such as a stage that the endgame lacks, is refused with a described answer.
                client.call("GET", path, {**taken, one["name"]: value(path, one)})
        counts[0] += len(required)
        counts[1] += len(parameters) - len(required)
    return counts


def check_jobs(client):
    body = client.document["paths"]["/api/jobs"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    body = Draft202012Validator(body)
    for job, word in WRONG_JOBS:
        status, answer = client.call("POST", "/api/jobs", body=job)
        expect(status == 400 and word in answer["error"], f"{job}: {status}, {answer}")
    for job in [{}, {"verb": "train", "games": -1}, {"verb": "train", "fields": {"games": 1}}]:
        expect(not body.is_valid(job), f"the schema allows {job}")
    expect(client.call("GET", "/api/jobs")[1]["jobs"] == [], "a wrong job has begun")
    for job in [{"verb": "prove"}, {"verb": "prove", "fields": {"player": "exact"}}]:
        expect(body.is_valid(job), f"the schema refuses {job}")
        status, begun = client.call("POST", "/api/jobs", body=job)
        expect(status == 201, f"{job} is refused: {begun}")
        names = {"id": begun["id"]}
        client.call("POST", "/api/jobs/{id}/stop", names=names)
        while client.call("GET", "/api/jobs/{id}", names=names)[1]["state"] == "running":
            time.sleep(0.1)
        status, answer = client.call("POST", "/api/jobs/{id}/rename", body={"nam": "x"}, names=names)
        expect(status == 400 and "nam" in answer["error"], f"a name without a name: {answer}")
        expect(client.call("POST", "/api/jobs/{id}/forget", names=names)[0] == 200, "a job is not deleted")
    expect(client.call("GET", "/api/jobs/{id}", names={"id": "77"})[0] == 404, "there is a job 77")


def main(program):
    with tempfile.TemporaryDirectory() as folder:
        arguments = [program, "serve", "--port", "0", "--results", str(pathlib.Path(folder) / "results")]
        server = subprocess.Popen([*arguments, "--tables", folder], stdout=subprocess.PIPE, text=True)
        try:
            address = server.stdout.readline().split()[1].rstrip("/")
            client = Client(address)
            validate(client.document)
            required, optional = check_queries(client)
            expect(required > 20 and optional > 60, f"{required} required parameters, {optional} optional ones")
            check_jobs(client)
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main(sys.argv[1])
