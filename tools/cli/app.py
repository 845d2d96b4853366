"""The command, and the only place that turns errors into exit codes."""

from __future__ import annotations

import errno
import sys

import typer
from typer.exceptions import TyperException

from tools.cli import output
from tools.cli.streams import Streams
from tools.cli.verbs import LazyGroup
from tools.errors import EXIT_CLEAN, EXIT_INTERNAL, EXIT_INTERRUPTED, EXIT_USAGE, ToolsError

app = typer.Typer(
    name="tools",
    cls=LazyGroup,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    epilog="Exit codes: 0 clean, 1 findings, 2 usage or environment, 3 a fault of this program, 130 interrupted.",
)


@app.callback()
def tools() -> None:
    """Keep, check and read an audited ledger of LLM-inference benchmarks."""


def main() -> None:
    """Run the command and leave with its exit code."""
    try:
        streams = Streams()
    except ToolsError as error:
        output.say_error(error.message, error.hint)
        sys.exit(error.exit_code)
    code = run(sys.argv[1:])
    fault = streams.fault()
    if fault is not None:
        output.say_error(f"cannot write the output: {fault.strerror}", "what was printed is not complete")
        code = code if code in (EXIT_INTERNAL, EXIT_INTERRUPTED) else EXIT_USAGE
    sys.exit(code)


def run(arguments: list[str]) -> int:
    """Carry out a command line and give its exit code."""
    try:
        code = app(arguments, prog_name="tools", standalone_mode=False)
    except ToolsError as error:
        output.say_error(error.message, error.hint)
        return error.exit_code
    except TyperException as error:
        output.say_error(
            error.format_message(), "`tools --help` and `tools VERB --help` say what can be called"
        )
        return EXIT_USAGE
    except (typer.Abort, KeyboardInterrupt):
        output.say("interrupted")
        return EXIT_INTERRUPTED
    except OSError as error:
        output.say_error(*_refused(error))
        return EXIT_USAGE
    except Exception:
        import traceback

        output.say(traceback.format_exc())
        output.say_error("this is a fault of the program, not of your data", "please report the lines above")
        return EXIT_INTERNAL
    if code == EXIT_INTERRUPTED:
        output.say("interrupted")
    return code if isinstance(code, int) else EXIT_CLEAN


def _refused(error: OSError) -> tuple[str, str]:
    """What the system refused, and what to do about it."""
    reason = error.strerror or str(error)
    if error.filename is not None:
        return (
            f"the system refused {error.filename}: {reason}",
            "check the file or folder and its permissions",
        )
    if error.errno == errno.ENOENT:
        # Nothing but asking for the current folder fails so without a name.
        return "the current folder is gone", "change to another one and call again"
    return f"the system refused to go on: {reason}", "check the disk and the limits of this machine"
