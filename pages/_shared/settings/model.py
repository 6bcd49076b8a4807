"""The model part of the settings: the server and its state, which model for what, getting one that is not there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from adaq_core.errors import InputError
from adaq_core.llm.settings import DEFAULT_MODEL, read_settings
from pages._shared.common.text import coded, literal, short, visible
from pages._shared.common.words import count, size
from pages._shared.settings import pull as model_pull
from pages._shared.settings.choice import SECOND_LOOK, STAGES, Choice, chosen, keep, short_name
from pages._shared.settings.pull import ServerModels, watch

if TYPE_CHECKING:
    from adaq_core.llm.settings import ModelSettings

TICK_SECONDS = 0.8
_A_MOMENT = 0.15
_NAMES = {"ollama": "Ollama", "openai": "The model server"}


def show_model_part() -> None:
    """Draw everything about the model; it follows the server and a download without a reload."""
    try:
        settings = read_settings()
    except InputError as error:
        st.error(literal(str(error)), title="The model settings cannot be read", icon=":material/error:")
        return
    watch.seen(settings, wait=_A_MOMENT)
    _body(settings)


@st.fragment(run_every=TICK_SECONDS)
def _body(settings: ModelSettings) -> None:
    model_pull.take_over(settings)
    seen, choice = watch.seen(settings), chosen()
    _server(settings, seen, choice)
    _pickers(choice, seen)
    if choice.model:
        _stages(choice)
        if settings.provider == "openai":
            st.caption(f"Questions and passages are sent to {literal(settings.openai_base_url)}.")
    else:
        st.caption("Without a model every step follows rules, and the answer consists of quoted sentences.")
    if settings.provider == "ollama":
        _getting(settings, seen, choice)


def _server(settings: ModelSettings, seen: ServerModels | None, choice: Choice) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        if seen is None:
            address = settings.openai_base_url if settings.provider == "openai" else settings.ollama_host
            where = f" at {literal(address)}" if address else ""
            st.caption(f":shimmer[Asking {_NAMES[settings.provider]}{where} for its models]")
            return
        if seen.problem in ("", "empty", "unlisted"):
            what = (
                seen.help
                if seen.problem
                else f"{_NAMES[seen.provider]} at {seen.address}: " + count(len(seen.models), "model")
            )
            st.caption(f":material/dns: {literal(what)}", width="stretch")
        else:
            title = {"down": "The model server does not answer", "refused": "The key was refused"}
            # Nothing is wrong for who wants no model, as at first.
            say = st.warning if choice.model or seen.problem != "down" else st.info
            with st.container(width="stretch"):
                say(
                    coded(short(seen.help, 400)),
                    title=title.get(seen.problem, "The model server cannot be used"),
                    icon=":material/cloud_off:",
                )
        st.button(
            "Look again",
            icon=":material/refresh:",
            type="tertiary",
            key="server_again",
            on_click=watch.forget,
            args=(settings,),
        )


def _pickers(choice: Choice, seen: ServerModels | None) -> None:
    there = [model.name for model in seen.models] if seen else []
    free = seen is not None and seen.provider == "openai"
    names = list(dict.fromkeys(_spelled(name, seen) for name in (choice.model, choice.writer, *there) if name))
    with st.container(horizontal=True):
        _picker("settings_model", "Language model", "model", _spelled(choice.model, seen), names, seen, free=free)
        if choice.model:
            writer = _spelled(choice.writer, seen)
            _picker("settings_writer", "Writes the answer", "writer", writer, names, seen, free=free)


def _spelled(name: str, seen: ServerModels | None) -> str:
    """Return the model's name as the server spells it."""
    model = seen.model(name) if seen and name else None
    return model.name if model else name


