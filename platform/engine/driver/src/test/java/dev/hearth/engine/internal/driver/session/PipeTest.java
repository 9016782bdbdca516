package dev.hearth.engine.internal.driver.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.Command;
import dev.hearth.api.HearthContext;
import dev.hearth.api.HearthException;
import dev.hearth.api.Rdd;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests the process of a pipe operation when its elements end early or fail. */
@Timeout(60)
class PipeTest {
    @RegisterExtension
    private final LocalContext local = new LocalContext();

    private final HearthContext context = local.open();

    @Test
    void aMissingInputFileFailsTheJob(@TempDir Path directory) throws IOException {
        String live = Files.writeString(directory.resolve("there"), "a\n").toString();
        Rdd<String> contents = context.parallelize(List.of(live, live + "-not"), 1)
                .map(path -> Files.readString(Path.of(path)).strip());
        HearthException failure =
                assertThrows(HearthException.class, () -> contents.pipe("cat").collect());
        assertTrue(String.valueOf(failure.getMessage()).contains("there-not"), failure.getMessage());
    }

    @Test
    void aFailureOfInputWithinAnElementFailsTheJob() {
        Rdd<Integer> unreadable = context.parallelize(List.of(1, 2, 3), 1).map(number -> {
            if (number == 3) {
                throw new UncheckedIOException(new IOException("disk 3 is gone"));
            }
            return number;
        });
        HearthException failure =
                assertThrows(HearthException.class, () -> unreadable.pipe("cat").collect());
        assertTrue(String.valueOf(failure.getMessage()).contains("disk 3 is gone"), failure.getMessage());
    }

    @Test
    void aFailureOfWritingAnElementFailsTheJob() {
        Rdd<String> piped = context.parallelize(List.of(1, 2, 3), 1).pipe(Command.of("cat"), (number, lines) -> {
            if (number == 2) {
                throw new IOException("no lines for 2");
            }
            lines.accept("n" + number);
        });
        HearthException failure = assertThrows(HearthException.class, piped::collect);
        assertTrue(String.valueOf(failure.getMessage()).contains("no lines for 2"), failure.getMessage());
    }

    @Test
    void aProcessMayStopReading() {
        Rdd<Integer> many =
                context.parallelize(IntStream.range(0, 200_000).boxed().toList(), 1);
        assertEquals(List.of("0"), many.pipe(List.of("head", "-n", "1")).collect());
    }

    @Test
    void aProcessWhoseOutputIsNotFullyReadIsStopped() throws InterruptedException {
        assertEquals(
                List.of("y"), context.parallelize(List.of(1), 1).pipe("yes").take(1));
        assertEquals(
                List.of("y"),
                context.parallelize(List.of(1), 1).pipe("yes").pipe("cat").take(1));
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith("pipe-")) {
                thread.join(30_000);
                assertFalse(thread.isAlive(), thread.getName());
            }
        }
    }
}
