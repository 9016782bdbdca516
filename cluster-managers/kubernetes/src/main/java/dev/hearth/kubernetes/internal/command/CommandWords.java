package dev.hearth.kubernetes.internal.command;

import dev.hearth.spi.error.ErrorCode;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Arguments of a command: options with values, such as {@code --image=}, switches, and at most one other word. Immutable. */
final class CommandWords {
    private final String command;
    private final Map<String, String> values = new LinkedHashMap<>();
    private final Set<String> switches = new LinkedHashSet<>();
    private Optional<String> word = Optional.empty();

    /** Parses {@code arguments}; {@code known} are the options, of which those with values end with {@code =}. */
    CommandWords(String command, String[] arguments, boolean takesWord, Set<String> known) {
        this.command = command;
        Iterator<String> left = Arrays.asList(arguments).iterator();
        while (left.hasNext()) {
            String argument = left.next();
            int equals = argument.indexOf('=');
            String name = equals < 0 ? argument : argument.substring(0, equals);
            if (known.contains(name + "=")) {
                if (equals < 0 && !left.hasNext()) {
                    throw misused("option " + name + " without a value (expected: " + name + " VALUE)");
                }
                values.put(name, equals < 0 ? left.next() : argument.substring(equals + 1));
            } else if (known.contains(argument)) {
                switches.add(argument);
            } else if (argument.startsWith("-") || !takesWord || word.isPresent()) {
                throw misused("unexpected argument '" + argument + "' (expected: one of "
                        + String.join(
                                ", ",
                                known.stream()
                                        .map(option -> option.replace("=", " VALUE"))
                                        .sorted()
                                        .toList())
                        + ")");
            } else {
                word = Optional.of(argument);
            }
        }
    }

    Optional<String> value(String name) {
        return Optional.ofNullable(values.get(name));
    }

    boolean has(String name) {
        return switches.contains(name);
    }

    Optional<String> word() {
        return word;
    }

    RuntimeException misused(String found) {
        return ErrorCode.BAD_ARGUMENT.failure(command + ": " + found + "; see 'help " + command + "'");
    }
}
