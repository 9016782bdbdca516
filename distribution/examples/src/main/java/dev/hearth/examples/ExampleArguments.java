package dev.hearth.examples;

import dev.hearth.api.HearthContext;
import dev.hearth.api.HearthException;
import dev.hearth.api.Rdd;
import java.util.List;

/** What an example was started with, by place. Its usage names the arguments; those in brackets need not be given. */
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

    /** Of a usage such as {@code PageRank [file] [iterations]}. */
    static ExampleArguments of(String usage, String... words) {
        ExampleArguments arguments = new ExampleArguments(usage, List.of(words));
        long needed =
                arguments.names.stream().filter(name -> !name.startsWith("[")).count();
        if (words.length < needed || words.length > arguments.names.size()) {
            throw arguments.wrong("arguments: " + words.length + " given (expected: as the usage says)");
        }
        return arguments;
    }

    boolean has(int place) {
        return place < words.size();
    }

    String text(int place) {
        return words.get(place);
    }

    /** A whole number from {@code least} on; {@code otherwise} where none is given. */
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

    /** The lines of the file that was named, or those that are built in. */
    Rdd<String> lines(int place, HearthContext context, List<String> builtIn) {
        return has(place) ? context.textFile(text(place)) : context.parallelize(builtIn, 2);
    }

    private HearthException wrong(String problem) {
        return new HearthException("BAD_ARGUMENT", problem + "; usage: " + usage);
    }
}
