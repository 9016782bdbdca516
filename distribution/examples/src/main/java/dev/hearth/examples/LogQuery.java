package dev.hearth.examples;

import dev.hearth.api.HearthContext;
import dev.hearth.api.Pair;
import dev.hearth.api.accumulator.Accumulator;
import java.io.Serializable;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Queries an access log of a web server. For each pair of path and status it prints the number of requests and of
 * bytes.
 */
public final class LogQuery {
    private static final List<String> LOG = List.of(
            "10.0.0.1 - - [18/Nov/2026:10:00:00 +0000] \"GET /index.html HTTP/1.1\" 200 5120",
            "10.0.0.2 - - [18/Nov/2026:10:00:01 +0000] \"GET /index.html HTTP/1.1\" 304 -",
            "10.0.0.1 - - [18/Nov/2026:10:00:02 +0000] \"GET /logo.png HTTP/1.1\" 200 20480",
            "10.0.0.3 - ada [18/Nov/2026:10:00:03 +0000] \"POST /orders HTTP/1.1\" 500 311",
            "10.0.0.3 - ada [18/Nov/2026:10:00:04 +0000] \"POST /orders HTTP/1.1\" 500 311",
            "10.0.0.2 - - [18/Nov/2026:10:00:05 +0000] \"GET /index.html HTTP/1.1\" 200 5120");
    private static final Pattern LINE =
            Pattern.compile("\\S+ \\S+ \\S+ \\[[^]]*] \"\\S+ (\\S+)[^\"]*\" (\\d{3}) (\\d+|-).*");

    private LogQuery() {}

    public static void main(String[] words) {
        ExampleArguments arguments = ExampleArguments.of("LogQuery [file]", words);
        try (HearthContext context = HearthContext.builder().name("LogQuery").open()) {
            Accumulator<Long, Long> strange = context.longAccumulator("strange lines");
            arguments
                    .lines(0, context, LOG)
                    .flatMapToPair(line -> request(line, strange))
                    .reduceByKey(Traffic::plus)
                    .sortByKey(true, 1)
                    .collect()
                    .forEach(answer -> System.out.println(answer.key() + "\t" + answer.value()));
            System.err.println("lines that are no requests: " + strange.value());
        }
    }

    private static Iterator<Pair<String, Traffic>> request(String line, Accumulator<Long, Long> strange) {
        Matcher found = LINE.matcher(line);
        if (!found.matches()) {
            strange.add(1L);
            return Collections.emptyIterator();
        }
        String subject = found.group(1) + "\t" + found.group(2);
        return List.of(Pair.of(subject, Traffic.of(found.group(3)))).iterator();
    }

    /** The number of requests and of bytes in their responses. */
    private record Traffic(long requests, long bytes) implements Serializable {
        static Traffic of(String bytes) {
            return new Traffic(1, bytes.equals("-") ? 0 : Long.parseLong(bytes));
        }

        Traffic plus(Traffic other) {
            return new Traffic(requests + other.requests, bytes + other.bytes);
        }

        @Override
        public String toString() {
            return requests + "\t" + bytes;
        }
    }
}
