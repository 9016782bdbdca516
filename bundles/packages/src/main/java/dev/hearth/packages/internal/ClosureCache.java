package dev.hearth.packages.internal;

import dev.hearth.packages.internal.Closure.Jar;
import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closures of earlier requests, one file each in a directory that processes share. A file is replaced as a whole, and
 * what cannot be read or written counts as absent. Stateless between calls.
 */
record ClosureCache(Path directory, Clock clock) {
    private static final Logger LOG = LoggerFactory.getLogger(ClosureCache.class);
    /** Time for which a closure with snapshots or ranges of versions counts, as for Maven's metadata. */
    static final Duration CHANGING_MAX = Duration.ofDays(1);

    private static final String END = "end";
    private static final String JAR = "jar";
    private static final String WARNING = "warning";
    private static final int JAR_FIELDS = 5;

    /**
     * Returns the closure of an equal request, if it is not too old and its files are unchanged. {@code offline} accepts
     * any age.
     */
    Optional<Closure> find(ClosureKey key, boolean offline) {
        Path file = directory.resolve(key.fileName());
        try {
            if (!Files.isRegularFile(file)) {
                return Optional.empty();
            }
            String text = Files.readString(file);
            if (!text.startsWith(key.text())) {
                return Optional.empty();
            }
            Optional<Closure> closure =
                    read(text.substring(key.text().length()).lines().toList(), offline);
            return closure.isPresent() && isUnchanged(closure.get()) ? closure : Optional.empty();
        } catch (IOException | IllegalArgumentException unreadable) {
            LOG.debug("closure {}: not used", file, unreadable);
            return Optional.empty();
        }
    }

    private static boolean isUnchanged(Closure closure) throws IOException {
        for (Jar jar : closure.jars()) {
            if (!jar.isUnchanged()) {
                return false;
            }
        }
        return true;
    }

    /** Parses the lines below the key: the time, then jars and warnings, then a last line. Empty if it is too old. */
    private Optional<Closure> read(List<String> lines, boolean offline) {
        if (lines.size() < 2 || !lines.get(lines.size() - 1).equals(END)) {
            throw new IllegalArgumentException("closure of " + lines.size() + " lines (expected: a last line)");
        }
        String[] head = lines.get(0).split("\t", -1);
        boolean changes = Boolean.parseBoolean(head[1]);
        Instant end = Instant.parse(head[0]).plus(CHANGING_MAX);
        if (changes && !offline && clock.instant().isAfter(end)) {
            return Optional.empty();
        }
        List<Jar> jars = new ArrayList<>();
        List<String> warnings = new ArrayList<>();
        for (String line : lines.subList(1, lines.size() - 1)) {
            String[] fields = line.split("\t", -1);
            if (fields[0].equals(JAR) && fields.length == JAR_FIELDS) {
                jars.add(new Jar(Path.of(fields[4]), Long.parseLong(fields[1]), Long.parseLong(fields[2]), fields[3]));
            } else if (fields[0].equals(WARNING) && fields.length == 2) {
                warnings.add(fields[1]);
            } else {
                throw new IllegalArgumentException("line '" + line + "' (expected: a jar or a warning)");
            }
        }
        return Optional.of(new Closure(jars, changes, warnings));
    }

    /** Keeps the closure of a request for later ones. */
    void keep(ClosureKey key, Closure closure) {
        StringBuilder text = new StringBuilder(key.text());
        text.append(clock.instant()).append('\t').append(closure.changes()).append('\n');
        for (Jar jar : closure.jars()) {
            text.append(String.join(
                            "\t",
                            JAR,
                            String.valueOf(jar.bytes()),
                            String.valueOf(jar.modifiedMillis()),
                            jar.sha256(),
                            jar.path().toString()))
                    .append('\n');
        }
        closure.warnings()
                .forEach(line -> text.append(WARNING).append('\t').append(line).append('\n'));
        text.append(END).append('\n');
        try {
            Files.createDirectories(directory);
            Path written = Files.createTempFile(directory, "closure", ".tmp");
            try {
                Files.writeString(written, text);
                move(written, directory.resolve(key.fileName()));
            } finally {
                Files.deleteIfExists(written);
            }
        } catch (IOException failure) {
            LOG.debug("closure in {}: not kept, so an equal request is resolved again", directory, failure);
        }
    }

    private static void move(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException unsupported) {
            LOG.debug("closure {}: replaced in two steps", to, unsupported);
            Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
