package dev.hearth.spi.role;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.settings.SpellingSuggestion;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Command line of a role, parsed by the options that a table declares: the options that were given, in order, and the
 * remaining arguments. {@code warnings} has a line for each option of Spark that has no effect. Immutable.
 */
public record RoleArguments(List<Given> options, List<String> operands, List<String> warnings) {
    private static final String END_OF_OPTIONS = "--";

    public RoleArguments {
        options = List.copyOf(options);
        operands = List.copyOf(operands);
        warnings = List.copyOf(warnings);
    }

    /** Option that was given, with its value; the value of a switch is empty. */
    public record Given(RoleOption option, String value) {}

    /**
     * Parses {@code --name value}, {@code --name=value} and {@code -n value}. After {@code --} there are no options.
     * Fails with {@code BAD_ARGUMENT} at an option that is not in {@code known}, and names the most similar one.
     */
    public static RoleArguments parse(String role, List<RoleOption> known, List<String> arguments) {
        List<Given> options = new ArrayList<>();
        List<String> operands = new ArrayList<>();
        List<String> warnings = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (argument.equals(END_OF_OPTIONS)) {
                operands.addAll(arguments.subList(i + 1, arguments.size()));
                break;
            }
            if (!argument.startsWith("-")) {
                operands.add(argument);
                continue;
            }
            int equals = argument.startsWith("--") ? argument.indexOf('=') : -1;
            String name = equals < 0 ? argument : argument.substring(0, equals);
            RoleOption option = find(role, known, name);
            String value = equals < 0 ? "" : argument.substring(equals + 1);
            if (option.takesValue() && equals < 0) {
                if (i + 1 == arguments.size()) {
                    throw ErrorCode.BAD_ARGUMENT.failure(role + ": option " + name + " has no value (expected: " + name
                            + " " + option.value() + ")");
                }
                value = arguments.get(++i);
            } else if (!option.takesValue() && equals >= 0) {
                throw ErrorCode.BAD_ARGUMENT.failure(
                        role + ": option '" + argument + "' (expected: " + name + ", which takes no value)");
            }
            if (option.kind() == RoleOption.Kind.IGNORED) {
                warnings.add(role + ": " + name + " " + value + ": ignored: " + option.meaning());
            } else {
                options.add(new Given(option, value));
            }
        }
        return new RoleArguments(options, operands, warnings);
    }

    /** Returns the last value of the option {@code name}; empty if it was not given. */
    public Optional<String> last(String name) {
        Optional<String> last = Optional.empty();
        for (Given given : options) {
            if (given.option().isNamed(name)) {
                last = Optional.of(given.value());
            }
        }
        return last;
    }

    private static RoleOption find(String role, List<RoleOption> known, String name) {
        return known.stream()
                .filter(option -> option.isNamed(name))
                .findFirst()
                .orElseThrow(() -> ErrorCode.BAD_ARGUMENT.failure(
                        role + ": unknown option '" + name + "' (expected: " + advice(role, known, name)));
    }

    private static String advice(String role, List<RoleOption> known, String name) {
        List<String> names = known.stream().map(RoleOption::name).toList();
        return SpellingSuggestion.nearest(name, names)
                .map(nearest -> "an option of this role); did you mean " + nearest + "?")
                .orElse("one of " + names + "); see bin/hearth " + role + " --help");
    }
}
