package dev.hearth.itests.endtoend.app;

import dev.hearth.api.Broadcast;
import dev.hearth.api.Command;
import dev.hearth.api.HashPartitioner;
import dev.hearth.api.HearthContext;
import dev.hearth.api.HearthFiles;
import dev.hearth.api.Pair;
import dev.hearth.api.PairRdd;
import dev.hearth.api.Placed;
import dev.hearth.api.Rdd;
import dev.hearth.api.Statistics;
import dev.hearth.api.StorageLevel;
import dev.hearth.api.accumulator.Accumulator;
import dev.hearth.api.task.BarrierTaskContext;
import dev.hearth.api.task.TaskContext;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Runs the operations that the property tests leave out: a program's own classes, files, shared variables and task
 * contexts. Prints one line for each operation, the same for every master. {@code args[0]} is an empty directory,
 * {@code args[1]} the seed.
 */
public final class AllOperations {
    private static final int NUMBERS = 3_000;
    private static final int PARTITIONS = 5;
    private static final Duration LONG = Duration.ofMinutes(2);

    private final HearthContext context;
    private final Path directory;
    private final Rdd<Integer> numbers;

    private AllOperations(HearthContext context, Path directory, long seed) {
        this.context = context;
        this.directory = directory;
        Random random = new Random(seed);
        this.numbers = context.parallelize(
                Stream.generate(() -> random.nextInt(1_000)).limit(NUMBERS).toList(), PARTITIONS);
    }

    /** Kinds of visits. */
    public enum Kind {
        SHORT,
        LONG
    }

    /** A record of the program. */
    @SuppressWarnings("ArrayRecordComponent") // the array is never changed
    public record Visit(Kind kind, String who, int[] pages) implements Serializable {
        private static final long serialVersionUID = 1L;
    }

    /** Visits of one kind and length. */
    public record Group(Kind kind, int pages) implements Serializable {
        private static final long serialVersionUID = 1L;
    }

    /** A mutable class of the program. */
    public static class Tally implements Serializable {
        private static final long serialVersionUID = 1L;

        private long sum;
        private final List<String> seen = new ArrayList<>();

        public Tally add(Visit visit) {
            sum += visit.pages().length;
            seen.add(visit.who());
            return this;
        }

        public Tally join(Tally other) {
            sum += other.sum;
            seen.addAll(other.seen);
            return this;
        }

        @Override
        public String toString() {
            return sum + " of " + seen.stream().sorted().toList().hashCode();
        }
    }

    public static void main(String[] args) throws Exception {
        Path directory = Path.of(args[0]);
        try (HearthContext context =
                HearthContext.builder().name("all operations").open()) {
            context.checkpointDirectory(directory.resolve("checkpoints").toString());
            AllOperations all = new AllOperations(context, directory, Long.parseLong(args[1]));
            all.ownClasses();
            all.keysOfConstants();
            all.keptOnes();
            all.files();
            all.attachments();
            all.sharedValues();
            all.tasks();
            all.asynchronous();
            all.others();
            ContextOperations.run(context, directory);
        }
    }

    private static void say(String operation, Object result) {
        System.out.println(operation + ": " + result);
    }

    private static void sayAll(String operation, Collection<?> results) {
        say(
                operation,
                results.size() + " "
                        + results.stream()
                                .map(String::valueOf)
                                .sorted()
                                .toList()
                                .hashCode());
    }

    private Rdd<Visit> visits() {
        return numbers.map(
                number -> new Visit(number % 3 == 0 ? Kind.LONG : Kind.SHORT, "u" + number % 50, new int[number % 7]));
    }

    /** Classes that executors load in different orders. */
    private void ownClasses() {
        PairRdd<Kind, Visit> byKind = visits().keyBy(Visit::kind);
        say(
                "aggregateByKey",
                new TreeMap<>(byKind.aggregateByKey(new Tally(), 3, Tally::add, Tally::join)
                        .collectAsMap()));
        say(
                "combineByKey",
                new TreeMap<>(visits().keyBy(Visit::who)
                        .combineByKey(visit -> new Tally().add(visit), Tally::add, Tally::join, 4)
                        .collectAsMap()));
        sayAll("groupByKey", byKind.groupByKey(2).mapValues(List::size).collect());
        PairRdd<String, Visit> byWho = visits().keyBy(Visit::who);
        PairRdd<String, Kind> kinds = visits().filter(visit -> visit.pages().length == 6)
                .mapToPair(visit -> Pair.of(visit.who(), visit.kind()))
                .distinct(3);
        sayAll(
                "join",
                byWho.join(kinds, 4)
                        .map(pair -> pair.key()
                                + pair.value().key().kind()
                                + pair.value().key().pages().length
                                + pair.value().value())
                        .collect());
        sayAll(
                "cogroup",
                byWho.cogroup(kinds, 3)
                        .mapValues(both -> both.key().size() + " " + new TreeSet<>(both.value()))
                        .collect());
        say(
                "sortBy",
                visits().sortBy(visit -> visit.who() + visit.pages().length, false, 4)
                        .map(visit -> visit.who() + visit.pages().length)
                        .collect()
                        .hashCode());
        say("treeAggregate", visits().treeAggregate(new Tally(), Tally::add, Tally::join, 3));
        say("countByValue of enums", new TreeMap<>(visits().map(Visit::kind).countByValue()));
        sayAll("repartition", visits().repartition(7).map(Visit::who).collect());
        say(
                "sampleByKeyExact",
                new TreeMap<>(byKind.sampleByKeyExact(false, Map.of(Kind.LONG, 0.25, Kind.SHORT, 0.5), 5)
                        .countByKey()));
    }

