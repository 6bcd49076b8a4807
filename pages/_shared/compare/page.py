"""One comparison: conditions, a card per method, the matrix, the curves, the answers, who found what."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from textwrap import indent
from typing import TYPE_CHECKING

import streamlit as st

from adaq_core.export.dossier import fenced, program_in
from adaq_core.export.run_json import comparison_json
from adaq_core.export.verdict import first_line, share_passages
from pages._shared.ask.run_view import ends
from pages._shared.common import backend
from pages._shared.common.chrome import (
    in_theme,
    level_row,
    show_dialog,
    show_downloads,
    show_objection,
    with_readable_axes,
)
from pages._shared.common.text import literal, quoted, short, without_citations
from pages._shared.common.words import count, listed, not_here
from pages._shared.compare.cards import column_of, conclusion, curve_figure, curve_words, show_cards
from pages._shared.compare.review import review_of, show_difference, show_review, show_verdict
from pages._shared.compare.start import FIRST_CHOICE, FORM, add_methods, best_reference, method_pills, open_group
from pages._shared.components.answer.view import show_answer
from pages._shared.components.aspect_matrix.matrix import show_matrix, show_proofs
from pages._shared.components.marked_text.passage_view import question_heading
from pages._shared.run.comparison import (
    AXES,
    Axis,
    Column,
    alike,
    answer_rows,
    differences,
    fairness,
    overlap,
    overlap_words,
)
from pages._shared.run.data import covered_phrase
from pages._shared.run.verdict import verdict

if TYPE_CHECKING:
    from adaq_core.model import RankedPassage
    from adaq_core.store.rows import RunRow


MOST_BESIDE, MOST_SENTENCES = 4, 3
_BEFORE_UNIT = re.compile(r"(?<=\d) (?=[a-z])")
_FIGURE = 60  # characters of "$127,358 million ($127.4 billion) [1]" and what stands beside it


def show_group(group: str) -> None:
    """Draw the comparison with this id, or the page to begin one."""
    rows = backend.group_rows(group)
    if not rows:
        _nothing_there(group)
        return
    _missing(group, rows)
    everything = columns_of(rows)
    if pair := review_of(everything):
        show_review(rows[0].question, pair)
        return
    question_heading(rows[0].question, level=3, key="compare_asked")
    # What is left of the form until the comparison is drawn would stand below its question.
    st.html(f"<style>.st-key-{FORM} {{display: none}}</style>")
    show_objection()
    if len(everything) == 1:
        with st.container():
            _only_one(group, everything)
        return
    st.empty()  # in the place of the offer: what is left of it would push down what is drawn above it
    shown, reference, only_differences = _controls(group, everything)
    with st.container():  # always there: what came later would push the cards to another place, and draw them anew
        if sentence := conclusion(shown):
            st.markdown(f"**{literal(sentence)}**")
        _fairness(shown, asked_first=group)
    show_cards(shown, reference)
    if all(column.running for column in shown):
        return  # the rest is drawn anew when a method is through
    aspect = st.query_params.get("aspect")
    show_matrix(shown, only_differences=only_differences, selected=aspect)
    if line := without_room(shown):
        st.caption(f":material/move_group: {literal(line)}")
    _curves(shown)
    _answers(shown, reference)
    show_verdict(shown, reference)
    _overlap(shown)
    if aspect:
        show_dialog(lambda: show_proofs(shown, aspect, on_close=_close_aspect), close=_close_aspect)


def _nothing_there(group: str) -> None:
    """Say that the runs or comparison in the address do not exist, and how to begin."""
    gone = [quoted(short(name, 20)) for name in group.split(",") if name.startswith("r-")]
    what = f"run {listed(gone)}" if gone else "comparison with this address"
    title = "Run not found" if len(gone) == 1 else "Comparison not found"
    st.info(not_here(what), title=title, icon=":material/search_off:")
    st.button("Choose a question", on_click=open_group, args=(None,), key="compare_none")


def _missing(group: str, rows: Sequence[RunRow]) -> None:
    """Say which runs in the address do not exist: fewer are compared than the link's sender saw."""
    known = {row.run_id for row in rows}
    if gone := [quoted(short(name, 20)) for name in group.split(",") if "," in group and name and name not in known]:
        st.info(not_here(f"run {listed(gone)}"), icon=":material/search_off:")


def _close_aspect() -> None:
    st.query_params.pop("aspect", None)


def columns_of(rows: Sequence[RunRow]) -> list[Column]:
    """Return a column for each run; several runs of one method are numbered, oldest first."""
    methods = [row.method for row in rows]
    marks = [str(methods[: n + 1].count(name)) if methods.count(name) > 1 else "" for n, name in enumerate(methods)]
    return [column_of(row, mark) for row, mark in zip(rows, marks, strict=True)]


