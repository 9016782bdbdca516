package dev.hearth.examples;

import dev.hearth.api.HearthContext;
import java.io.IOException;

/** Generates the input records of TeraSort in a new directory. Prints the number of records and their checksum. */
public final class TeraGenerate {
    private TeraGenerate() {}

    public static void main(String[] words) throws IOException {
        ExampleArguments arguments = ExampleArguments.of("TeraGenerate directory records [partitions]", words);
        int records = arguments.number(1, 1, 1);
        try (HearthContext context =
                HearthContext.builder().name("TeraGenerate").open()) {
            int partitions = arguments.number(2, 1, context.defaultParallelism());
            System.out.println(TeraRecords.write(
                    context.range(0, records, 1, partitions).map(TeraRecords::record), arguments.text(0)));
        }
    }
}