    /** Keys that are enum constants, whose identity hash codes differ between processes. */
    private void keysOfConstants() {
        for (int readers = 1; readers <= PARTITIONS; readers++) {
            sayAll(
                    "keys of enums",
                    visits().groupBy(Visit::kind, readers).mapValues(List::size).collect());
            sayAll(
                    "keys of records",
                    visits().groupBy(visit -> new Group(visit.kind(), visit.pages().length), readers)
                            .mapValues(List::size)
                            .collect());
            sayAll(
                    "keys of lists",
                    visits().map(visit -> List.of(visit.kind(), visit.who()))
                            .distinct(readers)
                            .collect());
        }
        say("countApproxDistinct of enums", visits().map(Visit::kind).countApproxDistinct(0.01));
    }

    private void keptOnes() {
        for (StorageLevel level : StorageLevel.values()) {
            if (level == StorageLevel.NONE) {
                continue;
            }
            Rdd<Visit> kept = visits().persist(level);
            say(
                    "persist " + level,
                    kept.count() + " " + kept.map(Visit::who).distinct(3).count() + " "
                            + kept.map(visit -> visit.pages().length).reduce(Integer::sum));
            kept.unpersist(true);
        }
        Rdd<Visit> saved = visits();
        saved.checkpoint();
        say("checkpoint", saved.count() + " " + saved.isCheckpointed());
        Path place = directory
                .resolve("checkpoints")
                .resolve(context.applicationId())
                .resolve("rdd-" + saved.id());
        say(
                "checkpointFile",
                context.<Visit>checkpointFile(place.toString())
                        .map(Visit::who)
                        .distinct()
                        .count());
        Rdd<Visit> local = visits();
        local.localCheckpoint();
        say(
                "localCheckpoint",
                local.count() + " " + local.map(Visit::kind).distinct().count());
    }

    private void files() throws IOException {
        for (String codec : List.of("", "gz", "zst", "lz4", "bz2", "deflate")) {
            String path = directory.resolve("text" + codec).toString();
            numbers.saveAsTextFile(path, codec);
            sayAll("textFile " + codec, context.textFile(path, 4).collect());
        }
        String objects = directory.resolve("objects").toString();
        visits().saveAsObjectFile(objects);
        sayAll(
                "objectFile",
                context.<Visit>objectFile(objects, 3)
                        .map(visit -> visit.kind() + visit.who() + visit.pages().length)
                        .collect());
        Path texts = Files.createDirectory(directory.resolve("texts"));
        for (int file = 0; file < PARTITIONS; file++) {
            Files.writeString(texts.resolve("t" + file), "line " + file + "\nend\n");
        }
        sayAll(
                "wholeTextFiles",
                context.wholeTextFiles(texts.toString(), 2).values().collect());
        sayAll(
                "binaryFiles",
                context.binaryFiles(texts.toString(), 2)
                        .mapValues(bytes -> bytes.length)
                        .values()
                        .collect());
        sayAll(
                "binaryRecords",
                context.binaryRecords(texts.toString(), 11)
                        .map(bytes -> bytes[5])
                        .collect());
    }

    private void attachments() throws IOException {
        Path words = Files.writeString(directory.resolve("words.txt"), "one two");
        context.addFile(words.toString());
        sayAll(
                "addFile",
                numbers.map(number -> Files.readString(HearthFiles.path("words.txt")))
                        .distinct()
                        .collect());
        say("listFiles", context.listFiles());
    }

