package dev.hearth.kernel.internal.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.process.OutputChunk;
import dev.hearth.spi.process.OutputName;
import dev.hearth.spi.process.OutputPosition;
import dev.hearth.spi.process.OutputRange;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Output files of a child process, read in parts while they roll over. */
class OutputReaderTest {
    private static final int PART_BYTES = 4;

    @TempDir
    private Path directory;

    private final OutputReader reader = new OutputReader();

    @Test
    void readsTheFilesInTheOrderOfTheirNumbers() throws IOException {
        write("stdout.2", "first\n");
        compress("stdout.10", "second\n");
        write("stdout", "third");
        write("stdout.11.gz.part", "never");
        write("stderr", "other");
        assertEquals("first\nsecond\nthird", all(OutputPosition.START));
        OutputChunk last = forward(new OutputPosition(11, 3));
        assertEquals("rd", text(last));
        assertTrue(last.atEnd());
        assertEquals("ond\nthird", all(new OutputPosition(10, 3)));
    }

    @Test
    void continuesWhereAFileHasRolledOver() throws IOException {
        write("stdout", "abcd");
        OutputChunk first = forward(OutputPosition.START);
        assertEquals(new OutputPosition(1, 4), first.to());
        Files.move(directory.resolve("stdout"), directory.resolve("stdout.1"));
        OutputChunk between = forward(first.to());
        assertEquals("", text(between));
        assertEquals(first.to(), between.to());
        write("stdout", "efgh");
        OutputChunk second = forward(between.to());
        assertEquals("efgh", text(second));
        assertEquals(new OutputPosition(2, 4), second.to());
        assertFalse(second.isCut());
        Files.move(directory.resolve("stdout"), directory.resolve("stdout.2"));
        Files.delete(directory.resolve("stdout.1"));
        write("stdout", "ij");
        OutputChunk cut = forward(new OutputPosition(1, 2));
        assertEquals("efgh", text(cut));
        assertTrue(cut.isCut());
        assertEquals("efghij", all(OutputPosition.START));
    }

    @Test
    void readsBackwardsAcrossFiles() throws IOException {
        write("stdout.1", "abcdef");
        compress("stdout.2", "ghijk");
        write("stdout", "lm");
        OutputChunk last = backward(OutputPosition.END);
        assertEquals("lm", text(last));
        assertTrue(last.atEnd());
        OutputChunk before = backward(last.from());
        assertEquals("hijk", text(before));
        assertFalse(before.atEnd());
        assertEquals("g", text(backward(before.from())));
        assertEquals("cdef", text(backward(new OutputPosition(2, 0))));
        OutputChunk none = backward(new OutputPosition(1, 0));
        assertEquals("", text(none));
        assertEquals(new OutputPosition(1, 0), none.from());
    }

    @Test
    void waitsAtTheEnd() throws IOException {
        write("stdout", "");
        OutputChunk empty = forward(OutputPosition.START);
        assertEquals("", text(empty));
        assertTrue(empty.atEnd());
        write("stdout", "ab");
        assertEquals("ab", text(forward(empty.to())));
        assertEquals(new OutputPosition(1, 2), forward(OutputPosition.END).to());
    }

    @Test
    void followsNoLinks() throws IOException {
        Path secret = Files.writeString(directory.resolve("secret"), "secret");
        Files.createSymbolicLink(directory.resolve("stdout"), secret);
        assertEquals(
                Optional.empty(), reader.read(directory, OutputRange.from(OutputName.STDOUT, OutputPosition.START)));
        Path link = Files.createSymbolicLink(directory.resolve("link"), directory);
        write("stderr", "x");
        assertEquals(Optional.empty(), reader.read(link, OutputRange.from(OutputName.STDERR, OutputPosition.START)));
        assertEquals(
                Optional.empty(),
                reader.read(directory.resolve("gone"), OutputRange.from(OutputName.STDERR, OutputPosition.START)));
    }

    private String all(OutputPosition from) throws IOException {
        StringBuilder text = new StringBuilder();
        OutputChunk chunk = forward(from);
        text.append(text(chunk));
        while (!chunk.atEnd()) {
            chunk = forward(chunk.to());
            text.append(text(chunk));
        }
        return text.toString();
    }

    private OutputChunk forward(OutputPosition from) throws IOException {
        return reader.read(directory, new OutputRange(OutputName.STDOUT, from, false, PART_BYTES))
                .orElseThrow();
    }

    private OutputChunk backward(OutputPosition from) throws IOException {
        return reader.read(directory, new OutputRange(OutputName.STDOUT, from, true, PART_BYTES))
                .orElseThrow();
    }

    private static String text(OutputChunk chunk) {
        return new String(chunk.bytes().toArray(), StandardCharsets.UTF_8);
    }

    private void write(String name, String content) throws IOException {
        Files.writeString(directory.resolve(name), content);
    }

    private void compress(String name, String content) throws IOException {
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(directory.resolve(name + ".gz")))) {
            out.write(content.getBytes(StandardCharsets.UTF_8));
        }
    }
}
