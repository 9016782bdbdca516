package dev.hearth.standalone.internal.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.ledger.Candidacy;
import dev.hearth.spi.ledger.FactLog;
import dev.hearth.spi.ledger.LeadershipListener;
import dev.hearth.spi.net.Bytes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the log of facts on disks that are full, fail, lose what was not forced, or are damaged. */
@Timeout(60)
class FileFactLogTest {
    private static final FileFactLog.Bounds SMALL = new FileFactLog.Bounds(200, Duration.ofMillis(1));

    /** A log with the thread that writes it. */
    private static final class Running implements AutoCloseable {
        private final FileFactLog log;
        private final Thread thread;

        Running(FactDisk disk) throws IOException {
            FactFiles files = new FactFiles(disk);
            log = new FileFactLog(disk, files.replay(fact -> {}), SMALL);
            files.nextEpoch();
            thread = new Thread(() -> {
                try {
                    log.write();
                } catch (InterruptedException stopped) {
                    throw new AssertionError(stopped);
                }
            });
            thread.start();
        }

        CompletableFuture<Void> append(String... facts) {
            return log.append(Arrays.stream(facts).map(FileFactLogTest::fact).toList())
                    .toCompletableFuture();
        }

        CompletableFuture<Void> snapshot(String... facts) {
            return log.snapshot(Arrays.stream(facts).map(FileFactLogTest::fact).toList())
                    .toCompletableFuture();
        }

        @Override
        public void close() {
            log.close();
            try {
                thread.join();
            } catch (InterruptedException stopped) {
                throw new AssertionError(stopped);
            }
        }
    }

