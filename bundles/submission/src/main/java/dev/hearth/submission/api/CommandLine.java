package dev.hearth.submission.api;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.submission.api.KnownFlags.KnownFlag;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Parsed command line of {@code submit}: flags, the application's jar, and the arguments of the application. The jar is
 * the first word that is neither a flag nor a flag's value. Which flags take a value is known from the installed rules.
 * lib/driver-options.bash reads command lines in the same way. Used once, by one thread.
 */
final class CommandLine {
    static final String MASTER = "--master";
    static final String DEPLOY_MODE = "--deploy-mode";
    static final String CLASS = "--class";
    static final String CONF = "--conf";
    static final String NO_WAIT = "--no-wait";
    static final String KILL = "--kill";
    static final String STATUS = "--status";
    static final String JSON = "--json";
    static final String VERBOSE = "--verbose";
    static final String VERSION = "--version";
    static final String HELP = "--help";
    static final String USAGE_ERROR = "--usage-error";
    static final String REQUEST_ID = "--request-id";
    static final String VIA = "--via";
    private static final Set<String> PROPERTIES_FILES = Set.of("--properties-file", "--extra-properties-file");
    private static final Set<String> END_READING = Set.of(HELP, VERSION, USAGE_ERROR);
    /** Flags that must have a value; others with an empty value count as not given. */
    private static final Set<String> NEVER_EMPTY = Set.of(MASTER, CLASS, CONF, KILL, STATUS, VIA);

    private final KnownFlags known;
    private final List<GivenFlag> flags = new ArrayList<>();
    private final List<String> conf = new ArrayList<>();
    private final List<String> propertiesFiles = new ArrayList<>();
    private final List<String> empty = new ArrayList<>();
    private Optional<String> jar = Optional.empty();
    private List<String> arguments = List.of();

    private CommandLine(KnownFlags known) {
        this.known = known;
    }

    /** Flag in its long form, with its value; the value of a switch is {@code true}. */
    record GivenFlag(String name, String value) {}

    /** Parses {@code words}. Ignores all words after a flag that requests help or the version. */
    static CommandLine parse(List<String> words, KnownFlags known) {
        CommandLine line = new CommandLine(known);
        Iterator<String> rest = words.iterator();
        int read = 0;
        while (rest.hasNext() && line.jar.isEmpty() && !line.endsReading()) {
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

    /** Whether a flag was found after which no other word counts. */
    private boolean endsReading() {
        return !flags.isEmpty()
                && END_READING.contains(flags.get(flags.size() - 1).name());
    }

    boolean has(String flag) {
        return find(flag).isPresent();
    }

    /** Returns the last value of a flag; empty if the command line does not contain the flag. */
    Optional<String> find(String flag) {
        for (int i = flags.size() - 1; i >= 0; i--) {
            if (flags.get(i).name().equals(flag)) {
                return Optional.of(flags.get(i).value());
            }
        }
        return Optional.empty();
    }

    /** Returns all flags except those for settings of any key and files of settings, in order. */
    List<GivenFlag> flags() {
        return flags;
    }

    /** Returns the values of {@code --conf}, in order. */
    List<String> conf() {
        return conf;
    }

    /** Returns the files of settings, in the order of the command line. */
    List<String> propertiesFiles() {
        return propertiesFiles;
    }

    /** Returns the flags that had an empty value and therefore count as not given, in order. */
    List<String> empty() {
        return empty;
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
        String written = equals < 0 ? word : word.substring(0, equals);
        KnownFlag flag = known.find(written).orElseThrow(() -> unknown(written));
        if (!flag.takesValue()) {
            if (equals >= 0) {
                throw ErrorCode.BAD_ARGUMENT.failure(
                        written + ": '" + word.substring(equals + 1) + "' (expected: no value); leave the value out");
            }
            flags.add(new GivenFlag(flag.name(), "true"));
            return false;
        }
        add(flag.name(), written, equals < 0 ? next(flag, written, rest) : word.substring(equals + 1));
        return equals < 0;
    }

    private void add(String name, String written, String value) {
        if (value.isBlank()) {
            if (NEVER_EMPTY.contains(name)) {
                throw noValue(written);
            }
            empty.add(written);
        } else if (name.equals(CONF)) {
            conf.add(value);
        } else if (PROPERTIES_FILES.contains(name)) {
            propertiesFiles.add(value);
        } else {
            flags.add(new GivenFlag(name, value));
        }
    }

    /** Takes the next word as a value, also if it begins with dashes, unless it is a flag itself. */
    private String next(KnownFlag flag, String written, Iterator<String> rest) {
        if (!rest.hasNext()) {
            throw noValue(written);
        }
        String value = rest.next();
        if (value.startsWith("--") && value.indexOf(' ') < 0 && known.isFlag(value)) {
            throw ErrorCode.BAD_ARGUMENT.failure(written + ": no value before " + value + " (expected: " + written + " "
                    + flag.value() + "); write " + written + "=" + value + " when that is the value");
        }
        return value;
    }

    private static HearthException noValue(String written) {
        return ErrorCode.BAD_ARGUMENT.failure(written + ": no value (expected: " + written + " VALUE)");
    }

    private HearthException unknown(String name) {
        String near =
                known.nearest(name).map(flag -> "; did you mean " + flag + "?").orElse("");
        return ErrorCode.BAD_ARGUMENT.failure(name + ": unknown flag (expected: one that --help lists)" + near);
    }
}
