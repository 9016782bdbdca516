package dev.hearth.shell.gogo;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Arguments of {@code bin/hearth shell} and {@code bin/hearth exec}. {@code words} is a command in several arguments,
 * options of the command included; {@code commands} are the values of {@code --command}. Immutable.
 */
record ShellArguments(
        Optional<ShellTarget> to,
        Optional<Duration> timeout,
        OptionalInt width,
        boolean help,
        boolean keepGoing,
        boolean banner,
        Optional<String> file,
        List<String> commands,
        List<String> words) {
    static ShellArguments parse(String role, List<String> arguments, Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        Optional<Duration> timeout = in.find(ShellSettings.TIMEOUT);
        boolean banner = in.read(ShellSettings.BANNER);
        in.finish();
        return new Parser(role, timeout, banner).parse(arguments.iterator());
    }

    /**
     * Returns the lines of the command language that the arguments contain, or none if they are in a file. Words are
     * joined into one line; a word with blanks stays one word.
     */
    List<String> lines() {
        if (words.isEmpty()) {
            return commands;
        }
        if (words.size() == 1) {
            return words;
        }
        return List.of(
                String.join(" ", words.stream().map(ShellArguments::quoted).toList()));
    }

    private static String quoted(String word) {
        if (!word.isEmpty() && word.chars().noneMatch(Character::isWhitespace)) {
            return word;
        }
        return '"' + word.replaceAll("[\\\\\"$]", "\\\\$0") + '"';
    }

    /** Reads the arguments from left to right. Used once. */
    private static final class Parser {
        private static final String EXPECTED_BY_BOTH = "--to, --master, --timeout, --width, --help";

        private final String role;
        private final boolean takesCommands;
        private final List<String> commands = new ArrayList<>();
        private final List<String> words = new ArrayList<>();
        private Optional<String> to = Optional.empty();
        private Optional<String> master = Optional.empty();
        private Optional<String> file = Optional.empty();
        private OptionalInt width = OptionalInt.empty();
        private Optional<Duration> timeout;
        private boolean help;
        private boolean keepGoing;
        private boolean banner;

        Parser(String role, Optional<Duration> timeout, boolean banner) {
            this.banner = banner;
            this.role = role;
            this.takesCommands = role.equals("exec");
            this.timeout = timeout;
        }

        ShellArguments parse(Iterator<String> rest) {
            while (rest.hasNext()) {
                String argument = rest.next();
                if (!argument.startsWith("-")) {
                    words.add(argument);
                    rest.forEachRemaining(words::add); // options after the command's name are the command's
                } else if (!isCommon(argument, rest)
                        && !(takesCommands ? isOfExec(argument, rest) : isOfShell(argument))) {
                    throw ErrorCode.BAD_ARGUMENT.failure(role + ": '" + argument + "' (expected: one of "
                            + EXPECTED_BY_BOTH
                            + (takesCommands
                                    ? ", --command, -f, --keep-going); options of a command follow its name"
                                    : ", --no-banner)"));
                }
            }
            checkSources();
            return new ShellArguments(
                    to.map(text -> ShellTarget.parse(text, master)),
                    timeout,
                    width,
                    help,
                    keepGoing,
                    banner,
                    file,
                    List.copyOf(commands),
                    List.copyOf(words));
        }

        private boolean isCommon(String argument, Iterator<String> rest) {
            switch (argument) {
                case "--to" -> to = Optional.of(next(argument, rest));
                case "--master" -> master = Optional.of(next(argument, rest));
                case "--timeout" -> timeout = Optional.of(timeout(next(argument, rest)));
                case "--width" -> width = OptionalInt.of(width(next(argument, rest)));
                case "-h", "--help" -> help = true;
                default -> {
                    return false;
                }
            }
            return true;
        }

        private boolean isOfShell(String argument) {
            if (!argument.equals("--no-banner")) {
                return false;
            }
            banner = false;
            return true;
        }

        private boolean isOfExec(String argument, Iterator<String> rest) {
            switch (argument) {
                case "-c", "--command" -> commands.add(next(argument, rest));
                case "-f", "--file" -> file = Optional.of(next(argument, rest));
                case "-k", "--keep-going" -> keepGoing = true;
                default -> {
                    return false;
                }
            }
            return true;
        }

        private void checkSources() {
            int sources = (words.isEmpty() ? 0 : 1) + (commands.isEmpty() ? 0 : 1) + (file.isPresent() ? 1 : 0);
            if (sources > 1) {
                throw ErrorCode.BAD_ARGUMENT.failure(
                        role + ": commands given in several ways (expected: one of" + " arguments, --command and -f)");
            }
            if (master.isPresent() && to.isEmpty()) {
                throw ErrorCode.BAD_ARGUMENT.failure(role + ": --master without --to (expected: --to with the id of an"
                        + " application or driver; options of a command follow its name)");
            }
            if (words.size() > 1 && words.get(0).chars().anyMatch(Character::isWhitespace)) {
                throw ErrorCode.BAD_ARGUMENT.failure(role + ": '" + words.get(0) + "' and further arguments (expected:"
                        + " one command, whose words the arguments are); give several with --command before each, or"
                        + " with ; between them in one argument");
            }
        }

        private String next(String option, Iterator<String> rest) {
            if (!rest.hasNext()) {
                throw ErrorCode.BAD_ARGUMENT.failure(role + ": nothing after " + option + " (expected: its value)");
            }
            return rest.next();
        }
    }

    private static Duration timeout(String text) {
        return ShellSettings.TIMEOUT
                .parse(text)
                .orElseThrow(() -> ErrorCode.BAD_ARGUMENT.failure(
                        "--timeout '" + text + "' (expected: " + ShellSettings.TIMEOUT.rule() + ")"));
    }

    private static int width(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw ErrorCode.BAD_ARGUMENT.failure("--width '" + text + "' (expected: a number of characters)", e);
        }
    }
}