def _picker(
    key: str, label: str, name: str, value: str, names: list[str], seen: ServerModels | None, *, free: bool
) -> None:
    none = "No model: rules only" if name == "model" else "The same model"

    def shown(option: str) -> str:
        return _label(option, seen) if option else none

    key = _key(key, value, shown(value))
    options = ["", *names]
    st.selectbox(
        label,
        options,
        index=options.index(value),
        key=key,
        format_func=shown,
        on_change=_choose,
        args=(key, name, tuple(names)),
        accept_new_options=free,
    )


def _key(name: str, value: str | frozenset[str], label: str = "") -> str:
    """Return the key of the widget `name`; a new one when the widget shows another value than is stored.

    To set the widget's value instead would take back a choice that is made while this is drawn, which it is all the
    time; and set only once, it is lost when the next drawing comes before the browser has seen it.
    """
    number, before, drawn = st.session_state.get(f"{name}_drawn", (0, value, label))
    shows = st.session_state.get(f"{name}_{number}", value)
    other = shows != value if isinstance(value, str) else set(shows) != value
    number += other or (before == value and drawn != label)
    st.session_state[f"{name}_drawn"] = (number, value, label)
    return f"{name}_{number}"


def _choose(key: str, name: str, names: tuple[str, ...]) -> None:
    picked = str(st.session_state.get(key) or "").replace(",", " ").strip()[: model_pull.LONGEST_NAME]
    keep(**{name: picked if picked in names else by_label(picked, names)})
    if name == "model" and not picked:
        keep(writer="")


def by_label(picked: str, names: tuple[str, ...]) -> str:
    """Return the name behind a label that was on screen when the list was redrawn, else what was typed."""
    typed = picked.partition(" · ")[0]
    return next((name for name in names if visible(short_name(name)) == typed), picked)


def _label(name: str, seen: ServerModels | None) -> str:
    """Return `llama3.2 · 3.2B · 2.0 GB`, or that the model is not on the server."""
    model = seen.model(name) if seen else None
    if model is None:
        known = seen is not None and seen.problem in ("", "empty")
        return visible(short_name(name)) + (" · not on the server" if known else "")
    return " · ".join(visible(part) for part in (short_name(name), model.parameters, size(model.size)) if part)


def _stages(choice: Choice) -> None:
    on = [stage for stage in STAGES if stage not in choice.off]
    on += [SECOND_LOOK] if choice.second_look else []
    key = _key("settings_stages", frozenset(on))
    st.pills(
        "The model is used to",
        [*STAGES, SECOND_LOOK],
        selection_mode="multi",
        format_func=lambda stage: STAGES.get(stage, "check the answer"),
        default=on,
        key=key,
        on_change=_choose_stages,
        args=(key,),
        wrap=True,
        help="Steps that are not chosen follow rules. Checking the answer marks sentences that do not follow "
        "from what they cite; it takes one more call.",
    )
    if len(choice.off) == len(STAGES):
        st.caption(":orange[:material/warning:] The model has nothing to do; every step follows rules.")


def _choose_stages(key: str) -> None:
    on = st.session_state.get(key) or []
    keep(off=tuple(stage for stage in STAGES if stage not in on), second_look=SECOND_LOOK in on)


def _getting(settings: ModelSettings, seen: ServerModels | None, choice: Choice) -> None:
    job = model_pull.current()
    if job is not None:
        model_pull.show_job(job, settings)
        if job.going_on:
            return
    if seen is None or seen.problem not in ("", "empty"):
        return
    wanted = [name for name in (choice.model, choice.writer) if name and seen.model(name) is None]
    if wanted:
        st.caption(
            f":orange[:material/warning:] {literal(wanted[0])} is not on this server. Download it, or choose another."
        )
        model_pull.show_offer(settings, name=wanted[0], key="missing")
    elif seen.problem == "empty" and job is None:
        model_pull.show_offer(settings, name=DEFAULT_MODEL, key="first")
    elif seen.models:
        with st.expander("Download another model", icon=":material/download:"):
            model_pull.show_offer(settings, name="", key="another")
