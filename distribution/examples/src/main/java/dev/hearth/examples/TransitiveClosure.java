package dev.hearth.examples;

import dev.hearth.api.HearthContext;
import dev.hearth.api.Pair;
import dev.hearth.api.PairRdd;
import java.util.List;

/**
 * Finds the nodes of a graph that can be reached from each node. An input line holds an edge: its source and its
 * target. Prints all pairs of a node and a node reachable from it.
 */
public final class TransitiveClosure {
    private static final List<String> EDGES = List.of("a b", "b c", "c d", "d b", "e a");

    private TransitiveClosure() {}

    public static void main(String[] words) {
        ExampleArguments arguments = ExampleArguments.of("TransitiveClosure [file]", words);
        try (HearthContext context =
                HearthContext.builder().name("TransitiveClosure").open()) {
            PairRdd<String, String> edges = arguments
                    .lines(0, context, EDGES)
                    .mapToPair(TransitiveClosure::edge)
                    .distinct()
                    .cache();
            int partitions = edges.partitions();
            PairRdd<String, String> paths =
                    edges.mapToPair(TransitiveClosure::reversed).cache(); // the key is the target of the edge
            PairRdd<String, String> longer = paths;
            while (!longer.isEmpty()) {
                longer = longer.join(edges)
                        .mapToPair(step ->
                                Pair.of(step.value().value(), step.value().key()))
                        .distinct()
                        .subtract(paths, partitions)
                        .cache();
                paths = paths.union(longer).coalesce(partitions).cache();
            }
            paths.mapToPair(TransitiveClosure::reversed)
                    .map(path -> path.key() + "\t" + path.value())
                    .sortBy(line -> line)
                    .collect()
                    .forEach(System.out::println);
        }
    }

    private static Pair<String, String> edge(String line) {
        String[] nodes = line.trim().split("\\s+", -1);
        return Pair.of(nodes[0], nodes[1]);
    }

    private static Pair<String, String> reversed(Pair<String, String> edge) {
        return Pair.of(edge.value(), edge.key());
    }
}
