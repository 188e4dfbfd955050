#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Validates documents of bbprof by a JSON schema, and tries the schema with wrong ones.

    schemas.py SCHEMA FILE      a document, or one on each line (top, trace)

A published schema lets members come that it does not know, because later versions may add some.
Here no object has any other than those that the schema names.  Then each value of the document, one
after the other, gets a type that is wrong, and each object an unknown member; the schema has to
refuse all of them.
"""
import copy
import json
import sys

import jsonschema


def strict(schema):
    """The schema without room for members that it does not name."""
    if isinstance(schema, list):
        return [strict(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: strict(value) for key, value in schema.items()}
    if "properties" in schema and schema.get("type") == "object":
        made.setdefault("additionalProperties", False)
    return made


def short(value):
    """The value with at most the first four items of each list: the rest is alike."""
    if isinstance(value, list):
        return [short(item) for item in value[:4]]
    if isinstance(value, dict):
        return {key: short(item) for key, item in value.items()}
    return value


def places(value, path=()):
    """The paths of all values in VALUE but of itself."""
    items = value.items() if isinstance(value, dict) else \
        enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield (*path, key)
        yield from places(item, (*path, key))


def changed(document, path, change):
    made = copy.deepcopy(document)
    inner = made
    for key in path[:-1]:
        inner = inner[key]
    change(inner, path[-1])
    return made


def set_wrong(inner, key):
    inner[key] = ["wrong"] if not isinstance(inner[key], list) else "wrong"


def add_unknown(inner, key):
    inner[key]["unknown member"] = 1


def wrong_documents(document):
    """Each with what is wrong in it."""
    for path in places(document):
        yield path, changed(document, path, set_wrong)
        at = document
        for key in path:
            at = at[key]
        if isinstance(at, dict):
            yield (*path, "unknown member"), changed(document, path, add_unknown)
    for key in "format", "version":
        if key in document:
            yield (key, "another one"), {**document, key: "bbprof-2" if key == "format" else 2}
            yield (key, "missing"), {other: document[other] for other in document if other != key}


def main(schema_path, path):
    with open(schema_path, encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(strict(schema))
    with open(path, encoding="utf-8") as file:
        text = file.read()
    lines = text.splitlines()
    by_line = len(lines) > 1 and lines[0].endswith("}")
    documents = [json.loads(part) for part in (lines if by_line else [text])]
    for number, document in enumerate(documents, 1):
        for error in validator.iter_errors(document):
            print(f"{path}:{number}: {error.json_path}: {error.message[:200]}")
            return 1
    tried = 0
    for document in map(short, documents[:12]):
        for what, wrong in wrong_documents(document):
            tried += 1
            if validator.is_valid(wrong):
                print(f"{path}: {'.'.join(map(str, what))} is wrong, and not refused")
                return 1
    print(f"{path}: {len(documents)} valid, {tried} wrong ones refused")
    return 0 if tried else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
