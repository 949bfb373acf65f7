"""Masks and compares what tests/http/recorder.rs writes. tests/compare_answers.sh calls it and explains the result.

    compare_answers.py mask RUN LOG <RECORDED >>RECORDING
    compare_answers.py unsettled FIRST SECOND
    compare_answers.py compare FIRST SECOND
"""

import collections
import datetime
import difflib
import json
import re
import sys

PERU = datetime.timezone(datetime.timedelta(hours=-5))
MONTHS = "enero febrero marzo abril mayo junio julio agosto setiembre octubre noviembre diciembre".split()

# What differs in each run of the same code: secrets, ids, addresses, and what the clock decides.
MASKS = [
    (r"\bkur_\w+", lambda match: f"TOKEN{len(match[0])}"),
    (r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", "UUID"),
    (r"\b[0-9a-f]{32,}\b", lambda match: f"HEX{len(match[0])}"),
    (r"\b127\.0\.0\.1:\d+", "ADDRESS"),
    (r'"time":[\d.e-]+', '"time":SECONDS'),
    (r"(?m)^date: .*\n", ""),
    # The seconds of a month, and those left of it. The code has no other wait that is so long.
    (r";t=\d+", ";t=SECONDS"),
    (r"(?<=;w=)\d{5,}|(?<=retry-after: )\d{4,}", "SECONDS"),
    # A rate refills while the test runs.
    (r'(?<="burst";r=)[1-9]\d*', "MORE"),
    (r"\b20\d\d-\d\d-\d\dT[\d:.]+Z", "INSTANT"),
    # The panel's days. Those of the API depend on the days of both recordings.
    (rf"\b\d\d? (?:{'|'.join(month[:3] for month in MONTHS)})\b(?: 20\d\d)?|(?:{'|'.join(MONTHS)}) de 20\d\d", "DAY"),
]


def text(message):
    """A message as one text without what differs. The order of its headers has no meaning."""
    is_page = any(line.startswith("content-type: text/html") for line in message["headers"])
    lengths = {f"content-length: {len(message['body'].encode())}"}
    lengths.update(line for line in message["headers"] if is_page and line.startswith("content-length: "))
    headers = sorted("content-length: OF THE BODY" if line in lengths else line for line in message["headers"])
    whole = "\n".join([message["line"], *headers, "", message["body"]])
    for pattern, mask in MASKS:
        whole = re.sub(pattern, mask, whole)
    return whole


def mask(run, log):
    """Writes each exchange of the tests that passed once, masked, after a line on the run."""
    with open(log, encoding="utf-8") as file:
        results = dict(re.findall(r"(?m)^test (\S+) \.\.\. (ok|FAILED)$", file.read()))
    passed, failed = ([test for test in results if results[test] == result] for result in ["ok", "FAILED"])
    today = datetime.datetime.now(PERU).date()
    print(json.dumps({"run": run, "day": today.isoformat(), "passed": passed, "failed": failed}))
    known = set()
    for line in sys.stdin:
        exchange = json.loads(line)
        test, request, answer = exchange["test"], text(exchange["request"]), text(exchange["answer"])
        if test not in failed and (test, request, answer) not in known:
            known.add((test, request, answer))
            exchange = {"run": run, "test": test, "request": request, "answer": answer}
            print(json.dumps(exchange, ensure_ascii=False))


def recorded(path):
    """The lines of a recording, and the days on which it was made."""
    with open(path, encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    return lines, {datetime.date.fromisoformat(line["day"]) for line in lines if "day" in line}


def without_days(text, days):
    return re.sub(rf"\b(?:{days})(-[0-9a-f]{{8}}\b)?", lambda match: "EDITION" if match[1] else "DAY", text)


class Recording:
    """The answers to each request, by test and run."""

    def __init__(self, lines, days):
        self.tests, self.everywhere, failed, passed = {}, collections.defaultdict(set), set(), set()
        for line in lines:
            if "failed" in line:
                failed.update(line["failed"])
                passed.update(line["passed"])
                continue
            request, answer = without_days(line["request"], days), without_days(line["answer"], days)
            run = self.tests.setdefault(str(line["test"]), {}).setdefault(line["run"], {})
            run.setdefault(request, set()).add(answer)
            self.everywhere[request].add(answer)
        # A test that fails on a busy machine passes when it runs again.
        self.failed = failed - passed

    def requests(self, test):
        """The requests of a test, each with the set of its answers in each run."""
        requests = collections.defaultdict(list)
        for run in self.tests.get(test, {}).values():
            for request, answers in run.items():
                requests[request].append(answers)
        return requests


def without_queries_left(answer):
    """The answer without the number of queries left, which depends on the order of concurrent calls."""
    return re.sub(r', "monthly";r=[1-9].*', "", answer)


def without_numbers(answer):
    """The answer without the numbers of its body too, because each call of a flood asks for another number."""
    head, _, body = without_queries_left(answer).partition("\n\n")
    return f"{head}\n\n{re.sub('[0-9]+', 'N', body)}"


class Test:
    """What the first recording knows of a test."""

    def __init__(self, recording, name):
        self.requests = recording.requests(name)
        self.runs = len(recording.tests[name])
        unsteady = [request for request in self.requests if self.is_unsteady(request)]
        self.in_flood = set()
        if len(unsteady) >= FLOOD:
            everything = set().union(*(answers for runs in self.requests.values() for answers in runs))
            self.in_flood = set(map(without_numbers, everything))

    def is_unsteady(self, request):
        """Whether the answers differ between the runs. They depend on what else the machine does."""
        runs = self.requests[request]
        return len(runs) < self.runs or any(answers != runs[0] for answers in runs)

    def kind(self, request, answers):
        """How these answers compare with those of the first recording: one of `KINDS`."""
        runs = self.requests[request]
        if answers in runs:
            return "same"
        known = set(map(without_queries_left, set().union(*runs)))
        if self.is_unsteady(request) and set(map(without_queries_left, answers)) <= known:
            return "order"
        return "flood" if set(map(without_numbers, answers)) <= self.in_flood else "different"


# A test is a flood if so many of its requests are unsteady.
FLOOD = 10

KINDS = {
    "same": "exactly the same answers",
    "order": "no new answers but for the queries left, where the runs of the first differ too",
    "flood": "only answers that other calls of the same flood got",
    "different": "different answers",
}


def read(first, second):
    """Both recordings, without the days that tests compute: today, the days after it, and the first of the month."""
    (first, days), (second, later_days) = recorded(first), recorded(second)
    near = {day.replace(day=1) for day in days | later_days}
    near.update(day + datetime.timedelta(days=ahead) for day in days | later_days for ahead in range(-1, 100))
    near = "|".join(sorted(day.isoformat() for day in near))
    return Recording(first, near), Recording(second, near)


def compared(first, second):
    """Each request that both recordings have in a test: the test, the request, its answers and their kind."""
    for name in sorted(first.tests.keys() & second.tests.keys()):
        test = Test(first, name)
        for request, runs in second.requests(name).items():
            if request in test.requests:
                # What differs by chance is as before when the test runs again.
                kinds = [test.kind(request, answers) for answers in runs]
                kind = min(kinds, key=list(KINDS).index)
                yield name, request, set().union(*test.requests[request]), runs[kinds.index(kind)], kind


def unsettled(first, second):
    """Prints the tests of the second recording that failed or were answered otherwise."""
    first, second = read(first, second)
    different = {name for name, _, _, _, kind in compared(first, second) if kind == "different"}
    print(*sorted(name for name in different | second.failed if "::" in name), sep="\n")


def compare(first, second):
    """Prints the differences and the numbers. Returns whether all answers are the same and no test failed."""
    first, second = read(first, second)
    kinds, distinct = collections.Counter(), 0
    for name, request, before, after, kind in compared(first, second):
        kinds[kind] += 1
        distinct += len(after)
        if kind == "different":
            show(name, request, before, after)
    show_alone("first", first, second)
    show_alone("second", second, first)
    tests = len(first.tests.keys() & second.tests.keys())
    print(f"{tests} tests on both sides, {kinds.total()} requests with {distinct} distinct answers compared:")
    for kind, meaning in KINDS.items():
        print(f"{kinds[kind]:8} {meaning}")
    return not kinds["different"] and not first.failed | second.failed


def show(test, request, before, after):
    """Prints a difference."""

    def lines(answers):
        return [line for answer in sorted(answers) for line in re.sub(r',(?=["{])', ",\n", answer).split("\n")]

    print(f"==> {test}\n{request[:2000]}")
    print(*difflib.unified_diff(lines(before - after), lines(after - before), "first", "second", lineterm=""), sep="\n")


def show_alone(side, here, there):
    """Prints what only one side asked, and how much of it other tests of the other side asked with the same answers."""
    for test in sorted(here.tests):
        asked, known = here.requests(test), there.requests(test)
        alone = {request: set().union(*asked[request]) for request in asked if request not in known}
        elsewhere = sum(answers <= there.everywhere.get(request, set()) for request, answers in alone.items())
        what = "some requests of" if test in there.tests else "the test"
        if alone and test not in there.failed:
            print(f"only in the {side}: {what} {test}; {elsewhere} of {len(alone)} are in other tests of the other")
    for test in sorted(here.failed):
        print(f"failed in the {side}: {test}")


match sys.argv[1:]:
    case ["mask", run, log]:
        mask(run, log)
    case ["unsettled", first, second]:
        unsettled(first, second)
    case ["compare", first, second]:
        sys.exit(0 if compare(first, second) else 1)
    case _:
        sys.exit(__doc__)
