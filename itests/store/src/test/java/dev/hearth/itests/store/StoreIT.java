package dev.hearth.itests.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcEnvFactory;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.testkit.machine.SmallDisk;
import dev.hearth.testkit.machine.SystemCommands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Uploads content into a store whose process is killed half-way or whose disk is full, and checks the visible content,
 * the files on disk and the errors.
 */
@EnabledOnOs(OS.LINUX)
class StoreIT {
    private static final int MEBIBYTE = 1 << 20;
    private static final int SIZE = 12 * MEBIBYTE + 77;
    private static final int ROUNDS = 6; // with a kill at a random moment
    private static final int STEPS_MAX = 4; // in units of a MiB, from one kill to the next
    private static final int FILE_BYTES_MAX = 5 * MEBIBYTE;
    private static final int DISK_BYTES = 16 * MEBIBYTE;
    private static final Duration BOUND = Duration.ofSeconds(30);

    @TempDir
    Path directory;

    private RpcEnv env;
    private byte[] content;
    private Path file;

    @BeforeEach
    void open() throws Exception {
        env = StoreProgram.make("dev.hearth.rpc.internal.NettyRpcEnvFactory", RpcEnvFactory.class)
                .open(RpcSettings.connecting(Settings.empty()
                        .with("test", "hearth.rpc.reconnect.wait", "10ms")
                        .with("test", "hearth.rpc.reconnect.maxWait", "50ms")));
        content = random(1, SIZE);
        file = Files.write(directory.resolve("app.jar"), content);
    }

    @AfterEach
    void close() {
        env.close();
    }

    @ParameterizedTest(name = "killed after {0} bytes")
    @ValueSource(ints = {1, 5 * MEBIBYTE + 3, SIZE})
    void anUploadGoesOnWhereTheProcessOfTheStoreWasKilled(int bytes) throws Exception {
        Path place = directory.resolve("store");
        long written;
        try (StoreProcess killed = StoreProcess.start(place, bytes)) {
            CompletionStage<ContentId> cut = upload(killed, file);
            written = Long.parseLong(killed.await("paused ", BOUND).split(" ", -1)[1]);
            killed.kill();
            String code = failure(cut).code();
            assertTrue(code.equals("PEER_LOST") || code.equals("PEER_UNREACHABLE"), code);
        }
        assertEquals(List.of(), visible(place));

        try (StoreProcess next = StoreProcess.start(place, StoreProgram.NO_PAUSE)) {
            assertEquals(written, next.held(), "what had come is kept");
            await(upload(next, file));
            assertEquals("opened " + written, next.await("opened ", BOUND));
        }
        expectWhole(place);
    }

    @Test
    void nothingHalfWrittenIsSeenWhereverItIsKilled() throws Exception {
        long seed = System.nanoTime();
        System.err.println("kills by chance: seed " + seed);
        Random random = new Random(seed);
        Path place = directory.resolve("store");
        for (int round = 0; round < ROUNDS; round++) {
            try (StoreProcess killed = StoreProcess.start(place, StoreProgram.NO_PAUSE)) {
                CompletionStage<ContentId> cut = upload(killed, file);
                long next = (killed.held() / MEBIBYTE + 1 + random.nextInt(STEPS_MAX)) * MEBIBYTE;
                killed.await(next <= SIZE ? "written " + next : "stored", BOUND);
                killed.kill();
                cut.toCompletableFuture().handle((id, failure) -> id).get(BOUND.toMillis(), TimeUnit.MILLISECONDS);
            }
            for (Path seen : visible(place)) {
                assertEquals(hash(content), seen.getFileName().toString());
                assertArrayEquals(content, Files.readAllBytes(seen), "round " + round + ", seed " + seed);
                Files.delete(seen); // for the next round
            }
        }
        try (StoreProcess last = StoreProcess.start(place, StoreProgram.NO_PAUSE)) {
            await(upload(last, file));
        }
        expectWhole(place);
    }

    @Test
    void aFileThatMayNotGrowIsSaidToBeSoAndItsRoomGivenBack() throws Exception {
        Path place = directory.resolve("store");
        try (StoreProcess store = StoreProcess.start(
                place, StoreProgram.NO_PAUSE, "prlimit", "--fsize=" + FILE_BYTES_MAX + ":unlimited")) {
            expectRefused(store, place, "File too large");

            SystemCommands.run("prlimit", "--pid", Long.toString(store.pid()), "--fsize=unlimited:unlimited");
            await(upload(store, file));
        }
        expectWhole(place);
    }

    @Test
    void aFullDiskIsSaidToBeSoAndTakesUploadsAgainOnceThereIsRoom() throws Exception {
        try (SmallDisk disk = SmallDisk.in(directory, DISK_BYTES)) {
            Path place = disk.directory().resolve("store");
            Path other = Files.write(disk.directory().resolve("other"), new byte[DISK_BYTES - FILE_BYTES_MAX]);
            try (StoreProcess store = StoreProcess.start(place, StoreProgram.NO_PAUSE)) {
                expectRefused(store, place, "No space left on device");

                Files.delete(other);
                await(upload(store, file));
            }
            expectWhole(place);
        }
    }

    /**
     * Checks that the store refuses the large upload for {@code reason}, keeps nothing of it, and accepts a small one
     * meanwhile.
     */
    private void expectRefused(StoreProcess store, Path place, String reason) throws Exception {
        HearthException full = failure(upload(store, file));
        assertEquals("DISK_FAILED", full.code());
        assertTrue(full.getMessage().contains(reason), full.getMessage());
        assertFalse(full.getMessage().contains(place.toString()), full.getMessage());
        assertEquals(List.of(), files(place.resolve("incoming")), "what the disk refused is gone");
        assertEquals(List.of(place.resolve("lock")), store.openFiles(place));

        Path small = Files.write(directory.resolve("small.jar"), random(2, MEBIBYTE));
        await(upload(store, small));
        assertEquals(List.of(hash(Files.readAllBytes(small))), names(visible(place)));
        Files.delete(visible(place).get(0)); // the next start scans the directory
    }

    private void expectWhole(Path place) throws Exception {
        List<Path> seen = visible(place);
        assertEquals(List.of(hash(content)), names(seen));
        assertArrayEquals(content, Files.readAllBytes(seen.get(0)));
        assertEquals(List.of(), files(place.resolve("incoming")));
    }

    private CompletionStage<ContentId> upload(StoreProcess store, Path what) throws Exception {
        return env.streams().upload(new RpcAddress("127.0.0.1", store.port()), what);
    }

    private static <T> T await(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(BOUND.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static HearthException failure(CompletionStage<?> stage) {
        Exception failed = assertThrows(Exception.class, () -> await(stage));
        return assertInstanceOf(HearthException.class, Failures.unwrap(failed), () -> String.valueOf(failed));
    }

    /** The content that the store offers. */
    private static List<Path> visible(Path place) throws IOException {
        return files(place.resolve("sha256"));
    }

    private static List<Path> files(Path below) throws IOException {
        try (Stream<Path> all = Files.walk(below)) {
            return all.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private static List<String> names(List<Path> files) {
        return files.stream().map(found -> found.getFileName().toString()).toList();
    }

    private static byte[] random(long seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static String hash(byte[] bytes) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    }
}
