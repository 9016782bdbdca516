package dev.hearth.standalone.internal.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.process.OutputChunk;
import dev.hearth.spi.process.OutputName;
import dev.hearth.spi.process.OutputPosition;
import dev.hearth.spi.process.OutputRange;
import java.nio.charset.StandardCharsets;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Parts of an output that has rolled over, by the numbers of their bytes. */
class OutputBytesTest {
    private static final int CHUNK = 3;

    private final NavigableMap<Long, String> files = new TreeMap<>();

    @ParameterizedTest(name = "{1} bytes from {0}")
    @CsvSource({
        "0, 4, 0-4 of 10 0123",
        "2, 5, 2-7 of 10 23456",
        "6, 100, 6-10 of 10 6789",
        "10, 5, 10-10 of 10",
        "99, 5, 10-10 of 10",
        "-1, 3, 7-10 of 10 789",
        "-1, 100, 0-10 of 10 0123456789",
        "3, 0, 3-3 of 10"
    })
    void readsOverTheEndsOfFiles(long offset, int length, String expected) {
        files.put(3L, "0123");
        files.put(4L, "45");
        files.put(7L, "6789");
        assertEquals(expected, read(offset < 0 ? OptionalLong.empty() : OptionalLong.of(offset), length));
    }

    @Test
    void hasNothingOfAnEmptyOutputAndOfNone() {
        assertEquals("none", read(OptionalLong.empty(), 5));
        files.put(1L, "");
        assertEquals("0-0 of 0", read(OptionalLong.empty(), 5));
    }

    private String read(OptionalLong offset, int length) {
        return new OutputBytes(this::chunk, OutputName.STDOUT, offset, length)
                .part()
                .toCompletableFuture()
                .join()
                .map(part -> (part.first() + "-" + part.end() + " of " + part.total() + " " + part.text()).strip())
                .orElse("none");
    }

    /** Part of the files, as a launcher reads it, but at most three bytes of one file. */
    private CompletionStage<Optional<OutputChunk>> chunk(OutputRange range) {
        return CompletableFuture.completedStage(
                files.isEmpty() ? Optional.empty() : Optional.of(range.backwards() ? before(range) : after(range)));
    }

    private OutputChunk before(OutputRange range) {
        for (Long number = files.floorKey(range.position().file()); number != null; number = files.lowerKey(number)) {
            String file = files.get(number);
            int end = (int)
                    (number == range.position().file()
                            ? Math.min(range.position().offset(), file.length())
                            : file.length());
            if (end > 0) {
                int start = Math.max(0, end - range.length());
                return chunk(number, start, file.substring(start, end));
            }
        }
        return chunk(files.firstKey(), 0, "");
    }

    private OutputChunk after(OutputRange range) {
        long number = files.ceilingKey(range.position().file());
        int offset = (int) (number == range.position().file() ? range.position().offset() : 0);
        while (offset == files.get(number).length() && number < files.lastKey()) {
            number = files.higherKey(number);
            offset = 0;
        }
        String file = files.get(number);
        return chunk(
                number,
                offset,
                file.substring(offset, Math.min(file.length(), offset + Math.min(CHUNK, range.length()))));
    }

    private static OutputChunk chunk(long number, int start, String text) {
        return new OutputChunk(
                Bytes.owning(text.getBytes(StandardCharsets.UTF_8)),
                new OutputPosition(number, start),
                new OutputPosition(number, start + text.length()),
                false,
                false);
    }
}
