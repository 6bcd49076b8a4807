"""What the text of a report says, sentence by sentence: amounts, changes, sums; purchases of shares; who signed it.

Each reader yields what was read with the sentence or the lines that say it, so that it can be quoted. Whether that is
what a question asks for is decided by those who call.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from adaq_core.filings.rows import value_of_cell
from adaq_core.text.passages import sentences
from adaq_core.text.values import Date, dates

_WAY = r"(?P<way>increased|grew|rose|climbed|(?:was |were )?up|decreased|declined|fell|dropped|(?:was |were )?down)"
_CHANGED = re.compile(
    rf"^(?:[•▪] ?)?(?P<of>[A-Z][^.;:%$]{{1,90}}?(?: (?:ASPs?|volumes?)(?= )|(?=(?: net)? (?:sales|revenues?))))"
    rf"(?:(?: net)? (?:sales|revenues?))? {_WAY}(?: by)?"
    r"(?: \$[\d.,]{1,9} (?:million|billion) or)? (?P<percent>\d{1,3}(?:\.\d)?) ?%"
)
_OTHER_NAME = re.compile(r"\([“\"]([^”\"]{2,40})[”\"]\)")
SPENT = {
    "share repurchases": re.compile(r"\b(?:repurchased|bought back)\b"),
    "dividends paid": re.compile(r"\bpaid\b(?=[^.;]{0,90}\bdividends?\b)"),
}
_SUM = re.compile(r"\$(?P<amount>\d[\d,]{0,9}(?:\.\d{1,3})?) (?P<unit>million|billion)\b")
_OF_KIND = {
    "money": re.compile(
        r"[$€£]\d[\d,]{0,12}(?:\.\d{1,3})?(?: (?:million|billion))?\b"
        r"(?: to [$€£]\d[\d,]{0,12}(?:\.\d{1,3})?(?: (?:million|billion))?\b)?"  # a range is one amount
    ),
    "percent": re.compile(r"\b\d{1,3}(?:\.\d{1,2})?(?= ?%) ?%"),
    "count": re.compile(r"(?<![$\d.,])\b(?:\d{1,4}(?:\.\d{1,2})? (?:million|billion)|\d{1,3}(?:,\d{3}){1,3})\b(?!%)"),
}
_CONVERTED = re.compile(r" \([$€£]\d[^()]{0,20}\)")  # "€376 million ($401 million)"
_OF_ANOTHER_DAY = re.compile(r" \([^()]{0,60}\b(?:as of|at|in|on|for) [^()]{0,40}(?:19|20)\d\d\)")
_NONE = re.compile(
    r"^(?:As of [A-Z][a-z]+ \d{1,2}, \d{4}, )?(?:[Ww]e|[Tt]he Company|[Tt]here) (?:had|have|were|was) no "
)
_STATES = re.compile(r"\b(?:was|were|totaled|totaling|reached) (?:approximately |about )?$")
_RESPECTIVELY = re.compile(r"\bmillion and \$|\bbillion and \$|\brespectively\b")
_AS_OF_DAY = re.compile(r"\b[Aa]s of (?:the )?$")
_MONEY = r"\$\d[\d.,]{0,9} (?:million|billion)"
_EXPECTED = re.compile(
    rf"(?m)^(?:[•▪] ?)?(?P<of>[A-Z][A-Za-z &-]{{2,40}}) (?:is|are) expected to be "
    rf"(?P<range>(?:between {_MONEY} and|in the range of {_MONEY} to|approximately|about) {_MONEY})"
)
_ABOVE = 400
_OF_A_QUARTER = re.compile(r"\b(?:(?P<n>first|second|third|fourth) quarter|Q(?P<q>[1-4])\b|three months ended)", re.I)
_OF_LONGER = re.compile(
    r"\b(?:six|nine|twelve|26|39) (?:months|weeks)|\bfirst (?:half|six|nine|three quarters)|\bYTD\b|\binception\b", re.I
)
_YEAR_SAID = re.compile(r"\b(20\d\d)\b")
_BASE = re.compile(r"\b(?:from|over|against|compared (?:with|to)|versus) (?!the inception).*$", re.IGNORECASE)
_TO_COME = re.compile(r"\bexpected to \w+ (?:between|in|by|from|during) [^$]{0,90}?(?= with\b| for \$|,|\.|$)")
_COMPARES = re.compile(r"\bcompared (?:with|to)\b|^(?:Q[1-4]|YTD) \d{4} vs\b", re.IGNORECASE)
_BOUGHT = re.compile(
    r"\b(?:repurchased|bought back) (?P<one>\d[\d.,]{0,11}(?: million| billion)?)"
    r"(?: and (?P<other>\d[\d.,]{0,11}(?: million| billion)?))? shares\b"
)
_LEFT = (
    re.compile(r"(?P<left>\$\d[\d.,]{0,9} (?:million|billion)) (?:remained|remaining|remains)\b"),
    re.compile(r"\bremaining availability\b[^$]{0,80}(?P<left>\$\d[\d.,]{0,9} (?:million|billion))"),
    re.compile(r"\bauthorized\b[^$]{0,80} to repurchase [^$]{0,80}(?P<left>\$\d[\d.,]{0,9} (?:million|billion))"),
)
_ONE_PROGRAM = re.compile(r"\b(?P<of>[A-Z][a-z]{2,8} 20\d\d) (?:authorization|program)")
_NONE_BOUGHT = re.compile(
    r"\b(?:[Nn]o shares were repurchased|did not repurchase any shares|were no repurchases of our common stock) "
    r"during the (?:(?P<months>three|six|nine) months|quarter"
    r"|(?P<n>first|second|third|fourth) quarter of fiscal year (?P<year>20\d\d))"
)
_IN_THE_QUARTER = re.compile(
    r"^(?:During|In) the (?P<n>first|second|third|fourth) quarter"
    r"(?: and first (?P<longer>half|six months|nine months))? of (?:fiscal (?:year )?)?(?P<year>20\d\d),"
)
_IN_MONTHS_ENDED = re.compile(
    r"^(?:During|For|In) the (?P<n>three|six|nine) months ended (?P<day>[A-Z][a-z]{2,8} \d{1,2}, \d{4})"
)
_SAID_MONTHS = {"three": 3, "six": 6, "nine": 9, "half": 6, "six months": 6, "nine months": 9}
_ORDINALS = ("first", "second", "third", "fourth")
_HEADING = 200
_REPORTS_KEPT = 32  # whose sentences the readers here share


@dataclass(frozen=True, slots=True)
class Quarter:
    """A quarter as sentences of its filing name it: year and number as the issuer counts, and the year of its end."""

    year: int
    number: int
    end_year: int
    end_month: int = 0

    def is_of(self, sentence: str, heading: str) -> bool:
        """Whether a sentence speaks of this quarter: by its first period, else by that of the heading above it.

        What it compares with ("from Q2 2022") is no period of its own; where there is none, it is the filing's.
        """
        own = _BASE.sub("", _TO_COME.sub("", sentence))
        text = own if _OF_A_QUARTER.search(own) or _OF_LONGER.search(own) else heading
        if not text:
            return True
        quarter, longer = _OF_A_QUARTER.search(text), _OF_LONGER.search(text)
        if quarter is None or (longer is not None and longer.start() < quarter.start()):
            return False
        number = _ORDINALS.index(quarter["n"].lower()) + 1 if quarter["n"] else int(quarter["q"] or 0)
        after = _YEAR_SAID.search(text, quarter.start())
        year = int(after[1]) if after else None
        if not number:
            return year in (None, self.end_year)
        return number == self.number and year in (None, self.year)


def changes_said(text: str, quarter: Quarter) -> Iterator[tuple[str, float, str]]:
    """What grew or fell in a quarter by how much percent, as the sentences of a text say: name, percent, sentence."""
    for sentence, heading in _sentences_under(text):
        if (match := _CHANGED.match(sentence)) and quarter.is_of(sentence, heading):
            down = match["way"].split()[-1] in ("decreased", "declined", "fell", "dropped", "down")
            percent = -float(match["percent"]) if down else float(match["percent"])
            other = _OTHER_NAME.search(match["of"])
            yield (other[1] if other else match["of"]), percent, sentence


_MAINLY = r"(?:primarily |mainly |largely )?"
_DUE = (
    rf"(?:(?:was|were|is|are) )?{_MAINLY}(?:(?:due|attributable|related) {_MAINLY}to|driven {_MAINLY}by|led by"
    r"|reflect(?:s|ed|ing))"
)
_MOVED = r"(?P<way>increased|grew|rose|improved|decreased|declined|fell|(?:was |were )?(?:up|higher|down|lower))"
_WHEN = r"(?P<when>,? (?:in|for|during) .{0,220}?)"
_CAUSE = rf",? {_MAINLY}{_DUE} (?P<cause>.{{8,400}})$"
_CAUSES = (  # a decrease in revenue that was, a decrease in it, and a loss, each "due to" something
    re.compile(rf"^(?:[•▪■] ?)?(?P<of>[A-Z][^.;:%$]{{1,90}}?) {_MOVED}\b(?P<when>.{{0,220}}?){_CAUSE}"),
    re.compile(
        rf"^The (?P<way>increase|growth|improvement|decrease|decline)s? in (?P<of>[^,;]{{3,90}}?){_WHEN}{_CAUSE}"
    ),
    re.compile(rf"^The (?P<of>[A-Z][\w &-]{{1,40}}? operating (?P<way>loss|income)){_WHEN}{_CAUSE}"),
)
_GOES_ON = re.compile(  # of what the sentence before it is about
    r"^The (?P<kind>sales |revenue |year-(?:on|over)-year |sequential )?(?P<way>increase|growth|decrease|decline)s?"
    rf" {_MAINLY}{_DUE} (?P<cause>.{{8,400}})$"
)
_NEXT_TELLS = re.compile(  # "Strong sales of kilns were driven by demand for bowls", behind what they made grow
    r"^(?P<what>(?:Strong|Stronger|Robust|Higher|Increased|Weak|Weaker|Softer|Lower|Reduced) [^.;:]{3,120}?)"
    r" (?:was|were) (?P<by>(?:primarily |mainly |largely )?driven by .{8,300})$"
)
_BESIDE_QUARTER = re.compile(r"\bsequential|\bcompared with the \w+ quarter\.?$", re.IGNORECASE)
_ABOUT = re.compile(rf"^(?:[•▪■] ?)?(?P<of>[A-Z][^.;:%$]{{1,90}}?) {_MOVED}\b")
_FALLS = ("decrease", "decline", "fell", "down", "lower", "loss")


@dataclass(frozen=True, slots=True)
class Cause:
    """Why something went up or down: of what, which way, why, whether against the quarter before, and the sentence."""

    of: str
    way: str
    cause: str
    is_sequential: bool
    sentence: str


def causes_said(text: str, quarter: Quarter) -> Iterator[Cause]:
    """Why things rose or fell in a quarter, as the sentences of a text say."""
    about = way = ""
    for sentence, heading in _sentences_under(text):
        if (goes_on := _GOES_ON.search(sentence)) and about:
            is_sequential = (goes_on["kind"] or "").startswith("sequential")
            yield Cause(about, _way(goes_on["way"]), goes_on["cause"].rstrip("."), is_sequential, sentence)
            continue
        if (tells := _NEXT_TELLS.search(sentence)) and about:
            cause = f"{tells['what'][0].lower()}{tells['what'][1:]}, {tells['by']}"
            yield Cause(about, way, cause.rstrip("."), False, sentence)
        match = next(filter(None, (pattern.search(sentence) for pattern in _CAUSES)), None)
        if match and quarter.is_of(sentence, heading):
            is_sequential = _BESIDE_QUARTER.search(sentence) is not None and "year" not in sentence
            yield Cause(match["of"], _way(match["way"]), match["cause"].rstrip("."), is_sequential, sentence)
        told = _ABOUT.search(sentence) if quarter.is_of(sentence, heading) else None
        about, way = (told["of"], _way(told["way"])) if told else ("", "")


def _way(word: str) -> str:
    return "down" if word.split()[-1].startswith(_FALLS) else "up"


def sums_said(text: str, item: str, quarter: Quarter) -> Iterator[tuple[str, str]]:
    """What was spent in a quarter on shares or dividends, as the sentences of a text say: the sum, the sentence."""
    for sentence, _ in _sentences_under(text):
        verb = SPENT[item].search(sentence) if item in SPENT else None
        amount = _SUM.search(sentence, verb.end()) if verb else None
        if amount and _OF_A_QUARTER.search(sentence) and quarter.is_of(sentence, ""):
            yield amount.group(), sentence


def shares_bought(text: str, quarter: Quarter, months: int) -> Iterator[tuple[str, str]]:
    """How many shares were bought back in a quarter, or in its year up to its end, and the sentence that says it.

    Of "the third quarter and first nine months …, 8 million and 15 million shares" the second is of the nine months.
    """
    for sentence, _ in _sentences_under(text):
        bought, of_quarter, of_months = (
            pattern.search(sentence) for pattern in (_BOUGHT, _IN_THE_QUARTER, _IN_MONTHS_ENDED)
        )
        if bought and of_quarter:
            number, year = _ORDINALS.index(of_quarter["n"].lower()) + 1, int(of_quarter["year"])
            if (number, year) != (quarter.number, quarter.year):
                continue
            if months == _SAID_MONTHS["three"]:
                yield bought["one"], sentence
            elif months == _SAID_MONTHS.get(of_quarter["longer"]) and sentence.count(" shares ") == 1:
                yield bought["other"] or bought["one"], sentence
        elif bought and of_months and _SAID_MONTHS[of_months["n"]] == months:
            ends = dates(of_months["day"])
            if ends and (ends[0].year, ends[0].month) == (quarter.end_year, quarter.end_month):
                yield bought["one"], sentence


_PURCHASES = re.compile(r"\bTotal\s+Number\s+of\s+Shares\s+Purchased\b(?!\s+as\b)", re.IGNORECASE)
_IN_A_MONTH = re.compile(
    r"(?m)^[A-Z][a-z]{2,8} \d{1,2}, \d{4} ?(?:to|[-–]|through) ?[A-Z][a-z]{2,8} \d{1,2}, (?P<year>\d{4})\b"
)
_NUMBER_LINE = re.compile(r"(?m)^(?P<n>\d[\d,]{0,14}(?:\.\d{1,3})?|—) ?\$?$")
_TOTAL_LINE = re.compile(r"(?m)^(?:Total\n)?(?P<n>\d[\d,]{0,14}(?:\.\d{1,3})?)$")
_IN_THOUSANDS = re.compile(r"\bshares\b[^()]{0,30} in thousands\b", re.IGNORECASE)
_IN_MILLIONS = re.compile(r"[^(]{0,60}\(in millions\)", re.IGNORECASE)
_LONG_TABLE, _LONG_HEAD, _MONTHS_OF_TABLE = 1_500, 400, 3


def shares_in_table(text: str) -> tuple[float, str, str] | None:
    """How many shares the table of an issuer's purchases says were bought in a quarter: number, unit and row.

    It has a row for each month (Item 703 of Regulation S-K); None where the months do not add up to the total.
    """
    head = _PURCHASES.search(text)
    if head is None:
        return None
    start = head.start()
    table = text[start : start + _LONG_TABLE]
    months = list(_IN_A_MONTH.finditer(table))[:_MONTHS_OF_TABLE]
    cells = [_NUMBER_LINE.search(table, month.end()) for month in months]
    counts = [value_of_cell(cell["n"]) or 0.0 for cell in cells if cell]
    if len(counts) != _MONTHS_OF_TABLE:
        return None
    for total in _TOTAL_LINE.finditer(table, months[-1].end()):
        value = value_of_cell(total["n"]) or 0.0
        rounded = 2 * 10 ** -_decimals(total["n"])
        if value > max(counts) and abs(value - sum(counts)) <= rounded:
            above = text[max(0, start - _LONG_HEAD) : start]
            return value, _unit_of_shares(above, table, value), total.group()
    return None


def _unit_of_shares(above: str, table: str, value: float) -> str:
    """The unit in which a table of an issuer's purchases counts shares; empty where it counts them one by one."""
    if _IN_THOUSANDS.search(above):
        return "thousand"
    return "million" if _IN_MILLIONS.match(table) and value < _WHOLE_SHARES else ""


