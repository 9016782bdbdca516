package user;

import dev.hearth.api.HearthContext;
import dev.hearth.api.HearthException;
import dev.hearth.api.Pair;
import dev.hearth.api.PairRdd;
import dev.hearth.api.Rdd;
import dev.hearth.api.StorageLevel;
import dev.hearth.api.event.ApplicationEvent;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Serializable;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * Operations by key over more data than fits in execution memory. The program checks each result. args[0] names the
 * operation; key=value among the other arguments is a setting.
 */
public final class ByKey {
    private static final int PARTS = 4;
    private static final int RECORDS = 45_000;
    private static final int KEYS = 5_000;
    private static final int HALFWAY = RECORDS / PARTS / 2;
    private static final int MERGED = 100;
    private static final String NOBODY = "0";

    private ByKey() {}

    public static void main(String[] args) throws Exception {
        List<String> words =
                Arrays.stream(args).filter(word -> !word.contains("=")).toList();
        switch (words.get(0)) {
            case "operations" -> operations(args);
            case "files" -> files(args, words.get(1));
            case "spills" -> spills(args, words.get(1));
            case "merges" -> merges(args, words.get(1));
            case "again" -> again(args, words.get(1));
            case "two" -> two(args);
            case "closed" -> closed(args, words.get(1));
            default -> throw new IllegalArgumentException(words.get(0));
        }
    }

    /** A context with a listener that counts ended tasks and the bytes they spilled. */
    private record Opened(HearthContext context, AtomicLong spilled, AtomicLong tasks) implements AutoCloseable {
        static Opened of(String[] args, String... own) {
            HearthContext.Builder builder = HearthContext.builder().name("by key");
            for (String[] settings : List.of(new String[] {"hearth.master=local[2]"}, args, own)) {
                for (String setting : settings) {
                    int at = setting.indexOf('=');
                    if (at > 0) {
                        builder.setting(setting.substring(0, at), setting.substring(at + 1));
                    }
                }
            }
            Opened opened = new Opened(builder.open(), new AtomicLong(), new AtomicLong());
            opened.context.addListener(event -> {
                if (event instanceof ApplicationEvent.TaskEnded ended) {
                    opened.tasks.incrementAndGet();
                    opened.spilled.addAndGet(ended.metrics().diskSpilledBytes());
                }
            });
            return opened;
        }

        Rdd<Integer> numbers(int count) {
            return context.parallelize(IntStream.range(0, PARTS).boxed().toList(), PARTS)
                    .flatMap(part -> IntStream.range(0, count / PARTS)
                            .map(index -> index * PARTS + part)
                            .iterator());
        }

        /** Closes the context, so that all events are delivered, and returns whether any task spilled. */
        String spilling() {
            context.close();
            return spilled.get() > 0 ? "spilled" : "held";
        }

        @Override
        public void close() {
            context.close();
        }
    }

    private static void expect(String what, Object expected, Object found) {
        if (!expected.equals(found)) {
            throw new IllegalStateException(what + ": " + found + " (expected: " + expected + ")");
        }
    }

    private static String text(int number) {
        return "text of some length for number " + number;
    }

    private static void operations(String[] args) throws Exception {
        try (Opened opened = Opened.of(args)) {
            reduces(opened);
            groups(opened);
            sorts(opened);
            joins(opened);
            cogroups(opened);
            keepsUserClasses(opened);
            System.out.println("right, " + opened.spilling());
        }
        System.out.println("codecs beside our classes " + isDefined("user.HearthRecordLookup$"));
    }

    /** Whether the class loader of this class knows that class, which no jar contains. */
    private static boolean isDefined(String name) {
        try {
            return Class.forName(name, false, ByKey.class.getClassLoader()) != null;
        } catch (ClassNotFoundException missing) {
            return false;
        }
    }

    private static void reduces(Opened opened) {
        Map<String, Long> sums = new TreeMap<>(opened.numbers(RECORDS)
                .mapToPair(number -> Pair.of("key " + number % KEYS, (long) number))
                .reduceByKey(Long::sum)
                .collectAsMap());
        expect("keys", KEYS, sums.size());
        int times = RECORDS / KEYS;
        for (int key = 0; key < KEYS; key++) {
            expect("sum of " + key, (long) times * key + (long) KEYS * times * (times - 1) / 2, sums.get("key " + key));
        }
    }

    private static void groups(Opened opened) {
        long found = opened.numbers(RECORDS)
                .mapToPair(number -> Pair.of(new Kinds.Parcel(Kinds.Size.LARGE, number % KEYS, "key"), text(number)))
                .groupByKey()
                .map(group -> {
                    List<String> texts = new ArrayList<>(group.value());
                    texts.sort(null);
                    List<String> expected = new ArrayList<>();
                    for (int n = (int) group.key().number(); n < RECORDS; n += KEYS) {
                        expected.add(text(n));
                    }
                    expected.sort(null);
                    expect("group of " + group.key(), expected, texts);
                    return texts.size();
                })
                .map(size -> (long) size)
                .reduce(Long::sum);
        expect("values in groups", (long) RECORDS, found);
    }

