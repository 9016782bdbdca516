package dev.hearth.shuffleservice.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.metrics.MetricSource.Sample;
import dev.hearth.spi.rpc.EndpointUri;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.Protocol;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcScope;
import dev.hearth.spi.rpc.Secret;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.shuffle.FileSegment;
import dev.hearth.spi.shuffle.FrameFormat;
import dev.hearth.spi.shuffle.MapOutputDirectory;
import dev.hearth.spi.shuffle.MapOutputIndex;
import dev.hearth.spi.shuffle.SegmentProtocol;
import dev.hearth.spi.shuffle.SegmentProtocol.CorruptionAnswer;
import dev.hearth.spi.shuffle.SegmentProtocol.CorruptionQuestion;
import dev.hearth.spi.shuffle.SegmentProtocol.SegmentLocation;
import dev.hearth.spi.shuffle.SegmentProtocol.SegmentsAnswer;
import dev.hearth.spi.shuffle.SegmentProtocol.SegmentsQuestion;
import dev.hearth.spi.shuffle.ShuffleService;
import dev.hearth.spi.shuffle.ShuffleServiceOrders;
import dev.hearth.spi.shuffle.ShuffleServiceProtocol;
import dev.hearth.spi.shuffle.ShuffleServiceProtocol.Attach;
import dev.hearth.spi.shuffle.ShuffleServiceProtocol.Attached;
import dev.hearth.spi.shuffle.ShuffleServiceProtocol.DropShuffles;
import dev.hearth.spi.shuffle.ShuffleServiceProtocol.EndApplication;
import dev.hearth.spi.stream.StreamContent;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A shuffle service in a simulated worker; a driver and readers ask it over the simulated network. Files are real. */
class RunningShuffleServiceTest {
    private static final Duration ASK = Duration.ofSeconds(5);
    private static final Duration SOON = Duration.ofSeconds(2);
    private static final ApplicationId APPLICATION = new ApplicationId("app-1");
    private static final String DRIVER = "hearth://driver-1@driver:1";
    private static final int SHUFFLE = 4;

    @TempDir
    private Path scratch;

    private final Simulation simulation = new Simulation(1);
    private final SimulatedProcess worker = simulation.process("worker");
    private final SimulatedProcess reader = simulation.process("reader");
    private final RpcEnv rpc = worker.env("worker", 7078);
    private final RpcEnv readers = reader.env("reader", 1);
    private final ServiceFigures figures = new ServiceFigures();

    private ShuffleService open() {
        return open("worker-1");
    }

    private ShuffleService open(String id) {
        Settings settings =
                Settings.empty().with("test", Map.of("hearth.local.dir", scratch + "/one," + scratch + "/two"));
        return new ShuffleServiceComponent(figures).open(id, rpc, worker.loop("files"), scratch, settings);
    }

    /** Writes an output of two reducers, of which the second has no records, as an executor does. */
    private FileSegment write(ShuffleServiceOrders orders, int map) throws IOException {
        MapOutputDirectory first = new MapOutputDirectory(orders.directories().get(0));
        Path file = new MapOutputDirectory(orders.directories().get(1)).files().resolve("segment-" + map);
        byte[] frame = frame(map);
        Files.write(file, frame);
        MapOutputIndex index = new MapOutputIndex(
                Optional.of(file.toString()),
                map,
                frame.length,
                0,
                new long[] {0, frame.length, frame.length},
                new int[] {3, 0});
        Files.createDirectories(first.indexes(SHUFFLE));
        Files.write(first.index(SHUFFLE, map), index.encoded());
        return index.segment(0).orElseThrow();
    }

    /** A frame of one slice of 8 bytes, in a file with the id {@code id}. */
    private static byte[] frame(long id) {
        int stored = Long.BYTES;
        byte[] bytes = new byte[FrameFormat.HEADER_BYTES + stored];
        FrameFormat.writeInt(bytes, 0, stored);
        FrameFormat.writeInt(bytes, FrameFormat.STORED_AT, stored);
        FrameFormat.writeLong(bytes, FrameFormat.HEADER_BYTES, id);
        int checksum = new FrameFormat(id).checksum(0, 0, 0, bytes, 0, stored);
        FrameFormat.writeInt(bytes, FrameFormat.CHECKSUM_AT, checksum);
        return bytes;
    }

    private RpcScope scope(ShuffleServiceOrders orders) {
        return readers.scope(orders.scope(), Optional.empty());
    }