_BALANCES = re.compile(r"(?m)^Balances?(?:,| as of| at) (?P<day>[A-Z][a-z]{2,8} \d{1,2}, \d{4})$")
_DECLARED = re.compile(
    r"(?m)^[^\n(]{0,40}[Dd]ividends declared[^\n(]{0,40}\(\$(?P<share>\d{1,3}\.\d{1,4}) per [^\n)]{0,20}share\)$"
)
_DAYS_OF_A_MONTH = 30.4


def dividends_declared(text: str, end: Date | None, months: int) -> Iterator[tuple[float, str]]:
    """What was declared for a share in so many months up to a day, and the label of its row.

    In a statement of equity the row stands between the balances of the first day and of the last.
    """
    balances = [(match.start(), dates(match["day"])[0]) for match in _BALANCES.finditer(text)]
    for declared in _DECLARED.finditer(text):
        place = declared.start()
        opened = [day for at, day in balances if at < place]
        closed = [day for at, day in balances if at > place]
        if not opened or not closed or not _is_the_day(closed[0], end):
            continue
        if round(_days_between(opened[-1], closed[0]) / _DAYS_OF_A_MONTH) == months:
            yield float(declared["share"]), declared.group()


def _days_between(first: Date, last: Date) -> int:
    one, other = (datetime.date(each.year, each.month or 1, each.day or 1) for each in (first, last))
    return (other - one).days


