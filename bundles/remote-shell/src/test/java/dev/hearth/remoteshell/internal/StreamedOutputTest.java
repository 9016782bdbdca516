package dev.hearth.remoteshell.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.remoteshell.internal.ShellProtocol.Piece;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Output between the thread of a line and the requester: whole, in order, bounded, and ended with its reader. */
@Timeout(60)
class StreamedOutputTest {
    private final AtomicInteger announced = new AtomicInteger();
    private final StreamedOutput output = new StreamedOutput(80, true, announced::incrementAndGet);

    @Test
    void announcesEachPieceOnce() {
        assertTrue(output.isEmpty());
        output.print("a");
        output.printError("e");
        output.print("b");
        assertEquals(1, announced.get());
        assertEquals(new Piece("ab", "e"), output.take());
        assertTrue(output.isEmpty());
        output.print("c");
        assertEquals(2, announced.get());
    }

    @Test
    void waitsForItsReaderWhenItIsFull() throws Exception {
        String text = "x".repeat(StreamedOutput.CHARACTERS_MAX * 2 + 10);
        Thread line = new Thread(() -> output.print(text), "line");
        line.start();
        StringBuilder read = new StringBuilder();
        while (read.length() < text.length()) {
            String piece = output.take().output();
            assertTrue(piece.length() <= StreamedOutput.CHARACTERS_MAX);
            read.append(piece);
            Thread.onSpinWait();
        }
        line.join();
        assertEquals(text, read.toString());
    }

    @Test
    void dropsOutputWhenItsReaderIsLostOrTheLineIsInterrupted() throws Exception {
        Thread line = new Thread(() -> output.print("x".repeat(StreamedOutput.CHARACTERS_MAX * 2)), "line");
        line.start();
        output.close();
        line.join();
        StreamedOutput other = new StreamedOutput(80, true, () -> {});
        Thread interrupted = new Thread(() -> other.print("x".repeat(StreamedOutput.CHARACTERS_MAX * 2)), "line");
        interrupted.start();
        interrupted.interrupt();
        interrupted.join();
        assertFalse(other.isEmpty());
    }

    @Test
    void passesOnNewWidths() {
        List<Integer> widths = new ArrayList<>();
        output.whenResized(widths::add);
        output.resized(120);
        assertEquals(List.of(120), widths);
    }
}
