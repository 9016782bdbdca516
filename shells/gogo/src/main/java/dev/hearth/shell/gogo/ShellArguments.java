package dev.hearth.shell.gogo;

import dev.hearth.shell.gogo.answer.PageFormat;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * Parsed arguments of {@code bin/hearth shell} and {@code bin/hearth exec}. {@code width} is the width of the output in
 * characters. Immutable.
 */
record ShellArguments(Optional<RpcAddress> to, Duration timeout, int width, boolean help, List<String> lines) {
    static ShellArguments parse(String role, List<String> arguments, Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        Optional<RpcAddress> to = Optional.empty();
        Duration timeout = in.read(ShellSettings.TIMEOUT);
        in.finish();
        int width = PageFormat.WIDTH_DEFAULT;
        boolean help = false;
        List<String> lines = new ArrayList<>();
        for (Iterator<String> rest = arguments.iterator(); rest.hasNext(); ) {
            String argument = rest.next();
            switch (argument) {
                case "--to" -> to = Optional.of(address(next(role, argument, rest)));
                case "--timeout" -> timeout = timeout(next(role, argument, rest));
                case "--width" -> width = width(next(role, argument, rest));
                case "-h", "--help" -> help = true;
                default -> {
                    if (argument.startsWith("-")) {
                        throw ErrorCode.BAD_ARGUMENT.failure(role + ": '" + argument
                                + "' (expected: one of --to, --timeout, --width, --help); options of a command stand"
                                + " within its quotes");
                    }
                    lines.add(argument);
                }
            }
        }
        return new ShellArguments(to, timeout, width, help, List.copyOf(lines));
    }

    private static String next(String role, String option, Iterator<String> rest) {
        if (!rest.hasNext()) {
            throw ErrorCode.BAD_ARGUMENT.failure(role + ": nothing after " + option + " (expected: its value)");
        }
        return rest.next();
    }

    private static RpcAddress address(String text) {
        return RpcAddress.parse(text)
                .orElseThrow(() -> ErrorCode.BAD_ARGUMENT.failure(
                        "--to '" + text + "' (expected: HOST:PORT of a running kernel, for example 127.0.0.1:7077)"));
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