_WHOLE_SHARES = 100_000  # in millions that would be more than any issuer has


def _decimals(number: str) -> int:
    return len(number.partition(".")[2])


def left_to_buy(text: str, end: Date | None, asked: str) -> Iterator[tuple[str, str]]:
    """What is left, as of the day that ends a period, of what the board allowed to buy shares for; and the sentence.

    What is left of one of several programs counts only where `asked` names it: "the April 2022 authorization".
    """
    for sentence, _ in _sentences_under(text):
        program = _ONE_PROGRAM.search(sentence)
        if not any(_is_the_day(day, end) for day in _days_as_of(sentence)[:1]):
            continue
        if "repurchas" not in sentence and "authorization" not in sentence:
            continue
        left = next(filter(None, (pattern.search(sentence) for pattern in _LEFT)), None)
        if left and (program is None or program["of"] in asked):
            yield left["left"], sentence


def none_bought(text: str, quarter: Quarter, months: int, end: Date | None) -> Iterator[str]:
    """The sentences that say that no shares were bought back in a quarter, or in its year up to its end."""
    for sentence, _ in _sentences_under(text):
        none = _NONE_BOUGHT.search(sentence)
        if none is None or _SAID_MONTHS.get(none["months"] or "three") != months:
            continue
        if none["n"]:
            if (_ORDINALS.index(none["n"]) + 1, int(none["year"])) == (quarter.number, quarter.year):
                yield sentence
        elif any(_is_the_day(date, end) for date in dates(sentence[none.start() :])[:1]):
            yield sentence


