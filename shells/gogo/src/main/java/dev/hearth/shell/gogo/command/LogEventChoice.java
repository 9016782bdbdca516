package dev.hearth.shell.gogo.command;

import dev.hearth.shell.gogo.answer.FieldList;
import dev.hearth.shell.gogo.answer.OutputValue;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.PrintableText;
import dev.hearth.spi.kernel.Logs.LogEvent;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

/** Choice of events of the log, and the form in which they are shown. Immutable. */
record LogEventChoice(OptionalInt count, boolean follows, String logger, int level, boolean isJson) {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSXXX");
    private static final String BAD_BEGIN = "\u001b[31m";
    private static final String BAD_END = "\u001b[0m";

    static LogEventChoice parse(String command, String[] arguments, boolean mayFollow) {
        OptionalInt count = OptionalInt.empty();
        boolean follows = false;
        boolean json = false;
        String logger = "";
        int level = 0;
        for (Iterator<String> rest = List.of(arguments).iterator(); rest.hasNext(); ) {
            String argument = rest.next();
            if (argument.equals("-n")) {
                count = OptionalInt.of(number(command, next(command, argument, rest)));
            } else if (argument.equals("--level")) {
                level = level(command, next(command, argument, rest));
            } else if (argument.equals("-f") && mayFollow) {
                follows = true;
            } else if (argument.equals("--json")) {
                json = true;
            } else if (argument.startsWith("-") || !logger.isEmpty()) {
                throw misused(
                        command,
                        "'" + argument + "' (expected: -n NUMBER, " + (mayFollow ? "-f, " : "")
                                + "--level LEVEL, --json, or one logger)");
            } else {
                logger = argument.equals("ROOT") ? "" : argument;
            }
        }
        return new LogEventChoice(count, follows, logger, level, json);
    }

    private static String next(String command, String option, Iterator<String> rest) {
        if (!rest.hasNext()) {
            throw misused(command, "nothing after " + option + " (expected: its value)");
        }
        return rest.next();
    }

    private static int number(String command, String text) {
        if (!text.matches("\\d{1,9}")) {
            throw misused(command, "-n '" + text + "' (expected: a number of events)");
        }
        return Integer.parseInt(text);
    }

    private static int level(String command, String text) {
        int level = KernelCommands.LEVELS.indexOf(text.toUpperCase(Locale.ROOT));
        if (level < 0) {
            throw misused(command, "level '" + text + "' (expected: one of " + KernelCommands.LEVELS + ")");
        }
        return level;
    }

    private static RuntimeException misused(String command, String found) {
        return ErrorCode.BAD_ARGUMENT.failure(command + ": " + found + "; see 'help " + command + "'");
    }

    boolean matches(LogEvent event) {
        return KernelCommands.LEVELS.indexOf(event.level()) >= level
                && (logger.isEmpty()
                        || event.logger().equals(logger)
                        || event.logger().startsWith(logger + "."));
    }

    /** Returns the event as one JSON object, or as text in the form of the log. */
    String format(LogEvent event, boolean colours) {
        String time = TIME.format(event.time().atZone(ZoneId.systemDefault()));
        if (isJson) {
            return FieldList.begin()
                            .fact("time", OutputValue.of(time))
                            .fact("level", OutputValue.of(event.level()))
                            .fact("thread", OutputValue.of(event.thread()))
                            .fact("logger", OutputValue.of(event.logger()))
                            .fact("text", OutputValue.of(event.text()))
                            .build()
                            .json()
                    + "\n";
        }
        String name = event.logger().substring(event.logger().lastIndexOf('.') + 1);
        String line = String.format("%s %-5s [%s] %s: ", time, event.level(), event.thread(), name);
        String text = PrintableText.lines(line + event.text()).stripTrailing();
        boolean isBad =
                colours && (event.level().equals("ERROR") || event.level().equals("WARN"));
        return (isBad ? BAD_BEGIN + text + BAD_END : text) + "\n";
    }
}
