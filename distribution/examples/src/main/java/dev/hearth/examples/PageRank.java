package dev.hearth.examples;

import dev.hearth.api.HearthContext;
import dev.hearth.api.Pair;
import dev.hearth.api.PairRdd;
import java.util.Iterator;
import java.util.List;

/**
 * Ranks pages by the links to them. An input line holds two pages, of which the first links to the second. Prints pages
 * and ranks, the highest rank first.
 */
public final class PageRank {
    private static final List<String> LINKS =
            List.of("home about", "home news", "about home", "news home", "news about", "imprint home");
    private static final double DAMPING = 0.85;

    private PageRank() {}

    public static void main(String[] words) {
        ExampleArguments arguments = ExampleArguments.of("PageRank [file] [iterations]", words);
        int iterations = arguments.number(1, 1, 10);
        try (HearthContext context = HearthContext.builder().name("PageRank").open()) {
            PairRdd<String, List<String>> links = arguments
                    .lines(0, context, LINKS)
                    .mapToPair(PageRank::link)
                    .distinct()
                    .groupByKey()
                    .cache();
            ranks(links, iterations)
                    .sortBy(Pair::value, false, 1)
                    .collect()
                    .forEach(rank -> System.out.println(rank.key() + "\t" + rank.value()));
        }
    }

    private static Pair<String, String> link(String line) {
        String[] pages = line.trim().split("\\s+", -1);
        return Pair.of(pages[0], pages[1]);
    }

    /**
     * Computes the ranks of the pages that have incoming links. In each iteration a page divides its rank among the
     * pages that it links to.
     */
    public static <P> PairRdd<P, Double> ranks(PairRdd<P, List<P>> links, int iterations) {
        PairRdd<P, Double> ranks = links.mapValues(linked -> 1.0);
        for (int i = 0; i < iterations; i++) {
            ranks = links.join(ranks)
                    .values()
                    .flatMapToPair(page -> shares(page.key(), page.value()))
                    .reduceByKey(Double::sum)
                    .mapValues(sum -> 1 - DAMPING + DAMPING * sum);
        }
        return ranks;
    }

    private static <P> Iterator<Pair<P, Double>> shares(List<P> linked, double rank) {
        Double share = rank / linked.size();
        return linked.stream().map(page -> Pair.of(page, share)).iterator();
    }
}