def amounts_said(text: str, kind: str, quarter: Quarter, end: Date | None) -> Iterator[tuple[str, str]]:
    """The sentences of a text with an amount of the quarter, or of the day that it ends on: the amount, the sentence.

    `kind` is money, percent or count. Of several amounts it is the one whose period is the quarter, where as many
    periods as amounts are told: "$15.0 billion and $11.3 billion during Q3 2022 and Q3 2023".
    """
    for sentence, heading in _sentences_under(text):
        plain = _OF_ANOTHER_DAY.sub("", _CONVERTED.sub("", sentence))
        amounts = [match.group().strip() for match in _OF_KIND[kind].finditer(plain)]
        stated = [
            match.group().strip() for match in _OF_KIND[kind].finditer(plain) if _STATES.search(plain[: match.start()])
        ]
        if len(set(stated)) == 1 and len(amounts) > 1 and not _RESPECTIVELY.search(plain, plain.find(stated[0])):
            amounts = stated  # "was $4.5 billion, up $95 million"
        if len(set(amounts)) == 1:
            if _is_as_of(sentence, end) and quarter.is_of(sentence, heading):
                yield amounts[0], sentence
        elif amounts:
            named = dates(sentence)
            own = [n for n, date in enumerate(named) if _is_own(date, quarter, end)]
            if len(named) == len(amounts) and len(own) == 1:
                yield amounts[own[0]], sentence


