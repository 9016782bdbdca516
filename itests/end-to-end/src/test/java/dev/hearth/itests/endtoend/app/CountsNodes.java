package dev.hearth.itests.endtoend.app;

import dev.hearth.api.HearthContext;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reads the text file {@code args[1]} and prints how many of its partitions were read on each node of YARN. Before, {@code
 * args[2]} tasks visit the gate at port {@code args[0]} at once.
 */
public final class CountsNodes {
    private CountsNodes() {}

    public static void main(String[] args) throws IOException {
        int port = Integer.parseInt(args[0]);
        int first = Integer.parseInt(args[2]);
        try (HearthContext context =
                HearthContext.builder().name("counts nodes").open()) {
            if (first > 0) {
                context.parallelize(java.util.Collections.nCopies(first, 1), first)
                        .map(one -> {
                            GatedSum.pass(port, "task", one);
                            return one;
                        })
                        .count();
            }
            Map<String, Integer> counts = new TreeMap<>();
            context.textFile(args[1])
                    .mapPartitions(lines -> {
                        while (lines.hasNext()) {
                            lines.next();
                        }
                        return List.of(String.valueOf(System.getenv("NM_HOST"))).iterator();
                    })
                    .collect()
                    .forEach(host -> counts.merge(host, 1, Integer::sum));
            System.out.println("partitions by node: " + counts);
        }
    }
}
