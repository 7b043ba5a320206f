"""The package as a whole: what it exports, and that importing it is cheap."""

from __future__ import annotations

import inspect
import subprocess
import sys

import pytest

import relaylogic


def python(code: str) -> str:
    """What a fresh interpreter prints."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_every_exported_name_is_there():
    assert all(getattr(relaylogic, name) is not None for name in relaylogic.__all__)
    assert set(relaylogic.__all__) <= set(dir(relaylogic))


@pytest.mark.parametrize("first", ["", ", relaylogic.infer.program, relaylogic.typings.query"])
def test_functions_are_not_hidden_by_the_folders_of_their_name(first):
    code = (
        f"import relaylogic{first}\n"
        "program = relaylogic.parse('def @main(%x: int8) { %x }')\n"
        "print(relaylogic.infer(program).verdict, len(list(relaylogic.typings(program))))\n"
        "print(relaylogic.infer.sites.driver.__name__, relaylogic.typings.program.__name__)"
    )
    assert python(code) == "typed 1\nrelaylogic.infer.sites.driver relaylogic.typings.program\n"


def test_packages_that_are_called_have_the_signature_of_the_function():
    assert list(inspect.signature(relaylogic.infer).parameters) == ["program", "closed", "rules"]
    assert "max_rank" in inspect.signature(relaylogic.typings).parameters
    assert "typings of a program" in relaylogic.typings.__doc__ and "`closed=True`" in relaylogic.infer.__doc__


def test_importing_loads_nothing_heavy():
    heavy = "{'lark', 'rich', 'numpy', 'onnx', 'kanren', 'click', 'prompt_toolkit', 'jinja2', 'markupsafe'}"
    assert python(f"import sys, relaylogic; print(sorted({heavy} & set(sys.modules)))") == "[]\n"


def test_commands_that_make_no_page_load_no_template_engine():
    engines = "{'jinja2', 'markupsafe', 'jsonschema'}"
    code = f"import sys, relaylogic.cli.commands; print(sorted({engines} & set(sys.modules)))"
    assert python(code) == "[]\n"


def test_a_command_does_not_look_for_what_is_installed():
    """logical-unification asks for its version when it is imported: who wants to know it is told."""
    code = (
        "import sys\nfrom relaylogic.__main__ import main\n"
        "sys.argv = ['relaylogic', 'query', '--format', 'json', 'n = 1 + 1']\n"
        "try:\n    main()\nexcept SystemExit as end:\n    ended = end.code\n"
        "asked = 'importlib.metadata' in sys.modules\n"
        "import kanren, unification\nfrom importlib.metadata import version\n"
        "told = unification.__version__ == version('logical-unification'), hasattr(unification, 'versions')\n"
        "print()\nprint(ended, asked, told, unification.unify((unification.var('x'), 2), (1, 2), {}) != False)"
    )
    assert python(code).splitlines()[-1] == "0 False (True, False) True"


def test_a_network_is_inferred_without_the_solver_of_equations():
    """All its extents are known: what solves and counts systems over integers takes long to load."""
    network = "def @main(%x: Tensor[(2, 3), float32]) { nn.softmax(reshape(%x, newshape=[-1, 6])) }"
    code = f"import sys, relaylogic; print(relaylogic.infer({network!r}).verdict)"
    listed = "print([name for name in sys.modules if name.startswith('relaylogic.logic.integers')])"
    assert python(f"{code}; {listed}") == "typed\n[]\n"
