package dev.hearth.shell.gogo;

import dev.hearth.api.HearthException;
import dev.hearth.shell.gogo.command.CommandCall;
import dev.hearth.shell.gogo.command.CommandCatalog;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.settings.SpellingSuggestion;
import java.io.EOFException;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.SortedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.felix.gogo.runtime.CommandNotFoundException;
import org.apache.felix.gogo.runtime.EOFError;
import org.apache.felix.gogo.runtime.Parser;
import org.apache.felix.gogo.runtime.SyntaxError;
import org.apache.felix.service.command.CommandSession;

/** Converts failures of a line of the Hearth shell to {@link HearthException}. Stateless. */
final class CommandFailure {
    private static final int LINE_SHOWN_MAX = 200; // characters

    /** Message of gogo for arguments that fit no method of a command. */
    private static final Pattern NO_METHOD =
            Pattern.compile("Cannot coerce (\\w+)\\(.*\\) to any of .*", Pattern.DOTALL);

    private CommandFailure() {}

    /** Converts the failure of the line {@code given} of {@code session}, whose commands the message may name. */
    static HearthException of(String given, Throwable failure, CommandSession session) {
        String line = given.length() <= LINE_SHOWN_MAX ? given : given.substring(0, LINE_SHOWN_MAX) + "...";
        Throwable inner = Failures.unwrap(failure);
        if (inner instanceof HearthException known) {
            return known;
        }
        if (inner instanceof CommandNotFoundException unknown) {
            return ErrorCode.BAD_ARGUMENT.failure(
                    "command '" + unknown.getCommand() + "': unknown (expected: one that 'help' lists)"
                            + suggestion(unknown.getCommand(), session),
                    inner);
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
            Matcher noMethod = NO_METHOD.matcher(String.valueOf(inner.getMessage()));
            Optional<String> usage = noMethod.matches() ? usage(noMethod.group(1), session) : Optional.empty();
            if (usage.isPresent()) {
                return ErrorCode.BAD_ARGUMENT.failure(
                        "command '" + noMethod.group(1) + "': arguments that do not fit (expected: " + usage.get()
                                + "); see 'help " + noMethod.group(1) + "'",
                        inner);
            }
            return ErrorCode.BAD_ARGUMENT.failure(
                    "line '" + line + "': " + inner.getMessage() + " (expected: the arguments that 'help' lists for"
                            + " the command)",
                    inner);
        }
        return ErrorCode.COMMAND_FAILED.failure(
                "line '" + line + "': " + inner + " (expected: commands that" + " succeed)", inner);
    }

    private static String suggestion(String command, CommandSession session) {
        NavigableSet<String> all = CommandCatalog.names(session);
        List<String> names =
                all.stream().map(name -> CommandCatalog.shortName(name, all)).toList();
        String name = command.startsWith(CommandCall.SCOPE + ":")
                ? command.substring(CommandCall.SCOPE.length() + 1)
                : command;
        return SpellingSuggestion.nearest(name, names)
                .map(near -> "; did you mean " + near + "?")
                .orElse("");
    }

    /** Returns the usage of the command with that function, on one line. */
    private static Optional<String> usage(String function, CommandSession session) {
        SortedMap<String, String> described = CommandCatalog.described(session);
        return CommandCatalog.find(function, described.keySet())
                .map(name ->
                        CommandCatalog.usage(described.getOrDefault(name, "")).replace("\n", ", or "));
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
