package dev.hearth.itests.endtoend;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** Reference results of the examples, computed by plain loops over plain collections. Pure functions. */
final class ExampleModels {
    private ExampleModels() {}

    static SortedMap<String, Integer> wordCount(List<String> lines) {
        SortedMap<String, Integer> counts = new TreeMap<>();
        StringBuilder word = new StringBuilder();
        for (char character : (String.join("\n", lines) + "\n").toCharArray()) {
            if (Character.isLetter(character)) {
                word.append(character);
            } else if (!word.isEmpty()) {
                counts.merge(word.toString(), 1, Integer::sum);
                word.setLength(0);
            }
        }
        return counts;
    }

    static Map<String, Set<String>> links(List<String> lines) {
        Map<String, Set<String>> links = new TreeMap<>();
        for (String line : lines) {
            String[] pages = line.split(" ", -1);
            links.computeIfAbsent(pages[0], page -> new TreeSet<>()).add(pages[1]);
        }
        return links;
    }

    static Map<String, Double> ranks(List<String> lines, int rounds) {
        Map<String, Set<String>> links = links(lines);
        Map<String, Double> ranks = new HashMap<>();
        links.keySet().forEach(page -> ranks.put(page, 1.0));
        for (int round = 0; round < rounds; round++) {
            Map<String, Double> sums = new HashMap<>();
            links.forEach((page, targets) -> {
                if (ranks.containsKey(page)) {
                    targets.forEach(target -> sums.merge(target, ranks.get(page) / targets.size(), Double::sum));
                }
            });
            ranks.clear();
            sums.forEach((page, sum) -> ranks.put(page, 0.15 + 0.85 * sum));
        }
        return ranks;
    }

    /** Transitive closure, by a walk from each node. */
    static SortedMap<String, Set<String>> reached(List<String> lines) {
        Map<String, Set<String>> links = links(lines);
        SortedMap<String, Set<String>> reached = new TreeMap<>();
        for (String start : links.keySet()) {
            Set<String> seen = new TreeSet<>();
            ArrayDeque<String> waiting = new ArrayDeque<>(links.get(start));
            while (!waiting.isEmpty()) {
                String node = waiting.pop();
                if (seen.add(node)) {
                    waiting.addAll(links.getOrDefault(node, Set.of()));
                }
            }
            reached.put(start, seen);
        }
        return reached;
    }

    /** K-means from the first points, until each centre is the mean of its nearest points. */
    static List<double[]> centres(List<double[]> points, int count) {
        List<double[]> centres = new ArrayList<>(points.subList(0, count));
        Set<List<Integer>> seen = new HashSet<>();
        while (true) {
            List<Integer> chosen = new ArrayList<>();
            for (double[] point : points) {
                int best = 0;
                for (int centre = 1; centre < count; centre++) {
                    if (square(point, centres.get(centre)) < square(point, centres.get(best))) {
                        best = centre;
                    }
                }
                chosen.add(best);
            }
            if (!seen.add(chosen)) {
                return centres;
            }
            for (int centre = 0; centre < count; centre++) {
                double[] sum = new double[3];
                for (int i = 0; i < points.size(); i++) {
                    if (chosen.get(i) == centre) {
                        sum[0] += points.get(i)[0];
                        sum[1] += points.get(i)[1];
                        sum[2]++;
                    }
                }
                centres.set(centre, new double[] {sum[0] / sum[2], sum[1] / sum[2]});
            }
        }
    }

    private static double square(double[] one, double... other) {
        return (one[0] - other[0]) * (one[0] - other[0]) + (one[1] - other[1]) * (one[1] - other[1]);
    }

    /**
     * Logistic regression by gradient ascent: each step is half the mean gradient. A row is a label, 1 or -1, and
     * numbers.
     */
    static double[] weights(List<double[]> rows, int rounds) {
        double[] weights = new double[rows.get(0).length - 1];
        for (int round = 0; round < rounds; round++) {
            double[] slope = new double[weights.length];
            for (double[] row : rows) {
                double product = 0;
                for (int i = 0; i < weights.length; i++) {
                    product += row[i + 1] * weights[i];
                }
                // likelihood of the row's label under the current weights
                double right = 1 / (1 + Math.exp(-row[0] * product));
                for (int i = 0; i < weights.length; i++) {
                    slope[i] += row[0] * (1 - right) * row[i + 1];
                }
            }
            for (int i = 0; i < weights.length; i++) {
                weights[i] += 0.5 * slope[i] / rows.size();
            }
        }
        return weights;
    }

    /** Primes, by the sieve. */
    static int primes(int limit) {
        boolean[] divided = new boolean[limit];
        int primes = 0;
        for (int number = 2; number < limit; number++) {
            if (!divided[number]) {
                primes++;
                for (long by = (long) number * number; by < limit; by += number) {
                    divided[(int) by] = true;
                }
            }
        }
        return primes;
    }

    /** The 100-byte records of all files, in order. */
    static List<byte[]> records(List<byte[]> files) {
        List<byte[]> records = new ArrayList<>();
        for (byte[] file : files) {
            for (int from = 0; from < file.length; from += 100) {
                records.add(Arrays.copyOfRange(file, from, from + 100));
            }
        }
        return records;
    }
}
