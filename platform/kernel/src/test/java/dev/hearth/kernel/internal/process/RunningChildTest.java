package dev.hearth.kernel.internal.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunningChildTest {
    @Test
    void showsTheTailInWholeCharacters(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("stdout"), "aü€😀z"); // 1 + 2 + 3 + 4 + 1 bytes
        assertEquals("", RunningChild.tail(file, 0));
        assertEquals("z", RunningChild.tail(file, 1));
        assertEquals("z", RunningChild.tail(file, 4));
        assertEquals("😀z", RunningChild.tail(file, 5));
        assertEquals("😀z", RunningChild.tail(file, 7));
        assertEquals("€😀z", RunningChild.tail(file, 8));
        assertEquals("aü€😀z", RunningChild.tail(file, 11));
        assertEquals("aü€😀z", RunningChild.tail(file, 1000));
        assertEquals("", RunningChild.tail(directory.resolve("none"), 10));
    }
}
