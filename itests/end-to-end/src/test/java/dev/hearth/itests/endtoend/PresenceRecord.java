package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** File in which the processes of one driver sign in all the time (see {@code SignsIn}), each with a lock on it. */
final class PresenceRecord {
    private static final Duration BOUND = Duration.ofMinutes(3);
    private static final double NANOS_PER_SECOND = 1e9;

    private final Path file;

    PresenceRecord(Path file) {
        this.file = file;
    }

    Path file() {
        return file;
    }

    /** Time in which one process has signed in, by the clock that all processes of the machine share. */
    record Presence(long pid, long firstNanos, long lastNanos) {
        /** Seconds from {@code nanos} to the last line. */
        double secondsToLast(long nanos) {
            return (lastNanos - nanos) / NANOS_PER_SECOND;
        }

        double secondsToFirst(long nanos) {
            return (firstNanos - nanos) / NANOS_PER_SECOND;
        }
    }

    /** The processes in the order of their first lines. Fails if one signs in after another one has. */
    List<Presence> presences() throws IOException {
        List<Presence> found = new ArrayList<>();
        if (!Files.exists(file)) {
            return found;
        }
        String text = Files.readString(file);
        for (String line : text.substring(0, text.lastIndexOf('\n') + 1).split("\n", -1)) {
            String[] words = line.split(" ", -1);
            if (words.length < 2) {
                continue; // no process has signed in
            }
            long pid = Long.parseLong(words[0]);
            long nanos = Long.parseLong(words[1]);
            Presence last = found.isEmpty() ? null : found.get(found.size() - 1);
            if (last != null && last.pid() == pid) {
                found.set(found.size() - 1, new Presence(pid, last.firstNanos(), nanos));
            } else {
                assertTrue(
                        found.stream().noneMatch(other -> other.pid() == pid),
                        () -> "two processes at a time: " + pid + " signs in after another one in " + found);
                found.add(new Presence(pid, nanos, nanos));
            }
        }
        return found;
    }

    /** Waits until {@code count} processes have signed in, and the last of them still does. */
    void await(int count, List<Launched> sources) throws IOException {
        Eventually.until(
                count + " processes in turn",
                () -> presences().size() >= count,
                BOUND,
                () -> file + ": " + sources.stream().map(Launched::errors).toList());
    }
}
