package dev.hearth.engine.internal.sort;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.api.Pair;
import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.engine.internal.column.Column;
import dev.hearth.engine.internal.compress.CompressionCodec;
import dev.hearth.engine.internal.compress.CompressionSettings;
import dev.hearth.engine.internal.disk.DiskSettings;
import dev.hearth.engine.internal.disk.LocalTemporaryFiles;
import dev.hearth.engine.internal.memory.ObjectSizeEstimator;
import dev.hearth.engine.internal.serializer.ApplicationRecordFormat;
import dev.hearth.engine.internal.serializer.RecordFormat;
import dev.hearth.engine.internal.serializer.RecordOutput;
import dev.hearth.engine.internal.serializer.ShortRecords;
import dev.hearth.engine.internal.shuffle.LazyRecordReader;
import dev.hearth.testkit.FakeTicker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Services of a sort with files below a directory, and random ways to feed it pairs. */
final class SortFixture implements AutoCloseable {
    final ApplicationRecordFormat records;
    final RefusingMemory memory;
    final LocalTemporaryFiles files;
    final SortServices services;
    private final Random random;
    private final Path directory;
    private boolean spillsOnDemand;
    private int checksLeft = Integer.MAX_VALUE; // checks until the task is killed

    SortFixture(Path directory, Random random, long memory, int refusedOf) {
        this(directory, random, memory, refusedOf, RecordOutput.BYTES_MAX);
    }

    SortFixture(Path directory, Random random, long memory, int refusedOf, int recordBytesMax) {
        this.records = ShortRecords.of(new UserObjectSerializer(SortFixture.class.getClassLoader()), recordBytesMax);
        this.random = random;
        this.directory = directory;
        this.memory = new RefusingMemory(random, memory, refusedOf);
        CompressionCodec[] all = CompressionCodec.values();
        CompressionCodec compression = all[random.nextInt(all.length)];
        this.files = LocalTemporaryFiles.of(
                new DiskSettings(List.of(directory), new CompressionSettings(compression, true, true)),
                new FakeTicker());
        this.services =
                new SortServices(this.memory, () -> records, () -> files, ObjectSizeEstimator::new, this::checkKilled);
    }

    private void checkKilled() {
        if (checksLeft-- <= 0) {
            throw new CancellationException("killed");
        }
    }

    /** Kills the task after that many checks. */
    void killAfter(int checks) {
        checksLeft = checks;
    }

    /** One of the files of runs. */
    Path someFile() throws IOException {
        return files().get(0);
    }

    /** The files of runs. */
    List<Path> files() throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> file.getFileName().toString().startsWith("segment-"))
                    .sorted()
                    .toList();
        }
    }

    /** Makes the sorter spill on demand while pairs are read. */
    SortFixture spillingOnDemand() {
        spillsOnDemand = true;
        return this;
    }

    List<Pair<?, ?>> sort(
            List<Pair<@Nullable Object, Object>> pairs,
            Optional<Comparator<Object>> order,
            boolean descending,
            String subject) {
        try (ExternalSorter sorter = new ExternalSorter(services, new SortOrder(order, descending), subject)) {
            feed(pairs, sorter);
            Iterator<Object> sorted = sorter.sorted();
            List<Pair<?, ?>> all = new ArrayList<>();
            int spillAt = spillsOnDemand || random.nextInt(3) == 0 ? random.nextInt(1 + pairs.size()) : -1;
            while (sorted.hasNext()) {
                if (all.size() == spillAt) {
                    sorter.spill(1 + random.nextInt(100_000));
                }
                all.add((Pair<?, ?>) sorted.next());
            }
            return all;
        }
    }

    /** Feeds pairs in pieces: one by one, as columns, or serialised. */
    void feed(List<Pair<@Nullable Object, Object>> pairs, ExternalSorter sorter) {
        int at = 0;
        int ways = random.nextInt(5); // one way for all pieces, or a random one for each
        while (at < pairs.size()) {
            int until = Math.min(pairs.size(), at + 1 + random.nextInt(2_000));
            List<Pair<@Nullable Object, Object>> some = pairs.subList(at, until);
            switch (ways == 4 ? random.nextInt(4) : ways) {
                case 0 -> some.forEach(pair -> sorter.pair(pair.key(), pair.value()));
                case 1 -> sorter.columns(column(some, true), column(some, false));
                case 2 -> encode(some, sorter, true);
                default -> encode(some, sorter, false);
            }
            at = until;
        }
    }

    static Column column(List<Pair<@Nullable Object, Object>> pairs, boolean keys) {
        @Nullable
        Object[] values =
                pairs.stream().map(pair -> keys ? pair.key() : pair.value()).toArray();
        if (Arrays.stream(values).allMatch(Long.class::isInstance)) {
            return new Column.Longs(
                    Arrays.stream(values).mapToLong(value -> (Long) value).toArray(), values.length);
        }
        if (Arrays.stream(values).allMatch(Integer.class::isInstance)) {
            return new Column.Ints(
                    Arrays.stream(values).mapToInt(value -> (Integer) value).toArray(), values.length);
        }
        if (Arrays.stream(values).allMatch(Double.class::isInstance)) {
            return new Column.Doubles(
                    Arrays.stream(values).mapToDouble(value -> (Double) value).toArray(), values.length);
        }
        return new Column.Objects(values, values.length);
    }

    private void encode(List<Pair<@Nullable Object, Object>> pairs, ExternalSorter sorter, boolean lasting) {
        RecordFormat.Writer writer = records.writer();
        RecordOutput out = new RecordOutput(16);
        int before = random.nextInt(20);
        out.write(new byte[before], 0, before);
        for (Pair<@Nullable Object, Object> pair : pairs) {
            writer.write(pair.key(), out);
            writer.write(pair.value(), out);
        }
        RecordFormat.Reader reader =
                random.nextInt(4) == 0 ? records.reader(records.names()) : LazyRecordReader.unwrapped(sorter.reader());
        sorter.encoded(out.array(), before, out.position(), lasting, reader);
        if (!lasting) {
            Arrays.fill(out.array(), (byte) 0xEE);
        }
    }

    void assertNothingLeft(String description) {
        assertEquals(0, memory.close(), description + ": bytes of memory");
        assertEquals(0, files.bytes(), description + ": bytes on disk");
    }

    @Override
    public void close() {
        files.close();
    }
}