def _only_one(group: str, columns: Sequence[Column]) -> None:
    st.markdown(f"So far only **{columns[0].label}** is in this comparison. Run others to compare.")
    _offer(group, columns, [columns[0].method])
    show_cards(columns, None)


def _controls(group: str, columns: Sequence[Column]) -> tuple[list[Column], str | None, bool]:
    labels = {column.name: column.label for column in columns}
    names = list(labels)
    best = best_reference(columns)
    with level_row("compare"):
        reference = st.selectbox(
            "Reference",
            names,
            index=names.index(best),
            format_func=lambda name: labels.get(name, name),
            key="c_ref",
            bind="query-params",
            width=180,
            help="The other methods show their difference from this one.",
        )
        picked = st.pills(
            "Show only",
            names,
            selection_mode="multi",
            format_func=lambda name: labels.get(name, name),
            key="c_sys",
            bind="query-params",
        )
        only = st.toggle("Only differences", key="c_diff", bind="query-params")
        _more(group, columns, [column.method for column in columns])
        if not any(column.running for column in columns):
            _export(group, columns)
        st.button("New comparison", icon=":material/add:", on_click=open_group, args=(None,), key="compare_new")
        if going := [column.run_id for column in columns if column.running]:
            icon = ":material/stop_circle:"
            if any(map(ends, going)):
                st.caption(":shimmer[Stopping]", width="content")
            else:
                st.button("Cancel", icon=icon, on_click=_cancel, args=(going,), key="compare_cancel")
    return [column for column in columns if column.name in (picked or names)], reference, only


def _export(group: str, columns: Sequence[Column]) -> None:
    """Offer the whole comparison as the file that `compare --json` prints."""
    menu = st.popover("Export", icon=":material/download:", key="compare_export", on_change="rerun")
    if not menu.open:
        return  # the file is made when somebody looks at its size
    with menu:
        show_downloads([comparison_file(group, columns)])


def comparison_file(group: str, columns: Sequence[Column]) -> tuple[str, bytes, str, str]:
    """Return the comparison as a file: label, content, name and media type."""
    stored = [each for column in columns if (each := backend.stored_run(column.run_id))]
    told = comparison_json(group, [each.row for each in stored], [each.records for each in stored])
    data = f"{json.dumps(told, ensure_ascii=False, indent=2)}\n".encode()
    name = f"comparison-{re.sub('[^0-9a-z-]+', '-', group)[:60]}.json"
    return "Answers, aspects and hops of all methods (JSON)", data, name, "application/json"


def _cancel(run_ids: Sequence[str]) -> None:
    for run_id in run_ids:
        backend.runner().cancel(run_id)


def _more(group: str, columns: Sequence[Column], names: Sequence[str]) -> None:
    if set(backend.method_names()) - set(names):
        with st.popover("Add methods", icon=":material/playlist_add:", key=f"c_more_{len(names)}"):
            _offer(group, columns, names)


def _offer(group: str, columns: Sequence[Column], names: Sequence[str]) -> None:
    """Offer the methods that are not in the comparison, to be run under the same conditions.

    Whoever adds to a comparison presses what is to come: of one that is chosen already the press would take it off.
    """
    first = backend.row(columns[0].run_id)
    beforehand = FIRST_CHOICE if len(names) == 1 else ()
    chosen = method_pills(f"c_add_{len(names)}", leave_out=names, first=beforehand)
    st.caption("They run with the same corpus, settings, budget and aspects.")
    st.button(
        f"Run {count(len(chosen), 'method')}" if chosen else "Run",
        icon=":material/play_arrow:",
        type="primary",
        disabled=not chosen or first is None,
        on_click=add_methods,
        args=(group, first, chosen, columns[0].view.aspects),
        key="c_add_run",
    )


def _fairness(shown: Sequence[Column], *, asked_first: str) -> None:
    """Draw the shared conditions, and say whose time is not comparable because that run was made before."""
    if different := differences(shown):
        lines = [*map(literal, different), "A new comparison gives all of them the same."]
        st.warning("  \n".join(lines), title="Not the same conditions", icon=":material/balance:")
        return
    conditions = [term.text() for term in fairness(shown) if term.values]
    if conditions:
        first = next((column.label for column in shown if column.run_id == asked_first and column.view.hops), "")
        time = f". {first} was asked first: its time holds what was loaded then" if first and len(shown) > 1 else ""
        st.caption(":material/balance: Same conditions for all: " + literal(", ".join(conditions) + time))