    private static void sorts(Opened opened) {
        List<Long> counts = opened.numbers(RECORDS)
                .mapToPair(number -> Pair.of(Integer.reverse(number), text(number)))
                .sortByKey(true, PARTS)
                .mapPartitions(ByKey::countSorted)
                .collect();
        expect(
                "sorted pairs",
                (long) RECORDS,
                counts.stream().mapToLong(Long::longValue).sum());
    }

    private static Iterator<Long> countSorted(Iterator<Pair<Integer, String>> pairs) {
        long found = 0;
        for (int last = Integer.MIN_VALUE; pairs.hasNext(); found++) {
            Pair<Integer, String> pair = pairs.next();
            if (pair.key() < last) {
                throw new IllegalStateException("key " + pair.key() + " after " + last);
            }
            last = pair.key();
            expect("value of " + last, text(Integer.reverse(last)), pair.value());
        }
        return List.of(found).iterator();
    }

    private static void joins(Opened opened) {
        PairRdd<Integer, String> left = opened.numbers(RECORDS).mapToPair(number -> Pair.of(number, text(number)));
        PairRdd<Integer, Kinds.Place> right = opened.numbers(RECORDS)
                .filter(number -> number % 3 == 0)
                .mapToPair(number -> Pair.of(number, new Kinds.Place(number)));
        long found = left.join(right)
                .filter(pair -> pair.value().key().equals(text(pair.key()))
                        && pair.value().value().equals(new Kinds.Place(pair.key())))
                .count();
        expect("joined pairs", (long) RECORDS / 3, found);
    }

    private static void cogroups(Opened opened) {
        PairRdd<Integer, Integer> all = opened.numbers(RECORDS).mapToPair(number -> Pair.of(number % KEYS, number));
        PairRdd<Integer, String> even = opened.numbers(RECORDS)
                .filter(number -> number % 2 == 0)
                .mapToPair(number -> Pair.of(number % KEYS, text(number)));
        long found = all.cogroup(even)
                .filter(pair -> pair.value().key().size() == RECORDS / KEYS
                        && pair.value().value().size() == (pair.key() % 2 == 0 ? RECORDS / KEYS : 0))
                .count();
        expect("cogroups", (long) KEYS, found);
    }

    private static void keepsUserClasses(Opened opened) {
        for (StorageLevel level : List.of(StorageLevel.MEMORY_ONLY, StorageLevel.MEMORY_AND_DISK_SER)) {
            PairRdd<Integer, Serializable> kinds = opened.numbers(RECORDS)
                    .mapToPair(number -> Pair.of(number % KEYS, Pair.of(number, Kinds.of(number))))
                    .groupByKey()
                    .flatMap(group -> group.value().iterator())
                    .mapToPair(pair -> pair)
                    .persist(level);
            for (int round = 0; round < 2; round++) {
                long right = kinds.filter(pair -> pair.value().equals(Kinds.of(pair.key())))
                        .count();
                expect("kinds kept " + level, (long) RECORDS, right);
            }
            kinds.unpersist(true);
        }
    }

    private static void files(String[] args, String directory) throws Exception {
        try (Opened opened = Opened.of(args)) {
            Rdd<String> lines = opened.numbers(RECORDS).map(number -> "the word" + number % KEYS + " of " + number % 7);
            for (String codec : List.of("", "gz", "zst", "lz4", "bz2", "deflate")) {
                String place = directory + "/words " + codec;
                lines.saveAsTextFile(place, codec);
                expectWords(codec, opened.context.textFile(place));
            }
            try {
                lines.saveAsTextFile(directory + "/words gz");
                throw new IllegalStateException("output written over");
            } catch (HearthException refused) {
                System.out.println(refused.code());
            }
            opened.context.checkpointDirectory(directory + "/checkpoints");
            Rdd<Serializable> kinds = opened.numbers(RECORDS).map(Kinds::of);
            kinds.checkpoint();
            for (int round = 0; round < 2; round++) {
                expect("kinds", (long) RECORDS, kinds.count());
                expect("checkpointed", true, kinds.isCheckpointed());
            }
            expect(
                    "parcels",
                    (long) RECORDS / 5,
                    kinds.filter(kind -> kind instanceof Kinds.Parcel).count());
            System.out.println("right");
        }
    }

