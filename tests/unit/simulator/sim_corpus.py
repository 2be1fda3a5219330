"""Recorded exchanges of the corpus beside the repository, where it exists."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yaml

CORPUS = next(
    (
        place
        for parent in Path(__file__).parents
        if (place := parent / "shared" / "corpus").exists()
    ),
    Path("/nonexistent"),
)
GROUPS = ("gemini", "vertex", "openrouter", "litellm")


@dataclass(frozen=True)
class Recorded:
    """One request, and what the real service answered."""

    name: str
    target: str
    body: bytes
    status: int
    genuine: frozenset[str]
    """Signature texts of the request that earlier responses of the file brought."""
    orphans: frozenset[str]
    """Others: from before the recording, or bypasses."""


def recorded() -> Iterator[Recorded]:
    """Every recorded JSON request of the four dialects that got an answer."""
    for entry in json.loads((CORPUS / "index.json").read_text())["files"]:
        if entry["group"] not in GROUPS:
            continue
        truth = entry["truth"]
        received = {item["sha256"] for item in truth["received"]}
        pairs = _read(CORPUS / entry["file"])
        for exchange, (url, body) in zip(truth["exchanges"], pairs, strict=False):
            path = exchange["path"] or ""
            spoken = path.endswith("/chat/completions") or "/models/" in path
            if not spoken or exchange["request_format"] != "json":
                continue
            texts = set(_strings(json.loads(body)))
            known = {text for text in texts if _sha(text) in received}
            known |= {
                text
                for text in texts
                if _sha(text.replace("-", "+").replace("_", "/")) in received
            }
            signed = {
                item["sha256"]
                for item in truth["signatures"]
                if item["dir"] == "request" and item["x"] == exchange["x"]
            }
            orphans = {t for t in texts if _sha(t) in signed} - known
            yield Recorded(
                name=f"{entry['file']} #{exchange['x']}",
                target=url,
                body=body,
                status=exchange["status"],
                genuine=frozenset(known),
                orphans=frozenset(orphans),
            )


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
        if "__thought__" in value:
            yield value.split("__thought__", 1)[1]
    elif isinstance(value, dict):
        for member in value.values():
            yield from _strings(member)
    elif isinstance(value, list):
        for member in value:
            yield from _strings(member)


def _read(path: Path) -> list[tuple[str, bytes]]:
    """URL and request body of every exchange in a file, by its extension."""
    if path.suffix == ".har":
        entries = json.loads(path.read_text())["log"]["entries"]
        return [
            (e["request"]["url"], e["request"]["postData"]["text"].encode())
            for e in entries
        ]
    if path.suffix not in (".yaml", ".yml"):
        return []
    documents = list(yaml.load_all(path.read_text(), Loader=_Loader))
    if "when" in documents[0]:
        return [(d["when"]["path"], d["when"]["body"].encode()) for d in documents]
    root = documents[0]
    return [
        _request(i) for i in root.get("interactions", root.get("http_interactions"))
    ]


def _request(interaction: dict[str, Any]) -> tuple[str, bytes]:
    request = interaction["request"]
    url = request.get("url") or request["uri"]
    if "parsed_body" in request:
        return url, json.dumps(request["parsed_body"]).encode()
    body = request["body"]
    text = body["string"] if isinstance(body, dict) else body
    return url, text if isinstance(text, bytes) else text.encode()


class _Loader(yaml.SafeLoader):
    """Ruby writes `!binary` where Python writes `!!binary`."""


_Loader.add_constructor("!binary", yaml.SafeLoader.construct_yaml_binary)


def path_of(target: str) -> str:
    """Path and query of a URL or path."""
    parts = urlsplit(target)
    return parts.path + (f"?{parts.query}" if parts.query else "")