def totals_said(text: str, phrase: str, quarter: Quarter, end: Date | None) -> Iterator[tuple[str, str]]:
    """The sentences that tell a total on the day that a period ends, "total deferred revenue of $12.6 billion"."""
    for amount, sentence in amounts_said(text, "money", quarter, end):
        if f"total {phrase}" in sentence.lower():
            yield amount, sentence


def amounts_beside(text: str, quarter: Quarter) -> Iterator[tuple[str, str, str]]:
    """The sentences that tell an amount of a quarter beside that of the year before: the old, the new, the sentence."""
    for sentence, _ in _sentences_under(text):
        amounts = [match.group().strip() for match in _OF_KIND["money"].finditer(sentence)]
        named = [(date.year, date.quarter) for date in dates(sentence)]
        of = dict(zip(named, amounts, strict=False))
        if not len(named) == len(amounts) == len(of):
            continue
        new = of.get((quarter.year, quarter.number))
        old = of.get((quarter.year - 1, quarter.number))
        if old and new:
            yield old, new, sentence


_ON_AN_AMOUNT = re.compile(
    r"\b(?P<of>[A-Za-z&]{1,30}(?: [A-Za-z&]{1,30}){0,4}) of (?P<behind>\$\d[\d.,]{0,9} (?:million|billion))"
    r"|(?P<ahead>\$\d[\d.,]{0,9} (?:million|billion)) (?:increase|decrease|reduction|benefit) (?:to|in|for) "
    r"(?P<to>[A-Za-z&]{1,30}(?: [A-Za-z&]{1,30}){0,2})"
)
_ON_A_SHARE = re.compile(
    r"\$(?P<both>\d{1,2}\.\d\d) per both basic and diluted share"
    r"|\$\d{1,2}\.\d\d (?:per basic share )?and \$(?P<diluted>\d{1,2}\.\d\d) per (?:basic and )?diluted share"
)
_LIVES = re.compile(r"\buseful li(?:fe|ves)\b")
_FROM_TO = re.compile(r"\bfrom \w+(?: years)? to (?:a range of )?\w+(?: to \w+)? years\b")
_RESULTED = re.compile(r"\b(?:effect of this change|this change resulted|[Tt]his resulted)\b")
_MONTHS_NAMED = re.compile(r"\b(three|six|nine) months\b|\bQ[1-4] \d{4}|\b(?:first|second|third|fourth) quarter\b")