    private static void expectWords(String codec, Rdd<String> lines) {
        Map<String, Long> counts = lines.flatMap(
                        line -> Arrays.asList(line.split(" ")).iterator())
                .mapToPair(word -> Pair.of(word, 1L))
                .reduceByKey(Long::sum)
                .collectAsMap();
        expect("words by " + codec, KEYS + 9, counts.size());
        expect("the by " + codec, (long) RECORDS, counts.get("the"));
        expect("word7 by " + codec, (long) RECORDS / KEYS, counts.get("word7"));
    }

    /** Groups incompressible values; every task has spilled and reports to the gate in the middle of its output. */
    private static PairRdd<Integer, List<String>> grouped(Opened opened, String port) {
        return opened.numbers(RECORDS)
                .mapToPair(number -> {
                    if (number / PARTS == HALFWAY && !port.equals(NOBODY)) {
                        pass(Integer.parseInt(port), "task", number % PARTS);
                    }
                    return Pair.of(number, longText(number));
                })
                .groupByKey(PARTS);
    }

    private static String longText(int number) {
        return text(number).repeat(8);
    }

    private static void expectGroups(PairRdd<Integer, List<String>> groups) {
        expect(
                "groups",
                (long) RECORDS,
                groups.filter(group -> group.value().equals(List.of(longText(group.key()))))
                        .count());
    }

    private static void spills(String[] args, String port) throws Exception {
        try (Opened opened = Opened.of(args)) {
            expectGroups(grouped(opened, port));
            String spilling = opened.spilling();
            System.out.println("right, " + spilling + (opened.tasks.get() > 2 * PARTS ? ", tasks ran again" : ""));
        }
    }

    /** Sorts; every task reports to the gate after it has read part of the merged runs. */
    private static void merges(String[] args, String port) throws Exception {
        try (Opened opened = Opened.of(args)) {
            long found = opened.numbers(RECORDS)
                    .mapToPair(number -> Pair.of(Integer.reverse(number), longText(number)))
                    .sortByKey(true, PARTS)
                    .mapPartitions(pairs -> {
                        long sorted = 0;
                        for (int last = Integer.MIN_VALUE; pairs.hasNext(); sorted++) {
                            Pair<Integer, String> pair = pairs.next();
                            expect("value", longText(Integer.reverse(pair.key())), pair.value());
                            if (pair.key() < last) {
                                throw new IllegalStateException("key " + pair.key() + " after " + last);
                            }
                            last = pair.key();
                            if (sorted == MERGED) {
                                pass(Integer.parseInt(port), "task", 0);
                            }
                        }
                        return List.of(sorted).iterator();
                    })
                    .reduce(Long::sum);
            expect("sorted pairs", (long) RECORDS, found);
            System.out.println("right, " + opened.spilling());
        }
    }

    /** Reads the map output again, after the gate. */
    private static void again(String[] args, String port) throws Exception {
        try (Opened opened = Opened.of(args)) {
            PairRdd<Integer, List<String>> groups = grouped(opened, NOBODY);
            expectGroups(groups);
            pass(Integer.parseInt(port), "driver", 0);
            expectGroups(groups);
            opened.close(); // delivers all events
            System.out.println("right, map tasks " + (opened.tasks.get() > 3 * PARTS ? "ran again" : "ran once"));
        }
    }

    private static void two(String[] args) throws Exception {
        try (Opened one = Opened.of(args, "hearth.memory.total=1m");
                Opened other = Opened.of(args, "hearth.memory.total=64m")) {
            CompletableFuture<Void> beside = CompletableFuture.runAsync(() -> expectGroups(grouped(one, NOBODY)));
            expectGroups(grouped(other, NOBODY));
            beside.get();
            System.out.println("small " + one.spilling() + ", large " + other.spilling());
        }
    }

    private static void closed(String[] args, String port) throws Exception {
        Opened opened = Opened.of(args);
        CompletableFuture<Void> job = CompletableFuture.runAsync(() -> expectGroups(grouped(opened, port)));
        pass(Integer.parseInt(port), "driver", 0); // reached while a task that has spilled waits
        opened.close();
        try {
            job.get();
            throw new IllegalStateException("job: ended (expected: cut by the end of its context)");
        } catch (ExecutionException cut) {
            System.out.println(cut.getCause() instanceof HearthException failure ? failure.code() : cut.toString());
        }
        pass(Integer.parseInt(port), "closed", 0);
        try (Opened next = Opened.of(args)) {
            expectGroups(grouped(next, NOBODY));
            System.out.println("right");
        }
    }

    /** Reports to the gate by name, and waits until it opens. */
    public static void pass(int port, String who, int number) throws IOException {
        try (Socket gate = new Socket(InetAddress.getLoopbackAddress(), port);
                PrintWriter out = new PrintWriter(gate.getOutputStream(), true, StandardCharsets.UTF_8)) {
            out.println(who + " " + ProcessHandle.current().pid() + " " + number);
            if (gate.getInputStream().read() < 0) {
                throw new IOException("gate: closed");
            }
        }
    }
}
