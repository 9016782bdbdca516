package dev.hearth.examples;

import dev.hearth.api.HearthContext;
import dev.hearth.api.Pair;
import java.util.List;
import java.util.regex.Pattern;

/** Counts the words of a text. Prints each word and its number of occurrences, in the order of the words. */
public final class WordCount {
    private static final List<String> TEXT = List.of("to be or not to be", "that is the question");
    private static final Pattern NO_LETTERS = Pattern.compile("\\P{L}+");

    private WordCount() {}

    public static void main(String[] words) {
        ExampleArguments arguments = ExampleArguments.of("WordCount [file]", words);
        try (HearthContext context = HearthContext.builder().name("WordCount").open()) {
            arguments
                    .lines(0, context, TEXT)
                    .flatMap(line -> NO_LETTERS.splitAsStream(line).iterator())
                    .filter(word -> !word.isEmpty())
                    .mapToPair(word -> Pair.of(word, 1))
                    .reduceByKey(Integer::sum)
                    .sortByKey()
                    .collect()
                    .forEach(count -> System.out.println(count.key() + "\t" + count.value()));
        }
    }
}
