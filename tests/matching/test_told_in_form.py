"""What stands below the question itself, or behind a label with its words, answers it."""

from __future__ import annotations

import pytest

from adaq_core.events import AnswerWritten
from adaq_core.matching.shown import told_as_left_out, told_in_form
from adaq_core.model import Passage, QueryAspect
from adaq_core.retrieval.index import DocumentRetriever, PassageIndex
from adaq_core.runs.execute import RunSpec, execute

DISCS = """Can I make and sell copies of the discs?

Go ahead. You do not need permission, and you do not pay us anything. We would like to hear about it.

How often is a new release made?

About every two years.
"""
BOOKING = """Dear Ms Hart,

Your stay at the Harbour Hotel is confirmed.

Booking Reference Number: B210154
Room: Double room with sea view
Total price: EUR 412.50, breakfast included
Contact: reservations@harbourhotel.example, +44 20 7946 0123
"""
PASSAGES = (Passage("discs#0", "discs", "Questions", DISCS), Passage("booking#0", "booking", "Booking", BOOKING))


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("How often is a new release made", ["About every two years."]),
        ("Can I make and sell copies of the discs",
         ["Go ahead.", "You do not need permission, and you do not pay us anything."]),
        ("What is the booking reference number", ["Booking Reference Number: B210154"]),
        ("What is the total price of the stay", ["Total price: EUR 412.50, breakfast included"]),
        ("What is the total price of the flight", []),  # of which no text speaks
        ("What is the price", []),  # of what, of several
        ("How often is a new disc sold", []),
        ("Who makes copies", []),
    ],
)  # fmt: skip
def test_a_question_in_the_text_and_a_label_say_what_stands_with_them(question: str, told: list[str]) -> None:
    aspect = QueryAspect(question, "entity")
    made = [p.text[s.start : s.end] for p in PASSAGES for s in told_in_form(aspect, p)]
    assert made == told


WORK = "You rest. We work in 6-week cycles, and each may take a 4-week paid sabbatical. A day is long."


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("How long does a cycle last", 1),
        ("How long is the sabbatical", 1),
        ("How long is the paid leave", 0),
        ("How long is a day", 0),
    ],
)
def test_how_long_a_thing_is_stands_in_front_of_it(question: str, told: int) -> None:
    made = told_in_form(QueryAspect(question, "entity"), Passage("work#0", "work", "How we work", WORK))
    assert [WORK[s.start : s.end].startswith("We work") for s in made] == [True] * told


SCHEDULES = """Gliding

- You can arrive within a range of hours each day.
- You work eight hours.

Maxiflex

See the page on overtime.
"""


@pytest.mark.parametrize(
    ("subject", "told"),
    [
        ("gliding schedule", ["You can arrive within a range of hours each day."]),
        ("gliding", ["You can arrive within a range of hours each day."]),
        ("maxiflex schedule", []),  # only a reference
        ("gliding aircraft", []),
    ],
)
def test_a_section_by_the_name_of_a_thing_says_what_it_is(subject: str, told: list[str]) -> None:
    passage = Passage("s#1", "s", "Work schedules", SCHEDULES, position=1)
    aspect = QueryAspect(f"Definition of {subject}", "definition", subject=subject)
    assert [SCHEDULES[s.start : s.end] for s in told_in_form(aspect, passage)] == told


