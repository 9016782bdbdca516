package dev.hearth.examples;

import dev.hearth.api.HearthContext;
import dev.hearth.api.HearthException;
import java.io.Serializable;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;

/**
 * Checks that a directory holds the given number of records of TeraGenerate, each once and in key order. Prints the
 * number of records and their checksum.
 */
public final class TeraValidate {
    private TeraValidate() {}

    public static void main(String[] words) {
        ExampleArguments arguments = ExampleArguments.of("TeraValidate directory records", words);
        int records = arguments.number(1, 1, 1);
        try (HearthContext context =
                HearthContext.builder().name("TeraValidate").open()) {
            TeraSum expected = context.range(0, records)
                    .map(row -> TeraSum.of(TeraRecords.record(row)))
                    .reduce(TeraSum::plus);
            Stretch found = TeraRecords.read(context, arguments.text(0))
                    .mapPartitions(TeraValidate::stretch)
                    .collect() // in the order of the partitions, which are consecutive key ranges
                    .stream()
                    .reduce(Stretch::then)
                    .orElse(new Stretch("", "", true, TeraSum.NONE));
            System.out.println(found.sum);
            if (!found.ordered || !found.sum.equals(expected)) {
                String order = found.ordered ? "in order" : "not in order";
                throw new HearthException(
                        "APPLICATION_FAILED",
                        "records: " + order + ", " + found.sum + " (expected: in order, " + expected + ")");
            }
        }
    }

    private static Iterator<Stretch> stretch(Iterator<byte[]> records) {
        if (!records.hasNext()) {
            return Collections.emptyIterator();
        }
        byte[] record = records.next();
        String first = TeraRecords.key(record);
        String last = first;
        boolean ordered = true;
        TeraSum sum = TeraSum.of(record);
        while (records.hasNext()) {
            record = records.next();
            String key = TeraRecords.key(record);
            ordered &= last.compareTo(key) <= 0;
            last = key;
            sum = sum.plus(TeraSum.of(record));
        }
        return List.of(new Stretch(first, last, ordered, sum)).iterator();
    }

    /** Summary of consecutive records: their first and last key, their checksum, and whether they are in order. */
    private record Stretch(String first, String last, boolean ordered, TeraSum sum) implements Serializable {
        Stretch then(Stretch next) {
            boolean stays = ordered && next.ordered && last.compareTo(next.first) <= 0;
            return new Stretch(first, next.last, stays, sum.plus(next.sum));
        }
    }
}
