#!/usr/bin/env python3
"""Runs the cells of a notebook in order, as Jupyter would, without Jupyter: the last expression of a cell is shown, by its
HTML or SVG where it has one. Stops at the first error, and says in which cell.

Usage: run_notebook.py NOTEBOOK [OUTPUT]     OUTPUT: the notebook with what its cells gave
"""
import ast
import contextlib
import io
import json
import pathlib
import sys
import traceback


def shown(value: object) -> dict[str, object]:
    """What a notebook would show of a value."""
    if hasattr(type(value), "_repr_mimebundle_"):  # asked first
        bundle: dict[str, object] = getattr(value, "_repr_mimebundle_")(include=None, exclude=None)
        return bundle
    data: dict[str, object] = {"text/plain": repr(value)}
    for method, kind in (("_repr_html_", "text/html"), ("_repr_svg_", "image/svg+xml")):
        if hasattr(type(value), method):
            data[kind] = getattr(value, method)()
    return data


def run_cell(source: str, names: dict[str, object], number: int) -> list[dict[str, object]]:
    tree = ast.parse(source, f"cell {number}")
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    words = io.StringIO()
    outputs: list[dict[str, object]] = []
    with contextlib.redirect_stdout(words):
        exec(compile(tree, f"cell {number}", "exec"), names)
        value = None if last is None else eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), names)
        data = None if value is None else shown(value)
    if words.getvalue():
        outputs.append({"output_type": "stream", "name": "stdout", "text": words.getvalue()})
    if data is not None:
        outputs.append({"output_type": "execute_result", "execution_count": number, "metadata": {}, "data": data})
    return outputs


def main() -> int:
    notebook = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    names: dict[str, object] = {"__name__": "__main__"}
    number = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        number += 1
        try:
            cell["outputs"] = run_cell("".join(cell["source"]), names, number)
        except Exception:
            print(f"cell {number} fails:\n{''.join(cell['source'])}\n", file=sys.stderr)
            traceback.print_exc()
            return 1
        cell["execution_count"] = number
    if len(sys.argv) > 2:
        pathlib.Path(sys.argv[2]).write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{number} cells")
    return 0


if __name__ == "__main__":
    sys.exit(main())