CONTRACT = """9. TERMINATION

9.1 Either party may end this agreement on notice.

9.2 It ends at once on a breach. The notice says so.

10.1 Nothing may be assigned.

Step 1: Sign it.
Step 2: Send it.

Signed for and on behalf of Tidewater plc

By: /s/ Alan Pryce
Name: Alan Pryce

Signed for Harlow Ltd: Rebecca Thorne
"""
VITA = """Amara Diallo

LANGUAGES
French (native), Wolof (native), English (fluent)

SKILLS
Python, Scala

4. Possible side jobs
Common: interpreter, guide to the old town.
"""
CALL = """Ida Berg - CEO: There will be no rights issue. Next year we build.

[00:04:16] Claire Dubois: Good morning. There is talk of a rights issue. Is it true?

Marc Moll (Analysts): Was there a penalty?
"""
FORMS = (
    Passage("call#0", "call", "Call", CALL),
    Passage("MSA Harlow.txt#0", "MSA Harlow.txt", "AGREEMENT", CONTRACT),
    Passage("vita#0", "vita", "", VITA),
)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What does clause 9.1 of the Harlow MSA say", ["9.1 Either party may end this agreement on notice."]),
        ("What does section 9.2 say", ["9.2 It ends at once on a breach.", "The notice says so."]),
        ("What does clause 9.1 of the Nimbus lease say", []),
        ("What does step 2 say", ["Step 2: Send it."]),
        ("What does clause 9.3 say", []),
        ("Who signed the MSA for Tidewater",
         ["Signed for and on behalf of Tidewater plc", "By: /s/ Alan Pryce", "Name: Alan Pryce"]),
        ("Who signed for Harlow", ["Signed for Harlow Ltd: Rebecca Thorne"]),
        ("Who signed for Nimbus", []),
        ("What languages does Amara Diallo speak", ["French (native), Wolof (native), English (fluent)"]),
        ("Which skills does Amara Diallo have", ["Python, Scala"]),
        ("What side jobs does Amara Diallo have", ["Common: interpreter, guide to the old town."]),
        ("What jobs does Amara Diallo have", []),
        ("What skills does Jonas Weber have", []),
        ("Who asked about a rights issue",
         ["[00:04:16] Claire Dubois: Good morning.", "There is talk of a rights issue."]),
        ("Who asked about the penalty", ["Marc Moll (Analysts): Was there a penalty?"]),
        ("Who said that they will build next year",
         ["Ida Berg - CEO: There will be no rights issue.", "Next year we build."]),
        ("Who asked about dividends", []),
        ("What hobbies does Amara Diallo have", []),
    ],
)  # fmt: skip
def test_clauses_signatures_and_headings_say_what_stands_with_them(question: str, told: list[str]) -> None:
    aspect = QueryAspect(question, "entity")
    assert [p.text[s.start : s.end] for p in FORMS for s in told_in_form(aspect, p)] == told


MINUTES = """Presenter: Ann Lee (ALE)

ALE: Boats need lamps.

WKE: I would like to see them first.

WKE: They cost too much.

Conclusion

Not decided at this meeting.
"""


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Who presented lamps for boats", ["Presenter: Ann Lee (ALE)"]),
        ("Who presented the budget", []),
        ("What did the club decide about lamps for boats", ["Not decided at this meeting."]),
        ("What happened to the budget", []),
        ("What did WKE say about lamps", ["WKE: I would like to see them first.", "WKE: They cost too much."]),
        ("What did Wim Moss say about lamps", []),
        ("What did Ann Lee say about lamps", ["ALE: Boats need lamps."]),
        ("What did Ann Lee say about the budget", []),
    ],
)
def test_of_a_section_its_lines_need_not_say_the_matter(question: str, told: list[str]) -> None:
    minutes = Passage("m#0", "m", "Minutes", MINUTES, metadata=(("section", "Lamps for boats"),))
    aspect = QueryAspect(question, "entity")
    assert [MINUTES[s.start : s.end] for s in told_in_form(aspect, minutes)] == told


