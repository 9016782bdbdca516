package dev.hearth.itests.bench;

import dev.hearth.api.HearthContext;
import dev.hearth.api.Pair;
import dev.hearth.api.PairRdd;
import dev.hearth.examples.PageRank;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Ten rounds of the page rank of the examples, and the same by hand in the same process: with the collections and boxes that one
 * would write it with on one thread, and with arrays of primitives. They take turns; links are made before the time begins.
 */
public final class RankBench {
    private static final int ROUNDS = 10;
    private static final double DAMPING = 0.85;
    private static final double DIFFERENCE_MAX = 1e-9;

    private final int pages;
    private final int edges;
    private final int repetitions;
    private final Map<String, double[]> seconds = new LinkedHashMap<>();

    private RankBench(BenchArguments arguments) {
        this.pages = Integer.parseInt(arguments.text("pages", "100000"));
        this.edges = Integer.parseInt(arguments.text("n", "1000000"));
        this.repetitions = arguments.repetitions();
    }

    /** Arguments: {@code client}, then {@code key=value}: pages, n (edges), parts, warm (repetitions before), reps, master. */
    public static void main(String[] words) {
        BenchArguments arguments = BenchArguments.of(words);
        int partitions = Integer.parseInt(arguments.text("parts", "2"));
        int warm = Integer.parseInt(arguments.text("warm", "10"));
        String master = arguments.text("master", "local[2]");
        RankBench bench = new RankBench(arguments);
        try (HearthContext context =
                HearthContext.builder().name("ranks").master(master).open()) {
            int[][] targets = bench.targets();
            Map<Integer, List<Integer>> boxed = bench.boxed(targets);
            PairRdd<Integer, List<Integer>> links = context.parallelizePairs(bench.pairs(targets), partitions)
                    .groupByKey(partitions)
                    .cache();
            links.count();
            for (int repetition = -warm; repetition < bench.repetitions; repetition++) {
                Map<Integer, Double> ours = bench.time("hearth", repetition, () -> collected(links));
                Map<Integer, Double> byHand = bench.time("by hand", repetition, () -> byHand(boxed));
                double[] primitive = bench.time("primitive", repetition, () -> primitive(targets));
                bench.compare(ours, byHand, primitive);
            }
            bench.report(partitions, master);
        }
    }

    private static Map<Integer, Double> collected(PairRdd<Integer, List<Integer>> links) {
        return PageRank.ranks(links, ROUNDS).collectAsMap();
    }

    /** By page, the pages it links to: each has one link at least, and half of all lead to a hundredth of the pages. */
    private int[][] targets() {
        int[][] targets = new int[pages][0];
        for (int edge = 0; edge < edges; edge++) {
            long random = GeneratedData.random(11, edge);
            int from = edge < pages ? edge : (int) Math.floorMod(random, (long) pages);
            long drawn = GeneratedData.random(12, edge);
            int among = (drawn & 1) == 0 ? pages : Math.max(1, pages / 100);
            int[] known = targets[from];
            targets[from] = Arrays.copyOf(known, known.length + 1);
            targets[from][known.length] = (int) Math.floorMod(drawn >> 1, (long) among);
        }
        return targets;
    }

    private List<Pair<Integer, Integer>> pairs(int[][] targets) {
        List<Pair<Integer, Integer>> pairs = new ArrayList<>(edges);
        for (int from = 0; from < pages; from++) {
            for (int to : targets[from]) {
                pairs.add(Pair.of(from, to));
            }
        }
        return pairs;
    }

    private Map<Integer, List<Integer>> boxed(int[][] targets) {
        Map<Integer, List<Integer>> boxed = new HashMap<>();
        pairs(targets)
                .forEach(pair -> boxed.computeIfAbsent(pair.key(), missing -> new ArrayList<>())
                        .add(pair.value()));
        return boxed;
    }

    private static Map<Integer, Double> byHand(Map<Integer, List<Integer>> links) {
        Map<Integer, Double> ranks = new HashMap<>();
        links.keySet().forEach(page -> ranks.put(page, 1.0));
        Map<Integer, Double> current = ranks;
        for (int round = 0; round < ROUNDS; round++) {
            Map<Integer, Double> sums = new HashMap<>();
            for (Map.Entry<Integer, List<Integer>> page : links.entrySet()) {
                Double rank = current.get(page.getKey());
                if (rank != null) {
                    Double share = rank / page.getValue().size();
                    page.getValue().forEach(to -> sums.merge(to, share, Double::sum));
                }
            }
            sums.replaceAll((page, sum) -> 1 - DAMPING + DAMPING * sum);
            current = sums;
        }
        return current;
    }

    /** Negative if a page has no rank, because no page links to it. */
    private static double[] primitive(int[]... targets) {
        double[] ranks = new double[targets.length];
        Arrays.fill(ranks, 1);
        for (int round = 0; round < ROUNDS; round++) {
            double[] sums = new double[targets.length];
            Arrays.fill(sums, Double.NEGATIVE_INFINITY);
            for (int page = 0; page < targets.length; page++) {
                double share = ranks[page] / targets[page].length;
                if (share >= 0) {
                    for (int to : targets[page]) {
                        sums[to] = Math.max(0, sums[to]) + share;
                    }
                }
            }
            for (int page = 0; page < targets.length; page++) {
                sums[page] = 1 - DAMPING + DAMPING * sums[page];
            }
            ranks = sums;
        }
        return ranks;
    }

    private <T> T time(String variant, int repetition, Supplier<T> work) {
        long startedNanos = System.nanoTime();
        T result = work.get();
        if (repetition >= 0) {
            seconds.computeIfAbsent(variant, missing -> new double[repetitions])[repetition] =
                    (System.nanoTime() - startedNanos) / 1e9;
        }
        return result;
    }

    private void compare(Map<Integer, Double> ours, Map<Integer, Double> byHand, double... primitive) {
        if (!ours.keySet().equals(byHand.keySet())) {
            throw new IllegalStateException("pages: " + ours.size() + " (expected: those by hand, " + byHand.size());
        }
        ours.forEach((page, rank) -> {
            double expected = byHand.get(page);
            if (Math.abs(rank - expected) > DIFFERENCE_MAX * expected
                    || Math.abs(primitive[page] - expected) > DIFFERENCE_MAX * expected) {
                throw new IllegalStateException("rank of " + page + ": " + rank + " (expected: " + expected + ")");
            }
        });
    }

    private void report(int partitions, String master) {
        double limit = median("by hand");
        seconds.forEach((variant, each) -> System.out.println(String.format(
                Locale.ROOT,
                "pagerank;n=%d;pages=%d;rounds=%d;parts=%d|%s %s,%.4f s,least %.4f,%.2f times by hand",
                edges,
                pages,
                ROUNDS,
                partitions,
                master,
                variant,
                median(variant),
                Arrays.stream(each).min().orElseThrow(),
                median(variant) / limit)));
    }

    private double median(String variant) {
        double[] sorted = seconds.get(variant).clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
