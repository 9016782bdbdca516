package dev.hearth.submission.api;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Parsed command line of {@code submit}: flags, the application's jar, and the arguments of the application. The jar is
 * the first word that is neither a flag nor a flag's value. If a flag is repeated, the last value counts, except for
 * {@code --conf} and {@code --properties-file}. Used once, by one thread.
 */
final class CommandLine {
    private final Map<Flag, String> flags = new EnumMap<>(Flag.class);
    private final List<String> conf = new ArrayList<>();
    private final List<String> propertiesFiles = new ArrayList<>();
    private Optional<String> jar = Optional.empty();
    private List<String> arguments = List.of();

    private CommandLine() {}

    /** Parses {@code words}. Ignores all words after a flag that requests help or the version. */
    static CommandLine parse(List<String> words) {
        CommandLine line = new CommandLine();
        Iterator<String> rest = words.iterator();
        int read = 0;
        while (rest.hasNext() && line.jar.isEmpty() && !line.has(Flag.HELP) && !line.has(Flag.VERSION)) {
            String word = rest.next();
            read++;
            if (!word.startsWith("-")) {
                line.jar = Optional.of(word);
                line.arguments = List.copyOf(words.subList(read, words.size()));
            } else if (line.take(word, rest)) {
                read++;
            }
        }
        return line;
    }

    boolean has(Flag flag) {
        return flags.containsKey(flag);
    }

    /** Returns the value of a flag; empty if the command line does not contain the flag. */
    Optional<String> find(Flag flag) {
        return Optional.ofNullable(flags.get(flag));
    }

    Map<Flag, String> flags() {
        return flags;
    }

    /** Returns the values of {@code --conf}, in order. */
    List<String> conf() {
        return conf;
    }

    /** Returns the files named by {@code --properties-file}, in the order of the command line. */
    List<String> propertiesFiles() {
        return propertiesFiles;
    }

    Optional<String> jar() {
        return jar;
    }

    List<String> arguments() {
        return arguments;
    }

    /**
     * Parses the flag {@code word}. A value that does not follow an equals sign is taken from {@code rest}, the words
     * after the flag; the result is true in this case.
     */
    private boolean take(String word, Iterator<String> rest) {
        int equals = word.startsWith("--") ? word.indexOf('=') : -1;
        String name = equals < 0 ? word : word.substring(0, equals);
        Flag flag = Flag.find(name).orElseThrow(() -> unknown(name));
        if (!flag.takesValue()) {
            if (equals >= 0) {
                throw ErrorCode.BAD_ARGUMENT.failure(
                        name + ": '" + word.substring(equals + 1) + "' (expected: no value); leave the value out");
            }
            flags.put(flag, "");
            return false;
        }
        String value = equals < 0 ? next(name, rest) : word.substring(equals + 1);
        if (value.isBlank()) {
            throw ErrorCode.BAD_ARGUMENT.failure(name + ": no value (expected: " + name + " VALUE)");
        }
        switch (flag) {
            case CONF -> conf.add(value);
            case PROPERTIES_FILE -> propertiesFiles.add(value);
            default -> flags.put(flag, value);
        }
        return equals < 0;
    }

    private static String next(String name, Iterator<String> rest) {
        String value = rest.hasNext() ? rest.next() : "";
        if (value.startsWith("--")) {
            throw ErrorCode.BAD_ARGUMENT.failure(name + ": no value before " + value + " (expected: " + name
                    + " VALUE); write " + name + "=" + value + " when that is the value");
        }
        return value;
    }

    private static HearthException unknown(String name) {
        String near =
                Flag.nearest(name).map(flag -> "; did you mean " + flag + "?").orElse("");
        return ErrorCode.BAD_ARGUMENT.failure(name + ": unknown flag (expected: one that --help lists)" + near);
    }
}