def test_an_article_is_told_by_the_section_that_it_is() -> None:
    law = "Article 5\n\nLamps\n\n1. Each boat carries a lamp.\n\n2. Article 9 says of which kind."
    article = Passage("law#0", "law", "Boat Act", law, metadata=(("section", "CHAPTER I › Article 5 Lamps"),))
    made = told_in_form(QueryAspect("What does Article 5 of the Boat Act say", "entity"), article)
    told = ["1. Each boat carries a lamp.", "2. Article 9 says of which kind."]
    assert [law[s.start : s.end] for s in made][-2:] == told
    assert told_in_form(QueryAspect("What does Article 9 of the Boat Act say", "entity"), article) == ()


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What is the booking reference number?", "B210154"),
        ("What is the total price of the stay?", "EUR 412.50"),
        ("Can I make and sell copies of the discs?", "You do not need permission"),
    ],
)
def test_it_is_all_that_is_answered(question: str, said: str) -> None:
    events = execute(RunSpec("adaptive", question), retriever=DocumentRetriever(PassageIndex.build(PASSAGES, name="x")))
    answer = next(event.answer for event in events if isinstance(event, AnswerWritten))
    assert answer.status == "answered"
    assert said in answer.text
    assert "Contact" not in answer.text


CAKE = """This plum cake is best on the second day. Plum cake is made of what the garden gives.

Ingredients
- 200 g of plums
- 2 cups milk
- flour

Steps
Beat the eggs for the plum cake and add the milk. Bake the plum cake for an hour.
"""
OUTAGE = """The login failed for an hour.

Lessons Learned
- Renew the keys in time.
- Nobody was called.

Action Items
- Watch the keys of the login.
"""
OTHER = "The cake of the neighbours.\n\nIngredients\n- sand\n"
TITLED = (
    Passage("cake#0", "cake", "Plum cake", CAKE),
    Passage("out-7 login outage.md#0", "out-7 login outage.md", "No login", OUTAGE),
    Passage("other#0", "other", "Sand cake", OTHER),
)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What ingredients do I need for plum cake", ["200 g of plums", "2 cups milk", "flour"]),
        ("What are the ingredients of the plum cake", ["200 g of plums", "2 cups milk", "flour"]),
        ("What are the ingredients of the apple cake", []),
        ("What lessons were learned from the login outage", ["Renew the keys in time.", "Nobody was called."]),
        ("What are the action items of the login outage", ["Watch the keys of the login."]),
        ("What are the lessons of the mail outage", []),
        ("What tools do I need for plum cake", []),
    ],
)
def test_of_what_a_document_is_about_a_heading_tells_what_is_asked(question: str, told: list[str]) -> None:
    aspect = QueryAspect(question, "entity", answer_kind="list")
    assert [p.text[s.start : s.end] for p in TITLED for s in told_in_form(aspect, p)] == told


def test_the_list_below_such_a_heading_is_whole_and_all_that_is_answered() -> None:
    index = PassageIndex.build(TITLED, name="x")
    question = "What are the ingredients of the plum cake?"
    events = execute(RunSpec("adaptive", question), retriever=DocumentRetriever(index))
    answer = next(event.answer for event in events if isinstance(event, AnswerWritten))
    items = [line.partition(" [")[0].removeprefix("- ") for line in answer.text.split("\n")]
    assert items == ["200 g of plums", "2 cups milk", "flour"]


REFUNDS = """Requests

We give the whole fee back within seven days. Write to the office. Credit is not given back. It can be passed on.
"""
TALK = """Ida Berg: The harbour is quiet. We mend the nets of the harbour in winter.

Bo Ek: The harbour is loud.
"""
CALLED = (
    Passage("refunds#0", "refunds", "Refund policy", REFUNDS),
    Passage("talk#0", "talk", "Talk", TALK),
)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What is the refund policy", ["We give the whole fee back within seven days.", "Write to the office.",
                                       "Credit is not given back."]),
        ("What is the travel policy", []),
        ("What is the policy", []),
        ("What does Ida Berg say about the harbour",
         ["Ida Berg: The harbour is quiet.", "We mend the nets of the harbour in winter."]),
        ("What did Bo say about the harbour", ["Bo Ek: The harbour is loud."]),
        ("What does Ida Berg say about fish", []),
    ],
)  # fmt: skip
def test_a_title_and_a_speaker_say_what_stands_with_them(question: str, told: list[str]) -> None:
    aspect = QueryAspect(question, "entity")
    assert [p.text[s.start : s.end] for p in CALLED for s in told_in_form(aspect, p)] == told