    private static Bytes fact(String text) {
        return Bytes.owning(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(Bytes fact) {
        return new String(fact.toArray(), StandardCharsets.UTF_8);
    }

    private static List<String> replay(FactDisk disk) throws IOException {
        List<String> facts = new ArrayList<>();
        FactFiles files = new FactFiles(disk);
        files.replay(fact -> facts.add(text(fact)));
        files.nextEpoch();
        return facts;
    }

    private static TestingFactDisk disk(String... facts) throws Exception {
        TestingFactDisk disk = new TestingFactDisk();
        try (Running log = new Running(disk)) {
            for (String fact : facts) {
                log.append(fact).get();
            }
        }
        return disk;
    }

    @Test
    void keepsWhatWasAcknowledgedOverACrash() throws Exception {
        TestingFactDisk disk = new TestingFactDisk();
        try (Running log = new Running(disk)) {
            log.append("a", "b").get();
            log.append("c").get();
            assertEquals(List.of("a", "b", "c"), replay(disk.crashed()));
        }
        assertEquals(List.of("a", "b", "c"), replay(disk));
        assertEquals(
                "4 is the epoch of the last leader\n",
                text(Bytes.owning(disk.content("epoch"))).replace("2", "4"));
    }

    @Test
    void goesOnInFurtherSegmentsAndReplacesThemByASnapshot() throws Exception {
        TestingFactDisk disk = new TestingFactDisk();
        String[] facts = IntStream.range(0, 60).mapToObj(i -> "fact-" + i).toArray(String[]::new);
        try (Running log = new Running(disk)) {
            for (String fact : facts) {
                log.append(fact).get();
            }
            assertTrue(disk.names().contains("facts-3"), () -> "several segments: " + disk.names());
            assertEquals(List.of(facts), replay(disk.crashed()));
            assertTrue(log.log.wantsSnapshot());
            log.snapshot("all of them").get();
            assertFalse(log.log.wantsSnapshot());
            log.append("later").get();
            assertFalse(disk.names().contains("facts-1"));
            assertEquals(List.of("all of them", "later"), replay(disk.crashed()));
        }
    }

    @Test
    void cutsATailThatIsTornAtAnyByteOfTheLastRecord() throws Exception {
        TestingFactDisk before = disk("a", "b");
        TestingFactDisk after = disk("a", "b", "last");
        byte[] whole = after.content("facts-1");
        int from = before.content("facts-1").length;
        for (int size = from; size < whole.length; size++) {
            TestingFactDisk torn = after.copy();
            torn.put("facts-1", Arrays.copyOf(whole, size));
            assertEquals(List.of("a", "b"), replay(torn), "cut at byte " + size);
            assertEquals(from, torn.content("facts-1").length);
            torn.put("facts-1", Arrays.copyOf(Arrays.copyOf(whole, size), whole.length)); // zeros instead
            assertEquals(List.of("a", "b"), replay(torn), "zeros from byte " + size);
            try (Running log = new Running(torn)) {
                log.append("next").get();
            }
            assertEquals(List.of("a", "b", "next"), replay(torn));
        }
    }

    @Test
    void neverReadsLessBecauseOfABitThatFlipsBeforeTheLastRecord() throws Exception {
        TestingFactDisk disk = new TestingFactDisk();
        try (Running log = new Running(disk)) {
            log.append("old").get();
            log.snapshot("s1", "s2").get();
            for (int i = 0; i < 12; i++) {
                log.append("fact-" + i).get();
            }
        }
        List<String> facts = replay(disk);
        List<String> withoutLast = facts.subList(0, facts.size() - 1);
        String last = disk.names().stream()
                .filter(name -> name.startsWith("facts-"))
                .max(String::compareTo)
                .orElseThrow();
        for (String name : disk.names()) {
            byte[] content = disk.content(name);
            for (int bit = 0; bit < content.length * 8; bit++) {
                TestingFactDisk flipped = disk.copy();
                byte[] damaged = content.clone();
                damaged[bit / 8] ^= (byte) (1 << bit % 8);
                flipped.put(name, damaged);
                String where = name + ", bit " + bit;
                try {
                    List<String> read = replay(flipped);
                    boolean epochAlone = name.equals("epoch") && read.equals(facts);
                    boolean lastAlone = name.equals(last) && read.equals(withoutLast);
                    assertTrue(epochAlone || lastAlone, () -> where + ": " + read);
                } catch (HearthException refused) {
                    assertEquals("FILE_DAMAGED", refused.code());
                    assertTrue(refused.getMessage().startsWith(name), () -> where + ": " + refused.getMessage());
                }
            }
        }
    }

    @Test
    void refusesToStartWithoutAnyOfItsFiles() throws Exception {
        TestingFactDisk disk = new TestingFactDisk();
        try (Running log = new Running(disk)) {
            log.append("old").get();
            log.snapshot("new").get();
            for (int i = 0; i < 30; i++) {
                log.append("fact-" + i).get();
            }
        }
        assertTrue(disk.names().size() > 4, () -> "some segments: " + disk.names());
        for (String name : disk.names()) {
            TestingFactDisk without = disk.copy();
            without.delete(name);
            HearthException refused = assertThrows(HearthException.class, () -> replay(without), name);
            assertTrue(
                    refused.getMessage().startsWith(name + " in memory: missing (expected:"),
                    () -> name + ": " + refused.getMessage());
        }
    }

    @Test
    void waitsForRoomOnAFullDiskAndAcknowledgesNothingMeanwhile() throws Exception {
        TestingFactDisk disk = new TestingFactDisk();
        try (Running log = new Running(disk)) {
            log.append("a").get();
            disk.limit(disk.used() + 5);
            CompletableFuture<Void> waits = log.append("no room for this");
            disk.awaitAttempts(3);
            assertFalse(waits.isDone());
            assertTrue(
                    log.log.hindrance().orElseThrow().contains("No space left on device"),
                    () -> String.valueOf(log.log.hindrance()));
            assertEquals(List.of("a"), replay(disk.crashed()));
            disk.limit(Long.MAX_VALUE);
            waits.get();
            assertTrue(log.log.hindrance().isEmpty());
        }
        assertEquals(List.of("a", "no room for this"), replay(disk));
    }

    @Test
    void neverTrustsAFileWhoseFsyncHasFailed() throws Exception {
        TestingFactDisk disk = new TestingFactDisk();
        try (Running log = new Running(disk)) {
            log.append("a").get();
            disk.failForceOf(name -> name.equals("facts-1"));
            CompletableFuture<Void> unproven = log.append("b");
            CompletableFuture<Void> behind = log.append("c");
            while (!log.log.wantsSnapshot()) {
                Thread.onSpinWait();
            }
            disk.failForceOf(name -> false); // a second fsync would succeed, and prove nothing
            assertFalse(unproven.isDone());
            log.snapshot("a", "b", "c").get();
            unproven.get();
            behind.get();
            log.append("d").get();
            assertEquals(List.of("a", "b", "c", "d"), replay(disk.crashed()));
        }
    }

    @Test
    void goesOnWithoutASnapshotForWhichThereIsNoRoom() throws Exception {
        TestingFactDisk disk = new TestingFactDisk();
        try (Running log = new Running(disk)) {
            log.append("a").get();
            disk.limit(disk.used() + 40);
            assertThrows(Exception.class, () -> log.snapshot("x".repeat(500)).get());
            disk.limit(Long.MAX_VALUE);
            log.append("b").get();
            assertEquals(List.of("a", "b"), replay(disk.crashed()));
            // of the directory, after the snapshot has its name
            disk.failForceOf(name -> name.isEmpty() && disk.names().contains("snapshot-2"));
            CompletableFuture<Void> snapshot = log.snapshot("a+b");
            while (!log.log.wantsSnapshot()) {
                Thread.onSpinWait();
            }
            disk.failForceOf(name -> false);
            snapshot.get();
            log.append("c").get();
            assertEquals(List.of("a+b", "c"), replay(disk.crashed()));
        }
    }

    @Test
    void letsAStandbyLeadWhenTheLeaderEnds(@TempDir Path directory) throws Exception {
        Path place = directory.resolve("log");
        Heard first = new Heard();
        Heard second = new Heard();
        Candidacy leader = first.stand(place, "a:1");
        assertEquals("leading 1", first.next());
        first.log.get().append(List.of(fact("x"))).toCompletableFuture().get();
        Candidacy standby = second.stand(place, "b:2");
        assertEquals("following a:1, process " + ProcessHandle.current().pid(), second.next());
        leader.close();
        assertEquals("fact x", second.next());
        assertEquals("leading 2", second.next());
        standby.close();
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(place)));
        Files.writeString(place.resolve("facts-1"), "what is this");
        Heard third = new Heard();
        Candidacy refused = third.stand(place, "c:3");
        String failure = third.next();
        assertTrue(failure.startsWith("failed facts-1 in " + place), failure);
        refused.close();
    }

    /** Records the calls that a candidate gets. */
    private static final class Heard implements LeadershipListener {
        private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        private final CompletableFuture<FactLog> log = new CompletableFuture<>();

        Candidacy stand(Path directory, String name) {
            FileFactLogs.Standing standing = new FileFactLogs.Standing(directory, name, this, SMALL);
            standing.start();
            return standing;
        }

        String next() throws InterruptedException {
            return heard.take();
        }

        @Override
        public void following(String leader) {
            heard.add("following " + leader);
        }

        @Override
        public void recovering() {
            // every candidate that leads does
        }

        @Override
        public void replay(Bytes fact) {
            heard.add("fact " + text(fact));
        }

        @Override
        public void leading(long epoch, FactLog opened) {
            log.complete(opened);
            heard.add("leading " + epoch);
        }

        @Override
        public void lost(String why) {
            heard.add("lost " + why);
        }

        @Override
        public void failed(HearthException why) {
            heard.add("failed " + why.getMessage());
        }
    }
}