def without_room(columns: Sequence[Column]) -> str:
    """Return the methods with open aspects that share too few passages, so that one displaced the other."""
    crowded = [column for column in columns if not column.running and share_passages(column.view)]
    if not crowded or not (started := crowded[0].view.started):
        return ""
    sizes = f"{count(len(crowded[0].view.aspects), 'aspect')} share {count(started.settings.k, 'passage')}"
    names = listed([column.label for column in crowded])
    return f"{names}: {sizes}, so what was found may be lost. A larger evidence size (k) has room for each."


def _curves(columns: Sequence[Column]) -> None:
    st.markdown("**How coverage grew**")
    axis = st.segmented_control(
        "Budget measured in",
        list(AXES),
        default="hops",
        required=True,
        format_func=lambda name: AXES[name],
        key="c_x",
        bind="query-params",
        label_visibility="collapsed",
    )
    assessed = [column for column in columns if column.view.last_assessed]
    groups = alike(assessed, axis or "hops")
    # At the bottom: a name of two lines would push its chart below the others.
    with st.grid(_beside(len(groups)), min_column_width=230, gap="small", vertical_alignment="bottom") as grid:
        for group in groups:
            with grid.cell():
                _curve(group, assessed, axis or "hops")
    if len(assessed) < len(columns):
        st.caption(without_curve([column for column in columns if column not in assessed]))


def without_curve(columns: Sequence[Column]) -> str:
    """Say which methods have no curve: they failed, or have no assessed hop yet."""
    failed = [column.label for column in columns if column.failed]
    still = [column.label for column in columns if not column.failed]
    parts = [f"No curve for {listed(failed)}, which did not finish." if failed else ""]
    parts += [f"Nothing to show yet for {listed(still)}." if still else ""]
    return " ".join(part for part in parts if part)


def _beside(charts: int) -> int:
    """Return how many charts go into a row: four where that leaves no gap, else three."""
    return 4 if charts % 4 == 0 else min(max(charts, 1), 3)


def _curve(group: Sequence[Column], columns: Sequence[Column], axis: Axis) -> None:
    """Draw one chart for all methods with the same curve."""
    names = listed([column.label for column in group])
    st.markdown(f"**{names}** :small[{literal(covered_phrase(group[0].view))}]")
    st.plotly_chart(
        with_readable_axes(curve_figure(columns, axis, of=group)),
        key=in_theme(f"compare_curve_{group[0].run_id}"),
        config={"displayModeBar": False},
        alt=curve_words(columns, axis, of=group),
    )


def _answers(columns: Sequence[Column], reference: str | None) -> None:
    base = next((column for column in columns if column.name == reference and column.view.answer), None)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("**Answers**", width="stretch")
        as_difference = base is not None and st.toggle(
            "Text difference",
            key="c_text",
            bind="query-params",
            help=f"Compares each answer with that of {base.label}, sentence by sentence.",
        )
    if as_difference and base:
        _differences(columns, base)
    else:
        _by_aspect(columns)


def _by_aspect(columns: Sequence[Column]) -> None:
    """Draw what each answer says, a row for each aspect."""
    rows = answer_rows(columns)
    if not rows:
        for column in (each for each in columns if each.view.answer is None or each.view.answer.short is None):
            st.markdown(f":small[**{column.label}:** {_no_answer(column)}]")
    _in_short(columns)
    if are_figures(rows):
        st.markdown(figures_table(columns, rows))
        return
    for name, cells in rows:
        told = [cell_words(column, name, sentences) for column, sentences in zip(columns, cells, strict=True)]
        _row(literal(name) or "Also found", columns, told)


def _in_short(columns: Sequence[Column]) -> None:
    """Draw the short answer of each method, if any has one."""
    short_answers = [column.view.answer.short if column.view.answer else None for column in columns]
    if any(short_answers):
        told = (f"**{literal(first_line(short))}**" if short else ":gray[no short answer]" for short in short_answers)
        _row("In short", columns, [f"  \n{line}" for line in told])


def _row(title: str, columns: Sequence[Column], said: Sequence[str]) -> None:
    """Draw what the methods say on one aspect, side by side under their names."""
    voices = together([column.label for column in columns], said)
    with st.container(border=True, gap="xxsmall"):
        st.markdown(f"**{title}**")
        with st.grid(min(len(voices), MOST_BESIDE), min_column_width=200, gap="small") as grid:
            for names, words in voices:
                with grid.cell():
                    st.markdown(f":small[**{listed(names)}**]{words}")


def together(names: Sequence[str], said: Sequence[str]) -> list[tuple[list[str], str]]:
    """The methods with what they say, each by itself; those of more than can stand in a row by what they say."""
    if len(names) <= MOST_BESIDE:
        return [([name], words) for name, words in zip(names, said, strict=True)]
    voices: dict[str, list[str]] = {}
    for name, words in zip(names, said, strict=True):
        voices.setdefault(words, []).append(name)
    return [(those, words) for words, those in voices.items()]