def lives_changed(text: str) -> Iterator[tuple[str, str]]:
    """How the useful lives of assets were changed, "from 5 years to 8 years", and the sentence that says it."""
    for line in filter(_LIVES.search, text.split("\n")):
        for sentence in (line[slice(*span)] for span in sentences(line)):
            changed = [match.group() for match in _FROM_TO.finditer(sentence)]
            if changed and _LIVES.search(sentence):
                yield ", ".join(changed), sentence


def effects_of_lives(text: str, months: int) -> Iterator[tuple[str, str, str]]:
    """What longer useful lives did in so many months: to what ("operating income"), how much, the sentence.

    A sentence that names no months ("This resulted in …") is of those that the one before it names.
    """
    for line in filter(_LIVES.search, text.split("\n")):
        of = 0
        for sentence in (line[slice(*span)] for span in sentences(line)):
            named = _MONTHS_NAMED.search(sentence)
            of = _SAID_MONTHS[named[1] or "three"] if named else of
            if of != months or not _RESULTED.search(sentence):
                continue
            for match in _ON_AN_AMOUNT.finditer(sentence):
                yield match["of"] or match["to"], match["behind"] or match["ahead"], sentence
            if share := _ON_A_SHARE.search(sentence):
                yield "diluted earnings per share", f"${share['both'] or share['diluted']}", sentence


_OF_TWO = re.compile(
    r"\b(?P<one>[a-z]{3,20}) and (?P<other>[a-z]{3,20}) [a-z]{3,20}\b[^$]{0,120} "
    r"(?P<first>\$\d[\d.,]{0,9} (?:million|billion)) and (?P<second>\$\d[\d.,]{0,9} (?:million|billion)), respectively"
)


