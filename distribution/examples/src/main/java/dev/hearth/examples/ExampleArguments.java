package dev.hearth.examples;

import dev.hearth.api.HearthContext;
import dev.hearth.api.HearthException;
import dev.hearth.api.Rdd;
import java.util.List;

/**
 * The command-line arguments of an example, by position. The usage text names the arguments; those in brackets are
 * optional. Immutable.
 */
final class ExampleArguments {
    private final String usage;
    private final List<String> names;
    private final List<String> words;

    private ExampleArguments(String usage, List<String> words) {
        this.usage = usage;
        List<String> parts = List.of(usage.split(" "));
        this.names = parts.subList(1, parts.size());
        this.words = words;
    }

    /** Parses the arguments by a usage text such as {@code PageRank [file] [iterations]}. */
    static ExampleArguments of(String usage, String... words) {
        ExampleArguments arguments = new ExampleArguments(usage, List.of(words));
        long needed =
                arguments.names.stream().filter(name -> !name.startsWith("[")).count();
        if (words.length < needed || words.length > arguments.names.size()) {
            throw arguments.wrong("arguments: " + words.length + " (expected: as in the usage)");
        }
        return arguments;
    }

    boolean has(int place) {
        return place < words.size();
    }

    String text(int place) {
        return words.get(place);
    }

    /**
     * Returns an argument as a whole number, which must be at least {@code least}; {@code otherwise} if it is missing.
     */
    int number(int place, int least, int otherwise) {
        if (!has(place)) {
            return otherwise;
        }
        int number;
        try {
            number = Integer.parseInt(text(place));
        } catch (NumberFormatException none) {
            number = Integer.MIN_VALUE;
        }
        if (number < least) {
            String name = names.get(place).replaceAll("[\\[\\]]", "");
            throw wrong(name + ": '" + text(place) + "' (expected: a whole number, " + least + " or more)");
        }
        return number;
    }

    /** The lines of the file that an argument names, or the built-in lines if the argument is missing. */
    Rdd<String> lines(int place, HearthContext context, List<String> builtIn) {
        return has(place) ? context.textFile(text(place)) : context.parallelize(builtIn, 2);
    }

    private HearthException wrong(String problem) {
        return new HearthException("BAD_ARGUMENT", problem + "; usage: " + usage);
    }
}
