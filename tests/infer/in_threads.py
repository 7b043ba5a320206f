"""Types programs in several threads of a process that has imported nothing but relaylogic, and prints what it found.

    python in_threads.py PROGRAMS.json THREADS FOLDER

Each program is typed with the default rule base and with one that also has the rules of FOLDER; one line of JSON holds
what each of the two says of it. The threads switch every microsecond, and each begins at another program.
"""

from __future__ import annotations

import json
import sys
import threading
from pathlib import Path

import relaylogic


def judged(text, rules):
    """What a rule base says of a program: verdict, types, messages."""
    try:
        result = relaylogic.infer(text, rules=rules)
    except relaylogic.RelayLogicError as problem:
        return ["parse-error", {}, [str(problem)]]
    types = {name: str(type_) for name, type_ in result.functions.items()}
    return [result.verdict, types, [error.message for error in result.errors]]


def main(programs, count, folder):
    texts = json.loads(Path(programs).read_text(encoding="utf-8"))
    count = int(count)
    found, failures, loaded, ready = {}, [], [], threading.Event()

    def own_rules(number):
        if number < 2:  # two load rules while the others infer; everybody uses those of one
            from relaylogic.rulebase import load_rules

            loaded.append(load_rules(Path(folder)))
            ready.set()
        ready.wait()
        return loaded[0]

    def work(number):
        try:
            for index in range(number, len(texts), count):
                found[index, "default"] = judged(texts[index], None)
            rules = own_rules(number)
            for index in range((number + 1) % count, len(texts), count):
                found[index, "own"] = judged(texts[index], rules)
        except BaseException as problem:
            failures.append(repr(problem))
            ready.set()
            raise

    sys.setswitchinterval(1e-6)
    threads = [threading.Thread(target=work, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for index in range(len(texts)):
        print(json.dumps([found.get((index, base)) for base in ("default", "own")]))
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
