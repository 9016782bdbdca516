package dev.hearth.examples;

import dev.hearth.api.HearthContext;
import dev.hearth.api.Rdd;
import java.io.IOException;

/**
 * Sorts the records of a directory by their keys and writes them to a new directory. Prints the number of records and
 * their checksum.
 */
public final class TeraSort {
    private TeraSort() {}

    public static void main(String[] words) throws IOException {
        ExampleArguments arguments = ExampleArguments.of("TeraSort from to [partitions]", words);
        try (HearthContext context = HearthContext.builder().name("TeraSort").open()) {
            Rdd<byte[]> records = TeraRecords.read(context, arguments.text(0));
            int partitions = arguments.number(2, 1, Math.max(records.partitions(), context.defaultParallelism()));
            Rdd<byte[]> sorted =
                    records.keyBy(TeraRecords::key).sortByKey(true, partitions).values();
            System.out.println(TeraRecords.write(sorted, arguments.text(1)));
        }
    }
}
