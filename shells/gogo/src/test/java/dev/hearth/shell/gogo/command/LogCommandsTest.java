package dev.hearth.shell.gogo.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.kernel.Logs;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.felix.gogo.runtime.CommandProcessorImpl;
import org.apache.felix.service.command.CommandSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The recent log of a process: chosen by number, level and logger, and followed. */
@Timeout(60)
class LogCommandsTest {
    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private final CommandProcessorImpl processor = new CommandProcessorImpl(null);
    private final PrintStream out = new PrintStream(output, true, StandardCharsets.UTF_8);
    private final CommandSession session = processor.createSession(InputStream.nullInputStream(), out, out);
    private final Recent recent = new Recent();

    LogCommandsTest() {
        LogCommands commands = new LogCommands();
        commands.bindLogs(recent);
        for (String name : new String[] {"tail", "display", "set"}) {
            processor.addCommand("log", commands, name);
        }
        recent.add("INFO", "dev.hearth.rpc.Peer", "connected");
        recent.add("WARN", "dev.hearth.rpc.Peer", "slow");
        recent.add("ERROR", "org.other.Thing", "broken\n\tat x.Y");
        recent.add("INFO", "dev.hearth.rpcs.Other", "four");
    }

    private static final class Recent implements Logs {
        private final List<LogEvent> events = Collections.synchronizedList(new ArrayList<>());
        private final SortedMap<String, String> levels = new TreeMap<>(Map.of("ROOT", "WARN"));
        private boolean isKept;
        private int looks;

        void add(String level, String logger, String text) {
            Instant time = Instant.parse("2026-11-19T06:16:24.133Z");
            events.add(new LogEvent(events.size() + 1, time, level, logger, "main", text));
        }

        @Override
        public Map<String, String> levels() {
            return levels;
        }

        @Override
        public void setLevel(String logger, String level) {
            levels.put(logger, level);
        }

        @Override
        public void keepRecent() {
            isKept = true;
        }

        @Override
        public List<LogEvent> recent(long after) {
            if (++looks == 3) {
                add("WARN", "dev.hearth.New", "followed");
                add("INFO", "dev.hearth.New", "not chosen");
            }
            if (looks == 4) {
                throw new IllegalStateException("end of the test");
            }
            return events.stream().filter(event -> event.number() > after).toList();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "log:tail                      | connected/slow/broken/four",
                "log:tail -n 1                 | four",
                "log:display                   | connected/slow/broken/four",
                "log:display --level warn      | slow/broken",
                "log:display dev.hearth.rpc    | connected/slow",
                "log:tail -n 1 --level WARN dev.hearth | slow"
            })
    void choosesEvents(String line, String texts) throws Exception {
        session.execute(line);
        String shown = output.toString(StandardCharsets.UTF_8);
        List<String> found = shown.lines()
                .filter(one -> one.startsWith("2026-"))
                .map(one -> one.substring(one.lastIndexOf(": ") + 2))
                .toList();
        assertEquals(List.of(texts.split("/")), found);
        assertTrue(recent.isKept);
    }

    @Test
    void showsTimeWithZoneLevelThreadAndTrace() throws Exception {
        session.execute("log:tail -n 2");
        String shown = output.toString(StandardCharsets.UTF_8);
        assertTrue(shown.matches("""
                        2026-11-1\\dT\\d\\d:\\d\\d:24\\.133(Z|[+-]\\d\\d:\\d\\d) ERROR \\[main] Thing: broken
                        \\s+at x.Y
                        2026.*
                        """), shown);
        output.reset();
        session.execute("log:tail -n 1 --json");
        shown = output.toString(StandardCharsets.UTF_8);
        assertTrue(shown.endsWith("\"logger\":\"dev.hearth.rpcs.Other\",\"text\":\"four\"}\n"), shown);
    }

    @Test
    void followsTheLogUntilItEnds() {
        assertThrows(IllegalStateException.class, () -> session.execute("log:tail -n 0 -f --level WARN"));
        String shown = output.toString(StandardCharsets.UTF_8);
        assertTrue(shown.endsWith("New: followed\n") && shown.lines().count() == 1, shown);
    }

    @Test
    void setsLevels() throws Exception {
        session.execute("log:set debug dev.hearth.rpc");
        assertEquals("DEBUG", recent.levels.get("dev.hearth.rpc"));
        session.execute("log:set info");
        assertEquals("INFO", recent.levels.get("ROOT"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "log:tail -n x          | log:tail: -n 'x' (expected: a number of events); see 'help log:tail'",
                "log:tail --level loud  | log:tail: level 'loud' (expected: one of [TRACE,",
                "log:display -f         | log:display: '-f' (expected: -n NUMBER, --level LEVEL, --json, or one logger)",
                "log:set loud           | log:set: level 'LOUD' (expected: one of"
            })
    void refusesInWords(String line, String message) {
        HearthException refusal = assertThrows(HearthException.class, () -> session.execute(line));
        assertTrue(String.valueOf(refusal.getMessage()).startsWith(message), refusal::getMessage);
    }
}
