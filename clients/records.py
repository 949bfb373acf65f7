#!/usr/bin/env python3
"""Writes the records of the clients from the OpenAPI documents, and their version from the workspace's manifest.

`clients/records.py` writes; with `--check`, it fails if a file is not current. Rust has its records in `kuraka-api`.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
CLIENTS = ROOT / "clients"
# What callers pass to a client, as their language writes literals. All other objects are answers.
INPUTS = {"ChangesRequest", "CodedRucRequest", "RucOnDay", "SearchRequest", "VoucherInBatch", "VoucherRequest"}

Json = dict[str, Any]


def version() -> str:
    manifest = (ROOT / "Cargo.toml").read_text("utf-8")
    found = re.search(r'^\[workspace\.package\]\nversion = "([^"]+)"', manifest, re.MULTILINE)
    if not found:
        sys.exit("Cargo.toml has no version of the workspace's packages")
    return found[1]


def schemas() -> dict[str, Json]:
    """All but the envelopes and the bodies that the clients make themselves."""
    found: dict[str, Json] = {}
    for name in ("openapi", "webhooks"):
        document = json.loads((ROOT / "docs" / "reference" / f"{name}.json").read_text("utf-8"))
        found.update(document["components"]["schemas"])
    # The clients check each item and send no issuer of the whole batch.
    found["VoucherInBatch"]["required"].append("ruc_emisor")
    return {
        name: schema
        for name, schema in sorted(found.items())
        if name in INPUTS or not name.endswith(("Answer", "Request"))
    }


def kinds(schema: Json) -> tuple[list[Json], bool]:
    """The alternatives of a schema without null, and whether null is one."""
    if "oneOf" in schema:
        options = schema["oneOf"]
        return [option for option in options if option.get("type") != "null"], {"type": "null"} in options
    names = schema.get("type")
    if not isinstance(names, list):
        return [schema], False
    return [{**schema, "type": name} for name in names if name != "null"], "null" in names


def reference(schema: Json) -> str:
    return str(schema.get("$ref", "")).rpartition("/")[2]


def sentence(schema: Json) -> str:
    return " ".join(str(schema.get("description", "")).split())


def fields(schema: Json) -> list[tuple[str, Json, bool]]:
    """Name, schema and whether it is required; those that are required first."""
    required = set(schema.get("required", []))
    listed = [(name, field, name in required) for name, field in schema["properties"].items()]
    return sorted(listed, key=lambda field: not field[2])


# Python

PYTHON_DECODER = '''

@lru_cache(maxsize=None)
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


def decode(kind: type[T], value: Any) -> T:
    """The decoded JSON as a record or a list of records."""
    decoded: T = _decode(kind, value)
    return decoded


def _decode(kind: Any, value: Any) -> Any:
    if kind is Any or value is None and type(None) in get_args(kind):
        return value
    if get_origin(kind) is Union:
        return _decode(get_args(kind)[0], value)
    if get_origin(kind) is list:
        return [_decode(get_args(kind)[0], element) for element in _expect(list, value)]
    if kind in (str, int, float, bool):
        return float(_expect((int, float), value)) if kind is float else _expect(kind, value)
    hints, found = _hints(kind), _expect(dict, value)
    missing = [field.name for field in fields(kind) if field.default is MISSING and field.name not in found]
    if missing:
        raise KurakaConnectionError(f"La respuesta no tiene el campo {missing[0]}.", False)
    return kind(**{name: _decode(hints[name], found[name]) for name in hints if name in found})


def _expect(kind: Any, value: Any) -> Any:
    if not isinstance(value, kind):
        raise KurakaConnectionError("La respuesta no tiene la forma documentada.", False)
    return value
'''


def python_type(schema: Json) -> str:
    options, has_null = kinds(schema)
    names = [python_kind(option) for option in options]
    joined = names[0] if len(names) == 1 else f"Union[{', '.join(names)}]"
    return f"Optional[{joined}]" if has_null else joined


def python_kind(schema: Json) -> str:
    if "$ref" in schema:
        return reference(schema)
    if "enum" in schema:
        return f"Literal[{', '.join(json.dumps(value) for value in schema['enum'])}]"
    plain = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}
    kind = schema.get("type")
    return f"list[{python_type(schema['items'])}]" if kind == "array" else plain.get(str(kind), "Any")


def python() -> str:
    names = "".join(f'    "{name}",\n' for name in schemas())
    text = f'''"""What is sent and answered. clients/records.py writes this file from the OpenAPI document."""

from __future__ import annotations

from dataclasses import MISSING, dataclass, fields
from functools import lru_cache
from typing import Any, Literal, Optional, TypedDict, TypeVar, Union, get_args, get_origin, get_type_hints

from .errors import KurakaConnectionError

VERSION = "{version()}"
T = TypeVar("T")

__all__ = [
{names}]
'''
    aliases = ""
    for name, schema in schemas().items():
        if "properties" not in schema:
            aliases += f"\n{name} = {python_type(schema)}\n"
        elif name in INPUTS:
            text += python_input(name, schema)
        else:
            text += f'\n\n@dataclass(frozen=True)\nclass {name}:\n    """{sentence(schema)}"""\n'
            for field, kind, is_required in fields(schema):
                wanted = python_type(kind)
                if not is_required:
                    wanted = wanted if wanted.startswith(("Optional", "Any")) else f"Optional[{wanted}]"
                text += f"\n    {field}: {wanted}{'' if is_required else ' = None'}\n"
                text += f'    """{sentence(kind)}"""\n' if sentence(kind) else ""
    return f"{text}\n{aliases}{PYTHON_DECODER}"


def python_input(name: str, schema: Json) -> str:
    required = [field for field in fields(schema) if field[2]]
    optional = [field for field in fields(schema) if not field[2]]
    text, base = "", "TypedDict"
    if optional and required:
        text, base = python_dictionary(f"_{name}Required", "TypedDict", schema, required), f"_{name}Required"
    total = ", total=False" if optional else ""
    return text + python_dictionary(name, base + total, schema, optional or required)


def python_dictionary(name: str, bases: str, schema: Json, listed: list[tuple[str, Json, bool]]) -> str:
    text = f'\n\nclass {name}({bases}):\n    """{sentence(schema)}"""\n'
    for field, kind, _ in listed:
        text += f'\n    {field}: {python_type(kind)}\n    """{sentence(kind)}"""\n'
    return text


# TypeScript


def typescript_type(schema: Json) -> str:
    options, has_null = kinds(schema)
    return " | ".join([typescript_kind(option) for option in options] + (["null"] if has_null else []))


def typescript_kind(schema: Json) -> str:
    if "$ref" in schema:
        return reference(schema)
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    plain = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean"}
    kind = schema.get("type")
    if kind != "array":
        return plain.get(str(kind), "unknown")
    item = typescript_type(schema["items"])
    return f"({item})[]" if " | " in item else f"{item}[]"


def typescript() -> str:
    text = "// What is sent and answered. clients/records.py writes this file from the OpenAPI document.\n\n"
    text += f'/** The version of this package. */\nexport const VERSION = "{version()}";\n'
    for name, schema in schemas().items():
        text += f"\n/** {sentence(schema) or 'Uno de estos textos.'} */\n"
        if "properties" not in schema:
            text += f"export type {name} = {typescript_type(schema)};\n"
            continue
        text += f"export interface {name} {{\n"
        for field, kind, is_required in fields(schema):
            text += f"  /** {sentence(kind)} */\n" if sentence(kind) else ""
            text += f"  {field}{'' if is_required else '?'}: {typescript_type(kind)};\n"
        text += "}\n"
    return text


# PHP

PHP_HELPERS = '''
/** Reads decoded JSON; what is not of the documented type is an error. */
final class Json
{
    /** @param mixed $value */
    public static function string($value): string
    {
        return is_string($value) ? $value : self::refuse('un texto');
    }

    /** @param mixed $value */
    public static function int($value): int
    {
        return is_int($value) ? $value : self::refuse('un entero');
    }

    /** @param mixed $value */
    public static function float($value): float
    {
        return is_int($value) || is_float($value) ? (float) $value : self::refuse('un número');
    }

    /** @param mixed $value */
    public static function bool($value): bool
    {
        return is_bool($value) ? $value : self::refuse('un valor lógico');
    }

    /**
     * @param mixed $value
     * @return array<mixed>
     */
    public static function object($value): array
    {
        return is_array($value) ? $value : self::refuse('un objeto');
    }

    /**
     * @template T
     * @param mixed $value
     * @param callable(mixed): T $read
     * @return list<T>
     */
    public static function list($value, callable $read): array
    {
        return array_map($read, array_values(self::object($value)));
    }

    /**
     * @template T
     * @param callable(mixed): T $read
     * @return callable(mixed): list<T>
     */
    public static function listOf(callable $read): callable
    {
        return static function ($value) use ($read): array {
            return self::list($value, $read);
        };
    }

    /**
     * @template T
     * @param mixed $value
     * @param callable(mixed): T $read
     * @return T|null
     */
    public static function nullable($value, callable $read)
    {
        return $value === null ? null : $read($value);
    }

    /** @return never */
    private static function refuse(string $wanted)
    {
        throw new KurakaConnectionError("La respuesta no es la documentada: falta $wanted.", false);
    }
}
'''


def php_doc(schema: Json) -> str:
    """The type for analysers."""
    options, has_null = kinds(schema)
    names = []
    for option in options:
        name = reference(option)
        if name and "properties" not in schemas()[name]:
            names.append(php_doc(schemas()[name]))
        elif name:
            names.append(php_shape(schemas()[name]) if name in INPUTS else name)
        elif "enum" in option:
            names.append("|".join(f"'{value}'" for value in option["enum"]))
        elif option.get("type") == "array":
            names.append(f"list<{php_doc(option['items'])}>")
        else:
            plain = {"string": "string", "integer": "int", "number": "float", "boolean": "bool"}
            names.append(plain.get(str(option.get("type")), "mixed"))
    return "|".join(names + (["null"] if has_null and names != ["mixed"] else []))


def php_shape(schema: Json) -> str:
    pairs = (f"{name}{'' if is_required else '?'}: {php_doc(kind)}" for name, kind, is_required in fields(schema))
    return f"array{{{', '.join(pairs)}}}"


def php_reader(schema: Json) -> str:
    """An expression that is a callable from JSON to the value; empty for any value."""
    (option, *_), _ = kinds(schema)
    name = reference(option)
    if name and "properties" not in schemas()[name]:
        return php_reader(schemas()[name])
    if name:
        return f"[{name}::class, 'read']"
    if option.get("type") == "array":
        item = php_reader(option["items"]) or "static function ($item) { return $item; }"
        return f"static function ($value): array {{ return Json::list($value, {item}); }}"
    plain = {"string": "string", "integer": "int", "number": "float", "boolean": "bool"}
    kind = plain.get(str(option.get("type")))
    return f"[Json::class, '{kind}']" if kind else ""


def php_value(name: str, kind: Json, is_required: bool) -> str:
    (option, *_), has_null = kinds(kind)
    value, reader = f"$data['{name}'] ?? null", php_reader(kind)
    if not reader:
        return value
    if has_null or not is_required:
        return f"Json::nullable({value}, {reader})"
    if option.get("type") == "array":
        item = php_reader(option["items"]) or "static function ($item) { return $item; }"
        return f"Json::list({value}, {item})"
    found = re.fullmatch(r"\[(\w+)::class, '(\w+)'\]", reader)
    return f"{found[1]}::{found[2]}({value})" if found else f"({reader})({value})"


def php_native(schema: Json, is_required: bool) -> str:
    doc = php_doc(schema)
    base = doc.replace("|null", "")
    if base == "mixed":
        return ""
    native = "array" if base.startswith(("list<", "array{")) else "string" if base.startswith("'") else base
    return f"{'?' if '|null' in doc or not is_required else ''}{native} "


def php() -> str:
    text = "<?php\n\n// What is answered. clients/records.py writes this file from the OpenAPI document.\n\n"
    text += "declare(strict_types=1);\n\nnamespace Kuraka;\n" + PHP_HELPERS
    shapes = "".join(f" * @phpstan-type {name} {php_shape(schemas()[name])}\n" for name in sorted(INPUTS))
    text += f"\n/**\n * The version of this package, and the types of what callers pass.\n *\n{shapes} */\n"
    text += f"final class Package\n{{\n    public const VERSION = '{version()}';\n}}\n"
    for name, schema in schemas().items():
        if name in INPUTS or "properties" not in schema:
            continue
        text += f"\n/** {sentence(schema)} */\nfinal class {name}\n{{\n"
        reads = ""
        for field, kind, is_required in fields(schema):
            doc = php_doc(kind) + ("" if is_required or "null" in php_doc(kind) or php_doc(kind) == "mixed" else "|null")
            text += f"    /** @var {doc} {sentence(kind)} */\n".replace("  */", " */")
            text += f"    public {php_native(kind, is_required)}${field};\n\n"
            reads += f"        $record->{field} = {php_value(field, kind, is_required)};\n"
        text += "    /** @param mixed $json */\n    public static function read($json): self\n    {\n"
        text += f"        $data = Json::object($json);\n        $record = new self();\n{reads}        return $record;\n    }}\n}}\n"
    return text


def package_json() -> str:
    text = (CLIENTS / "typescript" / "package.json").read_text("utf-8")
    return re.sub(r'^  "version": "[^"]*"', f'  "version": "{version()}"', text, flags=re.MULTILINE)


def main() -> None:
    written = {
        CLIENTS / "python" / "src" / "kuraka" / "records.py": python(),
        CLIENTS / "typescript" / "src" / "records.ts": typescript(),
        CLIENTS / "typescript" / "package.json": package_json(),
        CLIENTS / "php" / "src" / "records.php": php(),
    }
    for path, text in written.items():
        if sys.argv[1:] != ["--check"]:
            path.write_text(text, "utf-8")
        elif not path.exists() or path.read_text("utf-8") != text:
            sys.exit(f"{path.relative_to(ROOT)} is not current: run clients/records.py")


if __name__ == "__main__":
    main()