STEPS = """A stew for the winter.

Instructions
- Cut the beans.
- Boil the bean stew for an hour.

Notes
It keeps for a week.
"""


@pytest.mark.parametrize(
    ("question", "text", "told"),
    [
        ("How to make bean stew", STEPS, ["Cut the beans.", "Boil the bean stew for an hour."]),
        ("How do I cook the bean stew", STEPS, ["Cut the beans.", "Boil the bean stew for an hour."]),
        ("How to make beef stew", STEPS, []),
        ("How to make bean stew", "Stir the bean stew.\n\nNotes\nServe it hot.", []),  # its steps begin elsewhere
    ],
)
def test_how_to_make_what_a_document_is_about_is_told_by_its_steps(question: str, text: str, told: list[str]) -> None:
    stew = Passage("stew#0", "stew", "Bean stew", text, metadata=(("section", "Instructions"),))
    aspect = QueryAspect(question, "process", answer_kind="way")
    assert [text[s.start : s.end] for s in told_in_form(aspect, stew)] == told


MAIL = """Tom,

I have two prices for the fire door.

Could you put it on the agenda? And please send me the plan of floor 3.

> I will ask.

Helen
"""


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What does Helen ask Tom for", ["Could you put it on the agenda?", "And please send me the plan of floor 3."]),
        ("What did Helen write about prices", ["I have two prices for the fire door."]),
        ("What did Helen tell Ann about prices", []),  # who is not written to
        ("What did Tom write about prices", []),
    ],
)
def test_what_somebody_wrote_is_told_by_their_mail(question: str, told: list[str]) -> None:
    known = (("author", "Helen Croft <helen@x.example>"), ("to", "Tom Bell <tom@x.example>"))
    mail = Passage("m#0", "m", "Door", MAIL, metadata=known)
    aspect = QueryAspect(question, "entity")
    assert [MAIL[s.start : s.end] for s in told_in_form(aspect, mail)] == told


def test_who_did_it_stands_behind_a_label_that_says_by_whom() -> None:
    text = "Owner: Legal\n\nApproved by: Ann Lee\n\nRecords are kept."
    policy = Passage("p#0", "p", "Leave policy", text)
    told = told_in_form(QueryAspect("Who approved the leave policy", "entity", answer_kind="person"), policy)
    assert [text[s.start : s.end] for s in told] == ["Approved by: Ann Lee"]


def test_the_steps_are_all_that_is_answered() -> None:
    stew = Passage("stew#0", "stew", "Bean stew", STEPS)
    index = PassageIndex.build((stew, *TITLED), name="x")
    events = execute(RunSpec("adaptive", "How do I make bean stew?"), retriever=DocumentRetriever(index))
    answer = next(event.answer for event in events if isinstance(event, AnswerWritten))
    assert "Cut the beans." in answer.text
    assert "winter" not in answer.text
    assert "week" not in answer.text


ATTENDED = """1. Attendees and apologies

Chair: Terhi Berg
Scribe: Margie Holt
Plenary Owner: Finance

Apologies:

- Nick Vale

Attendance:

Ashley Sommer
Rob Lind

2. Previous minutes

Nobody had remarks on them, and they were accepted as they had been sent out.
"""


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Who attended the plenary in April 2024", ["Ashley Sommer", "Rob Lind"]),
        ("Who was at the April 2024 meeting", ["Ashley Sommer", "Rob Lind"]),
        ("Who sent apologies for the plenary", ["Nick Vale"]),
        ("Who was absent from the plenary in April 2024", ["Nick Vale"]),
        ("Who took the minutes of the plenary", ["Scribe: Margie Holt"]),
        ("Who was the scribe of the plenary", ["Scribe: Margie Holt"]),
        ("Who chaired the plenary", ["Chair: Terhi Berg"]),
        ("Who owns the plenary", ["Plenary Owner: Finance"]),
        ("Who attended the board", []),
        ("Who attended", []),
    ],
)
def test_labels_of_minutes_tell_who_was_there_and_who_did_what(question: str, told: list[str]) -> None:
    minutes = Passage("m#0", "m", "Plenary April 2024", ATTENDED)
    aspect = QueryAspect(question, "entity", answer_kind="person")
    assert [ATTENDED[s.start : s.end] for s in told_in_form(aspect, minutes)] == told


