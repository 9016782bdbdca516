package dev.hearth.kubernetes.internal.seat;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.stream.ContentId;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Exchange of files between a submitter and a driver over real connections. */
class FileReceiverTest {
    @TempDir
    private Path directory;

    private Path content(String name, int bytes) throws IOException {
        byte[] content = new byte[bytes];
        new Random(bytes).nextBytes(content);
        return Files.write(directory.resolve(name), content);
    }

    private SeatInstructions instructions(Path... files) throws IOException {
        List<SeatInstructions.Upload> uploads = new ArrayList<>();
        for (Path file : files) {
            String sha256 = ContentId.of(file).sha256();
            Path target = directory.resolve("pod").resolve(sha256).resolve(file.getFileName());
            uploads.add(new SeatInstructions.Upload(sha256, Files.size(file), target.toString()));
        }
        return new SeatInstructions("s", "p", "", false, "proof-1", uploads, List.of());
    }

    private static CompletableFuture<Void> receive(FileReceiver desk, Duration bound) {
        return CompletableFuture.runAsync(() -> {
            try {
                desk.receive(bound);
            } catch (IOException failure) {
                throw new IllegalStateException(failure);
            }
        });
    }

    private static UploadClient client(String proof, Path... files) throws IOException {
        Map<String, Path> byHash = new LinkedHashMap<>();
        for (Path file : files) {
            byHash.put(ContentId.of(file).sha256(), file);
        }
        return new UploadClient(proof, byHash, (file, sent, bytes) -> {});
    }

    private static Socket connect(FileReceiver desk) throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), desk.port());
    }

    private static void requireSame(SeatInstructions instructions, Path... files) throws IOException {
        for (int i = 0; i < files.length; i++) {
            assertArrayEquals(
                    Files.readAllBytes(files[i]),
                    Files.readAllBytes(Path.of(instructions.uploads().get(i).path())));
        }
    }

    private static void done(CompletableFuture<Void> received)
            throws InterruptedException, ExecutionException, TimeoutException {
        received.get(30, TimeUnit.SECONDS);
    }

    @Test
    void bringsFiles() throws Exception {
        Path one = content("one.jar", 1_000_000);
        Path two = content("two.jar", 1);
        SeatInstructions instructions = instructions(one, two);
        FileReceiver desk = FileReceiver.open(instructions, 0);
        CompletableFuture<Void> received = receive(desk, Duration.ofMinutes(1));
        try (Socket socket = connect(desk)) {
            assertEquals(
                    List.of(), client("proof-1", one, two).send(socket.getInputStream(), socket.getOutputStream()));
        }
        done(received);
        requireSame(instructions, one, two);
    }

    @Test
    void goesOnWhereAConnectionBroke() throws Exception {
        Path file = content("large.jar", 3_000_000);
        SeatInstructions instructions = instructions(file);
        FileReceiver desk = FileReceiver.open(instructions, 0);
        CompletableFuture<Void> received = receive(desk, Duration.ofMinutes(1));
        try (Socket socket = connect(desk)) {
            OutputStream breaking = new FilterOutputStream(socket.getOutputStream()) {
                private long left = 1_500_000;

                @Override
                public void write(byte[] bytes, int from, int count) throws IOException {
                    out.write(bytes, from, count);
                    left -= count;
                    if (left < 0) {
                        throw new IOException("cut");
                    }
                }
            };
            assertThrows(IOException.class, () -> client("proof-1", file).send(socket.getInputStream(), breaking));
        }
        List<Long> sent = new ArrayList<>();
        try (Socket socket = connect(desk)) {
            UploadClient again = new UploadClient(
                    "proof-1", Map.of(ContentId.of(file).sha256(), file), (path, count, bytes) -> sent.add(count));
            again.send(socket.getInputStream(), socket.getOutputStream());
        }
        done(received);
        requireSame(instructions, file);
        assertTrue(sent.get(0) > 1_000_000, sent::toString);
    }

    @Test
    void asksAgainForADamagedFile() throws Exception {
        Path file = content("a.jar", 100_000);
        SeatInstructions instructions = instructions(file);
        FileReceiver desk = FileReceiver.open(instructions, 0);
        CompletableFuture<Void> received = receive(desk, Duration.ofMinutes(1));
        try (Socket socket = connect(desk)) {
            OutputStream damaging = new FilterOutputStream(socket.getOutputStream()) {
                @Override
                public void write(byte[] bytes, int from, int count) throws IOException {
                    byte[] copy = bytes.clone();
                    if (count > 1000) {
                        copy[from + 500] ^= 1;
                    }
                    out.write(copy, from, count);
                }
            };
            assertEquals(
                    List.of(ContentId.of(file).sha256()),
                    client("proof-1", file).send(socket.getInputStream(), damaging));
        }
        assertFalse(received.isDone());
        try (Socket socket = connect(desk)) {
            assertEquals(List.of(), client("proof-1", file).send(socket.getInputStream(), socket.getOutputStream()));
        }
        done(received);
        requireSame(instructions, file);
    }

    @Test
    void admitsItsSubmitterAlone() throws Exception {
        Path file = content("a.jar", 10);
        SeatInstructions instructions = instructions(file);
        FileReceiver desk = FileReceiver.open(instructions, 0);
        CompletableFuture<Void> received = receive(desk, Duration.ofMinutes(1));
        for (String proof : List.of("proof-2", "", "x".repeat(10_000))) {
            try (Socket socket = connect(desk)) {
                assertThrows(
                        IOException.class,
                        () -> client(proof, file).send(socket.getInputStream(), socket.getOutputStream()));
            }
        }
        assertFalse(received.isDone());
        try (Socket socket = connect(desk)) {
            client("proof-1", file).send(socket.getInputStream(), socket.getOutputStream());
        }
        done(received);
    }

    @Test
    void failsIfFilesDoNotCome() throws Exception {
        FileReceiver desk = FileReceiver.open(instructions(content("a.jar", 10)), 0);
        HearthException late = assertThrows(HearthException.class, () -> desk.receive(Duration.ofMillis(50)));
        assertEquals("START_FAILED", late.code());
        assertTrue(late.getMessage().contains("local:/path"), late::getMessage);
    }
}