    private <A extends Record> A ask(
            RpcScope from, String endpoint, Protocol protocol, Record question, Class<A> type) {
        CompletableFuture<A> answer = from.ref(
                        new EndpointUri(endpoint, rpc.address().orElseThrow()), protocol)
                .ask(question, type, ASK)
                .toCompletableFuture();
        simulation.runUntil(answer::isDone, ASK.multipliedBy(2));
        return answer.join();
    }

    private SegmentsAnswer segments(RpcScope from, Integer... maps) {
        SegmentsQuestion question = new SegmentsQuestion(SHUFFLE, 0, List.of(maps));
        return ask(from, SegmentProtocol.ENDPOINT, SegmentProtocol.PROTOCOL, question, SegmentsAnswer.class);
    }

    private CorruptionAnswer check(RpcScope from, int map) {
        CorruptionQuestion question = new CorruptionQuestion(SHUFFLE, map, 0);
        return ask(from, SegmentProtocol.CHECKS, SegmentProtocol.PROTOCOL, question, CorruptionAnswer.class);
    }

    private Peer attach(RpcScope from, ShuffleServiceOrders orders) {
        CompletableFuture<Peer> connected = from.connect(orders.address()).toCompletableFuture();
        simulation.runUntil(connected::isDone, ASK);
        Peer peer = connected.join();
        CompletableFuture<Attached> attached = peer.endpoint(
                        ShuffleServiceProtocol.ENDPOINT, ShuffleServiceProtocol.PROTOCOL)
                .ask(new Attach(), Attached.class, ASK)
                .toCompletableFuture();
        simulation.runUntil(attached::isDone, ASK);
        assertEquals(orders.holder().value(), attached.join().holder());
        return peer;
    }

    private static void send(Peer peer, Record message) {
        peer.endpoint(ShuffleServiceProtocol.ENDPOINT, ShuffleServiceProtocol.PROTOCOL)
                .send(message);
    }

    private double metric(String name) {
        return figures.samples().stream()
                .filter(sample -> sample.name().equals("shuffle.service." + name))
                .mapToDouble(Sample::value)
                .sum();
    }

    @Test
    void answersAsSoonAsAnOutputIsThere() throws Exception {
        ShuffleServiceOrders orders = open().admit(APPLICATION, DRIVER, Optional.empty());
        RpcScope from = scope(orders);
        assertEquals(List.of(1, 2), segments(from, 1, 2).missing());
        FileSegment segment = write(orders, 2);
        SegmentsAnswer answer = segments(from, 1, 2);
        assertEquals(List.of(new SegmentLocation(2, 3, segment)), answer.parts());
        assertEquals(List.of(1), answer.missing());
        assertTrue(answer.why().contains("not on this shuffle service"), answer.why());
        assertEquals(2, metric("questions"));
    }

    @Test
    void readsAnIndexAgainThatWasReplaced() throws Exception {
        ShuffleServiceOrders orders = open().admit(APPLICATION, DRIVER, Optional.empty());
        RpcScope from = scope(orders);
        write(orders, 2);
        segments(from, 2);
        MapOutputDirectory first = new MapOutputDirectory(orders.directories().get(0));
        Path draft = first.indexes(SHUFFLE).resolve(MapOutputDirectory.DRAFT);
        MapOutputIndex next = new MapOutputIndex(
                Optional.of(first.files().resolve("next").toString()), 9, 5, 1, new long[] {0, 5, 5}, new int[] {1, 0});
        Files.write(draft, next.encoded());
        Files.move(draft, first.index(SHUFFLE, 2), StandardCopyOption.REPLACE_EXISTING);
        assertEquals(9, segments(from, 2).parts().get(0).place().id());
    }

