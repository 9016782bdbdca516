package dev.hearth.shell.gogo;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import java.io.EOFException;
import org.apache.felix.gogo.runtime.CommandNotFoundException;
import org.apache.felix.gogo.runtime.EOFError;
import org.apache.felix.gogo.runtime.Parser;
import org.apache.felix.gogo.runtime.SyntaxError;

/** Converts failures of a line of the Hearth shell to {@link HearthException}. Stateless. */
final class CommandFailure {
    private static final int LINE_SHOWN_MAX = 200; // characters

    private CommandFailure() {}

    static HearthException of(String given, Throwable failure) {
        String line = given.length() <= LINE_SHOWN_MAX ? given : given.substring(0, LINE_SHOWN_MAX) + "...";
        Throwable inner = Failures.unwrap(failure);
        if (inner instanceof HearthException known) {
            return known;
        }
        if (inner instanceof CommandNotFoundException unknown) {
            return ErrorCode.BAD_ARGUMENT.failure(
                    "command '" + unknown.getCommand() + "': unknown (expected: one that 'help' lists)", inner);
        }
        if (inner instanceof EOFException || inner instanceof SyntaxError) {
            return ErrorCode.BAD_ARGUMENT.failure(
                    "line '" + line + "': " + inner.getMessage() + " (expected: closed quotes and brackets)", inner);
        }
        if (inner instanceof StackOverflowError) {
            return ErrorCode.BAD_ARGUMENT.failure(
                    "line '" + line + "': nested too deep (expected: a few hundred levels of brackets at most)", inner);
        }
        if (inner instanceof InterruptedException) {
            return ErrorCode.COMMAND_FAILED.failure(
                    "line '" + line + "': interrupted (expected: no interrupt" + " before the commands have ended)",
                    inner);
        }
        if (inner instanceof IllegalArgumentException) {
            return ErrorCode.BAD_ARGUMENT.failure(
                    "line '" + line + "': " + inner.getMessage() + " (expected: the arguments that 'help' lists for"
                            + " the command)",
                    inner);
        }
        return ErrorCode.COMMAND_FAILED.failure(
                "line '" + line + "': " + inner + " (expected: commands that" + " succeed)", inner);
    }

    /** Returns the exit status of a command that ended with {@code failure}. */
    static int status(HearthException failure) {
        return Failures.code(failure).exit().status();
    }

    /** Whether a quote or bracket is still open, so that the command continues on the next line. */
    static boolean isUnfinished(String line) {
        try {
            new Parser(line).program();
            return false;
        } catch (EOFError open) {
            return true;
        } catch (SyntaxError | StackOverflowError wrong) {
            return false; // not unfinished but invalid; running the line reports the error
        }
    }
}