def cell_words(column: Column, aspect: str, sentences: Sequence[str]) -> str:
    """Return what one answer says on one aspect as Markdown; a single sentence is no list.

    That one more is left out would take as much room as that one.
    """
    most = MOST_SENTENCES + 1 if len(sentences) == MOST_SENTENCES + 1 else MOST_SENTENCES
    told = [_told(column, each) for each in sentences[:most]]
    left_out = len(sentences) - most
    more = f"\n\n:small[:gray[and {count(left_out, 'more sentence')}]]" if left_out > 0 else ""
    badge = _badge(column, aspect, said=bool(sentences))
    before = f"  \n{badge}" if badge else ""
    return before + (f"  \n{told[0]}" if len(told) == 1 else "".join(f"\n- {each}" for each in told)) + more


def _told(column: Column, sentence: str) -> str:
    """Return a sentence as an item of a list in Markdown; the lines of a program stand below what comes before them."""
    before, program = program_in(column.view, sentence)
    if program:
        head = f":small[{literal(before)}]\n  " if before else ""
        return head + indent(fenced(program), "  ").strip()
    return f":small[{literal(without_citations(sentence))}]"


def _badge(column: Column, aspect: str, *, said: bool) -> str:
    """Return the caveat above the sentences of a cell; "" if they cover the aspect."""
    if said:
        covered = not aspect or aspect in column.view.covered_at
        return "" if covered else ":orange-badge[does not cover it]"
    if column.running or column.view.answer is None:
        return f":gray-badge[{'running' if column.running else 'no answer'}]"
    return ":orange-badge[says nothing about it]"


def are_figures(rows: Sequence[tuple[str, Sequence[Sequence[str]]]]) -> bool:
    """Whether all answers consist of figures or equally short cells, so that one table line holds an aspect."""
    return len(rows) > 1 and all(_is_figure(sentences) for _, cells in rows for sentences in cells)


def _is_figure(sentences: Sequence[str]) -> bool:
    return not sentences or (len(sentences) == 1 and len(sentences[0]) <= _FIGURE)


def figures_table(columns: Sequence[Column], rows: Sequence[tuple[str, Sequence[Sequence[str]]]]) -> str:
    """Return the figures of all methods as a Markdown table, a row for each aspect."""
    lines = [["", *(f"**{column.label}**" for column in columns)], ["---"] * (len(columns) + 1)]
    for name, cells in rows:
        told = [_figure(column, name, sentences) for column, sentences in zip(columns, cells, strict=True)]
        lines.append([f"**{literal(name) or 'Also found'}**", *told])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _figure(column: Column, aspect: str, sentences: Sequence[str]) -> str:
    if not sentences and column.view.answer and not column.running:
        return "–"
    figure = _BEFORE_UNIT.sub("\N{NO-BREAK SPACE}", literal(without_citations("".join(sentences))))
    return f"{figure} {_badge(column, aspect, said=bool(sentences))}".strip()


def _differences(columns: Sequence[Column], base: Column) -> None:
    with st.grid(min(len(columns), 4), min_column_width=250, gap="medium") as grid:
        for column in columns:
            with grid.cell():
                st.markdown(f"**{column.label}**")
                if column is not base and column.view.answer:
                    show_difference(column, base)
                else:
                    _answer(column)


def _answer(column: Column) -> None:
    if column.view.answer is None or column.view.answer.abstained:
        st.caption(_no_answer(column))
    else:
        show_answer(column.view, key=f"compare_answer_{column.run_id}", sources=False)


def _no_answer(column: Column) -> str:
    """Return why a column has no answer."""
    if column.running:
        return "No answer yet."
    outcome = verdict(column.view, interrupted=column.failed, reason=column.reason)
    return literal(f"{outcome.title}. {outcome.why}")


def _overlap(columns: Sequence[Column]) -> None:
    result = overlap(columns)
    if not result.alone or any(column.running for column in columns):
        return
    st.markdown("**Evidence: who found what**")
    st.caption(overlap_words(result))
    for column, passages in result.alone:
        if passages:
            st.markdown(f"Found only by **{column.label}** ({len(passages)}): {literal(titles_of(passages))}")
    nothing_more = [column.label for column, passages in result.alone if not passages]
    if len(nothing_more) == len(result.alone):
        st.caption("No run found a passage that no other found.")
    elif nothing_more:
        st.caption(f"Found nothing that the others did not: {listed(nothing_more)}.")


def titles_of(passages: Sequence[RankedPassage]) -> str:
    """Return the titles of some passages' documents, each once, with its number of passages."""
    named = Counter(short(each.passage.title or each.passage.document_id, 60) for each in passages)
    return "; ".join(f"{title} ({count(many, 'passage')})" if many > 1 else title for title, many in named.items())