    @Test
    void keepsDirectoriesForItsUserAlone() throws Exception {
        ShuffleServiceOrders orders = open().admit(APPLICATION, DRIVER, Optional.empty());
        assertEquals(2, orders.directories().size());
        for (Path directory : orders.directories()) {
            assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)));
        }
    }

    @Test
    void givesEachLifeOfAnApplicationDirectoriesOfItsOwn() {
        ShuffleService service = open();
        ShuffleServiceOrders first = service.admit(APPLICATION, DRIVER, Optional.empty());
        assertEquals(first, service.admit(APPLICATION, DRIVER, Optional.empty()));
        ShuffleServiceOrders next = service.admit(APPLICATION, "hearth://driver-1@driver:2", Optional.empty());
        assertNotEquals(first.scope(), next.scope());
        assertNotEquals(first.directories(), next.directories());
    }

    @Test
    void findsDamageAndRemovesTheOutput() throws Exception {
        ShuffleServiceOrders orders = open().admit(APPLICATION, DRIVER, Optional.empty());
        RpcScope from = scope(orders);
        write(orders, 1);
        Path file = Path.of(write(orders, 2).file());
        assertEquals("", check(from, 1).found());
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length - 1] ^= 1;
        Files.write(file, bytes);
        assertTrue(check(from, 2).found().contains("checksum does not match"));
        assertFalse(Files.exists(file));
        assertEquals(List.of(2), segments(from, 1, 2).missing());
        assertEquals(1, metric("outputs.corrupt"));
    }

    @Test
    void refusesSizesThatNoSliceHas() throws Exception {
        Path file = scratch.resolve("sparse");
        byte[] header = new byte[FrameFormat.HEADER_BYTES];
        FrameFormat.writeInt(header, 0, 8);
        FrameFormat.writeInt(header, FrameFormat.STORED_AT, Integer.MAX_VALUE);
        Files.write(file, header);
        FileSegment segment = new FileSegment(file.toString(), 1, 0, 0, 3L << 30);
        String found = assertThrows(IOException.class, () -> SegmentCheck.verify(segment))
                .getMessage();
        assertTrue(found.contains("impossible sizes"), found);
    }

    @Test
    void findsFilesThatAreGoneOrCutShort() throws Exception {
        ShuffleServiceOrders orders = open().admit(APPLICATION, DRIVER, Optional.empty());
        RpcScope from = scope(orders);
        Files.delete(Path.of(write(orders, 1).file()));
        assertNotEquals("", check(from, 1).found());
        Files.write(Path.of(write(orders, 2).file()), new byte[3]);
        assertNotEquals("", check(from, 2).found());
        assertEquals(List.of(1, 2), segments(from, 1, 2).missing());
    }

    @Test
    void servesNoFileOutsideOfItsDirectories() throws Exception {
        ShuffleServiceOrders orders = open().admit(APPLICATION, DRIVER, Optional.empty());
        MapOutputDirectory first = new MapOutputDirectory(orders.directories().get(0));
        Path secret = Files.writeString(scratch.resolve("secret"), "of another application");
        RpcScope from = scope(orders);
        for (String name : List.of(secret.toString(), first.root() + "/../../../secret")) {
            MapOutputIndex index = new MapOutputIndex(Optional.of(name), 1, 5, 0, new long[] {0, 5}, new int[] {1});
            Files.createDirectories(first.indexes(SHUFFLE));
            Files.write(first.index(SHUFFLE, 1), index.encoded());
            assertEquals(List.of(1), segments(from, 1).missing());
        }
        assertTrue(Files.exists(secret));
    }

    @Test
    void streamsSeveralSegmentsAsOne() throws Exception {
        ShuffleServiceOrders orders = open().admit(APPLICATION, DRIVER, Optional.empty());
        FileSegment one = write(orders, 1);
        FileSegment two = write(orders, 3);
        ServedMapOutputs outputs = new ServedMapOutputs(
                new MapOutputDirectory(orders.directories().get(0)), orders.directories(), new IndexCache(1), figures);
        StreamContent both = outputs.content(SHUFFLE + "/0/1-2").orElseThrow();
        assertEquals(one.bytes() + two.bytes(), both.size());
        assertEquals(
                one.bytes(), outputs.content(SHUFFLE + "/0/1").orElseThrow().size());
        assertEquals(Optional.empty(), outputs.content(SHUFFLE + "/0/1-1"));
        assertEquals(Optional.empty(), outputs.content("no name"));
        assertEquals(3, metric("segments.sent"));
    }

    @Test
    void dropsAShuffleWhenItsDriverSaysSo() throws Exception {
        ShuffleServiceOrders orders = open().admit(APPLICATION, DRIVER, Optional.empty());
        RpcScope from = scope(orders);
        Path file = Path.of(write(orders, 1).file());
        Peer driver = attach(from, orders);
        send(driver, new DropShuffles(List.of(SHUFFLE, SHUFFLE + 1)));
        simulation.runFor(SOON);
        assertFalse(Files.exists(file));
        assertEquals(List.of(1), segments(from, 1).missing());
    }

    @Test
    void removesAllFilesWhenTheApplicationEnds() throws Exception {
        ShuffleServiceOrders orders = open().admit(APPLICATION, DRIVER, Optional.empty());
        write(orders, 1);
        assertEquals(1, metric("applications"));
        send(attach(scope(orders), orders), new EndApplication());
        simulation.runFor(SOON);
        orders.directories().forEach(directory -> assertFalse(Files.exists(directory)));
        assertEquals(List.of(), left());
        assertEquals(0, metric("applications"));
    }

    @Test
    void keepsTheDirectoriesOfAnExecutorThatIsAdmittedWhileTheApplicationIsRemoved() {
        ShuffleService service = open();
        ShuffleServiceOrders orders = service.admit(APPLICATION, DRIVER, Optional.empty());
        send(attach(scope(orders), orders), new EndApplication());
        assertTrue(simulation.runUntil(() -> metric("applications") == 0, SOON), "the application is removed");
        ShuffleServiceOrders late = service.admit(APPLICATION, DRIVER, Optional.empty());
        simulation.runFor(SOON);
        late.directories().forEach(directory -> assertTrue(Files.isDirectory(directory), directory.toString()));
    }

    @Test
    void removesAllFilesWhenTheDriverIsGoneForLong() throws Exception {
        ShuffleServiceOrders orders = open().admit(APPLICATION, DRIVER, Optional.empty());
        write(orders, 1);
        Peer driver = attach(scope(orders), orders);
        simulation.runFor(Duration.ofHours(1));
        assertTrue(Files.exists(orders.directories().get(0)));
        driver.close();
        simulation.runFor(Duration.ofSeconds(100));
        assertTrue(Files.exists(orders.directories().get(0)), "the driver may return");
        simulation.runFor(Duration.ofSeconds(60));
        assertEquals(List.of(), left());
    }

    @Test
    void findsTheOutputsOfItsPredecessorIfTheApplicationIsStillThere() throws Exception {
        ShuffleService former = open();
        ShuffleServiceOrders orders = former.admit(APPLICATION, DRIVER, Optional.empty());
        ShuffleServiceOrders other = former.admit(new ApplicationId("app-2"), DRIVER, Optional.empty());
        FileSegment segment = write(orders, 1);
        former.close(); // as the end of its process does: files stay, locks are released
        ShuffleServiceOrders next = open("worker-2").admit(APPLICATION, DRIVER, Optional.empty());
        assertEquals(orders.directories(), next.directories());
        assertEquals(orders.holder(), next.holder());
        RpcScope from = scope(next);
        assertEquals(segment, segments(from, 1).parts().get(0).place());
        attach(from, next);
        simulation.runFor(Duration.ofMinutes(5));
        assertTrue(Files.exists(next.directories().get(0)));
        assertFalse(Files.exists(other.directories().get(0)), "leftovers of an application that did not come back");
    }

    @Test
    void servesTheOutputsOfItsPredecessorBeforeAnExecutorStarts() throws Exception {
        Secret secret = Secret.of("the secret of the application");
        ShuffleService former = open();
        ShuffleServiceOrders orders = former.admit(APPLICATION, DRIVER, Optional.of(secret));
        FileSegment segment = write(orders, 1);
        for (Path file : registrations(orders)) {
            assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        }
        former.close();
        open("worker-2");
        RpcScope from = readers.scope(orders.scope(), Optional.of(secret));
        attach(from, orders);
        assertEquals(segment, segments(from, 1).parts().get(0).place());
        simulation.runFor(Duration.ofMinutes(5));
        assertTrue(Files.exists(orders.directories().get(0)), "its driver is connected");
    }

    @Test
    void adoptsNothingOfAnotherAddressOrFromADamagedRecord() throws Exception {
        ShuffleService former = open();
        ShuffleServiceOrders damaged = former.admit(APPLICATION, DRIVER, Optional.empty());
        ShuffleServiceOrders elsewhere = former.admit(new ApplicationId("app-2"), DRIVER, Optional.empty());
        former.close();
        for (Path file : registrations(damaged)) {
            Files.writeString(file, "half");
        }
        for (Path file : registrations(elsewhere)) {
            Files.move(file, file.resolveSibling("served-by-worker_9"));
        }
        open("worker-2");
        assertEquals(0, metric("applications"));
        simulation.runFor(Duration.ofMinutes(5));
        assertEquals(List.of(), left());
    }

    private static List<Path> registrations(ShuffleServiceOrders orders) throws IOException {
        try (var files = Files.list(orders.directories().get(0))) {
            List<Path> found = files.filter(
                            file -> file.getFileName().toString().startsWith("served-by-"))
                    .toList();
            assertEquals(1, found.size());
            return found;
        }
    }

    private List<Path> left() throws IOException {
        List<Path> all = new ArrayList<>();
        for (String base : List.of("one", "two")) {
            try (var entries = Files.list(scratch.resolve(base).resolve("hearth-shuffle"))) {
                entries.forEach(all::add);
            }
        }
        return all;
    }
}
