package dev.hearth.api;

import java.io.Serializable;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The process that {@link Rdd#pipe(Command)} starts for each partition: its program and arguments, additional
 * environment variables, header lines, and charset of input and output. The process may run in an empty directory of
 * its own. Immutable.
 */
public record Command(
        List<String> words, Map<String, String> environment, List<String> header, String charset, boolean ownDirectory)
        implements Serializable {
    public Command {
        if (words.isEmpty() || words.get(0).isBlank()) {
            throw new HearthException("BAD_ARGUMENT", "pipe: no command (expected: a program, then its arguments)");
        }
        if (!Charset.isSupported(charset)) {
            throw new HearthException(
                    "BAD_ARGUMENT",
                    "pipe: charset '" + charset + "' (expected: a charset that" + " this Java supports)");
        }
        words = new ArrayList<>(words);
        environment = new LinkedHashMap<>(environment);
        header = new ArrayList<>(header);
    }

    /**
     * A command of a program and its arguments.
     * <pre>{@code Command sorting = Command.of(List.of("sort", "-n"));}</pre>
     */
    public static Command of(List<String> words) {
        return new Command(words, Map.of(), List.of(), "UTF-8", false);
    }

    /** Same as {@link #of(List)}. <pre>{@code Command sorting = Command.of("sort", "-n");}</pre> */
    public static Command of(String... words) {
        return of(List.of(words));
    }

    /**
     * Adds environment variables.
     * <pre>{@code Command plain = Command.of("sort").with(Map.of("LC_ALL", "C"));}</pre>
     */
    public Command with(Map<String, String> more) {
        Map<String, String> both = new LinkedHashMap<>(environment);
        both.putAll(more);
        return new Command(words, both, header, charset, ownDirectory);
    }

    /**
     * Sets the header: lines that each process reads before the lines of the elements.
     * <pre>{@code Command adding = Command.of("bc").withHeader(List.of("scale=3"));}</pre>
     */
    public Command withHeader(List<String> lines) {
        return new Command(words, environment, lines, charset, ownDirectory);
    }

    /**
     * Sets the charset of the process's input and output; the default is UTF-8.
     * <pre>{@code Command old = Command.of("recode").withCharset("ISO-8859-1");}</pre>
     */
    public Command withCharset(String name) {
        return new Command(words, environment, header, name, ownDirectory);
    }

    /**
     * Runs each process in an empty directory, which is deleted when the task ends.
     * <pre>{@code Command splitting = Command.of("csplit", "-", "/^$/").inOwnDirectory();}</pre>
     */
    public Command inOwnDirectory() {
        return new Command(words, environment, header, charset, true);
    }
}
