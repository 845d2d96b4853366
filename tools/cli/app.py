"""The command: registers the verbs and is the only place that turns errors into exit codes."""

from __future__ import annotations

import io
import os
import sys
import traceback

import typer
from typer.exceptions import TyperException

from tools.cli import diff, explain, fmt, generate, history, log, output, rules, show, validate
from tools.errors import EXIT_CLEAN, EXIT_INTERNAL, EXIT_INTERRUPTED, EXIT_USAGE, ToolsError

app = typer.Typer(
    name="tools",
    help="Keep, check and read an audited ledger of LLM-inference benchmarks.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    epilog="Exit codes: 0 clean, 1 findings, 2 usage or environment, 3 a fault of this program, 130 interrupted.",
)
for verb in (
    validate.validate,
    fmt.fmt,
    history.history,
    show.show,
    rules.rules,
    explain.explain,
    generate.generate,
    diff.diff,
    log.log,
):
    app.command()(verb)


def main() -> None:
    """Run the command and leave with its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Carry out a command line and give its exit code."""
    try:
        code = app(arguments, prog_name="tools", standalone_mode=False)
        sys.stdout.flush()
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
    except BrokenPipeError:
        # The reader went away (`| head`): nothing is wrong, and stdout must not be flushed again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_CLEAN
    except Exception:
        output.say(traceback.format_exc())
        output.say_error("this is a fault of the program, not of your data", "please report the lines above")
        return EXIT_INTERNAL
    if code == EXIT_INTERRUPTED:
        output.say("interrupted")
    return code if isinstance(code, int) else EXIT_CLEAN