def amounts_of_two(text: str, end: Date | None) -> Iterator[tuple[str, str, str, str]]:
    """The amounts of two kinds that one sentence tells in turn: the amount, its kind, the other kind, the sentence.

    "We had operating and finance leases of $7.5 billion and $75.1 billion, respectively": the second is of finance.
    """
    for sentence, _ in _sentences_under(text):
        if (two := _OF_TWO.search(sentence)) and _is_as_of(sentence, end):
            yield two["first"], two["one"], two["other"], sentence
            yield two["second"], two["other"], two["one"], sentence


_PART = re.compile(r"(?=\$\d)")


def parts_said(text: str, end: Date | None) -> Iterator[tuple[str, str, str]]:
    """The amounts that one sentence tells of several things on the day that a period ends: amount, thing, sentence.

    "We had $567 million of borrowings under the programs, and $5.0 billion of borrowings under the Term Loan."
    """
    for sentence, _ in _sentences_under(text):
        if sentence.count("$") < 2 or _RESPECTIVELY.search(sentence):
            continue
        days = _days_as_of(sentence)
        if len(days) != 1 or not _is_the_day(days[0], end):
            continue
        for part in _PART.split(sentence)[1:]:
            amount = _OF_KIND["money"].match(part)
            thing = part[amount.end() :] if amount else ""
            if amount and thing.startswith((" of ", " in ", " for ", " under ")):
                yield amount.group().strip(), thing, sentence


_PARTED = re.compile(
    rf"(?:\bof which|\bincludes?|\bincluded|\bincluding) (?:approximately |about )?(?P<sum>{_MONEY}) "
    r"(?P<part>[^.;$]{3,160})"
)
_TAKES_UP = re.compile(r"(?:These|This|Such|The) (?:charges?|amounts?|costs?|expenses?)\b")


def parts_of_sums(text: str) -> Iterator[tuple[str, str, str, str]]:
    """The part that a sentence tells of a sum: the amount, what it is of, what is said of the whole, the sentence.

    "We recorded $470 million of severance costs. These charges included $270 million recorded within our AWS segment."
    """
    before = ""
    for sentence, _ in _sentences_under(text):
        for part in _PARTED.finditer(sentence):
            taken_up = before if _TAKES_UP.match(sentence) else ""
            whole = f"{taken_up} {sentence[: part.start()]}"
            yield part["sum"], part["part"], whole, sentence
        before = sentence


def nothing_said(text: str, end: Date | None) -> Iterator[str]:
    """The sentences that tell as of the day which ends the period that there was none: "had no outstanding notes"."""
    for sentence, _ in _sentences_under(text):
        if not _NONE.search(sentence):
            continue
        if any(_is_the_day(day, end) for day in _days_as_of(sentence)[:1]):
            yield sentence


def _is_own(date: Date, quarter: Quarter, end: Date | None) -> bool:
    if date.quarter:
        return (date.year, date.quarter) == (quarter.year, quarter.number)
    return _is_the_day(date, end)


def _is_the_day(date: Date, day: Date | None) -> bool:
    return date.is_day and day is not None and date.key == day.key


def _days_as_of(sentence: str) -> list[Date]:
    """The days as of which a sentence tells something."""
    days = [date for date in dates(sentence) if date.is_day]
    return [day for day in days if _AS_OF_DAY.search(sentence[: day.span[0]])]


def _is_as_of(sentence: str, end: Date | None) -> bool:
    """Whether what a sentence tells as of a day it tells as of this one."""
    days = _days_as_of(sentence)
    return not days or any(_is_the_day(day, end) for day in days)


_SIGNED = re.compile(
    r"/s/ ?(?P<signed>[^\n]{4,50})\n(?P<name>[^\n]{4,50})\n(?P<title>[^\n]{4,120})(?P<more>\n[^\n]{4,80})?"
)
_GOES_ON_BELOW = re.compile(r"(?:,|\band|\([^)]{0,40})$", re.IGNORECASE)
_MORE_OF_TITLE = re.compile(r"\(|(?:principal|chief|president|director|officer)\b", re.IGNORECASE)
_SIGNATURES = re.compile(r"^signatures?:?$", re.IGNORECASE | re.MULTILINE)
_EXHIBIT = re.compile(r"^(?:exhibit \d|certifications?\b)", re.IGNORECASE | re.MULTILINE)
_REQUIRED = "pursuant to the requirements"
_LONGEST_BLOCK = 6_000  # characters: of a report that all directors sign