    private void sharedValues() {
        Broadcast<Map<Integer, Kind>> small = context.broadcast(new HashMap<>(Map.of(0, Kind.LONG, 1, Kind.SHORT)));
        sayAll("broadcast", numbers.map(number -> small.value().get(number % 2)).collect());
        Broadcast<long[]> large = context.broadcast(new Random(3).longs(300_000).toArray());
        say(
                "large broadcast",
                numbers.map(number -> large.value()[number * 100]).reduce(Long::sum));
        large.destroy();
        Accumulator<Long, Long> sum = context.longAccumulator("sum");
        Accumulator<String, List<String>> some = context.collectingAccumulator("some");
        numbers.foreach(number -> {
            sum.add((long) number);
            if (number % 100 == 0) {
                some.add("n" + number);
            }
        });
        say("longAccumulator", sum.value());
        sayAll("collectingAccumulator", some.value());
        Accumulator<Double, Double> half = context.doubleAccumulator("half");
        numbers.foreachPartition(part -> part.forEachRemaining(number -> half.add(number / 2.0)));
        say("doubleAccumulator", half.value());
    }

    private void tasks() {
        context.localProperty("tenant", "north");
        sayAll(
                "localProperty",
                numbers.mapPartitionsWithIndex((index, part) -> List.of(index
                                        + TaskContext.current()
                                                .localProperty("tenant")
                                                .orElse("none")
                                        + TaskContext.current().partitions())
                                .iterator())
                        .collect());
        context.localProperty("tenant", null);
        say("runJob", context.runJob(numbers, (task, part) -> task.partition() + count(part), List.of(3, 1)));
        say(
                "barrier",
                context.parallelize(List.of(1, 2), 2)
                        .barrier()
                        .mapPartitions(part -> {
                            BarrierTaskContext task = BarrierTaskContext.current();
                            List<String> all = task.allGather("p" + task.partition());
                            task.barrier();
                            return List.of(all + " " + task.addresses().size()).iterator();
                        })
                        .collect());
        sayAll(
                "pipe",
                numbers.pipe(Command.of("sh", "-c", "echo $MARK; cat")
                                .with(Map.of("MARK", "m"))
                                .withHeader(List.of("head")))
                        .collect());
        say(
                "parallelizeAt",
                context.parallelizeAt(
                                List.of(new Placed<>("a", List.of("127.0.0.1")), new Placed<>("b", List.of("nowhere"))))
                        .collect());
    }

    private static int count(Iterator<?> part) {
        int count = 0;
        for (; part.hasNext(); part.next()) {
            count++;
        }
        return count;
    }

    private void asynchronous() throws Exception {
        say("countAsync", numbers.countAsync().get());
        sayAll("collectAsync", numbers.repartition(3).collectAsync().get());
        say("takeAsync", numbers.takeAsync(7).get());
        numbers.foreachAsync(number -> {}).get();
        say(
                "submitJob",
                context.submitJob(numbers, (task, part) -> count(part), List.of(0, 4))
                        .get());
        say("countApprox", numbers.countApprox(LONG).last());
        say(
                "countByKeyApprox",
                new TreeMap<>(numbers.keyBy(number -> number % 3)
                        .countByKeyApprox(LONG)
                        .last()));
        say(
                "meanApprox",
                numbers.mapToDouble(number -> number).meanApprox(LONG).last().isExact());
    }

    private void others() {
        Statistics stats = numbers.mapToDouble(number -> number).stats();
        say("stats", stats.count() + " " + stats.min() + " " + stats.max() + " " + Math.round(stats.mean() * 1e6));
        say("histogram", numbers.mapToDouble(number -> number).histogram(8));
        say(
                "lookup",
                numbers.keyBy(number -> number % 10)
                        .partitionBy(new HashPartitioner(4))
                        .lookup(3)
                        .size());
        say("top", numbers.top(5) + " " + numbers.takeOrdered(5, Comparator.reverseOrder()));
        say("takeSample", numbers.takeSample(false, 20, 9));
        say("sample", numbers.sample(true, 0.1, 4).collect().hashCode());
        List<Integer> sizes = new ArrayList<>();
        numbers.randomSplit(new double[] {1, 2}, 6).forEach(part -> sizes.add((int) part.count()));
        say("randomSplit", sizes);
        say("zipWithIndex", numbers.zipWithIndex().collect().hashCode());
        say(
                "cartesian",
                numbers.sample(false, 0.02, 2)
                        .cartesian(numbers.filter(number -> number < 50))
                        .count());
        say("countApproxDistinct", numbers.countApproxDistinct(0.02));
        Iterator<Integer> iterator = numbers.toLocalIterator(true);
        say("toLocalIterator", count(iterator));
        say("range", context.range(0, 100_000, 3, 6).reduce(Long::sum));
        say("glom of nothing", context.emptyRdd().glom().collect());
        say(
                "large result",
                numbers
                        .flatMap(number ->
                                List.of(new byte[1_000], new byte[500]).iterator())
                        .collect()
                        .stream()
                        .mapToInt(bytes -> bytes.length)
                        .sum());
    }
}
