package dev.hearth.shell.submit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.cluster.SubmissionListener;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.testkit.FakeTicker;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UploadBarTest {
    private static final long MEBIBYTE = 1 << 20;

    private final ByteArrayOutputStream terminal = new ByteArrayOutputStream();
    private final FakeTicker ticker = new FakeTicker();
    private final List<String> passed = new ArrayList<>();
    private final UploadBar bar = new UploadBar(
            new PrintStream(terminal, true, StandardCharsets.UTF_8),
            new SubmissionListener() {
                @Override
                public void changed(SubmissionStatus status) {
                    passed.add("changed");
                }

                @Override
                public void said(String line) {
                    passed.add(line);
                }

                @Override
                public void lost(String reason) {
                    passed.add("lost " + reason);
                }
            },
            ticker);

    @Test
    void showsWhatIsSentAtWhichRateAndHowLongItLasts() {
        assertEquals(
                "app.jar [=========>          ] 45 of 100 MiB, 50.0 MiB/s, 2 s left",
                UploadBar.line("app.jar", 45 * MEBIBYTE, 100 * MEBIBYTE, 50 * MEBIBYTE));
        assertTrue(UploadBar.line("a", 0, 10_000 * MEBIBYTE, MEBIBYTE).endsWith(", 167 min left"));
        assertEquals("a [>                   ] 0 of 1 MiB", UploadBar.line("a", 0, MEBIBYTE, 0));
        assertEquals(79, UploadBar.line("x".repeat(90), 1, 10_000 * MEBIBYTE, 1).length());
    }

    @Test
    void drawsALongUploadAndErasesItBeforeOtherOutput() {
        bar.uploaded("a.jar", 0, 10 * MEBIBYTE);
        ticker.advance(Duration.ofMillis(400));
        bar.uploaded("a.jar", MEBIBYTE, 10 * MEBIBYTE);
        assertEquals("", shown(), "it may end soon");
        ticker.advance(Duration.ofMillis(600));
        bar.uploaded("a.jar", 2 * MEBIBYTE, 10 * MEBIBYTE);
        String line = "a.jar [====>               ] 2 of 10 MiB, 2.0 MiB/s, 4 s left";
        assertEquals("\r" + line, shown());
        bar.uploaded("a.jar", 2 * MEBIBYTE + 1, 10 * MEBIBYTE);
        bar.said("hello");
        assertEquals("\r" + line + "\r" + " ".repeat(line.length()) + "\r", shown());
        assertEquals(List.of("hello"), passed);
    }

    @Test
    void erasesTheLineAtTheEndOfAFileAndShowsNothingOfAShortOne() {
        bar.uploaded("a.jar", 0, 10);
        ticker.advance(Duration.ofSeconds(1));
        bar.uploaded("a.jar", 5, 10);
        bar.uploaded("a.jar", 10, 10);
        assertTrue(shown().endsWith(" \r"), shown());
        int before = shown().length();
        bar.uploaded("b.jar", 0, 10);
        bar.uploaded("b.jar", 10, 10);
        bar.lost("gone");
        assertEquals(before, shown().length());
        assertEquals(List.of("lost gone"), passed);
    }

    private String shown() {
        return terminal.toString(StandardCharsets.UTF_8);
    }
}
