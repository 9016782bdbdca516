package dev.hearth.kernel.internal.process;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.process.ChildProcess;
import dev.hearth.spi.process.OutputFiles;
import dev.hearth.testkit.FakeTicker;
import dev.hearth.testkit.machine.Eventually;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class OutputPumpTest {
    private static final OutputFiles BOUNDS = new OutputFiles(1, 2, Optional.empty(), false);
    private static final int BYTES = 900_000;

    @TempDir
    Path directory;

    @Test
    void copiesEverythingUntilTheEnd() throws Exception {
        byte[] bytes = new byte[BYTES];
        new Random(1).nextBytes(bytes);
        OutputPump pump = pumped(new ByteArrayInputStream(bytes), Runnable::run);
        pump.drained().toCompletableFuture().get(30, TimeUnit.SECONDS);
        assertArrayEquals(bytes, Files.readAllBytes(directory.resolve("stdout")));
    }

    @Test
    void showsTheTailInWholeCharacters() throws Exception {
        OutputPump pump = pumped(text("aü€😀z"), Runnable::run); // 1 + 2 + 3 + 4 + 1 bytes
        pump.drained().toCompletableFuture().get(30, TimeUnit.SECONDS);
        assertEquals("", pump.tail(0));
        assertEquals("z", pump.tail(1));
        assertEquals("z", pump.tail(4));
        assertEquals("😀z", pump.tail(5));
        assertEquals("😀z", pump.tail(7));
        assertEquals("€😀z", pump.tail(8));
        assertEquals("aü€😀z", pump.tail(11));
        assertEquals("aü€😀z", pump.tail(1000));
    }

    @Test
    void keepsTheTailAcrossARoll() throws Exception {
        String lines = "0123456789\n".repeat(300_000);
        OutputPump pump = pumped(text(lines), Runnable::run);
        pump.drained().toCompletableFuture().get(30, TimeUnit.SECONDS);
        assertTrue(Files.exists(directory.resolve("stdout.2")));
        assertEquals(lines.substring(lines.length() - ChildProcess.TAIL_BYTES_MAX), pump.tail(Integer.MAX_VALUE));
    }

    @Test
    void neverLetsTheChildWaitForADiskThatHangs() throws Exception {
        LinkedBlockingQueue<Runnable> hanging = new LinkedBlockingQueue<>();
        PipedOutputStream child = new PipedOutputStream();
        OutputPump pump = pumped(new PipedInputStream(child, 64 * 1024), hanging::add);
        child.write(new byte[4 * 1024 * 1024]); // more than the pipe and the buffers hold
        child.write("last line\n".getBytes(StandardCharsets.UTF_8));
        child.close();
        Eventually.until(
                "all is read", () -> pump.tail(10).equals("last line\n"), Duration.ofSeconds(30), () -> pump.tail(10));
        while (!pump.drained().toCompletableFuture().isDone()) {
            hanging.take().run();
        }
        String written = Files.readString(directory.resolve("stdout"));
        assertTrue(written.contains(" bytes of output are missing here: the disk was too slow]"), "no notice");
    }

    private OutputPump pumped(InputStream in, Executor disk) throws IOException {
        RolledFile file = new RolledFile(directory.resolve("stdout"), BOUNDS, new FakeTicker(), disk);
        OutputPump pump = new OutputPump(in, file, disk);
        pump.start("pump");
        return pump;
    }

    private static InputStream text(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }
}