@dataclass(frozen=True, slots=True)
class Signature:
    """Who signed as what, the lines from the name to the title, and where these begin in the text."""

    name: str
    title: str
    quote: str
    start: int


def signatures(text: str) -> Iterator[Signature]:
    """The signatures of a text whose names stand below them once more, with the title under the name."""
    for match in _SIGNED.finditer(text):
        name, below = match["name"].strip(), (match["more"] or "").strip()
        if match["signed"].strip().lower() != name.lower():
            continue
        goes_on = _GOES_ON_BELOW.search(match["title"].strip()) or _MORE_OF_TITLE.match(below)
        last = "more" if below and goes_on else "title"
        start, end = match.start("name"), match.end(last)
        title = text[match.start("title") : end]
        yield Signature(name, " ".join(title.split()), text[start:end], start)


def signatures_of(text: str, role: str) -> Iterator[tuple[str, str]]:
    """Who signed a text in a role ("chief financial officer"): the name, and the lines from the name to the role."""
    for each in signatures(text):
        at = each.quote.lower().replace("\n", " ").find(role)
        if at >= 0:
            yield each.name, each.quote[: at + len(role)]


def signed_part(text: str) -> tuple[int, int]:
    """Where a report is signed: from the heading "Signatures" to its exhibits; (0, 0) where it has no such part."""
    for heading in reversed(list(_SIGNATURES.finditer(text))):
        start = heading.end()
        if _REQUIRED in text[start : start + 200].lower():
            exhibit = _EXHIBIT.search(text, start, start + _LONGEST_BLOCK)
            return start, exhibit.start() if exhibit else start + _LONGEST_BLOCK
    return 0, 0


_CERTIFIES = re.compile(r"\bcertif(?:y|ies|ying)\b", re.IGNORECASE)


def certifying(passages: Sequence[str]) -> Iterator[int]:
    """Which passages of a report, by their numbers, hold the certifications behind its signatures."""
    is_signed = False
    for number, text in enumerate(passages):
        is_signed = is_signed or signed_part(text)[1] > 0
        if is_signed and _CERTIFIES.search(text):
            yield number


_SHARES = re.compile(r"(?<![\d.,$])(?:\d{1,3}(?:,\d{3}){2,3}|\d[\d,]{0,6}(?:\.\d{1,3})? (?:million|billion))\b")
_LINES_OF_COVER = 3  # a table has the number below the day


def shares_on_cover(text: str, days: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The numbers of shares outstanding on a day, as the cover of a report tells them, each with the lines that do.

    With `days` only those of a day among them.
    """
    for start, end in sentences(text):
        sentence = text[start:end]
        named = [date.key for date in dates(sentence) if date.is_day]
        if "outstanding" not in sentence.lower() or len(named) != 1:
            continue
        table = "\n".join(text[start:].split("\n")[:_LINES_OF_COVER])
        counted = [quote for quote in (sentence, table) if _SHARES.search(quote)]
        if counted and (not days or named[0] in days):
            yield _SHARES.findall(counted[0])[0], counted[0]


def forecasts_said(text: str) -> Iterator[tuple[str, str, str, str]]:
    """What a text expects to be how much: the name, the range, the sentence, and the text above it."""
    for match in _EXPECTED.finditer(text):
        start = match.start()
        end = text.find("\n", match.end())
        paragraph = text[start:end] if end > 0 else text[start:]
        first, last = sentences(paragraph)[0]
        above = text[max(0, start - _ABOVE) : start]
        yield match["of"], match["range"], paragraph[first:last], above


@lru_cache(maxsize=_REPORTS_KEPT)
def _sentences_under(text: str) -> list[tuple[str, str]]:
    """The sentences of a text, each with the last heading above it that says which periods are compared."""
    heading = ""
    said: list[tuple[str, str]] = []
    for line in text.split("\n"):
        for start, end in sentences(line):
            sentence = line[start:end]
            if len(sentence) < _HEADING and _COMPARES.search(sentence) and "%" not in line and sentence[-1] != ".":
                heading = sentence
            said.append((sentence, heading))
    return said