EXPENSES = """Meals

The following expenses are reimbursable:

- Dinner with a client

The following expenses are NOT reimbursable:

- Parking tickets
- Gym memberships

Exclusions

- Spouses

Claims

- Send them by mail
"""


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What is not reimbursable", ["Parking tickets", "Gym memberships"]),
        ("Which expenses are not reimbursed", ["Parking tickets", "Gym memberships", "Spouses"]),
        ("Which expenses are excluded", ["Parking tickets", "Gym memberships", "Spouses"]),
        ("What is reimbursable", []),
        ("What is not taxable", []),
    ],
)
def test_what_is_left_out_stands_below_a_line_that_denies_it(question: str, told: list[str]) -> None:
    policy = Passage("e#0", "e", "Expense policy", EXPENSES)
    aspect = QueryAspect(question, "entity", answer_kind="list")
    assert [EXPENSES[s.start : s.end] for s in told_as_left_out(aspect, policy)] == told


ACTIONS = """Budget

* Action: Jon M. to ask Finance about it.
* ACTION ITEM: Kari will move the text. Nobody objected.

Action plans were discussed with Kari.
"""


@pytest.mark.parametrize(
    ("question", "told"),
    [
        (
            "Which actions were given in March",
            ["Action: Jon M. to ask Finance about it.", "ACTION ITEM: Kari will move the text."],
        ),
        ("What does Kari have to do", ["ACTION ITEM: Kari will move the text."]),
        ("What must Jon do", ["Action: Jon M. to ask Finance about it."]),
        ("What does Finance have to do", []),
        ("What does Kari do", []),
    ],
)
def test_lines_called_actions_tell_who_has_to_do_what(question: str, told: list[str]) -> None:
    minutes = Passage("a#0", "a", "Minutes of March", ACTIONS)
    assert [ACTIONS[s.start : s.end] for s in told_in_form(QueryAspect(question, "entity"), minutes)] == told


RISKS = """Late handover of floor 3

Likelihood: medium
Owner: Lukas Brandt

No network on the first day

Likelihood: low
Owner: Priya Nair
"""


def test_a_label_is_of_the_line_above_it_and_may_stand_inside_a_line() -> None:
    slide = Passage("r#0", "r", "Kick-off", RISKS, metadata=(("section", "Risks"), ("page", "5")))
    told = told_in_form(QueryAspect("Who owns the risk of no network on the first day", "entity"), slide)
    assert [RISKS[s.start : s.end] for s in told] == ["No network on the first day", "Owner: Priya Nair"]
    line = "Effective Date: May 2025 Last Updated: June 2025 Policy Owner: Legal"
    policy = Passage("l#0", "l", "Leave policy", line)
    told = told_in_form(QueryAspect("Who owns the leave policy", "entity"), policy)
    assert [line[s.start : s.end] for s in told] == [line]


def test_until_when_stands_behind_a_label() -> None:
    form = "Name: Marta Kowalska\nRequested from: 15 September 2025\nValid until: 30 June 2026"
    passage = Passage("f#0", "f", "Request for an exception", form)
    told = told_in_form(QueryAspect("Until when is Marta Kowalska's exception valid", "entity"), passage)
    assert [form[s.start : s.end] for s in told] == ["Valid until: 30 June 2026"]
    assert not told_in_form(QueryAspect("Until when is Bo Reid's exception valid", "entity"), passage)
